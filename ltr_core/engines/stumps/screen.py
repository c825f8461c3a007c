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

from typing import NamedTuple

import numpy as np
from numba import njit

LOW_BITS = 28  # of a packed number; the others hold what has a sign
FINE, HIGH, LOW = 2.0**61, 2.0**34, 2.0**27  # what sums of whole numbers may reach: alone, and packed in two
_LOW_MASK = (1 << LOW_BITS) - 1
_ROUNDING = 1e-13  # where D is |N| on paper, the root would blow a difference of 1e-16 up to 1e-8
_NEAR = 1.0 - 1e-9  # a gain from there on can be a tie
_GROUP = 2  # features taken together: their sums do not wait for one another


class Packed(NamedTuple):
    """All documents' pulls, and what their pairs lost in the last round, as whole numbers in units."""

    pulls: np.ndarray  # int64: each document's signed pull Σ_j w d, in `pull_unit`
    numbers: np.ndarray  # int64: the pull in `coarse_unit` and the mass lost in `loss_unit`, packed
    pull_unit: float
    coarse_unit: float
    loss_unit: float
    loss_cap: float  # no threshold has lost more
    shrinking: float  # the share of its mass that every pair has kept at least
    carry: float = 1.0  # by what weights were multiplied since bounds were worked out
    fresh: bool = False  # whether bounds from before the last round mean nothing any more

    @property
    def coarse_error(self) -> float:
        """How far a sum of pulls from the packed numbers is off at most."""
        return 0.501 * len(self.numbers) * self.coarse_unit

    def rescaled(self, ratio: float) -> Packed:
        """Return it for weights that were all multiplied by a ratio."""
        pull, coarse, loss, cap = (ratio * unit for unit in self[2:6])
        same = self._replace(pull_unit=pull, coarse_unit=coarse, loss_unit=loss, loss_cap=cap)
        return same._replace(carry=ratio * (1.0 - 1e-9))


class Change(NamedTuple):
    """How to bring lower bounds of D up to date."""

    pull_unit: float
    pull_error: float  # of a sum of pulls
    loss_unit: float  # these four as in `Packed`
    loss_cap: float
    shrinking: float
    carry: float
    mass_per_pull: float  # D >= |N| times this


class Grain(NamedTuple):
    """What tells a gain from rounding."""

    pull_unit: float
    coarse_unit: float
    coarse_error: float  # of a sum of pulls in the coarse unit
    mass_per_pull: float
    no_pull: float  # |N| up to this is none
    noise: float  # of D


def pack(high: np.ndarray, high_unit: float, low: np.ndarray, low_unit: float) -> np.ndarray:
    """Return packed numbers: `high` has a sign and is rounded, `low` has none and is rounded up."""
    packed = np.rint(high / high_unit).astype(np.int64) << LOW_BITS
    return packed + np.ceil(low / low_unit).astype(np.int64) if low_unit > 0.0 else packed


@njit(nogil=True, cache=True)
def _gain_of(N, D, rule):
    """Return the gain of a candidate: N²/D (rule 0), or 1 - Z of RankBoost (rule 1); D >= |N|, D > 0."""
    if rule == 0:
        return N * N / D
    if D - abs(N) <= _ROUNDING * D:
        return abs(N)
    return N * N / (D + np.sqrt(D * D - N * N))


@njit(nogil=True, cache=True)
def _sum_crowded(words, other_words, numbers, tables, out, out_other):
    """Sum numbers by bin for two features of 256 bins at most; documents take turns with four tables each."""
    tables[:] = 0
    a, b, c, d = tables[0], tables[1], tables[2], tables[3]
    e, f, g, h = tables[4], tables[5], tables[6], tables[7]
    bits, mask = np.uint64(8), np.uint64(255)
    for w in range(np.uint64(words.size)):
        word, other, first = words[w], other_words[w], w * np.uint64(8)
        for i in range(first, first + np.uint64(8), np.uint64(4)):
            x = numbers[i]
            a[word & mask] += x
            e[other & mask] += x
            word, other = word >> bits, other >> bits
            x = numbers[i + np.uint64(1)]
            b[word & mask] += x
            f[other & mask] += x
            word, other = word >> bits, other >> bits
            x = numbers[i + np.uint64(2)]
            c[word & mask] += x
            g[other & mask] += x
            word, other = word >> bits, other >> bits
            x = numbers[i + np.uint64(3)]
            d[word & mask] += x
            h[other & mask] += x
            word, other = word >> bits, other >> bits
    for bin_ in range(out.size):
        out[bin_] += (a[bin_] + b[bin_]) + (c[bin_] + d[bin_])
    for bin_ in range(out_other.size):
        out_other[bin_] += (e[bin_] + f[bin_]) + (g[bin_] + h[bin_])


@njit(nogil=True, cache=True)
def _sum_group(bins, first, last, widths, crowded, numbers, out):
    """Sum the documents' numbers by bin, for one feature or two at a time.

    Their bins are read eight bytes at a time. Where many documents have one value, as in most real data, an
    addition would wait for the one before it: features that are `crowded` have several tables (0.28 ns a cell
    instead of 0.48 on MSLR's features and on MQ2008's; others would take 0.25 so instead of 0.23).
    """
    for k in range(first, last):
        for b in range(widths[k]):
            out[k - first, b] = 0
    n = np.uint64(numbers.size)
    width = np.uint64(bins.itemsize)
    together = np.uint64(8) // width
    bits = np.uint64(8) * width
    mask = (np.uint64(1) << bits) - np.uint64(1)
    whole = n // together * together
    tables = np.empty((8, 256), dtype=np.int64)
    for k in range(first, last - 1, 2):
        column, other = bins[k], bins[k + 1]
        row, other_row = out[k - first], out[k + 1 - first]
        words, other_words = column[:whole].view(np.uint64), other[:whole].view(np.uint64)
        if crowded[k] or crowded[k + 1]:
            ends = row[: widths[k]], other_row[: widths[k + 1]]
            _sum_crowded(words, other_words, numbers, tables, *ends)
        else:
            for w in range(np.uint64(words.size)):
                word, other_word = words[w], other_words[w]
                for j in range(together):
                    x = numbers[w * together + j]
                    row[word & mask] += x
                    other_row[other_word & mask] += x
                    word, other_word = word >> bits, other_word >> bits
        for i in range(whole, n):
            row[column[i]] += numbers[i]
            other_row[other[i]] += numbers[i]
    if (last - first) % 2:
        row, column = out[last - 1 - first], bins[last - 1]
        for i in range(n):
            row[column[i]] += numbers[i]


@njit(nogil=True, cache=True)
def _sum_column(column, numbers, tables):
    """Sum the documents' numbers by bin, for one feature, into the first of four tables that take turns."""
    tables[:] = 0
    a, b, c, d = tables[0], tables[1], tables[2], tables[3]
    n, four = np.uint64(numbers.size), np.uint64(4)
    for i in range(np.uint64(0), n // four * four, four):
        j, k, m = i + np.uint64(1), i + np.uint64(2), i + np.uint64(3)
        a[column[i]] += numbers[i]
        b[column[j]] += numbers[j]
        c[column[k]] += numbers[k]
        d[column[m]] += numbers[m]
    for i in range(n // four * four, n):
        a[column[i]] += numbers[i]
    for i in range(a.size):
        a[i] += b[i] + c[i] + d[i]
    return a


@njit(nogil=True, cache=True)
def _bound_feature(sums, n_bins, change, rule, out_low, out_pulls):
    """Write the pulls below thresholds, bring low bounds of D up to date; return the gain's upper bound."""
    pull, loss = np.int64(0), np.int64(0)
    total = np.int64(0)
    for b in range(n_bins):
        total += sums[b] & _LOW_MASK
    best = 0.0
    for b in range(n_bins - 1):
        pull += sums[b] >> LOW_BITS
        loss += sums[b] & _LOW_MASK
        out_pulls[b] = pull
        N = abs(pull * change.pull_unit)
        lost = min(min(loss, total - loss) * change.loss_unit, change.loss_cap)
        D = out_low[b] * change.carry
        D = max(D * change.shrinking, D - lost)
        D = max(D, (N - change.pull_error) * change.mass_per_pull) * (1.0 - 1e-6)  # 1e-6: rounding to float32
        out_low[b] = D
        N += change.pull_error
        best = max(best, _gain_of(N, max(D, N * change.mass_per_pull), rule))
    return best


@njit(nogil=True, cache=True)
def _screen_features(
    first, last, bins, numbers, widths, crowded, starts, change, rule, out_low, out_pulls, out
):
    """Write the largest gain that each feature can have, and the pulls below its thresholds."""
    sums = np.empty((_GROUP, widths[first:last].max()), dtype=np.int64)
    for start in range(first, last, _GROUP):
        stop = min(last, start + _GROUP)
        _sum_group(bins, start, stop, widths, crowded, numbers, sums)
        for k in range(start, stop):
            low, pulls = out_low[starts[k] : starts[k + 1]], out_pulls[starts[k] : starts[k + 1]]
            out[k] = _bound_feature(sums[k - start], widths[k], change, rule, low, pulls)


@njit(nogil=True, cache=True)
def _bound_chosen(first, last, bins, chosen, pulls, pull_unit, starts, mass_per_pull, rule, low, out):
    """Write the largest gain that some of the chosen features can have, from exact pulls."""
    for f in range(first, last):
        k, best, pull = chosen[f], 0.0, np.int64(0)
        n_bins = starts[k + 1] - starts[k]
        sums = _sum_column(bins[k], pulls, np.empty((4, n_bins), dtype=np.int64))
        for b in range(n_bins - 1):
            pull += sums[b]
            N = abs(pull * pull_unit)
            if N > 0.0:
                best = max(best, _gain_of(N, max(low[starts[k] + b], N * mass_per_pull), rule))
        out[f] = best


@njit(nogil=True, cache=True)
def _pull_features(first, last, bins, numbers, widths, crowded, out):
    """Write the largest |pull| of each feature, in the numbers' own unit."""
    sums = np.empty((_GROUP, widths[first:last].max()), dtype=np.int64)
    for start in range(first, last, _GROUP):
        stop = min(last, start + _GROUP)
        _sum_group(bins, start, stop, widths, crowded, numbers, sums)
        for k in range(start, stop):
            pull, most = np.int64(0), np.int64(0)
            for b in range(widths[k] - 1):
                pull += sums[k - start, b]
                most = max(most, abs(pull))
            out[k] = most


@njit(nogil=True, cache=True)
def _find_first(column, numbers, n_bins, least):
    """Return the first threshold whose |pull| reaches `least`, and its pull."""
    sums, pull = _sum_column(column, numbers, np.empty((4, n_bins), dtype=np.int64)), np.int64(0)
    for b in range(n_bins - 1):
        pull += sums[b]
        if abs(pull) >= least:
            return b, pull
    return -1, np.int64(0)


@njit(nogil=True, cache=True)
def _judge_feature(changes, scale, pulls, sign, grain, rule, out_low, out_D):
    """Add up blocks and bins: D of each threshold and its low bound; say between what the largest gain lies.

    D is summed from both ends and taken from the one with less behind it: it is small near either, and
    keeps its precision there. The pulls are those of the screening.
    """
    n_bins = out_low.size + 1
    change, before = np.zeros(n_bins), np.empty(n_bins)
    for z in range(changes.shape[0]):
        for b in range(n_bins):
            change[b] += changes[z, b]
    mass, behind = 0.0, 0.0
    for b in range(n_bins - 1):
        mass += scale * change[b]
        behind += scale * abs(change[b])
        out_D[b], before[b] = mass, behind
    mass, behind, least, most = 0.0, 0.0, 0.0, 0.0
    for b in range(n_bins - 2, -1, -1):
        mass -= scale * change[b + 1]
        behind += scale * abs(change[b + 1])
        D = mass if behind < before[b] else out_D[b]
        N = -pulls[b] * grain.coarse_unit
        size = sign * N if sign != 0 else abs(N)
        low, high = size - grain.coarse_error, size + grain.coarse_error
        if low > grain.no_pull:
            least = max(least, _gain_of(low, max(D, low * grain.mass_per_pull), rule))
        if high > 0.0:
            most = max(most, _gain_of(high, max(D, high * grain.mass_per_pull), rule))
        out_D[b] = D
        D = max(D, (abs(N) - grain.coarse_error) * grain.mass_per_pull)
        out_low[b] = max(0.0, D - grain.noise) * (1.0 - 1e-6)
    return least, most


@njit(nogil=True, cache=True)
def _compare_gains(column, pulls, sign, grain, rule, tables, out_N, out_D, out_gain):
    """Write N, D and gain of each threshold of a feature, from exact pulls; return the largest gain."""
    sums, pull, top = _sum_column(column, pulls, tables), np.int64(0), 0.0
    for b in range(out_D.size):
        pull += sums[b]
        N = -pull * grain.pull_unit
        D = max(out_D[b], abs(N) * grain.mass_per_pull)
        none = abs(N) <= grain.no_pull or sign * N < 0.0
        gain = 0.0 if none else _gain_of(N, D, rule)
        out_N[b], out_D[b], out_gain[b] = N, D, gain
        top = max(top, gain)
    return top


@njit(nogil=True, cache=True)
def _judge_features(
    chosen, bins, changes, scale, coarse, pulls, starts, signs, grain, rule, best, out_low, out, out_top
):
    """Write N, D and gain of each threshold of those chosen features that can have the best gain.

    What they have at most is written as well; 0 is that of the others. Pulls are summed exactly for few.
    """
    tables, ends = np.empty((4, changes.shape[2]), dtype=np.int64), np.empty((chosen.size, 2))
    for f in range(chosen.size):
        k = chosen[f]
        first, last = starts[k], starts[k + 1] - 1
        held = (changes[:, f], scale, coarse[first:last], signs[k], grain, rule, out_low[first:last])
        ends[f, 0], ends[f, 1] = _judge_feature(*held, out[f, 1])
        best = max(best, ends[f, 0])
    for f in range(chosen.size):
        out_top[f] = 0.0
        if ends[f, 1] >= _NEAR * best:
            k = chosen[f]
            n = starts[k + 1] - starts[k] - 1
            held = (bins[k], pulls, signs[k], grain, rule, tables)
            out_top[f] = _compare_gains(*held, out[f, 0, :n], out[f, 1, :n], out[f, 2, :n])


@njit(nogil=True, cache=True)
def _sum_features(first, last, bins, numbers, widths, crowded, out):
    """Sum the documents' numbers by bin, for each feature."""
    _sum_group(bins, first, last, widths, crowded, numbers, out[first:last])
