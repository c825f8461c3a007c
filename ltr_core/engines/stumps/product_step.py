"""A stump added to pair weights in product form (see `product_factors`), and what the next search needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...compiling import side_by_side
from .layout import _count_blocks

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)
_TOGETHER = 1024  # documents whose whole numbers are written together, at least


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


class BlockSums(NamedTuple):
    """What a step says of each block."""

    weights: np.ndarray
    total: np.ndarray
    wrong: np.ndarray


class Told(NamedTuple):
    """What a stump does, from the weights before it."""

    pull: float  # Σ w d after it
    lost: float  # the mass that the pairs lose which it shrinks
    n: float
    d: float
    log_z: float


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
def _write_numbers(pulls, lost, scales, out, out_packed):
    """Write whole numbers: a pass of its own, in which the processor takes eight documents at once."""
    for i in range(np.uint64(out.size)):
        out[i] = np.int64(np.rint(pulls[i] * scales.fine))
    for i in range(np.uint64(out.size)):
        high = np.int64(np.rint(pulls[i] * scales.coarse)) << scales.low_bits
        out_packed[i] = high + np.int64(np.ceil(lost[i] * scales.lost))


@njit(nogil=True, cache=True)
def _add_above(bins, cut, value, out):
    for i in range(np.uint64(out.size)):
        out[i] += value if bins[i] > cut else 0.0


@njit(nogil=True, cache=True)
def _step_block(others, bins, cut, step, codes, borders, first, last, scales, out, sums):
    """Add a stump to the scores and factors of some queries; return Σ of the weights after.

    A query's documents are one loop whatever their grades: a loop for each grade, some ten documents, is left
    at a point that the processor cannot foresee (0.63 against 0.71 ms). Whole numbers are written when there
    are enough documents for a loop of their own.
    """
    E, T = out.E, out.T
    factors, lost, pull = step.factors.ravel(), step.lost.ravel(), step.pull.ravel()
    offsets, segments, segment_codes = borders.offsets, borders.segments, borders.codes
    C = len(others)
    S, ways = np.empty(2 * (C + 1) * C), np.empty(6 * (C + 1) * C)
    for a in range(C + 1):
        for c in range(C):
            ways[6 * a * C + 2 * C + c], ways[6 * a * C + 5 * C + c] = 1.0, step.factors[a, c]
    longest = 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    pulls, losses = np.empty(_TOGETHER + longest), np.empty(_TOGETHER + longest)
    lost_at, factor_at, total, begin = np.uint64(C), np.uint64(2 * C), 0.0, offsets[first]
    for q in range(first, last):
        _split_query(others, bins, cut, codes, E, offsets, segments, segment_codes, q, S)
        total += _weigh_query(others, S, factors, lost, pull, segments, segment_codes, q, T, ways, sums)
        for i in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
            way = (np.uint64(2) * np.uint64(codes[i]) + np.uint64(bins[i] > cut)) * np.uint64(3 * C)
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
            pulls[i - np.uint64(begin)], losses[i - np.uint64(begin)] = p, gone
        end = offsets[q + 1]
        if end - begin >= _TOGETHER or q == last - 1:
            _add_above(bins[begin:end], cut, step.value, out.F[begin:end])
            if scales.fine > 0.0:
                _write_numbers(pulls, losses, scales, out.pulls[begin:end], out.packed[begin:end])
            begin = end
    return total


@njit(nogil=True, cache=True)
def _step_blocks(first, last, others, bins, cut, step, codes, borders, blocks, scales, out, out_sums):
    """Add a stump to the scores, factors and sums of some blocks, and write what the next search needs.

    A block's sums.weights[0] are the weights before of pairs that are not separated, [1] of those whose better
    document is above and the worse one below, [2] of the reverse, by grades; its total is Σ of the weights
    after, and wrong is how many pairs of short queries are misordered then.
    """
    for z in range(first, last):
        sums = out_sums.weights[z].ravel()
        sums[:] = 0.0
        held = (step, codes, borders, blocks[z], blocks[z + 1], scales, out, sums)
        out_sums.total[z] = _step_block(others, bins, cut, *held)
        _count_blocks(z, z + 1, blocks, out.F, borders, out_sums.wrong)


@njit(nogil=True, cache=True)
def _plan_step(value, distances, masses, signed, out_factors, out_lost):
    """Write by what a stump multiplies factors, and what share of its mass a shrinking pair loses."""
    for a in range(distances.shape[0]):
        for c in range(distances.shape[1]):
            out_factors[a, c] = np.exp(-signed[a, c] * value)
            gone = -np.expm1(-abs(value) * distances[a, c]) * masses[a, c]
            from_above = (signed[a, c] > 0.0) == (value > 0.0)
            out_lost[0, a, c] = 0.0 if from_above else gone
            out_lost[1, a, c] = gone if from_above else 0.0


@njit(nogil=True, cache=True)
def _add_blocks(sums, out):
    """Add the blocks' sums of weights up, block by block; return Σ of the weights after, and how many are wrong."""
    out[:] = 0.0
    total, wrong = 0.0, np.int64(0)
    for z in range(sums.total.size):
        out += sums.weights[z]
        total += sums.total[z]
        wrong += sums.wrong[z]
    return total, wrong


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


side_by_side(_split_query, _step_block)
