"""`Preferences`: QBRank's squared hinge over all pairs of a data set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...data import RankingData
from ...measures.parts.base import frozen
from ...threads import share_out
from . import preference_kernels as kernels
from .preference_kernels import Laid

_CHUNKS = 16  # to share out; scratch is allocated once in each
_PARALLEL_FROM = 2_000  # documents


class Preferences:
    """The pairs of a data set, and the squared hinge over them.

    Attributes
    ----------
    n_pairs_of : int64 array (n_docs,)
        In how many pairs each document is.
    one_grade : bool array (n_docs,)
        Whether all documents of its query share one grade.
    """

    def __init__(self, data: RankingData, margin: str | float) -> None:
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
        self.one_grade = (n_codes == 1)[query]
        goal = data.y[best] if margin == "grade" else np.zeros(data.n_docs)
        self._laid = Laid(data.offsets, n_codes, codes, better, worse, np.arange(data.n_docs), best, goal)
        chunks = np.searchsorted(data.offsets, np.linspace(0, data.n_docs, _CHUNKS + 1)).astype(np.int64)
        self._chunks = np.minimum(chunks, data.n_queries)
        self._u, self._moves = np.empty((2, data.n_docs))
        self._values, self._bends = np.empty(data.n_queries), np.empty((2, data.n_queries))

    def pull(self, h: np.ndarray, out: np.ndarray) -> float:
        """Write minus the slope of ½ Σ v² at the scores h and return Σ v²."""
        room = (self._u, self._moves)
        self.share_out(kernels._pull_queries, frozen(h), self._tau, self._laid, *room, out, self._values)
        return float(self._values.sum())

    def bends(self, h: np.ndarray, g: np.ndarray) -> Callable[[float], tuple[float, float]]:
        """Return what gives first and second derivative of ½ Σ v² at h + s · g along g, from s.

        It holds until the next call here: its room is the one there is.
        """
        u, moves = self._u, self._moves
        self.share_out(kernels._lay_moves, frozen(h), frozen(g), self._laid, u, moves)

        def bend(s: float) -> tuple[float, float]:
            self.share_out(kernels._bend_queries, u, moves, s, self._tau, self._laid, self._bends)
            first, second = self._bends.sum(axis=1)
            return float(first), float(second)

        return bend

    def share_out(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all queries."""
        share_out(kernel, self._chunks, *args, cells=len(self._u), threshold=_PARALLEL_FROM)
