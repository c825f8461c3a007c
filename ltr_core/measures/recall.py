"""Recall@k: the share of a query's relevant documents that are among the first k.

Relevant means r ≥ `relevant`. With ties="average" the group that reaches across rank k gives its share of
relevant documents times the ranks it has within k.
"""

from __future__ import annotations

import numpy as np

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Prepared, depth
from .parts.ranking import score_ranked
from .parts.relevance import counter, mark_relevant, relevant_words


class Recall(Measure):
    """Recall at k."""

    name = "recall"
    aliases = ("r",)
    label = "Recall"
    summary = "The share of a query's relevant documents that are among the first k."
    params = (depth(10, "are looked at"), RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        k = self.options["k"]
        first = "in the list" if k is None else f"among the first {k} documents"
        return f"The share of a query's relevant documents that are {first}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        relevant, empty = mark_relevant(y, offsets, self.options["relevant"])
        sizes = np.diff(offsets)
        k = np.full(len(sizes), sizes.max(initial=1) if self.options["k"] is None else self.options["k"])
        total = np.maximum(np.add.reduceat(relevant, offsets[:-1], dtype=np.int64), 1)
        return score_ranked(counter(relevant, offsets, k), offsets, self.options, empty, total), None
