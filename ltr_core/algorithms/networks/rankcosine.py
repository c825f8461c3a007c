"""RankCosine (Qin et al., IP&M 2008), cited by paper 001: the angle between two lists.

    loss of a query = ½ (1 − cos(grades, scores)) = ½ (1 − Σ r_i s_i / (‖r‖ ‖s‖))

Decisions: grades enter as they are. Unlike the others this loss sees a constant added to all scores, so the
network has an output bias; it starts at 1, for at scores of 0 there is no angle. A query whose grades are all
0 has no direction either: its loss is ½ and it teaches nothing. The loss in the history is the mean over
queries.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...engines.network.query_loss import QueryLoss
from ...engines.network.ranker import NetworkRanker


@njit(nogil=True, cache=True)
def _differentiate_angle(scores, grades, best, seed, option, stop, slopes, valued, out):
    n = len(scores)
    out[:] = 0.0
    large, large_grade = np.abs(scores).max(), grades[best[0]]
    if large == 0.0 or large_grade == 0.0:
        return 0.5
    dot, square, square_grade = 0.0, 0.0, 0.0  # of both lists scaled to a largest value of 1
    for i in range(n):
        s, r = scores[i] / large, grades[i] / large_grade
        dot += s * r
        square += s * s
        square_grade += r * r
    norm, norm_grade = np.sqrt(square), np.sqrt(square_grade)
    cosine = dot / (norm * norm_grade)
    for i in range(n):
        s, r = scores[i] / large / norm, grades[i] / large_grade / norm_grade
        out[i] = 0.5 * (cosine * s - r) / (norm * large)
    return 0.5 * (1.0 - cosine)


class RankCosine(NetworkRanker):
    """RankCosine: a network on the angle between a query's grades and scores.

    Parameters are those of `NetworkRanker`.
    """

    label = "RankCosine"
    paper = "FeatureRank"
    section = "cited (Qin et al. 2008)"
    summary = "A network trained to make the list of scores point the way the list of grades does."
    loss = QueryLoss(_differentiate_angle)
    start_bias = 1.0

    def _taught(self, low: np.ndarray, high: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        return (high > 0) & (sizes > 1)
