"""GBT: least-squares boosting of regression trees (paper 004, Algorithm 2; paper 002's GBT).

    h = mean of the targets;  each round: a tree on the residuals t - h, leaf value = mean residual,
    h ← h + learning rate · leaf value

`target="gain"` fits 2^grade - 1, McRank's regression-based ranker; `target="grade"` the grade itself, the
GBT of paper 002. The loss in the history is the mean squared residual.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numba import njit

from ...data import RankingData
from ...engines.boosting import Risk, TreeRanker, tree_params
from ...errors import DataError
from ...measures.parts.base import frozen
from ...params import Param
from ...sums import dot
from ...threads import share_out

_LARGEST = 480.0  # with this grade a sum of squared gains over millions of documents is still finite
_PARALLEL_FROM = 150_000  # documents
_BLOCK = 4_096  # documents whose squares are summed together: one order, however many threads


@njit(nogil=True, cache=True)
def _take_residuals(first, last, target, h, out):
    """Write the residuals of some documents and return the sum of their squares."""
    total = 0.0
    for i in range(first, last):
        residual = target[i] - h[i]
        out[i] = residual
        total += residual * residual
    return total


@njit(nogil=True, cache=True)
def _take_blocks(first, last, block, target, h, out, out_sums):
    for step in range(first, last):
        start = step * block
        out_sums[step] = _take_residuals(start, min(start + block, target.shape[0]), target, h, out)


class SquaredRisk(Risk):
    """Σ (target - h)²; half of it has slope h - target and curvature 1."""

    renews_curvature = False
    pull_falls = True

    def __init__(self, data: RankingData, kind: str, query_weight: np.ndarray | None = None) -> None:
        super().__init__(data)
        self.kind, self._query_weight = kind, query_weight
        self.target = data.y if kind == "grade" else np.exp2(np.minimum(data.y, _LARGEST + 1)) - 1.0
        if data.y.max(initial=0.0) > _LARGEST and kind == "gain":
            raise DataError(
                f"grade {data.y.max():g} has a gain of 2^{data.y.max():g}, whose square no number holds",
                'take target="grade", or give smaller grades',
            )
        self._sums = np.empty(-(-data.n_docs // _BLOCK))

    def start(self) -> np.ndarray:
        """Return the mean target."""
        if self._query_weight is None:
            return np.array([self.target.mean()])
        weight = np.repeat(self._query_weight, np.diff(self.data.offsets))
        return np.array([dot(weight, self.target) / weight.sum()])

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set the residuals; return the mean squared residual."""
        args = (_BLOCK, frozen(self.target), h[0], self.pull[0], self._sums)
        steps = range(len(self._sums) + 1)
        share_out(_take_blocks, steps, *args, cells=self.data.n_docs, threshold=_PARALLEL_FROM)
        return {"loss": self._sums.sum() / self.data.n_docs}

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, self.kind)


class GBT(TreeRanker):
    """Gradient boosted regression trees on the grades or their gains, each document by itself.

    Parameters
    ----------
    target : {"gain", "grade"}
        What is fitted: 2^grade - 1, or the grade.
    n_trees, n_leaves, learning_rate, min_leaf, max_bins, binning
        The trees; see `GBT.params`.
    """

    weighs_queries = True
    label = "GBT (regression)"
    paper = "McRank (NIPS 2007)"
    section = "§5, Algorithm 2"
    summary = "Regression trees boosted on squared error: predicts each document's grade or gain by itself."
    params = (
        Param("target", "choice", "gain", choices=("gain", "grade"),
              help="What the trees fit: the gain 2ʳ − 1 of grade r, or r itself."),
        *tree_params(),
    )  # fmt: skip

    def _risk(self, data: RankingData, values: dict[str, Any]) -> SquaredRisk:
        return SquaredRisk(data, values["target"], values.get("query_weight"))
