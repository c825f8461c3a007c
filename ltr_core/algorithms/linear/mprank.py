"""MPRank (Cortes, Mohri & Rastogi, ICML 2007; cited in paper 000): magnitudes kept by least squares.

    λ ‖v‖² + (1/|P|) Σ_P ((F_i − F_j) − (r_i − r_j))²,   F linear in the standardised features

is least where (A + λ I) v = b, with A = (1/|P|) Σ_P (x_i − x_j)(x_i − x_j)ᵀ and b = (1/|P|) Σ_P (x_i −
x_j)(r_i − r_j). No pair is written down: the sum over pairs is Σ_i n_i x_i x_iᵀ − Σ_i x_i y_iᵀ, where n_i
counts the partners of i (the documents of its query with another grade) and y_i is their sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ... import stopping
from ...data import RankingData
from ...engines.linear.newton import PairLoss
from ...engines.linear.pairs import PairOrder
from ...engines.linear.ranker import RIDGE, LinearRanker
from ...engines.linear.tube import SquaredTube
from ...threads import share_out

_CELLS_AT_A_TIME = 1_000_000
_PARALLEL_FROM = 100_000  # products
_TOGETHER = 64  # rows: theirs stay in the cache while feature after feature takes them up


@njit(nogil=True, cache=True)
def _subtract_partners(X, rows, lower, offsets, first, last, out_counts, out):
    """For each document, n_i x_i less the sum of its partners: (Laplacian of the pairs) · X."""
    d = X.shape[1]
    whole, group = np.empty(d), np.empty(d)
    base = offsets[first]
    for q in range(first, last):
        a, b = offsets[q], offsets[q + 1]
        whole[:] = 0.0
        for i in range(a, b):
            for k in range(d):
                whole[k] += X[rows[i] - base, k]
        start = a
        while start < b:
            stop = lower[start]
            group[:] = 0.0
            for i in range(start, stop):
                for k in range(d):
                    group[k] += X[rows[i] - base, k]
            count = (b - a) - (stop - start)
            for i in range(start, stop):
                out_counts[rows[i] - base] = count
                for k in range(d):
                    out[rows[i] - base, k] = count * X[rows[i] - base, k] - (whole[k] - group[k])
            start = stop


@njit(nogil=True, cache=True)
def _add_row_products(X, apart, i, first, stop, out):
    """Add Σ x_i · apart_j for j from i on."""
    for n in range(first, stop):
        x = X[n, i]
        for j in range(i, out.size):
            out[j] += x * apart[n, j]


@njit(nogil=True, cache=True)
def _add_products(first, last, X, apart, out):
    """Add some rows of the upper half of Xᵀ apart, which is symmetric; a number adds up row after row."""
    for start in range(0, X.shape[0], _TOGETHER):
        for i in range(first, last):
            _add_row_products(X, apart, i, start, min(start + _TOGETHER, X.shape[0]), out[i])


@njit(nogil=True, cache=True)
def _solve(A, stop, out):
    """Solve A x = out for the lower half of a symmetric A, by A = L D Lᵀ, which takes A's place."""
    d = out.size
    column = np.empty(d)
    for k in range(d):
        if stop[0]:
            return
        for j in range(k, d):
            column[j] = A[j, k]
        for i in range(k + 1, d):
            share = column[i] / column[k]
            for j in range(k + 1, i + 1):
                A[i, j] -= share * column[j]
            A[i, k] = share
    for i in range(d):
        for j in range(i):
            out[i] -= A[i, j] * out[j]
    for i in range(d):
        out[i] /= A[i, i]
    for i in range(d - 1, -1, -1):
        for j in range(i):
            out[j] -= A[i, j] * out[i]


class MPRank(LinearRanker):
    """Least squares on differences of scores and grades, in closed form.

    Parameters
    ----------
    ridge : float
        λ.
    """

    label = "MPRank"
    paper = "MPBoost (CIKM 2009)"
    section = "cited (Cortes et al. 2007)"
    summary = "A linear model whose differences of scores fit those of the grades by least squares."
    params = (RIDGE,)

    def _make_loss(self, pairs: PairOrder, values: dict[str, Any]) -> SquaredTube:
        return SquaredTube(pairs, 0.0)

    def _factors(self, values: dict[str, Any]) -> tuple[float, float]:
        return 2.0 * values["ridge"], 1.0

    def _weigh(
        self, data: RankingData, loss: PairLoss, scale: np.ndarray, values: dict[str, Any]
    ) -> np.ndarray:
        pairs, d = loss.pairs, data.n_features
        A, b = np.zeros((d, d)), np.zeros(d)
        first = 0
        while first < data.n_queries:  # some queries at a time: float64 copies stay small
            last = int(np.searchsorted(data.offsets, data.offsets[first] + max(_CELLS_AT_A_TIME // d, 1)))
            last = min(max(last, first + 1), data.n_queries)
            rows = slice(data.offsets[first], data.offsets[last])
            # from the query's first document: what all documents share cancels in a difference
            base = np.repeat(data.offsets[first:last], np.diff(data.offsets[first : last + 1]))
            X = (data.X[rows].astype(np.float64) - data.X[base]) * scale
            counts, apart = np.empty(len(X)), np.empty_like(X)
            _subtract_partners(X, pairs.rows, pairs.lower, pairs.offsets, first, last, counts, apart)
            cells = len(X) * d * d
            share_out(_add_products, range(d + 1), X, apart, A, cells=cells, threshold=_PARALLEL_FROM)
            b += np.einsum("i,ij->j", data.y[rows], apart)
            stopping.look()
            first = last
        A /= pairs.n_pairs
        A[np.diag_indices(d)] += values["ridge"]
        out = b / pairs.n_pairs
        _solve(A.T.copy(), stopping.cell(), out)
        stopping.look()
        return out
