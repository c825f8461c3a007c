"""The search of one round: the stump of the largest gain, with as few candidates looked at as is exact.

Ties: of all candidates whose gains agree with the best to a relative 1e-11 the one of the lowest feature
and then of the lowest threshold is taken. Gains are sums over pairs, so that candidates which are equal on
paper (mirrored features, thresholds between which no pair lies) differ by rounding, a thousand times less
than this.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import numpy as np

from ... import stopping
from ...threads import share_out
from . import screen
from .layout import PairLayout
from .screen import Change, Grain, Packed

TIE = 1e-11
NO_PULL = 1e-13  # a share of the weights no larger than this is rounding
_MOST_TOGETHER = 12  # features swept together: their sums stay in the cache
_SOME = 5e-324  # the least gain
_COARSE = 0.005  # of the largest pull: how far the screening's may be off
RULES = {"reduction": 0, "z": 1}


class BinChanges(NamedTuple):
    """What a sweep brings: how D changes at each bin, in `unit`, by block and feature."""

    changes: np.ndarray
    unit: float


class Weights(Protocol):
    """What a search needs to know of the weights of all pairs.

    Attributes
    ----------
    total : float
        Σ of the weights.
    packed : Packed
        The documents' pulls, and what their pairs lost since the last search.
    mass_per_pull, mass_per_weight : float
        D is at least |N| times the one, and at most Σ w times the other.
    batch : int
        How many features to sweep together, at first.
    """

    total: float
    packed: Packed
    mass_per_pull: float
    mass_per_weight: float
    batch: int

    def sweep(self, bins: np.ndarray, chosen: np.ndarray, n_bins: int) -> BinChanges:
        """Return what changes D at each bin of the chosen features, block by block."""


class PairWeights(Weights, Protocol):
    """The weights exp(-d Δ) of all pairs of a data set, brought forward stump by stump.

    Attributes
    ----------
    scores : float64 array (n,)
        F, in the layout's order.
    total, shift : float
        Σ of the weights divided by exp(shift).
    """

    layout: PairLayout
    scores: np.ndarray
    shift: float

    @property
    def log_loss(self) -> float:
        """The logarithm of the mean weight."""
        return float(self.shift + np.log(self.total) - np.log(self.layout.n_pairs))

    def misorder(self) -> float:
        """Return the share of pairs with F_i <= F_j."""

    def advance(self, bins: np.ndarray, cut: int, value: float) -> tuple[float, float, float]:
        """Add a stump worth `value` above `cut`; return its N and D, for weights that sum to 1, and log Z."""

    def start_over(self, scores: np.ndarray) -> None:
        """Weigh the pairs at these scores, whatever came before."""
        self.scores[:] = scores
        self._start_over()

    def _start_over(self) -> None:
        """Work everything out from the scores."""


class Candidate(NamedTuple):
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
    bins : uint8 or uint16 array (n_features, n)
        In the layout's order.
    widths : int64 array (n_features,)
        How many bins each feature has.
    crowded : bool array (n_features,)
        Whose documents are often in one bin with their neighbours (see `Binned`).
    rule : {"reduction", "z", "pull"}
        What is largest: N²/D, RankBoost's 1 - Z, or |N|.
    signs : array of -1, 0, 1 (n_features,), optional
        Which sign a feature's stumps must have: that of N. 0 lets them have either.
    """

    def __init__(
        self,
        bins: np.ndarray,
        widths: np.ndarray,
        crowded: np.ndarray,
        rule: str,
        signs: np.ndarray | None = None,
    ) -> None:
        self.bins, self.rule, self._crowded = bins, rule, crowded
        self._signs = np.zeros(len(bins), dtype=np.int64) if signs is None else signs
        self.widths = np.asarray(widths, dtype=np.int64)
        if rule != "pull":
            self._starts = np.r_[0, np.cumsum(self.widths)].astype(np.int64)
            self._low = np.zeros(self._starts[-1], dtype=np.float32)
            self._pulls = np.zeros(self._starts[-1], dtype=np.int64)  # below thresholds, in the coarse unit
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
        packed, most = weights.packed, np.zeros(len(self.widths), dtype=np.int64)
        self._share_features(screen._pull_features, packed.pulls, self.widths, self._crowded, most)
        bound = {k: self._allowed_pulls(k, packed.pulls) for k in np.flatnonzero(self._signs).tolist()}
        for k, pulls in bound.items():
            most[k] = np.abs(pulls).max(initial=0)
        best = int(most.max())
        if best * packed.pull_unit <= NO_PULL * weights.total:
            return None
        least = int(best * (1.0 - TIE))
        k = int(np.argmax(most >= least))
        if k in bound:
            cut = int(np.argmax(np.abs(bound[k]) >= least))
            pull = bound[k][cut]
        else:
            cut, pull = screen._find_first(self.bins[k], packed.pulls, self.widths[k], least)
        return Candidate(k, int(cut), -pull * packed.pull_unit / weights.total, np.nan)

    def _allowed_pulls(self, k: int, pulls: np.ndarray) -> np.ndarray:
        """Return what pulls below each threshold of a feature, 0 where its stump has the wrong sign."""
        sums = np.zeros(self.widths[k], dtype=np.int64)
        np.add.at(sums, self.bins[k], pulls)
        below = np.cumsum(sums)[:-1]  # N is minus this
        return np.where(-below * self._signs[k] >= 0, below, 0)

    def _find_gain(self, weights: Weights) -> Candidate | None:
        bounds = self._screen(weights)
        order = np.argsort(-bounds, kind="stable")
        bounds = bounds[order]
        best, n_swept, batch, exact = 0.0, 0, weights.batch, False
        found: list[_Gains] = []
        while True:
            able = int(np.count_nonzero(bounds >= max(best * (1.0 - TIE), _SOME)))
            if n_swept and able > n_swept and not exact:
                exact = True
                if self._is_coarse(weights.packed):
                    bounds[n_swept:able] = self._bound_exactly(weights, order[n_swept:able])
                    again = n_swept + np.argsort(-bounds[n_swept:], kind="stable")
                    order[n_swept:], bounds[n_swept:] = order[again], bounds[again]
                    continue
            chosen = order[n_swept : min(able, n_swept + batch)]
            if len(chosen) == 0:
                break
            stopping.look()
            found += self._sweep(weights, chosen, best)
            best = max([best, *(one.top for one in found)])
            n_swept += len(chosen)
            batch = min(max(batch, n_swept), _MOST_TOGETHER)  # the best gain hardly rises any more
        self.evaluated = n_swept
        if best <= 0.0:
            return None
        k, _, (N, D, gains) = min((one for one in found if one.top >= best * (1.0 - TIE)), key=_feature_of)
        cut = int(np.argmax(gains >= best * (1.0 - TIE)))
        return Candidate(k, cut, float(N[cut] / weights.total), float(D[cut] / weights.total))

    def _screen(self, weights: Weights) -> np.ndarray:
        """Return the largest gain each feature can have."""
        packed = weights.packed
        if packed.fresh:
            self._low[:] = 0.0
        least = weights.mass_per_pull * (1.0 - 1e-9)
        change = Change(packed.coarse_unit, packed.coarse_error, *packed[4:8], least)
        bounds, rule = np.zeros(len(self.widths)), RULES[self.rule]
        held = (self.widths, self._crowded, self._starts, change, rule, self._low, self._pulls)
        self._share_features(screen._screen_features, packed.numbers, *held, bounds)
        return bounds

    def _is_coarse(self, packed: Packed) -> bool:
        """Whether the screening is so far off, with millions of documents, that exact pulls save sweeps."""
        return packed.coarse_error > _COARSE * packed.coarse_unit * float(np.abs(self._pulls).max())

    def _bound_exactly(self, weights: Weights, chosen: np.ndarray) -> np.ndarray:
        """Return the largest gain each of the chosen features can have, from exact pulls."""
        packed, bounds = weights.packed, np.empty(len(chosen))
        least = weights.mass_per_pull * (1.0 - 1e-9)
        held = (self.bins, chosen, packed.pulls, packed.pull_unit, self._starts, least, RULES[self.rule])
        cells, parts = len(chosen) * self.bins.shape[1], range(len(chosen) + 1)
        share_out(screen._bound_chosen, parts, *held, self._low, bounds, cells=cells, threshold=100_000)
        return bounds

    def _share_features(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all features."""
        features = range(len(self.widths) + 1)
        share_out(kernel, features, self.bins, *args, cells=self.bins.size, threshold=100_000)

    def _sweep(self, weights: Weights, chosen: np.ndarray, best: float) -> list[_Gains]:
        """Return the gains of those of the chosen features that can reach the best one, and each other."""
        n_bins, packed = int(self.widths[chosen].max()), weights.packed
        sums = weights.sweep(self.bins, chosen, n_bins)
        grain = Grain(
            packed.pull_unit,
            packed.coarse_unit,
            packed.coarse_error,
            weights.mass_per_pull * (1.0 - 1e-9),
            NO_PULL * weights.total,
            1e-12 * weights.total * weights.mass_per_weight,
        )
        out, tops = np.empty((len(chosen), 3, n_bins)), np.empty(len(chosen))
        held = (sums.changes, sums.unit, self._pulls, packed.pulls, self._starts, self._signs, grain)
        last = (RULES[self.rule], best, self._low, out, tops)
        screen._judge_features(chosen, self.bins, *held, *last)
        told = zip(chosen.tolist(), tops.tolist(), out, strict=True)
        return [_Gains(k, top, rows[:, : self.widths[k] - 1]) for k, top, rows in told if top > 0.0]


class _Gains(NamedTuple):
    """A feature, its largest gain, and N, D and gain of each of its thresholds: a row each."""

    feature: int
    top: float
    rows: np.ndarray


_feature_of = attrgetter("feature")
