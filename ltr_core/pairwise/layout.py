"""Documents laid out for pairs: by query, the best grade first; queries without pairs are left out.

A query's documents of one grade stand together in a segment, so that a pair's better document always comes
before its worse one and loops over pairs are loops over ranges.
"""

from __future__ import annotations

import numpy as np

from ..distances import PairGrades
from ..errors import DataError


class PairLayout:
    """The order of the documents that have pairs.

    Attributes
    ----------
    rows : int64 array (n,)
        The data's row of each document here: by query, then from the best grade down, then in file order.
    offsets : int64 array (n_queries + 1,)
        Where each query that has pairs starts.
    starts : int64 array (n_segments + 1,)
        Where each segment starts.
    segments : int64 array (n_queries + 1,)
        Which segment each query starts with.
    grades : PairGrades
        Grades and pair counts of the data.
    codes : int32 array (n,)
        The position of each document's grade among the distinct grades.
    segment_codes : int32 array (n_segments,)
        The same for each segment.
    n_pairs : int
        How many pairs there are.
    """

    def __init__(self, y: np.ndarray, offsets: np.ndarray) -> None:
        grades = self.grades = PairGrades(y, offsets)
        self.n_pairs = grades.n_pairs
        query = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        rows = np.lexsort((-grades.codes, query))
        codes, query = grades.codes[rows], query[rows]
        mixed = np.zeros(len(offsets) - 1, dtype=bool)
        mixed[query[1:][(np.diff(codes) != 0) & (np.diff(query) == 0)]] = True
        kept = mixed[query]
        self.rows, self.codes, query = rows[kept], codes[kept], query[kept]
        n = len(self.rows)
        new_query = np.r_[True, np.diff(query) != 0][:n]
        new_segment = new_query | np.r_[True, np.diff(self.codes) != 0][:n]
        self.offsets = np.r_[np.flatnonzero(new_query), n].astype(np.int64)
        self.starts = np.r_[np.flatnonzero(new_segment), n].astype(np.int64)
        self.segments = np.searchsorted(self.starts, self.offsets).astype(np.int64)
        self.segment_codes = self.codes[self.starts[:-1]]

    def require_pairs(self, owner: str) -> None:
        """Refuse data without a pair, in a sentence."""
        if self.n_pairs == 0:
            raise DataError(
                f"{owner} learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )
