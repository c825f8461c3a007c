"""The rows of a query in an order of their own, whatever order they were given in.

Where a method starts from equal scores, or takes documents of one grade one after another, something has to
come first. By the order of the rows a file shuffled is another model; here it is the rows' content: the
first feature that differs decides, the smaller value first, and the grade where no feature does.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .ranking_data import RankingData


def by_content(data: RankingData) -> RankingData:
    """Return the same data with the rows of each query in the order of their content."""
    rows = np.arange(data.n_docs)
    _order_rows(data.X, data.y, data.offsets, np.empty_like(rows), rows)
    if (rows[1:] > rows[:-1]).all():
        return data
    ids = None if data.doc_ids is None else data.doc_ids[rows]
    arrays = data.X[rows], data.y[rows], data.qid, data.offsets, data.order[rows]
    return RankingData.from_parts(*arrays, data.feature_names, ids, data.name, data.named)


def places_in(ordered: RankingData, data: RankingData) -> np.ndarray | None:
    """Return where each row of `data` is in `ordered`, which `by_content` made of it; None: where it was."""
    if ordered is data:
        return None
    ascending = np.argsort(ordered.order)
    return ascending[np.searchsorted(ordered.order, data.order, sorter=ascending)]


@njit(nogil=True, cache=True)
def _order_rows(X, y, offsets, work, out):
    """Sort the rows of each query, which are in `out`, by merging; `work` is as long."""
    for q in range(len(offsets) - 1):
        first, last = offsets[q], offsets[q + 1]
        width = 1
        while width < last - first:
            for start in range(first, last, 2 * width):
                middle = min(start + width, last)
                end = min(start + 2 * width, last)
                left, right = start, middle
                for place in range(start, end):
                    takes_left = left < middle
                    if takes_left and right < end:
                        a, b = out[left], out[right]
                        k = 0
                        while k < X.shape[1] and X[a, k] == X[b, k]:
                            k += 1
                        takes_left = X[a, k] < X[b, k] if k < X.shape[1] else y[a] <= y[b]
                    if takes_left:
                        work[place] = out[left]
                        left += 1
                    else:
                        work[place] = out[right]
                        right += 1
            out[first:last] = work[first:last]
            width *= 2
