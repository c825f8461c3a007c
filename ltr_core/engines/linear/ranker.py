"""`LinearModel` and `LinearRanker`: what linear models share, and those whose weights a pair loss finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Protocol

import numpy as np

from ...data import RankingData
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.model_file import State
from ...rankers.training import Trainer
from .matrix import Matrix
from .newton import PairLoss, solve
from .pairs import PairOrder

C = Param("C", "float", 1.0, 1e-6, 1e6, log=True, help="The weight of the pairs against that of ½ ‖v‖².")
RIDGE = Param("ridge", "float", 0.01, 1e-9, 1e6, log=True, help="λ: how strongly weights are pulled to 0.")


class LinearTrainer(Trainer, Protocol):
    """A trainer of one: it has the origin too, under its name."""

    weights: np.ndarray
    scale: np.ndarray


class LinearModel(Ranker):
    """Base of the models score = Σ w_k (x_k − origin_k) · scale_k, found in one go.

    The history has iteration 0, where all weights are 0, and iteration 1.
    """

    rounds_param = None
    base_ = 0.0
    origin: ClassVar[str] = "mean"  # what features are measured from: "mean_" of a model, "mean" in its file

    @property
    def feature_importances_(self) -> np.ndarray:
        """|weight| of each scaled feature (summed over hyperplanes), as a share of their sum."""
        return as_shares(np.abs(np.atleast_2d(self.weights_)).sum(axis=0) * (self.scale_ > 0))

    def _finish(self, trainer: LinearTrainer) -> None:
        self.weights_, self.scale_ = trainer.weights, trainer.scale
        self._set_origin(getattr(trainer, self.origin))

    def _set_origin(self, origin: np.ndarray) -> None:
        setattr(self, f"{self.origin}_", origin)

    @property
    def _from(self) -> np.ndarray:
        return getattr(self, f"{self.origin}_")

    def _ranked(self, matrix: Matrix, offsets: np.ndarray | None) -> np.ndarray:
        """Return the scores of the trained model."""
        return matrix.scores(self._from, self.weights_ * self.scale_)

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        yield np.zeros(len(X))
        if self.n_iter_:
            yield self._ranked(Matrix(X), offsets)

    def _explain(self, X: np.ndarray) -> np.ndarray:
        return (X - self._from) * (self.weights_ * self.scale_)

    def _cut(self, iteration: int) -> None:
        self.weights_ = np.zeros_like(self.weights_)

    def _state(self) -> dict[str, Any]:
        return {"weights": self.weights_, self.origin: self._from, "scale": self.scale_}

    def _set_state(self, state: State) -> None:
        shape = (self.n_features_in_,)
        if self.n_iter_ > 1:
            state.refuse("it has more than one iteration")
        self.weights_ = self._read_weights(state)
        self._set_origin(state.array(self.origin, shape=shape))
        self.scale_ = state.array("scale", shape=shape, low=0.0)

    def _read_weights(self, state: State) -> np.ndarray:
        return state.array("weights", shape=(self.n_features_in_,))


class LinearRanker(LinearModel):
    """Base of the linear models on standardised features whose weights a pair loss finds.

    Attributes
    ----------
    weights_ : array
        The weights on the standardised features.
    mean_, scale_ : arrays
        Each feature's mean and 1/deviation in training; 0 for one that never changes there.
    """

    family = "linear"

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

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        return _Trainer(self, data, values)


class _Follower:
    """Scores of a data set and its pairs."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        self._trainer, self._matrix, self.pairs = trainer, Matrix(data.X), PairOrder(data)
        self.loss = trainer.model._make_loss(self.pairs, trainer.given)
        self.scores = np.zeros(data.n_docs)

    def advance(self) -> None:
        """Take on the trained weights."""
        trainer = self._trainer
        self.scores[:] = self._matrix.scores(trainer.mean, trainer.weights * trainer.scale)

    def values(self) -> dict[str, float]:
        """Return the objective and the mean loss of a pair; without pairs they have no value."""
        if self.pairs.n_pairs == 0:
            return {"loss": np.nan, "pair_loss": np.nan}
        trainer = self._trainer
        ridge, factor = trainer.model._factors(trainer.given)
        mean = self.loss.slopes(self.scores)[0] / self.pairs.n_pairs
        size = float((trainer.weights * trainer.weights).sum())
        return {"loss": 0.5 * ridge * size + factor * mean, "pair_loss": mean}


class _Trainer(_Follower):
    """One training; the training data follow it like any other set."""

    def __init__(self, model: LinearRanker, data: RankingData, values: dict[str, Any]) -> None:
        self.model, self.given, self._data = model, values, data
        super().__init__(self, data)
        self.pairs.require_pairs(type(model).__name__)
        self.mean, self.scale = self._matrix.standardiser()
        self.weights = np.zeros(data.n_features)

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        self.weights = self.model._weigh(self._data, self.loss, self.scale, self.given)
        self.advance()
        return True
