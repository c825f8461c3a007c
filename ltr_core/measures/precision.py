"""P@n: the share of relevant documents among the first n.

Relevant means r ≥ `relevant`. A list of fewer than n documents is filled up with irrelevant ones (LETOR
4.0): the count is always divided by n. With ties="average" the group that reaches across rank n gives its
share of relevant documents times the ranks it has within n.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Pooled, Score, depth
from .parts.once import once
from .parts.ranking import rank_queries
from .parts.relevance import mark_relevant, put_empty, relevant_words


class Precision(Measure):
    """Precision at n."""

    name = "p"
    label = "P"
    summary = "The share of relevant documents among the first k."
    params = (depth(10, "are counted"), RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        k = self.options["k"]
        first = (
            "all documents" if k is None else f"the first {k} documents (missing ones count as irrelevant)"
        )
        return f"The share of relevant documents among {first}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
        options = self.options
        relevant, empty = mark_relevant(y, offsets, options["relevant"])
        sizes = np.maximum(np.diff(offsets), 1)
        k = int(sizes.max(initial=1)) if options["k"] is None else options["k"]
        divisor = sizes if options["k"] is None else k

        def score(scores: np.ndarray) -> np.ndarray:
            order, ends = rank_queries(scores, offsets, options["ties"])
            values = np.empty(len(offsets) - 1)
            _count_relevant(relevant, offsets, k, order, ends, values)
            values /= divisor
            return put_empty(values, empty, options["empty"])

        return score, None


def precision(
    y: Any,
    scores: Any,
    qid: Any,
    n: int | None = 10,
    relevant: float = 1.0,
    ties: str = "average",
    empty: str = "zero",
    convention: str | None = None,
    per_query: bool = False,
    *,
    k: int | None = None,
) -> float | np.ndarray:
    """Return P@n, the share of relevant documents among the first n.

    Parameters
    ----------
    y, scores, qid : arrays of one length
        Grades, scores and the query of each document; rows of a query need not stand together.
    n : int or None
        How many documents from the top; None means the whole list. `k` is another name for it.
    relevant : float
        From this grade on a document is relevant.
    ties, empty, convention, per_query
        As for `ndcg`.
    """
    measure = Precision(
        k=n if k is None else k, relevant=relevant, ties=ties, empty=empty, convention=convention
    )
    return once(measure, y, scores, qid, per_query)


@njit(nogil=True, cache=True)
def _count_relevant(relevant, offsets, k, order, ends, out):
    for q in range(len(offsets) - 1):
        start = offsets[q]
        stop = min(offsets[q + 1], start + k)
        total = 0.0
        i = start
        while i < stop:
            end = ends[i]
            members = 0
            for j in range(i, end):
                members += relevant[order[j]]
            total += members if end <= stop else members / (end - i) * (stop - i)
            i = end
        out[q] = total
