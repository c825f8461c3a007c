"""Pairs one by one: distances, weights and sums, for grades too many to be tabulated.

A document's row holds its pairs with the worse documents of its query. Rows are worked out when they are
needed, or kept from round to round where memory allows; there is never a matrix of documents by documents.

Some rows are taken together, one behind the other, and each step is a loop of its own over all their pairs,
without a branch and without a call: so the processor does eight pairs at a time. Exponentials and logarithms
are therefore worked out here (1.0 and 0.7 ns where the library's take 3 and 4, right to the last digit but
one): a round on 90 million pairs of LOGDD takes 0.8 s of a core where one pair after the other took 2.5. A
sum would wait for its own last addition; sums run in eight lanes, and by document where that will do.

The file is long because a kernel may use nothing of another file: a walk, a sweep and what is kept all begin
with distances and weights of rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

_TOGETHER = 1024  # pairs at a time, and the rest of a row: what is worked out of them stays in the cache
_WHOLE = 1.5 * 2.0**52  # added and taken away it leaves the nearest whole number
_PER_LN2, _LN2, _LN2_REST = 1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10
_HALF_ROOT = np.int64(0x3FF0000000000000) - np.int64(0x3FE6A09E667F3BCD)  # from the bits of √½ to those of 1


class Distances(NamedTuple):
    """How far apart two grades are."""

    y: np.ndarray  # each document's grade, or its place among the table's rows
    kind: int  # 0 binary, 1 LDD, 2 LOGDD, 3 LOGITDD, else the table
    value: float  # the function's parameter
    table: np.ndarray
    stop: np.ndarray  # other than 0 when there is to be an end: looked at from time to time


class Kept(NamedTuple):
    """Rows that are kept from round to round; none where memory does not allow it."""

    place: np.ndarray  # where each document's row starts
    distances: np.ndarray
    weights: np.ndarray
    power: int  # of the distance in a pair's mass


class Sums(NamedTuple):
    """What a walk writes: by document Σ ± w d and the mass that shrinking pairs lose; by block sums."""

    pulls: np.ndarray
    losses: np.ndarray
    sums: np.ndarray  # N, D and Σ w before, Σ w after, and how many pairs have F_i <= F_j after


@njit(nogil=True, cache=True)
def _longest(borders, first, last):
    """Return how many documents the longest of some queries has."""
    most = np.int64(1)
    for q in range(first, last):
        most = max(most, borders.offsets[q + 1] - borders.offsets[q])
    return most


@njit(nogil=True, cache=True)
def _list_worse(borders, q, out):
    """Write for each of a query's documents where the documents worse than it start."""
    start = borders.offsets[q]
    for s in range(borders.segments[q], borders.segments[q + 1]):
        for i in range(borders.starts[s], borders.starts[s + 1]):
            out[i - start] = borders.starts[s + 1]


@njit(nogil=True, cache=True)
def _take_rows(worse, start, stop, i):
    """Return after which document there are rows enough, from i on, and how many pairs these are."""
    n = 0
    while i < stop and n < _TOGETHER:
        n += stop - worse[i - start]
        i += 1
    return i, n


@njit(nogil=True, cache=True)
def _subtract(x, worse, start, stop, i, last, out):
    """Write x of the better less x of the worse document for the pairs of some rows."""
    at = np.uint64(0)
    for k in range(i, last):
        own, first = x[k], np.uint64(worse[k - start])
        n = np.uint64(stop) - first
        for j in range(n):
            out[at + j] = own - x[first + j]
        at += n


@njit(nogil=True, cache=True)
def _raise(n, bits, powers, out):
    """Put e^x in the place of x. `powers` are the numbers whose bits are `bits`.

    2^k e^r with k the nearest whole number of ln 2 in x, |r| <= ½ ln 2, and Taylor's series up to r¹³, whose
    rest is below 4e-18. Below 2^-1022 it is 0, from 2^1023.5 on infinite.
    """
    for j in range(n):
        x = min(max(out[j], -720.0), 720.0)
        k = (x * _PER_LN2 + _WHOLE) - _WHOLE
        k = min(max(k, -1023.0), 1024.0)
        r = (x - k * _LN2) - k * _LN2_REST
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        out[j] = p * r + 1.0
        bits[j] = (np.int64(k) + 1023) << 52
    for j in range(n):
        out[j] *= powers[j]


@njit(nogil=True, cache=True, error_model="numpy")
def _take_logarithms(n, bits, numbers, whole, out):
    """Put log(1 + z) in the place of z >= 0. `numbers` are those whose bits are `bits`.

    As in Sun's library: 1 + z = 2^k m with m from √½ to √2, s = (m - 1) / (m + 1), a polynomial in s²; and
    what 1 + z has lost of z is added in the end.
    """
    for j in range(n):
        numbers[j] = 1.0 + out[j]
        out[j] = (out[j] - (numbers[j] - 1.0)) / numbers[j]
    for j in range(n):
        k = ((bits[j] + _HALF_ROOT) >> 52) - 1023
        bits[j] -= k << 52
        whole[j] = np.float64(k)
    for j in range(n):
        f = numbers[j] - 1.0
        s = f / (2.0 + f)
        t = s * s
        p = 1.479819860511658591e-01
        p = p * t + 1.531383769920937332e-01
        p = p * t + 1.818357216161805012e-01
        p = p * t + 2.222219843214978396e-01
        p = p * t + 2.857142874366239149e-01
        p = p * t + 3.999999999940941908e-01
        p = p * t + 6.666666666666735130e-01
        half = 0.5 * f * f
        rest = s * (half + t * p) + (whole[j] * _LN2_REST + out[j])
        out[j] = whole[j] * _LN2 - ((half - rest) - f)


@njit(nogil=True, cache=True)
def _interpolate(pairs, worse, start, stop, i, last, out):
    """Write the distances of the pairs of some rows from a table."""
    y, table = pairs.y, pairs.table
    top, at = table.shape[0] - 2, 0
    for k in range(i, last):
        a = min(np.int64(y[k]), top)
        u = y[k] - a
        for j in range(worse[k - start], stop):
            b = min(np.int64(y[j]), top)
            v = y[j] - b
            d = (1.0 - u) * ((1.0 - v) * table[a, b] + v * table[a, b + 1])
            out[at] = d + u * ((1.0 - v) * table[a + 1, b] + v * table[a + 1, b + 1])
            at += 1


@njit(nogil=True, cache=True, error_model="numpy")
def _measure_rows(pairs, worse, start, stop, i, last, n, bits, numbers, whole, out):
    """Write the distances of the n pairs of some rows."""
    if pairs.kind > 3:
        _interpolate(pairs, worse, start, stop, i, last, out)
        return
    _subtract(pairs.y, worse, start, stop, i, last, out)
    value = -pairs.value if pairs.kind == 3 else pairs.value
    for j in range(n):
        out[j] *= value
    if pairs.kind == 0:
        for j in range(n):
            out[j] = value
    elif pairs.kind == 2:
        _take_logarithms(n, bits, numbers, whole, out)
    elif pairs.kind == 3:
        _raise(n, bits, numbers, out)
        for j in range(n):
            out[j] = 1.0 / (1.0 + out[j])


@njit(nogil=True, cache=True)
def _weigh_rows(F, worse, start, stop, i, last, n, shift, d, bits, numbers, out):
    """Write the weights of the n pairs of some rows, divided by exp(shift)."""
    _subtract(F, worse, start, stop, i, last, out)
    for j in range(n):
        out[j] = -d[j] * out[j] - shift
    _raise(n, bits, numbers, out)


@njit(nogil=True, cache=True)
def _sum_run(x, first, n):
    """Return the sum of n numbers; many in eight lanes, as one sum waits for its own last addition."""
    a, b, c, d, e, f, g, h = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    first, n = np.uint64(first), np.uint64(n)
    whole = n // np.uint64(8) * np.uint64(8) if n >= 32 else np.uint64(0)
    for j in range(first, first + whole, np.uint64(8)):
        a += x[j]
        b += x[j + np.uint64(1)]
        c += x[j + np.uint64(2)]
        d += x[j + np.uint64(3)]
        e += x[j + np.uint64(4)]
        f += x[j + np.uint64(5)]
        g += x[j + np.uint64(6)]
        h += x[j + np.uint64(7)]
    for j in range(first + whole, first + n):
        a += x[j]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))


@njit(nogil=True, cache=True)
def _add_rows(x, sign, worse, start, stop, i, last, out):
    """Add a number of each pair to its better document, and times the sign to its worse one."""
    at = np.uint64(0)
    for k in range(i, last):
        first = np.uint64(worse[k - start])
        n = np.uint64(stop) - first
        for j in range(n):
            out[first + j] += sign * x[at + j]
        out[k] += _sum_run(x, at, n)
        at += n


@njit(nogil=True, cache=True)
def _count_misordered(F, worse, start, stop, i, last):
    """Return how many pairs of some rows have F_i <= F_j."""
    wrong = 0
    for k in range(i, last):
        own = F[k]
        for j in range(worse[k - start], stop):
            wrong += own <= F[j]
    return wrong


@njit(nogil=True, cache=True)
def _weigh_masses(w, d, power, n, out):
    """Write each pair's mass, w d^power."""
    for j in range(n):
        out[j] = w[j]
    for _ in range(power):
        for j in range(n):
            out[j] *= d[j]


@njit(nogil=True, cache=True)
def _keep_queries(first, last, F, pairs, borders, shift, place, out_d, out_w):
    """Fill the rows that are kept."""
    longest = _longest(borders, first, last)
    room = _TOGETHER + longest
    worse = np.empty(longest, dtype=np.int64)
    bits, whole = np.empty(room, dtype=np.int64), np.empty(room)
    numbers = bits.view(np.float64)
    for q in range(first, last):
        start, stop = borders.offsets[q], borders.offsets[q + 1]
        _list_worse(borders, q, worse)
        i = start
        while i < stop:
            if pairs.stop[0]:
                return
            k, n = _take_rows(worse, start, stop, i)
            d, w = out_d[place[i] : place[i] + n], out_w[place[i] : place[i] + n]
            _measure_rows(pairs, worse, start, stop, i, k, n, bits, numbers, whole, d)
            _weigh_rows(F, worse, start, stop, i, k, n, shift, d, bits, numbers, w)
            i = k


@njit(nogil=True, cache=True)
def _find_peaks(first, last, blocks, F, pairs, borders, out):
    """Write for each block the largest exponent -d Δ and the largest and smallest distance."""
    longest = _longest(borders, blocks[first], blocks[last])
    room = _TOGETHER + longest
    worse = np.empty(longest, dtype=np.int64)
    bits, whole, d, margin = np.empty(room, dtype=np.int64), np.empty(room), np.empty(room), np.empty(room)
    numbers = bits.view(np.float64)
    tops, mosts, leasts = np.empty(room), np.empty(room), np.empty(room)
    for z in range(first, last):
        tops[:], mosts[:], leasts[:] = -np.inf, 0.0, np.inf
        for q in range(blocks[z], blocks[z + 1]):
            start, stop = borders.offsets[q], borders.offsets[q + 1]
            _list_worse(borders, q, worse)
            i = start
            while i < stop and not pairs.stop[0]:
                k, n = _take_rows(worse, start, stop, i)
                _measure_rows(pairs, worse, start, stop, i, k, n, bits, numbers, whole, d)
                _subtract(F, worse, start, stop, i, k, margin)
                for j in range(n):
                    x = -d[j] * margin[j]
                    tops[j] = x if x > tops[j] else tops[j]
                for j in range(n):
                    mosts[j] = d[j] if d[j] > mosts[j] else mosts[j]
                    leasts[j] = d[j] if d[j] < leasts[j] else leasts[j]
                i = k
        out[z, 0], out[z, 1], out[z, 2] = tops.max(), mosts.max(), leasts.min()


@njit(nogil=True, cache=True)
def _separate(w, d, side, power, n, out, out_mass):
    """Write w d of each separated pair, with its side as sign, and its mass; 0 of the others."""
    for j in range(n):
        out[j] = side[j] * w[j] * d[j]
    _weigh_masses(w, d, power, n, out_mass)
    for j in range(n):
        out_mass[j] *= abs(side[j])


@njit(nogil=True, cache=True)
def _walk_blocks(first, last, blocks, F, above, a, pairs, borders, shift, kept, out):
    """Add a stump worth a above to the weights of the blocks' pairs."""
    longest = _longest(borders, blocks[first], blocks[last])
    room = _TOGETHER + longest
    worse = np.empty(longest, dtype=np.int64)
    bits, whole = np.empty(room, dtype=np.int64), np.empty(room)
    numbers = bits.view(np.float64)
    d, w, side, growth = np.empty(room), np.empty(room), np.empty(room), np.empty(room)
    pull, mass = np.empty(room), np.empty(room)
    pulls, losses, keeps = out.pulls, out.losses, kept.weights.size > 0
    up, after = above.astype(np.float64), F + a * above
    for z in range(first, last):
        sums = out.sums[z]
        sums[:] = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            start, stop = borders.offsets[q], borders.offsets[q + 1]
            _list_worse(borders, q, worse)
            pulls[start:stop] = 0.0
            losses[start:stop] = 0.0
            i = start
            while i < stop:
                if pairs.stop[0]:
                    return
                k, n = _take_rows(worse, start, stop, i)
                at = kept.place[i]
                if keeps:
                    d[:n], w[:n] = kept.distances[at : at + n], kept.weights[at : at + n]
                else:
                    _measure_rows(pairs, worse, start, stop, i, k, n, bits, numbers, whole, d)
                    _weigh_rows(F, worse, start, stop, i, k, n, shift, d, bits, numbers, w)
                _subtract(up, worse, start, stop, i, k, side)
                _separate(w, d, side, kept.power, n, pull, mass)
                sums[0] += _sum_run(pull, 0, n)
                sums[1] += _sum_run(mass, 0, n)
                sums[2] += _sum_run(w, 0, n)
                for j in range(n):
                    growth[j] = -a * side[j] * d[j]
                _raise(n, bits, numbers, growth)
                for j in range(n):
                    mass[j] *= max(0.0, 1.0 - growth[j])
                for j in range(n):
                    w[j] *= growth[j]
                    pull[j] = w[j] * d[j]
                if keeps:
                    kept.weights[at : at + n] = w[:n]
                sums[3] += _sum_run(w, 0, n)
                sums[4] += _count_misordered(after, worse, start, stop, i, k)
                _add_rows(pull, -1.0, worse, start, stop, i, k, pulls)
                _add_rows(mass, 1.0, worse, start, stop, i, k, losses)
                i = k


@njit(nogil=True, cache=True)
def _sweep_rows(mass, column, worse, start, stop, i, last, moved, out):
    """Add the changes of D at some rows' documents: what is above them less what is below."""
    at = np.uint64(0)
    for k in range(i, last):
        first, mine = np.uint64(worse[k - start]), column[k]
        n = np.uint64(stop) - first
        for j in range(n):  # no branch: half of them would be guessed wrong
            other = column[first + j]
            moved[j] = mass[at + j] * (np.float64(other > mine) - np.float64(other < mine))
        own = np.uint64(worse[k - start] - start)
        for j in range(n):
            out[own + j] -= moved[j]
        out[k - start] += _sum_run(moved, 0, n)
        at += n


@njit(nogil=True, cache=True)
def _sweep_blocks(first, last, blocks, F, bins, chosen, pairs, borders, shift, kept, out):
    """Add the change of D at each bin of the chosen features, block by block."""
    offsets = borders.offsets
    longest = _longest(borders, blocks[first], blocks[last])
    room = _TOGETHER + longest
    worse = np.empty(longest, dtype=np.int64)
    bits, whole = np.empty(room, dtype=np.int64), np.empty(room)
    numbers = bits.view(np.float64)
    d, w, mass, moved = np.empty(room), np.empty(room), np.empty(room), np.empty(longest)
    changes, keeps = np.empty((chosen.size, longest)), kept.weights.size > 0
    for z in range(first, last):
        for q in range(blocks[z], blocks[z + 1]):
            start, stop = offsets[q], offsets[q + 1]
            _list_worse(borders, q, worse)
            changes[:] = 0.0
            i = start
            while i < stop:
                if pairs.stop[0]:
                    return
                k, n = _take_rows(worse, start, stop, i)
                if keeps:
                    at = kept.place[i]
                    d[:n], w[:n] = kept.distances[at : at + n], kept.weights[at : at + n]
                else:
                    _measure_rows(pairs, worse, start, stop, i, k, n, bits, numbers, whole, d)
                    _weigh_rows(F, worse, start, stop, i, k, n, shift, d, bits, numbers, w)
                _weigh_masses(w, d, kept.power, n, mass)
                for f in range(chosen.size):
                    _sweep_rows(mass, bins[chosen[f]], worse, start, stop, i, k, moved, changes[f])
                i = k
            for f in range(chosen.size):
                own, column = out[z, f], bins[chosen[f]]
                for i in range(start, stop):
                    own[column[i]] += changes[f, i - start]
