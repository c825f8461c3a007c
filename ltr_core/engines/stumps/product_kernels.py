"""Pair weights exp(-d Δ) in product form, for data with few grades.

The weight of a pair whose grades are a > b is a product of two document factors,

    w_ij = e^(-d_ab F_i) · e^(+d_ab F_j),

so a document needs one factor for each other grade, and sums over pairs are sums over documents times grades.
`E[i, c]` is document i's factor towards the c-th of the other grades. A round multiplies the factors of
documents above the threshold by constants: exponentials are taken only when factors are renewed from the
scores. Renewed factors are measured from the highest score of the worse grade in the query and from the
largest weight of all, exp(shift), so that none exceeds 1, whatever the scores.

`others` of the kernels, of these and of `product_sweep`'s, is a tuple with an entry for each other grade: its
length is known when they are compiled, which unrolls the innermost loops (0.38 against 0.46 ms for a sweep of
100,000 documents). Four other grades, which most sets of graded data have, are written out besides: what is
read first and written last, side by side, is one instruction (0.22 against 0.29 ms for a sweep, 0.65 against
0.76 for a step).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...compiling import side_by_side

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)


class Step(NamedTuple):
    """What a stump changes, by own and other grade."""

    value: float
    factors: np.ndarray  # by what a factor above the threshold is multiplied
    lost: np.ndarray  # what share of a shrinking pair's mass is lost, for documents below and above
    pull: np.ndarray  # the signed weight of a factor in a document's pull


class Scales(NamedTuple):
    """Whole numbers in a unit of pull, fine and packed, and of mass lost; with 0 nothing is written."""

    fine: float
    coarse: float
    lost: float
    low_bits: int  # of a packed number


class State(NamedTuple):
    """What a step brings up to date."""

    F: np.ndarray
    E: np.ndarray
    T: np.ndarray
    pulls: np.ndarray
    packed: np.ndarray


class Told(NamedTuple):
    """What a stump does, from the weights before it."""

    pull: float  # Σ w d after it
    lost: float  # the mass that the pairs lose which it shrinks
    n: float
    d: float
    log_z: float


@njit(nogil=True, cache=True)
def _find_peaks(F, borders, d, out_low, out_high):
    """Write each segment's lowest and highest score; return the largest exponent -d Δ."""
    offsets, starts, segments, codes = borders.offsets, borders.starts, borders.segments, borders.codes
    largest = -np.inf
    for q in range(offsets.size - 1):
        for s in range(segments[q], segments[q + 1]):
            low, high = np.inf, -np.inf
            for i in range(starts[s], starts[s + 1]):
                low, high = min(low, F[i]), max(high, F[i])
            out_low[s], out_high[s] = low, high
            for t in range(segments[q], s):  # better grades come first
                largest = max(largest, -d[codes[t], codes[s]] * (out_low[t] - high))
    return largest


@njit(nogil=True, cache=True)
def _renew_blocks(first, last, F, borders, d, blocks, shift, high, out_E, out_T, out):
    """Write factors and their sums by segment, and Σ of the weights of each block."""
    starts, segments, codes = borders.starts, borders.segments, borders.codes
    for z in range(first, last):
        weights = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            for s in range(segments[q], segments[q + 1]):
                a = codes[s]
                for t in range(segments[q], segments[q + 1]):
                    b = codes[t]
                    if t == s:
                        continue
                    c = b if b < a else b - 1
                    total = 0.0
                    for i in range(starts[s], starts[s + 1]):
                        if t > s:
                            e = np.exp(-d[a, b] * (F[i] - high[t]) - shift)
                        else:
                            e = np.exp(-d[a, b] * (high[s] - F[i]))
                        out_E[i, c] = e
                        total += e
                    out_T[s, c] = total
                for t in range(segments[q], s):  # better grades
                    weights += out_T[t, a] * out_T[s, codes[t] - 1]
        out[z] = weights


@njit(nogil=True, cache=True)
def _split_query(others, bins, cut, codes, E, offsets, segments, segment_codes, q, out):
    """Sum a query's factors by grade and side of a stump: row 2 a below, 2 a + 1 above."""
    C = np.uint64(len(others))
    for s in range(segments[q], segments[q + 1]):
        for c in range(2 * len(others)):
            out[2 * segment_codes[s] * len(others) + c] = 0.0
    for i in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
        row = (np.uint64(2) * np.uint64(codes[i]) + np.uint64(bins[i] > cut)) * C
        if len(others) == 4:
            e0, e1, e2, e3 = E[i, 0], E[i, 1], E[i, 2], E[i, 3]
            s0, s1, s2, s3 = out[row], out[row + _ONE], out[row + _TWO], out[row + _THREE]
            s0, s1, s2, s3 = s0 + e0, s1 + e1, s2 + e2, s3 + e3
            out[row], out[row + _ONE], out[row + _TWO], out[row + _THREE] = s0, s1, s2, s3
        else:
            for c in range(np.uint64(len(others))):
                out[row + c] += E[i, c]


@njit(nogil=True, cache=True)
def _weigh_query(others, S, factors, lost, pull, segments, codes, q, out_T, out_ways, out_sums):
    """Weigh a query's pairs of grades from the sums by side; return Σ of the weights after the stump.

    Of each grade and side `ways` gets what a document's factors count in its pull, in the mass that its pairs
    lose, and what they are multiplied by.
    """
    C = len(others)
    K = C + 1
    first, last = segments[q], segments[q + 1]
    for s in range(first, last):
        a = codes[s]
        for c in range(C):
            out_T[s, c] = S[2 * a * C + c] + S[(2 * a + 1) * C + c] * factors[a * C + c]
        for c in range(2 * C):  # other grades may be missing
            out_ways[6 * a * C + c] = out_ways[6 * a * C + 3 * C + c] = 0.0
    total, above_at, lost_above_at = 0.0, 3 * C, K * C
    for s in range(first, last):
        a = codes[s]
        for t in range(s + 1, last):  # the worse grades
            b = codes[t]
            here, there = a * C + b, b * C + a - 1  # where the tables have a towards b, and b towards a
            below, above = S[2 * a * C + b], S[2 * a * C + C + b]
            other_below, other_above = S[2 * b * C + a - 1], S[2 * b * C + C + a - 1]
            out_sums[a * K + b] += below * other_below + above * other_above
            out_sums[a * K + b + K * K] += above * other_below
            out_sums[a * K + b + 2 * K * K] += below * other_above
            T, other_T = out_T[s, b], out_T[t, a - 1]
            total += T * other_T
            way, weight = 6 * a * C + b, pull[here] * other_T
            out_ways[way], out_ways[way + above_at] = weight, factors[here] * weight
            out_ways[way + C] = lost[here] * other_above
            out_ways[way + C + above_at] = lost[here + lost_above_at] * other_below
            way, weight = 6 * b * C + a - 1, pull[there] * T
            out_ways[way], out_ways[way + above_at] = weight, factors[there] * weight
            out_ways[way + C] = lost[there] * above
            out_ways[way + C + above_at] = lost[there + lost_above_at] * below
    return total


@njit(nogil=True, cache=True)
def _step_blocks(
    first, last, others, bins, cut, step, codes, borders, blocks, scales, out, out_sums, out_total
):
    """Add a stump to the scores, factors and sums of some blocks, and write what the next search needs.

    To a block's out_sums[0] are added the weights before of pairs that are not separated, to [1] of those
    whose better document is above and the worse one below, to [2] of the reverse, by grades; its out_total is
    Σ of the weights after.

    A query's documents are one loop whatever their grades: a loop for each grade, some ten documents, is left
    at a point that the processor cannot foresee (0.63 against 0.71 ms).
    """
    F, E, T, pulls, packed = out.F, out.E, out.T, out.pulls, out.packed
    factors, lost, pull = step.factors.ravel(), step.lost.ravel(), step.pull.ravel()
    offsets, segments, segment_codes = borders.offsets, borders.segments, borders.codes
    C = len(others)
    S, ways = np.empty(2 * (C + 1) * C), np.empty(6 * (C + 1) * C)
    for a in range(C + 1):
        for c in range(C):
            ways[6 * a * C + 2 * C + c], ways[6 * a * C + 5 * C + c] = 1.0, step.factors[a, c]
    lost_at, factor_at = np.uint64(C), np.uint64(2 * C)
    for z in range(first, last):
        total, sums = 0.0, out_sums[z].ravel()
        for q in range(blocks[z], blocks[z + 1]):
            _split_query(others, bins, cut, codes, E, offsets, segments, segment_codes, q, S)
            total += _weigh_query(others, S, factors, lost, pull, segments, segment_codes, q, T, ways, sums)
            for i in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
                above = bins[i] > cut
                way = (np.uint64(2) * np.uint64(codes[i]) + np.uint64(above)) * np.uint64(3 * C)
                F[i] += step.value if above else 0.0
                p, gone = 0.0, 0.0
                if len(others) == 4:
                    e0, e1, e2, e3 = E[i, 0], E[i, 1], E[i, 2], E[i, 3]
                    w0, w1, w2, w3 = ways[way], ways[way + _ONE], ways[way + _TWO], ways[way + _THREE]
                    p = (e0 * w0 + e1 * w1) + (e2 * w2 + e3 * w3)
                    at = way + lost_at
                    w0, w1, w2, w3 = ways[at], ways[at + _ONE], ways[at + _TWO], ways[at + _THREE]
                    gone = (e0 * w0 + e1 * w1) + (e2 * w2 + e3 * w3)
                    at = way + factor_at
                    w0, w1, w2, w3 = ways[at], ways[at + _ONE], ways[at + _TWO], ways[at + _THREE]
                    E[i, 0], E[i, 1], E[i, 2], E[i, 3] = e0 * w0, e1 * w1, e2 * w2, e3 * w3
                else:
                    for c in range(np.uint64(len(others))):
                        e = E[i, c]
                        p += e * ways[way + c]
                        gone += e * ways[way + lost_at + c]
                        E[i, c] = e * ways[way + factor_at + c]
                if scales.fine > 0.0:
                    pulls[i] = np.int64(np.rint(p * scales.fine))
                    low = np.int64(np.ceil(gone * scales.lost))
                    packed[i] = (np.int64(np.rint(p * scales.coarse)) << scales.low_bits) + low
        out_total[z, 0] = total


@njit(nogil=True, cache=True, error_model="numpy")
def _tell_stump(sums, value, distances, masses):
    """Say what a stump does, from the sums of the weights before it by grades and by side.

    A kernel, though it goes through a few numbers only: as many calls of numpy took 80 µs of a round.
    """
    pull, lost, n, d, total, top = 0.0, 0.0, 0.0, 0.0, 0.0, -np.inf
    K = distances.shape[0]
    for a in range(K):
        for b in range(K):
            rest, up, down, power = sums[0, a, b], sums[1, a, b], sums[2, a, b], value * distances[a, b]
            growth = np.exp(power)
            pull += distances[a, b] * (rest + up / growth + down * growth)
            lost -= (up if value > 0.0 else down) * masses[a, b] * np.expm1(-abs(power))
            n += distances[a, b] * (up - down)
            d += masses[a, b] * (up + down)
            total += rest + up + down
            if rest > 0.0:
                top = max(top, 0.0)
            if up > 0.0:
                top = max(top, -power)
            if down > 0.0:
                top = max(top, power)
    after = 0.0  # of what exp(top) is left out
    for a in range(K):
        for b in range(K):
            rest, up, down, power = sums[0, a, b], sums[1, a, b], sums[2, a, b], value * distances[a, b]
            after += rest * np.exp(-top) if rest > 0.0 else 0.0
            after += up * np.exp(-power - top) if up > 0.0 else 0.0
            after += down * np.exp(power - top) if down > 0.0 else 0.0
    return Told(pull, lost, n, d, top + np.log(after / total))


side_by_side(_split_query, _step_blocks)
