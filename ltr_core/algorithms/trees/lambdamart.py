"""LambdaMART: boosted trees on LambdaRank's slopes, with Newton leaves.

Slopes and curvatures are those of the pairs' logistic losses, each weighed by |ΔNDCG@k|, what exchanging its
two documents in the current order would change (`ltr_core.engines.boosting.swaps`). Trees split by both,
and a leaf holds Σ pull / Σ curvature.

It is no gradient of a fixed function: the weights change with the order, and the weighted sum of the losses
grows as relevant documents reach the top, where exchanges cost more. So the loss in the history is what all
this is to lower: 1 - NDCG@k, the mean over queries that have pairs, equal scores `by_content`.
"""

from __future__ import annotations

from typing import Any

from ...data import RankingData
from ...engines.boosting import TreeRanker, tree_params
from ...engines.boosting.swaps import SwapRisk
from ...params import Param


class LambdaMART(TreeRanker):
    """Boosted trees on the slopes of LambdaRank for NDCG@k.

    Parameters
    ----------
    k : int
        The depth of the NDCG whose changes weigh the pairs.
    normalise : bool
        Whether pairs with scores far apart, and queries with many pairs, weigh less, as in LightGBM.
    n_trees, n_leaves, learning_rate, min_leaf, max_bins, binning
        The trees; see `LambdaMART.params`.
    """

    by_rows = True
    weighs_queries = True
    label = "LambdaMART"
    paper = "LambdaMART (Burges 2010)"
    section = "§7"
    summary = "Boosted trees on pairs, each weighed by what exchanging its documents would change NDCG@k."
    params = (
        Param("k", "int", 10, 1, 1_000, 1, log=True,
              help="The depth of the NDCG whose changes weigh the pairs."),
        Param("normalise", "bool", False,
              help="As LightGBM: pairs far apart and queries with many pairs weigh less."),
        *tree_params(),
    )  # fmt: skip
    by_place = "k n_trees n_leaves learning_rate min_leaf max_bins binning"

    def _risk(self, data: RankingData, values: dict[str, Any]) -> SwapRisk:
        risk = SwapRisk(data, values["k"], values["normalise"])
        risk.require_pairs()
        return risk
