"""The grades of a data set and how its pairs fall on them: all that a distance needs to know."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from .. import stopping
from ..sums import dot
from ..threads import share_out
from .formulas import magnitude

KINDS = ("binary", "ldd", "logdd", "logitdd")  # the formulas a kernel knows, by position
_PARALLEL_FROM = 50_000  # pairs
MANY_GRADES = 64  # with more distinct grades pairs are not counted by grade pair


@njit(nogil=True, cache=True)
def _count_pairs(codes, offsets, out):
    """Add the pairs of the queries to the counts: better grade the row, worse grade the column."""
    n_grades = out.shape[0]
    sizes = np.empty(n_grades, dtype=np.int64)
    for q in range(offsets.size - 1):
        for a in range(n_grades):
            sizes[a] = 0
        for i in range(offsets[q], offsets[q + 1]):
            sizes[codes[i]] += 1
        for a in range(n_grades):
            if sizes[a]:
                for b in range(a):
                    out[a, b] += sizes[a] * sizes[b]


@njit(nogil=True, cache=True)
def _sum_magnitudes(y, start, stop, kind, value):
    """Sum g(gap) over the pairs of one query whose grades are sorted.

    One logarithm for eight pairs, that of their product, where it can neither overflow nor be so near to 1
    that digits are lost: a calibration asks for the sum a dozen times (90 million pairs in 0.07 s, not 0.4).
    """
    total = 0.0
    together = kind == 2 and 0.01 < value * (y[stop - 1] - y[start]) < 1e30
    for i in range(start, stop):
        row, first = 0.0, start
        if together:
            first = i - (i - start) % 8
            for j in range(start, first, 8):
                product = 1.0
                for k in range(j, j + 8):
                    product *= 1.0 + value * (y[i] - y[k])
                row += np.log(product)
        for j in range(first, i):
            t = y[i] - y[j]
            if t > 0.0:
                if kind == 0:
                    row += value
                elif kind == 1:
                    row += value * t
                elif kind == 2:
                    row += np.log1p(value * t)
                else:
                    row += 1.0 / (1.0 + np.exp(-value * t))
        total += row
    return total


@njit(nogil=True, cache=True)
def _sum_queries(first, last, y, offsets, kind, value, out):
    for q in range(first, last):
        out[q] = _sum_magnitudes(y, offsets[q], offsets[q + 1], kind, value)


class PairGrades:
    """The grades of a data set and how its pairs fall on them.

    Attributes
    ----------
    grades : float64 array (K,)
        The distinct grades in order.
    codes : int32 array (n_docs,)
        The position of each document's grade in `grades`.
    counts : int64 array (K, K), or None with more than 64 grades
        How many pairs have the row's grade as their better one and the column's as their worse one.
    n_pairs : int
        How many pairs there are.
    """

    def __init__(self, y: np.ndarray, offsets: np.ndarray) -> None:
        self.offsets = np.asarray(offsets, dtype=np.int64)
        self.grades, codes = np.unique(np.asarray(y, dtype=np.float64) + 0.0, return_inverse=True)
        self.codes = codes.astype(np.int32)
        self.counts: np.ndarray | None = None
        if len(self.grades) <= MANY_GRADES:
            self.counts = np.zeros((len(self.grades), len(self.grades)), dtype=np.int64)
            _count_pairs(self.codes, self.offsets, self.counts)
            self.n_pairs = int(self.counts.sum())
        else:
            query = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
            self._sorted = self.grades[self.codes[np.lexsort((self.codes, query))]]
            same = np.unique(query * len(self.grades) + self.codes, return_counts=True)[1]
            sizes = np.diff(self.offsets)
            self.n_pairs = int((sizes * (sizes - 1) // 2).sum() - (same * (same - 1) // 2).sum())

    def mean(self, name: str, value: float) -> float:
        """Return the mean of |dist| over the pairs."""
        if self.counts is not None:
            gaps = np.abs(self.grades[:, None] - self.grades[None, :])
            return float((self.counts * magnitude(name, gaps, value)).sum() / self.n_pairs)
        sums = np.empty(len(self.offsets) - 1)
        kind = KINDS.index(name)
        args = (self._sorted, self.offsets, kind, value, sums)
        share_out(_sum_queries, range(len(sums) + 1), *args, cells=self.n_pairs, threshold=_PARALLEL_FROM)
        return float(sums.sum() / self.n_pairs)

    def summarise(
        self, distance: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> tuple[float, float, float]:
        """Return mean, least and largest |dist| over the pairs, for grades too many to be counted."""
        total, least, largest = 0.0, np.inf, 0.0
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            grades, counts = np.unique(self._sorted[start:stop], return_counts=True)
            stopping.look()
            for k in range(1, len(grades)):  # a row at a time: a query may have thousands of grades
                sizes = np.abs(distance(np.full(k, grades[k]), grades[:k]))
                total += counts[k] * dot(sizes, counts[:k])
                least, largest = min(least, sizes.min()), max(largest, sizes.max())
        return total / self.n_pairs, float(least), float(largest)

    def gap_range(self) -> tuple[float, float]:
        """Return the smallest and the largest gap between the grades of a pair."""
        if self.counts is not None:
            gaps = (self.grades[:, None] - self.grades[None, :])[self.counts > 0]
            return float(gaps.min()), float(gaps.max())
        steps = np.diff(self._sorted)
        steps[self.offsets[1:-1] - 1] = 0.0  # from one query to the next
        first, last = self.offsets[:-1], self.offsets[1:] - 1
        return float(steps[steps > 0].min()), float((self._sorted[last] - self._sorted[first]).max())
