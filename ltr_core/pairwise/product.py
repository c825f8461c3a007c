"""`ProductWeights`: the pair weights of a data set with few grades, kept as document factors."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from ..threads import may_run_parallel
from . import factored as kernels
from . import sweep
from .layout import PairLayout
from .misorder import count_misordered

MOST_GRADES = 16  # beyond, pairs are weighed one by one
_RENEW_ROUNDS, _RENEW_MOVE = (
    64,
    30.0,
)  # factors drift by rounding, and by e^30 they are still far from overflow
_NOWHERE = 1 << 20  # a threshold above every bin
_FINE, _COARSE, _LOST = 2.0**61, 2.0**34, 2.0**27  # what sums of fixed-point numbers may reach


class ProductWeights:
    """The weights exp(-d Δ) of all pairs at the current scores.

    Parameters
    ----------
    layout : PairLayout
    distances : float64 array (K, K)
        |d| between the grades.
    masses : float64 array (K, K), optional
        What a pair's weight counts in D; a data set that is only followed needs none.

    Attributes
    ----------
    scores : float64 array (n,)
        F, in the layout's order.
    E, T : float64 arrays (n, K) and (n_segments, K)
        The factors and their sums by segment.
    total, shift : float
        Σ of the weights divided by exp(shift).
    pulls, packed : int64 arrays (n,)
        Each document's signed pull Σ_j w d in `pull_unit`; the packed number for screening.
    fresh : bool
        Whether bounds from before the last round mean nothing any more.
    """

    def __init__(self, layout: PairLayout, distances: np.ndarray, masses: np.ndarray | None = None) -> None:
        n, K = len(layout.rows), len(distances)
        self.layout, self.distances = layout, distances
        self._searching = masses is not None
        self.masses = np.ones((K, K)) if masses is None else masses
        self.arrays = (layout.offsets, layout.starts, layout.segments, layout.segment_codes)
        self._signed = np.sign(np.arange(K)[:, None] - np.arange(K)[None, :]) * distances
        off = ~np.eye(K, dtype=bool)
        self.largest = float(distances[off].max())
        self.mass_per_pull = float((self.masses[off] / distances[off]).min())
        self.mass_per_weight = float(self.masses[off].max())
        self.batch = 1
        self._orders: dict[int, np.ndarray] = {}
        self.scores = np.zeros(n)
        self.E = np.zeros((n, K))
        self.T = np.zeros((len(layout.segment_codes), K))
        self._S = np.zeros((2 * len(layout.segment_codes), K))
        self.pulls = np.zeros(n if self._searching else 1, dtype=np.int64)
        self.packed = np.zeros(n if self._searching else 1, dtype=np.int64)
        self._none = np.zeros(n, dtype=np.uint8)
        self._start_over()

    @property
    def log_loss(self) -> float:
        """The logarithm of the mean weight."""
        return float(self.shift + np.log(self.total) - np.log(self.layout.n_pairs))

    def misorder(self) -> float:
        """Return the share of pairs with F_i <= F_j."""
        return count_misordered(self.layout, self.scores) / self.layout.n_pairs

    def measure(self, bins: np.ndarray, cut: int) -> tuple[float, float]:
        """Return N and D of a stump, for weights that sum to 1; `advance` takes this stump."""
        self._stump = bins, cut, self._split(bins, cut)
        _, up, down = self._stump[2]
        pull, mass = (self.distances * (up - down)).sum(), (self.masses * (up + down)).sum()
        return float(pull / self.total), float(mass / self.total)

    def advance(self, value: float) -> float:
        """Add the stump that was measured last, worth `value` above; return log Z."""
        bins, cut, (rest, up, down) = self._stump
        terms = np.stack([rest, up, down])
        powers = np.stack([0.0 * self.distances, -value * self.distances, value * self.distances])
        log_z = float(logsumexp(powers[terms > 0], b=terms[terms > 0] / self.total))
        move = abs(value) * self.largest
        if move > _RENEW_MOVE:
            self.scores[bins > cut] += value
            self._start_over()
            return log_z
        self._advance(bins, cut, value, terms)
        self._rounds, self._moved = self._rounds + 1, self._moved + move
        if self._rounds >= _RENEW_ROUNDS or self._moved > _RENEW_MOVE:
            self._rescale(self._renew())
        return log_z

    def sweep(
        self, bins: np.ndarray, chosen: np.ndarray, n_bins: int
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Return for each chosen feature the changes of N and D at each bin, block by block."""
        blocks = self.layout.blocks
        all_pulls, all_masses = [], []
        for k in chosen:
            if k not in self._orders:
                self._orders[k] = self.layout.order_by(bins[k], n_bins)
            pulls, masses = (
                np.empty((len(blocks) - 1, n_bins), dtype=np.int64),
                np.empty((len(blocks) - 1, n_bins)),
            )
            with may_run_parallel(5 * self.E.size, threshold=100_000) as parallel:
                run = sweep._sweep_blocks_parallel if parallel else sweep._sweep_blocks
                run(
                    bins[k], self._orders[k], self.layout.codes, self.pulls, self.E, self.T,
                    2.0 * self.masses, self.arrays, blocks, pulls, masses,
                )  # fmt: skip
            all_pulls.append(pulls)
            all_masses.append(masses)
        return all_pulls, all_masses

    def _start_over(self) -> None:
        """Work everything out from the scores."""
        self._renew()
        self._advance(self._none, _NOWHERE, 0.0, self._split(self._none, _NOWHERE))
        self.fresh = True

    def _renew(self) -> float:
        """Take the factors from the scores; return by what weights were multiplied."""
        before = getattr(self, "shift", 0.0)
        lows, highs = np.empty(len(self.T)), np.empty(len(self.T))
        n_queries = self.layout.n_queries
        self.shift = kernels._find_peaks(self.scores, self.arrays, self.distances, 0, n_queries, lows, highs)
        blocks = self.layout.blocks
        with may_run_parallel(self.E.size) as parallel:
            run = kernels._renew_blocks_parallel if parallel else kernels._renew_blocks
            run(self.scores, self.arrays, self.distances, blocks, self.shift, highs, self.E, self.T)
        self.total = kernels._sum_weights(self.T, self.arrays)
        self._rounds, self._moved = 0, 0.0
        with np.errstate(over="ignore"):
            return float(np.exp(before - self.shift))

    def _split(self, bins: np.ndarray, cut: int) -> np.ndarray:
        blocks = self.layout.blocks
        parts = np.empty((len(blocks) - 1, 3, *self.distances.shape))
        with may_run_parallel(self.E.size) as parallel:
            run = kernels._split_blocks_parallel if parallel else kernels._split_blocks
            run(bins, cut, self.E, self.arrays, blocks, self._S, parts)
        return parts.sum(axis=0)

    def _advance(self, bins: np.ndarray, cut: int, value: float, terms: np.ndarray) -> None:
        """Add a stump to the factors; write pulls, and how far masses have shrunk."""
        rest, up, down = terms
        shrunk = -np.expm1(-abs(value) * self.distances) * self.masses
        lost = float((shrunk * (up if value > 0 else down)).sum())
        growth = np.exp(value * self.distances)
        pull = float((self.distances * (rest + up / growth + down * growth)).sum())
        scales = (_FINE / (2.02 * pull), _COARSE / (2.02 * pull), _LOST / (2.02 * lost) if lost > 0 else 0.0)
        better = np.tril(np.ones(self.distances.shape, dtype=bool), -1)
        shrinking = np.stack([better.T, better]) if value > 0 else np.stack([better, better.T])
        step = (value, np.exp(-self._signed * value), shrinking * shrunk, self._signed)
        blocks = self.layout.blocks
        sums = np.empty(len(blocks) - 1)
        with may_run_parallel(self.E.size) as parallel:
            run = kernels._advance_blocks_parallel if parallel else kernels._advance_blocks
            run(
                bins, cut, step, self._S, self.arrays, blocks, scales if self._searching else (0.0, 0.0, 0.0),
                self.scores, self.E, self.T, self.pulls, self.packed, sums,
            )  # fmt: skip
        self.total = float(sums.sum())
        self.pull_unit, self.coarse_unit = 1.0 / scales[0], 1.0 / scales[1]
        self.loss_unit, self.loss_cap = 2.02 * lost / _LOST, lost * (1.0 + 1e-9)
        self.shrinking = float(np.exp(-abs(value) * self.largest)) * (1.0 - 1e-9)
        self.carry, self.fresh = 1.0, False

    def _rescale(self, ratio: float) -> None:
        """Bring what was written for the search to the scale of renewed factors."""
        self.pull_unit *= ratio
        self.coarse_unit *= ratio
        self.loss_unit *= ratio
        self.loss_cap *= ratio
        self.carry = ratio * (1.0 - 1e-9)
