"""Kendall's τ and the τ distance, as FeatureRank uses them (§2.1, Eqs. 1 and 2).

T = discordant pairs / pairs with distinct grades, E = 1 − 2T: T is 0 for the right order and 1 for the
reverse. A query whose grades are all equal has no such pair and is left out.

Decision: a pair with equal scores counts one half. That is the expectation over the orders of the tied
documents; counted as concordant, as Eq. 2 read to the letter would have it, a ranker that says nothing were
perfect. With ties="file" the document that comes first in the file is taken to be above.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .parts.base import TIES, Measure, Pooled, Score
from .parts.once import once
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

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
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
    label = "Kendall τ"
    summary = "1 − 2 × the share of a query's pairs with distinct grades that are in the wrong order."
    higher_is_better = True

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> tuple[Score, Pooled | None]:
        distance, _ = super()._prepare(y, offsets)
        return lambda scores: 1.0 - 2.0 * distance(scores), None


def kendall_tau(
    y: Any,
    scores: Any,
    qid: Any,
    ties: str = "average",
    convention: str | None = None,
    per_query: bool = False,
) -> float | np.ndarray:
    """Return Kendall's τ, E = 1 − 2T, between −1 and 1.

    Parameters
    ----------
    y, scores, qid : arrays of one length
        Grades, scores and the query of each document; rows of a query need not stand together.
    ties : {"average", "file"}
        A pair with equal scores counts one half, or is ordered as its rows are.
    convention, per_query
        As for `ndcg`. Queries without distinct grades are left out (NaN).
    """
    return once(KendallTau(ties=ties, convention=convention), y, scores, qid, per_query)


def tau_distance(
    y: Any,
    scores: Any,
    qid: Any,
    ties: str = "average",
    convention: str | None = None,
    per_query: bool = False,
) -> float | np.ndarray:
    """Return the τ distance T, the share of discordant pairs; the parameters are those of `kendall_tau`."""
    return once(TauDistance(ties=ties, convention=convention), y, scores, qid, per_query)
