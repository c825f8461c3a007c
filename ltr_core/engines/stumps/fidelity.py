"""One training of FRank: the pairs of a data set with their loss, and the round that lowers it most."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data import RankingData
from ..binning.bins import Binned
from .adding import add_above
from .fidelity_loss import fidelity_loss
from .fidelity_search import FidelitySearch
from .layout import PairLayout
from .misorder import count_misordered


class FidelityPairs:
    """The pairs of a data set and their loss.

    Parameters
    ----------
    data : RankingData
    p_star : float
        The wanted probability of every pair with distinct grades.
    tied : bool
        Whether pairs of equal grades count as well, with a wanted probability of ½.
    """

    def __init__(self, data: RankingData, p_star: float, tied: bool) -> None:
        self.p_star, self.tied = p_star, tied
        self.layout = layout = PairLayout(data.y, data.offsets, tied)
        sizes = np.diff(layout.offsets)
        equal = (
            np.add.reduceat(np.r_[np.diff(layout.starts) ** 2, 0], layout.segments[:-1])
            if len(sizes)
            else sizes
        )
        pairs = (sizes * sizes - equal) // 2 + (equal - sizes) // 2 * tied
        self.shares = 1.0 / (pairs * max(1, len(sizes)))  # D_ij, divided by the number of queries
        self.scores = np.zeros(len(layout.rows))

    @property
    def n_queries(self) -> int:
        """Number of queries that have pairs."""
        return self.layout.n_queries

    def loss(self, above: np.ndarray | None = None, value: float = 0.0) -> float:
        """Return the loss, as it is or with a stump added."""
        above = np.zeros(len(self.scores), dtype=np.bool_) if above is None else above
        return fidelity_loss(self.layout, self.scores, above, value, self.p_star, self.tied, self.shares)

    def values(self) -> dict[str, float]:
        """Return loss and misorder; without pairs they have no value."""
        return {"loss": self.loss() if self.n_queries else np.nan, "misorder": self.misorder()}

    def misorder(self) -> float:
        """Return the share of pairs with distinct grades that have F_i <= F_j."""
        n_pairs = self.layout.n_pairs
        return count_misordered(self.layout, self.scores) / n_pairs if n_pairs else np.nan


class FidelityFollower:
    """An evaluation set."""

    def __init__(self, trainer: FidelityTrainer, data: RankingData) -> None:
        self._trainer, self._X = trainer, data.X
        self.scores = np.zeros(data.n_docs)
        self._pairs = FidelityPairs(data, trainer.pairs.p_star, trainer.pairs.tied)

    def values(self) -> dict[str, float]:
        """Return loss and misorder."""
        return self._pairs.values()

    def advance(self) -> None:
        """Take in the last stump."""
        feature, threshold, value = self._trainer.rounds[-1][:3]
        above = self._X[:, feature].astype(np.float64) > threshold
        self.scores[above] += value
        self._pairs.scores[above[self._pairs.layout.rows]] += value


class FidelityTrainer:
    """The training data: one stump a round.

    Attributes
    ----------
    rounds : list of tuples
        (feature, threshold, value, gain, W+, W-) of each round; gain is by how much the loss fell.
    """

    def __init__(self, data: RankingData, binned: Binned, values: dict[str, Any]) -> None:
        pairs = self.pairs = FidelityPairs(data, values["p_star"], values["tied_pairs"])
        self.scores = np.zeros(data.n_docs)
        self.rounds: list[tuple] = []
        self._binned, self._bins = binned, pairs.layout.lay(binned)
        pair_loss = (pairs.p_star, pairs.tied, pairs.shares)
        self.search = FidelitySearch(pairs.layout, self._bins, binned.n_bins, pair_loss, values["smoothing"])
        self._last = np.zeros(len(pairs.scores), dtype=bool), 0.0
        self._loss = pairs.loss()

    def values(self) -> dict[str, float]:
        """Return loss and misorder."""
        return {"loss": self._loss, "misorder": self.pairs.misorder()}

    def follow(self, data: RankingData) -> FidelityFollower:
        """Start following an evaluation set."""
        return FidelityFollower(self, data)

    def step(self) -> bool:
        """Add the stump of least loss; False when none lowers it."""
        pairs = self.pairs
        found = self.search.find(pairs.scores, self._last, self._loss, pairs.loss)
        if found is None:
            return False
        k, cut, value = found.feature, found.cut, found.value
        above = self._bins[k] > cut
        pairs.scores[above] += value
        add_above(self._binned.bins[k], cut, value, self.scores)
        self._last = above, value
        threshold = float(self._binned.thresholds[k][cut])
        self.rounds.append((k, threshold, value, self._loss - found.loss, found.plus, found.minus))
        self._loss = found.loss
        return True
