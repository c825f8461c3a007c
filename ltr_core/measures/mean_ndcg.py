"""MeanNDCG: per query the mean of NDCG@1 … NDCG@n, n its number of documents (LETOR's scripts).

Every NDCG@k of a query is linear in the gains at the ranks, so with ties="average" the mean gain of a tie
group stands at each of its ranks and the result is the expectation over all orders. No query is shorter
than k ≤ n: `short` has no say here.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numba import njit

from .parts.base import EMPTY, TIES, Measure, Prepared, frozen
from .parts.gains import DISCOUNT, GAIN, discounts_of, gains_of, worth_words
from .parts.ranking import rank_queries, score_ranked


class MeanNDCG(Measure):
    """The mean of NDCG over all depths of a list."""

    name = "mean_ndcg"
    label = "MeanNDCG"
    aliases = ("meanndcg",)
    summary = "Per query the mean of NDCG@1, NDCG@2, … up to its number of documents."
    params = (GAIN, DISCOUNT, TIES, EMPTY)

    def _definition(self) -> str:
        return f"{self.summary.rstrip('.')}: {worth_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        options = self.options
        gains = frozen(gains_of(y, offsets, options["gain"], scaled=True))
        discounts = frozen(discounts_of(options["discount"], int(np.diff(offsets).max())))
        best, _ = rank_queries(gains, offsets, "file")
        ideal = np.empty(len(gains))
        _accumulate_ideal(gains, offsets, discounts, best, ideal)
        empty = np.maximum.reduceat(gains, offsets[:-1]) == 0.0
        fill = partial(_average_depths, gains, ideal, offsets, discounts)
        return score_ranked(fill, offsets, options, empty), None


@njit(nogil=True, cache=True)
def _accumulate_ideal(gains, offsets, discounts, best, out):
    for q in range(len(offsets) - 1):
        total = 0.0
        for i in range(offsets[q], offsets[q + 1]):
            total += gains[best[i]] * discounts[i - offsets[q]]
            out[i] = total


@njit(nogil=True, cache=True)
def _average_depths(gains, ideal, offsets, discounts, order, ends, out):
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        total, ratios = 0.0, 0.0
        i = start
        while i < stop:
            end = ends[i]
            gain = 0.0
            for j in range(i, end):
                gain += gains[order[j]]
            gain /= end - i
            for j in range(i, end):
                total += gain * discounts[j - start]
                if ideal[j] > 0.0:
                    ratios += total / ideal[j]
            i = end
        out[q] = ratios / (stop - start)
