"""From values to bins: how many thresholds lie below each value.

A binary search over the thresholds, filled up with infinities to one less than a power of two, goes down the
same number of steps for every value: a step is done for a block of values at a time, without a branch. 3.8 ns
a value whatever the distribution, where a search value by value takes 37. Thresholds are values that were
observed in float32, so comparing in float32 is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import DTypeLike

from ...threads import share_out

_BLOCK = 512  # rows: their features share cache lines, which are read once
_PARALLEL_FROM = 50_000  # cells


@njit(nogil=True, cache=True)
def _assign_rows(first, last, X, thresholds, starts, out):
    """Write the bins of some rows; feature k's thresholds end where the next one's start."""
    values, found = np.empty(_BLOCK, np.float32), np.empty(_BLOCK, np.uint32)
    for start in range(first, last, _BLOCK):
        n = min(_BLOCK, last - start)
        for k in range(out.shape[0]):
            own = thresholds[starts[k] : starts[k + 1]]
            for i in range(n):
                values[i] = X[start + i, k]
                found[i] = 0
            step = np.uint32((own.shape[0] + 1) >> 1)
            while step > 0:
                for i in range(n):
                    found[i] += step if own[found[i] + step - np.uint32(1)] < values[i] else np.uint32(0)
                step = np.uint32(step >> 1)
            bins = out[k][start : start + n]
            for i in range(n):
                bins[i] = found[i]


def assign_bins(X: np.ndarray, thresholds: Sequence[np.ndarray], dtype: DTypeLike) -> np.ndarray:
    """Return the bins (features × documents) of a float32 matrix."""
    sizes = [(1 << len(cuts).bit_length()) - 1 for cuts in thresholds]
    starts = np.r_[0, np.cumsum(sizes)].astype(np.int64)
    padded = np.full(starts[-1], np.inf, np.float32)
    for start, cuts in zip(starts, thresholds, strict=False):
        padded[start : start + len(cuts)] = cuts
    out: np.ndarray = np.empty((X.shape[1], X.shape[0]), dtype=dtype)
    X = X.view()
    X.flags.writeable = False  # one signature, whether the caller's array is read-only or not
    limits = np.r_[0 : len(X) : _BLOCK, len(X)]
    share_out(_assign_rows, limits, X, padded, starts, out, cells=X.size, threshold=_PARALLEL_FROM)
    return out
