"""Verdicts in three states, and how many queries it would take, beside plain restatements."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats

from ltr_core.evaluation import (
    State,
    certain,
    interval,
    judge,
    judge_pooled,
    queries_needed,
    say_needed,
)
from tests import naive

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("mean", [0.02, -0.05, 0.2])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_queries_needed_as_by_trying(mean, alpha):
    differences = mean + 0.3 * RNG.standard_normal(80)
    assert queries_needed(differences, alpha) == naive.queries_by_trying(list(differences), alpha)


def test_queries_needed_where_there_is_nothing_to_find():
    assert queries_needed([1.0, -1.0]) == math.inf
    assert math.isnan(queries_needed([1.0])) and math.isnan(queries_needed([]))
    assert queries_needed([0.5, 0.5, 0.5]) == 2  # no spread: two are a test
    assert queries_needed([0.1, np.nan, -0.3]) == queries_needed([0.1, -0.3])


def test_so_many_queries_find_it_8_times_in_10():
    differences = 0.1 + 0.5 * RNG.standard_normal(60)
    n, mean, deviation = int(queries_needed(differences)), differences.mean(), differences.std(ddof=1)
    draws = mean + deviation * RNG.standard_normal((3000, n))
    found = (scipy.stats.ttest_1samp(draws, 0.0, axis=1).pvalue < 0.05).mean()
    assert 0.76 < found < 0.84


def test_the_interval_is_the_t_test_s():
    values = RNG.standard_normal(30)
    expected = scipy.stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    np.testing.assert_allclose(interval(values), expected, rtol=1e-12)
    assert all(map(math.isnan, interval([1.0])))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_states_follow_holm_by_hand(seed):
    rng = np.random.default_rng(seed)
    claims = {f"claim {i}": m + rng.standard_normal(40) for i, m in enumerate((0.0, 0.45, -0.5, 0.3, -0.05))}
    verdicts = judge(claims)
    p = [float(scipy.stats.ttest_1samp(own, 0.0).pvalue) for own in claims.values()]
    assert [str(v.state) for v in verdicts] == naive.state_by_hand(p, [own.mean() for own in claims.values()])
    for verdict, own in zip(verdicts, claims.values(), strict=True):
        assert verdict.difference == pytest.approx(own.mean()) and verdict.n_queries == 40
        assert verdict.needed == naive.queries_by_trying(list(own), 0.05 / 5)


def test_too_few_or_equal_queries_cannot_be_told():
    for differences in ([], [0.3], [0.0, 0.0, 0.0], [np.nan, np.nan]):
        assert judge({"a": differences})[0].state == State.UNTOLD
    assert judge_pooled({"a": lambda counts: 1.0}, 1)[0].state == State.UNTOLD


def test_queries_drawn_anew_give_the_mean_s_interval():
    values = 0.2 + RNG.standard_normal(50)

    def mean(counts):
        return float(counts @ values / counts.sum())

    verdict, opposite = judge_pooled({"above": mean, "below": lambda counts: -mean(counts)}, 50)
    low, high = naive.interval_of_draws(list(values))
    assert verdict.difference == pytest.approx(values.mean())
    assert verdict.low == pytest.approx(low, abs=0.03) and verdict.high == pytest.approx(high, abs=0.03)
    assert opposite.low == pytest.approx(-verdict.high) and opposite.p == verdict.p
    assert verdict.needed == pytest.approx(queries_needed(values, 0.05 / 2), rel=0.1)


def test_what_is_far_from_0_is_told_on_both_sides():
    values = 1.0 + RNG.standard_normal(50)
    claims = {"right": lambda c: float(c @ values), "wrong": lambda c: -float(c @ values)}
    assert [v.state for v in judge_pooled(claims, 50)] == [State.HOLDS, State.FAILS]
    assert (
        certain("1 < 2", True, "1").state == State.HOLDS and certain("2 < 1", False, "").state == State.FAILS
    )


def test_the_number_in_words():
    assert say_needed(1234.0) == "it would take about 1,200 queries to tell"
    assert "no number" in say_needed(math.inf) and "too few" in say_needed(math.nan)
    assert "about 7 " in say_needed(7.0)
