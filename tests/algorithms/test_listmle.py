"""ListMLE's loss, slope and orders among equal grades against the paper's formula."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.algorithms.networks.listmle import _shuffle_equal
from tests import naive


def by_grade(grades):
    return sorted(range(len(grades)), key=lambda i: -grades[i])


@pytest.mark.parametrize("n", [1, 2, 7, 30])
@pytest.mark.parametrize("spread", [0.1, 3.0, 40.0])
def test_loss_and_slope_in_file_order(n, spread):
    rng = np.random.default_rng(n)
    scores, grades = spread * rng.normal(size=n), rng.integers(0, 3, n)
    loss, slope = ltr.ListMLE.loss(scores, grades)
    assert loss == pytest.approx(naive.listmle_loss(scores, by_grade(grades)), rel=1e-10, abs=1e-12)
    expected = naive.finite_differences(lambda s: naive.listmle_loss(s, by_grade(grades)), scores)
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-6)


def test_equal_grades_take_the_order_of_the_seed():
    rng = np.random.default_rng(3)
    scores, grades = rng.normal(size=9), np.array([0, 1, 2, 1, 0, 1, 2, 0, 0])
    for seed in (1, 77, 2**63 + 5):
        order = np.argsort(-grades, kind="stable")
        _shuffle_equal(grades.astype(float), np.uint64(seed), order)
        assert sorted(order) == list(range(9)) and (np.diff(grades[order]) <= 0).all()
        loss, slope = ltr.ListMLE.loss(scores, grades, seed=seed)
        assert loss == pytest.approx(naive.listmle_loss(scores, order), rel=1e-12)
        expected = naive.finite_differences(lambda s, o=order: naive.listmle_loss(s, o), scores)
        np.testing.assert_allclose(slope, expected, rtol=1e-6, atol=1e-8)


def test_every_order_of_equal_grades_is_as_likely():
    grades = np.array([2.0, 1, 1, 1, 0])
    seen = Counter()
    seeds = np.random.default_rng(0).integers(2**64, size=6000, dtype=np.uint64) | np.uint64(1)
    for seed in seeds:
        order = np.arange(5)
        _shuffle_equal(grades, seed, order)
        seen[tuple(order)] += 1
    assert len(seen) == 6 and {o[0] for o in seen} == {0} and {o[-1] for o in seen} == {4}
    assert max(abs(n - 1000) for n in seen.values()) < 150  # five deviations of a binomial


def test_suffix_sums_neither_overflow_nor_vanish():
    scores, grades = np.array([-4000.0, 0.0, 4000.0, 3999.0]), np.array([0, 1, 2, 3])
    loss, slope = ltr.ListMLE.loss(scores, grades)
    assert loss == pytest.approx(np.log1p(np.e)) and np.abs(slope).max() < 1
    loss, slope = ltr.ListMLE.loss(scores[::-1].copy(), np.array([0, 1, 2, 3]))
    assert np.isfinite(loss) and loss > 1e4 and np.isfinite(slope).all()


def test_equal_grades_are_drawn_afresh_every_epoch():
    """One query of equal grades: a fixed order would pull the scores apart epoch after epoch."""
    rng = np.random.default_rng(0)
    data = ltr.RankingData(rng.normal(size=(12, 3)), np.ones(12), np.zeros(12))
    model = ltr.ListMLE(epochs=300, step_size=0.01).fit(data)
    fixed = ltr.ListMLE(epochs=300, step_size=0.01).fit(data.X, np.arange(12, 0, -1), qid=data.qid)
    assert np.ptp(model.predict(data)) < 0.5 * np.ptp(fixed.predict(data))
