"""Row ids in node order: a node is a slice of one array, split in place.

    rows  [ 3 4 7 8 9 | 0 1 2 5 6 ]        leaf A = rows[0:5], leaf B = rows[5:10]
    split A at bin 7 of feature k:          7 and 9 are above, the others below
    rows  [ 3 4 8 | 7 9 | 0 1 2 5 6 ]      B is untouched

The partition is stable, so ids stay ascending inside every leaf and memory is read forwards.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...measures.parts.base import frozen
from ...threads import share_out

_RUNS = 64  # of documents, to share out
_GATHER_FROM = 30_000  # rows
_PARALLEL_FROM = 80_000  # documents: adding to the scores of 100,000 takes 43 µs on one thread


@njit(nogil=True, cache=True)
def _number_rows(out):
    for i in range(out.shape[0]):
        out[i] = i


@njit(nogil=True, cache=True)
def _part_rows(first, last, bins, split_bin, spare, out, out_left):
    """Bring the rows at or below the bin to the front of some runs, in order, and the others into `spare`.

    How many there are is written to the first run's place.
    """
    begin, end = out.shape[0] * first // _RUNS, out.shape[0] * last // _RUNS
    own, aside = out[begin:end], spare[begin:end]
    n_left, n_right = 0, 0
    for i in range(own.shape[0]):
        row = own[i]
        # Both places are written and one counter moves: no branch for the processor to guess.
        own[n_left] = row
        aside[n_right] = row
        left = np.int64(bins[row] <= split_bin)
        n_left += left
        n_right += 1 - left
    out_left[first] = n_left


@njit(nogil=True, cache=True)
def _close_up(left, spare, out):
    """Bring what runs have in front together, then their others behind; return how many are in front.

    `left` says where runs that were gone through together begin, and how many of each are in front; else -1.
    """
    n_left = 0
    for run in range(_RUNS):
        begin = out.shape[0] * run // _RUNS
        if left[run] >= 0 and begin > n_left:
            front, to = out[begin : begin + left[run]], out[n_left : n_left + left[run]]
            for i in range(front.shape[0]):
                to[i] = front[i]
        n_left += max(0, left[run])
    place, end = out.shape[0], out.shape[0]
    for run in range(_RUNS - 1, -1, -1):
        if left[run] >= 0:
            begin = out.shape[0] * run // _RUNS
            n_right = end - begin - left[run]
            place, end = place - n_right, begin
            aside, to = spare[begin : begin + n_right], out[place : place + n_right]
            for i in range(aside.shape[0]):
                to[i] = aside[i]
    return n_left


@njit(nogil=True, cache=True)
def _split_rows(bins, split_bin, spare, out):
    """Bring the rows at or below the bin to the front of `out`, in order; return how many there are."""
    left = np.full(_RUNS, -1)
    _part_rows(0, _RUNS, bins, split_bin, spare, out, left)
    return _close_up(left, spare, out)


@njit(nogil=True, cache=True)
def _gather_packed(first, last, packed, rows, out):
    """Copy a node's packed numbers into node order, those from one place to another."""
    own, gathered = rows[first:last], out[first:last]
    if packed.shape[1] == 1:
        numbers, single = packed.ravel(), gathered.ravel()
        for i in range(own.shape[0]):
            single[i] = numbers[own[i]]
    else:
        for i in range(own.shape[0]):
            row = own[i]
            gathered[i, 0], gathered[i, 1] = packed[row, 0], packed[row, 1]


@njit(nogil=True, cache=True)
def _sum_leaves(first, last, rows, ends, pull, curvature, out):
    """Sum pulls and curvatures over some leaves; without curvatures every document counts 1."""
    for leaf in range(first, last):
        inside = rows[ends[leaf, 0] : ends[leaf, 1]]
        total, weight = 0.0, 0.0
        if curvature.shape[0] == 0:
            weight = float(inside.shape[0])
            for row in inside:
                total += pull[row]
        else:  # each sum waits for its last addition: the two wait together
            for row in inside:
                total += pull[row]
                weight += curvature[row]
        out[leaf, 0] = total
        out[leaf, 1] = weight


@njit(nogil=True, cache=True)
def _place_of(row, rows, start, stop):
    """Return where the first id from `row` on stands in a leaf's slice."""
    while start < stop:
        middle = (start + stop) // 2
        if rows[middle] < row:
            start = middle + 1
        else:
            stop = middle
    return start


# What is written to documents is shared out by documents, not by leaves: two threads that write to one line
# of the cache take it from each other (0.40 ms where the cores have no cache in common, 0.06 so).


@njit(nogil=True, cache=True)
def _add_leaves(first, last, rows, ends, values, out):
    """Add each leaf's value to the scores of its documents, those of some runs."""
    begin, end = out.shape[0] * first // _RUNS, out.shape[0] * last // _RUNS
    for leaf in range(ends.shape[0]):
        value, start, stop = values[leaf], ends[leaf, 0], ends[leaf, 1]
        for row in rows[_place_of(begin, rows, start, stop) : _place_of(end, rows, start, stop)]:
            out[row] += value


@njit(nogil=True, cache=True)
def _move_rows(first, last, rows, ends, steps, shift, out_sizes, out):
    """Take each leaf's step off its documents' packed pulls, those of some runs.

    Their Σ |pull| after it is written to the first run's place.
    """
    packed, total = out.ravel(), np.int64(0)
    begin, end = packed.shape[0] * first // _RUNS, packed.shape[0] * last // _RUNS
    for leaf in range(ends.shape[0]):
        step, start, stop = steps[leaf] << shift, ends[leaf, 0], ends[leaf, 1]
        for row in rows[_place_of(begin, rows, start, stop) : _place_of(end, rows, start, stop)]:
            moved = packed[row] - step
            packed[row] = moved
            total += abs(moved >> shift)
    out_sizes[first] = total


_NO_CURVATURE = np.empty(0)


def split_rows(bins: np.ndarray, split_bin: int, spare: np.ndarray, out: np.ndarray) -> int:
    """Bring the rows at or below the bin to the front of `out`, in order; return how many there are."""
    if len(out) < _PARALLEL_FROM:
        return _split_rows(bins, split_bin, spare, out)
    left = np.full(_RUNS, -1)
    args = (bins, split_bin, spare, out, left)
    share_out(_part_rows, range(_RUNS + 1), *args, cells=len(out), threshold=_PARALLEL_FROM)
    return _close_up(left, spare, out)


def gather_packed(packed: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
    """Copy a node's packed numbers into node order."""
    if len(rows) < _GATHER_FROM:
        _gather_packed(0, len(rows), packed, rows, out)
        return
    limits = range(len(rows) + 1)
    share_out(_gather_packed, limits, packed, rows, out, cells=len(rows), threshold=_GATHER_FROM)


def sum_leaves(
    rows: np.ndarray, ends: np.ndarray, pull: np.ndarray, curvature: np.ndarray | None
) -> np.ndarray:
    """Return for each leaf the sum of its pulls and of its curvatures (its size without them)."""
    out = np.empty((len(ends), 2))
    args = (rows, ends, frozen(pull), frozen(_NO_CURVATURE if curvature is None else curvature), out)
    share_out(_sum_leaves, range(len(ends) + 1), *args, cells=len(pull), threshold=_PARALLEL_FROM)
    return out


def add_leaves(rows: np.ndarray, ends: np.ndarray, values: np.ndarray, out: np.ndarray) -> None:
    """Add each leaf's value to the scores of its documents."""
    args = (rows, ends, np.ascontiguousarray(values), out)
    share_out(_add_leaves, range(_RUNS + 1), *args, cells=len(out), threshold=_PARALLEL_FROM)


def move_rows(rows: np.ndarray, ends: np.ndarray, steps: np.ndarray, shift: int, out: np.ndarray) -> int:
    """Take each leaf's step off its documents' packed pulls; return Σ |pull| after it, in quanta."""
    sizes = np.zeros(_RUNS, np.int64)
    args = (rows, ends, steps, shift, sizes, out)
    share_out(_move_rows, range(_RUNS + 1), *args, cells=len(out), threshold=_PARALLEL_FROM)
    return int(sizes.sum())
