"""Why a document scores what it scores: steps along its path through each tree.

In every node a tree expects the mean of what its leaves below add, over the training documents that reached
it. Going from a node to its child changes the expectation; the change is booked on the feature the node asks
about. Along a path the changes add up to leaf - root, so over all trees to score - base, where the base is
the start and the expectations of the roots.
"""

from __future__ import annotations

import numpy as np
from numba import njit, prange

from ...threads import may_run_parallel
from .forest import Forest

_BLOCK = 256


@njit(nogil=True, cache=True)
def _book_paths(first, last, X, feature, threshold, left, right, value, roots, n_outputs, out):
    """Book the steps of some documents on their features: `out` is outputs × documents × features."""
    for t in range(roots.shape[0]):
        for i in range(first, last):
            node = roots[t]
            while feature[node] >= 0:
                k = feature[node]
                child = right[node] if X[i, k] > threshold[node] else left[node]
                out[t % n_outputs, i, k] += value[child] - value[node]
                node = child


@njit(parallel=True, nogil=True, cache=True)
def _book_paths_parallel(block, X, feature, threshold, left, right, value, roots, n_outputs, out):
    for step in prange((X.shape[0] + block - 1) // block):
        first = np.int64(step) * block
        last = min(first + block, X.shape[0])
        _book_paths(first, last, X, feature, threshold, left, right, value, roots, n_outputs, out)


def contributions(forest: Forest, X: np.ndarray) -> np.ndarray:
    """Return contributions (outputs × documents × features) of a forest."""
    out = np.zeros((forest.n_outputs, *X.shape))
    roots = forest.roots[:-1]
    args = (forest.feature, forest.threshold, forest.left, forest.right, forest.value, roots)
    with may_run_parallel(len(X) * len(roots)) as parallel:
        if parallel:
            _book_paths_parallel(_BLOCK, X, *args, forest.n_outputs, out)
        else:
            _book_paths(0, len(X), X, *args, forest.n_outputs, out)
    return out


def expected(forest: Forest) -> np.ndarray:
    """Return what the roots expect, summed by output."""
    return forest.value[forest.roots[:-1]].reshape(-1, forest.n_outputs).sum(axis=0)
