"""SVRank (Cortes, Mohri & Rastogi, ICML 2007; cited in paper 000): magnitudes kept to within ε.

    λ ‖v‖² + (1/|P|) Σ_P max(0, |(F_i − F_j) − (r_i − r_j)| − ε)²,   F linear in the standardised features

MPRank's objective with ε-insensitive squared error: a pair whose difference of scores is within ε of its
difference of grades costs nothing. Solved as RankSVM is. The loss in the history is this objective,
`pair_loss` its second term.
"""

from __future__ import annotations

from typing import Any

from ...engines.linear.pairs import PairOrder
from ...engines.linear.ranker import RIDGE, LinearRanker
from ...engines.linear.tube import SquaredTube
from ...params import Param


class SVRank(LinearRanker):
    """A linear model whose differences of scores are those of the grades, to within ε.

    Parameters
    ----------
    ridge : float
        λ.
    epsilon : float
        ε, in grades.
    """

    label = "SVRank"
    paper = "MPBoost (CIKM 2009)"
    section = "cited (Cortes et al. 2007)"
    summary = "A linear model whose differences of scores follow those of the grades to within ε."
    params = (
        RIDGE,
        Param("epsilon", "float", 0.5, 0.0, 1e6, 0.1, help="ε: a miss up to here costs nothing."),
    )

    def _make_loss(self, pairs: PairOrder, values: dict[str, Any]) -> SquaredTube:
        return SquaredTube(pairs, values["epsilon"])

    def _factors(self, values: dict[str, Any]) -> tuple[float, float]:
        return 2.0 * values["ridge"], 1.0
