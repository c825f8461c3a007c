"""FeatureRank (paper 001): the order hidden in each single feature, joined by boosting.

For each feature: in each query order the documents by grade, best first (equals `by_content`), and cut that
order into K intervals of equal length, numbered K … 1. The center C_l of class l is the mean over
queries of the interval's mean value; `center` takes all of the interval ("normal") or its first, middle or
last third (which hold at least one document: of an interval of two the middle and the last third are both its
second). A document belongs to the class of the nearest center (ties: the higher class). Higher classes
rank first; inside class l documents rank by value × sgn(C_{l+1} − C_l), inside K by value × sgn(C_K −
C_{K−1}). The weak ranker h is the place in the list, scaled to [0, 1], best = 1.

    E = 1 − 2 T,   T = discordant pairs / pairs with distinct grades
    β_m = ½ ln( Σ w (1 + E(h_m)) / Σ w (1 − E(h_m)) ),   w ∝ exp(−E(f_m)),   f_m = Σ_{k ≤ m} β_k h_k

Decisions: the paper's two cases of the inner order are printed the wrong way round (as printed, C_0 and
C_{K+1} would be needed). Equal values share their mean place, and a pair with equal places counts as half
discordant, as the τ distance of the measures does. A class that no query fills (K larger than the lists)
has no center; the next one that has takes its place. Queries without distinct grades count for the centers
only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import stopping
from ...data import RankingData
from ...engines.hidden_order import CENTERS, WeakRanker, measured_centers
from ...errors import DataError
from ...measures.parts.pairs import PairCounts
from ...measures.parts.ranking import rank_queries
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.model_file import State

_GUARD = 1e-12


class _Follower:
    """Scores of a data set and their agreement with its grades."""

    def __init__(self, trainer: _Trainer, data: RankingData) -> None:
        self._trainer, self.data = trainer, data
        self.scores = np.zeros(data.n_docs)
        self._counts = PairCounts(data.y, data.offsets)
        self._taught = self._counts.pairs > 0

    def distance(self, scores: np.ndarray) -> np.ndarray:
        """Return T of each query that has pairs."""
        discordant, tied = self._counts.count(scores, "average")
        return ((discordant + 0.5 * tied) / np.maximum(self._counts.pairs, 1))[self._taught]

    def advance(self) -> None:
        """Take in the last round."""
        weak, beta = self._trainer.rounds[-1]
        self.scores += beta * weak.rank(self.data.X, self.data.offsets)

    def values(self) -> dict[str, float]:
        """Return the mean T, and 1 − T, which is the paper's Fig. 2."""
        T = self.distance(self.scores)
        mean = T.mean() if len(T) else np.nan
        return {"loss": mean, "concordance": 1.0 - mean}


class _Trainer(_Follower):
    """One training; the training data follow it like any other set."""

    def __init__(self, data: RankingData, values: dict[str, Any]) -> None:
        super().__init__(self, data)
        if not self._taught.any():
            raise DataError(
                "no query has documents of two grades: FeatureRank has nothing to learn from",
                "give data in which some query has distinct grades",
            )
        self._by_grade, _ = rank_queries(data.y, data.offsets, "average")
        self._n, self._center = values["n_intervals"], values["center"]
        self.features = np.arange(data.n_features)
        if values["order"] == "best":
            T = [
                self.distance(self._weak(k).rank(data.X, data.offsets)).mean() for k in range(data.n_features)
            ]
            self.features = np.argsort(T, kind="stable")
        self._weights = np.full(int(self._taught.sum()), 1.0)
        self.rounds: list[tuple[WeakRanker, float]] = []

    def _weak(self, feature: int) -> WeakRanker:
        stopping.look()
        return WeakRanker(
            feature, measured_centers(self.data, self._by_grade, feature, self._n, self._center)
        )

    def follow(self, data: RankingData) -> _Follower:
        return _Follower(self, data)

    def step(self) -> bool:
        weak = self._weak(int(self.features[len(self.rounds)]))
        h = weak.rank(self.data.X, self.data.offsets)
        T = self.distance(h)  # 1 + E = 2 (1 − T), 1 − E = 2 T
        good, bad = 2.0 * (self._weights * (1.0 - T)).sum(), 2.0 * (self._weights * T).sum()
        beta = 0.5 * np.log((good + _GUARD) / (bad + _GUARD))
        self.scores += beta * h
        self.rounds.append((weak, float(beta)))
        weights = np.exp(-(1.0 - 2.0 * self.distance(self.scores)))
        self._weights = weights / weights.sum()
        return True


class FeatureRank(Ranker):
    """Ranks from the hidden order of every single feature, joined by boosting.

    Parameters
    ----------
    n_intervals : int
        K, the classes into which a feature is cut.
    center : {"normal", "prior", "middle", "posterior"}
        What of an interval makes its center.
    order : {"given", "best"}
        Features in the order given, or those that agree best with the grades first.
    n_features : int, optional
        How many features to use; None uses all.

    Attributes
    ----------
    features_, betas_ : arrays
        The feature of each round and its weight β.
    centers_ : array of shape (rounds, K)
        C_1 … C_K of each round's feature, NaN where a class has no center.
    """

    by_rows = True
    label = "FeatureRank"
    family = "listwise"
    paper = "FeatureRank"
    section = "§2"
    summary = (
        "Finds the order hidden in each single feature, rising or not, and joins these rankings by boosting."
    )
    params = (
        Param("n_intervals", "int", 8, 2, 1_000, 1, log=True, help="K, the classes of a feature."),
        Param("center", "choice", "normal", choices=CENTERS, help="What of an interval makes its center."),
        Param("order", "choice", "given", choices=("given", "best"),
              help="Features in the order given, as in the paper, or the best first."),
        Param("n_features", "int", None, 1, 1_000_000, 1, log=True, optional=True, none_label="all",
              help="How many features to use."),
    )  # fmt: skip
    rounds_param = "n_features"
    needs_qid = True
    base_ = 0.0

    @property
    def feature_importances_(self) -> np.ndarray:
        """|β| of each feature, as a share of their sum."""
        done = self.at(None)
        return as_shares(np.bincount(done.features_, np.abs(done.betas_), self.n_features_in_))

    def explain(self, X: Any, qid: Any = None) -> np.ndarray:
        """Return β · h of each feature: what each place in a feature's own ranking adds."""
        values, offsets, given = self._inputs(X, qid)
        assert offsets is not None  # `needs_qid`
        parts = np.zeros(values.shape)
        for weak, beta in self.at(None)._rounds():
            parts[:, weak.feature] += beta * weak.rank(values, offsets)
        return given(parts)

    def _start(self, data: RankingData, values: dict[str, Any]) -> _Trainer:
        values["n_features"] = min(values["n_features"] or data.n_features, data.n_features)
        return _Trainer(data, values)

    def _finish(self, trainer: _Trainer) -> None:
        self.features_ = np.array([weak.feature for weak, _ in trainer.rounds], dtype=np.int64)
        self.betas_ = np.array([beta for _, beta in trainer.rounds])
        self.centers_ = np.array([weak.centers for weak, _ in trainer.rounds]).reshape(-1, self.n_intervals)

    def _rounds(self) -> Iterator[tuple[WeakRanker, float]]:
        for feature, centers, beta in zip(self.features_, self.centers_, self.betas_, strict=True):
            yield WeakRanker(int(feature), centers), float(beta)

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        assert offsets is not None  # `needs_qid`
        scores = np.zeros(len(X))
        yield scores
        for weak, beta in self._rounds():
            scores += beta * weak.rank(X, offsets)
            yield scores

    def _cut(self, iteration: int) -> None:
        self.features_, self.betas_ = self.features_[:iteration], self.betas_[:iteration]
        self.centers_ = self.centers_[:iteration]

    def _state(self) -> dict[str, Any]:
        there = ~np.isnan(self.centers_)
        centers = np.where(there, self.centers_, 0.0)
        return {
            "features": self.features_,
            "betas": self.betas_,
            "centers": centers,
            "there": there.astype(int),
        }

    def _set_state(self, state: State) -> None:
        shape = (self.n_iter_, self.n_intervals)
        self.features_ = state.array("features", np.int64, shape[:1], 0, self.n_features_in_ - 1)
        self.betas_ = state.array("betas", shape=shape[:1])
        there = state.array("there", np.int64, shape, 0, 1) == 1
        if not there.any(axis=1).all():
            state.refuse("a feature has no class center")
        self.centers_ = np.where(there, state.array("centers", shape=shape), np.nan)
