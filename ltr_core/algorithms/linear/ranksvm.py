"""RankSVM (Joachims, KDD 2002; a baseline in papers 002 and 003), with the squared hinge.

    ½ ‖v‖² + (C/|P|) Σ_P max(0, 1 − (F_i − F_j))²,   F linear in the standardised features

to a gradient norm of at most 1e-4 of that at v = 0 (1e-6 up to two million cells). The loss in the history
is this objective, `pair_loss` the mean over the pairs alone.
"""

from __future__ import annotations

from typing import Any

from ...engines.linear.hinge import SquaredHinge
from ...engines.linear.pairs import PairOrder
from ...engines.linear.ranker import C, LinearRanker


class RankSVM(LinearRanker):
    """A linear model with a large margin between the better and the worse document of each pair.

    Parameters
    ----------
    C : float
        The weight of the pairs against the size of the weights.
    """

    label = "RankSVM"
    paper = "FRank (SIGIR 2007)"
    section = "baseline (Joachims 2002)"
    summary = "A linear model that puts the better document of each pair above the worse one by a margin."
    params = (C,)

    def _make_loss(self, pairs: PairOrder, values: dict[str, Any]) -> SquaredHinge:
        return SquaredHinge(pairs)

    def _factors(self, values: dict[str, Any]) -> tuple[float, float]:
        return 1.0, values["C"]
