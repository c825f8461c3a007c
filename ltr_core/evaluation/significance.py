"""Is the difference real? Paired tests over queries, and Holm's correction when several systems are compared.

All take the differences per query, system minus baseline; NaN marks a query that the measure leaves out.
Differences of at most 1e-12 are rounding: they count as ties and as zeros, lest tests find significance in
it.

Decisions: where no query differs, p is 1; with fewer than two queries there is no t-test (NaN). The
randomisation test flips signs: in every combination when at most 16 queries differ, else in random ones, (1
+ as extreme) / (1 + drawn), from a generator of its own (splitmix64), so that one seed gives one value
everywhere.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..errors import DataError, ParameterError

ALPHA = 0.05  # below which a p tells a difference
TIE = 1e-12  # differences up to this are ties
_EXACT_UP_TO = 16  # queries that differ; 65,536 combinations
_SIDE_BY_SIDE = 256  # sums of random signs


class TTest(NamedTuple):
    """A paired t-test: the statistic, the two-sided p, and the one-sided p that the mean is above 0."""

    statistic: float
    p: float
    p_one_sided: float


def t_test(differences: Any) -> TTest:
    """Return the paired t-test on differences per query."""
    from scipy.special import stdtr  # scipy.stats, which has the test, takes half a second to import

    values = _as_differences(differences)
    n = len(values)
    if n < 2:
        return TTest(math.nan, math.nan, math.nan)
    if not values.any():
        return TTest(0.0, 1.0, 0.5)
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    if deviation <= 1e-15 * abs(mean):
        return TTest(math.copysign(math.inf, mean), 0.0, 0.0 if mean > 0 else 1.0)
    statistic = mean / (deviation / math.sqrt(n))
    return TTest(statistic, 2.0 * float(stdtr(n - 1, -abs(statistic))), float(stdtr(n - 1, -statistic)))


def randomization_test(differences: Any, n_resamples: int = 20_000, seed: int = 0) -> float:
    """Return the two-sided p of the paired randomisation test on the mean difference.

    Parameters
    ----------
    differences : array
        System minus baseline, one for each query.
    n_resamples : int
        How many random sign combinations are drawn when there are too many to try all.
    seed : int
        Of the random signs.
    """
    if n_resamples < 1:
        raise ParameterError(f"n_resamples = {n_resamples!r} cannot be used. Take at least 1.")
    values = _as_differences(differences)
    if not len(values):
        return math.nan
    values = values[values != 0.0]  # flipping the sign of 0 changes nothing
    if not len(values):
        return 1.0
    limit = abs(float(values.sum())) - 1e-12 * float(np.abs(values).sum())
    if len(values) <= _EXACT_UP_TO:
        return _count_all(values, limit) / 2 ** len(values)
    return (1 + _count_random(values, limit, n_resamples, np.uint64(seed % 2**64))) / (1 + n_resamples)


def holm(p_values: Any) -> np.ndarray:
    """Return Holm's adjusted p-values, in the order given; NaN stays NaN and is not counted."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, math.nan)
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]  # NaN sorts last
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def say(
    name: str,
    baseline: str,
    label: str,
    difference: float,
    better: int,
    n_queries: int,
    p: float,
    higher_is_better: bool = True,
    tied: int = 0,
    corrected: bool = False,
    needed: float = math.nan,
) -> str:
    """Say a comparison in one sentence: how much, on how many queries, and whether it is significant.

    `tied` is the number of queries that do not differ, `corrected` whether `p` is one of Holm's, `needed` how
    many queries it would take to tell, said where these do not.
    """
    if n_queries == 0:
        return f"{name} and {baseline} cannot be compared: {label} leaves out every query"
    if tied == n_queries:
        where = f"all {n_queries:,} queries" if n_queries > 1 else "the only query"
        return f"{name} equals {baseline} in {label} on {where}"
    side = "over" if difference > 0 else "below"
    direction = "" if higher_is_better else " (lower is better)"
    number = f"{difference:+.{digits_of(difference)}f}".replace("-", "−")
    text = f"{name} {number} {label}{direction} {side} {baseline}, "
    if n_queries == 1:
        return text + "on a single query: too few for a test"
    worse = n_queries - better - tied
    text += f"better on {better:,} of {n_queries:,} queries, equal on {tied:,}, worse on {worse:,}, "
    text += say_p(p)
    text += " (Holm)" if corrected else ""
    return f"{text}; {say_needed(needed)}" if p >= ALPHA and not math.isnan(needed) else text


def digits_of(difference: float, digits: int = 3) -> int:
    """Return how many decimals a difference is written with: enough that one that is there is not 0.000."""
    small = abs(difference)
    return max(digits, math.ceil(-math.log10(small))) if TIE < small < 0.5 * 10.0**-digits else digits


def say_p(p: float) -> str:
    """Write a p-value as papers do."""
    if math.isnan(p):
        return "too few queries for a test"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def say_needed(needed: float, of: str = "queries") -> str:
    """Say how many queries it would take, in two digits: it is an estimate."""
    if math.isnan(needed):
        return f"too few {of} to say how many it would take"
    if needed > 1e7:
        return f"no number of {of} would tell a difference this small"
    digits = max(0, len(str(int(needed))) - 2)
    return f"it would take about {round(needed, -digits):,.0f} {of} to tell"


def warmup() -> None:
    """Compile the kernels, or take them from the cache."""
    randomization_test(np.ones(2))
    randomization_test(np.ones(_EXACT_UP_TO + 1), 1)


def _as_differences(differences: Any) -> np.ndarray:
    values = np.array(differences, dtype=np.float64).ravel()
    values = values[~np.isnan(values)]
    if np.isinf(values).any():
        raise DataError("a difference between two systems is infinite", "give finite values")
    values[np.abs(values) <= TIE] = 0.0
    return values


@njit(nogil=True, cache=True)
def _count_all(values, limit):
    """Count the sign combinations whose sum is at least as far from 0 as `limit`."""
    n = len(values)
    count = 0
    for signs in range(1 << n):
        total = 0.0
        for i in range(n):
            total += values[i] if (signs >> i) & 1 else -values[i]
        count += abs(total) >= limit
    return count


@njit(nogil=True, cache=True)
def _count_random(values, limit, n_resamples, seed):
    """Count the random sign combinations whose sum is at least as far from 0 as `limit`.

    Many sums grow side by side, each in the order of its values: the processor adds several at a time, which
    takes an eighth of the time of one sum after another. A word of 64 signs is drawn by its number.
    """
    n = len(values)
    n_words = (n + 63) // 64
    signs, totals = np.empty(_SIDE_BY_SIDE, np.uint64), np.empty(_SIDE_BY_SIDE)
    count = 0
    for first in range(0, n_resamples, _SIDE_BY_SIDE):
        size = min(_SIDE_BY_SIDE, n_resamples - first)
        totals[:size] = 0.0
        for word in range(n_words):
            for j in range(size):
                bits = seed + np.uint64((first + j) * n_words + word + 1) * np.uint64(0x9E3779B97F4A7C15)
                bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                signs[j] = bits ^ (bits >> np.uint64(31))
            for i in range(64 * word, min(64 * word + 64, n)):
                value, place = values[i], np.uint64(i - 64 * word)
                for j in range(size):
                    totals[j] += value if (signs[j] >> place) & np.uint64(1) else -value
        for j in range(size):
            count += abs(totals[j]) >= limit
    return count
