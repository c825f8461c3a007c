"""`DirectWeights`: the pair weights of a data set with many grades.

Pairs are weighed one by one, and kept from round to round where memory allows it. Where there are too many,
those of long queries are summed without being gone through (`engines.skeleton`), but for pairs within leaves,
runs of documents of nearly one grade.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import stopping
from ...distances import FittedDistance
from ...distances.formulas import magnitude
from ...threads import share_out
from ..skeleton.far import FarPairs, far_pairs
from . import direct_kernels as kernels
from .direct_kernels import Distances, Kept, Sums
from .layout import Borders, PairLayout, block_starts
from .ordering import Orders
from .screen import FINE, HIGH, LOW, Packed, pack
from .search import BinChanges, PairWeights

_KINDS = {"binary": 0, "ldd": 1, "logdd": 2, "logitdd": 3, "table": 4}
_RENEW_ROUNDS, _RENEW_MOVE = 64, 30.0
_KEPT_BYTES = 64 << 20  # pairs are kept in memory up to this
_PAIRS = 20_000  # from which threads take parts
_TOGETHER = 4  # features swept together, so that a pair that is not kept is weighed once for all of them


class DirectWeights(PairWeights):
    """The weights exp(-d Δ) of all pairs at the current scores; as `PairWeights` says.

    Parameters
    ----------
    layout : PairLayout
    distance : FittedDistance
    masses : callable, optional
        What a pair's weight counts in D, from its distance: a power (`np.ones_like`, `np.square`). A data set
        that is only followed needs none.
    """

    packed: Packed
    batch = _TOGETHER

    def __init__(
        self, layout: PairLayout, distance: FittedDistance, masses: Callable[[np.ndarray], np.ndarray] | None
    ) -> None:
        self.layout, self._distance = layout, distance
        self._grades = layout.grades.grades[layout.codes]
        y, table = self._grades, np.zeros((2, 2))
        if distance.table is not None:
            y, table = distance.places(y), distance.table
        self._pairs = Distances(y, _KINDS[distance.name], float(distance.value), table, stopping.cell())
        n = len(layout.rows)
        self.scores, self._p, self._lost = np.zeros(n), np.zeros(n), np.zeros(n)
        at = np.array([1.0, 2.0]) if masses is None else masses(np.array([1.0, 2.0]))
        self._power = int(round(np.log2(at[1] / at[0])))
        self._orders: Orders | None = None
        self._rounds, self._moved = 0, 0.0
        self._start_over()

    def misorder(self) -> float:
        """Return the share of pairs with F_i <= F_j."""
        wrong = self._wrong if self._far is None else self.layout.count_misordered(self.scores)
        return wrong / self.layout.n_pairs

    def advance(self, bins: np.ndarray, cut: int, value: float) -> tuple[float, float, float]:
        """Add a stump worth `value` above `cut`; return its N and D, for weights that sum to 1, and log Z."""
        before, move = self.log_loss, abs(value) * self.largest
        above = (bins > cut).view(np.uint8)
        if move > _RENEW_MOVE or (self._far and not self._far.holds(self.scores + value * above)):
            N, D, old, _, _ = self._walk(above, 0.0)
            self.scores += value * above
            self._start_over()
            return N / old, D / old, self.log_loss - before
        N, D, old, new, wrong = self._walk(above, value)
        self.scores += value * above
        self._settle(new, wrong, value)
        self._rounds, self._moved = self._rounds + 1, self._moved + move
        if self._rounds >= _RENEW_ROUNDS or self._moved > _RENEW_MOVE:
            self._rescale(self._renew())
        return N / old, D / old, float(np.log(new / old))

    def sweep(self, bins: np.ndarray, chosen: np.ndarray, n_bins: int) -> BinChanges:
        """Return what changes D at each bin of the chosen features, block by block."""
        n_blocks = len(self._blocks) - 1
        out = BinChanges(np.zeros((n_blocks + (self._far is not None), len(chosen), n_bins)), 1.0)
        held = (self._pairs, self._borders, self.shift, self._kept)
        self._share_out(kernels._sweep_blocks, self.scores, bins, chosen, *held, out.changes)
        stopping.look()
        if self._far is not None:
            if self._orders is None:
                self._orders = self.layout.order(bins)
            self._far.sweep(bins, self._orders.of(chosen, n_bins), chosen, out.changes[n_blocks])
        return out

    def _walk(self, above: np.ndarray, value: float) -> tuple[float, ...]:
        sums = np.empty((len(self._blocks) - 1, 5))
        held = (self._pairs, self._borders, self.shift, self._kept, Sums(self._p, self._lost, sums))
        self._share_out(kernels._walk_blocks, self.scores, above, value, *held)
        stopping.look()
        N, D, old, new, wrong = (float(x) for x in sums.sum(axis=0))
        if self._far is not None:
            far_N, far_D = self._far.split(above, value, self._lost)
            N, D, old = N + far_N, D + far_D, old + self._far.total
            if value != 0.0:
                self._far.weigh(self.scores + value * above)
            self._far.pull(self._p)
            new += self._far.total
        return N, D, old, new, wrong

    def _start_over(self) -> None:
        """Work everything out from the scores."""
        self._lay()
        self._renew()
        _, _, _, new, wrong = self._walk(np.zeros(len(self.scores), dtype=np.uint8), 0.0)
        self._settle(new, wrong, 0.0)
        self.packed = self.packed._replace(fresh=True)

    def _lay(self) -> None:
        """Part the pairs into those that are far and those that are weighed one by one."""
        layout = self.layout
        self._far: FarPairs | None = None  # the one before gives its memory back first
        if 16 * layout.n_pairs > _KEPT_BYTES:
            held = (self._grades, layout.offsets, self._distance, self._power, self.scores)
            self._far = far_pairs(*held)
        self._borders, self._blocks = layout.borders, layout.blocks
        if self._far is not None:
            leaves = self._far.leaves
            segments = np.searchsorted(layout.starts, leaves).astype(np.int64)
            self._borders = Borders(leaves, layout.starts, segments, layout.borders.codes)
            self._blocks = block_starts(leaves)
            self._far.weigh(self.scores)
        offsets, starts = self._borders.offsets, self._borders.starts
        worse = np.repeat(starts[1:], np.diff(starts))
        sizes = np.repeat(offsets[1:], np.diff(offsets)) - worse
        self._n_near = int(sizes.sum())
        place = np.r_[0, np.cumsum(sizes)[:-1]].astype(np.int64)
        room = self._n_near if 16 * self._n_near <= _KEPT_BYTES else 0
        self._kept = Kept(place, np.empty(room), np.empty(room), self._power)

    def _renew(self) -> float:
        """Weigh from the scores anew; return by what weights were multiplied."""
        before = getattr(self, "shift", 0.0)
        self.shift, self.largest, least = self._find_peaks()
        # D >= |N| · min(dᵖ / d), which is at the smallest distance for p = 2 and at the largest for p = 0
        self.mass_per_pull = least if self._power == 2 else 1.0 / self.largest
        self.mass_per_weight = max(least**self._power, self.largest**self._power)
        if len(self._kept.weights):
            held = (self.scores, self._pairs, self._borders, self.shift, *self._kept[:3])
            share_out(kernels._keep_queries, self._blocks, *held, cells=self._n_near, threshold=_PAIRS)
        stopping.look()
        self._rounds, self._moved = 0, 0.0
        with np.errstate(over="ignore"):
            return float(np.exp(before - self.shift))

    def _find_peaks(self) -> tuple[float, float, float]:
        """Return the largest exponent -d Δ and the largest and smallest distance.

        Where pairs are far the window of the scores keeps exponents from overflow, and they need no shift.
        """
        if self._far is not None:
            gaps = np.array(self.layout.grades.gap_range())
            least, largest = magnitude(self._distance.name, gaps, self._distance.value).tolist()
            return 0.0, largest, least
        peaks = np.empty((len(self._blocks) - 1, 3))
        self._share_out(kernels._find_peaks, self.scores, self._pairs, self._borders, peaks)
        stopping.look()
        return float(peaks[:, 0].max()), float(peaks[:, 1].max()), float(peaks[:, 2].min())

    def _share_out(self, kernel: Callable[..., None], *args: Any) -> None:
        """Have a kernel go through the blocks."""
        blocks = self._blocks
        share_out(kernel, range(len(blocks)), blocks, *args, cells=self._n_near, threshold=_PAIRS)

    def _settle(self, total: float, wrong: float, value: float) -> None:
        """Put pulls and lost masses into fixed point, for the search."""
        self.total, self._wrong = total, int(wrong)
        pull, lost = float(np.abs(self._p).sum()), float(self._lost.sum())
        pull_unit, coarse_unit, loss_unit = 1.01 * pull / FINE, 1.01 * pull / HIGH, 1.01 * lost / LOW
        pulls = np.rint(self._p / pull_unit).astype(np.int64)
        numbers = pack(self._p, coarse_unit, self._lost, loss_unit)
        shrinking = float(np.exp(-abs(value) * self.largest)) * (1.0 - 1e-9)
        cap = 0.5 * lost * (1.0 + 1e-9)
        self.packed = Packed(pulls, numbers, pull_unit, coarse_unit, loss_unit, cap, shrinking)

    def _rescale(self, ratio: float) -> None:
        """Bring what was written for the search to the scale of renewed weights."""
        self.total *= ratio
        self.packed = self.packed.rescaled(ratio)
