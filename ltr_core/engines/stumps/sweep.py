"""The exact D of every threshold of one feature, in documents × grades.

A query's documents pass from above the threshold to below it in the order of their bins. When document i of
grade a passes, the pairs it makes with documents still above become separated and those with documents
already below are so no longer: D changes by Σ_c E[i, c] · (what the c-th other grade has towards a, above
less below).
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_ROUNDING = 1e-13  # as in screening


@njit(nogil=True, cache=True)
def _sweep_query(others, bins, order, codes, E, masses, places, start, stop, side, out):
    """Add half the changes of D at each bin; `side` is used up. Without masses they are all 1."""
    C = np.uint64(len(others))
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
def _sweep_block(others, bins, orders, chosen, codes, E, T, masses, places, layout, first, last, out):
    """Add half the change of D at each bin of the chosen features, for the queries of a block.

    `side` holds for each grade, towards each other one, half of what is above less what is below, times the
    mass; `places` says where in it a document of a grade finds what the other grades have towards its own.
    """
    offsets, starts, segments, segment_codes = layout
    C = len(others)
    whole, side = np.zeros((C + 1) * C), np.zeros((C + 1) * C)
    for q in range(first, last):
        for c in range(whole.size):
            whole[c] = 0.0
        for s in range(segments[q], segments[q + 1]):
            row = segment_codes[s] * C
            for c in range(C):
                if masses is None:
                    whole[row + c] = 0.5 * T[s, c]
                else:
                    whole[row + c] = 0.5 * masses[row + c] * T[s, c]
        start, stop = np.uint64(offsets[q]), np.uint64(offsets[q + 1])
        for f in range(chosen.size):
            for c in range(np.uint64(len(others) * (len(others) + 1))):
                side[c] = whole[c]
            k = chosen[f]
            _sweep_query(others, bins[k], orders[k], codes, E, masses, places, start, stop, side, out[f])


@njit(nogil=True, cache=True)
def _sweep_blocks(others, bins, orders, chosen, codes, E, T, masses, places, layout, blocks, out):
    for z in range(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(others, bins, orders, chosen, codes, E, T, masses, places, layout, first, last, out[z])


@njit(parallel=True, nogil=True, cache=True)
def _sweep_blocks_parallel(others, bins, orders, chosen, codes, E, T, masses, places, layout, blocks, out):
    for z in prange(blocks.size - 1):
        first, last = blocks[z], blocks[z + 1]
        _sweep_block(others, bins, orders, chosen, codes, E, T, masses, places, layout, first, last, out[z])


@njit(nogil=True, cache=True)
def _gain_of(N, D, rule):
    """Return N²/D (rule 0), or RankBoost's 1 - Z (rule 1)."""
    if rule == 0:
        return N * N / D
    if D - abs(N) <= _ROUNDING * D:
        return abs(N)
    return N * N / (D + np.sqrt(D * D - N * N))


@njit(nogil=True, cache=True)
def _judge_feature(column, pulls, changes, scale, units, rule, out_low, out_n, out_d, out_gain):
    """Add up blocks and bins: low bounds of D, and N, D and gain of each threshold; return the largest gain.

    D is summed from both ends and taken from the one with less behind it: it is small near either, and
    keeps its precision there.
    """
    pull_unit, mass_per_pull, no_pull, noise = units
    n_bins = out_gain.size + 1
    sums = np.zeros(n_bins, dtype=np.int64)
    for i in range(np.uint64(column.size)):
        sums[column[i]] += pulls[i]
    mass, behind = 0.0, 0.0
    pull = np.int64(0)
    for b in range(n_bins - 1):
        change = 0.0
        for z in range(changes.shape[0]):
            change += changes[z, b]
        mass += scale * change
        behind += scale * abs(change)
        pull += sums[b]
        out_n[b] = -pull * pull_unit
        out_d[b], out_gain[b] = mass, behind
    mass, behind, best = 0.0, 0.0, 0.0
    for b in range(n_bins - 2, -1, -1):
        change = 0.0
        for z in range(changes.shape[0]):
            change += changes[z, b + 1]
        mass -= scale * change
        behind += scale * abs(change)
        N = out_n[b]
        D = max(mass if behind < out_gain[b] else out_d[b], abs(N) * mass_per_pull)
        out_d[b] = D
        out_low[b] = max(0.0, D - noise) * (1.0 - 1e-6)
        out_gain[b] = _gain_of(N, D, rule) if abs(N) > no_pull else 0.0
        best = max(best, out_gain[b])
    return best
