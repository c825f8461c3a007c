"""One training of FRank: the pairs of a data set with their loss, and the round that lowers it most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ... import stopping
from ...data import RankingData
from ...threads import share_out
from ..binning.bins import Binned
from . import fidelity_kernels as kernels
from .fidelity_kernels import Added, PairLoss
from .fidelity_search import FidelitySearch
from .layout import PairLayout
from .trainer import StumpFollower, StumpTrainer


class FidelityRound(NamedTuple):
    """What is kept of a round: gain is by how much the loss fell."""

    feature: int
    threshold: float
    value: float
    gain: float
    plus: float
    minus: float


class FidelityPairs:
    """The pairs of a data set and their loss.

    Parameters
    ----------
    data : RankingData
    p_star : float
        The wanted probability of every pair with distinct grades.
    tied : bool
        Whether pairs of equal grades count as well, with a wanted probability of ½.
    weight : array, optional
        How much each query counts; all the same without it.
    """

    def __init__(
        self, data: RankingData, p_star: float, tied: bool, weight: np.ndarray | None = None
    ) -> None:
        self.layout = layout = PairLayout(data.y, data.offsets, tied)
        sizes = np.diff(layout.offsets)
        equal = (
            np.add.reduceat(np.r_[np.diff(layout.starts) ** 2, 0], layout.segments[:-1])
            if len(sizes)
            else sizes
        )
        pairs = (sizes * sizes - equal) // 2 + (equal - sizes) // 2 * tied
        shares = 1.0 / (pairs * max(1, len(sizes)))
        if weight is not None:
            own = weight[np.searchsorted(data.offsets, layout.rows[layout.offsets[:-1]], "right") - 1]
            shares = own / (pairs * own.sum())
        self.terms = PairLoss(p_star, tied, shares, stopping.cell())
        self.scores = np.zeros(len(layout.rows))

    @property
    def n_queries(self) -> int:
        """Number of queries that have pairs."""
        return self.layout.n_queries

    def loss(self, above: np.ndarray | None = None, value: float = 0.0) -> float:
        """Return the loss, as it is or with a stump added."""
        layout, out = self.layout, np.empty(len(self.layout.blocks) - 1)
        above = np.zeros(len(self.scores), dtype=np.bool_) if above is None else above
        args = (self.scores, Added(above, value), layout.borders, layout.blocks, self.terms, out)
        share_out(
            kernels._sum_blocks, range(len(layout.blocks)), *args, cells=layout.n_pairs, threshold=20_000
        )
        stopping.look()
        return float(out.sum())

    def values(self) -> dict[str, float]:
        """Return loss and misorder; without pairs they have no value."""
        return {"loss": self.loss() if self.n_queries else np.nan, "misorder": self.misorder()}

    def misorder(self) -> float:
        """Return the share of pairs with distinct grades that have F_i <= F_j."""
        n_pairs = self.layout.n_pairs
        return self.layout.count_misordered(self.scores) / n_pairs if n_pairs else np.nan


class FidelityFollower(StumpFollower):
    """An evaluation set."""

    def __init__(self, trainer: FidelityTrainer, data: RankingData) -> None:
        super().__init__(trainer, data)
        self._pairs = FidelityPairs(data, trainer.pairs.terms.p_star, trainer.pairs.terms.tied)

    def values(self) -> dict[str, float]:
        """Return loss and misorder."""
        return self._pairs.values()

    def _take(self, above: np.ndarray, value: float) -> None:
        self._pairs.scores[above[self._pairs.layout.rows]] += value


class FidelityTrainer(StumpTrainer):
    """The training data: one stump a round, the one of least loss at its whole value."""

    def __init__(
        self,
        data: RankingData,
        binned: Binned,
        p_star: float,
        tied: bool,
        smoothing: float,
        shrinkage: float,
        weight: np.ndarray | None = None,
        signs: np.ndarray | None = None,
    ) -> None:
        pairs = self.pairs = FidelityPairs(data, p_star, tied, weight)
        super().__init__(data, pairs.layout, binned)
        self._search = FidelitySearch(pairs, self._bins, binned.n_bins, smoothing, signs)
        self._shrinkage = shrinkage
        self._loss = self._search.weigh(Added(np.zeros(len(pairs.scores), dtype=bool), 0.0))

    def values(self) -> dict[str, float]:
        """Return loss and misorder."""
        return {"loss": self._loss, "misorder": self.pairs.misorder()}

    def follow(self, data: RankingData) -> FidelityFollower:
        """Start following an evaluation set."""
        follower = FidelityFollower(self, data)
        follower.catch_up()
        return follower

    def take_up(self, data: RankingData, rounds: list) -> None:
        """Take in the rounds of a model that training goes on from."""
        super().take_up(data, rounds)
        self.pairs.scores[:] = self.scores[self.pairs.layout.rows]
        self._loss = self._search.weigh(Added(np.zeros(len(self.pairs.scores), dtype=bool), 0.0))

    def step(self) -> bool:
        """Add the stump of least loss; False when none lowers it."""
        best = self._search.find(self._loss)
        if best is None:
            return False
        k, cut, value, plus, minus = best
        value *= self._shrinkage
        above, before = self._bins[k] > cut, self._loss
        self.pairs.scores += value * above  # in a fifteenth of the time of a mask
        self._loss = self._search.weigh(Added(above, value))
        self.rounds.append(
            FidelityRound(k, self._add(k, cut, value), value, before - self._loss, plus, minus)
        )
        return True
