"""Misorder: the share of all pairs P whose better document is not scored above the other, F_i ≤ F_j.

MPBoost's Theorem 1 bounds it by Π Z_t. It is a number of the whole set: the mean over all pairs, not over
queries. Equal scores count as misordered, whatever their order in the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .parts.base import Measure, Pooled, Score
from .parts.once import once
from .parts.pairs import PairCounts


class Misorder(Measure):
    """The misorder rate."""

    name = "misorder"
    label = "Misorder"
    summary = (
        "The share of all pairs with distinct grades whose better document does not get the higher score."
    )
    higher_is_better = False
    params = ()

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
        counts = PairCounts(y, offsets)
        divisor = np.where(counts.pairs > 0, counts.pairs, np.nan)
        total = int(counts.pairs.sum())

        def wrong(scores: np.ndarray) -> np.ndarray:
            discordant, tied = counts.count(scores, "average")
            return discordant + tied

        def pooled(scores: np.ndarray) -> float:
            return int(wrong(scores).sum()) / total if total else float("nan")

        return lambda scores: wrong(scores) / divisor, pooled


def misorder(y: Any, scores: Any, qid: Any, per_query: bool = False) -> float | np.ndarray:
    """Return the share of pairs of P with F_i ≤ F_j.

    Parameters
    ----------
    y, scores, qid : arrays of one length
        Grades, scores and the query of each document; rows of a query need not stand together.
    per_query : bool
        Return each query's share (NaN where it has no pair) instead of the share of all pairs.
    """
    return once(Misorder(), y, scores, qid, per_query)
