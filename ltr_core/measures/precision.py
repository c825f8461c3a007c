"""P@n: the share of relevant documents among the first n.

Relevant means r ≥ `relevant`. A list of fewer than n documents is filled up with irrelevant ones (LETOR
4.0): the count is always divided by n. With ties="average" the group that reaches across rank n gives its
share of relevant documents times the ranks it has within n.
"""

from __future__ import annotations

import numpy as np

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Prepared, depth
from .parts.ranking import score_ranked
from .parts.relevance import counter, mark_relevant, relevant_words


class Precision(Measure):
    """Precision at n."""

    name = "p"
    function = "precision"
    called = {"k": "n"}
    aliases = ("precision",)
    label = "P"
    summary = "The share of relevant documents among the first k."
    params = (depth(10, "are counted"), RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        k = self.options["k"]
        some = f"the first {k} documents (missing ones count as irrelevant)"
        first = "all documents" if k is None else some
        return f"The share of relevant documents among {first}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        options = self.options
        relevant, empty = mark_relevant(y, offsets, options["relevant"])
        sizes = np.maximum(np.diff(offsets), 1)
        k = int(sizes.max(initial=1)) if options["k"] is None else options["k"]
        divisor = sizes if options["k"] is None else k
        fill = counter(relevant, offsets, np.full(len(sizes), k))
        return score_ranked(fill, offsets, options, empty, divisor), None
