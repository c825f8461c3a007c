"""Compare: every number on screen is the core's, and the form makes runs of every algorithm."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import ALGORITHMS
from pages.ui.runs.specs import recipe_of
from pages.ui.style.words import run_names, stopped_name
from pages.ui.tables import comparison, curves, outcomes
from pages.ui.tables.configurations import differences
from tests.dashboard import SMALL, jobs, open_app, settle, text_of

LINK = "data.cubic..cubic-n_queries.60..cubic-n_docs.8..cubic-n_features.5"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.20..r1.MPBoost.n_rounds.25..r2.GBT.n_trees.15"


@pytest.fixture(scope="module")
def splits():
    return ltr.split(ltr.datasets.make("cubic", n_queries=60, n_docs=8, n_features=5), (0.6, 0.2, 0.2))


def rows_of(app):
    (table,) = [h.value for h in app.get("html") if "Δ to the baseline" in h.value]
    found = []
    for row in re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", table):
        found.append(
            [html.unescape(re.sub(r"<[^>]+>", "", c)).strip() for c in re.findall(r"<t[hd].*?</t[hd]>", row)]
        )
    return found


@pytest.mark.parametrize("measure, options", [("ndcg@10", {}), ("ndcg@3", {"gain": "grade"}), ("map", {})])
def test_every_number_of_the_table_is_the_cores(splits, measure, options):
    chosen = ltr.measure(measure, **options)
    link = "..".join(
        [LINK, RUNS, *{"ndcg@3": ["ndcg-k.3", "ndcg-gain.grade"], "map": ["measure.map"]}.get(measure, [])]
    )
    app = open_app(link, page="compare")
    assert not app.exception
    train, valid, test = splits
    scores, wanted = {}, []
    for line in app.session_state["_screen"].runs:
        model = ALGORITHMS[line.recipe.algorithm](**dict(line.recipe.params))
        model.fit(train, eval_set={"valid": valid}, measures=(chosen,))
        curve = [chosen.mean(valid.y, s, valid.offsets) for s in model.staged_predict(valid)]
        at = int(np.argmax(curve))
        scores[line.name] = model.predict(test, iteration=at)
        value = chosen.mean(test.y, scores[line.name], test.offsets)
        wanted.append((f"{value:.4f}", f"{curve[at]:.4f}", str(at), f"{curve[-1]:.4f}", str(model.n_iter_)))
    compared = ltr.compare(scores, test, chosen)
    rows = rows_of(app)
    assert [(r[1], r[4], r[5], r[6], r[7]) for r in rows] == wanted
    for row, one in zip(rows[1:], compared.itertuples(), strict=True):
        assert row[2].split()[1].replace("−", "-") == f"{one.difference:+.4f}"
        assert f"better on {one.wins} of {one.n_queries} queries" in row[3]


def test_curves_and_depths_equal_the_table():
    app = open_app(f"{LINK}..{RUNS}", page="compare")
    now = app.session_state["_screen"]
    table = comparison.run_table(now).set_index("slot")
    test = curves.curves(now, "measure", "test")
    valid = curves.curves(now, "measure", "valid")
    depths = outcomes.by_depth(now)
    for slot, row in table.iterrows():
        here = test[test["slot"] == slot].set_index("iteration")["value"]
        there = valid[valid["slot"] == slot].set_index("iteration")["value"]
        assert here[row["at"]] == row["test"] and there[row["at"]] == row["best"] == there.max()
        assert there.iloc[-1] == row["last"]
        assert depths[(depths["slot"] == slot) & (depths["k"] == 10)]["value"].item() == pytest.approx(
            row["test"], abs=1e-12
        )
        assert row["at"] == row["compared"] == outcomes.best_points(now).set_index("slot")["iteration"][slot]
    base = table.loc[0, "test"]
    assert np.allclose((table["test"] - base)[1:], table["difference"][1:], atol=1e-12)


def test_history_and_recomputed_curves_are_the_same_bits():
    """What was followed while training, and what is computed later under another definition, agree."""
    app = open_app(f"{LINK}..{RUNS}", page="compare")
    now = app.session_state["_screen"]
    for line in now.runs:
        run = line.trained
        followed = curves.measure_curve(now, run, "test")
        assert run.watched == repr(now.measure)
        again = type(run)(run.spec, run.model, run.seconds, "another measure")
        assert np.array_equal(curves.measure_curve(now, again, "test"), followed)


def test_scores_by_round_are_kept_where_they_are_small(monkeypatch):
    """A curve at another depth only measures: what the model said stays, unless it is much."""
    app = open_app(f"{LINK}..{RUNS}", page="compare")
    now = app.session_state["_screen"]
    run, data = now.runs[0].trained, curves.splits_of(now)["test"]
    kept = curves.stages(run, data, "test")
    assert kept is curves.stages(run, data, "test")
    assert np.array_equal(kept, list(run.model.staged_predict(data)))
    monkeypatch.setattr(curves, "_MOST_STAGES", kept.nbytes - 1)
    much = curves.stages(run, data, "test")
    assert not isinstance(much, np.ndarray) and np.array_equal(list(much), kept)


def test_another_baseline_flips_the_differences():
    app = open_app(f"{LINK}..{RUNS}", page="compare")
    first = comparison.run_table(app.session_state["_screen"]).set_index("slot")
    app.button("base-1").click().run()
    second = comparison.run_table(app.session_state["_screen"]).set_index("slot")
    assert second.loc[0, "difference"] == -first.loc[1, "difference"]
    assert np.isnan(second.loc[1, "difference"])


def test_the_last_round_can_be_compared_instead():
    app = open_app(f"{LINK}..{RUNS}..score_at.last", page="compare")
    table = comparison.run_table(app.session_state["_screen"])
    assert list(table["compared"]) == [20, 25, 15] == list(table["rounds"])
    test = curves.curves(app.session_state["_screen"], "measure", "test").set_index(["slot", "iteration"])[
        "value"
    ]
    assert list(table["test"]) == [test[0, 20], test[1, 25], test[2, 15]]


def test_the_differences_of_the_configurations():
    app = open_app(f"{LINK}..{RUNS}", page="compare")
    lines = app.session_state["_screen"].runs
    frame = differences(tuple((line.name, line.recipe) for line in lines))
    assert list(frame.index)[:3] == ["algorithm", "distance", "λ"]
    assert list(frame.loc["distance"]) == ["BINARY", "LOGDD", "–"]
    assert (
        "seed" not in frame.index
        and "seed" in differences(tuple((line.name, line.recipe) for line in lines), everything=True).index
    )
    two = differences(tuple((line.name, line.recipe) for line in lines[:2]))
    assert list(two.index) == ["distance", "λ", "mean distance", "scale", "rounds"]
    assert differences(tuple((line.name, line.recipe) for line in lines[:1])).empty


@pytest.mark.slow
@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_the_form_trains_every_algorithm(name):
    """Whatever is in the registry is in the form, and its run joins the comparison; no page knows a name."""
    app = open_app(SMALL, page="compare")
    app.selectbox("new").select(name).run()
    rounds = ALGORITHMS[name].rounds_param
    key = f"new:{name}-{rounds}"
    if rounds and key in {w.key for w in app.number_input}:
        app.number_input(key).set_value(3).run()
    assert not app.exception
    app.button("train").click().run()
    settle(app)
    assert not app.exception
    line = app.session_state["_screen"].runs[-1]
    assert line.recipe.algorithm == name
    assert line.status == "done" or line.job.error.strip(), line
    if line.status == "done":
        assert rows_of(app)[-1][1] != ""


def test_a_run_on_screen_is_not_added_twice():
    now = "MPBoost.size.0_6"  # as the form has it: a link without a size means 1
    app = open_app(f"data.tiny..r0.{now}..r1.{now}.n_rounds.5", page="compare")
    assert app.selectbox("new").value == "MPBoost"
    app.button("train").click().run()
    assert len(app.session_state["_screen"].runs) == 2
    app.number_input("new:MPBoost-n_rounds").set_value(6).run()
    app.button("train").click().run()
    assert len(app.session_state["_screen"].runs) == 3


def test_a_value_out_of_range_is_a_sentence(monkeypatch):
    app = open_app(SMALL, page="compare")
    app.selectbox("new:MPBoost-ddf").select("table").run()
    app.text_input("new:MPBoost-ddf_table").set_value("[[0, 1], [1, 0]]").run()
    app.button("train").click().run()
    settle(app)
    assert not app.exception
    failed = app.session_state["_screen"].runs[-1]
    assert failed.status == "failed" and failed.job.error


def test_no_more_than_ten_runs():
    runs = "..".join(f"r{i}.MPBoost.n_rounds.{i + 1}" for i in range(10))
    app = open_app(f"data.tiny..{runs}", page="compare")
    assert len(app.session_state["_screen"].finished) == 10
    app.button("train").click().run()
    assert "10 runs are on screen" in text_of(app) and len(app.session_state["_screen"].runs) == 10


def test_a_rerun_trains_and_measures_nothing_again(monkeypatch):
    app = open_app(f"{LINK}..{RUNS}..ndcg-k.7", page="compare")
    calls = []
    monkeypatch.setattr(ltr.MPBoost, "_staged", lambda *a, **k: calls.append("staged") or iter(()))
    monkeypatch.setattr(ltr.MPBoost, "_scores", lambda *a, **k: calls.append("scores"))
    app.toggle("log_loss").set_value(True).run()
    assert not app.exception and not calls and not jobs(app)


def test_two_methods_differ_in_what_both_have_and_in_what_was_changed():
    runs = [("a", recipe_of("MPBoost", {"n_rounds": 20})), ("b", recipe_of("RankNet", {"hidden": 7}))]
    shown = list(differences(tuple(runs)).index)
    assert shown[0] == "algorithm" and {"rounds", "hidden"} <= set(shown) and len(shown) <= 4, shown
    assert len(differences(tuple(runs), everything=True)) > 10


def test_a_stopped_run_is_named_by_what_it_had():
    recipe = recipe_of("MPBoost", {"n_rounds": 20_000})
    name = run_names([recipe])[0]
    assert "20,000 rounds" in name
    assert stopped_name(name, recipe, 606) == "MPBoost (606 rounds, stopped)"
    assert stopped_name("LDD", recipe, 1) == "LDD (1 round, stopped)"


def test_a_number_beyond_its_limits_says_so_and_is_not_trained():
    app = open_app(SMALL, page="compare")
    field = "new:MPBoost-n_rounds"
    assert "1 – 100,000" in text_of(app) and not app.button("train").disabled
    app.number_input(field).set_value(200_000).run()
    assert app.button("train").disabled and "takes 1 – 100,000" in text_of(app)
    assert any("rounds = 200,000 cannot be used" in caption.value for caption in app.caption)
    app.number_input(field).set_value(7).run()
    assert not app.button("train").disabled and "takes 1" not in text_of(app)
    app.number_input("ndcg-k").set_value(-3).run()
    assert "in use: 10" in text_of(app) and app.session_state["_screen"].measure.name == "ndcg@10"
