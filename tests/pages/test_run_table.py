"""The run table with several measures, sorted, filtered, copied; and all runs taken along at once."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pandas as pd
import pytest

import ltr_core as ltr
from pages.ui.compare import exports, run_table
from pages.ui.tables import several
from tests.dashboard import open_app, text_of

DATA = "data.cubic..cubic-n_queries.60..cubic-n_docs.8..cubic-n_features.5..ndcg-k.5"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.12..r1.MPBoost.n_rounds.9..r4.GBT.n_trees.7"
TABLE = (
    "table_measures.ndcg_401_20map_20err_20mrr_20nonsense_20ndcg_40x..table_by.ERR..table_hidden.spark_20last"
)


@pytest.fixture(scope="module")
def app():
    opened = open_app(f"{DATA}..{RUNS}..{TABLE}", page="compare").run()
    assert not opened.exception
    return opened


def table_of(app):
    return next(h.value for h in app.get("html") if 'class="runs stack"' in h.value)


def rows_of(app):
    screen = app.session_state["_screen"]
    measures = tuple(ltr.measure(name) for name in ("ndcg@1", "map", "err", "mrr"))
    return screen, several.arranged(screen, measures, "ERR")


def test_each_measure_is_the_cores_at_the_round_compared(app):
    screen, rows = rows_of(app)
    for row in rows.to_dict("records"):
        run = next(run for run in screen.runs if run.slot == row["slot"])
        test, scores = (
            screen.splits.test,
            run.trained.model.predict(screen.splits.test, iteration=row["compared"]),
        )
        for name in ("ndcg@1", "map", "err", "mrr"):
            measure = ltr.measure(name)
            assert row[several.column_of(measure)] == measure.mean(test.y, scores, test.offsets)
            assert f">{row[several.column_of(measure)]:.4f}</td>" in table_of(app)


def test_the_table_is_sorted_and_columns_are_left_out(app):
    screen, rows = rows_of(app)
    names, html = list(rows["run"]), table_of(app)
    assert list(rows["ERR"]) == sorted(rows["ERR"], reverse=True)
    assert [html.index(f"> {name}</span>") for name in names] == sorted(
        html.index(f"> {n}</span>") for n in names
    )
    assert "Last on validation" not in html and "Test, by round" not in html and "Best on validation" in html
    assert html.count('<th scope="col"') == 1 + 7 + 4


def test_the_head_of_the_column_that_sorts_says_which_way(app):
    heads = re.findall(r"<th scope=\"col\".*?</th>", table_of(app))
    (own,) = [head for head in heads if "aria-sort" in head]
    assert 'aria-sort="descending"' in own and 'data-sort="ERR"' in own and own.count("▼") == 1
    assert sum("<button" in head for head in heads) == len(heads)
    other = open_app(f"{DATA}..{RUNS}..table_by.run..table_down.0", page="compare").run()
    (own,) = re.findall(r"<th scope=\"col\"[^>]*aria-sort.*?</th>", table_of(other))
    assert 'aria-sort="ascending"' in own and 'data-sort="run"' in own and own.count("▲") == 1
    (spark,) = re.findall(r"<th scope=\"col\"[^>]*>[^<]*Test, by round</th>", table_of(other))
    assert "<button" not in spark  # a picture has no order


def test_a_filter_says_how_many_are_left():
    app = open_app(f"{DATA}..{RUNS}..table_find.gbt", page="compare").run()
    assert not app.exception and table_of(app).count("<tr>") == 2
    assert "1 of 3 runs have “gbt” in their name." in text_of(app)


def test_the_controls_set_the_table(app):
    assert app.multiselect("pick-table_measures").value[:4] == ["ndcg@1", "map", "err", "mrr"]
    fresh = open_app(f"{DATA}..{RUNS}", page="compare").run()
    fresh.multiselect("pick-table_measures").set_value(["p@1"]).run()
    assert not fresh.exception and ">P@1<" in table_of(fresh)
    fresh.multiselect("pick-table_columns").set_value(["test", "p"]).run()
    assert fresh.session_state["table_hidden"] == "difference best at last rounds seconds spark"
    assert table_of(fresh).count('<th scope="col"') == 1 + 2 + 1


def test_markdown_and_latex_hold_the_same_numbers(app):
    markdown, latex = (block.value for block in app.code[:2])
    _, rows = rows_of(app)
    heads = [cell.strip() for cell in markdown.splitlines()[0].strip("|").split("|")]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines()[2:]]
    assert (
        heads[0] == "Run" and heads[1] == "NDCG@5 on test" and heads[-4:] == ["NDCG@1", "MAP", "ERR", "MRR"]
    )
    assert [line[0] for line in lines] == list(rows["run"])
    assert [line[heads.index("ERR")] for line in lines] == [f"{value:.4f}" for value in rows["ERR"]]
    assert latex.startswith(r"\begin{tabular}{lrrr") and latex.count(r"\\") == 4
    odd = pd.DataFrame({"Run": ["a_b & 5% |x|"], "Δ": ["−1"]})
    assert several.as_latex(odd).splitlines()[4] == r"a\_b \& 5\% |x| & $-$1 \\"
    assert several.as_markdown(odd).splitlines()[2] == "| a_b & 5% /x/ | −1 |"


def test_all_runs_at_once(app, monkeypatch):
    screen, rows = rows_of(app)
    monkeypatch.setattr(exports.state, "changed", dict)
    monkeypatch.setattr(exports.state, "workspace", lambda: app.session_state["_workspace"])
    archive = zipfile.ZipFile(io.BytesIO(exports.all_as_zip(screen, rows)))
    names = archive.namelist()
    assert archive.testzip() is None and len(names) == 3 + 3 * 3 and len(set(names)) == len(names)
    table = pd.read_csv(archive.open("runs.csv"))
    assert list(table["test"]) == list(rows["test"]) and list(table["algorithm"]).count("MPBoost") == 2
    told = json.loads(archive.read("runs.json"))
    assert [one["name"] for one in told["runs"]] == [run.name for run in screen.finished]
    for run in screen.runs:
        (name,) = [n for n in names if n.startswith(f"{run.slot}-") and n.endswith(".run")]
        assert archive.read(name).decode() == exports.trec_run(screen, run)
    assert archive.read("test.qrels").decode() == exports.trec_grades(screen, screen.runs[0])


def test_words_that_are_no_measure():
    for word in ("nonsense", "ndcg@x", "@5"):
        with pytest.raises(ltr.ParameterError):
            run_table.measure_of(word)
