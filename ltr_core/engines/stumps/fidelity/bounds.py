"""What each of FRank's features can gain at most, from sums over documents alone.

A candidate has two sums over pairs, S and C, that only change by what documents lost; with N and T known,
with S and C bounded from below, α is bounded from above and so is ½ N α - ½ C α² - ⅙ T α³ + remainder.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

_LOW_BITS = 28  # of a packed number, as in `screen`
_LOW_MASK = (1 << _LOW_BITS) - 1


class Units(NamedTuple):
    """The units of FRank's packed sums: of N, of what S lost, of T, of what C lost."""

    pull: float
    mass: float
    third: float
    curve: float
    rounding: float  # of a sum, in units


class Remainder(NamedTuple):
    """What FRank's gain has beside the sums: ε, bounds of its slopes, whether P* = 1 and no pair is tied."""

    epsilon: float
    first: float  # of a gain, as a factor of α and of the share of all pairs that a threshold separates
    second: float  # of what the linear term leaves, the same of α²
    fourth: float  # of what the cubic term leaves, the same of α⁴
    plain: bool


@njit(nogil=True, cache=True)
def _sum_sizes(docs, out):
    """Sum the sizes of each row's numbers, eight sums at a time."""
    whole = docs.shape[1] // 8 * 8
    parts = np.empty(8)
    for k in range(docs.shape[0]):
        parts[:] = 0.0
        for i in range(0, whole, 8):
            for j in range(8):
                parts[j] += abs(docs[k, i + j])
        for i in range(whole, docs.shape[1]):
            parts[0] += abs(docs[k, i])
        out[k] = parts.sum()


@njit(nogil=True, cache=True, error_model="numpy")
def _pack_docs(docs, units, out):
    """Pack what W and the third slope are, rounded, with what |W| and the second one lost, rounded up.

    As `screen.pack` does, in one loop for each two: 0.11 ms for 100,000 documents instead of 0.45.
    """
    for k in range(2):
        high, low, own = docs[k], docs[k + 2], out[k]
        high_unit, low_unit = units[k], units[k + 2]
        for i in range(np.uint64(high.size)):
            rounded_up = np.int64(np.ceil(low[i] / low_unit))
            own[i] = (np.int64(np.rint(high[i] / high_unit)) << _LOW_BITS) + rounded_up


@njit(nogil=True, cache=True)
def _bound_gain(N, S, C, T, share, remainder):
    """Return the most that a stump with at least S and C can gain; N >= 0, T where it counts for the gain.

    What the sums leave over is bounded by the slopes of the pairs that are separated: of fourth order near,
    of first and second order far, where a stump that separates little has a large α. With P* = 1 (`plain`) W
    grows by at most e^(x/2) over a distance x, whatever its size: one more bound for long steps. It falls
    with S, and as the smoothing only shortens steps it may be put into S.
    """
    epsilon = remainder.epsilon
    S = max(S, N)
    alpha = 0.5 * np.log((S + N + 2.0 * epsilon) / (S - N + 2.0 * epsilon))
    best = alpha
    if C > 0.0 and C * alpha > 0.5 * N:
        best = 0.5 * N / C
    fourth = remainder.fourth * share * alpha
    gain = best * (0.5 * N - 0.5 * C * best) + alpha**3 * (max(0.0, T) / 6.0 + fourth)
    gain = min(gain, alpha * share * remainder.first)
    gain = min(gain, alpha * (0.5 * N + remainder.second * share * alpha))
    if not remainder.plain:
        return gain
    plus, minus, root = 0.5 * (S + N) + epsilon, 0.5 * (S - N) + epsilon, np.exp(0.5 * alpha)
    return min(gain, plus * (root - 1.0) - minus * (1.0 - 1.0 / root))


@njit(nogil=True, cache=True)
def _bound_feature(sums, n_bins, units, remainder, share, out_low):
    """Bring the lower bounds of S and C up to date; return the largest upper bound of a gain."""
    all_mass, all_curve = np.int64(0), np.int64(0)
    for b in range(n_bins):
        all_mass += sums[0, b] & _LOW_MASK
        all_curve += sums[1, b] & _LOW_MASK
    pull, mass, third, curve = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    best = 0.0
    for b in range(n_bins - 1):
        pull -= sums[0, b] >> _LOW_BITS
        mass += sums[0, b] & _LOW_MASK
        third -= sums[1, b] >> _LOW_BITS
        curve += sums[1, b] & _LOW_MASK
        N, T = abs(pull) * units.pull, third * units.third
        T = -T if pull > 0 else T  # a rising gain is a falling third slope
        lost = min(mass, all_mass - mass) * units.mass
        out_low[0, b] = max(out_low[0, b] - lost, N - units.rounding * units.pull)
        out_low[1, b] -= min(curve, all_curve - curve) * units.curve
        N += units.rounding * units.pull
        T += units.rounding * units.third
        best = max(best, _bound_gain(N, out_low[0, b], out_low[1, b], T, share[b], remainder))
    return best


@njit(nogil=True, cache=True)
def _bound_features(first, last, sums, widths, starts, units, remainder, share, out_low, out):
    """Write the largest gain that each of some features can have."""
    for k in range(first, last):
        low = out_low[:, starts[k] : starts[k + 1]]
        own = share[starts[k] : starts[k + 1]]
        out[k] = _bound_feature(sums[:, k], widths[k], units, remainder, own, low)
