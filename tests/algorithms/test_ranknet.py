"""RankNet's loss and slope against the papers' formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import ltr_core as ltr
from tests import naive

SCORES = st.floats(-30, 30, width=32)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(arrays(float, n, elements=SCORES), arrays(int, n, elements=st.integers(0, 3)))
    )
)
def test_loss_and_slope_of_any_query(drawn):
    scores, grades = drawn
    loss, slope = ltr.RankNet.loss(scores, grades)
    assert loss == pytest.approx(naive.ranknet_loss(scores, grades), rel=1e-12, abs=1e-14)
    expected = naive.finite_differences(lambda s: naive.ranknet_loss(s, grades), scores)
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("spread", [1e-3, 1.0, 149.0, 151.0, 1e4])
def test_near_and_far_scores_agree_with_the_formula(spread):
    rng = np.random.default_rng(0)
    scores, grades = spread * rng.uniform(-1, 1, 40), rng.integers(0, 5, 40)
    scores[:2] = spread, -spread
    loss, slope = ltr.RankNet.loss(scores, grades)
    assert loss == pytest.approx(naive.ranknet_loss(scores, grades), rel=1e-12)
    pull = np.zeros(40)
    for i, j in naive.preferred_pairs(grades):
        with np.errstate(over="ignore"):
            p = 1 / (1 + np.exp(scores[i] - scores[j]))
        pull[i] -= p
        pull[j] += p
    np.testing.assert_allclose(slope, pull, rtol=1e-9, atol=1e-12)


def test_a_tiny_loss_keeps_its_digits():
    scores, grades = np.array([0.0, 12.0, 25.0, 31.0]), np.arange(4)
    loss, _ = ltr.RankNet.loss(scores, grades)
    assert 0 < loss < 0.01
    assert loss == pytest.approx(naive.ranknet_loss(scores, grades), rel=1e-12)
    loss, _ = ltr.RankNet.loss(2 * scores, grades)
    assert 0 < loss == pytest.approx(naive.ranknet_loss(2 * scores, grades), rel=1e-12)


def test_history_is_the_mean_over_pairs():
    rng = np.random.default_rng(0)
    data = ltr.RankingData(rng.normal(size=(60, 3)), rng.integers(0, 3, 60), np.repeat(np.arange(6), 10))
    model = ltr.RankNet(epochs=3).fit(data)
    history = model.history_.query("measure == 'loss'")["value"].to_numpy()
    for value, scores in zip(history, model.staged_predict(data), strict=True):
        total = sum(
            naive.ranknet_loss(scores[data.qid == q], data.y[data.qid == q]) for q in np.unique(data.qid)
        )
        assert value == pytest.approx(total / data.n_pairs, rel=1e-10)
    assert history[0] == pytest.approx(np.log(2))
