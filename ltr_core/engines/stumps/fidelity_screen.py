"""What a candidate of FRank can gain at most, from sums over documents and what was known of it before.

S and C of a candidate are sums over the pairs it separates. What they have lost since they were last known
is at most what documents on either side of the threshold lost, as in `screen`; so with N and T known now,
with S and C bounded from below, α is bounded from above and so is ½ N α - ½ C α² - ⅙ T α³ + remainder.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_LOW_BITS = 28
_GROUP = 4  # features taken together: their sums do not wait for one another


@njit(nogil=True, cache=True)
def _sum_group(bins, first, last, numbers, out):
    """Sum two packed numbers of each document by bin, for up to four features."""
    out[:] = 0
    n = np.uint64(numbers.shape[1])
    for r in range(2):
        values = numbers[r]
        if last - first == 4:
            b0, b1, b2, b3 = bins[first], bins[first + 1], bins[first + 2], bins[first + 3]
            for i in range(n):
                x = values[i]
                out[r, 0, b0[i]] += x
                out[r, 1, b1[i]] += x
                out[r, 2, b2[i]] += x
                out[r, 3, b3[i]] += x
        else:
            for k in range(first, last):
                row, column = out[r, k - first], bins[k]
                for i in range(n):
                    row[column[i]] += values[i]


@njit(nogil=True, cache=True)
def _bound_gain(N, S, C, T, epsilon, fourth, plain):
    """Return the most that a stump with at least S and C can gain; N >= 0, T where it counts for the gain.

    With P* = 1 (`plain`) W grows by at most e^(x/2) over a distance x, whatever its size: a second bound, the
    better one for long steps. It falls with S, and as the smoothing only shortens steps it may be put into S.
    """
    S = max(S, N)
    alpha = 0.5 * np.log((S + N + 2.0 * epsilon) / (S - N + 2.0 * epsilon))
    best = alpha
    if C > 0.0 and C * alpha > 0.5 * N:
        best = 0.5 * N / C
    gain = best * (0.5 * N - 0.5 * C * best) + alpha**3 * (max(0.0, T) / 6.0 + fourth * alpha)
    if not plain:
        return gain
    plus, minus, root = 0.5 * (S + N) + epsilon, 0.5 * (S - N) + epsilon, np.exp(0.5 * alpha)
    return min(gain, plus * (root - 1.0) - minus * (1.0 - 1.0 / root))


@njit(nogil=True, cache=True)
def _bound_feature(sums, n_bins, units, remainder, out_low):
    """Bring the lower bounds of S and C up to date; return the largest upper bound of a gain."""
    pull_unit, mass_unit, third_unit, curve_unit, rounding = units
    epsilon, fourth, plain = remainder
    mask = (np.int64(1) << _LOW_BITS) - 1
    all_mass, all_curve = np.int64(0), np.int64(0)
    for b in range(n_bins):
        all_mass += sums[0, b] & mask
        all_curve += sums[1, b] & mask
    pull, mass, third, curve = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    best = 0.0
    for b in range(n_bins - 1):
        pull -= sums[0, b] >> _LOW_BITS
        mass += sums[0, b] & mask
        third -= sums[1, b] >> _LOW_BITS
        curve += sums[1, b] & mask
        N, T = abs(pull) * pull_unit, third * third_unit
        T = -T if pull > 0 else T  # a rising gain is a falling third slope
        lost = min(mass, all_mass - mass) * mass_unit
        out_low[0, b] = max(out_low[0, b] - lost, N - rounding * pull_unit)
        out_low[1, b] -= min(curve, all_curve - curve) * curve_unit
        N += rounding * pull_unit
        T += rounding * third_unit
        best = max(best, _bound_gain(N, out_low[0, b], out_low[1, b], T, epsilon, fourth, plain))
    return best


@njit(nogil=True, cache=True)
def _bound_group(bins, first, last, numbers, widths, starts, units, remainder, out_low, out):
    longest = 1
    for k in range(first, last):
        longest = max(longest, widths[k])
    sums = np.empty((2, _GROUP, longest), dtype=np.int64)
    _sum_group(bins, first, last, numbers, sums)
    for k in range(first, last):
        low = out_low[:, starts[k] : starts[k + 1]]
        out[k] = _bound_feature(sums[:, k - first], widths[k], units, remainder, low)


@njit(nogil=True, cache=True)
def _bound_groups(bins, numbers, widths, starts, units, remainder, out_low, out):
    d = widths.size
    for g in range((d + _GROUP - 1) // _GROUP):
        last = min(d, (g + 1) * _GROUP)
        _bound_group(bins, g * _GROUP, last, numbers, widths, starts, units, remainder, out_low, out)


@njit(parallel=True, nogil=True, cache=True)
def _bound_groups_parallel(bins, numbers, widths, starts, units, remainder, out_low, out):
    for g in prange((widths.size + _GROUP - 1) // _GROUP):
        last = min(widths.size, (g + 1) * _GROUP)
        _bound_group(bins, g * _GROUP, last, numbers, widths, starts, units, remainder, out_low, out)
