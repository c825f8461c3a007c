"""One pass over the binned matrix: every candidate's pull exactly, and what its gain can be at most.

A document's number packs two: its signed pull in the high bits and the mass of pair weights it lost in the
last round in the low ones, both in fixed point, so that one integer addition per cell sums both (0.24 ns; a
float64 sum costs more, and integer sums do not depend on their order). The mass that pairs separated by a
threshold lost is at most what documents on either side of it lost, so

    D_now >= D_before - min(lost above, lost below, lost in all),   D_now >= D_before · (largest shrinking),

and with D >= |N| · min(mass / distance) the gain, which falls with D, has an upper bound. Only features whose
bound reaches the best gain found are evaluated (some 5 of 50 a round).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_LOW_BITS = 28
_ROUNDING = 1e-13  # where D is |N| on paper, the root would blow a difference of 1e-16 up to 1e-8
_GROUP = 4  # features taken together: their sums do not wait for one another


@njit(nogil=True, cache=True)
def _gain_of(N, D, rule):
    """Return the gain of a candidate: N²/D (rule 0), or 1 - Z of RankBoost (rule 1); D >= |N|, D > 0."""
    if rule == 0:
        return N * N / D
    if D - abs(N) <= _ROUNDING * D:
        return abs(N)
    return N * N / (D + np.sqrt(D * D - N * N))


@njit(nogil=True, cache=True)
def _sum_group(bins, first, last, numbers, out):
    """Sum the documents' numbers by bin, for up to four features."""
    out[:] = 0
    n = np.uint64(numbers.size)
    if last - first == 4:
        b0, b1, b2, b3 = bins[first], bins[first + 1], bins[first + 2], bins[first + 3]
        for i in range(n):
            x = numbers[i]
            out[0, b0[i]] += x
            out[1, b1[i]] += x
            out[2, b2[i]] += x
            out[3, b3[i]] += x
    else:
        for k in range(first, last):
            row, column = out[k - first], bins[k]
            for i in range(n):
                row[column[i]] += numbers[i]


@njit(nogil=True, cache=True)
def _bound_feature(sums, n_bins, scales, rule, out_low):
    """Bring the lower bounds of D up to date; return the largest upper bound of a gain."""
    pull_unit, pull_error, loss_unit, loss_cap, carry, shrinking, mass_per_pull = scales
    low_mask = (np.int64(1) << _LOW_BITS) - 1
    pull, loss = np.int64(0), np.int64(0)
    total = np.int64(0)
    for b in range(n_bins):
        total += sums[b] & low_mask
    best = 0.0
    for b in range(n_bins - 1):
        pull += sums[b] >> _LOW_BITS
        loss += sums[b] & low_mask
        N = abs(pull * pull_unit)
        lost = min(min(loss, total - loss) * loss_unit, loss_cap)
        D = out_low[b] * carry
        D = max(D * shrinking, D - lost)
        D = max(D, (N - pull_error) * mass_per_pull) * (1.0 - 1e-6)  # 1e-6: rounding to float32
        out_low[b] = D
        N += pull_error
        best = max(best, _gain_of(N, max(D, N * mass_per_pull), rule))
    return best


@njit(nogil=True, cache=True)
def _screen_group(bins, first, last, numbers, widths, starts, scales, rule, out_low, out):
    longest = 1
    for k in range(first, last):
        longest = max(longest, widths[k])
    sums = np.empty((_GROUP, longest), dtype=np.int64)
    _sum_group(bins, first, last, numbers, sums)
    for k in range(first, last):
        low = out_low[starts[k] : starts[k + 1]]
        out[k] = _bound_feature(sums[k - first], widths[k], scales, rule, low)


@njit(nogil=True, cache=True)
def _screen_groups(bins, numbers, widths, starts, scales, rule, out_low, out):
    d = widths.size
    for g in range((d + _GROUP - 1) // _GROUP):
        last = min(d, (g + 1) * _GROUP)
        _screen_group(bins, g * _GROUP, last, numbers, widths, starts, scales, rule, out_low, out)


@njit(parallel=True, nogil=True, cache=True)
def _screen_groups_parallel(bins, numbers, widths, starts, scales, rule, out_low, out):
    for g in prange((widths.size + _GROUP - 1) // _GROUP):
        last = min(widths.size, (g + 1) * _GROUP)
        _screen_group(bins, g * _GROUP, last, numbers, widths, starts, scales, rule, out_low, out)


@njit(nogil=True, cache=True)
def _pull_group(bins, first, last, numbers, widths, out):
    """Write the largest |pull| of each feature, in the numbers' own unit."""
    longest = 1
    for k in range(first, last):
        longest = max(longest, widths[k])
    sums = np.empty((_GROUP, longest), dtype=np.int64)
    _sum_group(bins, first, last, numbers, sums)
    for k in range(first, last):
        pull, most = np.int64(0), np.int64(0)
        for b in range(widths[k] - 1):
            pull += sums[k - first, b]
            most = max(most, abs(pull))
        out[k] = most


@njit(nogil=True, cache=True)
def _pull_groups(bins, numbers, widths, out):
    d = widths.size
    for g in range((d + _GROUP - 1) // _GROUP):
        _pull_group(bins, g * _GROUP, min(d, (g + 1) * _GROUP), numbers, widths, out)


@njit(parallel=True, nogil=True, cache=True)
def _pull_groups_parallel(bins, numbers, widths, out):
    for g in prange((widths.size + _GROUP - 1) // _GROUP):
        _pull_group(bins, g * _GROUP, min(widths.size, (g + 1) * _GROUP), numbers, widths, out)


@njit(nogil=True, cache=True)
def _find_first(column, numbers, n_bins, least):
    """Return the first threshold whose |pull| reaches `least`, and its pull."""
    sums = np.zeros(n_bins, dtype=np.int64)
    for i in range(numbers.size):
        sums[column[i]] += numbers[i]
    pull = np.int64(0)
    for b in range(n_bins - 1):
        pull += sums[b]
        if abs(pull) >= least:
            return b, pull
    return -1, np.int64(0)
