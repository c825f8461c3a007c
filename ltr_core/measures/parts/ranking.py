"""Queries sorted by score, tied documents as groups: where every measure of the order starts from.

The measures call `rank_queries` from Python and loop over what it returns in a kernel of their own, so no
kernel depends on one in another file. Sorting is nearly all of the work: it alone runs in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba import njit

from ...threads import share_out
from .base import EMPTY_VALUES, Score, frozen

_CHUNKS = 16  # to share out; scratch is allocated once in each
_PARALLEL_FROM = 5_000  # documents; below, a second thread costs more than it brings
_RUN = 16  # documents sorted by insertion before merging


def rank_queries(scores: np.ndarray, offsets: np.ndarray, ties: str) -> tuple[np.ndarray, np.ndarray]:
    """Sort each query by score, highest first, equal scores in file order.

    Returns
    -------
    order : int64 array
        The row at each place.
    ends : int64 array
        Where the tie group of each place ends (the place behind its last). With ``ties="file"`` every
        document is a group of its own.
    """
    order, ends = np.empty(len(scores), np.int64), np.empty(len(scores), np.int64)
    scores, average = frozen(scores), ties == "average"
    args = (scores, offsets, average, order, ends)
    share_out(_rank_queries, chunk_queries(offsets), *args, cells=len(scores), threshold=_PARALLEL_FROM)
    return order, ends


def score_ranked(
    fill: Callable[[np.ndarray, np.ndarray, np.ndarray], None],
    offsets: np.ndarray,
    options: Mapping[str, Any],
    empty: np.ndarray,
    divisor: np.ndarray | float = 1.0,
) -> Score:
    """Return the score of a measure whose kernel ``fill(order, ends, out)`` goes down each ranked list.

    What the kernel gives is divided by `divisor`; the queries in `empty` get what the option says.
    """
    instead = EMPTY_VALUES[options["empty"]]

    def score(scores: np.ndarray) -> np.ndarray:
        values = np.empty(len(offsets) - 1)
        fill(*rank_queries(scores, offsets, options["ties"]), values)
        values /= divisor
        values[empty] = instead
        return values

    return score


def chunk_queries(offsets: np.ndarray) -> np.ndarray:
    """Return limits of runs of queries with about equally many documents."""
    wanted = np.arange(_CHUNKS + 1) * offsets[-1] // _CHUNKS
    chunks = np.searchsorted(offsets, wanted)
    chunks[-1] = len(offsets) - 1
    return chunks


@njit(nogil=True, cache=True)
def _rank_queries(first, last, scores, offsets, average, order, ends):
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    rows, other_rows = np.empty(largest, np.int64), np.empty(largest, np.int64)
    for q in range(first, last):
        start, n = offsets[q], offsets[q + 1] - offsets[q]
        for i in range(n):
            keys[i], rows[i] = scores[start + i], start + i
        _sort_descending(keys, rows, other_keys, other_rows, n)
        for i in range(n - 1, -1, -1):
            tied = average and i + 1 < n and keys[i] == keys[i + 1]
            ends[start + i] = ends[start + i + 1] if tied else start + i + 1
            order[start + i] = rows[i]


@njit(nogil=True, cache=True)
def _sort_descending(keys, rows, other_keys, other_rows, n):
    """Stable merge sort of the first n keys with their rows, in place."""
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            key, row, j = keys[i], rows[i], i
            while j > start and keys[j - 1] < key:
                keys[j], rows[j] = keys[j - 1], rows[j - 1]
                j -= 1
            keys[j], rows[j] = key, row
    width = _RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            middle, stop = start + width, min(start + 2 * width, n)
            if keys[middle - 1] >= keys[middle]:
                continue
            # The left run moves out of the way; what is left of the right run is in place already.
            for i in range(start, middle):
                other_keys[i], other_rows[i] = keys[i], rows[i]
            i, j, to = start, middle, start
            while i < middle:
                if j < stop and keys[j] > other_keys[i]:
                    keys[to], rows[to] = keys[j], rows[j]
                    j += 1
                else:
                    keys[to], rows[to] = other_keys[i], other_rows[i]
                    i += 1
                to += 1
        width *= 2
