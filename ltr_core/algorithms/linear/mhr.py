"""MHR, multiple hyperplane ranker (Qin et al., IP&M 2008; cited in paper 000): one RankSVM for each pair of
grades.

For grades a > b the pairs are those of a document of grade a and one of grade b; RankSVM's objective with
that P gives one hyperplane. The K(K − 1)/2 rankings of a query are joined by Borda count: a document
scores, summed over the rankings, how many documents of its query it stands above; a tie counts one half.

So a score is a place in a list: predicting needs the queries. The loss in the history is the mean of the
objectives; a pair of grades that no query holds has none. Decision: more than 32 distinct grades are
refused, as that would be more than 496 hyperplanes.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import njit

from ...data import RankingData
from ...engines.linear.hinge import SquaredHinge
from ...engines.linear.matrix import Matrix
from ...engines.linear.newton import solve
from ...engines.linear.pairs import PairOrder
from ...engines.linear.ranker import C, LinearModel, LinearTrainer
from ...errors import DataError
from ...measures.parts.ranking import rank_queries
from ...rankers.model_file import State

_MOST_GRADES = 32


@njit(nogil=True, cache=True)
def _count_below(order, ends, offsets, out):
    """Add to each document how many of its query stand below it, one half for a tie."""
    for q in range(offsets.size - 1):
        i = offsets[q]
        while i < offsets[q + 1]:
            points = (offsets[q + 1] - ends[i]) + (ends[i] - i - 1) / 2
            for j in range(i, ends[i]):
                out[order[j]] += points
            i = ends[i]


class MHR(LinearModel):
    """A RankSVM for each pair of grades, joined by Borda count.

    Parameters
    ----------
    C : float
        The weight of the pairs against the size of the weights, in each RankSVM.

    Attributes
    ----------
    grades_ : list of (float, float)
        The pair of grades of each hyperplane, the better one first.
    weights_ : array of shape (hyperplanes, features)
        Their weights on the standardised features.
    """

    label = "MHR"
    family = "linear"
    paper = "MPBoost (CIKM 2009)"
    section = "cited (Qin et al. 2008)"
    summary = "A RankSVM for each pair of grades; their rankings are joined by Borda count."
    params = (C,)
    needs_qid = True
    additive = False

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        return _Trainer(data, values["C"])

    def _finish(self, trainer: LinearTrainer) -> None:
        super()._finish(trainer)
        self.grades_ = cast(_Trainer, trainer).grades

    def _ranked(self, matrix: Matrix, offsets: np.ndarray | None) -> np.ndarray:
        assert offsets is not None  # `needs_qid`
        return _borda(matrix, offsets, self.mean_, self.weights_ * self.scale_)

    def _state(self) -> dict[str, Any]:
        return {"grades": self.grades_, **super()._state()}

    def _read_weights(self, state: State) -> np.ndarray:
        self.grades_ = [(float(a), float(b)) for a, b in state.array("grades", shape=(None, 2))]
        return state.array("weights", shape=(len(self.grades_), self.n_features_in_))


def _borda(matrix: Matrix, offsets: np.ndarray, mean: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the Borda count of the rankings by several weights."""
    out = np.zeros(len(matrix.X))
    for own in weights:
        order, ends = rank_queries(matrix.scores(mean, own), offsets, "average")
        _count_below(order, ends, offsets, out)
    return out


class _Follower:
    """Scores of a data set, and its documents by pair of grades."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        self._trainer, self.data, self._matrix = trainer, data, Matrix(data.X)
        self.scores = np.zeros(data.n_docs)
        self._values = [trainer.C for pair in trainer.grades if _holds(data, *pair)]

    def advance(self) -> None:
        """Take on the trained weights."""
        trainer = self._trainer
        mean, scale = trainer.mean, trainer.scale
        self.scores[:] = _borda(self._matrix, self.data.offsets, mean, trainer.weights * scale)
        self._values = []
        for pair, own in zip(trainer.grades, trainer.weights, strict=True):
            if _holds(self.data, *pair):
                part = _only(self.data, *pair)
                loss = SquaredHinge(PairOrder(part))
                total, _ = loss.slopes(Matrix(part.X).scores(mean, own * scale))
                self._values.append(0.5 * float((own * own).sum()) + trainer.C * total / loss.pairs.n_pairs)

    def values(self) -> dict[str, float]:
        """Return the mean of the objectives."""
        return {"loss": sum(self._values) / len(self._values) if self._values else np.nan}


class _Trainer(_Follower):
    """One training; the training data follow it like any other set."""

    def __init__(self, data: RankingData, C: float) -> None:
        grades = np.unique(data.y)
        if len(grades) > _MOST_GRADES:
            raise DataError(
                f"there are {len(grades)} distinct grades, and MHR trains a RankSVM for each pair of them",
                f"give at most {_MOST_GRADES} grades, or take RankSVM, MPRank or MPBoost",
            )
        PairOrder(data).require_pairs("MHR")
        pairs = [(float(a), float(b)) for i, b in enumerate(grades) for a in grades[i + 1 :]]
        self.C, self.grades = C, [pair for pair in pairs if _holds(data, *pair)]
        super().__init__(self, data)
        self.mean, self.scale = self._matrix.standardiser()
        self.weights = np.zeros((len(self.grades), data.n_features))

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        for k, pair in enumerate(self.grades):
            part = _only(self.data, *pair)
            loss = SquaredHinge(PairOrder(part))
            self.weights[k] = solve(part, loss, SquaredHinge, 1.0, self.C, self.scale)
        self.advance()
        return True


def _holds(data: RankingData, better: float, worse: float) -> bool:
    """Whether some query has documents of both grades."""
    starts = data.offsets[:-1]
    has = [np.logical_or.reduceat(data.y == grade, starts) for grade in (better, worse)]
    return bool((has[0] & has[1]).any())


def _only(data: RankingData, better: float, worse: float) -> RankingData:
    """Return the documents of two grades."""
    rows = np.flatnonzero((data.y == better) | (data.y == worse))
    query = np.repeat(np.arange(data.n_queries), np.diff(data.offsets))[rows]
    return RankingData(data.X[rows], data.y[rows], query)
