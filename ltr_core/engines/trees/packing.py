"""Fixed-point pulls: a document's pull and the count 1 in a single integer.

A histogram of floats needs two additions a cell (sum and count) and forgets digits when a sibling is taken as
parent − child. Here a pull becomes a whole number q of quanta and is stored as (q << shift) + 1: one addition
sums pull and count together (0.24 ns a cell against 0.30 for a float sum without the count), sums do not
depend on their order, subtraction is exact, and splits that tie tie to the last bit.

The quantum is a power of two, as fine as the sum of all |q| allows: below 2^53, so that every sum is exact in
a float64 too, and below 2^(62 - shift), so that it cannot meet the count. With 1,000 documents the largest
pull has 42 bits or more, with 500,000 it has 24. Only the search for splits sees quanta; leaf values are sums
of floats.

Where weights are small whole numbers of some unit (`whole_weights`) a document's stands in place of the 1:
half the work of two integers, and weights are exact. Other weighted documents take two integers, side by
side: the pull alone, and their weight with the count.

Where pulls are moved on in quanta (see `moving`) instead of being packed anew, roundings add up, at most half
a quantum for each move. That goes on while it cannot come to 2^-20 of the mean |pull|.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit

from ...measures.parts.base import frozen
from ...threads import share_out

_PARALLEL_FROM = 80_000  # documents: fewer take hardly more time than calling a thread
_ALL_ONE = np.empty(0, np.int64)  # in place of whole weights
_DRIFT = 2.0**-20  # of the mean |pull|: as much rounding is borne
_FINE = 20  # bits that whole weights must leave to the mean pull of documents that weigh least
_TAILS = 50  # times what tells that a side has documents enough, a mean leaf must weigh
_PARTS = (1, 2, 3, 4, 5, 10, 20, 100)  # what a weight's unit may be one of: 0.3 n + 0.7 is a number of tenths
_FIRST = 64  # documents
_WHOLE = 1e-12  # of a weight: so far from a whole number it may be


@njit(nogil=True, cache=True)
def _sum_sizes(values):
    a, b, c, d = 0.0, 0.0, 0.0, 0.0  # one sum would wait for each of its additions
    n = values.shape[0] // 4 * 4
    for i in range(0, n, 4):
        a += abs(values[i])
        b += abs(values[i + 1])
        c += abs(values[i + 2])
        d += abs(values[i + 3])
    for i in range(n, values.shape[0]):
        a += abs(values[i])
    return a + b + c + d


@njit(nogil=True, cache=True)
def _pack_rows(first, last, pull, weight, pull_scale, weight_scale, shift, out):
    for i in range(first, last):
        out[i, 0] = np.int64(np.rint(pull[i] * pull_scale))
        out[i, 1] = (np.int64(np.rint(weight[i] * weight_scale)) << shift) + 1


@njit(nogil=True, cache=True)
def _pack_single(first, last, pull, whole, pull_scale, shift, out):
    """Pack pulls with whole weights, or with a count of 1 where there are none."""
    pulls, flat = pull[first:last], out.ravel()[first:last]  # eight at a time: places are not negative
    if whole.shape[0] == 0:
        for i in range(pulls.shape[0]):
            flat[i] = (np.int64(np.rint(pulls[i] * pull_scale)) << shift) + 1
    else:
        weights = whole[first:last]
        for i in range(pulls.shape[0]):
            flat[i] = (np.int64(np.rint(pulls[i] * pull_scale)) << shift) + weights[i]


@dataclass(frozen=True)
class WholeWeights:
    """Weights that are whole numbers of a unit."""

    numbers: np.ndarray
    unit: float

    @cached_property
    def total(self) -> int:
        """What they add up to."""
        return int(self.numbers.sum())

    @cached_property
    def ends(self) -> tuple[int, int]:
        """The lightest document's and the heaviest one's."""
        return int(self.numbers.min()), int(self.numbers.max())

    def serve(self, n_leaves: int, min_leaf: int) -> bool:
        """Whether pulls keep enough bits beside them, and a side's weight nearly always tells its size.

        A pull is about in proportion to its document's weight. Where a side is so light that there may be too
        few documents in it they are counted, which shall be rare.
        """
        lightest, heaviest = self.ends
        least = lightest or int(self.numbers.min(initial=heaviest, where=self.numbers > 0))
        if not least or 62 - self.total.bit_length() - (self.total // least).bit_length() < _FINE:
            return False
        return lightest == heaviest or _TAILS * n_leaves * min_leaf * heaviest <= self.total


def whole_weights(weight: np.ndarray) -> WholeWeights | None:
    """Return weights in whole numbers of a unit; None where they are none, or too many for a number."""
    for parts in _PARTS:
        first = weight[:_FIRST] * parts
        if not (np.abs(first - np.rint(first)) <= _WHOLE * first).all():
            continue
        numbers = weight * parts
        nearest = np.rint(numbers)
        if (np.abs(numbers - nearest) <= _WHOLE * numbers).all():
            return WholeWeights(nearest.astype(np.int64), 1.0 / parts) if nearest.sum() < 2.0**53 else None
    return None


@dataclass(frozen=True)
class Packing:
    """How the integers of one tree were made."""

    n_docs: int
    counted: int  # what the low parts add up to: documents, or whole weights
    bits: int  # of a sum of pulls
    pull_scale: float  # quanta in a unit of pull
    weight_scale: float  # quanta in a unit of weight; 1 without weights
    size: float  # Σ |pull|, in quanta
    moves: int = 0  # how often pulls were moved since they were packed

    @property
    def shift(self) -> int:
        """Bits of the low part."""
        return self.counted.bit_length()

    @property
    def gain_unit(self) -> float:
        """Gain in units of the data for one unit of (quanta of pull)² / quanta of weight."""
        return self.weight_scale / self.pull_scale / self.pull_scale

    def steps(self, values: np.ndarray) -> np.ndarray | None:
        """Return values in quanta; None where one is so large that numbers could not hold what it moves."""
        steps = np.rint(values * self.pull_scale)
        return steps.astype(np.int64) if np.abs(steps).max() < 2.0 ** (self.bits - 2) else None

    def moved(self, size: int) -> Packing:
        """Return it after a move of all pulls that has left this Σ |pull|, in quanta."""
        return replace(self, size=float(size), moves=self.moves + 1)

    def bears(self, moves: int) -> bool:
        """Whether sums fit, and rounding is nothing beside the pulls, after so many more moves."""
        drift = 0.5 * (self.moves + moves + 1) * self.n_docs
        return drift <= _DRIFT * self.size and self.size < 2.0**self.bits


def pack(
    pull: np.ndarray,
    weight: np.ndarray | None,
    out: np.ndarray,
    size: float | None = None,
    whole: WholeWeights | None = None,
) -> Packing:
    """Fill `out` (documents × numbers) with fixed-point pulls, and weights, and say how they were made.

    `size` is the Σ |pull| that there must be room for, where it is more than these documents'. Weights that
    are whole numbers are given as such.
    """
    size = _sum_sizes(pull) if size is None else size
    if weight is None:
        packing = packing_for(len(pull), size, whole)
        numbers, scale = frozen(_ALL_ONE if whole is None else whole.numbers), packing.pull_scale
        _share_rows(_pack_single, frozen(pull), numbers, scale, packing.shift, out)
        return packing
    bits, total = _bits(len(pull)), float(weight.sum())
    scales = _scale(size, len(pull), 53), _scale(total, len(pull), bits)
    packing = Packing(len(pull), len(pull), bits, *scales, size * scales[0])
    _share_rows(_pack_rows, frozen(pull), frozen(weight), *scales, packing.shift, out)
    return packing


def _share_rows(kernel: Callable[..., None], pull: np.ndarray, *args: Any) -> None:
    """Call a kernel for all documents."""
    n_docs = len(pull)
    share_out(kernel, range(n_docs + 1), pull, *args, cells=n_docs, threshold=_PARALLEL_FROM)


def packing_for(n_docs: int, size: float, whole: WholeWeights | None = None) -> Packing:
    """Return how to pack pulls whose sizes have this sum in single integers."""
    counted, unit = (n_docs, 1.0) if whole is None else (whole.total, whole.unit)
    bits = _bits(counted)
    pull_scale = _scale(size, n_docs, bits)
    return Packing(n_docs, counted, bits, pull_scale, 1.0 / unit, size * pull_scale)


def _bits(counted: int) -> int:
    """Return the bits that a sum of pulls may have above the low part's."""
    return min(53, 62 - counted.bit_length())


def sum_sizes(values: np.ndarray) -> float:
    """Return Σ |value|."""
    return _sum_sizes(values)


def _scale(total: float, n: int, bits: int) -> float:
    """Return the largest power of two under which the rounded parts of `total` stay below 2^bits."""
    if not total > 0.0:
        return 1.0
    exponent = math.floor(math.log2(2.0**bits - n) - math.log2(total))
    return math.ldexp(1.0, min(900, max(-900, exponent)))
