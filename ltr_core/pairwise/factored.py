"""Pair weights exp(-d Δ) in product form, for data with few grades.

The weight of a pair whose grades are a > b is a product of two document factors,

    w_ij = e^(-d_ab F_i) · e^(+d_ab F_j),

so a document needs one factor for each other grade, and sums over pairs are sums over documents times
grades. `E[i, c]` is document i's factor towards grade c (0 towards its own). A round multiplies the factors
of documents above the threshold by constants: exponentials are taken only when factors are renewed from the
scores. Renewed factors are measured from the highest score of the worse grade in the query and from the
largest weight of all, exp(shift), so that none exceeds 1, whatever the scores.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_LOW_BITS = 28  # of a packed number; the others hold the pull


@njit(nogil=True, cache=True)
def _find_peaks(F, layout, d, first, last, out_low, out_high):
    """Write each segment's lowest and highest score; return the largest exponent -d Δ."""
    offsets, starts, segments, grades = layout
    largest = -np.inf
    for q in range(first, last):
        for s in range(segments[q], segments[q + 1]):
            low, high = np.inf, -np.inf
            for i in range(starts[s], starts[s + 1]):
                low, high = min(low, F[i]), max(high, F[i])
            out_low[s], out_high[s] = low, high
            for t in range(segments[q], s):  # better grades come first
                largest = max(largest, -d[grades[t], grades[s]] * (out_low[t] - high))
    return largest


@njit(nogil=True, cache=True)
def _renew_block(F, layout, d, first, last, shift, high, out_E, out_T):
    """Write factors and their sums by segment."""
    offsets, starts, segments, grades = layout
    for q in range(first, last):
        for s in range(segments[q], segments[q + 1]):
            a = grades[s]
            out_T[s] = 0.0
            for t in range(segments[q], segments[q + 1]):
                c = grades[t]
                if t == s:
                    continue
                total = 0.0
                for i in range(starts[s], starts[s + 1]):
                    if t > s:
                        e = np.exp(-d[a, c] * (F[i] - high[t]) - shift)
                    else:
                        e = np.exp(-d[a, c] * (high[s] - F[i]))
                    out_E[i, c] = e
                    total += e
                out_T[s, c] = total


@njit(nogil=True, cache=True)
def _renew_blocks(F, layout, d, blocks, shift, high, out_E, out_T):
    for z in range(blocks.size - 1):
        _renew_block(F, layout, d, blocks[z], blocks[z + 1], shift, high, out_E, out_T)


@njit(parallel=True, nogil=True, cache=True)
def _renew_blocks_parallel(F, layout, d, blocks, shift, high, out_E, out_T):
    for z in prange(blocks.size - 1):
        _renew_block(F, layout, d, blocks[z], blocks[z + 1], shift, high, out_E, out_T)


@njit(nogil=True, cache=True)
def _sum_weights(T, layout):
    """Return Σ of all weights."""
    offsets, starts, segments, grades = layout
    total = 0.0
    for q in range(offsets.size - 1):
        for s in range(segments[q], segments[q + 1]):
            for t in range(s + 1, segments[q + 1]):
                total += T[s, grades[t]] * T[t, grades[s]]
    return total


@njit(nogil=True, cache=True)
def _split_block(bins, cut, E, layout, first, last, out_S, out):
    """Sum factors by segment and side of a stump (row 2 s below, 2 s + 1 above), and weights by grade pair.

    out[0] holds the pairs that are not separated, out[1] those whose better document is above and the worse
    one below, out[2] the reverse.
    """
    offsets, starts, segments, grades = layout
    K = E.shape[1]
    out[:] = 0.0
    for q in range(first, last):
        for s in range(segments[q], segments[q + 1]):
            out_S[2 * s : 2 * s + 2] = 0.0
            for i in range(np.uint64(starts[s]), np.uint64(starts[s + 1])):
                row = np.uint64(2 * s) + (np.uint64(1) if bins[i] > cut else np.uint64(0))
                for c in range(np.uint64(K)):
                    out_S[row, c] += E[i, c]
        for s in range(segments[q], segments[q + 1]):
            a = grades[s]
            for t in range(s + 1, segments[q + 1]):
                b = grades[t]
                below, above = out_S[2 * s, b], out_S[2 * s + 1, b]
                out[0, a, b] += below * out_S[2 * t, a] + above * out_S[2 * t + 1, a]
                out[1, a, b] += above * out_S[2 * t, a]
                out[2, a, b] += below * out_S[2 * t + 1, a]


@njit(nogil=True, cache=True)
def _split_blocks(bins, cut, E, layout, blocks, out_S, out):
    for z in range(blocks.size - 1):
        _split_block(bins, cut, E, layout, blocks[z], blocks[z + 1], out_S, out[z])


@njit(parallel=True, nogil=True, cache=True)
def _split_blocks_parallel(bins, cut, E, layout, blocks, out_S, out):
    for z in prange(blocks.size - 1):
        _split_block(bins, cut, E, layout, blocks[z], blocks[z + 1], out_S, out[z])


@njit(nogil=True, cache=True)
def _advance_block(
    bins, cut, step, S, layout, first, last, scales, out_F, out_E, out_T, out_pulls, out_packed
):
    """Add a stump to scores, factors and sums, and write what the next search needs; return Σ weights.

    `step` is (value, factors, lost, pull): by what a factor above is multiplied, what share of a shrinking
    pair's mass is lost, and the signed weight of a factor in a document's pull, each by (own, other) grade.
    With scales of 0 nothing is written for a search.
    """
    offsets, starts, segments, grades = layout
    value, factors, lost, pull = step
    fine, coarse, loss_scale = scales
    K = out_E.shape[1]
    move = np.ones((2, K, K))
    move[1] = factors
    pulls = np.zeros((2, K, K))
    losses = np.zeros((2, K, K))
    total = 0.0
    for q in range(first, last):
        for s in range(segments[q], segments[q + 1]):
            a = grades[s]
            for c in range(K):
                out_T[s, c] = S[2 * s, c] + S[2 * s + 1, c] * factors[a, c]
        for s in range(segments[q], segments[q + 1]):
            a = grades[s]
            pulls[:, a] = 0.0
            losses[:, a] = 0.0
            for t in range(segments[q], segments[q + 1]):
                c = grades[t]
                if t > s:
                    total += out_T[s, c] * out_T[t, a]
                if t != s:
                    for side in range(2):
                        pulls[side, a, c] = move[side, a, c] * pull[a, c] * out_T[t, a]
                        losses[side, a, c] = lost[side, a, c] * S[2 * t + 1 - side, a]
        for s in range(segments[q], segments[q + 1]):
            a = np.uint64(grades[s])
            for i in range(np.uint64(starts[s]), np.uint64(starts[s + 1])):
                side = np.uint64(1) if bins[i] > cut else np.uint64(0)
                out_F[i] += value * side
                p, gone = 0.0, 0.0
                for c in range(np.uint64(K)):
                    e = out_E[i, c]
                    p += e * pulls[side, a, c]
                    gone += e * losses[side, a, c]
                    out_E[i, c] = e * move[side, a, c]
                if fine > 0.0:
                    out_pulls[i] = np.int64(np.rint(p * fine))
                    out_packed[i] = (np.int64(np.rint(p * coarse)) << _LOW_BITS) + np.int64(
                        np.ceil(gone * loss_scale)
                    )
    return total


@njit(nogil=True, cache=True)
def _advance_blocks(
    bins, cut, step, S, layout, blocks, scales, out_F, out_E, out_T, out_pulls, out_packed, out
):
    for z in range(blocks.size - 1):
        out[z] = _advance_block(
            bins, cut, step, S, layout, blocks[z], blocks[z + 1], scales,
            out_F, out_E, out_T, out_pulls, out_packed,
        )  # fmt: skip


@njit(parallel=True, nogil=True, cache=True)
def _advance_blocks_parallel(
    bins, cut, step, S, layout, blocks, scales, out_F, out_E, out_T, out_pulls, out_packed, out
):
    for z in prange(blocks.size - 1):
        out[z] = _advance_block(
            bins, cut, step, S, layout, blocks[z], blocks[z + 1], scales,
            out_F, out_E, out_T, out_pulls, out_packed,
        )  # fmt: skip
