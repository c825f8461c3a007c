"""ListNet (Cao et al., ICML 2007), a baseline of paper 000: cross-entropy of two distributions.

    loss of a query = −Σ_i p_i log q_i,  p = softmax(grades),  q = softmax(scores)

the top-one probabilities of the grades' list and of the scores' list. Decisions: grades enter as they are, as
in the paper; both distributions are worked out from the largest value down, so that grades of 1000 do not
overflow. A query of equal grades counts: it asks for equal scores. The loss in the history is the mean over
queries.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...engines.network.query_loss import QueryLoss
from ...engines.network.ranker import NetworkRanker


@njit(nogil=True, cache=True)
def _differentiate_top_one(scores, grades, best, seed, option, stop, slopes, valued, out):
    top, top_grade = scores.max(), grades[best[0]]
    total, total_grade = 0.0, 0.0
    for i in range(len(scores)):
        out[i] = np.exp(scores[i] - top)
        total += out[i]
        total_grade += np.exp(grades[i] - top_grade)
    log_total = top + np.log(total)
    loss = 0.0
    for i in range(len(scores)):
        p = np.exp(grades[i] - top_grade) / total_grade
        loss += p * (log_total - scores[i])
        out[i] = out[i] / total - p
    return loss


class ListNet(NetworkRanker):
    """ListNet: a network on the cross-entropy of the top-one probabilities of grades and scores.

    Parameters are those of `NetworkRanker`.
    """

    label = "ListNet"
    paper = "MPBoost (CIKM 2009)"
    section = "baseline (Cao et al. 2007)"
    summary = "A network trained on the cross-entropy of the softmax of the grades and that of the scores."
    loss = QueryLoss(_differentiate_top_one)
