"""Rows of a query come together: which row goes where, and what is missing is filled from the query."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _fill_query_minimum(offsets, out):
    """Replace each NaN by the smallest value of its feature in its query, or 0 where all are missing."""
    for q in range(len(offsets) - 1):
        for k in range(out.shape[1]):
            least = np.float32(np.inf)
            for i in range(offsets[q], offsets[q + 1]):
                least = min(least, out[i, k]) if not math.isnan(out[i, k]) else least
            if math.isinf(least):
                least = np.float32(0.0)
            for i in range(offsets[q], offsets[q + 1]):
                if math.isnan(out[i, k]):
                    out[i, k] = least


def group_rows(qid: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the rows in grouped order (None when they are grouped already) and the offsets.

    Works on runs of equal ids: to sort the rows themselves takes five times as long on a repeated file.
    """
    starts = np.flatnonzero(np.r_[True, qid[1:] != qid[:-1]])
    lengths = np.diff(np.r_[starts, len(qid)])
    _, first, code = np.unique(qid[starts], return_index=True, return_inverse=True)
    if len(first) == len(starts):
        return None, np.r_[starts, len(qid)].astype(np.int64)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    query = rank[code]
    runs = np.argsort(query, kind="stable")
    ends = np.cumsum(lengths[runs])
    order = np.arange(len(qid)) + np.repeat(starts[runs] - (ends - lengths[runs]), lengths[runs])
    sizes = np.bincount(query, weights=lengths).astype(np.int64)
    return order, np.r_[0, np.cumsum(sizes)].astype(np.int64)
