"""Why a document scores what it scores: steps along its path through each tree.

In every node a tree expects the mean of what its leaves below add, over the training documents that reached
it. Going from a node to its child changes the expectation; the change is booked on the feature the node asks
about. Along a path the changes add up to leaf - root, so over all trees to score - base, where the base is
the start and the expectations of the roots.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...threads import share_out
from .forest import Forest

_BLOCK = 256  # documents at a time
_PARALLEL_FROM = 20_000  # steps of one document down one tree


@njit(nogil=True, cache=True)
def _book_paths(first, last, X, feature, threshold, left, right, value, roots, n_outputs, out):
    """Book the steps of some documents on their features: `out` is outputs × documents × features."""
    for start in range(first, last, _BLOCK):
        for t in range(roots.shape[0]):
            for i in range(start, min(start + _BLOCK, last)):
                node = roots[t]
                while feature[node] >= 0:
                    k = feature[node]
                    child = right[node] if X[i, k] > threshold[node] else left[node]
                    out[t % n_outputs, i, k] += value[child] - value[node]
                    node = child


def contributions(forest: Forest, X: np.ndarray) -> np.ndarray:
    """Return contributions (outputs × documents × features) of a forest."""
    out = np.zeros((forest.n_outputs, *X.shape))
    roots = forest.roots[:-1]
    args = (X, forest.feature, forest.threshold, forest.left, forest.right, forest.value, roots)
    held, cells = (forest.n_outputs, out), len(X) * len(roots)
    share_out(_book_paths, range(len(X) + 1), *args, *held, cells=cells, threshold=_PARALLEL_FROM)
    return out


def expected(forest: Forest) -> np.ndarray:
    """Return what the roots expect, summed by output."""
    return forest.value[forest.roots[:-1]].reshape(-1, forest.n_outputs).sum(axis=0)
