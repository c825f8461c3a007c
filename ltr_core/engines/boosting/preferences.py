"""`Preferences`: QBRank's risk, a squared hinge over all pairs of a data set and squared errors of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data import RankingData
from ...measures.parts.base import frozen
from ...threads import share_out
from . import preference_kernels as kernels
from .preference_kernels import Labels, Laid

_CHUNKS = 16  # to share out; scratch is allocated once in each
_PARALLEL_FROM = 2_000  # documents


class Preferences:
    """The pairs of a data set, their squared hinges, and its labels beside them.

        weight/2 · Σ v² + ½ Σ label weight · (y - h)²

    Parameters
    ----------
    data : RankingData
    margin : "grade" or float
        By how much the preferred one of a pair should lead: v is what it lacks.
    weight : float
        What pairs count.
    labels : Labels, optional
        What each document's label counts; without them none does.

    Attributes
    ----------
    n_pairs_of : int64 array (n_docs,)
        In how many pairs each document is.
    """

    def __init__(
        self, data: RankingData, margin: str | float, weight: float = 1.0, labels: Labels | None = None
    ) -> None:
        self._weight = weight
        self._tau = 0.0 if margin == "grade" else float(margin)
        sizes = np.diff(data.offsets)
        query = np.repeat(np.arange(data.n_queries), sizes)
        best = np.lexsort((-data.y, query))
        new_query = np.r_[True, np.diff(query) != 0]
        starts = np.flatnonzero(new_query | np.r_[True, np.diff(data.y[best]) != 0])
        segment = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, data.n_docs]))
        first = data.offsets[:-1][query]
        better, worse = starts[segment] - first, np.r_[starts[1:], data.n_docs][segment] - first
        of_query = segment[data.offsets[:-1]]
        n_codes = np.diff(np.r_[of_query, len(starts)])
        codes = (of_query + n_codes - 1)[query] - segment
        self.n_pairs_of = np.empty(data.n_docs, np.int64)
        self.n_pairs_of[best] = sizes[query] - (worse - better)
        goal = data.y[best] if margin == "grade" else np.zeros(data.n_docs)
        self._laid = Laid(data.offsets, n_codes, codes, better, worse, np.arange(data.n_docs), best, goal)
        chunks = np.searchsorted(data.offsets, np.linspace(0, data.n_docs, _CHUNKS + 1)).astype(np.int64)
        self._chunks = np.minimum(chunks, data.n_queries)
        self._u, self._moves = np.empty((2, data.n_docs))
        self._values, self._bends = np.empty(data.n_queries), np.empty((2, data.n_queries))
        given = Labels(data.y, np.zeros(data.n_docs)) if labels is None else labels
        self._labels = Labels(*(frozen(part[best]) for part in given))  # in the order laid

    def pull(self, h: np.ndarray, out: np.ndarray) -> float:
        """Write minus the slope of the risk at the scores h and return twice the risk."""
        held = (self._weight, self._tau, self._laid, self._labels, self._u, self._moves)
        self._share_out(kernels._pull_queries, frozen(h), *held, out, self._values)
        return float(self._values.sum())

    def bends(self, h: np.ndarray, g: np.ndarray) -> Bends:
        """Return what gives the derivatives of the risk along g. It holds until the next call here."""
        held = (frozen(h), frozen(g), self._laid, self._labels)
        self._share_out(kernels._lay_moves, *held, self._u, self._moves, self._bends)
        return Bends(self._bend, *self._bends.sum(axis=1).tolist())

    def _bend(self, s: float) -> tuple[float, float]:
        """Return first and second derivative of the pairs' risk."""
        if self._weight == 0.0:
            return 0.0, 0.0
        args = (self._u, self._moves, s, self._tau, self._laid, self._bends)
        self._share_out(kernels._bend_queries, *args)
        slope, bend = self._bends.sum(axis=1).tolist()
        return self._weight * slope, self._weight * bend

    def _share_out(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all queries."""
        share_out(kernel, self._chunks, *args, cells=len(self._u), threshold=_PARALLEL_FROM)


@dataclass(frozen=True)
class Bends:
    """The risk's derivatives along a line: of its pairs and, at its start, of its labels."""

    of_pairs: Callable[[float], tuple[float, float]]
    label_slope: float
    label_bend: float

    def __call__(self, s: float) -> tuple[float, float]:
        """Return first and second derivative at s."""
        slope, bend = self.of_pairs(s)
        return slope + self.label_slope + s * self.label_bend, bend + self.label_bend


def in_one_grade(data: RankingData) -> np.ndarray:
    """Return for each document whether all documents of its query share one grade."""
    starts = data.offsets[:-1]
    same = np.minimum.reduceat(data.y, starts) == np.maximum.reduceat(data.y, starts)
    return np.repeat(same, np.diff(data.offsets))
