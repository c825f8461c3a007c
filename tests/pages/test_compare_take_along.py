"""What a run can be taken along as says what is on screen: Python lines, JSON, TREC; and its actions."""

from __future__ import annotations

import contextlib
import io
import json
from collections import defaultdict
from urllib.parse import parse_qs

import numpy as np
import pytest

import ltr_core as ltr
from pages.ui.compare import exports
from pages.ui.compare.notebook import as_notebook
from pages.ui.runs import catalog
from pages.ui.runs.specs import recipe_of
from pages.ui.session import link
from pages.ui.tables import comparison
from tests.dashboard import open_app, text_of

pytestmark = pytest.mark.slow

SIZE = {"n_queries": 40, "n_docs": 8, "n_features": 5}
LINK = "..".join(["data.cubic", *(f"cubic-{k}.{v}" for k, v in SIZE.items())])
RUNS = "r0.MPBoost.ddf.binary.n_rounds.9..r1.GBT.n_trees.7.random_state.3"


def opened(more="", runs=RUNS, data=LINK):
    app = open_app("..".join(filter(None, (data, runs, more))), page="compare").run()
    assert not app.exception and not app.error
    now = app.session_state["_screen"]
    return app, now


def run_lines(text):
    """Run the lines in a namespace of their own and return the number that they print."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(text, "lines", "exec"), {})
    return float(said.getvalue())


def on_screen(now):
    return comparison.run_table(now).set_index("slot")["test"]


@pytest.mark.parametrize(
    "more",
    [
        "",
        "score_at.last",
        "fold.2..shuffle.5",
        "ndcg-k.3..ndcg-gain.grade..letor.1",
        "measure.map",
        "measure.misorder",
        "repeat.folds",
        "repeat.seeds3..score_at.last",
    ],
)
def test_the_python_lines_print_the_number_on_screen(more):
    app, now = opened(more)
    shown = on_screen(now)
    for line in now.runs:
        text = exports.python_lines(now, line)
        assert len([row for row in text.splitlines() if row.strip()]) <= (11 if now.means else 8)
        assert run_lines(text) == pytest.approx(shown[line.slot], abs=1e-15)
    assert exports.python_lines(now, now.runs[-1]).rstrip() in [block.value for block in app.code]


def test_the_python_lines_of_tables_and_early_stopping():
    own = tuple(tuple(float(i - j) for j in range(5)) for i in range(5))
    runs = [
        link.encode_recipe(recipe_of("MPBoost", {"ddf": "table", "ddf_table": own, "n_rounds": n}))
        for n in (5, 6)
    ]
    stops = "MPBoost.early_stopping.3.n_rounds.300"
    _, now = opened(runs="..".join(f"r{i}.{run}" for i, run in enumerate([*runs, stops])))
    assert all("TABLE" in line.name and "(" not in line.name for line in now.runs[:2])
    for line in now.runs:
        assert run_lines(exports.python_lines(now, line)) == on_screen(now)[line.slot]


@pytest.mark.parametrize("where", ["one.txt", "three", "folds"])
def test_the_python_lines_of_files(where, tmp_path, monkeypatch):
    """Read from the project's folder, where the data lie in data/."""
    folder = tmp_path / "data"
    whole = ltr.datasets.make("cubic", **SIZE)
    if where == "one.txt":
        folder.mkdir()
        ltr.save(whole, folder / where)
        more = ["", "fold.4", "repeat.folds"]
    else:
        parts = ltr.folds(whole, 3)[: 1 if where == "three" else 3]
        for i, fold in enumerate(parts):
            place = folder / where if where == "three" else folder / where / f"Fold{i + 1}"
            place.mkdir(parents=True)
            for part, name in zip(fold, ("train", "vali", "test"), strict=True):
                ltr.save(part, place / f"{name}.txt")
        more = [""] if where == "three" else ["fold.3", "repeat.folds"]
    monkeypatch.setattr(catalog, "DATA_FOLDER", folder)
    monkeypatch.setattr(exports, "DATA_FOLDER", folder)
    monkeypatch.chdir(tmp_path)
    for one in more:
        _, now = opened(one, data=f"data.files_2F{where.replace('.', '_2E')}")
        assert now.entry.name == f"files/{where}"
        text = exports.python_lines(now, now.runs[0])
        assert f"'data/{where}'" in text
        assert run_lines(text) == pytest.approx(on_screen(now)[0], abs=1e-15)


@pytest.mark.parametrize("more", ["", "repeat.folds..score_at.last"])
def test_the_json_holds_spec_history_and_curves(more):
    _, now = opened(more)
    line = now.runs[1]
    told = json.loads(exports.as_json(now, line))
    assert told["algorithm"] == "GBT" and told["params"]["n_trees"] == 7 and told["measure"] == "NDCG@10"
    trained = line.trainings
    assert len(told["runs"]) == len(trained) == (5 if more else 1)
    for one, run in zip(told["runs"], trained, strict=True):
        assert one["spec"]["params"] == {"n_trees": 7, "random_state": 3}
        assert one["spec"]["data"]["fold"] == run.spec.data.fold
        history = run.model.history_
        assert {k: list(v) for k, v in one["history"].items()} == history.to_dict("list")
        own = history[(history["split"] == "test") & (history["measure"] == "ndcg@10")]["value"]
        assert one["curves"]["test"] == list(own) and one["test"] == list(own)[one["round_compared"]]
    values = [one["test"] for one in told["runs"]]
    assert np.mean(values) == pytest.approx(on_screen(now)[1], abs=1e-15)


def test_there_is_no_nan_in_the_json():
    _, now = opened("measure.ndcg..ndcg-empty.skip", runs="r0.MPBoost.n_rounds.2")

    def refuse(name):
        raise AssertionError(name)

    json.loads(exports.as_json(now, now.runs[0]), parse_constant=refuse)


@pytest.mark.parametrize("more", ["", "repeat.folds"])
def test_the_trec_files_give_the_measure_on_screen(more):
    """In a run no scores are equal: where they were, documents stand in file order."""
    _, now = opened("..".join(filter(None, ("measure.ndcg..ndcg-ties.file", more))))
    line = now.runs[1]
    ranked, scores, grades = defaultdict(list), {}, {}
    for row in exports.trec_run(now, line).splitlines():
        query, q0, doc, rank, score, tag = row.split(" ")
        assert (
            q0 == "Q0" and tag == "GBT-regression"
        )  # the run's name, which says no more than what tells runs apart
        ranked[query].append(doc)
        assert len(ranked[query]) == int(rank)
        scores[query, doc] = float(score)
    for row in exports.trec_grades(now, line).splitlines():
        query, _, doc, grade = row.split(" ")
        grades[query, doc] = int(grade)
    assert grades.keys() == scores.keys() and len(ranked) == (40 if more else 8)
    values = []
    for query, docs in ranked.items():
        own = [scores[query, doc] for doc in docs]
        assert (np.diff(np.array(own, np.float32)) < 0).all()
        values.append(ltr.ndcg([grades[query, doc] for doc in docs], own, [0] * len(docs), k=10))
    assert np.mean(values) == pytest.approx(on_screen(now)[1], abs=1e-12)


def test_a_row_of_the_trec_file_is_a_row_of_the_data():
    _, now = opened()
    data = ltr.datasets.make("cubic", **SIZE)
    for row in exports.trec_grades(now, now.runs[0]).splitlines():
        query, _, doc, grade = row.split(" ")
        at = int(doc.removeprefix("row")) - 1
        assert str(data.qid[at]) == query and data.y[at] == float(grade)


def test_a_run_is_copied_into_the_form_made_the_baseline_and_removed():
    app, now = opened()
    app.selectbox("pick-one_run").select(1).run()
    app.button("act-copy").click().run()
    assert app.selectbox("new").value == "GBT" and app.number_input("new:GBT-n_trees").value == 7
    app.button("act-base").click().run()
    assert app.session_state["_screen"].baseline.slot == 1 and app.button("act-base").disabled
    app.button("act-remove").click().run()
    assert [line.slot for line in app.session_state["_screen"].runs] == [0]
    assert app.selectbox("pick-one_run").value == 0 and not app.exception


def test_a_sweep_begins_around_a_run():
    app, _ = opened(runs="r0.GBT.n_trees.7..r1.FeatureMix", more="one_run.0")
    (way,) = [e.proto for e in app.get("page_link") if "Sweep around" in e.proto.label]
    sent = parse_qs(way.query_string)
    swept = open_app(sent["s"][0], page="sweep")
    picked = swept.selectbox("pick-sweep-start")
    assert picked.value == "run 0" and not swept.exception
    app.selectbox("pick-one_run").select(1).run()  # which has no parameter at all
    assert not [e for e in app.get("page_link") if "Sweep around" in e.proto.label]


def test_a_spec_trained_before_says_that_it_is_from_the_store(restart):
    runs = "r0.MPBoost.ddf.binary.n_rounds.8..r1.MPBoost.n_rounds.31.size.0_6"
    app, _ = opened(runs=runs)
    assert "from store" not in text_of(app)
    restart()
    app, _ = opened(runs=runs)
    assert text_of(app).count("from store") == 2
    app.button("remove-1").click().run()
    app.selectbox("new").select("MPBoost").run()
    app.number_input("new:MPBoost-n_rounds").set_value(31).run()
    app.button("train").click().run()
    assert "from store" in text_of(app)
    assert not app.session_state["_screen"].under_way


@pytest.mark.parametrize("more", ["", "layout.multiples", "repeat.folds", "repeat.folds..layout.multiples"])
def test_every_way_to_look_is_drawn(more):
    app, now = opened(f"{more}..curve_split.all..log_rounds.1..log_loss.1")
    charts = app.get("plotly_chart")
    assert len(charts) == 3
    for chart in charts[:2]:
        figure = json.loads(chart.proto.spec)
        assert ("yaxis2" in figure["layout"]) == ("multiples" in more)
        assert {axis["type"] for name, axis in figure["layout"].items() if name.startswith("xaxis")} == {
            "log"
        }
        assert any(trace.get("fill") == "toself" for trace in figure["data"]) == bool(now.means)


@pytest.mark.parametrize("more", ["", "score_at.last..fold.2", "repeat.seeds3"])
def test_the_notebook_has_the_numbers_on_screen(more):
    _, now = opened(more)
    shown, told = on_screen(now), json.loads(as_notebook(now, "data.cubic"))
    assert told["nbformat"] == 4 and len({cell["id"] for cell in told["cells"]}) == len(told["cells"])
    assert now.measure.label in told["cells"][0]["source"] and "?s=data.cubic" in told["cells"][0]["source"]
    names = [cell["source"] for cell in told["cells"] if cell["cell_type"] == "markdown"][1:]
    assert names[:2] == [f"## {run.name}" for run in now.finished]
    space, said = {}, io.StringIO()
    *cells, last = [cell["source"] for cell in told["cells"] if cell["cell_type"] == "code"]
    with contextlib.redirect_stdout(said):
        for source in cells:
            exec(compile(source, "cell", "exec"), space)
        if now.means:
            exec(compile(last, "cell", "exec"), space)
    printed = list(map(float, said.getvalue().split()))
    assert printed == pytest.approx([shown[run.slot] for run in now.finished], abs=1e-15)
    if not now.means:
        compared = eval(compile(last, "cell", "eval"), space)
        row = comparison.run_table(now).set_index("slot").loc[1]
        assert compared["difference"].item() == pytest.approx(row["difference"], abs=1e-15)
        assert compared["p_holm"].item() == pytest.approx(row["p"], abs=1e-12)
