"""Sums of stumps: the model that MPBoost, RankBoost and FRank share.

A stump adds its value to the documents above its threshold on one feature and nothing to the others: a model
is three arrays, and for each feature a step function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numba import njit

from ...data import RankingData
from ...errors import ParameterError
from ...measures.parts.base import frozen
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.estimator import check_is_fitted
from ...rankers.model_file import State
from ...rankers.monotone import MONOTONE, signs_for
from ...threads import share_out
from ..binning.bins import PARAMS as BINNING
from .trainer import StumpTrainer

if TYPE_CHECKING:
    from .rounds import Candidates, Pairs

N_ROUNDS = Param("n_rounds", "int", 200, 1, 100_000, 1, log=True, help="How many stumps to add.")
SHRINKAGE = Param(
    "shrinkage",
    "float",
    1.0,
    1e-4,
    100.0,
    log=True,
    help="What a stump's value is multiplied by before it is added; 1 is the papers'.",
)
PARAMS = (N_ROUNDS, *BINNING, SHRINKAGE)
_PARTS = 64  # in which the rows that are scored are shared out


@njit(nogil=True, cache=True)
def _score_row(row, features, thresholds, values, count):
    """Add up the stumps in order: the sum has the same bits as one built round by round."""
    total = 0.0
    for t in range(count):
        if np.float64(row[features[t]]) > thresholds[t]:
            total += values[t]
    return total


@njit(nogil=True, cache=True)
def _score_rows(first, last, X, features, thresholds, values, count, out):
    for i in range(first, last):
        out[i] = _score_row(X[i], features, thresholds, values, count)


@njit(nogil=True, cache=True)
def _explain_rows(X, features, thresholds, values, out):
    for i in range(X.shape[0]):
        for t in range(features.size):
            if np.float64(X[i, features[t]]) > thresholds[t]:
                out[i, features[t]] += values[t]


class StumpRanker(Ranker):
    """A ranker whose model is a sum of stumps.

    Attributes
    ----------
    rounds_ : DataFrame
        One row for each round: iteration, feature (its position), threshold, value, gain, and what else the
        algorithm keeps of a round.
    base_ : float
        0: the score that contributions start from.
    feature_importances_ : array
        Each feature's share of the summed gains.

    Notes
    -----
    ``monotone={"f1": 1, "f2": -1}`` lets more of f1 never harm a document's score, and more of f2 never help
    it: of their stumps only those are taken that rise, or that fall.
    """

    family = "pairwise boosting"
    in_python = (MONOTONE,)
    monotone: Mapping[str, int] | None
    base_ = 0.0
    round_type: ClassVar[type[tuple]]  # the NamedTuple of a round: feature, threshold, value, gain, …
    bounded: ClassVar[bool] = False  # whether Theorem 1 holds: misorder <= loss = Π Z on the training pairs

    def signs_for(self, data: RankingData) -> np.ndarray | None:
        """Return which sign each feature's stumps must have, from `monotone`; None where any may have any."""
        return signs_for(self.monotone, data)

    # What an algorithm says of a round laid open (see `rounds`) ------------------------------------------

    def _list_pairs(self, data: RankingData) -> Pairs:
        """Return the pairs that it learns from."""
        raise TypeError(f"{type(self).__name__} lays no rounds open")

    def _pair_loss(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        """Return the loss at margins; their last axis is the pairs."""
        raise TypeError(f"{type(self).__name__} lays no rounds open")

    def _weigh_pairs(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        """Return the weights of the pairs at margins."""
        raise TypeError(f"{type(self).__name__} lays no rounds open")

    def _judge(self, pairs: Pairs, weight: np.ndarray, sides: np.ndarray) -> Candidates:
        """Return what its formulas give for each candidate; `sides` are candidates × pairs."""
        raise TypeError(f"{type(self).__name__} lays no rounds open")

    # The model --------------------------------------------------------------------------------------------

    @classmethod
    def _columns(cls) -> tuple[str, ...]:
        return cls.round_type._fields  # type: ignore[attr-defined]

    def _finish(self, trainer: StumpTrainer) -> None:
        self._take(trainer.rounds)

    def _resume(self, trainer: StumpTrainer, model: Ranker, data: RankingData) -> None:
        kept = model.rounds_[list(self._columns())].itertuples(index=False, name=None)
        trainer.take_up(data, [self.round_type(*row) for row in kept])

    def _take(self, rounds: list[tuple]) -> None:
        """Take the model from what was kept of its rounds."""
        names = self._columns()
        table = np.array(rounds, dtype=np.float64).reshape(-1, len(names))
        columns = dict(zip(names, table.T, strict=True))
        columns["feature"] = columns["feature"].astype(np.int64)
        frame = self.rounds_ = pd.DataFrame({"iteration": np.arange(1, len(rounds) + 1), **columns})
        self.stump_features_ = frame["feature"].to_numpy()
        self.stump_thresholds_ = frame["threshold"].to_numpy()
        self.stump_values_ = frame["value"].to_numpy()

    @property
    def feature_importances_(self) -> np.ndarray:
        """Each feature's share of the summed gains."""
        check_is_fitted(self)
        rounds = self.rounds_[: self.iteration_]
        return as_shares(np.bincount(rounds["feature"], rounds["gain"], self.n_features_in_))

    def shape_function(self, feature: int | str) -> tuple[np.ndarray, np.ndarray]:
        """Return what a feature contributes: breakpoints x and the values on either side of them.

        The contribution is ``values[0]`` up to and including ``x[0]``, ``values[m]`` above ``x[m - 1]`` up to
        and including ``x[m]``; there is one value more than there are breakpoints.
        """
        check_is_fitted(self)
        names = list(self.feature_names_)
        k = names.index(feature) if feature in names else feature
        if not isinstance(k, (int, np.integer)) or not 0 <= k < self.n_features_in_:
            raise ParameterError(
                f"There is no feature {feature!r}. Give a name, or a position from 0 to "
                f"{self.n_features_in_ - 1}."
            )
        mine = (self.stump_features_ == k) & (np.arange(self.n_iter_) < self.iteration_)
        x, position = np.unique(self.stump_thresholds_[mine], return_inverse=True)
        steps = np.bincount(position, self.stump_values_[mine], len(x)) if len(x) else np.zeros(0)
        return x, np.r_[0.0, np.cumsum(steps)]

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        out = np.empty(len(X))
        stumps = (self.stump_features_, self.stump_thresholds_, self.stump_values_)
        model, X = (*map(frozen, stumps), iteration), frozen(X)
        cells, rows = len(X) * max(1, iteration), np.linspace(0, len(X), _PARTS + 1).astype(np.int64)
        share_out(_score_rows, rows, X, *model, out, cells=cells, threshold=200_000)
        return out

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        scores = np.zeros(len(X))
        yield scores
        for k, theta, value in zip(
            self.stump_features_, self.stump_thresholds_, self.stump_values_, strict=True
        ):
            scores[X[:, k].astype(np.float64) > theta] += value
            yield scores

    def _explain(self, X: np.ndarray) -> np.ndarray:
        out = np.zeros((len(X), self.n_features_in_))
        stumps = (self.stump_features_, self.stump_thresholds_, self.stump_values_)
        _explain_rows(frozen(X), *map(frozen, stumps), out)
        return out

    def _cut(self, iteration: int) -> None:
        self._take(list(self.rounds_[list(self._columns())][:iteration].itertuples(index=False, name=None)))

    def _state(self) -> dict[str, Any]:
        return {name: self.rounds_[name].to_numpy() for name in self._columns()}

    def _set_state(self, state: State) -> None:
        shape = (self.n_iter_,)
        columns = [
            state.array("feature", np.int64, shape, 0, self.n_features_in_ - 1),
            *(state.array(name, shape=shape) for name in self._columns()[1:]),
        ]
        self._take(list(zip(*columns, strict=True)))
