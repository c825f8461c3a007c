"""MRR: one over the rank of the first relevant document, averaged over queries; 0 beyond rank k.

With ties="average": in the first tie group that holds relevant documents (m of g, behind s irrelevant ones)
the first of them stands at place t with probability C(g − t, m − 1) / C(g, m); the query scores Σ_t of that
over s + t. The probabilities follow from one another: p_1 = m/g, p_{t+1} = p_t · (g − t − m + 1) / (g − t).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Pooled, Score, depth
from .parts.once import once
from .parts.ranking import rank_queries
from .parts.relevance import mark_relevant, put_empty, relevant_words


class MRR(Measure):
    """Mean reciprocal rank."""

    name = "mrr"
    label = "MRR"
    summary = "One over the rank of the first relevant document."
    params = (depth(None, "are looked at"), RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        k = self.options["k"]
        within = "" if k is None else f" (0 when it is not among the first {k})"
        return f"One over the rank of the first relevant document{within}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
        options = self.options
        relevant, empty = mark_relevant(y, offsets, options["relevant"])
        k = max(len(y), 1) if options["k"] is None else options["k"]

        def score(scores: np.ndarray) -> np.ndarray:
            order, ends = rank_queries(scores, offsets, options["ties"])
            values = np.empty(len(offsets) - 1)
            _find_first(relevant, offsets, k, order, ends, values)
            return put_empty(values, empty, options["empty"])

        return score, None


def mrr(
    y: Any,
    scores: Any,
    qid: Any,
    k: int | None = None,
    relevant: float = 1.0,
    ties: str = "average",
    empty: str = "zero",
    convention: str | None = None,
    per_query: bool = False,
) -> float | np.ndarray:
    """Return the mean reciprocal rank of the first relevant document.

    Parameters
    ----------
    y, scores, qid : arrays of one length
        Grades, scores and the query of each document; rows of a query need not stand together.
    k : int or None
        A first relevant document beyond rank k scores 0; None means the whole list.
    relevant : float
        From this grade on a document is relevant.
    ties, empty, convention, per_query
        As for `ndcg`.
    """
    measure = MRR(k=k, relevant=relevant, ties=ties, empty=empty, convention=convention)
    return once(measure, y, scores, qid, per_query)


@njit(nogil=True, cache=True)
def _find_first(relevant, offsets, k, order, ends, out):
    for q in range(len(offsets) - 1):
        start = offsets[q]
        stop = min(offsets[q + 1], start + k)
        value = 0.0
        i = start
        while i < stop:
            end = ends[i]
            members = 0
            for j in range(i, end):
                members += relevant[order[j]]
            if members > 0:
                left = end - i
                chance = members / left
                for j in range(i, min(end, stop)):
                    value += chance / (j - start + 1)
                    if left <= members:
                        break
                    chance *= (left - members) / (left - 1)
                    left -= 1
                break
            i = end
        out[q] = value
