"""LambdaRank's slopes and weights against the papers' formulas."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive


def query(n, seed, n_grades=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=n) * 3, rng.integers(0, n_grades, n)


@pytest.mark.parametrize("k", [1, 3, 10, 1000])
@pytest.mark.parametrize("n", [2, 3, 11, 30])
def test_slopes_are_the_lambdas(n, k):
    for seed in range(8):
        scores, grades = query(n, seed)
        if not naive.preferred_pairs(grades):
            continue
        loss, slope = ltr.LambdaRank.loss(scores, grades, option=k)
        np.testing.assert_allclose(slope, naive.lambdarank_slope(scores, grades, k), rtol=1e-10, atol=1e-13)
        assert loss == pytest.approx(naive.lambdarank_loss(scores, grades, k), rel=1e-10)


def test_slopes_are_finite_differences_while_the_order_stands_still():
    scores, grades = query(12, 0)
    _, slope = ltr.LambdaRank.loss(scores, grades, option=5)
    expected = naive.finite_differences(lambda s: naive.lambdarank_loss(s, grades, 5, scores), scores)
    np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)


def test_equal_scores_stay_in_file_order():
    grades = np.array([0, 2, 1, 0])
    loss, slope = ltr.LambdaRank.loss(np.zeros(4), grades, option=2)
    assert loss == pytest.approx(naive.lambdarank_loss(np.zeros(4), grades, 2))
    assert slope[0] > slope[3] > 0 > slope[1], "the first of the file stands first"


def test_large_grades_do_not_overflow():
    loss, slope = ltr.LambdaRank.loss(np.array([0.0, 1.0, 2.0]), np.array([5000, 4999, 0]), option=10)
    assert np.isfinite(loss) and np.isfinite(slope).all() and slope[0] < 0
    small = ltr.LambdaRank.loss(np.array([0.0, 1.0, 2.0]), np.array([50, 49, 0]), option=10)
    np.testing.assert_allclose(slope, small[1], rtol=1e-9)


def test_history_shows_ranknets_loss():
    rng = np.random.default_rng(1)
    data = ltr.RankingData(rng.normal(size=(50, 3)), rng.integers(0, 3, 50), np.repeat(np.arange(5), 10))
    model = ltr.LambdaRank(k=3, epochs=2).fit(data)
    history = model.history_.query("measure == 'loss'")["value"].to_numpy()
    for value, scores in zip(history, model.staged_predict(data), strict=True):
        losses = [naive.ranknet_loss(scores[data.qid == q], data.y[data.qid == q]) for q in range(5)]
        assert value == pytest.approx(sum(losses) / data.n_pairs, rel=1e-9)


def test_k_decides_which_pairs_count():
    rng = np.random.default_rng(2)
    data = ltr.RankingData(rng.normal(size=(60, 3)), rng.integers(0, 3, 60), np.repeat(np.arange(3), 20))
    one, ten = (ltr.LambdaRank(k=k, epochs=3).fit(data).weights_[-1] for k in (1, 10))
    assert not np.allclose(one, ten)
