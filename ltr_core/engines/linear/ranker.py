"""`LinearRanker`: what the linear pair models share. A subclass says how its weights are found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...data import RankingData
from ...rankers.base import Ranker
from ...rankers.model_file import State
from .matrix import Matrix
from .newton import PairLoss, solve
from .pairs import PairOrder


class LinearRanker(Ranker):
    """Base of the linear models on standardised features: score = Σ w_k (x_k − mean_k) / deviation_k.

    The weights are found in one go: the history has iteration 0, where all are 0, and iteration 1.

    Attributes
    ----------
    weights_ : array
        The weights on the standardised features.
    mean_, scale_ : arrays
        Each feature's mean and 1/deviation in training; 0 for one that never changes there.
    """

    family = "linear"
    rounds_param = None
    base_ = 0.0

    @property
    def feature_importances_(self) -> np.ndarray:
        """|weight| of each standardised feature, as a share of their sum."""
        sizes = np.abs(self.weights_) * (self.scale_ > 0)
        return sizes / sizes.sum() if sizes.any() else sizes

    # What a subclass gives --------------------------------------------------------------------------------

    def _make_loss(self, pairs: PairOrder, values: dict[str, Any]) -> PairLoss:
        """Return the pair loss L, a sum over the pairs."""
        raise TypeError(f"{type(self).__name__} does not train")

    def _factors(self, values: dict[str, Any]) -> tuple[float, float]:
        """Return a and b of the objective ½ a ‖v‖² + b L / |P|."""
        raise TypeError(f"{type(self).__name__} does not train")

    def _weigh(
        self, data: RankingData, loss: PairLoss, scale: np.ndarray, values: dict[str, Any]
    ) -> np.ndarray:
        """Return the weights on the standardised features: where the objective is least."""
        ridge, factor = self._factors(values)
        return solve(data, loss, lambda pairs: self._make_loss(pairs, values), ridge, factor, scale)

    # Shared work ------------------------------------------------------------------------------------------

    def _start(self, data: RankingData, values: dict[str, Any]) -> _LinearTrainer:
        return _LinearTrainer(self, data, values)

    def _finish(self, trainer: _LinearTrainer) -> None:
        self.weights_, self.mean_, self.scale_ = trainer.weights, trainer.mean, trainer.scale

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        yield np.zeros(len(X))
        if self.n_iter_:
            yield Matrix(X).scores(self.mean_, self.weights_ * self.scale_)

    def _explain(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean_) * (self.weights_ * self.scale_)

    def _cut(self, iteration: int) -> None:
        self.weights_ = np.zeros_like(self.weights_)

    def _state(self) -> dict[str, Any]:
        return {"weights": self.weights_, "mean": self.mean_, "scale": self.scale_}

    def _set_state(self, state: State) -> None:
        shape = (self.n_features_in_,)
        if self.n_iter_ > 1:
            state.refuse("it has more than one iteration")
        self.weights_ = state.array("weights", shape=shape)
        self.mean_, self.scale_ = state.array("mean", shape=shape), state.array("scale", shape=shape, low=0.0)


class _At:
    """Scores of a data set and its pairs."""

    def __init__(self, model: LinearRanker, data: RankingData, values: dict[str, Any]) -> None:
        self._matrix, self.pairs = Matrix(data.X), PairOrder(data)
        self.loss = model._make_loss(self.pairs, values)
        self._factors = model._factors(values)
        self.scores = np.zeros(data.n_docs)
        self._weights = np.zeros(data.n_features)

    def move(self, mean: np.ndarray, scale: np.ndarray, weights: np.ndarray) -> None:
        """Take on the trained weights."""
        self._weights = weights
        self.scores[:] = self._matrix.scores(mean, weights * scale)

    def values(self) -> dict[str, float]:
        """Return the objective and the mean loss of a pair; without pairs they have no value."""
        if self.pairs.n_pairs == 0:
            return {"loss": np.nan, "pair_loss": np.nan}
        ridge, factor = self._factors
        mean = self.loss.slopes(self.scores)[0] / self.pairs.n_pairs
        size = float((self._weights * self._weights).sum())
        return {"loss": 0.5 * ridge * size + factor * mean, "pair_loss": mean}


class _Follower(_At):
    """An evaluation set."""

    def __init__(self, trainer: _LinearTrainer, data: RankingData) -> None:
        super().__init__(trainer.model, data, trainer.given)
        self._trainer = trainer

    def advance(self) -> None:
        self.move(self._trainer.mean, self._trainer.scale, self._trainer.weights)


class _LinearTrainer(_At):
    """One training."""

    def __init__(self, model: LinearRanker, data: RankingData, values: dict[str, Any]) -> None:
        super().__init__(model, data, values)
        self.pairs.require_pairs(type(model).__name__)
        self.model, self.given, self._data = model, values, data
        self.mean, self.scale = self._matrix.standardiser()
        self.weights = np.zeros(data.n_features)

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        self.weights = self.model._weigh(self._data, self.loss, self.scale, self.given)
        self.move(self.mean, self.scale, self.weights)
        return True
