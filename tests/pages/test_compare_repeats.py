"""Compare on every fold and from several seeds: means, deviations and the test over all queries are right."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from scipy import stats

import ltr_core as ltr
from ltr_core import ALGORITHMS
from ltr_core.evaluation.significance import holm
from pages.ui.runs import plan, screens
from pages.ui.runs.catalog import Entry
from pages.ui.runs.jobs import Job, curve
from pages.ui.runs.services import services
from pages.ui.runs.store import Store
from pages.ui.runs.training import work_for
from pages.ui.tables import comparison, curves, outcomes
from tests.dashboard import jobs, open_app, settle, text_of

pytestmark = pytest.mark.slow

SIZE = {"n_queries": 47, "n_docs": 8, "n_features": 5}  # folds of 10 and of 9 queries
LINK = "..".join(["data.cubic", *(f"cubic-{k}.{v}" for k, v in SIZE.items())])
RUNS = "r0.MPBoost.ddf.binary.n_rounds.12..r3.GBT.n_trees.9..r5.MPBoost.n_rounds.15"
MEASURE = ltr.measure("ndcg@10")


@pytest.fixture(scope="module")
def data():
    return ltr.datasets.make("cubic", **SIZE)


def fits(line, parts, seeds=(None,)):
    """Fit a line's recipe on each part, or from each seed: (model, train, valid, test) each."""
    for train, valid, test in parts:
        for seed in seeds:
            own = {} if seed is None else {"random_state": seed}
            model = ALGORITHMS[line.recipe.algorithm](**{**dict(line.recipe.params), **own})
            model.fit(train, eval_set={"valid": valid, "test": test}, measures=(MEASURE,))
            yield model, train, valid, test


def padded(curves):
    length = max(map(len, curves))
    return np.array([list(c) + [c[-1]] * (length - len(c)) for c in curves])


def history(model, split, name):
    h = model.history_
    return list(h[(h["split"] == split) & (h["measure"] == name)]["value"])


def opened(link):
    """Open Compare by a link, and draw it once more when all is trained."""
    return open_app(link, page="compare").run()


def screen_of(app):
    return app.session_state["_screen"]


def test_folds_are_trained_measured_and_tested(data):
    app = opened(f"{LINK}..{RUNS}..repeat.folds")
    assert not app.exception and not app.error
    screen = screen_of(app)
    table = comparison.run_table(screen).set_index("slot")
    means = curves.curves(screen, "measure", "test").set_index(["slot", "iteration"])
    losses = curves.curves(screen, "loss", "train", relative=True).set_index(["slot", "iteration"])
    depths = outcomes.by_depth(screen).set_index(["slot", "k"])
    queries, values = {}, {}
    for line in screen.runs:
        rows = list(fits(line, ltr.folds(data, 5, seed=0)))
        scores = [(m.predict(test, iteration="best"), test) for m, _, _, test in rows]
        tests = [MEASURE.mean(t.y, s, t.offsets) for s, t in scores]
        queries[line.slot] = np.concatenate([MEASURE.per_query(t.y, s, t.offsets) for s, t in scores])
        values[line.slot] = np.mean(tests)
        row = table.loc[line.slot]
        assert row["test"] == pytest.approx(np.mean(tests), abs=1e-14)
        assert row["deviation"] == pytest.approx(np.std(tests, ddof=1), abs=1e-14)
        assert [row[f"fold {i + 1}"] for i in range(5)] == tests
        at = [m.best_iteration_ for m, *_ in rows]
        assert row["compared"] == (str(at[0]) if len({*at}) == 1 else f"{min(at)}–{max(at)}")
        assert row["last"] == pytest.approx(np.mean([history(m, "valid", "ndcg@10")[-1] for m, *_ in rows]))
        several = padded([history(m, "test", "ndcg@10") for m, *_ in rows])
        assert np.allclose(means.loc[line.slot]["value"], several.mean(0), atol=1e-14)
        assert np.allclose(means.loc[line.slot]["deviation"], several.std(0, ddof=1), atol=1e-14)
        own = padded([history(m, "train", "loss") for m, *_ in rows])
        assert np.allclose(losses.loc[line.slot]["value"], (own / own[:, :1]).mean(0), atol=1e-14)
        third = [ltr.ndcg(t.y, s, t.qid, k=3) for s, t in scores]
        assert depths.loc[line.slot, 3]["value"] == pytest.approx(np.mean(third), abs=1e-14)
        assert depths.loc[line.slot, 3]["deviation"] == pytest.approx(np.std(third, ddof=1), abs=1e-14)
    assert len(queries[0]) == data.n_queries
    expected = holm([stats.ttest_rel(queries[slot], queries[0]).pvalue for slot in (3, 5)])
    html = text_of(app)
    for slot, p in zip((3, 5), expected, strict=True):
        row = table.loc[slot]
        assert row["p"] == pytest.approx(p, rel=1e-9)
        assert row["difference"] == pytest.approx(values[slot] - values[0], abs=1e-14)
        assert row["better"] == int((queries[slot] - queries[0] > 1e-12).sum())
        assert f"{values[slot]:.4f}" in html and f"± {row['deviation']:.4f}" in html
        assert f"better on {row['better']:.0f} of {data.n_queries} queries" in html
    assert "The test queries of all 5 folds count together" in html


def test_seeds_count_each_query_once_with_its_mean(data):
    runs = "r0.MPBoost.n_rounds.5..r1.RankNet.epochs.4..r2.RankNet.epochs.4.hidden.3.random_state.7"
    app = opened(f"{LINK}..{runs}..repeat.seeds3..score_at.last")
    assert not app.exception and not app.error
    screen = screen_of(app)
    table = comparison.run_table(screen).set_index("slot")
    parts = [ltr.split(data, (0.6, 0.2, 0.2), seed=0)]
    queries = {}
    for line, first in zip(screen.runs, (0, 0, 7), strict=True):
        rows = list(fits(line, parts, [first, first + 1, first + 2]))
        each = [MEASURE.per_query(t.y, m.predict(t), t.offsets) for m, _, _, t in rows]
        queries[line.slot] = np.mean(each, axis=0)
        assert table.loc[line.slot, "deviation"] == pytest.approx(
            np.std(np.mean(each, axis=1), ddof=1), abs=1e-14
        )
        assert table.loc[line.slot, "test"] == pytest.approx(np.mean(each), abs=1e-14)
    expected = holm([stats.ttest_rel(queries[slot], queries[0]).pvalue for slot in (1, 2)])
    assert list(table.loc[[1, 2], "p"]) == pytest.approx(list(expected), rel=1e-9)
    assert table.loc[2, "deviation"] > 0 == table.loc[0, "deviation"]
    name = screen.runs[0].name
    assert f"The seed changes nothing for {name}." in text_of(app)


def test_what_is_repeated_comes_from_the_store_the_second_time(restart):
    link = f"{LINK}..{RUNS}..repeat.folds..ndcg-k.10"
    first = text_of(opened(link))
    restart()
    app = opened(link)
    assert not jobs(app)
    assert text_of(app).count("from store") == 3
    headline = next(line for line in first.splitlines() if "headline" in line)
    assert headline in text_of(app)
    app = opened(f"{LINK}..{RUNS}..fold.3")  # a fold is a run like any other
    assert not jobs(app)


def test_another_measure_trains_nothing_again(data):
    app = opened(f"{LINK}..r0.MPBoost.n_rounds.5..repeat.folds")
    app.number_input("ndcg-k").set_value(2).run()
    assert not app.exception and not app.session_state["_screen"].under_way
    (line,) = app.session_state["_screen"].runs
    row = comparison.run_table(screen_of(app)).iloc[0]
    second = ltr.measure("ndcg@2")
    values = []
    for model, _, valid, test in fits(line, ltr.folds(data, 5, seed=0)):
        at = int(np.argmax([second.mean(valid.y, s, valid.offsets) for s in model.staged_predict(valid)]))
        values.append(second.mean(test.y, model.predict(test, iteration=at), test.offsets))
    assert [row[f"fold {i + 1}"] for i in range(5)] == pytest.approx(values, abs=1e-14)


def test_a_training_that_ends_early_keeps_its_last_value():
    link = f"{LINK}..r0.MPBoost.n_rounds.300.early_stopping.2..repeat.folds"
    screen = screen_of(opened(link))
    rounds = [run.model.n_iter_ for run in screen.runs[0].trainings]
    assert len({*rounds}) > 1
    rows = curves.stack(screen, screen.runs[0], "measure", "valid")
    assert rows.shape == (5, max(rounds) + 1)
    for row, n in zip(rows, rounds, strict=True):
        assert (row[n:] == row[n]).all()


def test_stop_keeps_what_is_trained(data):
    app = opened(f"{LINK}..r0.MPBoost.n_rounds.6..repeat.folds")
    now = app.session_state["_screen"]
    specs = now.runs[0].specs
    store, job = Store(services().store.root / "other"), Job("x", "x", 30, lambda job: None)
    job.cancelled = threading.Event()

    def splits(data):
        if data == specs[2].data:
            job.cancelled.set()
        return services().splits(data, now.entry)

    done = work_for(specs, splits, now.measure, store, 6)(job)
    assert [training.spec for training in done] == list(specs[:3])
    assert [training.model.stopped_ == "cancelled" for training in done] == [False, False, True]
    assert [store.get(spec) is not None for spec in specs] == [True, True, False, False, False]
    assert (
        curve(job, "test", "ndcg@10", 1)[0] == [1, 2, 3, 4, 5, 6] and ("test", "ndcg@10", 3) not in job.curves
    )
    assert job.iteration == 2 * 6 + 1  # cancelled in the third one's first round


def test_what_was_stopped_says_so_and_goes_on_when_asked(monkeypatch):
    def stopped(specs, *rest):
        if len(specs) == 1:
            return work_for(specs, *rest)

        def work(job):
            job.cancelled.set()
            return ()

        return work

    with monkeypatch.context() as patch:
        patch.setattr(screens, "work_for", stopped)
        app = opened(f"{LINK}..r0.MPBoost.n_rounds.7..repeat.folds")
    assert "stopped: 0 of 5 folds are trained" in text_of(app)
    app.run()
    assert not [job for job in jobs(app) if not job.is_over]  # not started again unasked
    app.button("rest-0").click().run()
    settle(app)
    while not screen_of(app).runs[0].trainings:
        app.run()
    app.run()
    assert "stopped: " not in text_of(app) and "mean of 5 folds" in text_of(app)


def test_folds_that_cannot_be_made_are_a_sentence():
    app = opened(
        "data.cubic..cubic-n_queries.4..cubic-n_docs.8..cubic-n_features.3..r0.MPBoost.n_rounds.3..repeat.folds",
    )
    assert not app.exception
    assert "4 queries do not make 5 folds" in text_of(app)


def test_folds_are_offered_where_there_are_some():
    for folds, offered in (
        (("split",), ["one", "seeds3", "seeds5"]),
        (("1",), ["one", "seeds3", "seeds5"]),
        (("split", "1", "2", "3"), ["one", "folds", "seeds3", "seeds5"]),
        (("1", "2", "3", "4", "5"), ["one", "folds", "seeds3", "seeds5"]),
    ):
        assert plan.choices(Entry("x", "x", "", folds, None)) == offered  # type: ignore[arg-type]


def test_turning_folds_off_gives_their_trainings_up():
    app = opened(f"{LINK}..r0.MPBoost.n_rounds.8")
    app.segmented_control("pick-repeat").set_value("folds").run()
    assert any(key.startswith("all-") for key in app.session_state["_jobs"])
    app.segmented_control("pick-repeat").set_value("one").run()
    assert not any(key.startswith("all-") for key in app.session_state["_jobs"])
    (run,) = screen_of(app).runs
    assert run.rest is None and run.specs == (run.spec,) and run.trainings == (run.own,)
