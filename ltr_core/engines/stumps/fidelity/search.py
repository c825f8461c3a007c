"""FRank's search: the candidate of least exact loss, with few features swept and few exact losses worked out.

First every feature's largest possible gain (`bounds`). The promising ones are swept (`weighing`): then α is
known exactly for each of their candidates, and the gain up to a remainder of fourth order. Candidates whose
largest possible gain falls short of another's smallest are out. Where several are left the exact loss is
worked out, the most promising first, until none can win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from .... import stopping
from ....threads import share_out
from .. import screen
from ..layout import PairLayout
from ..screen import HIGH, LOW
from .bounds import Remainder, Units, _bound_features, _pack_docs, _sum_sizes
from .pairs import Added, PairLoss
from .shares import _share_features
from .weighing import _sweep_blocks, _weigh_blocks

TIE = 1e-11  # losses that agree to this share are equal: the lowest feature, then the lowest threshold wins
_FIRST_SLOPE, _SECOND, _FOURTH = 0.19246, 0.06905, 0.06902  # max |dⁿ √σ(Δ) / dΔⁿ| for n = 1, 2, 4
_NO_GAIN = 1e-13  # of the loss: two ways to sum it agree to some 1e-15
_SURE = 1e-10  # of the loss: a gain that no rounding can have made
_BINS = 5_000  # from here on a second thread brings more than it costs
_MATRIX = 512  # documents in a query up to which its pairs are put into matrices
_FIRST = 6  # features swept first, then twice as many: a sweep of 5 takes twice the time of a sweep of none
LossWith = Callable[[np.ndarray, float], float]  # the exact loss with a stump added


class Stump(NamedTuple):
    """A stump found: feature, bin after which it is above, value, W+ and W-."""

    feature: int
    cut: int
    value: float
    plus: float
    minus: float


class Weighed(Protocol):
    """What the search asks of the pairs: where they lie, their scores, what they cost with a stump added."""

    layout: PairLayout
    scores: np.ndarray
    terms: PairLoss

    def loss(self, above: np.ndarray | None = None, value: float = 0.0) -> float:
        """Return the loss, as it is or with a stump added."""

    def lay_factors(self, out: np.ndarray) -> None:
        """Write the documents' factors at their scores."""

    def share_blocks(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all blocks of queries."""


class FidelitySearch:
    """Finds the stump of least loss, round after round.

    Parameters
    ----------
    pairs : Weighed
        The pairs and their loss.
    bins : uint8 or uint16 array (n_features, n)
        In the order of the pairs' layout.
    widths : int64 array (n_features,)
        How many bins each feature has.
    crowded : bool array (n_features,)
        Whose documents are often in one bin with their neighbours (see `Binned`).
    smoothing : float
        ε as a share of Σ |W|.
    signs : array of -1, 0, 1 (n_features,), optional
        Which sign a feature's stumps must have; 0 lets them have either.
    """

    def __init__(
        self,
        pairs: Weighed,
        bins: np.ndarray,
        widths: np.ndarray,
        crowded: np.ndarray,
        smoothing: float,
        signs: np.ndarray | None = None,
    ) -> None:
        self._signs, self._crowded = signs, crowded
        self.pairs, self.layout, self.bins = pairs, pairs.layout, bins
        self.widths, self._smoothing = np.asarray(widths, dtype=np.int64), smoothing
        self._starts = np.r_[0, np.cumsum(self.widths)].astype(np.int64)
        self._low = np.full((2, self._starts[-1]), -np.inf)  # of S and C of each candidate
        p_star, tied = pairs.terms[:2]
        roots = max(np.sqrt(p_star) + np.sqrt(1.0 - p_star), np.sqrt(2.0) * tied)
        self._slopes = (_FIRST_SLOPE * roots, _SECOND * roots / 2.0, _FOURTH * roots / 24.0)
        self._plain = p_star == 1.0 and not tied
        n = len(pairs.scores)
        self._docs, self._factors, self._total = np.empty((4, n)), np.empty((2, n)), 0.0
        self._share = np.empty(self._starts[-1])  # of all pairs, that each candidate separates
        held = (pairs.layout.borders, tied, pairs.terms.shares, self.widths, self._starts)
        _share_features(bins, *held, self._share)
        self._share = np.maximum(self._share, 0.0) * (1.0 + 1e-9) + 1e-15  # it was summed with rounding
        self.swept = self.evaluated = 0  # features and exact losses of the last round

    def weigh(self, last: Added) -> float:
        """Weigh the pairs at their scores, `last` the stump added just before, and return their loss."""
        layout = self.layout
        totals = np.empty((len(layout.blocks) - 1, 2))
        self.pairs.lay_factors(self._factors)
        held = (layout.borders, layout.blocks, self.pairs.terms)
        self.pairs.share_blocks(_weigh_blocks, self._factors, last, *held, self._docs, totals)
        stopping.look()
        self._total, loss = totals.sum(axis=0).tolist()
        return loss

    def find(self, loss: float) -> Stump | None:
        """Return the best stump for pairs just weighed, or None when none lowers the loss."""
        if self._total == 0.0:  # every pair is where it is wanted: with P* = ½, before the first round
            return None
        bounds = self._bound()
        candidates = _Candidates(self.bins, self.pairs.loss)
        least, few = 0.0, _FIRST
        self.swept = 0
        able = np.flatnonzero(bounds > 0.0)
        while len(able):
            chosen = np.sort(able[np.argsort(-bounds[able], kind="stable")[:few]])
            few *= 2
            least = max(least, self._sweep(chosen, loss, candidates))
            bounds[chosen] = -np.inf
            self.swept += len(chosen)
            # It is better to know exactly what the best so far gains.
            if len(candidates.most) and bounds.max() >= least:
                least = max(least, loss - candidates.exact(candidates.promising()))
            able = np.flatnonzero(bounds >= least - TIE * loss)
        return self._choose(candidates, least, loss)

    def _bound(self) -> np.ndarray:
        """Return the most that each feature can gain."""
        docs, total = self._docs, self._total
        sizes, numbers = np.empty(4), np.empty((2, docs.shape[1]), dtype=np.int64)
        _sum_sizes(docs, sizes)
        units = 1.01 * np.maximum(sizes, 1e-300) / np.array([HIGH, HIGH, LOW, LOW])
        _pack_docs(docs, units, numbers)
        d, n_bins = len(self.widths), int(self.widths.max(initial=1))
        sums, features = np.empty((2, d, n_bins), dtype=np.int64), range(d + 1)
        for own, out in zip(numbers, sums, strict=True):
            args = (self.bins, own, self.widths, self._crowded, out)
            share_out(screen._sum_features, features, *args, cells=self.bins.size, threshold=100_000)
        bounds = np.zeros(d)
        pull, third, mass, curve = units.tolist()
        of_sums = Units(pull, mass, third, curve, 0.501 * docs.shape[1])
        remainder = Remainder(self._smoothing * total, *self._slopes, self._plain)
        held = (sums, self.widths, self._starts, of_sums, remainder, self._share, self._low, bounds)
        share_out(_bound_features, features, *held, cells=len(self._share), threshold=_BINS)
        return bounds

    def _sweep(self, chosen: np.ndarray, loss: float, candidates: _Candidates) -> float:
        """Sweep features, note their candidates, return the largest gain that one of them surely has."""
        pull, mass, curve, third = np.moveaxis(self._sum(chosen), -1, 0)
        mass, total = np.maximum(mass, np.abs(pull)), self._total
        for row, k in enumerate(chosen.tolist()):
            inside = slice(self._starts[k], self._starts[k + 1] - 1)
            self._low[0, inside] = mass[row, : self.widths[k] - 1] - 1e-12 * total
            self._low[1, inside] = curve[row, : self.widths[k] - 1] - 1e-12 * total
        plus, minus = 0.5 * (mass + pull), 0.5 * (mass - pull)
        epsilon = self._smoothing * total
        real = np.arange(mass.shape[1]) < self.widths[chosen][:, None] - 1
        real &= mass > 1e-14 * total
        with np.errstate(divide="ignore", invalid="ignore"):
            alpha = np.where(real, 0.5 * np.log((plus + epsilon) / (minus + epsilon)), 0.0)
        if self._signs is not None:
            real &= alpha * self._signs[chosen][:, None] >= 0.0
        gain = alpha * (0.5 * pull - alpha * (0.5 * curve + alpha * third / 6.0))
        share = np.zeros(mass.shape)
        for row, k in enumerate(chosen.tolist()):
            inside = slice(self._starts[k], self._starts[k + 1] - 1)
            share[row, : self.widths[k] - 1] = self._share[inside]
        size, (first, second, fourth) = np.abs(alpha), self._slopes
        error = fourth * share * size**4 + 1e-12 * loss
        line, bend = 0.5 * alpha * pull, second * share * size**2 + 1e-12 * loss
        most = np.minimum(np.minimum(gain + error, line + bend), first * share * size + 1e-12 * loss)
        least = np.maximum(gain - error, line - bend)
        if self._plain:  # W grows by at most e^(x/2) and shrinks by at most e^-x over a distance x
            up, down = np.where(alpha > 0, plus, minus), np.where(alpha > 0, minus, plus)
            half, step = np.exp(0.5 * np.abs(alpha)), np.exp(np.abs(alpha))
            most = np.minimum(most, up * (half - 1.0) - down * (1.0 - 1.0 / half) + 1e-12 * loss)
            least = np.maximum(least, 0.5 * (up * (1.0 - 1.0 / step) - down * (step - 1.0)) - 1e-12 * loss)
        candidates.add(chosen, real, alpha, plus, minus, np.clip(gain, least, most), most)
        return float(least[real].max(initial=0.0))

    def _sum(self, chosen: np.ndarray) -> np.ndarray:
        """Return N, S, C, T by bin of the chosen features."""
        layout = self.layout
        bins = self.bins[chosen]
        out = np.zeros((len(layout.blocks) - 1, len(chosen), int(self.widths[chosen].max()), 4))
        held = (layout.borders, layout.blocks, self.pairs.terms, _MATRIX)
        self.pairs.share_blocks(_sweep_blocks, self._factors, self._docs, bins, *held, out)
        stopping.look()
        return np.cumsum(out.sum(axis=0), axis=1)

    def _choose(self, candidates: _Candidates, least: float, loss: float) -> Stump | None:
        """Return the candidate of least exact loss among those that can have it."""
        able = np.flatnonzero(candidates.most >= least - TIE * loss)
        self.evaluated = len(candidates.losses)
        if len(able) == 1 and least > _SURE * loss:
            return candidates.stump(int(able[0]))
        best = min(candidates.losses.values(), default=loss)
        for i in able[np.argsort(-candidates.most[able], kind="stable")].tolist():
            if loss - candidates.most[i] > best + TIE * loss:
                break
            best = min(best, candidates.exact(i))
        self.evaluated = len(candidates.losses)
        if best >= loss * (1.0 - _NO_GAIN):
            return None
        return candidates.first_below(best * (1.0 + TIE))


class _Candidates:
    """The candidates of the swept features, and the exact losses worked out so far."""

    def __init__(self, bins: np.ndarray, loss_with: LossWith) -> None:
        self._bins, self._loss_with = bins, loss_with
        self._table = np.empty((0, 7))  # feature, cut, value, W+, W-, gain but for the remainder, most gain
        self.losses: dict[int, float] = {}

    @property
    def most(self) -> np.ndarray:
        """What each candidate gains at most."""
        return self._table[:, 6]

    def add(self, chosen: np.ndarray, real: np.ndarray, *columns: np.ndarray) -> None:
        """Add those candidates of the chosen features that are real."""
        row, cut = np.nonzero(real)
        part = np.stack([chosen[row], cut, *(column[row, cut] for column in columns)], axis=1)
        self._table = np.concatenate([self._table, part])

    def exact(self, i: int) -> float:
        """Return the exact loss with a candidate."""
        if i not in self.losses:
            k, cut = self._table[i, :2].astype(int)
            self.losses[i] = self._loss_with(self._bins[k] > cut, float(self._table[i, 2]))
        return self.losses[i]

    def promising(self) -> int:
        """Return the candidate that seems to gain most."""
        return int(np.argmax(self._table[:, 5]))

    def first_below(self, most: float) -> Stump:
        """Return the first candidate whose exact loss is at most this."""
        able = (i for i, loss in self.losses.items() if loss <= most)
        return self.stump(min(able, key=lambda i: tuple(self._table[i, :2])))

    def stump(self, i: int) -> Stump:
        """Return a candidate."""
        k, cut, value, plus, minus = self._table[i, :5].tolist()
        return Stump(int(k), int(cut), value, plus, minus)
