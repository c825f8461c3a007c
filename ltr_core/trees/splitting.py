"""Histograms of a node and the best split in them.

For the documents of a node with pulls r and weights w (1 without weights), a split into L and R gains
    (Σ_L r)² / Σ_L w + (Σ_R r)² / Σ_R w - (Σ r)² / Σ w,
which is computed as (Σ_L r · Σ w - Σ_L w · Σ r)² / (Σ w · Σ_L w · Σ_R w): no difference of large numbers.
With targets t this is the reduction of Σ w (t - f)² for r = w t.

A node keeps one histogram over all features. Only the smaller child of a split is scanned; its sibling's
histogram is parent - child, written over the parent's. Sums are whole numbers (see `packing`): no rounding,
whatever the order.

Ties: features in order, thresholds from the lowest up; a candidate replaces the best one only if its gain is
larger by more than one part in 10^10. So gains that are equal but for rounding go to the lowest feature, then
the lowest threshold. Thresholds that separate the node's documents alike tie exactly: the lowest wins.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

_CLEARLY = 1.0 + 1e-10  # how much larger a gain must be to replace one found before it


@njit(nogil=True, cache=True)
def _fill_histogram(bins, rows, packed, out):
    """Sum the packed pulls by bin; `packed` is in the order of `rows`; no rows: all documents in order."""
    out[:] = 0
    if packed.ndim == 1:
        if rows.shape[0] == 0:
            for i in range(bins.shape[0]):
                out[bins[i]] += packed[i]
        else:
            for i in range(rows.shape[0]):
                out[bins[rows[i]]] += packed[i]
    elif rows.shape[0] == 0:
        for i in range(bins.shape[0]):
            b = bins[i]
            out[b, 0] += packed[i, 0]
            out[b, 1] += packed[i, 1]
    else:
        for i in range(rows.shape[0]):
            b = bins[rows[i]]
            out[b, 0] += packed[i, 0]
            out[b, 1] += packed[i, 1]


@njit(nogil=True, cache=True)
def _subtract_histogram(part, out):
    if out.ndim == 1:
        for b in range(out.shape[0]):
            out[b] -= part[b]
    else:
        for b in range(out.shape[0]):
            out[b, 0] -= part[b, 0]
            out[b, 1] -= part[b, 1]


@njit(nogil=True, cache=True)
def _scan_histogram(histogram, shift, total, min_leaf):
    """Return the best gain (in quanta; 0 without a split) and its bin; `total` is the sum over all bins."""
    best_gain, best_bin = 0.0, -1
    mask = (1 << shift) - 1
    if histogram.ndim == 1:
        sum_all = float(total[0] >> shift)
        n_all = total[0] & mask
        left = 0
        for b in range(histogram.shape[0] - 1):
            if histogram[b] == 0:
                continue
            left += histogram[b]
            n_left = left & mask
            if n_left < min_leaf:
                continue
            n_right = n_all - n_left
            if n_right < min_leaf:
                break
            apart = float(left >> shift) * n_all - float(n_left) * sum_all
            gain = apart * apart / (float(n_left) * n_right)
            if gain > best_gain * _CLEARLY:
                best_gain, best_bin = gain, b
        return best_gain / max(1, n_all), best_bin
    sum_all, weight_all = float(total[0]), float(total[1] >> shift)
    n_all = total[1] & mask
    left_sum, left = 0, 0
    for b in range(histogram.shape[0] - 1):
        if histogram[b, 1] == 0:
            continue
        left_sum += histogram[b, 0]
        left += histogram[b, 1]
        n_left = left & mask
        if n_left < min_leaf:
            continue
        if n_all - n_left < min_leaf:
            break
        weight_left = float(left >> shift)
        weight_right = weight_all - weight_left
        if weight_left <= 0.0 or weight_right <= 0.0:
            continue
        apart = float(left_sum) * weight_all - weight_left * sum_all
        gain = apart * apart / (weight_left * weight_right)
        if gain > best_gain * _CLEARLY:
            best_gain, best_bin = gain, b
    return best_gain / max(1.0, weight_all), best_bin


@njit(nogil=True, cache=True)
def _split_node(
    first,
    last,
    bins,
    n_bins,
    starts,
    rows,
    packed,
    shift,
    total,
    min_leaf,
    out_histogram,
    out_gains,
    out_best,
):
    """Fill a node's histogram for some features and find the best split of each."""
    for k in range(first, last):
        part = out_histogram[starts[k] : starts[k] + n_bins[k]]
        out_gains[k], out_best[k] = 0.0, -1
        if n_bins[k] > 1:
            _fill_histogram(bins[k], rows, packed, part)
            out_gains[k], out_best[k] = _scan_histogram(part, shift, total, min_leaf)


@njit(parallel=True, nogil=True, cache=True)
def _split_node_parallel(
    chunks, bins, n_bins, starts, rows, packed, shift, total, min_leaf, out_histogram, out_gains, out_best
):
    for c in prange(chunks.shape[0] - 1):
        # Either one histogram for all chunks, each filling its own features, or scratch for each chunk.
        _split_node(
            chunks[c], chunks[c + 1], bins, n_bins, starts, rows, packed, shift, total, min_leaf,
            out_histogram[min(np.int64(c), out_histogram.shape[0] - 1)], out_gains, out_best,
        )  # fmt: skip


@njit(nogil=True, cache=True)
def _split_siblings(
    first, last, bins, n_bins, starts, rows, packed, shift, totals, min_leaf, wanted,
    out_small, out_large, out_gains, out_best,
):  # fmt: skip
    """For some features fill the smaller child's histogram, take it off the parent's, and scan both."""
    for k in range(first, last):
        stop = starts[k] + n_bins[k]
        small, large = out_small[starts[k] : stop], out_large[starts[k] : stop]
        out_gains[:, k] = 0.0
        out_best[:, k] = -1
        if n_bins[k] > 1:
            _fill_histogram(bins[k], rows, packed, small)
            _subtract_histogram(small, large)
            if wanted[0]:
                out_gains[0, k], out_best[0, k] = _scan_histogram(small, shift, totals[0], min_leaf)
            if wanted[1]:
                out_gains[1, k], out_best[1, k] = _scan_histogram(large, shift, totals[1], min_leaf)


@njit(parallel=True, nogil=True, cache=True)
def _split_siblings_parallel(
    chunks, bins, n_bins, starts, rows, packed, shift, totals, min_leaf, wanted,
    out_small, out_large, out_gains, out_best,
):  # fmt: skip
    for c in prange(chunks.shape[0] - 1):
        _split_siblings(
            chunks[c], chunks[c + 1], bins, n_bins, starts, rows, packed, shift, totals, min_leaf, wanted,
            out_small, out_large, out_gains, out_best,
        )  # fmt: skip


@njit(nogil=True, cache=True)
def _choose_best(gains):
    """Return the place of the best gain, the lowest among ties."""
    best = 0
    for k in range(1, gains.shape[0]):
        if gains[k] > gains[best] * _CLEARLY:
            best = k
    return best


def split_node(
    parallel: bool, chunks: np.ndarray, *args: np.ndarray | int | float, out: tuple[np.ndarray, ...]
) -> None:
    """Fill histograms of one node and find each feature's best split, in as many threads as chunks."""
    if parallel:
        _split_node_parallel(chunks, *args, *out)
    else:
        histogram, *found = out
        _split_node(0, int(chunks[-1]), *args, histogram[0], *found)


def split_siblings(
    parallel: bool, chunks: np.ndarray, *args: np.ndarray | int | float, out: tuple[np.ndarray, ...]
) -> None:
    """Fill the smaller sibling's histogram, turn the parent's into the larger one's, find their splits."""
    if parallel:
        _split_siblings_parallel(chunks, *args, *out)
    else:
        _split_siblings(0, int(chunks[-1]), *args, *out)


def choose_best(gains: np.ndarray) -> int:
    """Return the place of the best gain, the lowest among ties."""
    return _choose_best(gains)
