"""RankCosine's loss and slope against the paper's formula."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_loss_and_slope(n, size):
    rng = np.random.default_rng(n)
    scores, grades = size * rng.normal(size=n), rng.integers(0, 4, n)
    grades[0] = 2
    loss, slope = ltr.RankCosine.loss(scores, grades)
    assert loss == pytest.approx(naive.rankcosine_loss(scores, grades), rel=1e-10, abs=1e-12)
    expected = naive.finite_differences(lambda s: naive.rankcosine_loss(s, grades), scores, 1e-5 * size)
    np.testing.assert_allclose(slope * size, expected * size, rtol=1e-5, atol=1e-7)


def test_without_a_direction_nothing_is_learnt():
    for scores, grades in (([0.0, 0.0], [1, 2]), ([1.0, 2.0], [0, 0])):
        loss, slope = ltr.RankCosine.loss(scores, grades)
        assert loss == 0.5 and (slope == 0).all()
    data = ltr.RankingData([[1.0], [2.0]], [0, 0], [1, 1])
    assert ltr.RankCosine().fit(data).stopped_ == "no gain"


def test_huge_values_do_not_overflow():
    loss, slope = ltr.RankCosine.loss([1e200, 2e200], [1e300, 2e300])
    assert loss == pytest.approx(0, abs=1e-12) and np.isfinite(slope).all()


def test_the_output_bias_is_trained_and_explained():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    data = ltr.RankingData(X, np.clip(np.round(2 + X[:, 0]), 0, 4), np.repeat(np.arange(4), 10))
    model = ltr.RankCosine(epochs=40, step_size=0.02).fit(data)
    assert model.weights_[0, -1] == 1 and model.base_ not in (0.0, 1.0)
    loss = model.history_.query("measure == 'loss'")["value"].to_numpy()
    assert loss[-1] < 0.5 * loss[0]
