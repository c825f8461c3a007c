"""Pair weights exp(-d Δ) in product form, for data with few grades.

The weight of a pair whose grades are a > b is a product of two document factors,

    w_ij = e^(-d_ab F_i) · e^(+d_ab F_j),

so a document needs one factor for each other grade, and sums over pairs are sums over documents times grades.
`E[i, c]` is document i's factor towards the c-th of the other grades. A round multiplies the factors of
documents above the threshold by constants: exponentials are taken only when factors are renewed from the
scores. Renewed factors are measured from the highest score of the worse grade in the query and from the
largest weight of all, exp(shift), so that none exceeds 1, whatever the scores.

`others` of the kernels is a tuple with an entry for each other grade: its length is known when they are
compiled, which unrolls the innermost loops (0.38 against 0.46 ms for a sweep of 100,000 documents).

A sweep gives the exact D of every threshold of a feature, in documents × grades. A query's documents pass
from above the threshold to below it in the order of their bins. When document i of grade a passes, the pairs
it makes with documents still above become separated and those with documents already below are so no longer:
D changes by Σ_c E[i, c] · (what the c-th other grade has towards a, above less below).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


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


class Sides(NamedTuple):
    """What a sweep reads of documents and grades."""

    codes: np.ndarray  # each document's grade
    E: np.ndarray
    T: np.ndarray
    places: np.ndarray  # where `side` has what the other grades have towards a document's own


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


@njit(nogil=True, cache=True)
def _halve_query(others, masses, T, segments, codes, q, out):
    """Write half of what each grade of a query has towards each other one, times the mass."""
    C = len(others)
    for c in range(out.size):
        out[c] = 0.0
    for s in range(segments[q], segments[q + 1]):
        row = codes[s] * C
        for c in range(C):
            if masses is None:
                out[row + c] = 0.5 * T[s, c]
            else:
                out[row + c] = 0.5 * masses[row + c] * T[s, c]


@njit(nogil=True, cache=True)
def _sweep_feature(others, bins, order, masses, sides, offsets, first, last, halves, side, out):
    """Add half the changes of D at each bin, for some queries. Without masses they are all 1.

    One loop over a block's queries: as a function of each query, which has every array handed over anew, a
    feature took 0.32 ms instead of 0.26.
    """
    codes, E, places = sides.codes, sides.E, sides.places
    C = np.uint64(len(others))
    for q in range(first, last):
        half, start, stop = halves[q - first], np.uint64(offsets[q]), np.uint64(offsets[q + 1])
        for c in range(np.uint64(len(others) * (len(others) + 1))):
            side[c] = half[c]
        for p in range(start, stop):
            i = start + np.uint64(order[p])
            row = np.uint64(codes[i]) * C
            change = 0.0
            for c in range(np.uint64(len(others))):  # what is read of `side` is not what is written
                e = E[i, c]
                change += e * side[places[row + c]]
                if masses is None:
                    side[row + c] -= e
                else:
                    side[row + c] -= e * masses[row + c]
            out[bins[i]] += change


@njit(nogil=True, cache=True)
def _sum_pulls(bins, pulls, first, last, out):
    for i in range(np.uint64(first), np.uint64(last)):
        out[bins[i]] += pulls[i]


@njit(nogil=True, cache=True)
def _sweep_blocks(
    first, last, others, bins, orders, chosen, masses, sides, borders, blocks, pulls, out, out_pulls
):
    """Add half the change of D and the pull at each bin of the chosen features, block by block.

    `side` holds for each grade, towards each other one, half of what is above less what is below, times the
    mass; `places` says where in it a document of a grade finds what the other grades have towards its own.
    """
    offsets, segments, codes = borders.offsets, borders.segments, borders.codes
    size, most = len(others) * (len(others) + 1), 0
    for z in range(first, last):
        most = max(most, blocks[z + 1] - blocks[z])
    halves, side = np.empty((most, size)), np.empty(size)
    for z in range(first, last):
        start, stop = blocks[z], blocks[z + 1]
        for q in range(start, stop):
            _halve_query(others, masses, sides.T, segments, codes, q, halves[q - start])
        for f in range(chosen.size):
            k = chosen[f]
            held = (masses, sides, offsets, start, stop, halves, side)
            _sweep_feature(others, bins[k], orders[k], *held, out[z, f])
            _sum_pulls(bins[k], pulls, offsets[start], offsets[stop], out_pulls[z, f])
