"""D of every threshold of a feature, exactly, from pair weights in product form (see `product_factors`).

A sweep gives the exact D of every threshold of a feature, in documents × grades. A query's documents pass
from above the threshold to below it in the order of their bins. When document i of grade a passes, the pairs
it makes with documents still above become separated and those with documents already below are so no longer:
D changes by Σ_c E[i, c] · (what the c-th other grade has towards a, above less below).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...compiling import side_by_side

_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)
_PLACE, _BIN_AT, _MARK_AT = np.uint64(65_535), np.uint64(16), np.uint64(24)  # of a word of `ordering`
_BIN = np.uint64(255)


class Sides(NamedTuple):
    """What a sweep reads of documents and grades."""

    E: np.ndarray
    T: np.ndarray
    places: np.ndarray  # where `side` has what the other grades have towards a document's own


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
def _sweep_feature(others, bins, order, codes, masses, sides, offsets, first, last, halves, side, out):
    """Add half the changes of D at each bin, for some queries. Without masses they are all 1.

    Without the grades the order is one of words (see `ordering`), which have bins and where a grade's row
    starts: 0.18 ms where looking for them takes 0.20.

    One loop over a block's queries: as a function of each query, which has every array handed over anew, a
    feature took 0.32 ms instead of 0.26.
    """
    E, places = sides.E, sides.places
    C = np.uint64(len(others))
    for q in range(first, last):
        half, start, stop = halves[q - first], np.uint64(offsets[q]), np.uint64(offsets[q + 1])
        for c in range(np.uint64(len(others) * (len(others) + 1))):
            side[c] = half[c]
        for p in range(start, stop):
            word = np.uint64(order[p])
            if codes is None:
                i = start + (word & _PLACE)
                at, row = (word >> _BIN_AT) & _BIN, word >> _MARK_AT
            else:
                i = start + word
                at, row = np.uint64(bins[i]), np.uint64(codes[i]) * C
            change = 0.0
            if len(others) == 4:
                e0, e1, e2, e3 = E[i, 0], E[i, 1], E[i, 2], E[i, 3]
                x0, x1 = side[places[row]], side[places[row + _ONE]]
                x2, x3 = side[places[row + _TWO]], side[places[row + _THREE]]
                change = (e0 * x0 + e1 * x1) + (e2 * x2 + e3 * x3)
                s0, s1, s2, s3 = side[row], side[row + _ONE], side[row + _TWO], side[row + _THREE]
                if masses is not None:
                    e0, e1 = e0 * masses[row], e1 * masses[row + _ONE]
                    e2, e3 = e2 * masses[row + _TWO], e3 * masses[row + _THREE]
                s0, s1, s2, s3 = s0 - e0, s1 - e1, s2 - e2, s3 - e3
                side[row], side[row + _ONE], side[row + _TWO], side[row + _THREE] = s0, s1, s2, s3
            else:
                for c in range(np.uint64(len(others))):  # what is read of `side` is not what is written
                    e = E[i, c]
                    change += e * side[places[row + c]]
                    side[row + c] -= e if masses is None else e * masses[row + c]
            out[at] += change


@njit(nogil=True, cache=True)
def _sweep_blocks(first, last, others, bins, orders, codes, chosen, masses, sides, borders, blocks, out):
    """Write half the change of D at each bin of the chosen features, block by block.

    `side` holds for each grade, towards each other one, half of what is above less what is below, times the
    mass; `places` says where in it a document of a grade finds what the other grades have towards its own.
    """
    offsets, segments, segment_codes = borders.offsets, borders.segments, borders.codes
    size, most = len(others) * (len(others) + 1), 0
    for z in range(first, last):
        most = max(most, blocks[z + 1] - blocks[z])
    halves, side = np.empty((most, size)), np.empty(size)
    for z in range(first, last):
        start, stop = blocks[z], blocks[z + 1]
        for q in range(start, stop):
            _halve_query(others, masses, sides.T, segments, segment_codes, q, halves[q - start])
        for f in range(chosen.size):
            k = chosen[f]
            for b in range(out.shape[2]):
                out[z, f, b] = 0.0
            held = (codes, masses, sides, offsets, start, stop, halves, side)
            _sweep_feature(others, bins[k], orders[k], *held, out[z, f])


side_by_side(_sweep_feature, _sweep_blocks)
