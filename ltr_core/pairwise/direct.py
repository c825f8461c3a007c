"""Pair weights exp(-d Δ) one by one: for grades so many that every pair has a distance of its own.

No list of pairs is kept: distances and weights are worked out on the fly, a document against those below it.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..distances import FittedDistance
from .layout import PairLayout

_KINDS = {"binary": 0, "ldd": 1, "logdd": 2, "logitdd": 3, "table": 4}


@njit(nogil=True, cache=True)
def _distance(kind, value, table, high, low, high_code, low_code):
    t = high - low
    if kind == 0:
        return 1.0
    if kind == 1:
        return value * t
    if kind == 2:
        return np.log1p(value * t)
    if kind == 3:
        return 1.0 / (1.0 + np.exp(-value * t))
    return table[high_code, low_code]


@njit(nogil=True, cache=True)
def _find_largest(F, y, codes, offsets, kind, value, table):
    """Return the largest exponent -d Δ of all pairs."""
    largest = -np.inf
    for q in range(offsets.size - 1):
        for i in range(offsets[q], offsets[q + 1]):
            for j in range(i + 1, offsets[q + 1]):
                if codes[i] != codes[j]:
                    d = _distance(kind, value, table, y[i], y[j], codes[i], codes[j])
                    largest = max(largest, -d * (F[i] - F[j]))
    return largest


@njit(nogil=True, cache=True)
def _sum_weights(F, y, codes, offsets, kind, value, table, shift):
    """Return Σ exp(-d Δ - shift) and the number of pairs with F_i <= F_j."""
    total, wrong = 0.0, 0
    for q in range(offsets.size - 1):
        for i in range(offsets[q], offsets[q + 1]):
            row = 0.0
            for j in range(i + 1, offsets[q + 1]):
                if codes[i] != codes[j]:
                    d = _distance(kind, value, table, y[i], y[j], codes[i], codes[j])
                    row += np.exp(-d * (F[i] - F[j]) - shift)
                    wrong += F[i] <= F[j]
            total += row
    return total, wrong


@njit(nogil=True, cache=True)
def _sweep_feature(bins, n_bins, F, y, codes, offsets, kind, value, table, shift, power, out_n, out_d):
    """Write N and D at each threshold of one feature; D sums w dᵖ."""
    out_n[:] = 0.0
    out_d[:] = 0.0
    for q in range(offsets.size - 1):
        for i in range(offsets[q], offsets[q + 1]):
            for j in range(i + 1, offsets[q + 1]):
                if codes[i] != codes[j] and bins[i] != bins[j]:
                    d = _distance(kind, value, table, y[i], y[j], codes[i], codes[j])
                    w = np.exp(-d * (F[i] - F[j]) - shift)
                    low, high, sign = bins[j], bins[i], 1.0
                    if low > high:
                        low, high, sign = high, low, -1.0
                    out_n[low] += sign * w * d
                    out_n[high] -= sign * w * d
                    w *= d**power
                    out_d[low] += w
                    out_d[high] -= w
    for b in range(1, n_bins):
        out_n[b] += out_n[b - 1]
        out_d[b] += out_d[b - 1]


class DirectWeights:
    """The weights exp(-d Δ) of all pairs at the current scores."""

    def __init__(self, layout: PairLayout, distance: FittedDistance) -> None:
        self.layout = layout
        self.scores = np.zeros(len(layout.rows))
        y = layout.grades.grades[layout.codes]
        table = np.zeros((0, 0))
        if distance.table is not None:
            grades = layout.grades.grades
            table = distance.between(*np.meshgrid(grades, grades, indexing="ij"))
        self._pairs = (y, layout.codes, layout.offsets, _KINDS[distance.name], distance.value, table)
        self._weigh()

    def _weigh(self) -> None:
        self.shift = _find_largest(self.scores, *self._pairs)
        self.total, wrong = _sum_weights(self.scores, *self._pairs, self.shift)
        self.misorder = wrong / self.layout.n_pairs
        self.log_loss = self.shift + np.log(self.total) - np.log(self.layout.n_pairs)

    def add(self, above: np.ndarray, value: float) -> None:
        """Add a value to the scores of some documents."""
        self.scores[above] += value
        self._weigh()

    def sweep(self, bins: np.ndarray, n_bins: int, newton: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return N and D at each threshold of a feature, with weights that sum to 1."""
        N, D = np.zeros(n_bins), np.zeros(n_bins)
        _sweep_feature(bins, n_bins, self.scores, *self._pairs, self.shift, 2 if newton else 0, N, D)
        return N[:-1] / self.total, D[:-1] / self.total
