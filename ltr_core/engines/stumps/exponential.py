"""One training of a booster on weights exp(-d Δ): MPBoost and RankBoost differ in two small functions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...data import RankingData
from ...distances import FittedDistance
from ..binning.bins import Binned
from .adding import add_above
from .direct import DirectWeights
from .layout import PairLayout
from .product import MOST_GRADES, ProductWeights
from .search import StumpSearch

Masses = Callable[[np.ndarray], np.ndarray]  # from distances to what a pair's weight counts in D
Value = Callable[[float, float], float]  # from N and D to the stump's value


def weigh(
    layout: PairLayout, distance: FittedDistance, masses: Masses | None = None
) -> ProductWeights | DirectWeights:
    """Return the pair weights of a data set: as document factors where grades are few, else pair by pair."""
    grades = layout.grades.grades
    if len(grades) > MOST_GRADES:
        return DirectWeights(layout, distance, masses)
    distances = np.abs(distance.between(*np.meshgrid(grades, grades, indexing="ij")))
    return ProductWeights(layout, distances, None if masses is None else masses(distances))


class PairFollower:
    """An evaluation set: its scores, and its pairs, weighed when their loss and misorder are asked for."""

    def __init__(self, trainer: PairTrainer, data: RankingData) -> None:
        self._trainer, self._X = trainer, data.X
        self.scores = np.zeros(data.n_docs)
        self._layout = PairLayout(data.y, data.offsets)
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

    def advance(self) -> None:
        """Take in the last stump."""
        feature, threshold, value = self._trainer.rounds[-1][:3]
        above = self._X[:, feature].astype(np.float64) > threshold
        self.scores[above] += value
        self._missed, self._last = self._missed + 1, (above, value)


class PairTrainer:
    """The training data: one stump a round.

    Attributes
    ----------
    rounds : list of tuples
        (feature, threshold, value, gain, N, D, Z) of each round.
    """

    def __init__(
        self,
        data: RankingData,
        layout: PairLayout,
        binned: Binned,
        distance: FittedDistance,
        rule: str,
        masses: Masses,
        value: Value,
    ) -> None:
        self.distance = distance
        self.scores = np.zeros(data.n_docs)
        self.rounds: list[tuple] = []
        self._binned, self._value = binned, value
        self._bins = layout.lay(binned)
        self._weights = weigh(layout, distance, masses)
        self._search = StumpSearch(layout, self._bins, binned.n_bins, rule)
        self._log_bound = 0.0

    def values(self) -> dict[str, float]:
        """Return the loss, the misorder rate and the bound Π Z."""
        return {
            "loss": _exp(self._weights.log_loss),
            "misorder": self._weights.misorder(),
            "bound": _exp(self._log_bound),
        }

    def follow(self, data: RankingData) -> PairFollower:
        """Start following an evaluation set."""
        return PairFollower(self, data)

    def step(self) -> bool:
        """Add the best stump; False when there is none."""
        found = self._search.find(self._weights)
        if found is None:
            return False
        k, cut = found.feature, found.cut
        value = self._value(found.N, found.D)
        N, D, log_z = self._weights.advance(self._bins[k], cut, value)
        self._log_bound += log_z
        add_above(self._binned.bins[k], cut, value, self.scores)
        threshold = float(self._binned.thresholds[k][cut])
        self.rounds.append((k, threshold, value, self._search.gain_of(N, D), N, D, _exp(log_z)))
        return True


def _exp(x: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.exp(x))
