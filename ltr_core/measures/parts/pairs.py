"""Pairs of documents that scores order the wrong way, or do not order: what τ and misorder are made of.

Counted in O(n log n), so that lists of 10,000 documents and more take milliseconds: go down the list by
score, and count for each document the ones above it whose grade is lower, in a Fenwick tree over the
query's grades.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .base import frozen
from .ranking import rank_queries


class PairCounts:
    """The pairs of a data set with distinct grades, and how scores order them.

    `pairs` are those of each query; a pair of one query counts once.
    """

    def __init__(self, y: np.ndarray, offsets: np.ndarray) -> None:
        self.offsets = offsets
        best, ends = rank_queries(y, offsets, "average")
        levels, self.pairs = np.empty(len(y), np.int64), np.empty(len(offsets) - 1, np.int64)
        _number_levels(offsets, best, ends, levels, self.pairs)
        self.levels = frozen(levels)

    def count(self, scores: np.ndarray, ties: str) -> tuple[np.ndarray, np.ndarray]:
        """Return for each query the discordant pairs, and the pairs whose scores are equal.

        With ``ties="file"`` the document that stands first in the file is above, and no pair is equal.
        """
        order, ends = rank_queries(scores, self.offsets, ties)
        discordant, tied = np.empty_like(self.pairs), np.empty_like(self.pairs)
        _count_discordant(self.levels, self.offsets, order, ends, discordant, tied)
        return discordant, tied


@njit(nogil=True, cache=True)
def _number_levels(offsets, best, ends, levels, pairs):
    """Number the distinct grades of each query from 0 for the best, and count its pairs."""
    for q in range(len(offsets) - 1):
        level, count = 0, 0
        i = offsets[q]
        while i < offsets[q + 1]:
            for j in range(i, ends[i]):
                levels[best[j]] = level
            count += (ends[i] - i) * (offsets[q + 1] - ends[i])
            level += 1
            i = ends[i]
        pairs[q] = count


@njit(nogil=True, cache=True)
def _count_discordant(levels, offsets, order, ends, discordant, tied):
    largest = 0
    for level in levels:
        largest = max(largest, level + 1)
    tree = np.zeros(
        largest + 1, np.int64
    )  # Fenwick tree: documents above, by level counted from the lowest grade
    same = np.zeros(largest, np.int64)  # documents of the tie group, by level
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        n_levels = 0
        for i in range(start, stop):
            n_levels = max(n_levels, levels[i] + 1)
        tree[: n_levels + 1] = 0
        wrong, equal = 0, 0
        i = start
        while i < stop:
            end = ends[i]
            for j in range(i, end):
                node = n_levels - 1 - levels[order[j]]  # how many levels are lower
                while node > 0:
                    wrong += tree[node]
                    node &= node - 1
            for j in range(i, end):
                level = levels[order[j]]
                equal += j - i - same[level]
                same[level] += 1
                node = n_levels - level
                while node <= n_levels:
                    tree[node] += 1
                    node += node & -node
            for j in range(i, end):
                same[levels[order[j]]] = 0
            i = end
        discordant[q], tied[q] = wrong, equal
