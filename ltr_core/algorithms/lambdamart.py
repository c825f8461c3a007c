"""LambdaMART: boosted trees on LambdaRank's slopes, with Newton leaves.

For a pair (i preferred to j) at the current scores, Δ = h_i - h_j, σ(-Δ) = 1 / (1 + e^Δ) and
    |ΔNDCG@k| = |gain_i - gain_j| |D(place_i) - D(place_j)| / ideal DCG@k,
    D(p) = 1/log2(1 + p) for p <= k, else 0,
is what exchanging the two in the current order (equal scores in file order) would change. Then
    pull_i += |ΔNDCG@k| σ(-Δ),  pull_j -= the same,  curvature of both += |ΔNDCG@k| σ(-Δ) σ(Δ),
trees split by pull and curvature, and a leaf holds Σ pull / Σ curvature: a Newton step.

It is no gradient of a fixed function: the weights change with the order. The loss in the history is
Σ |ΔNDCG@k| log(1 + e^-Δ) at the current order, a mean over queries. Only pairs with one of their documents
among the first k weigh anything: k · n of a query's n² / 2.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numba import njit, prange

from ..boosting import Risk, TreeRanker, tree_params
from ..data import RankingData
from ..errors import DataError
from ..params import Param
from ..threads import may_run_parallel

_CHUNKS = 16  # of each parallel launch
_PARALLEL_FROM = 1_000  # documents
_RUN = 12  # documents sorted by insertion before merging
_SPREAD = 600.0  # scores of a query within this: exponentials are taken by document, not by pair


@njit(nogil=True, cache=True)
def _sort_descending(keys, rows, other_keys, other_rows, n):
    """Sort the first n keys with their rows, equal keys in row order."""
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            key, row, j = keys[i], rows[i], i
            while j > start and keys[j - 1] < key:
                keys[j], rows[j] = keys[j - 1], rows[j - 1]
                j -= 1
            keys[j], rows[j] = key, row
    width = _RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            middle, stop = start + width, min(start + 2 * width, n)
            if keys[middle - 1] >= keys[middle]:
                continue
            for i in range(start, middle):
                other_keys[i], other_rows[i] = keys[i], rows[i]
            i, j, to = start, middle, start
            while i < middle:
                if j < stop and keys[j] > other_keys[i]:
                    keys[to], rows[to] = keys[j], rows[j]
                    j += 1
                else:
                    keys[to], rows[to] = other_keys[i], other_rows[i]
                    i += 1
                to += 1
        width *= 2


@njit(nogil=True, cache=True)
def _pull_queries(
    first, last, h, gains, per_ideal, offsets, discounts, k, out_pull, out_curvature, out_values
):
    """Write pulls, curvatures and the weighted loss of some queries."""
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    rows, other_rows = np.empty(largest, np.int64), np.empty(largest, np.int64)
    gain, size, pull, bend = np.empty(largest), np.empty(largest), np.empty(largest), np.empty(largest)
    for q in range(first, last):
        start, n, value = offsets[q], offsets[q + 1] - offsets[q], 0.0
        for i in range(n):
            keys[i], rows[i] = h[start + i], start + i
        if per_ideal[q] > 0.0:
            _sort_descending(keys, rows, other_keys, other_rows, n)
        near = keys[0] - keys[n - 1] < _SPREAD
        for i in range(n):
            gain[i] = gains[rows[i]]
            size[i] = np.exp(keys[i] - keys[0])
            pull[i] = bend[i] = 0.0
        for a in range(min(k, n) if per_ideal[q] > 0.0 else 0):
            discount_a, pull_a, bend_a = discounts[a], 0.0, 0.0
            for b in range(a + 1, n):
                worth = gain[a] - gain[b]
                if worth == 0.0:
                    continue
                discount_b = discounts[b] if b < k else 0.0
                weight = abs(worth) * (discount_a - discount_b) * per_ideal[q]
                # `wrong` is σ(-Δ), the probability that the scores give to the wrong order.
                if near:
                    total = size[a] + size[b]
                    wrong = (size[b] if worth > 0.0 else size[a]) / total
                    right = (size[a] if worth > 0.0 else size[b]) / total
                    loss = -np.log(right)
                else:
                    apart = keys[a] - keys[b] if worth > 0.0 else keys[b] - keys[a]
                    e = np.exp(-abs(apart))
                    wrong = e / (1.0 + e) if apart >= 0.0 else 1.0 / (1.0 + e)
                    right = 1.0 / (1.0 + e) if apart >= 0.0 else e / (1.0 + e)
                    loss = np.log1p(e) + max(0.0, -apart)
                value += weight * loss
                force, curve = weight * wrong, weight * wrong * right
                force = force if worth > 0.0 else -force
                pull_a += force
                bend_a += curve
                pull[b] -= force
                bend[b] += curve
            pull[a] += pull_a
            bend[a] += bend_a
        for i in range(n):
            out_pull[rows[i]] = pull[i]
            out_curvature[rows[i]] = bend[i]
        out_values[q] = value


@njit(parallel=True, nogil=True, cache=True)
def _pull_queries_parallel(
    chunks, h, gains, per_ideal, offsets, discounts, k, out_pull, out_curvature, out_values
):
    for c in prange(chunks.shape[0] - 1):
        _pull_queries(
            chunks[c], chunks[c + 1], h, gains, per_ideal, offsets, discounts, k,
            out_pull, out_curvature, out_values,
        )  # fmt: skip


class SwapRisk(Risk):
    """Pairwise logistic loss, each pair weighed by what exchanging its documents would change NDCG@k."""

    leaf_floor = 1e-10

    def __init__(self, data: RankingData, k: int) -> None:
        super().__init__(data)
        self.curvature = np.empty_like(self.pull)
        self.k = k
        sizes = np.diff(data.offsets)
        query = np.repeat(np.arange(data.n_queries), sizes)
        # Grades beyond 500 have their query's gains divided by a power of two: the ratio is the same.
        top = np.maximum.reduceat(data.y, data.offsets[:-1])
        scale = np.where(top > 500.0, top, 0.0)[query]
        self._gains = np.exp2(data.y - scale) - np.exp2(-scale)
        self._discounts = 1.0 / np.log2(2.0 + np.arange(sizes.max(initial=1)))
        best = np.lexsort((-data.y, query))
        place = np.arange(data.n_docs) - np.repeat(data.offsets[:-1], sizes)
        counted = np.where(place < k, self._gains[best] * self._discounts[place], 0.0)
        ideal = np.add.reduceat(counted, data.offsets[:-1])
        mixed = np.minimum.reduceat(data.y, data.offsets[:-1]) < top
        self._per_ideal = np.divide(1.0, ideal, out=np.zeros_like(ideal), where=mixed & (ideal > 0.0))
        chunks = np.searchsorted(data.offsets, np.linspace(0, data.n_docs, _CHUNKS + 1)).astype(np.int64)
        self._chunks = np.minimum(chunks, data.n_queries)
        self._values = np.empty(data.n_queries)

    def require_pairs(self) -> None:
        """Refuse data without a pair."""
        if not self._per_ideal.any():
            raise DataError(
                "LambdaMART learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set pulls and curvatures; return the weighted loss, a mean over queries."""
        args = (
            h[0], self._gains, self._per_ideal, self.data.offsets, self._discounts, self.k,
            self.pull[0], self.curvature[0], self._values,
        )  # fmt: skip
        with may_run_parallel(self.data.n_docs, _PARALLEL_FROM) as parallel:
            if parallel:
                _pull_queries_parallel(self._chunks, *args)
            else:
                _pull_queries(0, self.data.n_queries, *args)
        return {"loss": self._values.mean()}

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, self.k)


class LambdaMART(TreeRanker):
    """Boosted trees on the slopes of LambdaRank for NDCG@k.

    Parameters
    ----------
    k : int
        The depth of the NDCG whose changes weigh the pairs.
    n_trees, n_leaves, learning_rate, min_leaf, max_bins, binning
        The trees; see `LambdaMART.params`.
    """

    label = "LambdaMART"
    family = "regression trees"
    paper = "LambdaMART (Burges 2010)"
    section = "§7"
    summary = "Boosted trees on pairs, each weighed by what exchanging its documents would change NDCG@k."
    params = (
        Param("k", "int", 10, 1, 1_000, 1, log=True,
              help="The depth of the NDCG whose changes weigh the pairs."),
        *tree_params(),
    )  # fmt: skip

    def __init__(
        self,
        k: int = 10,
        n_trees: int = 100,
        n_leaves: int = 10,
        learning_rate: float = 0.1,
        min_leaf: int = 5,
        max_bins: int = 256,
        binning: str = "length",
        early_stopping: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.k = k
        self.n_trees = n_trees
        self.n_leaves = n_leaves
        self.learning_rate = learning_rate
        self.min_leaf = min_leaf
        self.max_bins = max_bins
        self.binning = binning
        self.early_stopping = early_stopping
        self.random_state = random_state

    def _risk(self, data: RankingData, values: dict[str, Any]) -> SwapRisk:
        risk = SwapRisk(data, values["k"])
        risk.require_pairs()
        return risk
