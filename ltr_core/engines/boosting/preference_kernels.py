"""QBRank's squared hinge over all pairs of all queries, without ever listing a pair.

With u = margin·grade - h (margin 1 or 0) a pair (i preferred to j) is violated by v = u_i - u_j + τ where
that is positive. Sorted by u, the documents violated against i are a run from the lowest on; among them
those of a lower grade are a prefix of the grades. So a query costs O(n log n): walk up u, put each document's
count and u into a binary indexed tree over the query's grades, and ask it for sums over lower grades.

    Σ_j v_ij = n_i (u_i + τ) - Σ_j u_j,        Σ v² = Σ_i (u_i + τ) Σ_j v_ij - Σ_j u_j Σ_i v_ij

The order is kept from call to call: between two rounds it hardly changes, and sorting it again costs little.

A query of few documents is quicker pair by pair, eight pairs at a time and nothing sorted: 2,000 queries of
50 take 0.4 ms where the trees take 2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

_FEW, _LANES = 312, 8  # documents of a query up to which pairs are gone through, and how many at a time
_WIDTH = _FEW + _LANES  # a whole number of lanes: 258 instead of 256 cost a third
_BEYOND = 1e300  # u of a document that is none: no pair with it is violated
_RUN = 64  # documents sorted by insertion before merging: from round to round few change places


class Labels(NamedTuple):
    """What documents' labels count."""

    y: np.ndarray
    weight: np.ndarray


class Laid(NamedTuple):
    """The documents by query, in each the best grade first, as the kernels want them."""

    offsets: np.ndarray
    n_codes: np.ndarray  # by query: how many grades it has
    codes: np.ndarray  # the place of each document's grade among its query's
    better: np.ndarray  # where the documents better than each end, counted from the query's first
    worse: np.ndarray  # and where those worse start
    order: np.ndarray  # of u; the last call's is near the one now
    rows: np.ndarray  # the data's row of each document here
    goal: np.ndarray  # margin · grade


@njit(nogil=True, cache=True)
def _sort_ascending(keys, places, other_keys, other_places, n):
    """Sort the first n keys with their places, in place; what is in order already costs one look."""
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            key, place, j = keys[i], places[i], i
            while j > start and keys[j - 1] > key:
                keys[j], places[j] = keys[j - 1], places[j - 1]
                j -= 1
            keys[j], places[j] = key, place
    width = _RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            middle, stop = start + width, min(start + 2 * width, n)
            if keys[middle - 1] <= keys[middle]:
                continue
            for i in range(start, middle):
                other_keys[i], other_places[i] = keys[i], places[i]
            i, j, to = start, middle, start
            while i < middle:
                if j < stop and keys[j] < other_keys[i]:
                    keys[to], places[to] = keys[j], places[j]
                    j += 1
                else:
                    keys[to], places[to] = other_keys[i], other_places[i]
                    i += 1
                to += 1
        width *= 2


@njit(nogil=True, cache=True)
def _load_query(start, stop, u, g, s, order, keys, places, other_keys, other_places):
    """Bring a query's u - s g into ascending order, counted from the first document's: less rounding."""
    n, zero = stop - start, u[start] - s * g[start]
    for p in range(n):
        places[p] = order[start + p]
        keys[p] = u[places[p]] - s * g[places[p]] - zero
    _sort_ascending(keys, places, other_keys, other_places, n)
    for p in range(n):
        order[start + p] = places[p]
    return n


@njit(nogil=True, cache=True)
def _load_few(start, n, u, g, s, room):
    """Write a query's u - s g, counted from the first document's, then its g, and fill up the last lanes."""
    zero = u[start] - s * g[start]
    for p in range(n):
        room[p] = u[start + p] - s * g[start + p] - zero
        room[_WIDTH + p] = g[start + p]
    for p in range(n, n + _LANES):
        room[p], room[_WIDTH + p] = _BEYOND, 0.0


# What these read and write stands in one array, a fixed number of places apart: so the compiler knows that
# nothing read has just been written. Four documents of one grade are taken at a time, against as many others
# as fill whole lanes, and less than four are filled up with some that violate nothing: 3.7 ns for a document
# in a query of 50; a document at a time, and no more others than there are, takes 9.


@njit(nogil=True, cache=True)
def _take_four(p, last, tau, beyond, room):
    """Return u and what is added to it for up to four documents from place p on."""
    a, b, c, d = room[p] + tau, room[p + 1] + tau, room[p + 2] + tau, room[p + 3] + tau
    b = b if last - p > 1 else beyond
    c = c if last - p > 2 else beyond
    d = d if last - p > 3 else beyond
    return a, b, c, d


@njit(nogil=True, cache=True)
def _lanes_of(n):
    return (n + _LANES - 1) // _LANES * _LANES


@njit(nogil=True, cache=True)
def _pull_few(start, n, tau, laid, room, out_pull):
    """Write Σ v of each document of a query, signed, pair by pair; return Σ v². `room` begins with u."""
    worse, better = laid.worse, laid.better
    for j in range(n + _LANES):
        room[_WIDTH + j] = room[2 * _WIDTH + j] = room[3 * _WIDTH + j] = 0.0
    p = 0
    while p < n:
        first = worse[start + p]
        a, b, c, d = _take_four(p, first, tau, -_BEYOND, room)
        for j in range(np.uint64(first), np.uint64(first + _lanes_of(n - first))):
            x = room[j]
            e, f, g, h = max(0.0, a - x), max(0.0, b - x), max(0.0, c - x), max(0.0, d - x)
            room[np.uint64(_WIDTH) + j] += (e + f) + (g + h)
            room[np.uint64(2 * _WIDTH) + j] += (e * e + f * f) + (g * g + h * h)
        p = min(first, p + 4)
    p = 0
    while p < n:  # once more from the worse: a document's own sum would wait for its last addition
        ahead = np.uint64(better[start + p])
        a, b, c, d = _take_four(p, worse[start + p], -tau, _BEYOND, room)
        for j in range(np.uint64(_lanes_of(better[start + p]))):
            x = room[j]
            sums = (max(0.0, x - a) + max(0.0, x - b)) + (max(0.0, x - c) + max(0.0, x - d))
            room[np.uint64(3 * _WIDTH) + j] += sums if j < ahead else 0.0
        p = min(worse[start + p], p + 4)
    value = 0.0
    for p in range(n):
        out_pull[start + p] = room[3 * _WIDTH + p] - room[_WIDTH + p]
        value += room[2 * _WIDTH + p]
    return value


@njit(nogil=True, cache=True)
def _bend_few(start, n, tau, worse, room):
    """Return first and second derivative of a query's ½ Σ v² as u moves by -g. `room` begins with u and g."""
    for j in range(n + _LANES):
        room[2 * _WIDTH + j] = room[3 * _WIDTH + j] = 0.0
    p = 0
    while p < n:
        first = worse[start + p]
        a, b, c, d = _take_four(p, first, tau, -_BEYOND, room)
        e, f, g, h = room[_WIDTH + p], room[_WIDTH + p + 1], room[_WIDTH + p + 2], room[_WIDTH + p + 3]
        for j in range(np.uint64(first), np.uint64(first + _lanes_of(n - first))):
            x, y = room[j], room[np.uint64(_WIDTH) + j]
            v, w, m, o = a - x, b - x, c - x, d - x
            q, r = e - y if v > 0.0 else 0.0, f - y if w > 0.0 else 0.0
            s, t = g - y if m > 0.0 else 0.0, h - y if o > 0.0 else 0.0
            room[np.uint64(2 * _WIDTH) + j] += (v * q + w * r) + (m * s + o * t)
            room[np.uint64(3 * _WIDTH) + j] += (q * q + r * r) + (s * s + t * t)
        p = min(first, p + 4)
    slope, bend = 0.0, 0.0
    for p in range(n):
        slope -= room[2 * _WIDTH + p]
        bend += room[3 * _WIDTH + p]
    return slope, bend


@njit(nogil=True, cache=True)
def _lay_moves(first, last, h, g, laid, labels, out_u, out_moves, out_bends):
    """Bring some queries' u and g into this order, and write what labels add to the derivatives at h.

    That is the first and second one of ½ Σ weight · (y - h)² along g.
    """
    for q in range(first, last):
        slope, bend = 0.0, 0.0
        for p in range(np.uint64(laid.offsets[q]), np.uint64(laid.offsets[q + 1])):
            row = laid.rows[p]
            own, along = h[row], g[row]
            out_u[p], out_moves[p] = laid.goal[p] - own, along
            move = labels.weight[p] * along
            slope -= move * (labels.y[p] - own)
            bend += move * along
        out_bends[0, q], out_bends[1, q] = slope, bend


@njit(nogil=True, cache=True)
def _pull_queries(first, last, h, weight, tau, laid, labels, u, pull, out, out_values):
    """For some queries write each document's pull, of its pairs and of its label, and twice the query's risk.

    `u` and `pull` are room, in the order here; what is written is in the data's.
    """
    offsets, rows = laid.offsets, laid.rows
    if weight > 0.0:
        for p in range(np.uint64(offsets[first]), np.uint64(offsets[last])):
            u[p] = laid.goal[p] - h[rows[p]]
        _pull_laid(first, last, u, tau, laid, pull, out_values)
    else:
        pull[offsets[first] : offsets[last]] = 0.0
        out_values[first:last] = 0.0
    for q in range(first, last):
        total = 0.0
        for p in range(np.uint64(offsets[q]), np.uint64(offsets[q + 1])):
            row = rows[p]
            residual = labels.y[p] - h[row]
            own = labels.weight[p] * residual
            total += own * residual
            out[row] = own + weight * pull[p]
        out_values[q] = weight * out_values[q] + total


@njit(nogil=True, cache=True)
def _pull_laid(first, last, u, tau, laid, out_pull, out_values):
    """Write Σ v of each document of some queries, signed as a pull on its score, and the queries' Σ v²."""
    offsets, codes, n_codes = laid.offsets, laid.codes, laid.n_codes
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    places, other_places = np.empty(largest, np.int64), np.empty(largest, np.int64)
    scratch = (keys, places, other_keys, other_places)
    counts, sums = np.empty(largest + 1, np.int64), np.empty(largest + 1)
    room = np.zeros(4 * _WIDTH)
    for q in range(first, last):
        out_values[q] = 0.0
        top, start, size = n_codes[q], offsets[q], offsets[q + 1] - offsets[q]
        if top < 2:
            for i in range(start, start + size):
                out_pull[i] = 0.0
            continue
        if size <= _FEW:
            _load_few(start, size, u, u, 0.0, room)
            out_values[q] = _pull_few(start, size, tau, laid, room, out_pull)
            continue
        n = _load_query(start, start + size, u, u, 0.0, laid.order, *scratch)
        value = 0.0
        counts[: top + 1] = 0
        sums[: top + 1] = 0.0
        entered = 0
        for p in range(n):  # each document against those of lower grades
            reach = keys[p] + tau
            while entered < n and keys[entered] < reach:
                c = codes[places[entered]] + 1
                while c <= top:
                    counts[c] += 1
                    sums[c] += keys[entered]
                    c += c & -c
                entered += 1
            c, number, total = codes[places[p]], 0, 0.0
            while c > 0:
                number += counts[c]
                total += sums[c]
                c -= c & -c
            violation = reach * number - total
            out_pull[places[p]] = violation
            value += reach * violation
        counts[: top + 1] = 0
        sums[: top + 1] = 0.0
        entered = n - 1
        for p in range(n - 1, -1, -1):  # each document against those of higher grades
            while entered >= 0 and keys[entered] + tau > keys[p]:
                c = top - codes[places[entered]]
                while c <= top:
                    counts[c] += 1
                    sums[c] += keys[entered] + tau
                    c += c & -c
                entered -= 1
            c, number, total = top - 1 - codes[places[p]], 0, 0.0
            while c > 0:
                number += counts[c]
                total += sums[c]
                c -= c & -c
            violation = total - keys[p] * number
            out_pull[places[p]] -= violation
            value -= keys[p] * violation
        out_values[q] = value


@njit(nogil=True, cache=True)
def _bend_queries(first, last, u, g, s, tau, laid, out):
    """For some queries write first and second derivative of ½ Σ v² at u - s g as s grows."""
    offsets, codes, n_codes = laid.offsets, laid.codes, laid.n_codes
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    places, other_places = np.empty(largest, np.int64), np.empty(largest, np.int64)
    scratch = (keys, places, other_keys, other_places)
    sums = np.empty((largest + 1, 5))
    room = np.zeros(4 * _WIDTH)
    for q in range(first, last):
        out[0, q] = out[1, q] = 0.0
        top, start, size = n_codes[q], offsets[q], offsets[q + 1] - offsets[q]
        if top < 2:
            continue
        if size <= _FEW:
            _load_few(start, size, u, g, s, room)
            out[0, q], out[1, q] = _bend_few(start, size, tau, laid.worse, room)
            continue
        n = _load_query(start, start + size, u, g, s, laid.order, *scratch)
        sums[: top + 1] = 0.0
        slope, bend, entered = 0.0, 0.0, 0
        for p in range(n):
            reach, own = keys[p] + tau, g[places[p]]
            while entered < n and keys[entered] < reach:
                move = g[places[entered]]
                c = codes[places[entered]] + 1
                while c <= top:
                    sums[c, 0] += 1.0
                    sums[c, 1] += keys[entered]
                    sums[c, 2] += move
                    sums[c, 3] += keys[entered] * move
                    sums[c, 4] += move * move
                    c += c & -c
                entered += 1
            c = codes[places[p]]
            number, total, moves, products, squares = 0.0, 0.0, 0.0, 0.0, 0.0
            while c > 0:
                number += sums[c, 0]
                total += sums[c, 1]
                moves += sums[c, 2]
                products += sums[c, 3]
                squares += sums[c, 4]
                c -= c & -c
            slope += reach * (moves - own * number) - products + own * total
            bend += squares - 2.0 * own * moves + own * own * number
        out[0, q], out[1, q] = slope, bend
