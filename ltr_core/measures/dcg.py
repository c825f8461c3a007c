"""DCG@k: the gains of the first k documents, each discounted by its rank, added up.

DCG@k = Σ_{j ≤ k} g(r_j) · d(j), with g = 2^r − 1, r or a table, and d(j) = 1/log2(1 + j) (QBRank, FRank,
McRank) or LETOR's 1 for j = 1 and 1/log2(j) after (MPBoost §5.2). Järvelin & Kekäläinen 2000.

With ties="average" each document of a tie group is at each of the group's ranks equally often, so the
expectation is the group's mean gain times the sum of the discounts of its ranks (those within k).

Decision: `convention="letor"` does not shorten DCG: only NDCG@k is 0 for lists of fewer than k documents.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..threads import share_out
from .parts.base import EMPTY, EMPTY_VALUES, TIES, Measure, Prepared, depth, frozen
from .parts.gains import DISCOUNT, GAIN, discounts_of, gains_of, worth_words
from .parts.ranking import chunk_queries, rank_queries

_SELECT_UP_TO = 24  # ranks; up to here inserting into a short list beats sorting the query
_PARALLEL_FROM = 10_000  # documents; below, a second thread costs more than it brings


class DCG(Measure):
    """Discounted cumulative gain."""

    name = "dcg"
    label = "DCG"
    summary = "The gains of the first k documents, each discounted by its rank, added up."
    params = (depth(10, "are counted"), GAIN, DISCOUNT, TIES, EMPTY)

    def _definition(self) -> str:
        first = "all" if self.options["k"] is None else f"the first {self.options['k']}"
        return f"The discounted gains of {first} documents added up: {worth_words(self.options)}"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        options = self.options
        gains = frozen(gains_of(y, offsets, options["gain"], scaled=False))
        sums = DiscountedSums(gains, offsets, options["k"], options["discount"], options["ties"])
        empty = sums.ideal() == 0.0
        instead = EMPTY_VALUES[options["empty"]]

        def score(scores: np.ndarray) -> np.ndarray:
            values = sums(scores)
            values[empty] = instead
            return values

        return score, None


class DiscountedSums:
    """Σ gain · discount over the first k documents of each query, as a function of the scores."""

    def __init__(
        self, gains: np.ndarray, offsets: np.ndarray, k: int | None, discount: str, ties: str
    ) -> None:
        longest = int(np.diff(offsets).max(initial=0))
        self.gains, self.offsets, self.ties = gains, offsets, ties
        self.k = longest if k is None else min(k, longest)
        self.discounts = frozen(discounts_of(discount, self.k))
        self.chunks = chunk_queries(offsets)

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        """Return the sums for these scores."""
        return self._sum(scores, self.ties)

    def ideal(self) -> np.ndarray:
        """Return the sums of the best order."""
        return self._sum(self.gains, "file")

    def _sum(self, scores: np.ndarray, ties: str) -> np.ndarray:
        out = np.empty(len(self.offsets) - 1)
        if self.k > _SELECT_UP_TO:
            order, ends = rank_queries(scores, self.offsets, ties)
            _sum_ranked(self.gains, self.offsets, self.discounts, order, ends, out)
            return out
        average = ties == "average"
        args = (scores, self.gains, self.offsets, self.discounts, average, out)
        share_out(_sum_selected, self.chunks, *args, cells=len(scores), threshold=_PARALLEL_FROM)
        return out


@njit(nogil=True, cache=True)
def _sum_selected(first, last, scores, gains, offsets, discounts, average, out):
    """Keep the k best of each query in a short sorted list: a third of the time of sorting 50 documents."""
    best, rows = np.empty(len(discounts)), np.empty(len(discounts), np.int64)
    for q in range(first, last):
        start, stop = offsets[q], offsets[q + 1]
        k, size = len(discounts), 0
        if stop - start < k:
            k = stop - start
        for i in range(start, stop):
            score = scores[i]
            if size == k:
                if score <= best[k - 1]:
                    continue
                j = k - 1
            else:
                j = size
                size += 1
            while j > 0 and best[j - 1] < score:
                best[j] = best[j - 1]
                rows[j] = rows[j - 1]
                j -= 1
            best[j] = score
            rows[j] = i
        total = 0.0
        i = 0
        while i < k:
            end = i + 1
            if average:
                while end < k and best[end] == best[i]:
                    end += 1
            beyond = average and end == k and k < stop - start
            if end == i + 1 and not beyond:
                total += gains[rows[i]] * discounts[i]
            else:
                gain, discount, members = 0.0, 0.0, end - i
                for j in range(i, end):
                    gain += gains[rows[j]]
                    discount += discounts[j]
                if beyond:
                    # The last group may reach beyond rank k: its mean gain is that of all its documents.
                    gain, members = 0.0, 0
                    for row in range(start, stop):
                        if scores[row] == best[i]:
                            gain += gains[row]
                            members += 1
                total += gain / members * discount
            i = end
        out[q] = total


@njit(nogil=True, cache=True)
def _sum_range(values, start, stop):
    total = 0.0
    for i in range(start, stop):
        total += values[i]
    return total


@njit(nogil=True, cache=True)
def _sum_ranked(gains, offsets, discounts, order, ends, out):
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        limit = min(len(discounts), stop - start)
        total = 0.0
        i = start
        while i < start + limit:
            end = ends[i]
            gain = 0.0
            for j in range(i, end):
                gain += gains[order[j]]
            total += gain / (end - i) * _sum_range(discounts, i - start, min(end - start, limit))
            i = end
        out[q] = total
