"""Σ max(0, |(s_i − s_j) − (r_i − r_j)| − ε)² over pairs with r_i > r_j: SVRank's loss, slopes and curvature.

With t = s − r a pair's miss is t_i − t_j, the same for every pair of documents: the loss over pairs with
distinct grades is that over all pairs less that over pairs of one grade. Up to 256 documents all pairs of
a query are gone through; longer lists are sorted by t, and what lies beyond ε is then a range at either
end: O(n log n).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from ...threads import share_out
from .pairs import SMALL, PairOrder

_PARALLEL_FROM = 3_000  # documents


class Lists(NamedTuple):
    """The documents of each query, best grade first, as in `PairOrder`, and how they are gone through."""

    grades: np.ndarray
    rows: np.ndarray
    lower: np.ndarray
    offsets: np.ndarray
    epsilon: float
    small: int  # documents up to which all pairs are gone through


@njit(nogil=True, cache=True)
def _slope_small(t, lower, first, epsilon, out):
    """Write the slopes of a query and return its loss."""
    n = t.size
    total = 0.0
    for i in range(n):
        own, added = t[i], 0.0
        for j in range(lower[first + i] - first, n):
            gap = own - t[j]
            beyond = gap - min(max(gap, -epsilon), epsilon)
            added += beyond
            out[j] -= 2.0 * beyond
            total += beyond * beyond
        out[i] += 2.0 * added
    return total


@njit(nogil=True, cache=True)
def _curve_small(t, z, lower, first, epsilon, out):
    n = t.size
    for i in range(n):
        own, change, added = t[i], z[i], 0.0
        for j in range(lower[first + i] - first, n):
            gap = change - z[j] if abs(own - t[j]) > epsilon else 0.0
            added += gap
            out[j] -= 2.0 * gap
        out[i] += 2.0 * added


@njit(nogil=True, cache=True)
def _sweep(t, z, order, epsilon, sign, slopes, out):
    """Add, with a sign, what the pairs of a sorted list with a gap beyond ε say; return their loss.

    `slopes` asks for Σ 2 (gap ∓ ε) of t; without it the answer is Σ 2 (z_i − z_j), the loss meaningless.
    """
    n = order.size
    total, low, low_sum = 0.0, 0, 0.0
    for step in range(n):  # partners further down
        i = order[step]
        while low < n and t[order[low]] < t[i] - epsilon:
            low_sum += z[order[low]]
            low += 1
        beyond = low * z[i] - low_sum - (low * epsilon if slopes else 0.0)
        out[i] += sign * 2.0 * beyond
        total += sign * beyond * (t[i] - epsilon)
    high, high_sum = 0, 0.0
    for step in range(n - 1, -1, -1):  # partners further up
        j = order[step]
        while high < n and t[order[n - 1 - high]] - epsilon > t[j]:
            high_sum += z[order[n - 1 - high]]
            high += 1
        beyond = high_sum - high * z[j] - (high * epsilon if slopes else 0.0)
        out[j] -= sign * 2.0 * beyond
        total -= sign * beyond * t[j]
    return total


@njit(nogil=True, cache=True)
def _sweep_large(t, z, lower, first, epsilon, slopes, out):
    """Sum over all pairs of a query, less those of one grade."""
    n = t.size
    order = np.argsort(t)
    total = _sweep(t, z, order, epsilon, 1.0, slopes, out)
    # the same order for each grade: fill each grade's places in turn
    group, free = np.empty(n, np.int64), np.empty(n, np.int64)
    start = 0
    while start < n:
        stop = lower[first + start] - first
        for i in range(start, stop):
            group[i] = start
        free[start] = start
        start = stop
    within = np.empty(n, np.int64)
    for i in order:
        within[free[group[i]]] = i
        free[group[i]] += 1
    start = 0
    while start < n:
        stop = lower[first + start] - first
        total += _sweep(t, z, within[start:stop], epsilon, -1.0, slopes, out)
        start = stop
    return total


@njit(nogil=True, cache=True)
def _go_through(first, last, chunks, values, change, lists, slopes, out, out_losses):
    """Write slopes (or, of a change, the curvature) at some chunks' documents, and the chunks' losses."""
    grades, rows, lower, offsets, epsilon = (
        lists.grades,
        lists.rows,
        lists.lower,
        lists.offsets,
        lists.epsilon,
    )
    for c in range(first, last):
        total = 0.0
        for q in range(chunks[c], chunks[c + 1]):
            a, n = offsets[q], offsets[q + 1] - offsets[q]
            t, z, p = np.empty(n), np.empty(n), np.zeros(n)
            for i in range(n):
                # measured from the first document: a common shift of the scores means nothing
                t[i] = (values[rows[a + i]] - values[rows[a]]) - (grades[a + i] - grades[a])
                z[i] = change[rows[a + i]] - change[rows[a]]
            if n > lists.small:
                total += _sweep_large(t, t if slopes else z, lower, a, epsilon, slopes, p)
            elif slopes:
                total += _slope_small(t, lower, a, epsilon, p)
            else:
                _curve_small(t, z, lower, a, epsilon, p)
            for i in range(n):
                out[rows[a + i]] = p[i]
        out_losses[c] = total


class SquaredTube:
    """SVRank's pair loss on one data set; ε = 0 is MPRank's."""

    def __init__(self, pairs: PairOrder, epsilon: float, small: int = SMALL) -> None:
        self.pairs = pairs
        self._lists = Lists(pairs.grades, pairs.rows, pairs.lower, pairs.offsets, float(epsilon), small)
        self._scores = np.empty(0)

    def slopes(self, scores: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss, and its slope at each document; `curve` is then about these scores."""
        self._scores = scores
        return self._run(scores, True)

    def curve(self, change: np.ndarray) -> np.ndarray:
        """Return the second derivative times a change of the scores."""
        return self._run(change, False)[1]

    def _run(self, change: np.ndarray, slopes: bool) -> tuple[float, np.ndarray]:
        chunks, out = self.pairs.chunks, np.empty(len(change))
        losses = np.empty(len(chunks) - 1)
        args = (chunks, self._scores, change, self._lists, slopes, out, losses)
        share_out(_go_through, range(len(chunks)), *args, cells=len(change), threshold=_PARALLEL_FROM)
        return float(losses.sum()), out
