"""`ProductWeights`: the pair weights of a data set with few grades, kept as document factors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...threads import share_out
from . import product_factors, product_step, product_sweep
from .layout import PairLayout
from .ordering import Orders
from .product_step import BlockSums, Scales, State, Tables, Told
from .product_sweep import Sides
from .screen import FINE, HIGH, LOW, LOW_BITS, Packed
from .search import BinChanges, PairWeights

MOST_GRADES = 16  # beyond, pairs are weighed one by one
_SIZES = (2, 4, 7, 15)  # numbers of other grades that kernels are compiled for; the rest take the next size
_RENEW_ROUNDS, _RENEW_MOVE = 64, 30.0  # factors drift by rounding, and by e^30 are still far from overflow
_NOWHERE = 1 << 20  # a threshold above every bin


class ProductWeights(PairWeights):
    """The weights exp(-d Δ) of all pairs at the current scores.

    Parameters
    ----------
    layout : PairLayout
    distances : float64 array (K, K)
        |d| between the grades.
    masses : float64 array (K, K), optional
        What a pair's weight counts in D; a data set that is only followed needs none.
    """

    packed: Packed
    batch = 3  # features swept together, while the factors of a query are at hand

    def __init__(self, layout: PairLayout, distances: np.ndarray, masses: np.ndarray | None = None) -> None:
        n, K = len(layout.rows), len(distances)
        C = next(size for size in _SIZES if size >= K - 1)
        self.layout, self._searching = layout, masses is not None
        self.distances, self.masses = distances, np.ones((K, K)) if masses is None else masses
        off = ~np.eye(K, dtype=bool)
        self.largest, self.mass_per_weight = float(distances[off].max()), float(self.masses[off].max())
        self.mass_per_pull = float((self.masses[off] / distances[off]).min())
        self._others = (0,) * C
        # Tables by own grade and other grades in order, its own left out; absent grades have zeros.
        compact, compact_masses = (_leave_out_own(table, C) for table in (distances, self.masses))
        self._sweep_masses = None if (self.masses == 1.0).all() else compact_masses.ravel()
        better = _leave_out_own(np.tril(np.ones((K, K)), -1), C) > 0
        signed = np.where(better, 1.0, -1.0) * compact
        a, c = np.indices((C + 1, C))
        places = np.where(c < a, c * C + a - 1, (c + 1) * C + a).astype(np.uint64).ravel()
        given = (compact, compact_masses, signed.ravel())
        self._tables = Tables(*given, places, places + places // C * C)
        self._marks = (C * layout.codes).astype(np.uint8)
        self._orders: Orders | None = None
        self.scores, self._E = np.zeros(n), np.zeros((n, C))
        self._T = np.zeros((len(layout.borders.codes), C))
        pulls, numbers = (np.zeros(n if self._searching else 1, dtype=np.int64) for _ in range(2))
        self._state = State(self.scores, self._E, self._T, pulls, numbers)
        n_blocks, K = len(layout.blocks) - 1, C + 1
        room = (np.empty((n_blocks, 3, K, K)), np.empty(n_blocks), np.empty(n_blocks, dtype=np.int64))
        self._block_sums = BlockSums(*room)
        self._sides = Sides(self._E, self._T, places)
        self._none = np.zeros(n, dtype=np.uint8)
        self._rounds, self._moved = 0, 0.0
        self._asked = self._counted = False
        self._start_over()

    def misorder(self) -> float:
        """Return the share of pairs with F_i <= F_j.

        A step counts those of short queries if this was asked before it, while their scores are at hand.
        """
        if not self._counted:
            held = (self.layout.blocks, self.scores, self.layout.borders)
            self._share_blocks(product_step._count_blocks, *held, self._block_sums.wrong)
        self._asked = self._counted = True
        wrong = int(self._block_sums.wrong.sum())
        return (wrong + self.layout.count_long(self.scores)) / self.layout.n_pairs

    def advance(self, bins: np.ndarray, cut: int, value: float) -> tuple[float, float, float]:
        """Add a stump worth `value` above `cut`; return its N and D, for weights that sum to 1, and log Z."""
        before, move = self.total, abs(value) * self.largest
        if move > _RENEW_MOVE:
            self._step(bins, cut, 0.0, self._pull, again=True)
            told = self._tell(value)
            self.scores[bins > cut] += value
            self._start_over()
        else:
            most = self._pull * math.exp(move)  # what the sum of pulls can become
            if move > 1.0:  # fixed-point numbers are the more precise the better their sum is known
                self._step(bins, cut, 0.0, self._pull, again=True)
                most = self._tell(value).pull
            told = self._step(bins, cut, value, most)
            self._rounds, self._moved = self._rounds + 1, self._moved + move
            if self._rounds >= _RENEW_ROUNDS or self._moved > _RENEW_MOVE:
                self._rescale(self._renew())
        return told.n / before, told.d / before, told.log_z

    def sweep(self, bins: np.ndarray, chosen: np.ndarray, n_bins: int) -> BinChanges:
        """Return what changes D at each bin of the chosen features, block by block."""
        if self._orders is None:
            self._orders = self.layout.order(bins, self._marks)
        orders = self._orders.of(chosen, n_bins)
        codes = None if self._orders.words else self.layout.codes
        blocks = self.layout.blocks
        out = BinChanges(np.empty((len(blocks) - 1, len(chosen), n_bins)), 2.0)
        held = (self._sweep_masses, self._sides, self.layout.borders, blocks)
        args = (self._others, bins, orders, codes, chosen, *held, out.changes)
        cells = 5 * self._E.size
        share_out(product_sweep._sweep_blocks, range(len(blocks)), *args, cells=cells, threshold=100_000)
        return out

    def _start_over(self) -> None:
        """Work everything out from the scores."""
        self._renew()
        self._step(self._none, _NOWHERE, 0.0, self.total * self.largest)
        self.packed = self.packed._replace(fresh=True)

    def _renew(self) -> float:
        """Take the factors from the scores; return by what weights were multiplied."""
        before = getattr(self, "shift", 0.0)
        lows, highs = np.empty(len(self._T)), np.empty(len(self._T))
        held = (self.scores, self.layout.borders, self.distances)
        self.shift = product_factors._find_peaks(*held, lows, highs)
        blocks = self.layout.blocks
        total = np.empty(len(blocks) - 1)
        args = (self.scores, self.layout.borders, self.distances, blocks, self.shift, lows, highs)
        self._share_blocks(product_factors._renew_blocks, *args, self._E, self._T, total)
        self.total = float(total.sum())
        self._rounds, self._moved = 0, 0.0
        with np.errstate(over="ignore"):
            return float(np.exp(before - self.shift))

    def _step(self, bins: np.ndarray, cut: int, value: float, most: float, again: bool = False) -> Told:
        """Add a stump to the factors; write pulls, and how far masses have shrunk.

        `most` is what Σ w d can be at most with the stump, and `again` says that another step comes at once.
        """
        size = abs(value)
        pull = 2.02 * most
        gone = 2.02 * self.total * self.mass_per_weight * -math.expm1(-size * self.largest)
        scales = Scales(FINE / pull, HIGH / pull, LOW / gone if gone > 0 else 0.0, LOW_BITS)
        if not self._searching:
            scales = Scales(0.0, 0.0, 0.0, LOW_BITS)
        held = (self.layout.codes, self.layout.borders, self.layout.blocks, scales)
        self._counted = self._asked and not again
        args = (self._others, bins, cut, value, self._tables, *held, self._counted)
        self._share_blocks(product_step._step_blocks, *args, self._state, self._block_sums)
        self._asked = self._asked and again
        told = self._tell(value)
        self.total, self._pull = told.total, told.pull
        cap, shrinking = told.lost * (1.0 + 1e-9), math.exp(-size * self.largest) * (1.0 - 1e-9)
        units = (pull / FINE, pull / HIGH, gone / LOW)
        self.packed = Packed(self._state.pulls, self._state.packed, *units, cap, shrinking)
        return told

    def _share_blocks(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all blocks."""
        blocks = range(len(self.layout.blocks))
        share_out(kernel, blocks, *args, cells=self._E.size, threshold=50_000)

    def _tell(self, value: float) -> Told:
        """Return what the last stump does when it is worth so much, from the weights before it."""
        return product_step._tell_stump(self._block_sums, value, self.distances, self.masses)

    def _rescale(self, ratio: float) -> None:
        """Bring what was written for the search to the scale of renewed factors."""
        self._pull *= ratio
        self.packed = self.packed.rescaled(ratio)


def _leave_out_own(table: np.ndarray, size: int) -> np.ndarray:
    """Return a table by grades with each row's own grade left out, filled up with zeros."""
    out = np.zeros((size + 1, size))
    for a, row in enumerate(table):
        out[a, : len(row) - 1] = np.delete(row, a)
    return out
