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

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit

from ...data import RankingData
from ...engines.linear.hinge import SquaredHinge
from ...engines.linear.matrix import Matrix
from ...engines.linear.newton import solve
from ...engines.linear.pairs import PairOrder
from ...errors import DataError
from ...measures.parts.ranking import rank_queries
from ...params import Param
from ...rankers.base import Ranker
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


class MHR(Ranker):
    """A RankSVM for each pair of grades, joined by Borda count.

    Parameters
    ----------
    C : float
        The weight of the pairs against the size of the weights, in each RankSVM.
    early_stopping : int, optional
        Unused: there is one iteration.
    random_state : int
        Unused: nothing is drawn at random.

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
    params = (
        Param("C", "float", 1.0, 1e-6, 1e6, log=True, help="The weight of the pairs against that of ½ ‖v‖²."),
    )
    rounds_param = None
    needs_qid = True
    additive = False

    @property
    def feature_importances_(self) -> np.ndarray:
        """The mean over the hyperplanes of |weight|, as a share of the sum."""
        sizes = np.abs(self.weights_).sum(axis=0) * (self.scale_ > 0)
        return sizes / sizes.sum() if sizes.any() else sizes

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        return _Trainer(data, values["C"])

    def _finish(self, trainer: _Trainer) -> None:
        self.grades_, self.weights_ = trainer.grades, trainer.weights
        self.mean_, self.scale_ = trainer.mean, trainer.scale

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        assert offsets is not None  # `needs_qid`
        yield np.zeros(len(X))
        if self.n_iter_:
            yield _borda(Matrix(X), offsets, self.mean_, self.weights_ * self.scale_)

    def _state(self) -> dict[str, Any]:
        return {
            "grades": self.grades_,
            "weights": self.weights_,
            "mean": self.mean_,
            "scale": self.scale_,
        }

    def _set_state(self, state: State) -> None:
        shape = (self.n_features_in_,)
        if self.n_iter_ > 1:
            state.refuse("it has more than one iteration")
        self.grades_ = [(float(a), float(b)) for a, b in state.array("grades", shape=(None, 2))]
        self.weights_ = state.array("weights", shape=(len(self.grades_), *shape))
        self.mean_, self.scale_ = state.array("mean", shape=shape), state.array("scale", shape=shape, low=0.0)


def _borda(matrix: Matrix, offsets: np.ndarray, mean: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the Borda count of the rankings by several weights."""
    out = np.zeros(len(matrix.X))
    for own in weights:
        order, ends = rank_queries(matrix.scores(mean, own), offsets, "average")
        _count_below(order, ends, offsets, out)
    return out


class _At:
    """Scores of a data set, and its documents by pair of grades."""

    def __init__(self, data: RankingData, grades: list[tuple[float, float]], C: float) -> None:
        self.data, self.C, self.grades = data, C, grades
        self.scores = np.zeros(data.n_docs)
        self._matrix = Matrix(data.X)
        self._values = [C for pair in grades if _holds(data, *pair)]

    def move(self, mean: np.ndarray, scale: np.ndarray, weights: np.ndarray) -> None:
        """Take on the trained weights."""
        self.scores[:] = _borda(self._matrix, self.data.offsets, mean, weights * scale)
        self._values = []
        for pair, own in zip(self.grades, weights, strict=True):
            if _holds(self.data, *pair):
                part = _only(self.data, *pair)
                loss = SquaredHinge(PairOrder(part))
                total, _ = loss.slopes(Matrix(part.X).scores(mean, own * scale))
                self._values.append(0.5 * float((own * own).sum()) + self.C * total / loss.pairs.n_pairs)

    def values(self) -> dict[str, float]:
        """Return the mean of the objectives."""
        return {"loss": sum(self._values) / len(self._values) if self._values else np.nan}


class _Follower(_At):
    """An evaluation set."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        super().__init__(data, trainer.grades, trainer.C)
        self._trainer = trainer

    def advance(self) -> None:
        self.move(self._trainer.mean, self._trainer.scale, self._trainer.weights)


class _Trainer(_At):
    """One training."""

    def __init__(self, data: RankingData, C: float) -> None:
        grades = np.unique(data.y)
        if len(grades) > _MOST_GRADES:
            raise DataError(
                f"there are {len(grades)} distinct grades, and MHR trains a RankSVM for each pair of them",
                f"give at most {_MOST_GRADES} grades, or take RankSVM, MPRank or MPBoost",
            )
        PairOrder(data).require_pairs("MHR")
        pairs = [(float(a), float(b)) for i, b in enumerate(grades) for a in grades[i + 1 :]]
        super().__init__(data, [pair for pair in pairs if _holds(data, *pair)], C)
        self.mean, self.scale = self._matrix.standardiser()
        self.weights = np.zeros((len(self.grades), data.n_features))

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        for k, pair in enumerate(self.grades):
            part = _only(self.data, *pair)
            loss = SquaredHinge(PairOrder(part))
            self.weights[k] = solve(part, loss, SquaredHinge, 1.0, self.C, self.scale)
        self.move(self.mean, self.scale, self.weights)
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
