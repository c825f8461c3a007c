"""LambdaRank (Burges, Ragno & Le, NIPS 2006), the baseline of paper 004: RankNet's slopes, weighted by NDCG.

    slope of pair (i, j) in P = −|ΔNDCG@k(i, j)| / (1 + e^(Δ_ij))

|ΔNDCG@k| is what NDCG@k changes when i and j swap places in the current order: |2^r_i − 2^r_j| times
|D(i) − D(j)| over the ideal DCG@k, D the standard discount, 0 past place k. Decisions: equal scores stand
`by_content`; gains are scaled by 2^−(largest grade), so that a grade of 1000 does not overflow. LambdaRank
has no loss of its own: while the order stands still its slopes are those of Σ |ΔNDCG@k| · log(1 + e^(−Δ)),
which *grows* as relevant documents reach the top, where swaps cost more. The history shows RankNet's loss on
the same pairs, which falls and can be compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ...engines.network.pair_loss import PAIR_LOSS
from ...engines.network.query_loss import QueryLoss
from ...engines.network.ranker import NetworkRanker
from ...params import Param


@njit(nogil=True, cache=True)
def _differentiate_weighted_pairs(scores, grades, best, seed, option, stop, slopes, valued, out):
    n = len(scores)
    k = min(n, int(option))
    discounts = np.zeros(n + 1)  # by place from 0
    for place in range(k):
        discounts[place] = 1.0 / np.log2(2.0 + place)
    largest = grades[best[0]]
    ideal = 0.0
    for place in range(k):
        ideal += _gain(grades[best[place]], largest) * discounts[place]
    discount, gain = np.empty(n), np.empty(n)
    for i in range(n):
        # Counting who is ahead needs no sort, and the pairs below cost more.
        if stop[0]:
            break
        place = 0
        for j in range(n):
            place += (scores[j] > scores[i]) | ((scores[j] == scores[i]) & (j < i))
        discount[i] = discounts[place]
        gain[i] = _gain(grades[i], largest) / ideal if ideal > 0.0 else 0.0
    out[:] = 0.0
    total, first = 0.0, 0
    for a in range(n):
        i = best[a]
        if stop[0]:
            break
        while first < n and grades[best[first]] >= grades[i]:
            first += 1
        for b in range(first, n):
            j = best[b]
            weight = (gain[i] - gain[j]) * abs(discount[i] - discount[j])
            if weight > 0.0:
                delta = scores[i] - scores[j]
                x = np.exp(-abs(delta))
                if valued:
                    total += weight * (np.log1p(x) + max(-delta, 0.0))
                slope = weight * (x if delta > 0.0 else 1.0) / (1.0 + x)
                out[i] -= slope
                out[j] += slope
    return total


@njit(nogil=True, cache=True)
def _gain(grade, largest):
    return 2.0 ** (grade - largest) - 2.0**-largest


class LambdaRank(NetworkRanker):
    """LambdaRank: RankNet with each pair weighted by what swapping it changes in NDCG@k.

    Parameters
    ----------
    k : int
        NDCG counts the first k places. The other parameters are those of `NetworkRanker`.
    """

    by_rows = True
    label = "LambdaRank"
    paper = "McRank (NIPS 2007)"
    section = "baseline (Burges et al. 2006)"
    summary = "RankNet whose pairs weigh as much as swapping them would change NDCG@k."
    params = (
        Param("k", "int", 10, 1, 1000, 1, help="NDCG counts the first k places."),
        *NetworkRanker.params,
    )
    loss = QueryLoss(_differentiate_weighted_pairs)
    shown_loss = PAIR_LOSS
    pairwise = True
    per_pair = True

    def _option(self, values: dict[str, Any]) -> float:
        return float(values["k"])
