"""Histograms of a node and the best split in them.

For the documents of a node with pulls r and weights w (1 without weights), a split into L and R gains
    (Σ_L r)² / Σ_L w + (Σ_R r)² / Σ_R w - (Σ r)² / Σ w,
which is computed as (Σ_L r · Σ w - Σ_L w · Σ r)² / (Σ w · Σ_L w · Σ_R w): no difference of large numbers.
With targets t this is the reduction of Σ w (t - f)² for r = w t.

A node keeps one histogram over all features. Only the smaller child of a split is scanned; its sibling's is
parent - child, written over the parent's. Sums are whole numbers (see `packing`): exact, whatever the order.

Ties: features in order, thresholds from the lowest up; a candidate replaces the best one only if its gain is
larger by more than one part in 10^10. So gains that are equal but for rounding go to the lowest feature, then
the lowest threshold. Thresholds that separate the node's documents alike tie exactly: the lowest wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ...compiling import side_by_side
from ...threads import share_out

_CLEARLY = 1.0 + 1e-10  # how much larger a gain must be to replace one found before it
_NEAR, _SAME = 1.0 - 1e-9, 1.0 - 1e-12  # of the largest gain: clearly less below; the same from there on
_PARALLEL_FROM = 100_000  # cells: from here on a second thread brings more than it costs to call it
_ONE, _TWO = np.uint64(1), np.uint64(2)
_TOGETHER = 4_096  # numbers of four features whose histograms stay in a core's first cache together


class Table(NamedTuple):
    """The binned features of a training."""

    limits: np.ndarray  # runs of features to share out between threads
    features: np.ndarray  # those with more than one bin
    bins: np.ndarray  # features × documents
    n_bins: np.ndarray
    crowded: np.ndarray  # which features often have neighbours in one bin (see `Binned`)
    starts: np.ndarray  # where each feature's histogram starts
    signs: np.ndarray  # 1 or -1: the larger values' mean may not be the lower, or the higher, one; 0: it may


class Node(NamedTuple):
    """The documents of a node, and what its leaves must hold."""

    rows: np.ndarray  # none: all documents in order
    packed: np.ndarray  # their numbers (documents × numbers), in that order; none: its histogram is there
    others: np.ndarray  # its sibling's rows
    shift: int  # bits of the count, or of whole weights
    min_leaf: int
    surely: tuple[int, int]  # a leaf that weighs less than the one is too small; from the other on it is not


@njit(nogil=True, cache=True)
def _fill_four(bins, four, starts, n_bins, rows, packed, out):
    """Sum packed numbers by bin, for four features at once.

    A row id and a packed number are read once for four cells: 0.22 ns a cell instead of 0.33 for a quarter of
    the documents, 0.21 instead of 0.24 for all of them in order (no rows).
    """
    k0, k1, k2, k3 = four[0], four[1], four[2], four[3]
    b0, b1, b2, b3 = bins[k0], bins[k1], bins[k2], bins[k3]
    o0, o1 = out[starts[k0] : starts[k0] + n_bins[k0]], out[starts[k1] : starts[k1] + n_bins[k1]]
    o2, o3 = out[starts[k2] : starts[k2] + n_bins[k2]], out[starts[k3] : starts[k3] + n_bins[k3]]
    o0[:] = 0
    o1[:] = 0
    o2[:] = 0
    o3[:] = 0
    if rows.shape[0] == 0:
        for i in range(packed.shape[0]):
            value = packed[i]
            o0[b0[i]] += value
            o1[b1[i]] += value
            o2[b2[i]] += value
            o3[b3[i]] += value
    else:
        for i in range(rows.shape[0]):
            row, value = rows[i], packed[i]
            o0[b0[row]] += value
            o1[b1[row]] += value
            o2[b2[row]] += value
            o3[b3[row]] += value


@njit(nogil=True, cache=True)
def _fill_four_crowded(bins, four, starts, n_bins, packed, room, out):
    """Sum packed numbers of all documents by bin, for four features; documents take turns with two tables.

    Where many have one value an addition would wait for the one before it (0.28 instead of 0.34 ns a cell on
    MSLR's features and on MQ2008's). For the documents of a node, which are looked for, it brings nothing.
    """
    k0, k1, k2, k3 = four[0], four[1], four[2], four[3]
    b0, b1, b2, b3 = bins[k0], bins[k1], bins[k2], bins[k3]
    o0, o1 = out[starts[k0] : starts[k0] + n_bins[k0]], out[starts[k1] : starts[k1] + n_bins[k1]]
    o2, o3 = out[starts[k2] : starts[k2] + n_bins[k2]], out[starts[k3] : starts[k3] + n_bins[k3]]
    s0, s1, s2, s3 = room[0], room[1], room[2], room[3]
    o0[:] = 0
    o1[:] = 0
    o2[:] = 0
    o3[:] = 0
    room[:] = 0
    n = np.uint64(packed.shape[0])
    for i in range(np.uint64(0), n - n % _TWO, _TWO):
        value = packed[i]
        o0[b0[i]] += value
        o1[b1[i]] += value
        o2[b2[i]] += value
        o3[b3[i]] += value
        j = i + _ONE
        value = packed[j]
        s0[b0[j]] += value
        s1[b1[j]] += value
        s2[b2[j]] += value
        s3[b3[j]] += value
    if n % _TWO:
        i = n - _ONE
        o0[b0[i]] += packed[i]
        o1[b1[i]] += packed[i]
        o2[b2[i]] += packed[i]
        o3[b3[i]] += packed[i]
    for f in range(4):
        k, own = four[f], room[f]
        for b in range(n_bins[k]):
            out[starts[k] + b] += own[b]


@njit(nogil=True, cache=True)
def _add_pair(place, first, second, out):
    at = np.uint64(place) + np.uint64(place)
    x, y = out[at], out[at + _ONE]
    x, y = x + first, y + second
    out[at], out[at + _ONE] = x, y


@njit(nogil=True, cache=True)
def _fill_four_pairs(bins, four, starts, n_bins, rows, packed, out):
    """Sum pairs of packed numbers by bin, for four features at once.

    A pair lies together, in the histogram too: it is read, added to and written as one, 0.30 ns a cell, 0.35
    number by number, and 0.44 for a histogram of each.
    """
    k0, k1, k2, k3 = four[0], four[1], four[2], four[3]
    b0, b1, b2, b3 = bins[k0], bins[k1], bins[k2], bins[k3]
    o0 = out[2 * starts[k0] : 2 * (starts[k0] + n_bins[k0])]
    o1 = out[2 * starts[k1] : 2 * (starts[k1] + n_bins[k1])]
    o2 = out[2 * starts[k2] : 2 * (starts[k2] + n_bins[k2])]
    o3 = out[2 * starts[k3] : 2 * (starts[k3] + n_bins[k3])]
    o0[:] = 0
    o1[:] = 0
    o2[:] = 0
    o3[:] = 0
    if rows.shape[0] == 0:
        for i in range(np.uint64(packed.shape[0] // 2)):
            first, second = packed[i + i], packed[i + i + _ONE]
            _add_pair(b0[i], first, second, o0)
            _add_pair(b1[i], first, second, o1)
            _add_pair(b2[i], first, second, o2)
            _add_pair(b3[i], first, second, o3)
    else:
        for i in range(np.uint64(rows.shape[0])):
            row, first, second = rows[i], packed[i + i], packed[i + i + _ONE]
            _add_pair(b0[row], first, second, o0)
            _add_pair(b1[row], first, second, o1)
            _add_pair(b2[row], first, second, o2)
            _add_pair(b3[row], first, second, o3)


@njit(nogil=True, cache=True)
def _fill_four_pairs_crowded(bins, four, starts, n_bins, rows, packed, room, out):
    """Sum pairs of packed numbers by bin, for four features; documents take turns with two tables.

    Where many have one value: 0.33 instead of 0.46 ns a cell on MSLR's features, for half of the documents
    0.38 instead of 0.48.
    """
    k0, k1, k2, k3 = four[0], four[1], four[2], four[3]
    b0, b1, b2, b3 = bins[k0], bins[k1], bins[k2], bins[k3]
    o0 = out[2 * starts[k0] : 2 * (starts[k0] + n_bins[k0])]
    o1 = out[2 * starts[k1] : 2 * (starts[k1] + n_bins[k1])]
    o2 = out[2 * starts[k2] : 2 * (starts[k2] + n_bins[k2])]
    o3 = out[2 * starts[k3] : 2 * (starts[k3] + n_bins[k3])]
    s0, s1, s2, s3 = room[0], room[1], room[2], room[3]
    o0[:] = 0
    o1[:] = 0
    o2[:] = 0
    o3[:] = 0
    room[:] = 0
    n, all_rows = np.uint64(packed.shape[0] // 2), rows.shape[0] == 0
    for i in range(np.uint64(0), n - n % _TWO, _TWO):
        j = i + _ONE
        row = i if all_rows else np.uint64(rows[i])
        first, second = packed[i + i], packed[i + i + _ONE]
        _add_pair(b0[row], first, second, o0)
        _add_pair(b1[row], first, second, o1)
        _add_pair(b2[row], first, second, o2)
        _add_pair(b3[row], first, second, o3)
        row = j if all_rows else np.uint64(rows[j])
        first, second = packed[j + j], packed[j + j + _ONE]
        _add_pair(b0[row], first, second, s0)
        _add_pair(b1[row], first, second, s1)
        _add_pair(b2[row], first, second, s2)
        _add_pair(b3[row], first, second, s3)
    if n % _TWO:
        i = n - _ONE
        row, first, second = i if all_rows else np.uint64(rows[i]), packed[i + i], packed[i + i + _ONE]
        _add_pair(b0[row], first, second, o0)
        _add_pair(b1[row], first, second, o1)
        _add_pair(b2[row], first, second, o2)
        _add_pair(b3[row], first, second, o3)
    for f in range(4):
        k, own = four[f], room[f]
        for b in range(2 * n_bins[k]):
            out[2 * starts[k] + b] += own[b]


@njit(nogil=True, cache=True)
def _fill_one(bins, rows, packed, out):
    """Sum packed numbers by bin; `packed` is in the order of `rows`; no rows: all documents in order."""
    out[:] = 0
    if rows.shape[0] == 0:
        for i in range(packed.shape[0]):
            out[bins[i]] += packed[i]
    else:
        for i in range(rows.shape[0]):
            out[bins[rows[i]]] += packed[i]


@njit(nogil=True, cache=True)
def _fill_one_pair(bins, rows, packed, out):
    """Sum pairs of packed numbers by bin."""
    out[:] = 0
    for i in range(np.uint64(packed.shape[0] // 2)):
        _add_pair(bins[i if rows.shape[0] == 0 else rows[i]], packed[i + i], packed[i + i + _ONE], out)


@njit(nogil=True, cache=True)
def _fill_histograms(features, table, node, out):
    """Fill the histograms of some features: of each bin as many numbers as a document has."""
    bins, n_bins, starts, rows = table.bins, table.n_bins, table.starts, node.rows
    width, packed, sums = node.packed.shape[1], node.packed.ravel(), out.ravel()
    room, j = np.empty((4, 256 * width), dtype=np.int64), 0
    while j < features.shape[0]:
        four = features[j : j + 4]
        together = four.shape[0] == 4
        if together:
            together = width * n_bins[four].sum() <= _TOGETHER
        start, stop = width * starts[features[j]], width * (starts[features[j]] + n_bins[features[j]])
        crowded = together and table.crowded[four].sum() >= 2
        if crowded and width == 1 and rows.shape[0] == 0:
            _fill_four_crowded(bins, four, starts, n_bins, packed, room, sums)
        elif crowded and width == 2:
            _fill_four_pairs_crowded(bins, four, starts, n_bins, rows, packed, room, sums)
        elif together and width == 1:
            _fill_four(bins, four, starts, n_bins, rows, packed, sums)
        elif together:
            _fill_four_pairs(bins, four, starts, n_bins, rows, packed, sums)
        elif width == 1:
            _fill_one(bins[features[j]], rows, packed, sums[start:stop])
        else:
            _fill_one_pair(bins[features[j]], rows, packed, sums[start:stop])
        j += 4 if together else 1


# Gains are written bin by bin, eight at a time, and compared afterwards: 9.5 µs for 50 features of 255 bins,
# 15.5 when both were done bin by bin. Empty bins are not left out: theirs is the gain of the bin before, so
# the lower threshold stays. Where a cut is not allowed the gain is 0.


@njit(nogil=True, cache=True, error_model="numpy")
def _weigh_single(histogram, shift, least, sign, out_left, out):
    """Write the gain (in quanta) of a cut behind each bin and the sum up to it, of single numbers.

    Of documents that weigh 1, or a whole number; both sides must weigh something.
    """
    n_bins, mask, left = np.uint64(histogram.shape[0]), (1 << shift) - 1, np.int64(0)
    for b in range(n_bins):
        left += histogram[b]
        out_left[b] = left
    sum_all, weight_all = float(left >> shift), left & mask
    all_weigh = float(max(1, weight_all))
    for b in range(n_bins):
        weight_left = out_left[b] & mask
        weight_right = weight_all - weight_left
        apart = float(out_left[b] >> shift) * float(weight_all) - float(weight_left) * sum_all
        allowed = (weight_left >= least) & (weight_right >= least) & (not sign * apart > 0.0)
        parts = float(weight_left) * float(weight_right) if allowed else 1.0
        out[b] = apart * apart / (parts * all_weigh) if allowed else 0.0


@njit(nogil=True, cache=True)
def _leave_small_out(bins, rows, min_leaf, room, gains):
    """Let cuts that leave fewer documents on a side gain nothing. No rows: all documents."""
    n_bins = np.uint64(gains.shape[0])
    counts = room[:n_bins]
    counts[:] = 0
    if rows.shape[0] == 0:
        for i in range(bins.shape[0]):
            counts[bins[i]] += 1
    else:
        for i in range(rows.shape[0]):
            counts[bins[rows[i]]] += 1
    n_all, n_left = counts.sum(), 0
    for b in range(n_bins):
        n_left += counts[b]
        gains[b] = gains[b] if (n_left >= min_leaf) & (n_all - n_left >= min_leaf) else 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _weigh_weighted(histogram, shift, min_leaf, sign, out_left, out):
    """Write the same where documents have weights, which carry the counts."""
    n_bins, mask = np.uint64(histogram.shape[0] // 2), (1 << shift) - 1
    left_sum, left, one, two = np.int64(0), np.int64(0), np.uint64(1), np.uint64(2)
    for b in range(n_bins):
        left_sum += histogram[two * b]
        left += histogram[two * b + one]
        out_left[two * b] = left_sum
        out_left[two * b + one] = left
    sum_all, weight_all, n_all = float(left_sum), float(left >> shift), left & mask
    all_weigh = max(1.0, weight_all)
    for b in range(n_bins):
        n_left, weight_left = out_left[two * b + one] & mask, float(out_left[two * b + one] >> shift)
        weight_right = weight_all - weight_left
        apart = float(out_left[two * b]) * weight_all - weight_left * sum_all
        allowed = (n_left >= min_leaf) & (n_all - n_left >= min_leaf) & (not sign * apart > 0.0)
        allowed = allowed & (weight_left > 0.0) & (weight_right > 0.0)
        parts = weight_left * weight_right if allowed else 1.0
        out[b] = apart * apart / (parts * all_weigh) if allowed else 0.0


@njit(nogil=True, cache=True)
def _find_best(n_bins, gains, out_bits):
    """Return the bin that is left when a gain replaces one before it only if clearly larger; -1 if all are 0.

    `out_bits` are the bits of the gains, with room for one more. Where all gains near the largest are equal
    but for rounding, the first of them is left: so it nearly always is, and nothing has to be done in turn.
    """
    n, most = np.uint64(n_bins), np.int64(0)
    for b in range(n):
        most = max(most, out_bits[b])  # ordered as the numbers are, and never NaN
    if most == 0:
        return -1
    out_bits[n_bins] = most
    near, same = gains[n_bins] * _NEAR, gains[n_bins] * _SAME
    n_near, n_same, first = 0, 0, n_bins
    for b in range(n):
        n_near += np.int64(gains[b] >= near)
        n_same += np.int64(gains[b] >= same)
        first = min(first, np.int64(b) if gains[b] >= same else n_bins)
    if n_near == n_same:
        return first
    best, largest = -1, 0.0
    for b in range(n_bins):
        if gains[b] > largest * _CLEARLY:
            best, largest = b, gains[b]
    return best


@njit(nogil=True, cache=True)
def _scan_feature(histogram, k, table, node, rows, room):
    """Return a feature's best gain (in quanta; 0 without a split) and its bin.

    Whole weights hold no counts. They bound them, and where that does not tell whether the best cut leaves
    enough documents on both sides, the node's are counted.
    """
    width, n_bins, sign = histogram.shape[1], table.n_bins[k], table.signs[k]
    own = histogram.ravel()[width * table.starts[k] : width * (table.starts[k] + n_bins)]
    bits, left = room[0], room[1:].ravel()
    gains = bits.view(np.float64)
    if width == 2:
        _weigh_weighted(own, node.shift, node.min_leaf, sign, left, gains)
        best = _find_best(n_bins, gains, bits)
    else:
        least, surely = node.surely
        _weigh_single(own, node.shift, least, sign, left, gains)
        best = _find_best(n_bins, gains, bits)
        if best >= 0 and surely > least:
            mask = (1 << node.shift) - 1
            weight_left, weight_all = left[best] & mask, left[n_bins - 1] & mask
            if min(weight_left, weight_all - weight_left) < surely:
                _leave_small_out(table.bins[k], rows, node.min_leaf, left, gains[:n_bins])
                best = _find_best(n_bins, gains, bits)
    return gains[best] if best >= 0 else 0.0, best


@njit(nogil=True, cache=True)
def _split_node(first, last, table, node, keep, out_histograms, out_gains, out_best):
    """Fill a node's histograms for some runs of features, if need be; find the best split of each."""
    features = table.features[table.limits[first] : table.limits[last]]
    histogram, room = out_histograms[0 if keep else first], np.empty((3, table.n_bins.max() + 1), np.int64)
    if keep and node.packed.shape[0] > 0:
        _fill_histograms(features, table, node, histogram)
    for j in range(features.shape[0]):
        k = features[j]
        if not keep:  # all features share one place
            _fill_histograms(features[j : j + 1], table, node, histogram)
        out_gains[k], out_best[k] = _scan_feature(histogram, k, table, node, node.rows, room)


@njit(nogil=True, cache=True)
def _split_siblings(first, last, table, node, wanted, out_small, out_large, out_gains, out_best):
    """For runs of features fill the smaller child's histograms, take them off the parent's; scan both."""
    features = table.features[table.limits[first] : table.limits[last]]
    room = np.empty((3, table.n_bins.max() + 1), np.int64)
    _fill_histograms(features, table, node, out_small)
    width, small, large = out_small.shape[1], out_small.ravel(), out_large.ravel()
    for k in features:
        for b in range(width * table.starts[k], width * (table.starts[k] + table.n_bins[k])):
            large[b] -= small[b]
        if wanted[0]:
            out_gains[0, k], out_best[0, k] = _scan_feature(out_small, k, table, node, node.rows, room)
        if wanted[1]:
            out_gains[1, k], out_best[1, k] = _scan_feature(out_large, k, table, node, node.others, room)


@njit(nogil=True, cache=True)
def _choose_best(gains):
    best = 0
    for k in range(1, gains.shape[0]):
        if gains[k] > gains[best] * _CLEARLY:
            best = k
    return best


side_by_side(_fill_four_pairs, _fill_four_pairs_crowded, _fill_one_pair)


def split_node(table: Table, node: Node, keep: bool, out: tuple[np.ndarray, ...]) -> None:
    """Fill a node's histograms and find each feature's best split; `out` is (histograms, gains, bins)."""
    _share_features(_split_node, table, node, keep, *out)


def split_siblings(table: Table, node: Node, wanted: tuple[bool, bool], out: tuple[np.ndarray, ...]) -> None:
    """Fill the smaller sibling's histograms, turn the parent's into the larger one's, find their splits."""
    _share_features(_split_siblings, table, node, wanted, *out)


def _share_features(kernel: Callable[..., None], table: Table, node: Node, *args: Any) -> None:
    """Call a kernel for all runs of features."""
    cells = node.packed.size * len(table.features)
    share_out(kernel, range(len(table.limits)), table, node, *args, cells=cells, threshold=_PARALLEL_FROM)


def choose_best(gains: np.ndarray) -> int:
    """Return the place of the best gain, the lowest among ties."""
    return _choose_best(gains)
