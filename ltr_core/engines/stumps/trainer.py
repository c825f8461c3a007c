"""The rounds of a booster of stumps, whatever its loss: scores, and what is kept of each round."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numba import njit

from ...data import RankingData
from ..binning.bins import Binned
from .layout import PairLayout


class Round(Protocol):
    """What every algorithm keeps of a round; its own type is a NamedTuple that begins so."""

    feature: int
    threshold: float
    value: float
    gain: float


@njit(nogil=True, cache=True)
def _add_above(bins, cut, value, out):
    for i in range(np.uint64(out.size)):
        out[i] += value if bins[i] > cut else 0.0


def _above(X: np.ndarray, one: Round) -> np.ndarray:
    """Return which documents are above a stump's threshold, as in prediction."""
    return X[:, one.feature].astype(np.float64) > one.threshold


class StumpTrainer:
    """The training data, in bins.

    Attributes
    ----------
    rounds : list
        The algorithm's NamedTuple of each round.
    """

    rounds: list

    def __init__(self, data: RankingData, layout: PairLayout, binned: Binned) -> None:
        self.scores, self.rounds = np.zeros(data.n_docs), []
        self._binned, self._bins = binned, layout.lay(binned)

    @property
    def scores(self) -> np.ndarray:
        """The scores, in the data's order; stumps are added to them when somebody asks."""
        for feature, cut, value in self._to_add:
            _add_above(self._binned.bins[feature], cut, value, self._scores)
        self._to_add.clear()
        return self._scores

    @scores.setter
    def scores(self, scores: np.ndarray) -> None:
        self._scores = scores
        self._to_add: list[tuple[int, int, float]] = []

    def take_up(self, data: RankingData, rounds: list) -> None:
        """Take in the rounds of a model that training goes on from."""
        self.rounds += rounds
        for one in rounds:
            self.scores[_above(data.X, one)] += one.value

    def _add(self, feature: int, cut: int, value: float) -> float:
        """Add a stump to the scores; return its threshold."""
        self._to_add.append((feature, cut, value))
        return float(self._binned.thresholds[feature][cut])


class StumpFollower:
    """An evaluation set: the last stump is found by feature values, as in prediction."""

    def __init__(self, trainer: StumpTrainer, data: RankingData) -> None:
        self._rounds, self._X = trainer.rounds, data.X
        self.scores = np.zeros(data.n_docs)

    def catch_up(self) -> None:
        """Take in the rounds that there are, of a model that training goes on from."""
        for one in self._rounds:
            self._take_in(one)

    def advance(self) -> None:
        """Take in the last stump."""
        self._take_in(self._rounds[-1])

    def _take_in(self, one: Round) -> None:
        above = _above(self._X, one)
        self.scores[above] += one.value
        self._take(above, one.value)

    def _take(self, above: np.ndarray, value: float) -> None:
        """Bring the pairs up to date."""
        raise TypeError(f"{type(self).__name__} adds nothing")
