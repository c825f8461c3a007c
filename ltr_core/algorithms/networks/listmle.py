"""ListMLE (Xia et al., ICML 2008), the baseline of paper 001: the likelihood of the order by grade.

    loss of a query = −log Π_t e^(s_t) / Σ_{u ≥ t} e^(s_u)

(Plackett–Luce), s_t the score of the t-th document by grade, best first. Equal grades have no order of their
own: they take a fresh random one in every epoch. The loss in the history takes them `by_content`, so that
the curve shows the model and not the draw; it is the mean over queries. Where scores are far apart, sums of
exponentials are kept as logarithms: they neither overflow nor vanish.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...engines.network.query_loss import QueryLoss
from ...engines.network.ranker import NetworkRanker

_FAR = 300.0  # beyond this range of scores a quotient of exponentials could overflow


@njit(nogil=True, cache=True)
def _differentiate_likelihood(scores, grades, best, seed, option, stop, slopes, valued, out):
    order = best.copy()
    if seed != 0:
        _shuffle_equal(grades, seed, order)
    top, bottom = scores.max(), scores.min()
    if top - bottom > _FAR:
        return _follow_far(scores, order, out)
    return _follow_near(scores, order, top, slopes, valued, out)


@njit(nogil=True, cache=True)
def _follow_near(scores, order, top, slopes, valued, out):
    """One exponential a document and a logarithm now and then: a third of the time of `_follow_far`."""
    n = len(scores)
    e, behind = np.empty(n), np.empty(n)  # e^s and Σ_{u ≥ t} e^(s_u), both over e^top
    rest = 0.0
    for t in range(n - 1, -1, -1):
        e[t] = np.exp(scores[order[t]] - top)
        rest += e[t]
        behind[t] = rest
    if slopes:
        ahead = 0.0  # Σ_{t ≤ u} 1 / behind_t
        for u in range(n):
            ahead += 1.0 / behind[u]
            out[order[u]] = e[u] * ahead - 1.0
    total, product = 0.0, 1.0
    if valued:
        for u in range(n):
            total -= scores[order[u]] - top
            product *= behind[u]
            if product < 1e-150 or product > 1e150:
                total += np.log(product)
                product = 1.0
    return total + np.log(product)


@njit(nogil=True, cache=True)
def _follow_far(scores, order, out):
    n = len(scores)
    behind = np.empty(n)  # log Σ_{u ≥ t} e^(s_u)
    behind[n - 1] = scores[order[n - 1]]
    for t in range(n - 2, -1, -1):
        behind[t] = _add_logs(behind[t + 1], scores[order[t]])
    total, ahead = 0.0, -np.inf  # ahead: log Σ_{t ≤ u} e^(−behind_t)
    for u in range(n):
        s = scores[order[u]]
        total += behind[u] - s
        ahead = _add_logs(ahead, -behind[u])
        out[order[u]] = np.exp(s + ahead) - 1.0
    return total


@njit(nogil=True, cache=True)
def _add_logs(a, b):
    """Return log(e^a + e^b)."""
    return max(a, b) + np.log1p(np.exp(-abs(a - b)))


@njit(nogil=True, cache=True)
def _shuffle_equal(grades, seed, out):
    """Shuffle each run of equal grades in the order `out` (Fisher & Yates, numbers by xorshift64)."""
    start = 0
    while start < len(out):
        stop = start + 1
        while stop < len(out) and grades[out[stop]] == grades[out[start]]:
            stop += 1
        for a in range(stop - 1, start, -1):
            seed ^= seed << np.uint64(13)
            seed ^= seed >> np.uint64(7)
            seed ^= seed << np.uint64(17)
            b = start + np.int64((seed >> np.uint64(11)) % np.uint64(a - start + 1))
            out[a], out[b] = out[b], out[a]
        start = stop


class ListMLE(NetworkRanker):
    """ListMLE: a network on the likelihood of the order by grade under the Plackett–Luce model.

    Parameters are those of `NetworkRanker`.
    """

    by_rows = True
    label = "ListMLE"
    paper = "FeatureRank"
    section = "baseline (Xia et al. 2008)"
    summary = "A network trained on the Plackett–Luce likelihood of the documents' order by grade."
    loss = QueryLoss(_differentiate_likelihood)
