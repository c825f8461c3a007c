"""The pairwise engine: short cuts change nothing, nor do threads, nor the way pairs are kept."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import Binned, binned
from ltr_core.engines.stumps import direct, exponential, layout, ordering, product, screen, search
from ltr_core.engines.stumps.layout import PairLayout
from ltr_core.engines.stumps.ordering import order_columns
from tests import naive
from tests.algorithms.test_mpboost import curve

ROOT = Path(__file__).resolve().parents[2]
MODELS = {
    "MPBoost": lambda n: ltr.MPBoost(n_rounds=n),
    "MPBoost newton": lambda n: ltr.MPBoost(ddf="ldd", step="newton", n_rounds=n),
    "RankBoost r": lambda n: ltr.RankBoost("r", n_rounds=n),
    "RankBoost z": lambda n: ltr.RankBoost("z", n_rounds=n),
    "FRank": lambda n: ltr.FRank(n_rounds=n, max_bins=32),
}


def make(n_queries=60, n_docs=40, n_features=12, grades=5, seed=0):
    """Data with a signal; features of few and of many values, one of them constant, one a mirror image."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_queries * n_docs, n_features)).astype(np.float32)
    X[:, 1], X[:, 2] = -X[:, 0], 3.0
    X[:, 3] = np.round(X[:, 3])
    score = X[:, 0] + X[:, 3] * X[:, 4] + rng.normal(size=len(X))
    if grades:
        y = np.searchsorted(np.quantile(score, np.linspace(0, 1, grades + 1)[1:-1]), score).astype(float)
    else:
        y = score - score.min()
    return ltr.RankingData(X, y, np.repeat(np.arange(n_queries), n_docs))


def same(first, second):
    return first.rounds_.equals(second.rounds_) and first.history_.equals(second.history_)


@pytest.mark.parametrize("grades", [5, 0], ids=["graded", "continuous"])
@pytest.mark.parametrize("name", MODELS)
def test_the_same_bits_with_one_thread_and_two(name, grades):
    data = make(grades=grades, n_queries=120 if grades else 20)
    rounds = 8 if name == "FRank" else 25
    parallel = MODELS[name](rounds).fit(data, eval_set={"valid": make(seed=1)})
    with threads.serial_only():
        serial = MODELS[name](rounds).fit(data, eval_set={"valid": make(seed=1)})
    assert same(parallel, serial)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("FRank", "RankBoost r")])
def test_bounds_spare_work_and_change_nothing(name, monkeypatch):
    data = make()
    counts = []
    find = search.StumpSearch.find

    def counted(self, weights):
        found = find(self, weights)
        counts.append(self.evaluated)
        return found

    monkeypatch.setattr(search.StumpSearch, "find", counted)
    quick = MODELS[name](60).fit(data, measures=())
    assert np.mean(counts) < 0.7 * data.n_features
    bound = search.StumpSearch._screen
    monkeypatch.setattr(search.StumpSearch, "_screen", lambda *a: bound(*a) * 0 + 1e300)
    counts.clear()
    assert same(MODELS[name](60).fit(data, measures=()), quick)
    assert min(counts) == data.n_features


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("FRank", "RankBoost r")])
def test_bounds_from_exact_pulls_spare_sweeps_where_the_screening_is_coarse(name, monkeypatch):
    """Millions of documents have numbers of few bits each: here the units are made large."""

    def train():
        counts.clear()
        return MODELS[name](60).fit(make(), measures=())

    counts, find, exactly = [], search.StumpSearch.find, search.StumpSearch._bound_exactly
    asked = []

    def counted(self, weights):
        found = find(self, weights)
        counts.append(self.evaluated)
        return found

    def asking(self, weights, chosen):
        asked.append(len(chosen))
        return exactly(self, weights, chosen)

    monkeypatch.setattr(search.StumpSearch, "find", counted)
    monkeypatch.setattr(search.StumpSearch, "_bound_exactly", asking)
    quick, few = train(), sum(counts)
    assert not asked
    for module in (direct, product):
        monkeypatch.setattr(module, "HIGH", screen.HIGH / 2**19)
    assert same(train(), quick) and asked
    spared = sum(counts)
    monkeypatch.setattr(search, "_COARSE", np.inf)
    assert same(train(), quick)
    assert few <= spared < 0.9 * sum(counts)


@pytest.mark.parametrize("monotone", [None, {"f1": 1, "f5": -1}], ids=["any", "monotone"])
@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("FRank", "RankBoost r")])
def test_pulls_are_summed_exactly_where_a_gain_can_be_the_best(name, monotone, monkeypatch):
    def train():
        return MODELS[name](60).set_params(monotone=monotone).fit(data, measures=())

    data, summed = make(), []
    sweep = search.StumpSearch._sweep

    def counted(self, *args):
        found = sweep(self, *args)
        summed.append(len(found))
        return found

    monkeypatch.setattr(search.StumpSearch, "_sweep", counted)
    quick = train()
    few = sum(summed)
    monkeypatch.setattr(screen.Packed, "coarse_error", property(lambda packed: 1e100))
    monkeypatch.setattr(search, "_COARSE", np.inf)
    summed.clear()
    assert same(train(), quick)
    assert sum(summed) == 60 * (data.n_features - 1)  # one has no threshold
    assert few < 2 * 60


@pytest.mark.parametrize("grades", [2, 4, 5, 7])  # of which kernels have room for 3, 5, 5 and 8
@pytest.mark.parametrize("name", [name for name in MODELS if name != "FRank"])
def test_pairs_one_by_one_give_the_model_that_products_give(name, grades, monkeypatch):
    data = make(n_queries=15, n_docs=20, grades=grades)
    product = MODELS[name](40).fit(data, measures=())
    monkeypatch.setattr(exponential, "MOST_GRADES", 0)
    kept = MODELS[name](40).fit(data, measures=())
    monkeypatch.setattr(direct, "_KEPT_BYTES", 0)
    worked_out = MODELS[name](40).fit(data, measures=())
    for other in (kept, worked_out):
        assert other.stump_features_.tolist() == product.stump_features_.tolist()
        assert other.stump_thresholds_.tolist() == product.stump_thresholds_.tolist()
        np.testing.assert_allclose(other.stump_values_, product.stump_values_, rtol=1e-9)
        np.testing.assert_allclose(curve(other, "loss"), curve(product, "loss"), rtol=1e-11)
        assert np.array_equal(curve(other, "misorder"), curve(product, "misorder"))


@pytest.mark.parametrize("grades", [5, 0], ids=["graded", "continuous"])
def test_weights_do_not_drift(grades):
    data = make(n_queries=8, n_docs=15, grades=grades)
    model = ltr.MPBoost(ddf="logitdd", n_rounds=700).fit(data, measures=())
    scores, y = model.predict(data), data.y
    pairs = naive.pairs_of(y, data.qid)
    d = [naive.pair_distance("logitdd", y[i], y[j], 1.0) for i, j in pairs]
    loss = np.mean([np.exp(-dij * (scores[i] - scores[j])) for dij, (i, j) in zip(d, pairs, strict=True)])
    assert curve(model, "loss")[-1] == pytest.approx(loss, rel=1e-9)
    assert curve(model, "bound")[-1] == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("grades", [4, 10_000])
@pytest.mark.parametrize("n_docs", [1, 2, 7, 8, 9, 40, 2500])
def test_misordered_pairs_are_counted(n_docs, grades):
    rng = np.random.default_rng(n_docs)
    y, scores = rng.integers(0, grades, n_docs) * 1.0, rng.integers(0, 9, n_docs) / 8
    y[:1] = 7.0
    scores[rng.random(n_docs) < 0.1] = np.inf
    scores[rng.random(n_docs) < 0.1] = -np.inf
    scores[(scores == 0.0) & (rng.random(n_docs) < 0.5)] = -0.0
    layout = PairLayout(y, np.array([0, n_docs]))
    wrong = ((y[:, None] > y[None, :]) & (scores[:, None] <= scores[None, :])).sum()
    assert layout.count_misordered(scores[layout.rows]) == wrong


@pytest.mark.parametrize("best", [0.0, -0.0, np.inf, -np.inf])
def test_equal_scores_are_misordered_whatever_their_signs_and_sizes(best):
    pairs = PairLayout(np.array([1.0, 0.0, 0.0]), np.array([0, 3]))
    assert pairs.count_misordered(np.array([best, best, 0.0 * np.sign(best)])) == 1 + (best <= 0.0)
    assert pairs.count_misordered(np.array([best, -best, -best])) == 2 * (best <= 0.0)


def test_scores_can_be_set_by_a_trainer_and_by_a_class_of_ones_own():
    class Mine(ltr.rankers.Follower):
        def __init__(self, n):
            self.scores = np.zeros(n)

    assert Mine(3).scores.tolist() == [0.0, 0.0, 0.0]
    data = make(3, 6, 5)
    trainer = ltr.MPBoost()._start(data, ltr.MPBoost().get_params())
    assert trainer.step() and trainer.scores.any()
    assert trainer.step()
    trainer.scores = np.zeros(data.n_docs)
    assert not trainer.scores.any(), "what was still to be added is not"


@pytest.mark.parametrize("asked", [range(12), (), (3, 4, 5, 9), (0, 2, 4, 11)])
def test_misordered_pairs_are_those_of_now_whenever_somebody_asks(asked, monkeypatch):
    """Stumps small, larger than 1 and beyond what factors bear; what nobody asks for is not counted."""
    rng = np.random.default_rng(4)
    layout = PairLayout(rng.integers(0, 3, 90) * 1.0, np.arange(0, 91, 15))
    gaps = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    weights, counted = product.ProductWeights(layout, gaps, gaps), []
    steps, kernel = [], product.product_step._step_blocks

    def noted(*args):
        steps.append(args[-3])
        kernel(*args)

    noted.__name__ = "noted"
    monkeypatch.setattr(product.product_step, "_step_blocks", noted)
    for round_ in range(12):
        value = (0.3, 1.5, 40.0)[round_ % 3] * (-1) ** (round_ // 3)
        weights.advance(rng.integers(0, 2, len(layout.rows)).astype(np.uint8), 0, value)
        if round_ in asked:
            counted.append(round(weights.misorder() * layout.n_pairs))
            assert counted[-1] == layout.count_misordered(weights.scores)
    n_after = sum(round_ + 1 in range(12) for round_ in asked)
    assert sum(steps) == n_after, "a step counts if it was asked for since the last"
    assert len(set(counted)) >= min(3, len(counted))


def test_a_layout_keeps_the_queries_with_pairs_best_grade_first():
    y = np.array([1.0, 2.0, 1.0, 0.5, 0.5, 3.0])
    layout = PairLayout(y, np.array([0, 3, 5, 6]))
    assert layout.rows.tolist() == [1, 0, 2] and layout.offsets.tolist() == [0, 3]
    assert layout.starts.tolist() == [0, 1, 3] and layout.n_pairs == 2 and layout.n_queries == 1
    tied = PairLayout(y, np.array([0, 3, 5, 6]), tied=True)
    assert tied.rows.tolist() == [1, 0, 2, 3, 4] and tied.offsets.tolist() == [0, 3, 5]


def test_a_shape_function_says_what_a_feature_contributes():
    data = make()
    model = ltr.MPBoost(n_rounds=40).fit(data, measures=())
    for feature in (0, "f5", 2):
        x, values = model.shape_function(feature)
        k = feature if isinstance(feature, int) else 4
        assert len(values) == len(x) + 1 and (np.diff(x) > 0).all()
        column = data.X[:, k].astype(float)
        np.testing.assert_allclose(values[np.searchsorted(x, column)], model.explain(data)[:, k], atol=1e-12)
    with pytest.raises(ltr.ParameterError, match="no feature 'f99'"):
        model.shape_function("f99")
    assert model.feature_importances_.sum() == pytest.approx(1.0) and model.feature_importances_[2] == 0.0


def test_packed_numbers_come_apart_into_both_sums():
    """Summed by bin in one addition: what has a sign to half a unit each, what has none never too small."""
    rng = np.random.default_rng(0)
    high, low = rng.normal(size=400), rng.random(400)
    high_unit, low_unit = 1.01 * np.abs(high).sum() / screen.HIGH, 1.01 * low.sum() / screen.LOW
    total = screen.pack(high, high_unit, low, low_unit).sum()
    assert (total >> screen.LOW_BITS) * high_unit == pytest.approx(high.sum(), abs=200 * high_unit)
    lost = (total & ((1 << screen.LOW_BITS) - 1)) * low_unit
    assert low.sum() <= lost <= low.sum() + 400 * low_unit
    assert np.array_equal(screen.pack(high, 1.0, low, 0.0), np.rint(high).astype(np.int64) << screen.LOW_BITS)


@pytest.mark.parametrize("n_grades", [3, 4, 5, 7])
@pytest.mark.parametrize("value", [0.3, -0.2])
def test_a_stump_writes_each_documents_pull_and_what_its_pairs_lost(value, n_grades):
    """Against a loop over pairs, for queries that lack a grade and some that lack none."""
    rng = np.random.default_rng(1)
    y, offsets = rng.integers(0, n_grades, 240) * 1.0, np.arange(0, 241, 6)
    layout = PairLayout(y, offsets)
    n, codes = len(layout.rows), layout.codes.astype(int)
    gaps = np.abs(np.subtract.outer(np.arange(n_grades), np.arange(n_grades)))
    distances, masses = np.log1p(0.7 * gaps), 1.0 + 0.1 * gaps
    weights = product.ProductWeights(layout, distances, masses)
    scores = np.zeros(n)
    for size in (0.4, value):
        bins = rng.integers(0, 2, n).astype(np.uint8)
        before, scores = scores, scores + size * (bins > 0)
        told = weights.advance(bins, 0, size)
    pulls, shrunk, total, heavy, wrong = np.zeros(n), np.zeros(n), 0.0, 0.0, 0
    n_before, d_before, total_before = 0.0, 0.0, 0.0
    for start, stop in zip(layout.offsets[:-1], layout.offsets[1:], strict=True):
        for i in range(start, stop):
            for j in range(start, stop):
                if codes[i] <= codes[j]:
                    continue
                d, mass = distances[codes[i], codes[j]], masses[codes[i], codes[j]]
                was, weight = (np.exp(-d * (F[i] - F[j])) for F in (before, scores))
                side = float(bins[i] > 0) - float(bins[j] > 0)
                total, total_before, heavy = total + weight, total_before + was, heavy + weight * d
                n_before, d_before = n_before + side * was * d, d_before + abs(side) * was * mass
                wrong += scores[i] <= scores[j]
                pulls[[i, j]] += weight * d, -weight * d
                shrunk[[i, j]] += mass * max(0.0, was - weight)
    scale, packed = weights.total / total, weights.packed
    signs = np.sign(packed.pulls @ pulls)  # which way a pull counts is the search's own
    np.testing.assert_allclose(
        signs * packed.pulls * packed.pull_unit, scale * pulls, atol=1e-12 * scale * total
    )
    low = packed.numbers & ((1 << screen.LOW_BITS) - 1)
    more = low * packed.loss_unit - scale * shrunk
    assert (more > -1e-12 * scale * total).all() and (more <= (1 + 1e-9) * packed.loss_unit).all()
    coarse = (packed.numbers >> screen.LOW_BITS) * packed.coarse_unit
    np.testing.assert_allclose(signs * coarse, scale * pulls, atol=0.51 * packed.coarse_unit)
    assert 0.5 * scale * shrunk.sum() <= packed.loss_cap <= 0.5 * scale * shrunk.sum() * (1 + 1e-8)
    assert weights._pull == pytest.approx(scale * heavy, rel=1e-12)
    expected = n_before / total_before, d_before / total_before, np.log(total / total_before)
    assert told == pytest.approx(expected, rel=1e-11)
    assert weights.misorder() == wrong / layout.n_pairs > 0.0


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_docs", [1, 7, 8, 37, 4_101])
def test_numbers_are_summed_by_bin_whatever_is_left_of_a_word(n_docs, dtype):
    rng = np.random.default_rng(n_docs)
    bins = rng.integers(0, 256, (7, n_docs)).astype(dtype)
    bins[2:5][rng.random((3, n_docs)) < 0.7] = 255  # most documents have one value, as in real data
    crowded = Binned(bins, np.full(7, 256), []).crowded
    assert crowded.tolist() == [k in (2, 3, 4) and n_docs > 1_000 and dtype == np.uint8 for k in range(7)]
    numbers = rng.integers(-(1 << 50), 1 << 50, n_docs)
    for first, last in ((0, 4), (3, 7), (4, 7), (5, 6), (5, 7)):
        sums = np.full((4, 256), 5)
        screen._sum_group(bins, first, last, np.full(7, 256), crowded, numbers, sums)
        for k in range(first, last):
            wanted = [numbers[bins[k] == b].sum() for b in range(256)]
            assert sums[k - first].tolist() == wanted
            assert screen._sum_column(bins[k], numbers, np.full((4, 256), 5)).tolist() == wanted


@pytest.mark.parametrize("way", [threads.serial_only, threads.parallel_always])
@pytest.mark.parametrize("max_bins", [16, 256, 300])
@pytest.mark.parametrize("n_docs", [2, 8, 11, 64, 65, 256, 257])
def test_only_chosen_features_are_ordered(way, n_docs, max_bins):
    data = make(n_queries=6, n_docs=n_docs)
    pairs = PairLayout(data.y, data.offsets)
    bins = pairs.lay(binned(data, max_bins))
    orders, chosen = np.full(bins.shape, 99, dtype=pairs.order_type), np.array([7, 2, 4])
    with way():
        order_columns(pairs, bins, chosen, max_bins, orders)
    for k, order in enumerate(orders):
        for start, stop in zip(pairs.offsets[:-1], pairs.offsets[1:], strict=True):
            expected = np.argsort(bins[k, start:stop], kind="stable") if k in chosen else 99
            assert (order[start:stop] == expected).all()


@pytest.mark.parametrize("marked", [False, True])
def test_short_and_long_queries_are_ordered_side_by_side(marked):
    rng, sizes = np.random.default_rng(0), [3, 300, 256, 257, 2, 1_000]
    pairs = PairLayout(rng.integers(0, 3, sum(sizes)) * 1.0, np.r_[0, np.cumsum(sizes)])
    bins = rng.integers(0, 256, (3, len(pairs.rows))).astype(np.uint8)
    marks = rng.integers(0, 256, len(pairs.rows)).astype(np.uint8) if marked else None
    words = pairs.order(bins, marks).of(np.array([2, 0]), 256).astype(np.int64)
    for k in (0, 2):
        for start, stop in zip(pairs.offsets[:-1], pairs.offsets[1:], strict=True):
            order = np.argsort(bins[k, start:stop], kind="stable")
            wanted = order
            if marked:
                wanted = (
                    order
                    + bins[k].astype(int)[start + order] * 2**16
                    + marks.astype(int)[start + order] * 2**24
                )
            assert (words[k, start:stop] == wanted).all()


@pytest.mark.parametrize("n_docs", [20, 300])
@pytest.mark.parametrize("n_grades", [3, 5])
def test_a_sweep_reads_words_where_memory_allows_and_says_the_same_where_not(n_grades, n_docs, monkeypatch):
    data = make(n_queries=30, n_docs=n_docs, grades=n_grades)
    chosen = np.array([3, 0, 5])
    gaps = np.abs(np.subtract.outer(np.arange(n_grades), np.arange(n_grades))) * 1.0
    swept = []
    for most in (ordering._MOST_BYTES, 0):
        monkeypatch.setattr(ordering, "_MOST_BYTES", most)
        pairs = PairLayout(data.y, data.offsets)
        bins = pairs.lay(binned(data, 40))
        weights = product.ProductWeights(pairs, gaps, 1.0 + 0.1 * gaps)
        weights.advance(bins[1], 11, 0.4)
        swept.append(weights.sweep(bins, chosen, 40))
        assert weights._orders.words == (most > 0)
    assert (swept[0].changes == swept[1].changes).all() and np.abs(swept[0].changes).max() > 0.0


def test_bins_and_orders_are_kept_from_training_to_training_where_they_are_few(monkeypatch):
    data = make(n_queries=30, n_docs=20)
    pairs, coarse, fine = PairLayout(data.y, data.offsets), binned(data, 8), binned(data, 200)
    bins, marks = pairs.lay(coarse), np.zeros(data.n_docs, dtype=np.uint8)
    assert pairs.lay(coarse) is bins and pairs.order(bins) is pairs.order(bins)
    assert pairs.order(bins, marks) is pairs.order(bins, marks) is not pairs.order(bins)
    assert pairs.order(bins, marks).words and not pairs.order(bins).words
    finer = pairs.lay(fine)
    assert (finer == fine.bins[:, pairs.rows]).all() and pairs.lay(fine) is finer
    chosen = np.array([2])
    for own, n_bins in ((bins, 8), (finer, 200), (bins, 8)):  # orders are those of the bins given
        order = pairs.order(own).of(chosen, n_bins)[2, : pairs.offsets[1]]
        assert (order == np.argsort(own[2, : pairs.offsets[1]], kind="stable")).all()
    monkeypatch.setattr(layout, "_KEPT_CELLS", finer.size - 1)
    assert pairs.lay(coarse) is not pairs.lay(coarse)
    assert pairs.order(pairs.lay(coarse)) is not pairs.order(pairs.lay(coarse))


@pytest.mark.parametrize("n_docs", [65_536, 65_537])
def test_a_word_holds_no_more_than_its_bits(n_docs):
    pairs = PairLayout(np.arange(n_docs) % 2 * 1.0, np.array([0, n_docs]))
    bins, marks = np.arange(n_docs)[::-1].astype(np.uint8)[None], (200 + pairs.codes).astype(np.uint8)
    orders = pairs.order(bins, marks)
    assert orders.words == (n_docs == 65_536)
    words = orders.of(np.array([0]), 256)[0].astype(np.int64)
    order = np.argsort(bins[0], kind="stable")
    assert (
        words
        == (order + (bins[0].astype(int) + 256 * marks.astype(int))[order] * 2**16 if orders.words else order)
    ).all()


def test_a_training_is_the_same_whatever_was_kept_before_it():
    def train(data, max_bins):
        return ltr.MPBoost(ddf="logdd", n_rounds=12, max_bins=max_bins).fit(data)

    data = make(n_queries=60)
    alone = {max_bins: train(make(n_queries=60), max_bins) for max_bins in (8, 200)}
    for max_bins in (8, 200, 8, 8):
        assert same(train(data, max_bins), alone[max_bins])


def test_factors_of_documents_that_share_a_score_are_theirs_too():
    rng, data = np.random.default_rng(0), make(n_queries=5, n_docs=9, grades=3)
    pairs = PairLayout(data.y, data.offsets)
    gaps = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) * 1.0
    weights = product.ProductWeights(pairs, gaps)
    scores = rng.normal(size=(5, 3))[pairs.query, pairs.codes]  # one of each query and grade
    weights.start_over(scores)
    fresh = product.ProductWeights(pairs, gaps)
    fresh.start_over(scores + 1e-13 * rng.normal(size=len(scores)))
    np.testing.assert_allclose(weights._E, fresh._E, rtol=1e-11)
    total = sum(
        np.exp(-gaps[pairs.codes[i], pairs.codes[j]] * (scores[i] - scores[j]))
        for i in range(len(scores))
        for j in range(len(scores))
        if pairs.query[i] == pairs.query[j] and pairs.codes[i] > pairs.codes[j]
    )
    assert weights.log_loss == pytest.approx(np.log(total / pairs.n_pairs), rel=1e-12)


def test_the_layout_of_packed_numbers_has_one_home():
    folder = ROOT / "ltr_core" / "engines" / "stumps"
    shifts = {
        path.name
        for path in folder.glob("*.py")
        if re.search(r"(<<|>>) *_?LOW_BITS|= *28\b", path.read_text())
    }
    assert shifts == {"screen.py"}


TOGETHER = """
import threading
import numba
import numpy as np
import ltr_core as ltr
from tests.engines.test_pairwise import MODELS, make, same

data = {grades: make(grades=grades, n_queries=120 if grades else 20) for grades in (5, 0)}
jobs = [(name, grades) for name in MODELS for grades in data]
alone = {job: MODELS[job[0]](6).fit(data[job[1]]) for job in jobs}
assert numba.threading_layer() == "workqueue"
wrong = []

def train(mine):
    for _ in range(2):
        for job in mine:
            if not same(MODELS[job[0]](6).fit(data[job[1]]), alone[job]):
                wrong.append(job)

threads = [threading.Thread(target=train, args=(part,)) for part in (jobs, jobs[::-1])]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("wrong:", wrong)
"""


@pytest.mark.slow
def test_two_trainings_at_once_on_the_workqueue_layer():
    env = {**os.environ, "NUMBA_THREADING_LAYER": "workqueue", "NUMBA_NUM_THREADS": "2"}
    run = subprocess.run(
        [sys.executable, "-c", TOGETHER], cwd=ROOT, env=env, capture_output=True, text=True, timeout=900
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.strip() == "wrong: []"
