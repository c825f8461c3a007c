"""Pairs one by one: distances, weights and sums, for grades too many to be tabulated.

A document's row holds its pairs with the worse documents of its query. Rows are worked out when they are
needed, or kept from round to round where memory allows; there is never a matrix of documents by documents.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(nogil=True, cache=True)
def _fill_distances(y, i, worse, stop, kind, value, table, codes, out):
    """Write document i's distances to the worse documents."""
    for j in range(worse, stop):
        t = y[i] - y[j]
        if kind == 0:
            d = 1.0
        elif kind == 1:
            d = value * t
        elif kind == 2:
            d = np.log1p(value * t)
        elif kind == 3:
            d = 1.0 / (1.0 + np.exp(-value * t))
        else:
            d = table[codes[i], codes[j]]
        out[j - worse] = d


@njit(nogil=True, cache=True)
def _fill_weights(F, i, worse, stop, shift, d, out):
    """Write the weights of document i's pairs, divided by exp(shift)."""
    for j in range(worse, stop):
        out[j - worse] = np.exp(-d[j - worse] * (F[i] - F[j]) - shift)


@njit(nogil=True, cache=True)
def _keep_block(F, pairs, layout, first, last, shift, place, out_d, out_w):
    """Fill the rows that are kept."""
    y, codes, kind, value, table = pairs
    offsets, starts, segments = layout
    for q in range(first, last):
        stop = offsets[q + 1]
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                row = slice(place[i], place[i] + stop - worse)
                _fill_distances(y, i, worse, stop, kind, value, table, codes, out_d[row])
                _fill_weights(F, i, worse, stop, shift, out_d[row], out_w[row])


@njit(nogil=True, cache=True)
def _keep_blocks(F, pairs, layout, blocks, shift, place, out_d, out_w):
    for z in range(blocks.size - 1):
        _keep_block(F, pairs, layout, blocks[z], blocks[z + 1], shift, place, out_d, out_w)


@njit(parallel=True, nogil=True, cache=True)
def _keep_blocks_parallel(F, pairs, layout, blocks, shift, place, out_d, out_w):
    for z in prange(blocks.size - 1):
        _keep_block(F, pairs, layout, blocks[z], blocks[z + 1], shift, place, out_d, out_w)


@njit(nogil=True, cache=True)
def _peak_block(F, pairs, layout, first, last):
    """Return the largest exponent -d Δ and the largest and smallest distance."""
    y, codes, kind, value, table = pairs
    offsets, starts, segments = layout
    peak, most, least = -np.inf, 0.0, np.inf
    for q in range(first, last):
        stop = offsets[q + 1]
        d = np.empty(stop - offsets[q])
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                _fill_distances(y, i, worse, stop, kind, value, table, codes, d)
                for j in range(worse, stop):
                    peak = max(peak, -d[j - worse] * (F[i] - F[j]))
                    most, least = max(most, d[j - worse]), min(least, d[j - worse])
    return peak, most, least


@njit(nogil=True, cache=True)
def _find_peaks(F, pairs, layout, blocks, out):
    for z in range(blocks.size - 1):
        out[z, 0], out[z, 1], out[z, 2] = _peak_block(F, pairs, layout, blocks[z], blocks[z + 1])


@njit(parallel=True, nogil=True, cache=True)
def _find_peaks_parallel(F, pairs, layout, blocks, out):
    for z in prange(blocks.size - 1):
        out[z, 0], out[z, 1], out[z, 2] = _peak_block(F, pairs, layout, blocks[z], blocks[z + 1])


@njit(nogil=True, cache=True)
def _walk_block(F, above, a, pairs, layout, first, last, shift, place, power, kept, out):
    """Add a stump worth a above to the weights of a block's pairs.

    `out` is (pulls, losses, sums): by document Σ ± w d and the mass that shrinking pairs lose; N, D and Σ w
    before, Σ w after, and how many pairs have F_i <= F_j after.
    """
    y, codes, kind, value, table = pairs
    offsets, starts, segments = layout
    kept_d, kept_w = kept
    pulls, losses, sums = out
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
                d, w = d_row, w_row
                if keeps:
                    d = kept_d[place[i] : place[i] + stop - worse]
                    w = kept_w[place[i] : place[i] + stop - worse]
                else:
                    _fill_distances(y, i, worse, stop, kind, value, table, codes, d)
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
def _walk_blocks(F, above, a, pairs, layout, blocks, shift, place, power, kept, pulls, losses, sums):
    for z in range(blocks.size - 1):
        out = (pulls, losses, sums[z])
        _walk_block(F, above, a, pairs, layout, blocks[z], blocks[z + 1], shift, place, power, kept, out)


@njit(parallel=True, nogil=True, cache=True)
def _walk_blocks_parallel(F, above, a, pairs, layout, blocks, shift, place, power, kept, pulls, losses, sums):
    for z in prange(blocks.size - 1):
        out = (pulls, losses, sums[z])
        _walk_block(F, above, a, pairs, layout, blocks[z], blocks[z + 1], shift, place, power, kept, out)


@njit(nogil=True, cache=True)
def _sweep_block(F, bins, chosen, pairs, layout, first, last, shift, place, power, kept, out):
    """Write the change of D at each bin of the chosen features."""
    y, codes, kind, value, table = pairs
    offsets, starts, segments = layout
    kept_d, kept_w = kept
    keeps = kept_w.size > 0
    out[:] = 0.0
    for q in range(first, last):
        stop = offsets[q + 1]
        d_row, w_row = np.empty(stop - offsets[q]), np.empty(stop - offsets[q])
        for s in range(segments[q], segments[q + 1] - 1):
            worse = starts[s + 1]
            for i in range(starts[s], worse):
                d, w = d_row, w_row
                if keeps:
                    d = kept_d[place[i] : place[i] + stop - worse]
                    w = kept_w[place[i] : place[i] + stop - worse]
                else:
                    _fill_distances(y, i, worse, stop, kind, value, table, codes, d)
                    _fill_weights(F, i, worse, stop, shift, d, w)
                for f in range(chosen.size):
                    column = bins[chosen[f]]
                    mine = column[i]
                    change = 0.0
                    for j in range(worse, stop):
                        mass = w[j - worse]
                        if power:
                            mass *= d[j - worse] ** power
                        other = column[j]
                        if other < mine:
                            out[f, other] += mass
                            change -= mass
                        elif other > mine:
                            out[f, other] -= mass
                            change += mass
                    out[f, mine] += change


@njit(nogil=True, cache=True)
def _sweep_blocks(F, bins, chosen, pairs, layout, blocks, shift, place, power, kept, out):
    for z in range(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(F, bins, chosen, pairs, layout, first, last, shift, place, power, kept, out[z])


@njit(parallel=True, nogil=True, cache=True)
def _sweep_blocks_parallel(F, bins, chosen, pairs, layout, blocks, shift, place, power, kept, out):
    for z in prange(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(F, bins, chosen, pairs, layout, first, last, shift, place, power, kept, out[z])
