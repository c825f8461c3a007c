"""A stump added to pair weights in product form (see `product_factors`), and what the next search needs.

The file is long because a kernel may use nothing of another file: a step sums factors by side, weighs the
pairs of grades, moves the documents and counts the misordered pairs, a few queries at a time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from ...compiling import side_by_side

_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
MOST_COMPARED = 2048  # documents in a query up to which every pair is compared; longer ones are sorted
_LANES = np.uint64(8)
_LARGEST = 1.7e308  # infinite scores have no difference
_TOGETHER, _QUERIES = 512, 32  # documents at least, and queries at most, that are taken together


class Tables(NamedTuple):
    """What is known before a stump, by own and other grade."""

    distances: np.ndarray
    masses: np.ndarray
    pull: np.ndarray  # the signed weight of a factor in a document's pull
    places: np.ndarray  # where a table has what the other grades have towards a document's own
    sides: np.ndarray  # where sums by grade and side have it, for documents below


class Step(NamedTuple):
    """What a stump changes, by own and other grade, and what of `Tables` a step reads."""

    value: float
    factors: np.ndarray  # by what a factor above the threshold is multiplied
    moves: np.ndarray  # the same by own grade, below or above, and other grade: 1 below
    lost: np.ndarray  # what share of a shrinking pair's mass is lost, for documents below, then above
    pull: np.ndarray
    places: np.ndarray
    sides: np.ndarray


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
    """What a stump does, from the weights before it, and Σ of the weights after the step taken."""

    total: float
    pull: float  # Σ w d after it
    lost: float  # the mass that the pairs lose which it shrinks
    n: float
    d: float
    log_z: float


@njit(nogil=True, cache=True)
def _split_queries(others, bins, cut, codes, E, offsets, first, last, tables, out):
    """Sum the factors of each query by grade and side of a stump: row 2 a below, 2 a + 1 above.

    Documents take turns with four tables: most are of one grade, and a sum would wait for the one before
    (0.09 ms, with one table 0.13).
    """
    C = np.uint64(len(others))
    size = np.uint64(2) * (C + _ONE) * C
    for q in range(first, last):
        S = out[q - first]
        for c in range(size):
            S[c] = 0.0
        if len(others) == 4:
            for c in range(_FOUR * size):
                tables[c] = 0.0
        for i in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
            row = (np.uint64(2) * np.uint64(codes[i]) + np.uint64(bins[i] > cut)) * C
            if len(others) == 4:
                row += (i & _THREE) * size
                e0, e1, e2, e3 = E[i, 0], E[i, 1], E[i, 2], E[i, 3]
                s0, s1, s2, s3 = tables[row], tables[row + _ONE], tables[row + _TWO], tables[row + _THREE]
                s0, s1, s2, s3 = s0 + e0, s1 + e1, s2 + e2, s3 + e3
                tables[row], tables[row + _ONE], tables[row + _TWO], tables[row + _THREE] = s0, s1, s2, s3
            else:
                for c in range(np.uint64(len(others))):
                    S[row + c] += E[i, c]
        if len(others) == 4:
            for c in range(size):
                S[c] = tables[c] + tables[size + c]
                S[c] += tables[_TWO * size + c] + tables[_THREE * size + c]


@njit(nogil=True, cache=True)
def _weigh_query(others, S, step, segments, codes, q, out_T, out_ways, out_sums):
    """Weigh a query's pairs of grades from the sums by side; return Σ of the weights after the stump.

    Of each grade and side `ways` gets what a document's factors count in its pull, and in the mass that its
    pairs lose.
    """
    factors, lost, pull = step.factors, step.lost, step.pull
    C = len(others)
    K = C + 1
    first, last = segments[q], segments[q + 1]
    for s in range(first, last):
        a = codes[s]
        for c in range(C):
            out_T[s, c] = S[2 * a * C + c] + S[(2 * a + 1) * C + c] * factors[a * C + c]
        for c in range(4 * C):  # other grades may be missing
            out_ways[4 * a * C + c] = 0.0
    total, above_at, lost_above_at = 0.0, 2 * C, K * C
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
            way, weight = 4 * a * C + b, pull[here] * other_T
            out_ways[way], out_ways[way + above_at] = weight, factors[here] * weight
            out_ways[way + C] = lost[here] * other_above
            out_ways[way + C + above_at] = lost[here + lost_above_at] * other_below
            way, weight = 4 * b * C + a - 1, pull[there] * T
            out_ways[way], out_ways[way + above_at] = weight, factors[there] * weight
            out_ways[way + C] = lost[there] * above
            out_ways[way + C + above_at] = lost[there + lost_above_at] * below
    return total


@njit(nogil=True, cache=True)
def _weigh_five_grades(first, last, S_of, step, segments, codes, room, out_T, out_ways, out_sums):
    """Do what `_weigh_query` does for some queries, a grade towards its four others at once.

    What is missing has sums of nothing. Each pair of grades is met twice: `room` has the sums by own and
    other grade, of which those of better grades go to `out_sums`, and half of the total is returned.
    """
    factors, lost, pull, places, sides = step.factors, step.lost, step.pull, step.places, step.sides
    T, at_once = np.zeros(20), room[60:]
    room[:] = 0.0
    for q in range(first, last):
        S, ways = S_of[q - first], out_ways[q - first]
        T[:] = 0.0
        for s in range(segments[q], segments[q + 1]):
            r = np.uint64(4) * np.uint64(codes[s])
            u = _TWO * r
            w = u + _FOUR
            b0, b1, b2, b3 = S[u], S[u + _ONE], S[u + _TWO], S[u + _THREE]
            a0, a1, a2, a3 = S[w], S[w + _ONE], S[w + _TWO], S[w + _THREE]
            f0, f1, f2, f3 = factors[r], factors[r + _ONE], factors[r + _TWO], factors[r + _THREE]
            t0, t1, t2, t3 = b0 + a0 * f0, b1 + a1 * f1, b2 + a2 * f2, b3 + a3 * f3
            T[r], T[r + _ONE], T[r + _TWO], T[r + _THREE] = t0, t1, t2, t3
            out_T[s, 0], out_T[s, 1], out_T[s, 2], out_T[s, 3] = t0, t1, t2, t3
        for s in range(segments[q], segments[q + 1]):
            r = np.uint64(4) * np.uint64(codes[s])
            u = _TWO * r
            w = u + _FOUR
            # What the other grades have towards this one, and this one towards them.
            i0, i1, i2, i3 = sides[r], sides[r + _ONE], sides[r + _TWO], sides[r + _THREE]
            ob0, ob1, ob2, ob3 = S[i0], S[i1], S[i2], S[i3]
            oa0, oa1, oa2, oa3 = S[i0 + _FOUR], S[i1 + _FOUR], S[i2 + _FOUR], S[i3 + _FOUR]
            i0, i1, i2, i3 = places[r], places[r + _ONE], places[r + _TWO], places[r + _THREE]
            o0, o1, o2, o3 = T[i0], T[i1], T[i2], T[i3]
            b0, b1, b2, b3 = S[u], S[u + _ONE], S[u + _TWO], S[u + _THREE]
            a0, a1, a2, a3 = S[w], S[w + _ONE], S[w + _TWO], S[w + _THREE]
            t0, t1, t2, t3 = T[r], T[r + _ONE], T[r + _TWO], T[r + _THREE]
            x0, x1, x2, x3 = at_once[0], at_once[1], at_once[2], at_once[3]
            x0, x1, x2, x3 = x0 + t0 * o0, x1 + t1 * o1, x2 + t2 * o2, x3 + t3 * o3
            at_once[0], at_once[1], at_once[2], at_once[3] = x0, x1, x2, x3
            x0, x1, x2, x3 = room[r], room[r + _ONE], room[r + _TWO], room[r + _THREE]
            x0, x1 = x0 + (b0 * ob0 + a0 * oa0), x1 + (b1 * ob1 + a1 * oa1)
            x2, x3 = x2 + (b2 * ob2 + a2 * oa2), x3 + (b3 * ob3 + a3 * oa3)
            room[r], room[r + _ONE], room[r + _TWO], room[r + _THREE] = x0, x1, x2, x3
            v = r + np.uint64(20)
            x0, x1, x2, x3 = room[v], room[v + _ONE], room[v + _TWO], room[v + _THREE]
            x0, x1, x2, x3 = x0 + a0 * ob0, x1 + a1 * ob1, x2 + a2 * ob2, x3 + a3 * ob3
            room[v], room[v + _ONE], room[v + _TWO], room[v + _THREE] = x0, x1, x2, x3
            v = r + np.uint64(40)
            x0, x1, x2, x3 = room[v], room[v + _ONE], room[v + _TWO], room[v + _THREE]
            x0, x1, x2, x3 = x0 + b0 * oa0, x1 + b1 * oa1, x2 + b2 * oa2, x3 + b3 * oa3
            room[v], room[v + _ONE], room[v + _TWO], room[v + _THREE] = x0, x1, x2, x3
            # The ways of its documents below, then above.
            p0, p1, p2, p3 = pull[r], pull[r + _ONE], pull[r + _TWO], pull[r + _THREE]
            p0, p1, p2, p3 = p0 * o0, p1 * o1, p2 * o2, p3 * o3
            v = _TWO * u
            ways[v], ways[v + _ONE], ways[v + _TWO], ways[v + _THREE] = p0, p1, p2, p3
            f0, f1, f2, f3 = factors[r], factors[r + _ONE], factors[r + _TWO], factors[r + _THREE]
            f0, f1, f2, f3 = f0 * p0, f1 * p1, f2 * p2, f3 * p3
            v += np.uint64(8)
            ways[v], ways[v + _ONE], ways[v + _TWO], ways[v + _THREE] = f0, f1, f2, f3
            l0, l1, l2, l3 = lost[r], lost[r + _ONE], lost[r + _TWO], lost[r + _THREE]
            l0, l1, l2, l3 = l0 * oa0, l1 * oa1, l2 * oa2, l3 * oa3
            v -= _FOUR
            ways[v], ways[v + _ONE], ways[v + _TWO], ways[v + _THREE] = l0, l1, l2, l3
            v = r + np.uint64(20)
            l0, l1, l2, l3 = lost[v], lost[v + _ONE], lost[v + _TWO], lost[v + _THREE]
            l0, l1, l2, l3 = l0 * ob0, l1 * ob1, l2 * ob2, l3 * ob3
            v = _TWO * u + np.uint64(12)
            ways[v], ways[v + _ONE], ways[v + _TWO], ways[v + _THREE] = l0, l1, l2, l3
    for k in range(3):
        for a in range(5):
            for b in range(a):
                out_sums[25 * k + 5 * a + b] += room[20 * k + 4 * a + b]
    return 0.5 * ((at_once[0] + at_once[1]) + (at_once[2] + at_once[3]))


@njit(nogil=True, cache=True)
def _move_documents(others, bins, cut, moves, codes, offsets, first, last, ways_of, E, out_pulls, out_lost):
    """Multiply the factors of some queries' documents; write their pulls, and the mass that their pairs lose.

    A query's documents are one loop whatever their grades: a loop for each grade, some ten documents, is left
    at a point that the processor cannot foresee.
    """
    C, begin = np.uint64(len(others)), np.uint64(offsets[first])
    for q in range(first, last):
        ways = ways_of[q - first]
        for i in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
            row = (np.uint64(2) * np.uint64(codes[i]) + np.uint64(bins[i] > cut)) * C
            way = np.uint64(2) * row
            p, gone = 0.0, 0.0
            if len(others) == 4:
                e0, e1, e2, e3 = E[i, 0], E[i, 1], E[i, 2], E[i, 3]
                w0, w1, w2, w3 = ways[way], ways[way + _ONE], ways[way + _TWO], ways[way + _THREE]
                p = (e0 * w0 + e1 * w1) + (e2 * w2 + e3 * w3)
                way += _FOUR
                w0, w1, w2, w3 = ways[way], ways[way + _ONE], ways[way + _TWO], ways[way + _THREE]
                gone = (e0 * w0 + e1 * w1) + (e2 * w2 + e3 * w3)
                w0, w1, w2, w3 = moves[row], moves[row + _ONE], moves[row + _TWO], moves[row + _THREE]
                e0, e1, e2, e3 = e0 * w0, e1 * w1, e2 * w2, e3 * w3
                E[i, 0], E[i, 1], E[i, 2], E[i, 3] = e0, e1, e2, e3
            else:
                for c in range(np.uint64(len(others))):
                    e = E[i, c]
                    p += e * ways[way + c]
                    gone += e * ways[way + C + c]
                    E[i, c] = e * moves[row + c]
            out_pulls[i - begin], out_lost[i - begin] = p, gone


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
def _half(x):
    """Return a half with the sign of x, + for the 0 of two equal numbers that are not -0."""
    return math.copysign(0.5, x)


@njit(nogil=True, cache=True)
def _compare_query(F, starts, first, last, room, sums):
    """Add half a pair for each that is misordered, less half for any other, to sums side by side.

    Returns how many halves, those of places past the end with them; `room` takes the query's scores and these
    places. Four documents of one grade at a time go against all that are worse, eight at once: a difference's
    sign says it, without a comparison, and what is added up once for many queries is not added up for four
    documents (2,000 queries of 50 take 0.13 ms; counts of comparisons 0.20, sorted lists four times that).
    """
    start = np.uint64(starts[first])
    n, cells = np.uint64(starts[last]) - start, 0
    for j in range(n):
        room[j] = min(max(F[start + j] + 0.0, -_LARGEST), _LARGEST)
    for j in range(n, n + _LANES):
        room[j] = -np.inf
    t0, t1, t2, t3, t4, t5, t6, t7 = sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]
    for s in range(first, last - 1):
        end = np.uint64(starts[s + 1]) - start
        for p in range(np.uint64(starts[s]) - start, end, _FOUR):
            a = room[p]
            b = room[p + _ONE] if p + _ONE < end else np.inf
            c = room[p + _TWO] if p + _TWO < end else np.inf
            d = room[p + _THREE] if p + _THREE < end else np.inf
            for j in range(end, n, _LANES):
                x0, x1, x2, x3 = room[j], room[j + _ONE], room[j + _TWO], room[j + _THREE]
                k = j + _FOUR
                x4, x5, x6, x7 = room[k], room[k + _ONE], room[k + _TWO], room[k + _THREE]
                t0 += (_half(x0 - a) + _half(x0 - b)) + (_half(x0 - c) + _half(x0 - d))
                t1 += (_half(x1 - a) + _half(x1 - b)) + (_half(x1 - c) + _half(x1 - d))
                t2 += (_half(x2 - a) + _half(x2 - b)) + (_half(x2 - c) + _half(x2 - d))
                t3 += (_half(x3 - a) + _half(x3 - b)) + (_half(x3 - c) + _half(x3 - d))
                t4 += (_half(x4 - a) + _half(x4 - b)) + (_half(x4 - c) + _half(x4 - d))
                t5 += (_half(x5 - a) + _half(x5 - b)) + (_half(x5 - c) + _half(x5 - d))
                t6 += (_half(x6 - a) + _half(x6 - b)) + (_half(x6 - c) + _half(x6 - d))
                t7 += (_half(x7 - a) + _half(x7 - b)) + (_half(x7 - c) + _half(x7 - d))
            cells += np.int64((n - end + _LANES - _ONE) // _LANES * _LANES * _FOUR)
    sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7] = t0, t1, t2, t3, t4, t5, t6, t7
    return cells


@njit(nogil=True, cache=True)
def _count_blocks(first, last, blocks, F, borders, out):
    """Write how many pairs of short queries are misordered, block by block."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    room, sums = np.zeros(MOST_COMPARED + np.int64(_LANES)), np.empty(8)
    for z in range(first, last):
        cells = 0
        sums[:] = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            if offsets[q + 1] - offsets[q] <= MOST_COMPARED:
                cells += _compare_query(F, starts, segments[q], segments[q + 1], room, sums)
        out[z] = np.int64(0.5 * cells + sums.sum())


@njit(nogil=True, cache=True)
def _step_block(others, bins, cut, step, codes, borders, first, last, scales, out, out_sums):
    """Add a stump to the scores and factors of some queries; return Σ of the weights after.

    It takes a few queries at a time, whose factors stay in the cache for all that is done with them.
    """
    offsets, segments, segment_codes = borders.offsets, borders.segments, borders.codes
    C = len(others)
    size, longest = C * (C + 1), 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    S, ways = np.empty((_QUERIES, 2 * size)), np.empty((_QUERIES, 4 * size))
    tables, room = np.empty(8 * size), np.empty(3 * size + C)
    pulls, losses = np.empty(_TOGETHER + longest), np.empty(_TOGETHER + longest)
    start, total = first, 0.0
    while start < last:
        stop = start + 1
        while stop < min(last, start + _QUERIES) and offsets[stop] - offsets[start] < _TOGETHER:
            stop += 1
        _split_queries(others, bins, cut, codes, out.E, offsets, start, stop, tables, S)
        if len(others) == 4:
            held = (S, step, segments, segment_codes, room, out.T, ways, out_sums)
            total += _weigh_five_grades(start, stop, *held)
        else:
            for q in range(start, stop):
                held = (S[q - start], step, segments, segment_codes, q, out.T, ways[q - start], out_sums)
                total += _weigh_query(others, *held)
        held = (codes, offsets, start, stop, ways, out.E, pulls, losses)
        _move_documents(others, bins, cut, step.moves, *held)
        begin, end = offsets[start], offsets[stop]
        _add_above(bins[begin:end], cut, step.value, out.F[begin:end])
        if scales.fine > 0.0:
            _write_numbers(pulls, losses, scales, out.pulls[begin:end], out.packed[begin:end])
        start = stop
    return total


@njit(nogil=True, cache=True)
def _plan_step(value, tables):
    """Say by what a stump multiplies factors, and what share of its mass a shrinking pair loses."""
    K, C = tables.distances.shape
    size = K * C
    factors, moves, lost = np.empty(size), np.ones(2 * size), np.zeros(2 * size)
    for a in range(K):
        for c in range(C):
            at = a * C + c
            factors[at] = moves[2 * a * C + C + c] = np.exp(-tables.pull[at] * value)
            from_above = (tables.pull[at] > 0.0) == (value > 0.0)
            gone = -np.expm1(-abs(value) * tables.distances[a, c]) * tables.masses[a, c]
            lost[at + size if from_above else at] = gone
    return Step(value, factors, moves, lost, tables.pull, tables.places, tables.sides)


@njit(nogil=True, cache=True)
def _step_blocks(
    first, last, others, bins, cut, value, tables, codes, borders, blocks, scales, counts, out, out_sums
):
    """Add a stump to the scores, factors and sums of some blocks, and write what the next search needs.

    A block's sums.weights[0] are the weights before of pairs that are not separated, [1] of those whose
    better document is above and the worse one below, [2] of the reverse, by grades; its total is Σ of the
    weights after, and wrong, where it `counts`, is how many pairs of short queries are misordered then.
    """
    step = _plan_step(value, tables)
    for z in range(first, last):
        sums = out_sums.weights[z].ravel()
        sums[:] = 0.0
        held = (step, codes, borders, blocks[z], blocks[z + 1], scales, out, sums)
        out_sums.total[z] = _step_block(others, bins, cut, *held)
        if counts:
            _count_blocks(z, z + 1, blocks, out.F, borders, out_sums.wrong)


@njit(nogil=True, cache=True, error_model="numpy")
def _tell_stump(blocks, value, distances, masses):
    """Say what a stump does, from the blocks' sums of the weights before it by grades and by side.

    A kernel, though it goes through a few numbers only: as many calls of numpy took 80 µs of a round.
    """
    pull, lost, n, d, total, top, reached = 0.0, 0.0, 0.0, 0.0, 0.0, -np.inf, 0.0
    K = distances.shape[0]
    sums = np.zeros(blocks.weights.shape[1:])  # with room for grades that are absent
    for z in range(blocks.total.size):
        sums += blocks.weights[z]
        reached += blocks.total[z]
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
    return Told(reached, pull, lost, n, d, top + np.log(after / total))


side_by_side(_split_queries, _weigh_five_grades, _move_documents, _compare_query)
