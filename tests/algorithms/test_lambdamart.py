"""LambdaMART against an oracle that goes over all ordered pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.engines.boosting.swaps import _FEW, SwapRisk
from tests import naive
from tests.algorithms.test_gbt import graded


@pytest.mark.parametrize("k, normalise", [(1, False), (3, False), (10, False), (10, True), (2, True)])
@pytest.mark.parametrize("seed, n_leaves, min_leaf", [(0, 6, 3), (1, 3, 8)])
def test_equals_the_oracle(k, normalise, seed, n_leaves, min_leaf):
    train, test = graded(seed, 100), graded(seed + 50, 40)
    shape = dict(n_trees=7, n_leaves=n_leaves, learning_rate=0.15, min_leaf=min_leaf, normalise=normalise)
    rows = naive.rows_by_content(train.X, train.y, train.qid)
    stages, losses = naive.lambdamart(train.X[rows], train.y[rows], train.qid[rows], test.X, k, **shape)
    model = ltr.LambdaMART(k=k, **shape).fit(train, measures=())
    assert model.n_iter_ == len(stages) - 1 > 0
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.history_["value"], losses, rtol=1e-9)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 45) | st.just(300),  # beyond 64 to a query runs are merged
    st.integers(1, 12),
    st.sampled_from([0.5, 3.0, 250.0]),
    st.booleans(),
)
def test_pulls_equal_sums_over_pairs(seed, n, k, spread, normalise):
    """For close scores and for scores so far apart that their exponentials leave the range of floats."""
    rng = np.random.default_rng(seed)
    data = ltr.RankingData(np.zeros((n, 1)), rng.integers(0, 5, n), rng.integers(0, 3, n))
    h = np.round(rng.normal(0, spread, n), 1)
    pull, curvature, value = naive.lambdas(h, data.y, data.qid, k, normalise)
    risk = SwapRisk(data, k, normalise)
    loss = risk.evaluate(h[None])["loss"]
    np.testing.assert_allclose(risk.pull[0], pull, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(risk.curvature[0], curvature, rtol=1e-9, atol=1e-12)
    assert loss == pytest.approx(value, abs=1e-12) or (np.isnan(loss) and not pull.any())
    again = SwapRisk(data, k, normalise).curves(h[None])["loss"]
    assert again == loss or np.isnan(loss)


def test_raises_ndcg():
    data, test = graded(5, 600), graded(6, 300)
    model = ltr.LambdaMART(n_trees=40).fit(data, eval_set={"test": test})
    curve = model.history_.query("split == 'test' and measure == 'ndcg@10'")["value"].to_numpy()
    assert curve[-1] > curve[0] + 0.1


def test_large_grades_do_not_overflow():
    X, qid = np.arange(24.0)[:, None], np.repeat([0, 1], 12)
    y = np.r_[np.repeat([0, 2000], 6), np.repeat([0, 1], 6)]
    model = ltr.LambdaMART(n_trees=5).fit(X, y, qid=qid)
    assert np.isfinite(model.predict(X)).all() and np.isfinite(model.history_["value"]).all()


def test_without_a_pair_it_says_so():
    with pytest.raises(ltr.DataError, match="LambdaMART learns from pairs"):
        ltr.LambdaMART().fit(np.arange(12.0)[:, None], np.repeat([1, 2], 6), qid=np.repeat([1, 2], 6))


@pytest.mark.compiled
@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize("n", [_FEW - 12, _FEW + 12])
def test_queries_as_long_as_the_room_and_longer_are_sums_over_pairs(n, normalise):
    rng = np.random.default_rng(n)
    y, h, k = rng.integers(0, 5, n).astype(float), rng.normal(size=n), 10
    risk = SwapRisk(ltr.RankingData(np.zeros((n, 1)), y, np.zeros(n)), k, normalise)
    risk.evaluate(h[None])
    order, gain = np.argsort(-h, kind="stable"), 2.0**y - 1.0
    discount = np.where(np.arange(n) < k, 1.0 / np.log2(2.0 + np.arange(n)), 0.0)
    ideal = (np.sort(gain)[::-1] * discount).sum()
    pull, bend, forces = np.zeros(n), np.zeros(n), 0.0
    for a in range(k):
        i, j = order[a], order[a + 1 :]
        weight = abs(gain[i] - gain[j]) * (discount[a] - discount[a + 1 :]) / ideal
        weight /= 0.01 + abs(h[i] - h[j]) if normalise else 1.0
        behind = 1.0 / (1.0 + np.exp(h[i] - h[j]))
        force = weight * np.where(gain[i] > gain[j], behind, behind - 1.0)
        pull[i] += force.sum()
        pull[j] -= force
        bend[i] += (weight * behind * (1.0 - behind)).sum()
        bend[j] += weight * behind * (1.0 - behind)
        forces += 2.0 * abs(force).sum()
    scale = np.log2(1.0 + forces) / forces if normalise else 1.0
    np.testing.assert_allclose(risk.pull[0], scale * pull, atol=1e-12 * abs(pull).max())
    np.testing.assert_allclose(risk.curvature[0], scale * bend, atol=1e-12 * bend.max())
