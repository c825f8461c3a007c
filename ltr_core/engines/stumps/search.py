"""The search of one round: the stump of the largest gain, with as few candidates looked at as is exact.

Ties: of all candidates whose gains agree with the best to a relative 1e-11 the one of the lowest feature
and then of the lowest threshold is taken. Gains are sums over pairs, so that candidates which are equal on
paper (mirrored features, thresholds between which no pair lies) differ by rounding, a thousand times less
than this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...threads import may_run_parallel
from . import screen, sweep
from .direct import DirectWeights
from .layout import PairLayout
from .product import ProductWeights

TIE = 1e-11
NO_PULL = 1e-13  # a share of the weights no larger than this is rounding
Weights = ProductWeights | DirectWeights
RULES = {"reduction": 0, "z": 1}


@dataclass(frozen=True)
class Candidate:
    """A stump found: feature, bin after which it is above, N and D for weights that sum to 1.

    D is NaN where the search needs none.
    """

    feature: int
    cut: int
    N: float
    D: float


class StumpSearch:
    """Finds the best stump for the current weights, round after round.

    Parameters
    ----------
    layout : PairLayout
    bins : uint8 or uint16 array (n_features, n)
        In the layout's order.
    widths : int64 array (n_features,)
        How many bins each feature has.
    rule : {"reduction", "z", "pull"}
        What is largest: N²/D, RankBoost's 1 - Z, or |N|.
    """

    def __init__(self, layout: PairLayout, bins: np.ndarray, widths: np.ndarray, rule: str) -> None:
        self.layout, self.bins, self.rule = layout, bins, rule
        self.widths = np.asarray(widths, dtype=np.int64)
        if rule != "pull":
            self._starts = np.r_[0, np.cumsum(self.widths)].astype(np.int64)
            self._low = np.zeros(self._starts[-1], dtype=np.float32)
        self.evaluated = 0  # features swept in the last round

    def find(self, weights: Weights) -> Candidate | None:
        """Return the best candidate, or None when no stump separates anything to gain by."""
        return self._find_pull(weights) if self.rule == "pull" else self._find_gain(weights)

    def gain_of(self, N: float, D: float) -> float:
        """Return the gain that a stump with N and D has."""
        if self.rule == "pull":
            return abs(N)
        return screen._gain_of(N, max(D, abs(N)) if self.rule == "z" else D, RULES[self.rule])

    def _find_pull(self, weights: Weights) -> Candidate | None:
        most = np.zeros(len(self.widths), dtype=np.int64)
        with may_run_parallel(self.bins.size, threshold=100_000) as parallel:
            run = screen._pull_groups_parallel if parallel else screen._pull_groups
            run(self.bins, weights.pulls, self.widths, most)
        best = int(most.max())
        if best * weights.pull_unit <= NO_PULL * weights.total:
            return None
        least = int(best * (1.0 - TIE))
        k = int(np.argmax(most >= least))
        cut, pull = screen._find_first(self.bins[k], weights.pulls, self.widths[k], least)
        return Candidate(k, int(cut), -pull * weights.pull_unit / weights.total, np.nan)

    def _find_gain(self, weights: Weights) -> Candidate | None:
        bounds = self._screen(weights)
        best, found = 0.0, {}
        while True:
            chosen = np.argsort(-bounds, kind="stable")[: weights.batch]
            chosen = chosen[(bounds[chosen] > 0.0) & (bounds[chosen] >= best * (1.0 - TIE))]
            if len(chosen) == 0:
                break
            bounds[chosen] = -1.0
            for k, judged in zip(chosen.tolist(), self._sweep(weights, chosen), strict=True):
                found[k] = judged
                best = max(best, judged[0])
        self.evaluated = len(found)
        if best <= 0.0:
            return None
        k = min(k for k, judged in found.items() if judged[0] >= best * (1.0 - TIE))
        _, N, D, gains = found[k]
        cut = int(np.argmax(gains >= best * (1.0 - TIE)))
        return Candidate(k, cut, float(N[cut] / weights.total), float(D[cut] / weights.total))

    def _screen(self, weights: Weights) -> np.ndarray:
        """Return the largest gain each feature can have."""
        if weights.fresh:
            self._low[:] = 0.0
        error = 0.501 * len(weights.packed) * weights.coarse_unit
        scales = (
            weights.coarse_unit,
            error,
            weights.loss_unit,
            weights.loss_cap,
            weights.carry,
            weights.shrinking,
            weights.mass_per_pull * (1.0 - 1e-9),
        )
        bounds = np.zeros(len(self.widths))
        with may_run_parallel(self.bins.size, threshold=100_000) as parallel:
            run = screen._screen_groups_parallel if parallel else screen._screen_groups
            run(
                self.bins,
                weights.packed,
                self.widths,
                self._starts,
                scales,
                RULES[self.rule],
                self._low,
                bounds,
            )
        return bounds

    def _sweep(self, weights: Weights, chosen: np.ndarray) -> list[tuple]:
        """Return for each chosen feature its largest gain, and N, D and gain of each of its thresholds."""
        changes, unit = weights.sweep(self.bins, chosen, int(self.widths[chosen].max()))
        units = (
            weights.pull_unit,
            weights.mass_per_pull * (1.0 - 1e-9),
            NO_PULL * weights.total,
            1e-12 * weights.total * weights.mass_per_weight,
        )
        found = []
        for k, change in zip(chosen.tolist(), changes, strict=True):
            N, D, gains = np.empty((3, self.widths[k] - 1))
            low = self._low[self._starts[k] : self._starts[k + 1] - 1]
            top = sweep._judge_feature(
                self.bins[k], weights.pulls, change, unit, units, RULES[self.rule], low, N, D, gains
            )
            found.append((top, N, D, gains))
        return found
