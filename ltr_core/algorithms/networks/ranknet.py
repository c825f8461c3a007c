"""RankNet (Burges et al., ICML 2005), the baseline of paper 003: a network trained on pairs.

    loss of a query = Σ_P log(1 + e^(−Δ_ij)),  Δ_ij = F(x_i) − F(x_j)

which is their cross-entropy for a target probability of 1 for every pair of P. Decisions: one step for each
query on the sum over its pairs (Burges 2010, §2.1: the pairs of a query factored into one slope for each
document, no back-propagation for each pair); `hidden=0` is FRank's "linear" RankNet, `hidden` > 0 its
"two-layer" one. The loss in the history is the mean over pairs.
"""

from __future__ import annotations

from ...engines.network.pair_loss import PAIR_LOSS
from ...engines.network.ranker import NetworkRanker


class RankNet(NetworkRanker):
    """RankNet: a linear or two-layer network on the logistic loss of pairs.

    Parameters are those of `NetworkRanker`.
    """

    label = "RankNet"
    paper = "FRank (SIGIR 2007)"
    section = "baseline (Burges et al. 2005)"
    summary = "A linear or two-layer network trained on the logistic loss of document pairs."
    loss = PAIR_LOSS
    pairwise = True
    per_pair = True
