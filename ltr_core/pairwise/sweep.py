"""The exact D of every threshold of one feature, in documents × grades.

A query's documents pass from above the threshold to below it in the order of their bins. When document i of
grade a passes, the pairs it makes with documents still above become separated and those with documents
already below are so no longer: D changes by Σ_c E[i, c] · (what is above less what is below, of grade c
towards a).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange


@njit(nogil=True, cache=True)
def _sweep_block(bins, order, codes, pulls, E, T, twice, layout, first, last, out_n, out):
    """Write the changes of N (in the pulls' unit) and of D at each bin, for the queries of a block."""
    offsets, starts, segments, grades = layout
    K = E.shape[1]
    many = np.uint64(K)
    side = np.zeros((K, K))  # [c, a]: documents of grade c towards a, above less below, times the mass
    out_n[:] = 0
    out[:] = 0.0
    for q in range(first, last):
        side[:] = 0.0
        for s in range(segments[q], segments[q + 1]):
            c = grades[s]
            for a in range(K):
                side[c, a] = 0.5 * twice[c, a] * T[s, a]
        start = np.uint64(offsets[q])
        for p in range(start, np.uint64(offsets[q + 1])):
            i = start + np.uint64(order[p])
            a = np.uint64(codes[i])
            change = 0.0
            for c in range(many):
                e = E[i, c]
                change += e * side[c, a]
                side[a, c] -= e * twice[a, c]
            out[bins[i]] += change
            out_n[bins[i]] += pulls[i]


@njit(nogil=True, cache=True)
def _sweep_blocks(bins, order, codes, pulls, E, T, twice, layout, blocks, out_n, out):
    for z in range(blocks.size - 1):
        _sweep_block(
            bins, order, codes, pulls, E, T, twice, layout, blocks[z], blocks[z + 1], out_n[z], out[z]
        )


@njit(parallel=True, nogil=True, cache=True)
def _sweep_blocks_parallel(bins, order, codes, pulls, E, T, twice, layout, blocks, out_n, out):
    for z in prange(blocks.size - 1):
        _sweep_block(
            bins, order, codes, pulls, E, T, twice, layout, blocks[z], blocks[z + 1], out_n[z], out[z]
        )


@njit(nogil=True, cache=True)
def _gain_of(N, D, rule):
    if rule == 0:
        return N * N / D
    return N * N / (D + np.sqrt(max(0.0, D * D - N * N)))


@njit(nogil=True, cache=True)
def _judge_sweep(changes_n, changes, pull_unit, mass_per_pull, no_pull, noise, rule, out_low, out_gain):
    """Add up the blocks and the bins; write lower bounds of D and gains, return the largest gain."""
    pull, mass, best = np.int64(0), 0.0, 0.0
    for b in range(out_gain.size):
        for z in range(changes.shape[0]):
            pull += changes_n[z, b]
            mass += changes[z, b]
        N = -pull * pull_unit
        D = max(mass, abs(N) * mass_per_pull)
        out_low[b] = max(0.0, D - noise) * (1.0 - 1e-6)
        out_gain[b] = _gain_of(N, D, rule) if abs(N) > no_pull else 0.0
        best = max(best, out_gain[b])
    return best
