"""The linear pair models: losses, slopes and curvature pair by pair, optima by dense solvers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.engines.linear import newton
from ltr_core.engines.linear.hinge import SquaredHinge
from ltr_core.engines.linear.matrix import Matrix
from ltr_core.engines.linear.pairs import PairOrder
from ltr_core.engines.linear.tube import SquaredTube
from tests import naive


def data_of(seed, n_queries=8, d=5, grades=4, most=12, continuous=False):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, most, n_queries)
    qid = np.repeat(np.arange(n_queries), sizes)
    X = rng.normal(size=(len(qid), d)) * [1, 10, 0.1, 3, 1][:d] + [0, 100, 0, -5, 1][:d]
    X[:, -1] = 2.5
    y = X[:, 0] + 0.1 * X[:, 1] + rng.normal(0, 1, len(qid)) - 10
    y = np.abs(y) if continuous else np.clip(np.round(y + 2), 0, grades - 1)
    y[:2] = [0, 1]
    qid[:2] = 0
    return ltr.RankingData(X, y, qid)


@st.composite
def scored_queries(draw):
    """Grades, queries, scores on a grid of quarters (so that margins are met exactly), and a change."""
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    n = sum(sizes)
    qid = np.repeat(np.arange(len(sizes)), sizes)
    y = draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, 4.5]), min_size=n, max_size=n))
    scores = draw(st.lists(st.integers(-12, 12), min_size=n, max_size=n))
    change = draw(st.lists(st.integers(-5, 5), min_size=n, max_size=n))
    return np.array(y), qid, np.array(scores) / 4, np.array(change, dtype=float)


@given(scored_queries(), st.sampled_from([0, 3, 256]))
@settings(max_examples=150, deadline=None)
def test_hinge_pair_by_pair(case, small):
    y, qid, scores, change = case
    data = ltr.RankingData(np.zeros((len(y), 1)), y, qid)
    loss = SquaredHinge(PairOrder(data), small)
    value, slopes = loss.slopes(scores)
    expected, expected_slopes = naive.hinge_slopes(scores, y, qid)
    assert value == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(slopes, expected_slopes, atol=1e-9)
    np.testing.assert_allclose(loss.curve(change), naive.hinge_curve(scores, change, y, qid), atol=1e-9)


@given(scored_queries(), st.sampled_from([0, 3, 256]), st.sampled_from([0.0, 0.25, 1.0]))
@settings(max_examples=150, deadline=None)
def test_tube_pair_by_pair(case, small, epsilon):
    y, qid, scores, change = case
    data = ltr.RankingData(np.zeros((len(y), 1)), y, qid)
    loss = SquaredTube(PairOrder(data), epsilon, small)
    value, slopes = loss.slopes(scores)
    expected, expected_slopes = naive.tube_slopes(scores, y, qid, epsilon)
    assert value == pytest.approx(expected, abs=1e-9)
    np.testing.assert_allclose(slopes, expected_slopes, atol=1e-9)
    np.testing.assert_allclose(
        loss.curve(change), naive.tube_curve(scores, change, y, qid, epsilon), atol=1e-9
    )


@pytest.mark.parametrize("make", [SquaredHinge, lambda pairs, small: SquaredTube(pairs, 0.3, small)])
def test_long_lists_sorted_or_pair_by_pair_agree(make):
    rng = np.random.default_rng(0)
    y = np.round(rng.gamma(1.0, 1.5, 900), 1)  # many grades
    data = ltr.RankingData(np.zeros((900, 1)), y, np.repeat([1, 2, 3], 300))
    scores, change = 50 + rng.normal(size=900) * 1.5, rng.normal(size=900)
    sorted_, paired = make(PairOrder(data), 10), make(PairOrder(data), 1_000)
    value, slopes = sorted_.slopes(scores)
    expected, expected_slopes = paired.slopes(scores)
    assert value == pytest.approx(expected, rel=1e-10)
    np.testing.assert_allclose(slopes, expected_slopes, rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(sorted_.curve(change), paired.curve(change), rtol=1e-9, atol=1e-7)


def test_one_list_of_twenty_thousand_needs_no_pairs():
    """200 million pairs: 1.6 GB of indices, if they were written down."""
    rng = np.random.default_rng(0)
    y = rng.permutation(20_000).astype(float)
    data = ltr.RankingData(
        np.c_[y + rng.normal(0, 4_000, 20_000), rng.normal(size=20_000)], y, np.ones(20_000)
    )
    model = ltr.RankSVM().fit(data, measures=())
    assert ltr.kendall_tau(y, model.predict(data), data.qid) > 0.6


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_ranksvm_is_the_dense_solvers_optimum(seed, C):
    data = data_of(seed)
    model = ltr.RankSVM(C=C).fit(data)
    v, value = naive.ranksvm(data.X, data.y, data.qid, C)
    np.testing.assert_allclose(model.weights_, v, atol=1e-4 * np.abs(v).max())
    loss = model.history_.query("measure == 'loss'")["value"].to_numpy()
    assert loss[0] == pytest.approx(C) and loss[1] == pytest.approx(value, rel=1e-8)
    gaps = np.diff(model.predict(data)), np.diff(naive.standardised(data.X) @ v)
    np.testing.assert_allclose(*gaps, atol=1e-4 * np.abs(gaps[1]).max())


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 5.0])
@pytest.mark.parametrize("continuous", [False, True])
def test_svrank_is_the_dense_solvers_optimum(epsilon, continuous):
    data = data_of(3, continuous=continuous)
    model = ltr.SVRank(ridge=0.05, epsilon=epsilon).fit(data)
    v, value = naive.svrank(data.X, data.y, data.qid, 0.05, epsilon)
    np.testing.assert_allclose(model.weights_, v, atol=1e-4 * max(np.abs(v).max(), 1e-9))
    assert model.history_.query("measure == 'loss'")["value"].iloc[1] == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize("ridge", [1e-6, 0.01, 10.0])
@pytest.mark.parametrize("continuous", [False, True])
def test_mprank_is_least_squares(ridge, continuous):
    data = data_of(5, n_queries=12, continuous=continuous)
    model = ltr.MPRank(ridge=ridge).fit(data)
    v = naive.mprank(data.X, data.y, data.qid, ridge)
    np.testing.assert_allclose(model.weights_, v, rtol=1e-6, atol=1e-6 * np.abs(v).max())
    exact = ltr.SVRank(ridge=ridge, epsilon=0.0).fit(data)
    np.testing.assert_allclose(model.weights_, exact.weights_, atol=1e-4 * np.abs(v).max())


def test_mprank_reads_the_data_in_parts(monkeypatch):
    data = data_of(7, n_queries=15)
    whole = ltr.MPRank().fit(data).weights_
    monkeypatch.setattr("ltr_core.algorithms.linear.mprank._CELLS_AT_A_TIME", 20)
    np.testing.assert_allclose(ltr.MPRank().fit(data).weights_, whole, rtol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_mhr_is_the_borda_count_of_its_ranksvms(seed):
    data = data_of(seed, n_queries=5, grades=3)
    model = ltr.MHR(C=2.0).fit(data)
    expected = naive.borda_of_ranksvms(data.X, data.y, data.qid, 2.0)
    np.testing.assert_allclose(model.predict(data), expected)
    pairs = model.grades_
    assert all(a > b for a, b in pairs) and len(set(pairs)) == len(pairs) == len(model.weights_)


def test_mhr_of_two_grades_ranks_as_ranksvm():
    data = data_of(1, grades=2)
    mhr, svm = ltr.MHR(C=3.0).fit(data), ltr.RankSVM(C=3.0).fit(data)
    np.testing.assert_allclose(mhr.weights_[0], svm.weights_, atol=1e-4)
    assert ltr.ndcg(data.y, mhr.predict(data), data.qid) == pytest.approx(
        ltr.ndcg(data.y, svm.predict(data), data.qid)
    )


def test_mhr_refuses_continuous_grades():
    with pytest.raises(ltr.DataError, match="distinct grades.*RankSVM"):
        ltr.MHR().fit(data_of(0, n_queries=20, continuous=True))


def test_the_sample_leads_to_the_same_optimum(monkeypatch):
    data = ltr.datasets.make("cubic", n_queries=300, n_docs=20, n_features=8, noise=0.5)
    plain = ltr.RankSVM(C=5.0).fit(data)
    monkeypatch.setattr(newton, "LARGE", 1_000)
    sampled = ltr.RankSVM(C=5.0).fit(data)
    assert not np.array_equal(plain.weights_, sampled.weights_)
    np.testing.assert_allclose(plain.weights_, sampled.weights_, atol=2e-4)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8])
def test_the_gradient_is_as_small_as_promised(tolerance):
    data = data_of(2, n_queries=20)
    pairs = PairOrder(data)
    loss = SquaredHinge(pairs)
    _, scale = Matrix(data.X).standardiser()
    v = newton.solve(data, loss, SquaredHinge, 1.0, 50.0, scale, tolerance)
    Z = naive.standardised(data.X)
    better, worse = naive.pair_rows(data.y, data.qid)
    D = Z[better] - Z[worse]

    def gradient(v):
        return v - 2 * 50.0 / len(D) * D.T @ np.maximum(0, 1 - D @ v)

    assert np.linalg.norm(gradient(v)) <= 1.01 * tolerance * np.linalg.norm(gradient(0 * v)) + 1e-12


@given(st.integers(1, 70), st.integers(1, 9), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_matrix_products_and_standardising(n, d, seed):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 3, d) + rng.normal(0, 100, d)).astype(np.float32)
    X[:, 0] = 7
    matrix, p, w = Matrix(X), rng.normal(size=n), rng.normal(size=d)
    wide = X.astype(np.float64)
    np.testing.assert_allclose(matrix.scores(X[0].astype(float), w), (wide - X[0]) @ w, rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(matrix.pull(p), wide.T @ p, rtol=1e-9, atol=1e-6)
    mean, scale = matrix.standardiser()
    np.testing.assert_allclose(mean, wide.mean(axis=0), rtol=1e-9, atol=1e-9)
    assert scale[0] == 0
    changing = (X[0] != X).any(axis=0)
    np.testing.assert_allclose(scale[changing] * wide.std(axis=0)[changing], 1, rtol=1e-5)
    assert (scale[~changing] == 0).all()


def test_a_shift_or_a_scale_of_a_feature_changes_nothing():
    data = data_of(4)
    other = ltr.RankingData(data.X * np.float32(8) + np.float32(16), data.y, data.qid)
    for name in ("RankSVM", "MPRank", "SVRank"):
        one, two = (ltr.ALGORITHMS[name]().fit(d) for d in (data, other))
        np.testing.assert_allclose(one.predict(data), two.predict(other), atol=1e-4)


def test_queries_without_pairs_do_not_matter():
    data = data_of(6)
    extra_X = np.r_[data.X, data.X[:4]]
    more = ltr.RankingData(extra_X, np.r_[data.y, [2, 2, 2, 2]], np.r_[data.qid, [90, 90, 91, 91]])
    mean, scale = Matrix(data.X).standardiser()
    for d in (data, more):
        loss = SquaredHinge(PairOrder(d))
        v = newton.solve(d, loss, SquaredHinge, 1.0, 1.0, scale, 1e-9)
        if d is data:
            first = v
    np.testing.assert_allclose(v, first, atol=1e-8)


def test_without_a_pair_there_is_a_sentence():
    for name in ("RankSVM", "MPRank", "SVRank", "MHR"):
        with pytest.raises(ltr.DataError, match="two grades"):
            ltr.ALGORITHMS[name]().fit([[1.0], [2.0]], [1, 1], qid=[1, 1])


def test_an_evaluation_set_without_pairs_has_no_loss():
    data = data_of(0)
    flat = ltr.RankingData(data.X[:3], [1, 1, 1], [1, 1, 1])
    history = ltr.RankSVM().fit(data, eval_set={"flat": flat}, measures=()).history_
    assert history.query("split == 'flat'")["value"].isna().all()
