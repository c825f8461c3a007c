"""Boosting on weights exp(-d Δ): MPBoost and RankBoost differ in their distance and in a `Rule`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...data import RankingData
from ...distances import FittedDistance, PairGrades
from ...rankers.effort import Effort
from ...sums import dot
from ..binning.bins import Binned, binned
from .direct import DirectWeights
from .layout import PairLayout, pair_layout
from .product import MOST_GRADES, ProductWeights
from .ranker import StumpRanker
from .rounds import Pairs, list_pairs
from .search import PairWeights, StumpSearch
from .trainer import StumpFollower, StumpTrainer

Masses = Callable[[np.ndarray], np.ndarray]  # from distances to what a pair's weight counts in D


@dataclass(frozen=True)
class Rule:
    """What a round looks for, and how far it goes.

    Attributes
    ----------
    search : {"reduction", "z", "pull"}
        Which gain is largest: see `StumpSearch`.
    masses : callable
        What a pair's weight counts in D, from its distance.
    value : callable
        The stump's value from its N and D.
    """

    search: str
    masses: Masses
    value: Callable[[float, float], float]


class ExponentialRound(NamedTuple):
    """What is kept of a round: N and D for weights that sum to 1, and by what the loss was multiplied."""

    feature: int
    threshold: float
    value: float
    gain: float
    n: float
    d: float
    z: float


def weigh(layout: PairLayout, distance: FittedDistance, masses: Masses | None = None) -> PairWeights:
    """Return the pair weights of a data set: as document factors where grades are few, else pair by pair."""
    grades = layout.grades.grades
    if len(grades) > MOST_GRADES:
        return DirectWeights(layout, distance, masses)
    distances = np.abs(distance.between(*np.meshgrid(grades, grades, indexing="ij")))
    return ProductWeights(layout, distances, None if masses is None else masses(distances))


class PairFollower(StumpFollower):
    """An evaluation set, whose pairs are weighed when their loss and misorder are asked for."""

    def __init__(self, trainer: PairTrainer, data: RankingData) -> None:
        super().__init__(trainer, data)
        self._layout = pair_layout(data)
        self._weights = weigh(self._layout, trainer.distance) if self._layout.n_pairs else None
        self._missed, self._last = 0, (np.zeros(0, dtype=bool), 0.0)

    def values(self) -> dict[str, float]:
        """Return loss and misorder; a set without pairs has neither."""
        if self._weights is None:
            return {"loss": np.nan, "misorder": np.nan}
        rows = self._layout.rows
        if self._missed == 1:
            above, value = self._last
            self._weights.advance(above.view(np.uint8)[rows], 0, value)
        elif self._missed:
            self._weights.start_over(self.scores[rows])
        self._missed = 0
        return {"loss": _exp(self._weights.log_loss), "misorder": self._weights.misorder()}

    def _take(self, above: np.ndarray, value: float) -> None:
        self._missed, self._last = self._missed + 1, (above, value)


class PairTrainer(StumpTrainer):
    """The training data: one stump a round."""

    def __init__(
        self,
        data: RankingData,
        layout: PairLayout,
        binned: Binned,
        distance: FittedDistance,
        rule: Rule,
        shrinkage: float,
        signs: np.ndarray | None = None,
    ) -> None:
        super().__init__(data, layout, binned)
        self.distance, self._value, self._shrinkage = distance, rule.value, shrinkage
        self._weights = weigh(layout, distance, rule.masses)
        self._search = StumpSearch(self._bins, binned.n_bins, binned.crowded, rule.search, signs)
        self._log_bound = 0.0

    def values(self) -> dict[str, float]:
        """Return the loss, the misorder rate and the bound Π Z."""
        loss, misorder = _exp(self._weights.log_loss), self._weights.misorder()
        return {"loss": loss, "misorder": misorder, "bound": _exp(self._log_bound)}

    def follow(self, data: RankingData) -> PairFollower:
        """Start following an evaluation set."""
        follower = PairFollower(self, data)
        follower.catch_up()
        return follower

    def take_up(self, data: RankingData, rounds: list) -> None:
        """Take in the rounds of a model that training goes on from."""
        super().take_up(data, rounds)
        self._weights.start_over(self.scores[self._weights.layout.rows])
        with np.errstate(divide="ignore"):
            self._log_bound += float(np.log([one.z for one in rounds]).sum())

    def step(self) -> bool:
        """Add the best stump; False when there is none."""
        best = self._search.find(self._weights)
        if best is None:
            return False
        k, cut, value = best.feature, best.cut, self._shrinkage * self._value(best.N, best.D)
        N, D, log_z = self._weights.advance(self._bins[k], cut, value)
        self._log_bound += log_z
        gain = self._search.gain_of(N, D)
        self.rounds.append(ExponentialRound(k, self._add(k, cut, value), value, gain, N, D, _exp(log_z)))
        return True


class ExponentialRanker(StumpRanker):
    """Base of the boosters on exponential weights. A subclass gives its distance and its rule."""

    round_type = ExponentialRound
    bounded: ClassVar[bool] = True

    def _settle(self, grades: PairGrades, values: dict[str, Any]) -> FittedDistance:
        """Return the distance, settled on the training pairs."""
        raise TypeError(f"{type(self).__name__} has no distance")

    def _rule(self, values: dict[str, Any]) -> Rule:
        """Return what a round looks for."""
        raise TypeError(f"{type(self).__name__} has no rule")

    def _effort(self, data: RankingData, values: dict[str, Any]) -> Effort:
        few = len(pair_layout(data).grades.grades) <= MOST_GRADES
        return Effort(0 if few else 3 * data.n_pairs, (1 + 4 * few) * data.X.size)

    def _start(self, data: RankingData, values: dict[str, Any]) -> PairTrainer:
        layout = pair_layout(data)
        layout.require_pairs(type(self).__name__)
        distance = self._settle(layout.grades, values)
        bins = binned(data, values["max_bins"], values["binning"])
        rule, signs = self._rule(values), self.signs_for(data)
        return PairTrainer(data, layout, bins, distance, rule, values["shrinkage"], signs)

    def _distances(self, data: RankingData, better: np.ndarray, worse: np.ndarray) -> np.ndarray:
        """Return the distance of pairs of rows, as it was in training."""
        return np.ones(len(better))

    def _list_pairs(self, data: RankingData) -> Pairs:
        i, j, query = list_pairs(data)
        return Pairs(i, j, query, self._distances(data, i, j), np.ones(len(i)), np.full(len(i), 1.0 / len(i)))

    def _pair_loss(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        return dot(np.exp(-pairs.distance * margin), pairs.share)

    def _weigh_pairs(self, pairs: Pairs, margin: np.ndarray) -> np.ndarray:
        exponent = -pairs.distance * margin
        weight = np.exp(exponent - exponent.max())
        return weight / weight.sum()


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
