"""The rows of a query in an order of their own, whatever order they were given in.

Where a method starts from equal scores, or takes documents of one grade one after another, something has to
come first. By the order of the rows a file shuffled is another model; here it is the rows' content: the
first feature that differs decides, the smaller value first, and the grade where no feature does.
"""

from __future__ import annotations

import threading

import numpy as np
from numba import njit

from .ranking_data import RankingData


def by_content(data: RankingData) -> RankingData:
    """Return the same data with the rows of each query in the order of their content."""
    rows = _rows_by_content(data)
    return data if rows is None else OrderedData.of(data, rows)


class OrderedData(RankingData):
    """The rows of a set in another order within their queries; features are copied when they are asked for.

    Who trains on bins never asks: the set's own bins, in this order, are these. Of a large set the copy would
    be the largest thing in memory.
    """

    source: RankingData
    rows: np.ndarray
    _X: np.ndarray

    @classmethod
    def of(cls, source: RankingData, rows: np.ndarray) -> OrderedData:
        """Return a set's rows in an order."""
        data = object.__new__(cls)
        data.source, data.rows = source, rows
        ids = None if source.doc_ids is None else source.doc_ids[rows]
        arrays = source.X[:0], source.y[rows], source.qid, source.offsets, source.order[rows]
        data._set(*arrays, source.feature_names, ids, source.name)
        data.named, data.top_grade = source.named, source.top_grade
        return data

    @property
    def X(self) -> np.ndarray:
        """The features, copied."""
        with _LOCK:
            if len(self._X) == 0:
                self._X = self.source.X[self.rows]
                self._X.flags.writeable = False
        return self._X

    @X.setter
    def X(self, none: np.ndarray) -> None:
        self._X = none

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.source.n_features


_LOCK = threading.Lock()


def _rows_by_content(data: RankingData) -> np.ndarray | None:
    """Return the order of the rows' content, found once for a set; None when they are in it."""
    with _LOCK:
        lock = data.__dict__.setdefault("_ordering", _Ordering())
    with lock.lock:
        if not lock.is_known:
            rows = np.arange(data.n_docs)
            _order_rows(data.X, data.y, data.offsets, np.empty_like(rows), rows)
            lock.rows, lock.is_known = None if (rows[1:] > rows[:-1]).all() else rows, True
        return lock.rows


class _Ordering:
    """The order of a set's rows once it is known. It stays behind when the data are pickled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rows: np.ndarray | None = None
        self.is_known = False

    def __reduce__(self):
        return _Ordering, ()


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
            for place in range(first, last):  # as arrays: the half of a second that numba's sentence takes
                out[place] = work[place]
            width *= 2
