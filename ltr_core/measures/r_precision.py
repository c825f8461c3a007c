"""R-precision: the precision at R, the number of a query's relevant documents; there it equals the recall.

Relevant means r ≥ `relevant`. With ties="average" the group that reaches across rank R gives its share of
relevant documents times the ranks it has within R.
"""

from __future__ import annotations

import numpy as np

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Prepared
from .parts.ranking import score_ranked
from .parts.relevance import counter, mark_relevant, relevant_words


class RPrecision(Measure):
    """R-precision."""

    name = "r_precision"
    aliases = ("rprec",)
    label = "R-precision"
    summary = "The share of relevant documents among the first R, R being how many the query has."
    params = (RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        return f"{self.summary.rstrip('.')}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        relevant, empty = mark_relevant(y, offsets, self.options["relevant"])
        total = np.maximum(np.add.reduceat(relevant, offsets[:-1], dtype=np.int64), 1)
        fill = counter(relevant, offsets, total)
        return score_ranked(fill, offsets, self.options, empty, total), None
