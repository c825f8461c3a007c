"""FRank's pairs and their exact loss.

With v = e^(-Δ/2), a product of two document factors, σ(Δ) = r² and 1 - σ(Δ) = (v r)² for r = 1 / √(1 + v²),
so that (paper 003, Eq. 2)

    F = 1 - √(P* σ) - √((1 - P*)(1 - σ)) = ½ ((√P* - r)² + (√(1 - P*) - v r)²),

no exponential for a pair, and nothing cancels where the loss is near 0. A stump multiplies the factors of
the documents above it. Factors are taken from the middle of the query's scores: nothing overflows up to |Δ|
= 704. r comes from a guess made of the number's bits by Newton's steps, to the last bit but one: the
processor does four at a time in a third of what a root and a division take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .... import stopping
from ....data import RankingData
from ....threads import share_out
from ..layout import pair_layout

_LANES = 8
_WHOLE = 1.5 * 2.0**52  # added and taken away it leaves the nearest whole number
_PER_LN2, _LN2, _LN2_REST = 1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10
_WIDEST = 176.0  # of an exponent; v² stays below e^704
_GUESS = 0x5FE6EB50C7B537A9  # less half a number, bit by bit, is about one over its root
_PARALLEL_FROM = 20_000  # pairs


class PairLoss(NamedTuple):
    """What a pair costs."""

    p_star: float  # its wanted probability
    tied: bool  # whether pairs of equal grades count, with a wanted probability of ½
    shares: np.ndarray  # D_ij by query, divided by the number of queries
    stop: np.ndarray  # other than 0 when there is to be an end: looked at document by document


class Added(NamedTuple):
    """A stump added: the documents above it, and its value."""

    above: np.ndarray
    value: float


@njit(nogil=True, cache=True, error_model="numpy")
def _fill_factors(F, start, stop, above, value, out_a, out_b):
    """Write e^(F/2) and e^(-F/2) of a query's documents with a stump added, F counted from the middle.

    The exponential is that of `direct_kernels`, eight at a time in a third of the time of the library's.
    """
    low, high = np.inf, -np.inf
    for i in range(start, stop):
        x = F[i] + value * above[i]
        low, high = min(low, x), max(high, x)
    middle = 0.5 * (low + high)
    begin = np.uint64(start)
    for j in range(np.uint64(stop - start)):
        x = 0.5 * (F[begin + j] + value * above[begin + j] - middle)
        out_a[j] = max(-_WIDEST, min(_WIDEST, x))
    for j in range(np.uint64(stop - start)):
        x = out_a[j]
        whole = x * _PER_LN2 + _WHOLE  # the last bits count
        k = whole - _WHOLE
        r = (x - k * _LN2) - k * _LN2_REST
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        p = p * r + 1.0
        bits = (np.float64(whole).view(np.int64) + 1023) << 52
        p *= np.int64(bits).view(np.float64)
        out_a[j] = p
        out_b[j] = 1.0 / p


@njit(nogil=True, cache=True)
def _lay_factors(first, last, F, still, offsets, blocks, out):
    """Write the factors of all documents of some blocks; `still` says that none is above a stump."""
    for q in range(blocks[first], blocks[last]):
        start, stop = offsets[q], offsets[q + 1]
        _fill_factors(F, start, stop, still, 0.0, out[0, start:stop], out[1, start:stop])


@njit(nogil=True, cache=True)
def _sum_rectangle(b, first, last, a, start, stop, p_star, work, told, out):
    """Sum the loss of all pairs of documents first … last over documents start … stop, unless `told` to end.

    Sums are kept apart by the second document: with a single one each pair would wait for the one before.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    square, square_bits, root, root_bits = work
    begin = np.uint64(start)  # signed, an index could count from the end
    end = begin + np.uint64(
        (stop - start + _LANES - 1) // _LANES * _LANES
    )  # what is past `stop` is not summed
    for j in range(begin, end):
        out[j] = 0.0
    for i in range(first, last):
        if told[0]:
            break
        x = b[i]
        for j in range(begin, end):
            v = x * a[j]
            square[j] = 1.0 + v * v
        for j in range(begin, end):
            root_bits[j] = _GUESS - (square_bits[j] >> 1)
        for j in range(begin, end):
            half, r = 0.5 * square[j], root[j]
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            r *= 1.5 - half * r * r
            up, down = root_p - r, root_q - x * a[j] * r
            out[j] += up * up + down * down
    total = 0.0
    for j in range(begin, np.uint64(stop)):
        total += out[j]
    return 0.5 * total


@njit(nogil=True, cache=True)
def _sum_blocks(first, last, F, stump, borders, blocks, loss, out):
    """Sum the loss of all pairs, block by block."""
    offsets, starts, segments = borders.offsets, borders.starts, borders.segments
    longest = 0
    for q in range(blocks[first], blocks[last]):
        longest = max(longest, offsets[q + 1] - offsets[q])
    room = longest + _LANES
    a, b, sums = np.zeros(room), np.empty(room), np.empty(room)
    square, root = np.empty(room), np.empty(room)
    work = (square, square.view(np.int64), root, root.view(np.int64))
    for z in range(first, last):
        total = 0.0
        for q in range(blocks[z], blocks[z + 1]):
            start = offsets[q]
            _fill_factors(F, start, offsets[q + 1], stump.above, stump.value, a, b)
            m = offsets[q + 1] - start
            total_q = 0.0
            for s in range(segments[q], segments[q + 1]):
                i, j = starts[s] - start, starts[s + 1] - start
                total_q += _sum_rectangle(b, i, j, a, j, m, loss.p_star, work, loss.stop, sums)
                if loss.tied:  # both orders of a pair cost the same, a document beside itself costs nothing
                    total_q += 0.5 * _sum_rectangle(b, i, j, a, i, j, 0.5, work, loss.stop, sums)
            total += loss.shares[q] * total_q
        out[z] = total


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
        self.layout = layout = pair_layout(data, tied)
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
        self.share_blocks(_sum_blocks, *args)
        stopping.look()
        return float(out.sum())

    def lay_factors(self, out: np.ndarray) -> None:
        """Write the documents' factors at their scores."""
        still = np.zeros(len(self.scores), dtype=np.bool_)
        self.share_blocks(_lay_factors, self.scores, still, self.layout.offsets, self.layout.blocks, out)

    def share_blocks(self, kernel: Callable[..., None], *args: Any) -> None:
        """Call a kernel for all blocks of queries."""
        layout = self.layout
        share_out(kernel, range(len(layout.blocks)), *args, cells=layout.n_pairs, threshold=_PARALLEL_FROM)

    def values(self) -> dict[str, float]:
        """Return loss and misorder; without pairs they have no value."""
        return {"loss": self.loss() if self.n_queries else np.nan, "misorder": self.misorder()}

    def misorder(self) -> float:
        """Return the share of pairs with distinct grades that have F_i <= F_j."""
        n_pairs = self.layout.n_pairs
        return self.layout.count_misordered(self.scores) / n_pairs if n_pairs else np.nan
