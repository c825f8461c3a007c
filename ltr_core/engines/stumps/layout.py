"""Documents laid out for pairs: by query, the best grade first; queries without pairs are left out.

A query's documents of one grade stand together in a segment, so that a pair's better document always comes
before its worse one and loops over pairs are loops over ranges. Queries are gathered into a fixed number of
blocks: threads share out blocks, and sums are taken block by block in order, so that they do not depend on
the number of threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...data import RankingData
from ...data.set.remembering import remembered
from ...distances import PairGrades
from ...errors import DataError
from ...threads import share_out
from ..binning.bins import Binned
from . import product_step
from .ordering import Orders

N_BLOCKS = 16
_KEPT = 1  # layouts kept on a data set: some 17 bytes for each document
_KEPT_CELLS = 16 << 20  # bins kept on a layout: with orders up to five bytes each


class Borders(NamedTuple):
    """Where queries and segments start, and the segments' grades: the layout as kernels want it."""

    offsets: np.ndarray  # int64 (n_queries + 1,)
    starts: np.ndarray  # int64 (n_segments + 1,)
    segments: np.ndarray  # int64 (n_queries + 1,): which segment each query starts with
    codes: np.ndarray  # int64 (n_segments,): the position of its grade among the distinct grades


class Laid(NamedTuple):
    """A binning's bins in a layout's order, and its documents in order of them: as words or not."""

    binned: Binned
    bins: np.ndarray
    orders: dict[bool, Orders]


@njit(nogil=True, cache=True)
def _lay_rows(first, last, matrix, rows, out):
    for k in range(first, last):
        for i in range(rows.size):
            out[k, i] = matrix[k, rows[i]]


@njit(nogil=True, cache=True)
def _count_sorted(F, codes, order, start, n_grades):
    """Count, from the highest score down, the documents of worse grades that came before or with each.

    `tree` is Fenwick's: sums of the documents so far of the grades below one in as many steps as it has bits.
    """
    tree = np.zeros(n_grades + 1, dtype=np.int64)
    wrong = np.int64(0)
    p = 0
    while p < order.size:
        end = p
        x = F[start + order[p]]
        while end < order.size and F[start + order[end]] == x:
            a = np.int64(codes[start + order[end]]) + 1
            while a <= n_grades:
                tree[a] += 1
                a += a & -a
            end += 1
        for r in range(p, end):
            a = np.int64(codes[start + order[r]])
            while a > 0:
                wrong += tree[a]
                a -= a & -a
        p = end
    return wrong


def block_starts(offsets: np.ndarray) -> np.ndarray:
    """Return which query each block starts with, so that blocks have about as many documents."""
    shares = np.arange(N_BLOCKS + 1) * (offsets[-1] / N_BLOCKS)
    return np.unique(np.searchsorted(offsets, shares)).astype(np.int64)


def pair_layout(data: RankingData, tied: bool = False) -> PairLayout:
    """Return the layout of a data set's documents, kept on it so that repeated trainings share it."""
    return remembered(data, "_layouts", tied, lambda: PairLayout(data.y, data.offsets, tied), _KEPT)


class PairLayout:
    """The order of the documents that have pairs.

    Parameters
    ----------
    y, offsets : arrays
        Grades and queries.
    tied : bool
        Whether documents of equal grades make pairs as well, so that queries of one grade are kept.

    Attributes
    ----------
    rows : int64 array (n,)
        The data's row of each document here: by query, then from the best grade down, then in file order.
    offsets, starts, segments : int64 arrays
        Where each query that has pairs starts, where each segment starts, which one each query starts with.
    borders : Borders
        The same for kernels.
    blocks : int64 array (n_blocks + 1,)
        Which query each block starts with.
    grades : PairGrades
        Grades and pair counts of the data.
    query : int32 array (n,)
        Which query each document is of.
    codes : array (n,)
        The position of each document's grade among the distinct grades; uint8 where there are few grades.
    n_pairs : int
        How many pairs there are.
    """

    def __init__(self, y: np.ndarray, offsets: np.ndarray, tied: bool = False) -> None:
        grades = self.grades = PairGrades(y, offsets)
        self.n_pairs = grades.n_pairs
        query = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        rows = np.lexsort((-grades.codes, query))
        codes, query = grades.codes[rows], query[rows]
        mixed = np.zeros(len(offsets) - 1, dtype=bool)
        mixed[query[1:][(np.diff(codes) != 0) & (np.diff(query) == 0)]] = True
        if tied:
            mixed = np.diff(offsets) > 1
        kept = mixed[query]
        self.rows, codes, query = rows[kept], codes[kept], query[kept]
        self.codes = codes.astype(np.uint8 if len(grades.grades) <= 256 else np.int32)
        n = len(self.rows)
        new_query = np.r_[True, np.diff(query) != 0][:n]
        new_segment = new_query | np.r_[True, np.diff(codes) != 0][:n]
        self.offsets = np.r_[np.flatnonzero(new_query), n].astype(np.int64)
        self.starts = np.r_[np.flatnonzero(new_segment), n].astype(np.int64)
        self.segments = np.searchsorted(self.starts, self.offsets).astype(np.int64)
        of_segments = codes[self.starts[:-1]].astype(np.int64)
        self.borders = Borders(self.offsets, self.starts, self.segments, of_segments)
        self.blocks = block_starts(self.offsets)
        self.query = (np.cumsum(new_query) - 1).astype(np.int32)
        self._laid: Laid | None = None
        self._long = np.flatnonzero(np.diff(self.offsets) > product_step.MOST_COMPARED)

    @property
    def n_queries(self) -> int:
        """Number of queries that have pairs."""
        return len(self.offsets) - 1

    def require_pairs(self, owner: str) -> None:
        """Refuse data without a pair, in a sentence."""
        if self.n_pairs == 0:
            raise DataError(
                f"{owner} learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )

    def lay(self, binned: Binned) -> np.ndarray:
        """Return the bins in this order, feature by feature; the last ones are kept if they are few."""
        kept = self._laid
        if kept is not None and kept.binned is binned:
            return kept.bins
        out = np.empty((len(binned.bins), len(self.rows)), dtype=binned.bins.dtype)
        features = range(len(out) + 1)
        share_out(_lay_rows, features, binned.bins, self.rows, out, cells=out.size, threshold=200_000)
        if out.size <= _KEPT_CELLS:
            self._laid = Laid(binned, out, {})
        return out

    def order(self, bins: np.ndarray, marks: np.ndarray | None = None) -> Orders:
        """Return the documents in order of laid bins, kept with them. The marks are the same every time."""
        kept = self._laid
        if kept is None or kept.bins is not bins:
            return Orders(self, bins, marks)
        found = kept.orders.get(marks is not None)
        return found or kept.orders.setdefault(marks is not None, Orders(self, bins, marks))

    @property
    def order_type(self) -> type[np.unsignedinteger]:
        """The smallest type that holds a position in a query."""
        longest = int(np.diff(self.offsets).max(initial=1))
        return np.uint8 if longest <= 256 else np.uint16 if longest <= 65_536 else np.uint32

    def count_misordered(self, scores: np.ndarray) -> int:
        """Return how many pairs have F_i <= F_j; `scores` are in this order."""
        out = np.empty(len(self.blocks) - 1, dtype=np.int64)
        count, blocks = product_step._count_blocks, range(len(self.blocks))
        args = (self.blocks, scores, self.borders, out)
        share_out(count, blocks, *args, cells=len(scores), threshold=5_000)
        return int(out.sum()) + self.count_long(scores)

    def count_long(self, scores: np.ndarray) -> int:
        """Return the same of the queries that are too long to compare every pair."""
        wrong = 0
        for q in self._long:
            start, stop = self.offsets[q : q + 2]
            order = np.argsort(-scores[start:stop])
            wrong += _count_sorted(scores, self.codes, order, start, len(self.grades.grades))
        return wrong
