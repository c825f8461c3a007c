"""Misorder: the share of all pairs P whose better document is not scored above the other, F_i ≤ F_j.

MPBoost's Theorem 1 bounds it by Π Z_t. It is a number of the whole set: the mean over all pairs, not over
queries. Equal scores count as misordered, whatever their order in the file.
"""

from __future__ import annotations

import numpy as np

from .parts.base import Measure, Prepared
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

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        counts = PairCounts(y, offsets)
        divisor = np.where(counts.pairs > 0, counts.pairs, np.nan)
        total = int(counts.pairs.sum())

        def wrong(scores: np.ndarray) -> np.ndarray:
            discordant, tied = counts.count(scores, "average")
            return discordant + tied

        def pooled(scores: np.ndarray) -> float:
            return int(wrong(scores).sum()) / total if total else float("nan")

        return lambda scores: wrong(scores) / divisor, pooled
