"""Paired tests against scipy, exact enumeration by hand, and the cases where there is nothing to test."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ltr_core.evaluation.significance import holm, randomization_test, say, say_p, t_test


def differences(n, seed=0, shift=0.02):
    """Differences as measures give them: many zeros, few values."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(n) < 0.3, 0.0, rng.normal(shift, 0.1, n))


@pytest.mark.parametrize("n", [2, 3, 30, 784])
@pytest.mark.parametrize("shift", [0.02, -0.3])
def test_t_test_of_scipy(n, shift):
    values = np.random.default_rng(n).normal(shift, 0.1, n)
    ref = stats.ttest_1samp(values, 0.0)
    comp = t_test(values)
    assert comp.statistic == pytest.approx(ref.statistic, rel=1e-10)
    assert comp.p == pytest.approx(ref.pvalue, rel=1e-10)
    assert comp.p_one_sided == pytest.approx(
        stats.ttest_1samp(values, 0.0, alternative="greater").pvalue, rel=1e-10
    )


@pytest.mark.parametrize("n", [1, 2, 5, 11])
def test_randomization_test_tries_every_sign(n):
    values = differences(n, n) + 0.01
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=n)
    ]
    ref = np.mean(np.array(sums) >= abs(values.sum()) - 1e-12)
    assert randomization_test(values) == ref
    assert randomization_test(-values) == ref
    assert randomization_test(np.r_[values, np.zeros(50)]) == ref  # queries that do not differ say nothing


def test_rounding_of_the_sums_does_not_count():
    """Sums of tenths: in whole numbers 54 of the 64 are as far from 0 as the one observed."""
    assert randomization_test([-0.8, -0.9, -0.6, 0.6, 0.3, 0.8]) == 54 / 64


def test_randomization_test_of_many_queries_is_near_the_exact_one():
    values = differences(19, 3, 0.04) + 1e-3
    signs = 1 - 2 * ((np.arange(1 << 19)[:, None] >> np.arange(19)) & 1)
    ref = np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-12)
    assert 0.01 < ref < 0.9
    comp = randomization_test(values, 200_000, seed=1)
    assert comp == pytest.approx(ref, abs=5 * math.sqrt(ref * (1 - ref) / 200_000))
    assert comp == randomization_test(values, 200_000, seed=1)
    assert comp != randomization_test(values, 200_000, seed=2)
    wide = differences(784, 4)  # more than one word of random signs
    assert randomization_test(wide) == pytest.approx(t_test(wide).p, abs=0.02)


def one_after_another(values, n_resamples, seed):
    """The same signs, of splitmix64 as it is published, and each sum by itself in the order of its values."""
    ones, state, count = (1 << 64) - 1, seed, 0
    limit = abs(float(values.sum())) - 1e-12 * float(np.abs(values).sum())
    for _ in range(n_resamples):
        total = 0.0
        for i, value in enumerate(values.tolist()):
            if i % 64 == 0:
                state = (state + 0x9E3779B97F4A7C15) & ones
                bits = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & ones
                bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & ones
                bits ^= bits >> 31
            total += value if bits & 1 else -value
            bits >>= 1
        count += abs(total) >= limit
    return (1 + count) / (1 + n_resamples)


@pytest.mark.parametrize("n", [17, 64, 65, 150])
@pytest.mark.parametrize("n_resamples", [1, 256, 300])
def test_sums_side_by_side_are_those_of_one_after_another(n, n_resamples):
    values = np.random.default_rng(n).normal(0.02, 0.1, n)
    for seed in (0, 7, 2**64 - 1):
        assert randomization_test(values, n_resamples, seed) == one_after_another(values, n_resamples, seed)


def test_a_clear_difference_has_the_smallest_p():
    assert randomization_test(np.ones(100), 999) == pytest.approx(1 / 1000)
    assert randomization_test(np.ones(10)) == pytest.approx(2 / 2**10)
    assert t_test(np.ones(100)) == (math.inf, 0.0, 0.0)
    assert t_test(-np.ones(100)) == (-math.inf, 0.0, 1.0)


@pytest.mark.filterwarnings("error")
def test_where_there_is_nothing_to_test():
    for nothing in ([], [math.nan], [math.nan, math.nan]):
        assert math.isnan(t_test(nothing).p) and math.isnan(randomization_test(nothing))
    assert math.isnan(t_test([0.3]).p) and randomization_test([0.3]) == 1.0
    assert t_test(np.zeros(9)) == (0.0, 1.0, 0.5) and randomization_test(np.zeros(9)) == 1.0
    rounding = np.array([1e-17, 2e-17, 1e-17, -3e-17, 9e-13])
    assert t_test(rounding).p == 1.0 and randomization_test(rounding) == 1.0
    assert t_test([0.1, math.nan, 0.2, 0.4]) == t_test([0.1, 0.2, 0.4])


def test_wrong_arguments_are_sentences():
    with pytest.raises(ValueError, match="n_resamples = 0 cannot be used"):
        randomization_test([1.0], 0)
    with pytest.raises(ValueError, match="a difference between two systems is infinite"):
        t_test([1.0, math.inf])


def test_holm():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])
    np.testing.assert_allclose(holm([0.5, 0.6]), [1.0, 1.0])
    np.testing.assert_allclose(holm([0.02, math.nan, 0.01]), [0.02, math.nan, 0.02])
    assert len(holm([])) == 0
    rng = np.random.default_rng(0)
    p = rng.random(20)
    ranked = np.sort(p)
    ref = [max(min((20 - i) * ranked[i], 1) for i in range(j + 1)) for j in range(20)]
    np.testing.assert_allclose(np.sort(holm(p)), ref)


def test_sentences():
    assert (
        say("LOGDD", "BINARY", "NDCG@5", 0.0212, 61, 120, 0.0041)
        == "LOGDD +0.021 NDCG@5 over BINARY, better on 61 of 120 queries, equal on 0, worse on 59, p = 0.004"
    )
    assert (
        say("LDD", "BINARY", "NDCG@5", -0.0136, 40, 120, 1e-9, tied=7)
        == "LDD −0.014 NDCG@5 below BINARY, better on 40 of 120 queries, equal on 7, worse on 73, p < 0.001"
    )
    assert say("A", "B", "MAP", 0.1, 9, 10, 0.01, corrected=True).endswith("p = 0.010 (Holm)")
    untold = say("A", "B", "MAP", 0.1, 9, 10, 0.2, needed=1234.0)
    assert untold.endswith("p = 0.200; it would take about 1,200 queries to tell")
    assert say("A", "B", "MAP", 0.1, 9, 10, 0.01, needed=4.0).endswith("p = 0.010")  # these do tell
    assert "(lower is better)" in say("A", "B", "τ distance", -0.1, 9, 10, 0.01, higher_is_better=False)
    assert say("A", "B", "MAP", 0.0, 0, 7, 1.0, tied=7) == "A equals B in MAP on all 7 queries"
    assert say("A", "B", "MAP", 0.0, 0, 1, 1.0, tied=1) == "A equals B in MAP on the only query"
    assert (
        say("A", "B", "MAP", 0.1, 1, 1, math.nan)
        == "A +0.100 MAP over B, on a single query: too few for a test"
    )
    assert say("A", "B", "MAP", -0.0003, 3, 7, 0.9).startswith("A −0.0003 MAP below B")  # no −0.000
    assert say("A", "B", "MAP", 4e-6, 3, 7, 0.9).startswith("A +0.000004 MAP over B")
    assert "cannot be compared" in say("A", "B", "MAP", math.nan, 0, 0, math.nan)
    assert say_p(0.0009) == "p < 0.001" and say_p(0.5) == "p = 0.500" and "too few" in say_p(math.nan)
