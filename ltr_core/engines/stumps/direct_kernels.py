"""Pairs one by one: distances, weights and sums, for grades too many to be tabulated.

A document's row holds its pairs with the worse documents of its query. Rows are worked out when they are
needed, or kept from round to round where memory allows; there is never a matrix of documents by documents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit


class Distances(NamedTuple):
    """How far apart two grades are."""

    y: np.ndarray  # each document's grade, or its place among the table's rows
    kind: int  # 0 binary, 1 LDD, 2 LOGDD, 3 LOGITDD, else the table
    value: float  # the function's parameter
    table: np.ndarray
    stop: np.ndarray  # other than 0 when there is to be an end: looked at document by document


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
def _fill_distances(pairs, i, worse, stop, out):
    """Write document i's distances to the worse documents."""
    y, kind, value, table = pairs.y, pairs.kind, pairs.value, pairs.table
    top = table.shape[0] - 2
    a = min(np.int64(y[i]), top)
    u = y[i] - a
    for j in range(worse, stop):
        t = y[i] - y[j]
        if kind == 0:
            d = value
        elif kind == 1:
            d = value * t
        elif kind == 2:
            d = np.log1p(value * t)
        elif kind == 3:
            d = 1.0 / (1.0 + np.exp(-value * t))
        else:
            b = min(np.int64(y[j]), top)
            v = y[j] - b
            d = (1.0 - u) * ((1.0 - v) * table[a, b] + v * table[a, b + 1])
            d += u * ((1.0 - v) * table[a + 1, b] + v * table[a + 1, b + 1])
        out[j - worse] = d


@njit(nogil=True, cache=True)
def _fill_weights(F, i, worse, stop, shift, d, out):
    """Write the weights of document i's pairs, divided by exp(shift)."""
    for j in range(worse, stop):
        out[j - worse] = np.exp(-d[j - worse] * (F[i] - F[j]) - shift)


@njit(nogil=True, cache=True)
def _keep_queries(first, last, F, pairs, borders, shift, place, out_d, out_w):
    """Fill the rows that are kept."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    for q in range(first, last):
        stop = offsets[q + 1]
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                if pairs.stop[0]:
                    return
                row = slice(place[i], place[i] + stop - worse)
                _fill_distances(pairs, i, worse, stop, out_d[row])
                _fill_weights(F, i, worse, stop, shift, out_d[row], out_w[row])


@njit(nogil=True, cache=True)
def _peak_block(F, pairs, borders, first, last):
    """Return the largest exponent -d Δ and the largest and smallest distance."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    peak, most, least = -np.inf, 0.0, np.inf
    for q in range(first, last):
        stop = offsets[q + 1]
        d = np.empty(stop - offsets[q])
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                if pairs.stop[0]:
                    return peak, most, least
                _fill_distances(pairs, i, worse, stop, d)
                for j in range(worse, stop):
                    peak = max(peak, -d[j - worse] * (F[i] - F[j]))
                    most, least = max(most, d[j - worse]), min(least, d[j - worse])
    return peak, most, least


@njit(nogil=True, cache=True)
def _find_peaks(first, last, blocks, F, pairs, borders, out):
    for z in range(first, last):
        out[z, 0], out[z, 1], out[z, 2] = _peak_block(F, pairs, borders, blocks[z], blocks[z + 1])


@njit(nogil=True, cache=True)
def _walk_block(F, above, a, pairs, borders, block, first, last, shift, kept, out):
    """Add a stump worth a above to the weights of a block's pairs."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    place, power, kept_d, kept_w = kept.place, kept.power, kept.distances, kept.weights
    pulls, losses, sums = out.pulls, out.losses, out.sums[block]
    keeps = kept_w.size > 0
    sums[:] = 0.0
    for q in range(first, last):
        stop = offsets[q + 1]
        d_row, w_row = np.empty(stop - offsets[q]), np.empty(stop - offsets[q])
        pulls[offsets[q] : stop] = 0.0
        losses[offsets[q] : stop] = 0.0
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                if pairs.stop[0]:
                    return
                d, w = d_row, w_row
                if keeps:
                    d = kept_d[place[i] : place[i] + stop - worse]
                    w = kept_w[place[i] : place[i] + stop - worse]
                else:
                    _fill_distances(pairs, i, worse, stop, d)
                    _fill_weights(F, i, worse, stop, shift, d, w)
                pull, loss = 0.0, 0.0
                for j in range(worse, stop):
                    dj, before = d[j - worse], w[j - worse]
                    side = np.int64(above[i]) - np.int64(above[j])
                    mass = dj**power if power else 1.0
                    after = before
                    if side != 0:
                        sums[0] += side * before * dj
                        sums[1] += before * mass
                        after = before * np.exp(-dj * side * a)
                        if side * a > 0.0:
                            gone = (before - after) * mass
                            loss += gone
                            losses[j] += gone
                        if keeps:
                            w[j - worse] = after
                    sums[2] += before
                    sums[3] += after
                    sums[4] += F[i] + a * above[i] <= F[j] + a * above[j]
                    pull += after * dj
                    pulls[j] -= after * dj
                pulls[i] += pull
                losses[i] += loss


@njit(nogil=True, cache=True)
def _walk_blocks(first, last, blocks, F, above, a, pairs, borders, shift, kept, out):
    for z in range(first, last):
        _walk_block(F, above, a, pairs, borders, z, blocks[z], blocks[z + 1], shift, kept, out)


@njit(nogil=True, cache=True)
def _sweep_block(F, bins, chosen, pairs, borders, first, last, shift, kept, pulls, out, out_pulls):
    """Add the change of D and the pull at each bin of the chosen features."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    place, power, kept_d, kept_w = kept.place, kept.power, kept.distances, kept.weights
    keeps = kept_w.size > 0
    for f in range(chosen.size):
        own, column = out_pulls[f], bins[chosen[f]]
        for i in range(offsets[first], offsets[last]):
            own[column[i]] += pulls[i]
    for q in range(first, last):
        stop = offsets[q + 1]
        d_row, w_row = np.empty(stop - offsets[q]), np.empty(stop - offsets[q])
        masses = np.empty(stop - offsets[q])
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                if pairs.stop[0]:
                    return
                d, w = d_row, w_row
                if keeps:
                    d = kept_d[place[i] : place[i] + stop - worse]
                    w = kept_w[place[i] : place[i] + stop - worse]
                else:
                    _fill_distances(pairs, i, worse, stop, d)
                    _fill_weights(F, i, worse, stop, shift, d, w)
                if power:
                    for j in range(stop - worse):
                        masses[j] = w[j] * d[j] ** power
                    w = masses
                for f in range(chosen.size):
                    column = bins[chosen[f]]
                    mine = column[i]
                    change = 0.0
                    for j in range(worse, stop):  # no branch: half of them would be guessed wrong
                        other = column[j]
                        moved = w[j - worse] * (np.float64(other > mine) - np.float64(other < mine))
                        out[f, other] -= moved
                        change += moved
                    out[f, mine] += change


@njit(nogil=True, cache=True)
def _sweep_blocks(first, last, blocks, F, bins, chosen, pairs, borders, shift, kept, pulls, out, out_pulls):
    for z in range(first, last):
        held = (borders, blocks[z], blocks[z + 1], shift, kept, pulls, out[z], out_pulls[z])
        _sweep_block(F, bins, chosen, pairs, *held)
