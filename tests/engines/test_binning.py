"""Binning: equal to the definition tried length by length, thresholds that hold for unseen values."""

import pickle
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltr_core import DataError, LambdaMART, ParameterError, RankingData, stopping, threads
from ltr_core.data import OrderedData, by_content
from ltr_core.engines.binning import bins as binning_module
from ltr_core.engines.binning.bins import _cut, bin_features, binned
from tests import naive

finite = st.floats(-1e6, 1e6, width=32)
columns = st.one_of(
    st.lists(finite, min_size=1, max_size=40),
    st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=40),
    st.lists(st.floats(0, 2**-23, width=32), min_size=1, max_size=40),
)


def thresholds_of(column, max_bins, binning="length"):
    return bin_features(np.array(column, dtype=np.float32)[:, None], max_bins, binning).thresholds[0].tolist()


@settings(max_examples=150, deadline=None)
@given(columns, st.integers(2, 12))
def test_length_binning_is_the_definition(column, max_bins):
    column = np.array(column, dtype=np.float32)
    assert thresholds_of(column, max_bins) == naive.bin_thresholds(column, max_bins)


@settings(max_examples=80, deadline=None)
@given(columns, st.integers(2, 12))
def test_quantile_binning_is_the_definition(column, max_bins):
    column = np.array(column, dtype=np.float32)
    assert thresholds_of(column, max_bins, "quantile") == naive.quantile_thresholds(column, max_bins)


@settings(max_examples=80, deadline=None)
@given(columns, columns, st.integers(2, 12), st.sampled_from(["length", "quantile"]))
def test_a_value_is_above_a_threshold_exactly_when_its_bin_is(column, unseen, max_bins, binning):
    column, unseen = (np.array(c, dtype=np.float32)[:, None] for c in (column, unseen))
    binned = bin_features(column, max_bins, binning)
    cuts = binned.thresholds[0]
    assert binned.n_bins[0] == len(cuts) + 1 <= max_bins
    assert set(binned.bins[0].tolist()) == set(range(binned.n_bins[0]))
    for values, bins in ((column, binned.bins), (unseen, binned.transform(unseen))):
        assert bins.dtype == binned.bins.dtype and bins.shape == values.T.shape
        assert bins[0].tolist() == [naive.bin_of(float(x), cuts) for x in values[:, 0]]
    assert set(cuts.tolist()) <= set(column[:, 0].astype(float).tolist())


def test_every_distinct_value_has_its_own_bin():
    X = np.array([[3, 0.5], [1, 0.5], [2, 0.5], [1, 0.5]])
    result = bin_features(X, 3)
    assert result.n_bins.tolist() == [3, 1]
    assert result.thresholds[0].tolist() == [1, 2] and result.thresholds[1].tolist() == []
    assert result.bins.tolist() == [[2, 0, 1, 0], [0, 0, 0, 0]]


def test_minus_zero_is_zero():
    result = bin_features(np.array([[-0.0], [0.0], [1.0], [-1.0]]))
    assert result.thresholds[0].tolist() == [-1.0, 0.0]
    assert not np.signbit(result.thresholds[0][1])
    assert result.bins.tolist() == [[1, 1, 2, 0]]


def test_bins_are_laid_only_where_there_are_data():
    # One far value takes one bin; the rest keeps a fine grid. Equal cuts of the range would lose it.
    column = np.r_[np.arange(6) / 8, 1000.0]
    assert thresholds_of(column, 4) == [0.125, 0.375, 0.625]


def test_more_than_256_bins_need_two_bytes():
    X = np.arange(300.0)[:, None]
    assert bin_features(X, 256).bins.dtype == np.uint8
    wide = bin_features(X, 300)
    assert wide.bins.dtype == np.uint16 and wide.n_bins[0] == 300
    assert wide.bins.flags.c_contiguous


@pytest.mark.parametrize("max_bins", [1, 65_537, 2.5, "many", None])
def test_max_bins_out_of_range(max_bins):
    with pytest.raises(ParameterError, match="max_bins"):
        bin_features(np.zeros((2, 1)), max_bins)


def test_unusable_arguments_get_a_sentence():
    with pytest.raises(ParameterError, match="binning"):
        bin_features(np.zeros((2, 1)), 4, "median")
    with pytest.raises(DataError, match="no document"):
        bin_features(np.zeros((0, 1)))
    with pytest.raises(DataError, match="2 features"):
        bin_features(np.zeros((2, 1))).transform(np.zeros((2, 2)))


def test_binned_is_kept_on_the_data_and_shared_between_threads():
    data = RankingData(np.random.default_rng(0).random((50, 3)), np.zeros(50), np.zeros(50))
    first = binned(data, 8)
    found = [None] * 8
    workers = [
        threading.Thread(target=lambda i=i: found.__setitem__(i, binned(data, 16, "quantile")))
        for i in range(8)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(f is found[0] for f in found) and binned(data, 8) is first
    binned(data, 4)  # pushes out the one used longest ago
    assert binned(data, 8) is first and binned(data, 16, "quantile") is not found[0]
    assert not pickle.loads(pickle.dumps(data))._binned.entries
    here, before = b"ltr_core.data.set.remembering", b"ltr_core.engines.binning.bins"
    old = pickle.dumps(data, protocol=0).replace(here + b"\nMemo\n", before + b"\n_Memo\n")
    assert before in old and binned(pickle.loads(old), 8).n_bins.tolist() == first.n_bins.tolist()


@pytest.mark.parametrize("max_bins", [2, 3, 256, 257, 5_000])
@pytest.mark.parametrize("binning", ["length", "quantile"])
def test_blocks_and_threads_give_the_same_bins(max_bins, binning):
    rng = np.random.default_rng(1)
    X = np.c_[
        rng.random(6_000), np.exp(4 * rng.normal(size=6_000)), rng.integers(-3, 4, 6_000), np.ones(6_000)
    ]
    X[0] = [np.finfo(np.float32).max, -np.finfo(np.float32).max, 0.0, 1.0]
    results, cuts_of = [], []
    for twins in (threads.serial_only, threads.parallel_always):
        with twins():
            result = bin_features(X, max_bins, binning)
            results.append(result.bins)
            cuts_of.append(result.thresholds)
            assert np.array_equal(result.transform(X[:777]), result.bins[:, :777])
    for k, cuts in enumerate(result.thresholds):
        assert np.array_equal(results[0][k], np.searchsorted(cuts, X[:, k].astype(np.float32), side="left"))
    assert np.array_equal(*results)
    assert all(np.array_equal(*both) for both in zip(*cuts_of, strict=True))


@pytest.mark.parametrize("binning", ["length", "quantile"])
def test_cells_and_steps_lead_to_the_bin(binning):
    """Even, normal, steep, tiny, huge and whole numbers, and a constant; three thresholds, and one."""
    rng = np.random.default_rng(4)
    n = 4_200
    even, normal = rng.random(n), rng.normal(size=n)
    columns = [even, normal, np.exp(4.0 * normal), normal * 1e-44, normal * 1e37, np.rint(99.0 * even)]
    X = np.column_stack([*columns, np.zeros(n), np.rint(3.0 * even), np.rint(even)]).astype(np.float32)
    made = bin_features(X, 60, binning)
    others = np.roll(X, 1, axis=1) * np.float32(1.5) + np.float32(0.1)
    for values in (X, others):
        bins = made.transform(values)
        for k, cuts in enumerate(made.thresholds):
            assert np.array_equal(bins[k], np.searchsorted(cuts, values[:, k]))


def test_rows_in_another_order_have_the_set_s_own_bins_in_that_order(monkeypatch):
    """No features are copied for it, and nothing is binned twice."""
    rng = np.random.default_rng(4)
    data, other = (
        RankingData(rng.normal(size=(300, 5)), rng.integers(0, 3, 300), np.repeat(np.arange(10), 30))
        for _ in range(2)
    )
    ordered = by_content(data)
    assert isinstance(ordered, OrderedData) and (data.X[ordered.order] == ordered.X).all()
    wanted = bin_features(ordered.X, 20)
    counted = []
    monkeypatch.setattr(
        binning_module, "bin_features", lambda *given: (counted.append(given), bin_features(*given))[1]
    )
    monkeypatch.setattr(OrderedData, "X", None)
    for _ in range(2):
        again = binned(by_content(data), 20)
        assert (again.bins == wanted.bins).all() and again.bins.flags.c_contiguous
    assert len(counted) == 1
    there = by_content(other)
    assert (again.transform(there) == wanted.transform(other)[:, there.order]).all()
    LambdaMART(n_trees=2).fit(data, eval_set={"valid": other})


@pytest.mark.parametrize("twins", [threads.serial_only, threads.parallel_always])
def test_it_ends_between_two_features_and_leaves_no_thread_behind(twins, monkeypatch):
    """Of forty features some are cut by the time the first one's thresholds are looked at, not all."""
    cut, flag = [], stopping.StopFlag()

    def slowly(column, max_bins, binning):
        cut.append(len(column))
        flag.set()
        threading.Event().wait(0.01)
        return _cut(column, max_bins, binning)

    monkeypatch.setattr("ltr_core.engines.binning.bins._cut", slowly)
    before = threading.active_count()
    with twins(), stopping.stoppable(flag), pytest.raises(stopping.Stopped):
        bin_features(np.random.default_rng(2).random((50, 40)))
    assert 0 < len(cut) < 40 and threading.active_count() == before
