"""The mean of a per-query loss over a data set: what a history shows."""

from __future__ import annotations

import numpy as np

from ... import stopping
from ...data import RankingData
from .kernels import Queries, sum_losses
from .query_loss import QueryLoss


class MeanLoss:
    """A loss on one data set.

    Parameters
    ----------
    data : RankingData
    loss : QueryLoss
    option : float
        The loss's own parameter.
    pairwise, per_pair : bool
        Whether only queries with pairs count, and whether it is the mean over pairs.
    """

    def __init__(
        self, data: RankingData, loss: QueryLoss, option: float, pairwise: bool, per_pair: bool
    ) -> None:
        self.queries, self._loss, self._option = as_queries(data), loss, option
        low, high = grade_range(data)
        self._counted = np.flatnonzero(low < high) if pairwise else np.arange(data.n_queries)
        self._divisor = data.n_pairs if per_pair else len(self._counted)

    def at(self, scores: np.ndarray) -> float:
        """Return the mean at these scores; where nothing counts it has no value."""
        total = sum_losses(self._loss, self._option, self.queries, self._counted, scores)
        stopping.look()
        return total / self._divisor if self._divisor else np.nan


def as_queries(data: RankingData) -> Queries:
    """Return the data as the kernels want them."""
    query = np.repeat(np.arange(data.n_queries), np.diff(data.offsets))
    best = np.lexsort((-data.y, query)) - data.offsets[query]
    return Queries(data.X, data.y.copy(), best, data.offsets)


def grade_range(data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    """Return each query's lowest and highest grade."""
    starts = data.offsets[:-1]
    return np.minimum.reduceat(data.y, starts), np.maximum.reduceat(data.y, starts)
