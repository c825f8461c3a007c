"""Standardising: the mean and the deviation of each feature over the training documents."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _measure_columns(X, mean, scale):
    """Fill in each feature's mean and 1/deviation; 0 for a feature that never changes."""
    n, d = X.shape
    low, high = X[0].copy(), X[0].copy()
    mean[:] = 0.0
    for i in range(n):
        for k in range(d):
            mean[k] += X[i, k]
            low[k] = min(low[k], X[i, k])
            high[k] = max(high[k], X[i, k])
    for k in range(d):
        mean[k] /= n
    scale[:] = 0.0
    for i in range(n):
        for k in range(d):
            away = X[i, k] - mean[k]
            scale[k] += away * away
    for k in range(d):
        # Compared exactly: the computed deviation of a constant feature is rounding noise, not zero.
        if low[k] == high[k]:
            mean[k], scale[k] = low[k], 0.0
        else:
            scale[k] = 1.0 / np.sqrt(scale[k] / n)


def standardiser(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and 1/deviation of each feature.

    A feature that never changes in training gets scale 0: it says nothing, whatever its value later.
    """
    mean, scale = np.empty(X.shape[1]), np.empty(X.shape[1])
    _measure_columns(X, mean, scale)
    return mean, scale
