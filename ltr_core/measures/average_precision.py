"""Average precision (its mean over queries is MAP): the precision at each relevant document's rank, averaged.

AP = (1/R) Σ_j rel_j · P@j over the whole list, R the number of relevant documents.

With ties="average", McSherry & Najork (ECIR 2008): let a tie group of g documents, m of them relevant,
follow s documents of which c are relevant. Its t-th place holds a relevant document with probability m/g,
and then the t − 1 places before it hold (t − 1)(m − 1)/(g − 1) relevant ones on average. The group adds

    Σ_{t=1…g} (m/g) · (c + 1 + (t − 1)(m − 1)/(g − 1)) / (s + t),

which is exact, since P@j is linear in those counts.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numba import njit

from .parts.base import EMPTY, RELEVANT, TIES, Measure, Prepared
from .parts.ranking import score_ranked
from .parts.relevance import mark_relevant, relevant_words


class AveragePrecision(Measure):
    """Average precision."""

    name = "map"
    function = "average_precision"
    aliases = ("ap", "average_precision")
    label = "MAP"
    summary = "The precision at the rank of each relevant document, averaged."
    params = (RELEVANT, TIES, EMPTY)

    def _definition(self) -> str:
        return f"{self.summary.rstrip('.')}, {relevant_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        relevant, empty = mark_relevant(y, offsets, self.options["relevant"])
        fill = partial(_average_precisions, relevant, offsets)
        return score_ranked(fill, offsets, self.options, empty), None


@njit(nogil=True, cache=True)
def _average_precisions(relevant, offsets, order, ends, out):
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        found = 0
        total = 0.0
        i = start
        while i < stop:
            end = ends[i]
            size = end - i
            members = 0
            for j in range(i, end):
                members += relevant[order[j]]
            if members > 0:
                more = (members - 1) / (size - 1) if size > 1 else 0.0
                added = 0.0
                for t in range(size):
                    added += (found + 1 + t * more) / (i - start + t + 1)
                total += members / size * added
            found += members
            i = end
        out[q] = total / max(found, 1)
