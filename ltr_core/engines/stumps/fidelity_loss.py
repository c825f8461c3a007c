"""The exact fidelity loss of all pairs at scores plus a stump (paper 003, Eq. 2).

With v = e^(-Δ/2), a product of two document factors, σ(Δ) = r² and 1 - σ(Δ) = (v r)² for r = 1 / √(1 + v²),
so that

    F = 1 - √(P* σ) - √((1 - P*)(1 - σ)) = ½ ((√P* - r)² + (√(1 - P*) - v r)²),

no exponential for a pair, and nothing cancels where the loss is near 0. A stump multiplies the factors of
the documents above it. Factors are taken from the middle of the query's scores: nothing overflows up to |Δ|
= 704.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from ...threads import may_run_parallel
from .layout import PairLayout

_WIDEST = 176.0  # of an exponent; v² stays below e^704
_GUESS = 0x5FE6EB50C7B537A9  # less half a number, bit by bit, is about one over its root


@njit(nogil=True, cache=True)
def _fill_factors(F, start, stop, above, value, out_a, out_b):
    """Write e^(F/2) and e^(-F/2) of a query's documents, F counted from the middle."""
    low, high = np.inf, -np.inf
    for i in range(start, stop):
        x = F[i] + value * above[i]
        low, high = min(low, x), max(high, x)
    middle = 0.5 * (low + high)
    for i in range(start, stop):
        x = 0.5 * (F[i] + value * above[i] - middle)
        x = max(-_WIDEST, min(_WIDEST, x))
        out_a[i - start] = np.exp(x)
        out_b[i - start] = np.exp(-x)


@njit(nogil=True, cache=True)
def _sum_rectangle(b, first, last, a, start, stop, p_star, work, out):
    """Sum the loss of all pairs of documents first … last over documents start … stop.

    r is found by Newton's steps from a guess made of the number's bits, to the last bit but one: four at a
    time, in a third of what a root and a division take. Sums are kept apart by the second document: with a
    single one each pair would wait for the one before.
    """
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    square, square_bits, root, root_bits = work
    begin, end = np.uint64(start), np.uint64(stop)  # signed, an index could count from the end
    for j in range(begin, end):
        out[j] = 0.0
    for i in range(first, last):
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
    for j in range(begin, end):
        total += out[j]
    return 0.5 * total


@njit(nogil=True, cache=True)
def _sum_block(F, above, value, layout, first, last, p_star, tied, shares):
    offsets, starts, segments = layout
    longest = 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    a, b, sums = np.empty(longest), np.empty(longest), np.empty(longest)
    square, root = np.empty(longest), np.empty(longest)
    work = (square, square.view(np.int64), root, root.view(np.int64))
    total = 0.0
    for q in range(first, last):
        start = offsets[q]
        _fill_factors(F, start, offsets[q + 1], above, value, a, b)
        m = offsets[q + 1] - start
        loss = 0.0
        for s in range(segments[q], segments[q + 1]):
            i, j = starts[s] - start, starts[s + 1] - start
            loss += _sum_rectangle(b, i, j, a, j, m, p_star, work, sums)
            if tied:  # both orders of a pair cost the same, and a document beside itself costs nothing
                loss += 0.5 * _sum_rectangle(b, i, j, a, i, j, 0.5, work, sums)
        total += shares[q] * loss
    return total


@njit(nogil=True, cache=True)
def _sum_blocks(F, above, value, layout, blocks, p_star, tied, shares, out):
    for z in range(blocks.size - 1):
        out[z] = _sum_block(F, above, value, layout, blocks[z], blocks[z + 1], p_star, tied, shares)


@njit(parallel=True, nogil=True, cache=True)
def _sum_blocks_parallel(F, above, value, layout, blocks, p_star, tied, shares, out):
    for z in prange(blocks.size - 1):
        out[z] = _sum_block(F, above, value, layout, blocks[z], blocks[z + 1], p_star, tied, shares)


def fidelity_loss(
    layout: PairLayout,
    scores: np.ndarray,
    above: np.ndarray,
    value: float,
    p_star: float,
    tied: bool,
    shares: np.ndarray,
) -> float:
    """Return Σ_q share_q · (sum of the query's pair losses) at ``scores + value * above``."""
    out = np.empty(len(layout.blocks) - 1)
    with may_run_parallel(layout.n_pairs) as parallel:
        run = _sum_blocks_parallel if parallel else _sum_blocks
        run(
            scores,
            above,
            value,
            (layout.offsets, layout.starts, layout.segments),
            layout.blocks,
            p_star,
            tied,
            shares,
            out,
        )
    return float(out.sum())
