"""Kendall's τ and the τ distance, as FeatureRank uses them (§2.1, Eqs. 1 and 2).

T = discordant pairs / pairs with distinct grades, E = 1 − 2T: T is 0 for the right order and 1 for the
reverse. A query whose grades are all equal has no such pair and is left out.

Decision: a pair with equal scores counts one half. That is the expectation over the orders of the tied
documents; counted as concordant, as Eq. 2 read to the letter would have it, a ranker that says nothing were
perfect. With ties="file" the document that comes first in the file is taken to be above.
"""

from __future__ import annotations

import numpy as np

from .parts.base import TIES, Measure, Prepared
from .parts.pairs import PairCounts


class TauDistance(Measure):
    """The share of discordant pairs."""

    name = "tau_distance"
    label = "τ distance"
    summary = "The share of a query's pairs with distinct grades that the scores put in the wrong order."
    higher_is_better = False
    params = (TIES,)

    def _definition(self) -> str:
        return f"{self.summary.rstrip('.')}; queries without such pairs are left out"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        counts = PairCounts(y, offsets)
        divisor = np.where(counts.pairs > 0, counts.pairs, np.nan)
        ties = self.options["ties"]

        def score(scores: np.ndarray) -> np.ndarray:
            discordant, tied = counts.count(scores, ties)
            return (discordant + 0.5 * tied) / divisor

        return score, None


class KendallTau(TauDistance):
    """Kendall's τ."""

    name = "tau"
    function = "kendall_tau"
    aliases = ("kendall_tau",)
    label = "Kendall τ"
    summary = "1 − 2 × the share of a query's pairs with distinct grades that are in the wrong order."
    higher_is_better = True

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        distance, _ = super()._prepare(y, offsets)
        return lambda scores: 1.0 - 2.0 * distance(scores), None
