"""The order hidden in one feature (paper 001, §2.2): class centers, and places in a list by nearest center.

The definitions, and the decisions where the paper leaves something open, stand with `FeatureRank`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ..data import RankingData
from ..measures.parts.ranking import rank_queries

CENTERS = ("normal", "prior", "middle", "posterior")


@njit(nogil=True, cache=True)
def _measure_centers(values, by_grade, offsets, n_intervals, third, out):
    """Fill in the class centers, class 1 first, NaN for a class without documents.

    `third` 0 takes whole intervals, 1 … 3 their first, middle, last third. Parts have numpy.array_split's
    sizes: the first n % parts of them are one longer. A third that would be empty holds the interval's last
    document: each center is a mean over the same queries.
    """
    used = np.zeros(n_intervals, np.int64)
    out[:] = 0.0
    for q in range(offsets.size - 1):
        n = offsets[q + 1] - offsets[q]
        start = offsets[q]
        for interval in range(n_intervals):
            size = n // n_intervals + (1 if interval < n % n_intervals else 0)
            first, stop = start, start + size
            start = stop
            if third > 0:
                for part in range(third):
                    length = size // 3 + (1 if part < size % 3 else 0)
                    if part == third - 1:
                        stop = first + length
                    else:
                        first += length
                if size > 0 and stop == first:
                    first, stop = start - 1, start
            if stop > first:
                total = 0.0
                for i in range(first, stop):
                    total += values[by_grade[i]]
                out[n_intervals - 1 - interval] += total / (stop - first)
                used[n_intervals - 1 - interval] += 1
    for level in range(n_intervals):
        out[level] = out[level] / used[level] if used[level] > 0 else np.nan


@njit(nogil=True, cache=True)
def _find_class(value, centers, classes):
    """Return the place in `centers` (ascending, distinct) of the nearest one; ties go to the higher class."""
    low, high = 0, centers.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if centers[middle] <= value:
            low = middle
        else:
            high = middle
    to_low, to_high = abs(value - centers[low]), abs(value - centers[high])
    if to_low < to_high or (to_low == to_high and classes[low] > classes[high]):
        return low
    return high


@njit(nogil=True, cache=True)
def _place_documents(values, offsets, order, ends, centers, classes, directions, out):
    """Write each document's place in its query, scaled to [0, 1].

    `order` and `ends` are the query's documents by value, highest first, and the ends of groups of equal
    values; `directions` say for each center whether high (+1) or low (−1) values are good, 0 neither.
    """
    best_first = np.argsort(-classes)
    counts, starts = np.empty(centers.size, np.int64), np.empty(centers.size, np.int64)
    for q in range(offsets.size - 1):
        first, stop = offsets[q], offsets[q + 1]
        counts[:] = 0
        for i in range(first, stop):
            counts[_find_class(values[order[i]], centers, classes)] += 1
        place = 0
        for c in best_first:
            starts[c] = place
            place += counts[c]
        last = max(stop - first - 1, 1)
        done = np.zeros(centers.size, np.int64)
        i = first
        while i < stop:
            c = _find_class(values[order[i]], centers, classes)
            size = ends[i] - i
            if directions[c] > 0:
                where = starts[c] + done[c] + (size - 1) / 2
            elif directions[c] < 0:
                where = starts[c] + counts[c] - done[c] - size + (size - 1) / 2
            else:
                where = starts[c] + (counts[c] - 1) / 2
            done[c] += size
            for j in range(i, ends[i]):
                out[order[j]] = 1.0 - where / last
            i = ends[i]


class WeakRanker:
    """The hidden order of one feature.

    Parameters
    ----------
    feature : int
        The feature's position.
    centers : array of shape (K,)
        C_1 … C_K, NaN for a class without a center.
    """

    def __init__(self, feature: int, centers: np.ndarray) -> None:
        self.feature, self.centers = feature, centers
        there = np.flatnonzero(~np.isnan(centers))
        kept = centers[there]
        # inside a class: towards the next higher one; the highest continues as the one below it
        steps = np.sign(np.diff(kept))
        directions = np.append(steps, steps[-1:]) if len(steps) else np.zeros(len(kept))
        # ascending; of equal centers only the highest class is ever the nearest
        ascending = np.lexsort((-there, kept))
        ascending = ascending[np.r_[True, np.diff(kept[ascending]) > 0]]
        self._sorted = kept[ascending], there[ascending], directions[ascending].astype(np.int64)

    def rank(self, X: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return each document's place in its query, best = 1, last = 0."""
        values = X[:, self.feature].astype(np.float64)
        order, ends = rank_queries(values, offsets, "average")
        out = np.empty(len(values))
        _place_documents(values, offsets, order, ends, *self._sorted, out)
        return out


def class_centers(data: RankingData, feature: int, n_intervals: int, center: str = "normal") -> np.ndarray:
    """Return C_1 … C_K of one feature (the paper's Fig. 1), NaN for a class that no query fills.

    Parameters
    ----------
    data : RankingData
        Where to measure them.
    feature : int
        The feature's position.
    n_intervals : int
        K.
    center : {"normal", "prior", "middle", "posterior"}
        The mean of the whole interval, or of its first, middle or last third.
    """
    by_grade, _ = rank_queries(data.y, data.offsets, "average")
    return measured_centers(data, by_grade, feature, n_intervals, center)


def measured_centers(
    data: RankingData, by_grade: np.ndarray, feature: int, n: int, center: str
) -> np.ndarray:
    """Return the centers; `by_grade` are the rows of each query from the best grade down."""
    out = np.empty(n)
    values = data.X[:, feature].astype(np.float64)
    _measure_centers(values, by_grade, data.offsets, n, CENTERS.index(center), out)
    return out
