"""Sweeps in this process: the table, the choice, what is shared, what is kept, how it ends."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.sweeps.records.fit import pack_values, unpack_values


def graded(n_queries=40, n_docs=8, seed=0) -> ltr.RankingData:
    rng = np.random.default_rng(seed)
    n = n_queries * n_docs
    X = rng.integers(0, 9, (n, 5)).astype(np.float32)
    y = np.clip(np.round(X[:, 0] / 3 - X[:, 1] / 5 + rng.normal(0, 0.7, n)), 0, 3)
    return ltr.RankingData(X, y, np.repeat(np.arange(n_queries), n_docs))


DATA = graded()
FOLDS = ltr.folds(DATA, 3, seed=4)
LOGDD = {"ddf": "logdd"}


@pytest.fixture
def fits(monkeypatch):
    """Count the trainings of MPBoost."""
    counted = []
    fit = ltr.MPBoost.fit

    def counting(self, *args, **kwargs):
        counted.append(self.get_params())
        return fit(self, *args, **kwargs)

    monkeypatch.setattr(ltr.MPBoost, "fit", counting)
    return counted


def same(a: ltr.Sweep, b: ltr.Sweep) -> bool:
    pd.testing.assert_frame_equal(a.table, b.table, check_exact=True)
    pd.testing.assert_frame_equal(a.curves, b.curves, check_exact=True)
    pd.testing.assert_frame_equal(a.points, b.points, check_exact=True)
    if a.test is not None or b.test is not None:
        pd.testing.assert_frame_equal(a.test, b.test, check_exact=True)
    return a.chosen == b.chosen


# The table --------------------------------------------------------------------------------------------------


def test_a_grid_is_every_combination_on_every_fold_and_seed():
    result = ltr.sweep(
        "RankNet",
        {"step_size": [0.01, 0.03], "l2": {"low": 0.0, "high": 0.1, "n": 3}},
        FOLDS,
        fixed={"epochs": 3},
        seeds=(5, 6),
    )
    wanted = set(itertools.product([0.01, 0.03], [0.0, 0.05, 0.1], range(3), (5, 6)))
    rows = result.table
    assert set(zip(rows["step_size"], rows["l2"], rows["fold"], rows["seed"], strict=True)) == wanted
    assert len(rows) == len(wanted) == rows["fit"].nunique()
    assert (rows["status"] == "done").all() and result.stopped == "done"


def test_a_row_is_the_fit_that_it_says():
    result = ltr.sweep(
        "MPBoost",
        {"lam": [0.5, 2.0]},
        FOLDS,
        measure="ndcg@5",
        measures=("map",),
        fixed={**LOGDD, "n_rounds": 6},
    )
    for row in result.table.itertuples():
        train, valid, _ = FOLDS[row.fold]
        model = ltr.MPBoost(ddf="logdd", lam=row.lam, n_rounds=6)
        model.fit(train, eval_set={"valid": valid}, measures=("ndcg@5", "map"))
        history = model.history_.set_index(["split", "measure", "iteration"])["value"].sort_index()
        assert row.value == history["valid", "ndcg@5", 6]
        assert row._asdict()["best_value"] == history["valid", "ndcg@5"].max()
        wanted = history["valid", "ndcg@5"].to_numpy()
        assert row.best_iteration == int(np.argmax(wanted))
        of_fit = result.curves.query("fit == @row.fit and split == 'valid' and measure == 'ndcg@5'")
        assert np.array_equal(of_fit["value"].to_numpy(), wanted)
    table = result.table.set_index(["lam", "fold"])
    assert table.loc[(2.0, 1), "valid_map"] != table.loc[(2.0, 1), "train_map"]


def test_the_choice_is_by_validation_and_test_is_for_the_chosen_alone(monkeypatch):
    looked_at = []
    predict = ltr.MPBoost.predict
    tests = [test for _, _, test in FOLDS]

    def watching(self, X, *args, **kwargs):
        if any(X is test for test in tests):
            looked_at.append(self.lam)
        return predict(self, X, *args, **kwargs)

    monkeypatch.setattr(ltr.MPBoost, "predict", watching)
    result = ltr.sweep("MPBoost", {"lam": [0.2, 0.5, 1.0, 2.0]}, FOLDS, fixed={**LOGDD, "n_rounds": 10})
    means = result.table.groupby("lam")["value"].mean()
    assert result.best_params == {**LOGDD, "n_rounds": 10, "lam": means.idxmax()}
    assert result.best_value == pytest.approx(means.max())
    assert set(looked_at) == {means.idxmax()} and len(looked_at) == 3
    by_hand = []
    for train, _, test in FOLDS:
        model = ltr.MPBoost(**result.best_params).fit(train)
        by_hand.append(ltr.ndcg(test.y, predict(model, test), test.qid))
    assert result.test["value"].tolist() == pytest.approx(by_hand, abs=1e-12)
    assert result.test_value == pytest.approx(np.mean(by_hand))
    assert set(result.models) == {(0, 0), (1, 0), (2, 0)}


def test_a_measure_where_less_is_better():
    result = ltr.sweep(
        "MPBoost", {"lam": [0.2, 1.0, 2.0]}, FOLDS, measure="misorder", fixed={**LOGDD, "n_rounds": 8}
    )
    means = result.table.groupby("lam")["value"].mean()
    assert result.best_params["lam"] == means.idxmin()
    assert result.points.loc[result.chosen, "rank"] == 1


def test_equal_points_the_first_is_chosen():
    result = ltr.sweep("MPBoost", {"lam": [2.0, 1.0]}, FOLDS, fixed={"ddf": "binary", "n_rounds": 4})
    assert result.chosen == 0 and result.best_params["lam"] == 2.0


def test_data_in_all_forms():
    train, valid, test = ltr.split(DATA, (0.6, 0.2, 0.2), seed=3)
    kwargs = {"fixed": {**LOGDD, "n_rounds": 4}}
    whole = ltr.sweep("MPBoost", {"lam": [1.0]}, DATA, seed=3, **kwargs)
    cut = ltr.sweep("MPBoost", {"lam": [1.0]}, (train, valid, test), **kwargs)
    without_test = ltr.sweep("MPBoost", {"lam": [1.0]}, (train, valid), **kwargs)
    assert same(whole, cut) and without_test.test is None
    assert without_test.table["value"].tolist() == whole.table["value"].tolist()
    folds = ltr.sweep("MPBoost", {"lam": [1.0]}, DATA, folds=3, seed=4, **kwargs)
    assert same(folds, ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS, **kwargs))
    assert same(folds, ltr.sweep("MPBoost", {"lam": [1.0]}, None, folds=FOLDS, **kwargs))


def test_a_value_that_is_not_plain_is_refused():
    class Odd:
        pass

    with pytest.raises(ltr.ParameterError, match="plain values"):
        ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS, fixed={"ddf_table": Odd()})


# What is shared ---------------------------------------------------------------------------------------------


def test_one_training_answers_for_all_numbers_of_rounds(fits):
    rounds = list(range(2, 22, 2))
    result = ltr.sweep("MPBoost", {"n_rounds": rounds[::-1]}, FOLDS[0], fixed=LOGDD)
    assert len(fits) == 1 and fits[0]["n_rounds"] == 20
    assert sorted(result.table["n_rounds"]) == rounds and result.table["fit"].nunique() == 1
    train, valid, test = FOLDS[0]
    for row in result.table.itertuples():
        model = ltr.MPBoost(ddf="logdd", n_rounds=row.n_rounds).fit(train)
        assert row.value == pytest.approx(ltr.ndcg(valid.y, model.predict(valid), valid.qid), abs=1e-12)
    best = ltr.MPBoost(**result.best_params).fit(train)
    assert result.best_rounds == result.best_params["n_rounds"]
    assert result.test_value == pytest.approx(ltr.ndcg(test.y, best.predict(test), test.qid), abs=1e-12)


def test_a_parameter_without_effect_is_not_trained_again(fits):
    result = ltr.sweep(
        "MPBoost", {"ddf": ["binary", "logdd"], "lam": [0.5, 1.0, 2.0]}, FOLDS[0], fixed={"n_rounds": 3}
    )
    assert len(fits) == 4 and len(result.table) == 6
    assert result.table.query("ddf == 'binary'")["fit"].nunique() == 1


class AllAtOnce(Executor):
    """Every fit has ended by the first look at them."""

    def submit(self, work, /, *args, **kwargs):
        ended = Future()
        ended.set_result(work(*args, **kwargs))
        return ended


@pytest.mark.parametrize("lams", [(0.05, 0.5, 4.0), (4.0, 0.5, 0.05)], ids=str)
def test_the_best_of_several_that_end_at_once_is_not_trained_again(fits, lams):
    result = ltr.sweep(
        "MPBoost", {"lam": list(lams)}, FOLDS[0], fixed={**LOGDD, "n_rounds": 3}, executor=AllAtOnce()
    )
    assert len(fits) == 3 and result.test_value is not None


@pytest.mark.parametrize(
    "algorithm, space, fixed",
    [
        ("MPBoost", {"lam": [0.5, 1.0, 1.5, 2.0]}, {**LOGDD, "n_rounds": 2}),
        ("LambdaMART", {"learning_rate": [0.1, 0.2, 0.3, 0.4]}, {"n_trees": 2}),
    ],
)
def test_what_folds_are_trained_on_is_worked_out_once_for_each(monkeypatch, algorithm, space, fixed):
    """Their bins, and the order of their rows; fits also ask how long turns are."""
    from ltr_core.data.set import ordering
    from ltr_core.engines.binning import bins

    binned, ordered, turns = [], [], set()
    bin_features, order_rows, before = bins.bin_features, ordering._order_rows, sys.getswitchinterval()

    def binning(*given):
        turns.add(sys.getswitchinterval())
        binned.append(1)
        return bin_features(*given)

    monkeypatch.setattr(bins, "bin_features", binning)
    monkeypatch.setattr(ordering, "_order_rows", lambda *given: ordered.append(1) or order_rows(*given))
    ltr.sweep(algorithm, space, ltr.folds(DATA, 3, seed=9), fixed=fixed)
    assert len(binned) == 3
    assert len(ordered) == (3 if algorithm == "LambdaMART" else 0), (
        "each of three parts trains once, validates once"
    )
    assert max(turns) < 0.001 and sys.getswitchinterval() == before


# The same whatever the executor -----------------------------------------------------------------------------

SPACE = {"ddf": ["ldd", "logdd"], "alpha": (0.1, 1.0), "lam": (0.1, 5.0), "n_rounds": (2, 12)}


@pytest.mark.slow
@pytest.mark.parametrize("sampler", ["random", "tpe"])
@pytest.mark.parametrize("pruner", [None, "median", "halving"])
def test_the_same_with_one_worker_and_three(sampler, pruner):
    kwargs = {"sampler": sampler, "n_trials": 14, "pruner": pruner, "batch": 5, "seed": 1}
    one = ltr.sweep("MPBoost", SPACE, FOLDS, n_workers=1, **kwargs)
    three = ltr.sweep("MPBoost", SPACE, FOLDS, n_workers=3, **kwargs)
    assert same(one, three)
    assert one.points["lam"].nunique() > 5 and one.points["lam"].between(0.1, 5.0).all()
    other = ltr.sweep("MPBoost", SPACE, FOLDS, **{**kwargs, "seed": 2})
    assert not other.points["lam"].equals(one.points["lam"])


@pytest.mark.slow
def test_the_same_on_other_executors():
    kwargs = {"space": {"lam": [0.5, 1.0, 2.0]}, "data": FOLDS, "fixed": {**LOGDD, "n_rounds": 5}}
    wanted = ltr.sweep("MPBoost", **kwargs)
    with ThreadPoolExecutor(2) as pool:
        assert same(wanted, ltr.sweep("MPBoost", executor=pool, **kwargs))
        assert pool.submit(int, "7").result() == 7  # a pool of the caller's is left open
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert same(wanted, ltr.sweep("MPBoost", executor=pool, **kwargs))


def test_a_pruned_sweep_does_less_and_never_chooses_a_pruned_point():
    space = {"lam": [5.0, 1.0, 0.2, 0.5, 2.0, 3.0, 0.1, 4.0, 6.0, 7.0, 8.0, 9.0]}
    kwargs = {"fixed": {**LOGDD, "n_rounds": 30}, "batch": 4}
    whole = ltr.sweep("MPBoost", space, FOLDS, **kwargs)
    for pruner in ("median", "halving"):
        pruned = ltr.sweep("MPBoost", space, FOLDS, pruner=pruner, **kwargs)
        points = pruned.points
        assert set(points["status"]) == {"done", "pruned"}
        assert (points["status"].iloc[:4] == "done").all(), "nothing to look back on in the first batch"
        rounds = [r.table.drop_duplicates("fit")["n_iter"].sum() for r in (whole, pruned)]
        assert rounds[1] < rounds[0]
        assert points.loc[pruned.chosen, "status"] == "done"
        kept = points.index[points["status"] == "done"]
        np.testing.assert_array_equal(points.loc[kept, "value"], whole.points.loc[kept, "value"])


def test_the_median_pruner_prunes_below_the_median():
    """By hand: one fold, so that what is reported is the curve itself."""
    space = {"lam": [0.3, 0.6, 1.0, 1.5, 2.5, 4.0, 8.0, 9.0]}
    result = ltr.sweep("MPBoost", space, FOLDS[0], pruner="median", batch=4, fixed={**LOGDD, "n_rounds": 40})
    curves = result.curves.query("split == 'valid' and measure == 'ndcg@10'").pivot(
        index="iteration", columns="fit", values="value"
    )
    earlier = curves[[0, 1, 2, 3]]
    for point in range(4, 8):
        own = curves[point].dropna()
        below = [
            step
            for step in range(4, 41)
            if step in own.index and own.loc[1:step].max() < earlier.loc[step].median()
        ]
        status = result.points.loc[point, "status"]
        assert (status == "pruned") == bool(below)
        assert len(own) - 1 == (below[0] if below else 40)


# Failing, ending, going on ----------------------------------------------------------------------------------


def test_a_failing_trial_is_a_row_with_its_sentence(monkeypatch):
    fit = ltr.MPBoost.fit

    def failing(self, *args, **kwargs):
        if self.lam == 1.0:
            raise ltr.DataError("the data are not to its taste", "take others")
        if self.lam == 2.0:
            raise ZeroDivisionError("a mistake of ours")
        return fit(self, *args, **kwargs)

    monkeypatch.setattr(ltr.MPBoost, "fit", failing)
    result = ltr.sweep("MPBoost", {"lam": [0.5, 1.0, 2.0]}, FOLDS, fixed={**LOGDD, "n_rounds": 3})
    assert result.points["status"].tolist() == ["done", "failed", "failed"]
    assert result.points.loc[1, "error"] == "the data are not to its taste. Take others."
    assert result.points.loc[2, "error"] == "ZeroDivisionError: a mistake of ours"
    assert len(result.table) == 9 and result.chosen == 0


def test_when_every_trial_fails_nothing_is_chosen(monkeypatch):
    def failing(self, *args, **kwargs):
        raise ltr.DataError("no")

    monkeypatch.setattr(ltr.MPBoost, "fit", failing)
    for sampler, n in (("grid", None), ("tpe", 3)):
        result = ltr.sweep("MPBoost", {"lam": [0.5, 1.0]}, FOLDS, sampler=sampler, n_trials=n)
        assert result.chosen is None and result.best_params is None and result.test_value is None
        assert (result.table["status"] == "failed").all()
        with pytest.raises(ltr.ParameterError):
            result.against()


def test_on_trial_hears_everything_and_can_end_it():
    heard, fits = [], []
    result = ltr.sweep(
        "MPBoost",
        {"lam": [0.2, 0.5, 1.0, 2.0]},
        FOLDS,
        fixed={**LOGDD, "n_rounds": 4},
        n_workers=1,
        on_trial=heard.append,
        on_fit=fits.append,
    )
    assert [p.done_trials for p in heard] == [1, 2, 3, 4] and heard[-1].n_trials == 4
    assert [p.done_fits for p in fits] == list(range(1, 13)) and fits[-1].n_fits == 12
    assert heard[-1].best_value == result.best_value and fits[-1].seconds_left == 0
    assert sorted(p.value for p in heard) == sorted(result.points["value"])
    ended = ltr.sweep(
        "MPBoost",
        {"lam": [0.2, 0.5, 1.0, 2.0]},
        FOLDS,
        fixed={**LOGDD, "n_rounds": 4},
        n_workers=1,
        on_trial=lambda p: p.done_trials < 2,
    )
    assert ended.stopped == "cancelled"
    assert (ended.points["status"] == "done").sum() == 2
    assert ended.chosen == ended.points["value"].iloc[:2].idxmax() and ended.test is not None


def test_cancel_ends_running_fits_within_a_round():
    event = threading.Event()
    before = threading.active_count()
    timer = threading.Timer(0.5, event.set)
    timer.start()
    space, fixed = {"l2": [0.0, 0.1, 0.2]}, {"epochs": 10_000, "hidden": 512}
    result = ltr.sweep("RankNet", space, DATA, fixed=fixed, cancel=event)
    assert result.stopped == "cancelled" and result.chosen is None
    assert (result.table["status"] == "done").all() if len(result.table) else True
    timer.join()
    assert threading.active_count() <= before


def test_a_sweep_goes_on_from_its_file(tmp_path, fits):
    file = tmp_path / "folder" / "sweep.jsonl"
    kwargs = {"space": {"lam": [0.2, 0.5, 1.0, 2.0]}, "data": FOLDS, "fixed": {**LOGDD, "n_rounds": 5}}
    whole = ltr.sweep("MPBoost", **kwargs)
    fits.clear()
    first = ltr.sweep("MPBoost", store=file, n_workers=1, on_fit=lambda p: p.done_fits < 5, **kwargs)
    assert first.stopped == "cancelled" and len(fits) >= 5, "what has begun meanwhile is thrown away"
    half = ltr.load_sweep(file)
    assert half.stopped == "unfinished" and len(half.table) == 5
    with file.open("ab") as end:
        end.write(b'{"config": {"lam": 0.')  # killed in the middle of a line
    fits.clear()
    second = ltr.sweep("MPBoost", store=file, **kwargs)
    assert len(fits) in (7, 10), "the five are not trained again, but for the models of the chosen point"
    assert same(second, whole) and second.stopped == "done"
    fits.clear()
    third = ltr.sweep("MPBoost", store=file, **kwargs)
    assert not fits and same(third, whole)
    loaded = ltr.load_sweep(file)
    assert loaded.stopped == "done" and same(loaded, whole)
    assert loaded.best_params == whole.best_params and loaded.test_value == whole.test_value


@pytest.mark.slow
@pytest.mark.parametrize("sampler, pruner", [("tpe", None), ("tpe", "median"), ("random", "halving")])
def test_a_sampled_sweep_goes_on_with_the_same_proposals(tmp_path, sampler, pruner):
    kwargs = {"space": SPACE, "data": FOLDS, "sampler": sampler, "pruner": pruner, "batch": 4}
    whole = ltr.sweep("MPBoost", n_trials=11, **kwargs)
    file = tmp_path / "sweep.jsonl"
    ltr.sweep("MPBoost", n_trials=11, store=file, on_trial=lambda p: p.done_trials < 6, **kwargs)
    assert same(ltr.sweep("MPBoost", n_trials=11, store=file, **kwargs), whole)
    more = ltr.sweep("MPBoost", n_trials=15, store=file, **kwargs)
    assert len(more.points) > len(whole.points)


@pytest.mark.slow
def test_a_killed_process_leaves_its_finished_fits(tmp_path):
    file = tmp_path / "sweep.jsonl"
    code = f"""
import sys; sys.path.insert(0, {os.getcwd()!r})
import ltr_core as ltr
from tests.sweeps.test_sweep import FOLDS
space, fixed = {{"l2": [0.0, 0.01, 0.1, 1.0]}}, {{"epochs": 1500}}
ltr.sweep("RankNet", space, FOLDS, fixed=fixed, store={str(file)!r}, n_workers=1)
"""
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline and not (file.exists() and file.read_text().count('"curves"') >= 2):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = len(ltr.load_sweep(file).table)
    assert 2 <= done < 12
    trained = []
    result = ltr.sweep(
        "RankNet",
        {"l2": [0.0, 0.01, 0.1, 1.0]},
        FOLDS,
        fixed={"epochs": 1500},
        store=file,
        on_fit=trained.append,
    )
    assert len(trained) == 12 - done and len(result.table) == 12


def test_a_file_of_another_sweep_is_refused(tmp_path):
    file = tmp_path / "sweep.jsonl"
    fixed = {**LOGDD, "n_rounds": 2}
    ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS[0], fixed=fixed, store=file)
    for space, data, given in (
        ({"lam": [2.0]}, FOLDS[0], fixed),
        ({"lam": [1.0]}, FOLDS[1], fixed),
        ({"lam": [1.0]}, FOLDS[0], {**fixed, "n_rounds": 3}),
    ):
        with pytest.raises(ltr.ParameterError, match="holds another sweep"):
            ltr.sweep("MPBoost", space, data, fixed=given, store=file)


def test_a_damaged_file_gives_a_sentence(tmp_path):
    file = tmp_path / "sweep.jsonl"
    ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS[0], fixed={**LOGDD, "n_rounds": 2}, store=file)
    lines = file.read_text().splitlines()
    for damaged in (
        "",
        "nonsense\n",
        "{}\n",
        "\n".join([lines[0], "[]", ""]),
        "\n".join([lines[0], '{"x": 1}', ""]),
    ):
        file.write_text(damaged)
        with pytest.raises(ltr.DataError, match="sweep.jsonl"):
            ltr.load_sweep(file)
    header = json.loads(lines[0])
    for name in list(header):
        file.write_text(json.dumps({k: v for k, v in header.items() if k != name}) + "\n")
        try:
            ltr.load_sweep(file)
        except ltr.DataError as error:
            assert str(error).endswith(".")
    with pytest.raises(ltr.DataError, match="absent"):
        ltr.load_sweep(tmp_path / "absent.jsonl")
    with pytest.raises(ltr.DataError, match="cannot be kept"):
        ltr.sweep("MPBoost", {"lam": [1.0]}, FOLDS[0], store=tmp_path)


# Comparison -------------------------------------------------------------------------------------------------


def test_points_are_compared_query_by_query():
    result = ltr.sweep("MPBoost", {"lam": [0.2, 1.0, 6.0]}, FOLDS, fixed={**LOGDD, "n_rounds": 10}, seeds=2)
    found = result.against(0)
    models = {
        lam: [ltr.MPBoost(ddf="logdd", lam=lam, n_rounds=10).fit(t) for t, _, _ in FOLDS]
        for lam in (0.2, 6.0)
    }
    differences = np.concatenate(
        [
            ltr.ndcg(valid.y, models[6.0][i].predict(valid), valid.qid, per_query=True)
            - ltr.ndcg(valid.y, models[0.2][i].predict(valid), valid.qid, per_query=True)
            for i, (_, valid, _) in enumerate(FOLDS)
        ]
    )
    assert found.loc[2, "difference"] == pytest.approx(differences.mean(), abs=1e-12)
    assert found.loc[2, ["wins", "ties", "losses"]].sum() == len(differences) == DATA.n_queries
    from scipy.stats import ttest_1samp

    assert found.loc[2, "p"] == pytest.approx(ttest_1samp(differences, 0).pvalue)
    assert list(found.index) == [1, 2] and (found["p_holm"] >= found["p"]).all()
    assert set(result.against().index) == {0, 1, 2} - {result.chosen}


def test_values_of_queries_keep_their_bits():
    values = np.array([0.1, np.nan, 1 / 3, -0.0, 1e-300])
    assert unpack_values(pack_values(values)).tobytes() == values.tobytes()


def test_points_may_be_judged_at_their_best_round(tmp_path):
    space, fixed = {"lam": [0.3, 3.0], "n_rounds": [4, 12]}, LOGDD
    how = {"fixed": fixed, "folds": FOLDS, "seeds": 2, "score_at": "best", "store": tmp_path / "s.jsonl"}
    found = ltr.sweep("MPBoost", space, None, **how)
    for _, row in found.table.iterrows():
        curve = found.curves.query("fit == @row.fit and split == 'valid' and measure == 'ndcg@10'")["value"]
        assert row["value"] == curve.to_numpy()[: row["n_rounds"] + 1].max() == row["best_value"]
    for (fold, seed), model in found.models.items():
        cut = FOLDS[fold]
        at = int(
            found.table.query(f"point == @found.chosen and fold == @fold and seed == {seed}")[
                "best_iteration"
            ].item()
        )
        value = ltr.measure("ndcg@10").mean(cut[2].y, model.predict(cut[2], iteration=at), cut[2].offsets)
        assert (
            value
            == found.test.query(f"fold == @fold and seed == {seed} and measure == 'ndcg@10'")["value"].item()
        )
    compared = found.against()
    means = found.points["value"] - found.best_value
    if len({len(np.unique(cut[1].qid)) for cut in FOLDS}) == 1:  # the means of folds are those of queries
        np.testing.assert_allclose(compared["difference"], means[compared.index], atol=1e-12)
    again = ltr.load_sweep(tmp_path / "s.jsonl")
    assert again.score_at == "best" and again.points.equals(found.points) and again.test.equals(found.test)
    with pytest.raises(ltr.ParameterError, match="score_at differs"):  # the same file, another rule
        ltr.sweep("MPBoost", space, None, **{**how, "score_at": "last"})
    with pytest.raises(ltr.ParameterError, match="score_at"):
        ltr.sweep("MPBoost", space, DATA, score_at="first")


def test_with_early_stopping_points_are_judged_where_their_models_predict():
    fixed = {"early_stopping": 2, "n_rounds": 40}
    found = ltr.sweep("MPBoost", {"lam": [0.3, 3.0]}, FOLDS, fixed=fixed)
    assert found.score_at == "best"
    first = found.measures[0]
    for (fold, _), model in found.models.items():
        train, valid, test = FOLDS[fold]
        assert model.iteration_ == model.best_iteration_ < model.n_iter_
        row = found.table.query("point == @found.chosen and fold == @fold")
        value = ltr.measure(first).mean(valid.y, model.predict(valid), valid.offsets)
        assert row["value"].item() == value
        on_test = found.test.query("fold == @fold and measure == @first")["value"].item()
        assert on_test == ltr.measure(first).mean(test.y, model.predict(test), test.offsets)
    assert ltr.sweep("MPBoost", {"lam": [0.3]}, FOLDS, fixed=fixed, score_at="last").score_at == "last"
    assert ltr.sweep("MPBoost", {"lam": [0.3]}, FOLDS, fixed={"n_rounds": 3}).score_at == "last"
