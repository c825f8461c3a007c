"""The two products a linear solver needs, X u and Xᵀ p, and the features' means and deviations.

Rows are cut into a fixed number of blocks whose sums are added in order: the same bits on any number of
threads. Features stay float32 as they are; sums are float64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from ...threads import share_out

_BLOCKS = 32
_PARALLEL_FROM = 100_000  # cells


@njit(nogil=True, cache=True)
def _score_rows(first, last, X, means, weights, out):
    for i in range(first, last):
        total = 0.0
        for k in range(weights.size):
            total += (X[i, k] - means[k]) * weights[k]
        out[i] = total


@njit(nogil=True, cache=True)
def _add_block(X, pulls, first, stop, out):
    out[:] = 0.0
    for i in range(first, stop):
        pull = pulls[i]
        for k in range(out.size):
            out[k] += pull * X[i, k]


@njit(nogil=True, cache=True)
def _add_blocks(first, last, edges, X, pulls, out):
    for b in range(first, last):
        _add_block(X, pulls, edges[b], edges[b + 1], out[b])


@njit(nogil=True, cache=True)
def _measure_block(X, first, stop, out_sums, out_squares):
    """Sum the features' distances from the first row, and the squares: no cancellation, 0 if constant."""
    out_sums[:] = 0.0
    out_squares[:] = 0.0
    for i in range(first, stop):
        for k in range(out_sums.size):
            away = np.float64(X[i, k]) - np.float64(X[0, k])
            out_sums[k] += away
            out_squares[k] += away * away


@njit(nogil=True, cache=True)
def _measure_blocks(first, last, edges, X, out_sums, out_squares):
    for b in range(first, last):
        _measure_block(X, edges[b], edges[b + 1], out_sums[b], out_squares[b])


class Matrix:
    """A matrix of features.

    Parameters
    ----------
    X : float32 array of shape (n, d), C-ordered
        Read-only, so that the kernels have one signature.
    """

    def __init__(self, X: np.ndarray) -> None:
        self.X = X.view()
        self.X.flags.writeable = False
        self.edges = np.linspace(0, len(X), min(_BLOCKS, len(X)) + 1).astype(np.int64)

    def scores(self, means: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return (x − mean) · weights of each row."""
        out = np.empty(len(self.X))
        args = (self.X, means, weights, out)
        share_out(_score_rows, self.edges, *args, cells=self.X.size, threshold=_PARALLEL_FROM)
        return out

    def pull(self, pulls: np.ndarray) -> np.ndarray:
        """Return Xᵀ pulls."""
        parts = np.empty((len(self.edges) - 1, self.X.shape[1]))
        self._share_out(_add_blocks, pulls, parts)
        return parts.sum(axis=0)

    def standardiser(self) -> tuple[np.ndarray, np.ndarray]:
        """Return each feature's mean and 1/deviation; 0 for the deviation of one that never changes."""
        shape = (len(self.edges) - 1, self.X.shape[1])
        sums, squares = np.empty(shape), np.empty(shape)
        self._share_out(_measure_blocks, sums, squares)
        n = len(self.X)
        away, square = sums.sum(axis=0) / n, squares.sum(axis=0) / n
        variance = square - away * away
        scale = np.zeros(len(away))
        # a deviation below 1e-7 of the distance from the first row is rounding of the float32 features
        np.divide(1.0, np.sqrt(np.maximum(variance, 1e-14 * square)), out=scale, where=square > 0)
        return self.X[0] + away, scale

    def _share_out(self, kernel: Callable[..., None], *args: np.ndarray) -> None:
        """Have a kernel go through the blocks."""
        blocks, held = range(len(self.edges)), (self.edges, self.X, *args)
        share_out(kernel, blocks, *held, cells=self.X.size, threshold=_PARALLEL_FROM)
