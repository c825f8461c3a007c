"""One training of FRank: the candidate of least exact loss, with few exact losses worked out.

Every candidate's N, S, C, T are known exactly (`fidelity_sweep`), so its α is, and its gain up to a
remainder of fourth order in α. Candidates whose largest possible gain falls short of another's smallest are
out; the exact loss (`fidelity_loss`) is worked out for the others, the most promising first, until none can
win.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..binning import Binned
from ..data import RankingData
from .fidelity_loss import fidelity_loss
from .fidelity_sweep import fidelity_sums
from .layout import PairLayout
from .misorder import count_misordered

TIE = 1e-11  # losses that agree to this share are equal: the lowest feature, then the lowest threshold wins
_FOURTH = 0.06902  # max |d⁴ √σ(Δ) / dΔ⁴|
_NO_GAIN = 1e-15
_FEATURES = 128  # swept together


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
        if self.n_queries == 0:
            return {"loss": np.nan, "misorder": np.nan}
        n_pairs = self.layout.n_pairs
        wrong = count_misordered(self.layout, self.scores) / n_pairs if n_pairs else np.nan
        return {"loss": self.loss(), "misorder": wrong}


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
    evaluated : int
        How many exact losses the last round took.
    """

    def __init__(self, data: RankingData, binned: Binned, values: dict[str, Any]) -> None:
        self.pairs = FidelityPairs(data, values["p_star"], values["tied_pairs"])
        self.scores = np.zeros(data.n_docs)
        self.rounds: list[tuple] = []
        self.evaluated = 0
        self._binned, self._smoothing = binned, values["smoothing"]
        layout = self.pairs.layout
        self._bins = layout.lay(binned)
        self._orders = np.empty(self._bins.shape, dtype=layout.order_type)
        for k, n in enumerate(binned.n_bins):
            layout.order_by(self._bins[k], n, self._orders[k])
        self._n_bins = int(binned.n_bins.max())
        self._real = np.arange(self._n_bins)[None, :] < binned.n_bins[:, None] - 1
        self._loss = self.pairs.loss()
        self._wrong: float | None = None

    def values(self) -> dict[str, float]:
        """Return loss and misorder."""
        return {**self.pairs.values(), "loss": self._loss}

    def follow(self, data: RankingData) -> FidelityFollower:
        """Start following an evaluation set."""
        return FidelityFollower(self, data)

    def step(self) -> bool:
        """Add the stump of least loss; False when none lowers it."""
        pairs = self.pairs
        parts = []
        for first in range(0, len(self._bins), _FEATURES):
            some = slice(first, first + _FEATURES)
            sums, total = fidelity_sums(
                pairs.layout, self._bins[some], self._orders[some], self._n_bins, pairs.scores,
                pairs.p_star, pairs.tied, pairs.shares,
            )  # fmt: skip
            parts.append(sums)
        pull, mass, curve, third = np.moveaxis(np.concatenate(parts), -1, 0)
        mass = np.maximum(mass, np.abs(pull))
        plus, minus = 0.5 * (mass + pull), 0.5 * (mass - pull)
        epsilon = self._smoothing * total
        real = self._real & (mass > 1e-14 * total)
        with np.errstate(divide="ignore", invalid="ignore"):
            alpha = np.where(real, 0.5 * np.log((plus + epsilon) / (minus + epsilon)), 0.0)
        gain = alpha * (0.5 * pull - alpha * (0.5 * curve + alpha * third / 6.0))
        root = np.sqrt(pairs.p_star) + np.sqrt(1.0 - pairs.p_star)
        error = _FOURTH * max(root, np.sqrt(2.0) * pairs.tied) / 24.0 * alpha**4 + 1e-12 * self._loss
        found = self._choose(
            np.where(real, gain + error, -np.inf), np.where(real, gain - error, -np.inf), alpha
        )
        if found is None:
            return False
        k, b, loss = found
        value = float(alpha[k, b])
        above = self._bins[k] > b
        pairs.scores[above] += value
        self.scores[self._binned.bins[k] > b] += value
        threshold = float(self._binned.thresholds[k][b])
        self.rounds.append((k, threshold, value, self._loss - loss, float(plus[k, b]), float(minus[k, b])))
        self._loss = loss
        return True

    def _choose(
        self, most: np.ndarray, least: np.ndarray, alpha: np.ndarray
    ) -> tuple[int, int, float] | None:
        """Return the candidate of least exact loss among those whose gain lies between `least` and `most`."""
        tie = TIE * self._loss
        order = np.flatnonzero(most >= least.max(initial=0.0) - tie)
        order = order[np.argsort(-most.flat[order], kind="stable")]
        best, losses = self._loss, {}
        for place in order:
            if self._loss - most.flat[place] > best + tie:
                break
            k, b = divmod(int(place), most.shape[1])
            losses[k, b] = self.pairs.loss(self._bins[k] > b, float(alpha[k, b]))
            best = min(best, losses[k, b])
        self.evaluated = len(losses)
        if best >= self._loss * (1.0 - _NO_GAIN):
            return None
        k, b = min(where for where, loss in losses.items() if loss <= best * (1.0 + TIE))
        return k, b, losses[k, b]
