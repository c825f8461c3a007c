"""MRR: one over the rank of the first relevant document, averaged over queries; 0 beyond rank k.

With ties="average": in the first tie group that holds relevant documents (m of g, behind s irrelevant ones)
the first of them stands at place t with probability C(g − t, m − 1) / C(g, m); the query scores Σ_t of that
over s + t. The probabilities follow from one another: p_1 = m/g, p_{t+1} = p_t · (g − t − m + 1) / (g − t).
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numba import njit

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Prepared, depth
from .parts.ranking import score_ranked
from .parts.relevance import mark_relevant, relevant_words


class MRR(Measure):
    """Mean reciprocal rank."""

    name = "mrr"
    label = "MRR"
    aliases = ("rr",)
    summary = "One over the rank of the first relevant document."
    params = (depth(None, "are looked at"), RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        k = self.options["k"]
        within = "" if k is None else f" (0 when it is not among the first {k})"
        return f"One over the rank of the first relevant document{within}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        relevant, empty = mark_relevant(y, offsets, self.options["relevant"])
        k = max(len(y), 1) if self.options["k"] is None else self.options["k"]
        return score_ranked(partial(_find_first, relevant, offsets, k), offsets, self.options, empty), None


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
