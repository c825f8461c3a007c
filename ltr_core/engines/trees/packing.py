"""Fixed-point pulls: a document's pull and the count 1 in a single integer.

A histogram of floats needs two additions a cell (sum and count) and forgets digits when a sibling is taken as
parent − child. Here a pull becomes a whole number q of quanta and is stored as (q << shift) + 1: one addition
sums pull and count together (0.24 ns a cell against 0.30 for a float sum without the count), sums do not
depend on their order, subtraction is exact, and splits that tie tie to the last bit.

The quantum is a power of two, as fine as the sum of all |q| allows: below 2^53, so that every sum is exact in
a float64 too, and below 2^(62 - shift), so that it cannot meet the count. With 1,000 documents the largest
pull has 42 bits or more, with 500,000 it has 24. Only the search for splits sees quanta; leaf values are sums
of floats.

Weighted documents take two integers, side by side: the pull alone, and their weight with the count.

Where pulls are moved on in quanta (see `moving`) instead of being packed anew, roundings add up, at most half
a quantum for each move. That goes on while it cannot come to 2^-20 of the mean |pull|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from ...measures.parts.base import frozen
from ...threads import share_out

_PARALLEL_FROM = 80_000  # documents: fewer take hardly more time than calling a thread
_DRIFT = 2.0**-20  # of the mean |pull|: as much rounding is borne


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
    if out.shape[1] == 1:
        pulls, flat = pull[first:last], out.ravel()[first:last]  # eight at a time: places are not negative
        for i in range(pulls.shape[0]):
            flat[i] = (np.int64(np.rint(pulls[i] * pull_scale)) << shift) + 1
    else:
        for i in range(first, last):
            out[i, 0] = np.int64(np.rint(pull[i] * pull_scale))
            out[i, 1] = (np.int64(np.rint(weight[i] * weight_scale)) << shift) + 1


@dataclass(frozen=True)
class Packing:
    """How the integers of one tree were made."""

    n_docs: int
    bits: int  # of a sum of pulls
    pull_scale: float  # quanta in a unit of pull
    weight_scale: float  # quanta in a unit of weight; 1 without weights
    size: float  # Σ |pull|, in quanta
    moves: int = 0  # how often pulls were moved since they were packed

    @property
    def shift(self) -> int:
        """Bits of the count."""
        return self.n_docs.bit_length()

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


def pack(pull: np.ndarray, weight: np.ndarray | None, out: np.ndarray, size: float | None = None) -> Packing:
    """Fill `out` (documents × numbers) with fixed-point pulls, and weights, and say how they were made.

    `size` is the Σ |pull| that there must be room for, where it is more than these documents'.
    """
    total = None if weight is None else float(weight.sum())
    packing = packing_for(len(pull), _sum_sizes(pull) if size is None else size, total)
    scales = packing.pull_scale, packing.weight_scale
    args = (frozen(pull), frozen(pull if weight is None else weight), *scales, packing.shift, out)
    share_out(_pack_rows, range(len(pull) + 1), *args, cells=len(pull), threshold=_PARALLEL_FROM)
    return packing


def packing_for(n_docs: int, size: float, weight: float | None = None) -> Packing:
    """Return how to pack pulls whose sizes have this sum, with weights of another sum or without any."""
    bits = min(53, 62 - n_docs.bit_length())
    pull_scale = _scale(size, n_docs, bits if weight is None else 53)
    weight_scale = 1.0 if weight is None else _scale(weight, n_docs, bits)
    return Packing(n_docs, bits, pull_scale, weight_scale, size * pull_scale)


def sum_sizes(values: np.ndarray) -> float:
    """Return Σ |value|."""
    return _sum_sizes(values)


def _scale(total: float, n: int, bits: int) -> float:
    """Return the largest power of two under which the rounded parts of `total` stay below 2^bits."""
    if not total > 0.0:
        return 1.0
    exponent = math.floor(math.log2(2.0**bits - n) - math.log2(total))
    return math.ldexp(1.0, min(900, max(-900, exponent)))
