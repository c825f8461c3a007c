"""AdaRank (Xu & Li, SIGIR 2007; a baseline in paper 000): boosting single features for a measure of lists.

The weak ranker is one feature, high values first or (``directions="both"``) low values first. Queries have
weights P, uniform at first; E is NDCG@k or average precision of each query, by the measures' own
definition.

    take the feature with the largest Σ P E
    α = ½ ln( Σ P (1 + E) / Σ P (1 − E) ),   score f_t = Σ α (±x),   P ∝ exp(−E(f_t))

with x scaled to [0, 1] by the training range. The loss in the history is the mean of exp(−E(f_t)), which
AdaRank lowers.

Decisions: equal values of a feature count as the expectation over their orders, as in the measures. Sums
are guarded by 1e-12. After `max_repeats` rounds in a row with one feature another one must come first.
Candidates that agree to a relative 1e-12 are ties: the lowest feature, then high values first. Training
ends when α is 0. Weights of queries (`sample_weight`) are factors of P.

On MQ2008 (`tests/benchmarks/study_mq2008_adarank.py`) NDCG@5 is .468 ± .014 where LETOR prints .482. It is
not the measure boosted, equal scores, normalisation (ranks, deviations), directions or repeats: all twelve
readings lie from .461 to .472. exp(−E) of an E in [0, 1] moves a query's weight by a factor e at most, so the
best feature stays the best: of 46 features one to three are used, often after round 1. AdaBoost's cumulative
weights use up to 11 and reach .472.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import stopping
from ...data import RankingData
from ...measures import measure
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.model_file import State

_GUARD = TIE = 1e-12
_MEASURES = ("ndcg@10", "ndcg@5", "ndcg@3", "ndcg@1", "map")


class _Follower:
    """Scores of a data set."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        self._trainer, self._X = trainer, data.X
        self.scores = np.zeros(data.n_docs)
        self.measured = measure(trainer.given["measure"]).bind(data.y, data.offsets)

    def advance(self) -> None:
        """Take in the last weighted feature."""
        feature, weight = self._trainer.rounds[-1]
        self.scores += weight * _scaled(self._X[:, feature], *self._trainer.scaling[:, feature])

    def values(self) -> dict[str, float]:
        """Return the exponential loss."""
        return {"loss": float(np.exp(-self.measured.per_query(self.scores)).mean())}


class _Trainer(_Follower):
    """One training; the training data follow it like any other set."""

    def __init__(self, data: RankingData, values: dict[str, Any]) -> None:
        self.given = values
        super().__init__(self, data)
        low, high = data.X.min(axis=0).astype(np.float64), data.X.max(axis=0).astype(np.float64)
        self.scaling = np.stack([low, np.divide(1.0, high - low, out=np.zeros_like(low), where=high > low)])
        self._signs = (1.0, -1.0) if values["directions"] == "both" else (1.0,)
        n_queries = data.n_queries
        self._E = np.empty((data.n_features, len(self._signs), n_queries))  # of each candidate and query
        for k in range(data.n_features):
            stopping.look()
            column = data.X[:, k].astype(np.float64)
            for s, sign in enumerate(self._signs):
                self._E[k, s] = self.measured.per_query(sign * column)
        self._weight = values.get("query_weight", np.ones(n_queries))
        self._P = self._weight / n_queries
        self.rounds: list[tuple[int, float]] = []

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        value = (self._E * self._P).sum(axis=2)
        tired = self._tired()
        if tired is not None:
            value[tired] = -1.0
        best = value.max()
        if best < 0:
            return False
        k, s = np.argwhere(value >= best * (1.0 - TIE))[0]
        E = self._E[k, s]
        good, bad = (self._P * (1.0 + E)).sum(), (self._P * (1.0 - E)).sum()
        alpha = 0.5 * np.log((good + _GUARD) / (bad + _GUARD))
        if not alpha > 0:
            return False
        self.rounds.append((int(k), float(alpha * self._signs[s])))
        self.advance()
        P = self._weight * np.exp(-self.measured.per_query(self.scores))
        self._P = P / P.sum()
        return True

    def _tired(self) -> int | None:
        """Return the feature that was taken as often in a row as is allowed."""
        last = [feature for feature, _ in self.rounds[-self.given["max_repeats"] :]]
        return last[0] if len(last) == self.given["max_repeats"] and len(set(last)) == 1 else None


def _scaled(column: np.ndarray, low: float, scale: float) -> np.ndarray:
    """Return a feature scaled by the training range; one that never changes there is 0."""
    return (column.astype(np.float64) - low) * scale


class AdaRank(Ranker):
    """Boosts single features for NDCG or MAP.

    Parameters
    ----------
    measure : {"ndcg@10", "ndcg@5", "ndcg@3", "ndcg@1", "map"}
        What is boosted.
    directions : {"both", "descending"}
        Whether a feature may also rank low values first.
    n_rounds : int
        How many rounds.
    max_repeats : int
        How often in a row one feature may be taken.

    Attributes
    ----------
    rounds_ : list of (feature, weight)
        What each round added; the weight is ±α.
    """

    label = "AdaRank"
    family = "listwise"
    paper = "MPBoost (CIKM 2009)"
    section = "baseline (Xu & Li 2007)"
    summary = "Boosts single features, weighing the queries that are still ranked badly by NDCG or MAP."
    params = (
        Param("measure", "choice", "ndcg@10", choices=_MEASURES, help="The measure that is boosted."),
        Param("directions", "choice", "both", choices=("both", "descending"),
              help="Whether a feature may also rank low values first."),
        Param("n_rounds", "int", 100, 1, 100_000, 1, log=True, help="How many rounds."),
        Param("max_repeats", "int", 5, 1, 100_000, 1, log=True,
              help="How often in a row one feature may be taken."),
    )  # fmt: skip
    base_ = 0.0
    weighs_queries = True

    @property
    def weights_(self) -> np.ndarray:
        """The sum of ±α of each feature: the model is linear in the scaled features."""
        weights = np.zeros(self.n_features_in_)
        for feature, weight in self.rounds_[: self.iteration_]:
            weights[feature] += weight
        return weights

    @property
    def feature_importances_(self) -> np.ndarray:
        """|weight| of each feature, as a share of their sum."""
        return as_shares(np.abs(self.weights_))

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        return _Trainer(data, values)

    def _finish(self, trainer: _Trainer) -> None:
        self.rounds_ = trainer.rounds
        self.low_, self.scale_ = trainer.scaling

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        scores = np.zeros(len(X))
        yield scores
        for feature, weight in self.rounds_:
            scores += weight * _scaled(X[:, feature], self.low_[feature], self.scale_[feature])
            yield scores

    def _explain(self, X: np.ndarray) -> np.ndarray:
        return (X - self.low_) * (self.scale_ * self.weights_)

    def _cut(self, iteration: int) -> None:
        self.rounds_ = self.rounds_[:iteration]

    def _state(self) -> dict[str, Any]:
        features, weights = zip(*self.rounds_, strict=True) if self.rounds_ else ((), ())
        return {"features": features, "weights": weights, "low": self.low_, "scale": self.scale_}

    def _set_state(self, state: State) -> None:
        d, n = self.n_features_in_, self.n_iter_
        features = state.array("features", np.int64, (n,), 0, d - 1)
        weights = state.array("weights", shape=(n,))
        self.rounds_ = [(int(k), float(w)) for k, w in zip(features, weights, strict=True)]
        self.low_, self.scale_ = state.array("low", shape=(d,)), state.array("scale", shape=(d,), low=0.0)
