"""Documents in the order that pair losses want: by query, best grade first.

A pair's better document then stands before its worse one: the worse partners of document i are those from
`lower[i]` to the end of its query.
"""

from __future__ import annotations

import numpy as np

from ...data import RankingData
from ...errors import DataError
from ...measures.parts.ranking import chunk_queries, rank_queries

SMALL = 256  # documents up to which all pairs of a query are gone through; more are sorted instead


class PairOrder:
    """The order, and how many pairs there are.

    Attributes
    ----------
    rows : int64 array
        The data's row of each place.
    lower : int64 array
        The first place of its query whose grade is lower, for each place.
    offsets, chunks : int64 arrays
        Where queries start, and runs of queries to share out between threads.
    n_pairs : int
        The number of pairs.
    """

    def __init__(self, data: RankingData) -> None:
        self.offsets = data.offsets
        self.rows, self.lower = rank_queries(data.y, data.offsets, "average")
        self.grades = data.y[self.rows]
        stops = np.repeat(self.offsets[1:], np.diff(self.offsets))
        self.n_pairs = int((stops - self.lower).sum())
        self.chunks = chunk_queries(self.offsets)

    def require_pairs(self, name: str) -> None:
        """Raise the sentence for data without a single pair."""
        if self.n_pairs == 0:
            raise DataError(
                f"no query has documents of two grades: {name} has no pair to learn from",
                "give data in which some query has distinct grades",
            )
