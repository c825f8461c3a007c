"""What FRank needs to know of every candidate stump: sums over the pairs it separates, query by query.

For a stump worth α, with s the side of a pair and F', F'', F''' the slopes of its loss at the margin before,

    gain(α) = Σ_{s≠0} D (F(Δ) - F(Δ + s α)) = ½ N α - ½ C α² - ⅙ T α³ - remainder,
    N = Σ s W,  C = Σ_{s≠0} D F'',  T = Σ s D F''',  |remainder| <= α⁴/24 · max|F''''| · Σ_{s≠0} D.

N and T are sums over documents. S = Σ_{s≠0} |W| and C are sums over pairs: for these a query's pairs are put
into two small matrices that stay in the processor's cache while the query's documents pass, feature after
feature, from above the threshold to below it. `side[j]` holds what j has above less what it has below;
passing document p changes it by twice p's row.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from ..threads import may_run_parallel
from .layout import PairLayout

_LANES = 8
_WIDEST = 176.0
_MATRIX = 512  # queries with more documents have their rows worked out as they pass


@njit(nogil=True, cache=True)
def _fill_factors(F, start, stop, out_a, out_b):
    low, high = np.inf, -np.inf
    for i in range(start, stop):
        low, high = min(low, F[i]), max(high, F[i])
    middle = 0.5 * (low + high)
    for i in range(start, stop):
        x = max(-_WIDEST, min(_WIDEST, 0.5 * (F[i] - middle)))
        out_a[i - start] = np.exp(x)
        out_b[i - start] = np.exp(-x)


@njit(nogil=True, cache=True)
def _slopes_of(v, root_p, root_q):
    """Return W (twice the negative slope), F'' and F''' of a pair with v = e^(-Δ/2)."""
    r = 1.0 / np.sqrt(1.0 + v * v)
    u = v * r
    up, down = r * r, u * u  # σ and 1 - σ
    first, second = root_p * r * down, root_q * u * up
    curvature = -0.25 * (first * (1.0 - 3.0 * up) + second * (1.0 - 3.0 * down))
    g, h = (6.0 - 7.5 * up) * up - 0.5, (6.0 - 7.5 * down) * down - 0.5
    return first - second, curvature, 0.25 * (first * g - second * h)


@njit(nogil=True, cache=True)
def _fill_part(first, last, x, y, p_star, share, sign, out):
    """Write the share's W, F'' and F''' of one document with each of some others, v = x · y."""
    root_p, root_q = np.sqrt(p_star), np.sqrt(1.0 - p_star)
    for j in range(first, last):
        w, c, t = _slopes_of(x * y[j], root_p, root_q)
        out[0, j] = sign * share * w
        out[1, j] = share * c
        out[2, j] = sign * share * t


@njit(nogil=True, cache=True)
def _fill_row(i, m, segment, a, b, p_star, tied, share, out):
    """Write the share's W, F'' and F''' of document i against each of the query, 0 where there is no pair.

    Signs are as seen from i: a pair in which i is the worse document counts with -W and -F'''.
    """
    first, last = segment
    _fill_part(0, first, a[i], b, p_star, share, -1.0, out)
    if tied:
        _fill_part(first, last, b[i], a, 0.5, share, 1.0, out)
        out[:, i] = 0.0
    else:
        out[:, first:last] = 0.0
    _fill_part(last, m, b[i], a, p_star, share, 1.0, out)


@njit(nogil=True, cache=True)
def _pass_query(bins, order, start, m, rows, sums, side, out):
    """Let a query's documents pass below one feature's threshold; add the changes of N, S, C, T by bin."""
    width = rows.shape[2]
    for j in range(m):
        side[0, j], side[1, j] = sums[1, j], sums[2, j]
    for p in range(start, start + m):
        i = np.uint64(order[p])
        change = out[bins[np.uint64(start) + i]]
        change[0] -= sums[0, i]
        change[1] += side[0, i]
        change[2] += side[1, i]
        change[3] -= sums[3, i]
        for j in range(width):
            side[0, j] -= rows[0, i, j]
        for j in range(width):
            side[1, j] -= rows[1, i, j]


@njit(nogil=True, cache=True)
def _pass_long_query(bins, order, start, m, segments, a, b, p_star, tied, share, sums, side, row, out):
    """The same without matrices."""
    for j in range(m):
        side[0, j], side[1, j] = sums[1, j], sums[2, j]
    for p in range(start, start + m):
        i = np.int64(order[p])
        change = out[bins[start + i]]
        change[0] -= sums[0, i]
        change[1] += side[0, i]
        change[2] += side[1, i]
        change[3] -= sums[3, i]
        _fill_row(i, m, (segments[0, i], segments[1, i]), a, b, p_star, tied, share, row)
        for j in range(m):
            side[0, j] -= 2.0 * abs(row[0, j])
            side[1, j] -= 2.0 * row[1, j]


@njit(nogil=True, cache=True)
def _weigh_query(m, keeps, segments, a, b, p_star, tied, share, row, out_rows, out_sums):
    """Fill a query's matrices (with everything doubled) and its documents' sums of W, |W|, F'', F'''."""
    for k in range(4):
        for j in range(m):
            out_sums[k, j] = 0.0
    for i in range(m):
        _fill_row(i, m, (segments[0, i], segments[1, i]), a, b, p_star, tied, share, row)
        for j in range(m):  # by columns: a row of W read from the other side changes its sign
            out_sums[0, j] -= row[0, j]
            out_sums[1, j] += abs(row[0, j])
            out_sums[2, j] += row[1, j]
            out_sums[3, j] -= row[2, j]
        if keeps:
            for j in range(m):
                out_rows[0, i, j] = 2.0 * abs(row[0, j])
                out_rows[1, i, j] = 2.0 * row[1, j]


@njit(nogil=True, cache=True)
def _sweep_block(F, bins, orders, layout, first, last, p_star, tied, shares, most, out, out_total):
    """Write the changes of N, S, C and T at each bin of each feature, and Σ |W| over all pairs."""
    offsets, starts, segments = layout
    longest = 0
    for q in range(first, last):
        longest = max(longest, offsets[q + 1] - offsets[q])
    padded = (longest + _LANES - 1) // _LANES * _LANES
    side = min(padded, most)
    matrices = np.zeros((2, side, side))
    a, b, row, sums = np.empty(padded), np.empty(padded), np.empty((3, padded)), np.empty((4, padded))
    sides, bounds = np.zeros((2, padded)), np.empty((2, padded), dtype=np.int64)
    out[:] = 0.0
    out_total[0] = 0.0
    for q in range(first, last):
        start = offsets[q]
        m = offsets[q + 1] - start
        for s in range(segments[q], segments[q + 1]):
            bounds[0, starts[s] - start : starts[s + 1] - start] = starts[s] - start
            bounds[1, starts[s] - start : starts[s + 1] - start] = starts[s + 1] - start
        _fill_factors(F, start, offsets[q + 1], a, b)
        width = (m + _LANES - 1) // _LANES
        keeps = m <= most
        rows = (
            matrices.reshape(-1)[: 2 * m * width * _LANES].reshape((2, m, width * _LANES))
            if keeps
            else matrices
        )
        if keeps:
            rows[:] = 0.0
        _weigh_query(m, keeps, bounds, a, b, p_star, tied, shares[q], row, rows, sums)
        for i in range(m):
            out_total[0] += 0.5 * sums[1, i]
        for f in range(bins.shape[0]):
            if keeps:
                _pass_query(bins[f], orders[f], start, m, rows, sums, sides, out[f])
            else:
                _pass_long_query(
                    bins[f],
                    orders[f],
                    start,
                    m,
                    bounds,
                    a,
                    b,
                    p_star,
                    tied,
                    shares[q],
                    sums,
                    sides,
                    row,
                    out[f],
                )


@njit(nogil=True, cache=True)
def _sweep_blocks(F, bins, orders, layout, blocks, p_star, tied, shares, most, out, out_total):
    for z in range(blocks.size - 1):
        _sweep_block(
            F,
            bins,
            orders,
            layout,
            blocks[z],
            blocks[z + 1],
            p_star,
            tied,
            shares,
            most,
            out[z],
            out_total[z],
        )


@njit(parallel=True, nogil=True, cache=True)
def _sweep_blocks_parallel(F, bins, orders, layout, blocks, p_star, tied, shares, most, out, out_total):
    for z in prange(blocks.size - 1):
        _sweep_block(
            F,
            bins,
            orders,
            layout,
            blocks[z],
            blocks[z + 1],
            p_star,
            tied,
            shares,
            most,
            out[z],
            out_total[z],
        )


def fidelity_sums(
    layout: PairLayout,
    bins: np.ndarray,
    orders: np.ndarray,
    n_bins: int,
    scores: np.ndarray,
    p_star: float,
    tied: bool,
    shares: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Return N, S, C and T (last axis) of every threshold (second axis) of each feature, and Σ |W|."""
    n_blocks = len(layout.blocks) - 1
    out, total = np.empty((n_blocks, len(bins), n_bins, 4)), np.empty((n_blocks, 1))
    with may_run_parallel(layout.n_pairs * len(bins)) as parallel:
        run = _sweep_blocks_parallel if parallel else _sweep_blocks
        run(
            scores, bins, orders, (layout.offsets, layout.starts, layout.segments), layout.blocks, p_star,
            tied, shares, _MATRIX, out, total,
        )  # fmt: skip
    return np.cumsum(out.sum(axis=0), axis=1), float(total.sum())
