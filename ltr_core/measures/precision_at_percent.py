"""Precision at K% (QBRank §4): of the pairs whose scores differ most, the share that is not contradicted.

All pairs of a set with distinct grades, of all queries together, are sorted by |Δ| = |F_i − F_j|; of the
top K% count 1 for a pair whose better document has the higher score, 0 for a contradicted one, one half
where Δ = 0.

Decisions: the top K% of N pairs are ⌈K · N / 100⌉ of them. Where pairs of equal |Δ| reach across the cut,
each of them is taken with the same probability: the expectation.

The pairs are never stored, nor sorted: there may be 10^9. A non-negative float64 sorts as its bits do, so
the |Δ| at the cut is found digit by digit: count the pairs by their highest 11 bits, find the digit where
the cut falls, count the pairs with that digit by the next 11 bits, and so on: at most six passes over the
pairs and 32 KB.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from ..params import Param
from .parts.base import Measure, Prepared, frozen
from .parts.ranking import rank_queries

_DIGIT = 11  # bits; of the 63 behind the sign, the first digit is just the exponent

PERCENT = Param(
    "percent", "float", 10.0, 0.01, 100.0, 10.0, help="How many of all pairs are looked at, in percent."
)


class PrecisionAtPercent(Measure):
    """Precision at K% of the pairs."""

    name = "precision_percent"
    function = "precision_at_percent"
    required = ("percent",)
    label = "Precision"
    summary = "Of the K% of all pairs whose scores differ most, the share in the right order."
    params = (PERCENT,)

    def __init__(self, convention: str | None = None, **options: Any) -> None:
        super().__init__(convention, **options)
        self.name = f"precision@{self.options['percent']:.15g}%"
        self.label = f"Precision@{self.options['percent']:.15g}%"

    def _definition(self) -> str:
        share = f"{self.options['percent']:.15g}%"
        return (
            f"Of the {share} of all pairs with distinct grades whose scores differ most, the share whose "
            "better document has the higher score; equal scores count one half"
        )

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        percent = self.options["percent"]
        best, ends = rank_queries(y, offsets, "average")
        n_queries = len(offsets) - 1

        def score(scores: np.ndarray) -> np.ndarray:
            values = np.empty(n_queries)
            _share_per_query(frozen(scores[best]), ends, offsets, percent, values)
            return values

        def pooled(scores: np.ndarray) -> float:
            return _share_of_top(frozen(scores[best]), ends, offsets, 0, n_queries, percent)

        return score, pooled


@njit(nogil=True, cache=True)
def _share_per_query(scores, ends, offsets, percent, out):
    for q in range(len(offsets) - 1):
        out[q] = _share_of_top(scores, ends, offsets, q, q + 1, percent)


@njit(nogil=True, cache=True)
def _share_of_top(scores, ends, offsets, first, last, percent):
    """Return the value of a run of queries; `scores` go by grade, `ends` are the ends of equal grades."""
    total = 0
    for q in range(first, last):
        for i in range(offsets[q], offsets[q + 1]):
            total += offsets[q + 1] - ends[i]
    if total == 0:
        return math.nan
    wanted = np.int64(max(1, math.ceil(percent * total / 100.0 - 1e-9)))
    counts, rights = np.empty(1 << _DIGIT, np.int64), np.empty(1 << _DIGIT, np.int64)
    left, right = wanted, 0.0  # pairs still to be taken; of those taken, the right ones
    known, top = np.int64(0), 63  # the bits from `top` on are found
    while True:
        shift = max(top - _DIGIT, 0)
        _count_by_digit(scores, ends, offsets, first, last, known, top, shift, counts, rights)
        digit = (1 << (top - shift)) - 1
        while counts[digit] < left:
            left -= counts[digit]
            right += 0.5 * rights[digit]
            digit -= 1
        if counts[digit] == left or shift == 0:  # all of them, or all of one |Δ|: their mean
            return (right + 0.5 * rights[digit] * (left / counts[digit])) / wanted
        known, top = (known << (top - shift)) | digit, shift


@njit(nogil=True, cache=True)
def _count_by_digit(scores, ends, offsets, first, last, known, top, shift, counts, rights):
    """Count pairs, and twice the right ones, by bits shift … top − 1 of |Δ|; those above are `known`."""
    counts[:] = 0
    rights[:] = 0
    mask = (1 << (top - shift)) - 1
    for q in range(first, last):
        for i in range(offsets[q], offsets[q + 1]):
            for j in range(ends[i], offsets[q + 1]):
                gap = scores[i] - scores[j]
                bits = np.float64(abs(gap)).view(np.int64)
                if bits >> top == known:
                    digit = (bits >> shift) & mask
                    counts[digit] += 1
                    rights[digit] += 2 if gap > 0.0 else (1 if gap == 0.0 else 0)
