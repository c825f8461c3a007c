"""QBRank's squared hinge over all pairs of all queries, without ever listing a pair.

With u = margin·grade - h (margin 1 or 0) a pair (i preferred to j) is violated by v = u_i - u_j + τ where
that is positive. Sorted by u, the documents violated against i are a run from the lowest on; among them
those of a lower grade are a prefix of the grades. So a query costs O(n log n): walk up u, put each document's
count and u into a binary indexed tree over the query's grades, and ask it for sums over lower grades.

    Σ_j v_ij = n_i (u_i + τ) - Σ_j u_j,        Σ v² = Σ_i (u_i + τ) Σ_j v_ij - Σ_j u_j Σ_i v_ij

The order is kept from call to call: between two rounds it hardly changes, and sorting it again costs little.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from ...data import RankingData
from ...threads import share_out

_CHUNKS = 16  # to share out; scratch is allocated once in each
_PARALLEL_FROM = 2_000  # documents
_RUN = 64  # documents sorted by insertion before merging: from round to round few change places


@njit(nogil=True, cache=True)
def _sort_ascending(keys, places, other_keys, other_places, n):
    """Sort the first n keys with their places, in place; what is in order already costs one look."""
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            key, place, j = keys[i], places[i], i
            while j > start and keys[j - 1] > key:
                keys[j], places[j] = keys[j - 1], places[j - 1]
                j -= 1
            keys[j], places[j] = key, place
    width = _RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            middle, stop = start + width, min(start + 2 * width, n)
            if keys[middle - 1] <= keys[middle]:
                continue
            for i in range(start, middle):
                other_keys[i], other_places[i] = keys[i], places[i]
            i, j, to = start, middle, start
            while i < middle:
                if j < stop and keys[j] < other_keys[i]:
                    keys[to], places[to] = keys[j], places[j]
                    j += 1
                else:
                    keys[to], places[to] = other_keys[i], other_places[i]
                    i += 1
                to += 1
        width *= 2


@njit(nogil=True, cache=True)
def _load_query(start, stop, u, order, keys, places, other_keys, other_places):
    """Bring a query's u into ascending order, counted from the first document's: less rounding."""
    n, zero = stop - start, u[start]
    for p in range(n):
        places[p] = order[start + p]
        keys[p] = u[places[p]] - zero
    _sort_ascending(keys, places, other_keys, other_places, n)
    for p in range(n):
        order[start + p] = places[p]
    return n


@njit(nogil=True, cache=True)
def _pull_queries(first, last, u, tau, codes, n_codes, offsets, order, out_pull, out_values):
    """For some queries write Σ v of each document, signed as a pull on its score, and the query's Σ v²."""
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    places, other_places = np.empty(largest, np.int64), np.empty(largest, np.int64)
    counts, sums = np.empty(largest + 1, np.int64), np.empty(largest + 1)
    for q in range(first, last):
        out_values[q] = 0.0
        top = n_codes[q]
        if top < 2:
            for i in range(offsets[q], offsets[q + 1]):
                out_pull[i] = 0.0
            continue
        n = _load_query(offsets[q], offsets[q + 1], u, order, keys, places, other_keys, other_places)
        value = 0.0
        counts[: top + 1] = 0
        sums[: top + 1] = 0.0
        entered = 0
        for p in range(n):  # each document against those of lower grades
            reach = keys[p] + tau
            while entered < n and keys[entered] < reach:
                c = codes[places[entered]] + 1
                while c <= top:
                    counts[c] += 1
                    sums[c] += keys[entered]
                    c += c & -c
                entered += 1
            c, number, total = codes[places[p]], 0, 0.0
            while c > 0:
                number += counts[c]
                total += sums[c]
                c -= c & -c
            violation = reach * number - total
            out_pull[places[p]] = violation
            value += reach * violation
        counts[: top + 1] = 0
        sums[: top + 1] = 0.0
        entered = n - 1
        for p in range(n - 1, -1, -1):  # each document against those of higher grades
            while entered >= 0 and keys[entered] + tau > keys[p]:
                c = top - codes[places[entered]]
                while c <= top:
                    counts[c] += 1
                    sums[c] += keys[entered] + tau
                    c += c & -c
                entered -= 1
            c, number, total = top - 1 - codes[places[p]], 0, 0.0
            while c > 0:
                number += counts[c]
                total += sums[c]
                c -= c & -c
            violation = total - keys[p] * number
            out_pull[places[p]] -= violation
            value -= keys[p] * violation
        out_values[q] = value


@njit(nogil=True, cache=True)
def _bend_queries(first, last, u, g, tau, codes, n_codes, offsets, order, out):
    """For some queries write first and second derivative of ½ Σ v² as u moves by -g."""
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    keys, other_keys = np.empty(largest), np.empty(largest)
    places, other_places = np.empty(largest, np.int64), np.empty(largest, np.int64)
    sums = np.empty((largest + 1, 5))
    for q in range(first, last):
        out[q, 0] = out[q, 1] = 0.0
        top = n_codes[q]
        if top < 2:
            continue
        n = _load_query(offsets[q], offsets[q + 1], u, order, keys, places, other_keys, other_places)
        sums[: top + 1] = 0.0
        slope, bend, entered = 0.0, 0.0, 0
        for p in range(n):
            reach, own = keys[p] + tau, g[places[p]]
            while entered < n and keys[entered] < reach:
                move = g[places[entered]]
                c = codes[places[entered]] + 1
                while c <= top:
                    sums[c, 0] += 1.0
                    sums[c, 1] += keys[entered]
                    sums[c, 2] += move
                    sums[c, 3] += keys[entered] * move
                    sums[c, 4] += move * move
                    c += c & -c
                entered += 1
            c = codes[places[p]]
            number, total, moves, products, squares = 0.0, 0.0, 0.0, 0.0, 0.0
            while c > 0:
                number += sums[c, 0]
                total += sums[c, 1]
                moves += sums[c, 2]
                products += sums[c, 3]
                squares += sums[c, 4]
                c -= c & -c
            slope += reach * (moves - own * number) - products + own * total
            bend += squares - 2.0 * own * moves + own * own * number
        out[q, 0], out[q, 1] = slope, bend


class Preferences:
    """The pairs of a data set, and the squared hinge over them.

    Attributes
    ----------
    n_pairs_of : int64 array (n_docs,)
        In how many pairs each document is.
    one_grade : bool array (n_docs,)
        Whether all documents of its query share one grade.
    """

    def __init__(self, data: RankingData, margin: str | float) -> None:
        self._offsets = data.offsets
        self._goal = data.y if margin == "grade" else np.zeros(data.n_docs)
        self._tau = 0.0 if margin == "grade" else float(margin)
        sizes = np.diff(data.offsets)
        query = np.repeat(np.arange(data.n_queries), sizes)
        rows = np.lexsort((data.y, query))
        new_query = np.r_[True, np.diff(query) != 0]
        segment = np.cumsum(new_query | np.r_[True, np.diff(data.y[rows]) != 0]) - 1
        first = segment[data.offsets[:-1]]
        self._codes = np.empty(data.n_docs, np.int64)
        self._codes[rows] = segment - first[query]
        self._n_codes = np.diff(np.r_[first, segment[-1] + 1])
        self.n_pairs_of = np.empty(data.n_docs, np.int64)
        self.n_pairs_of[rows] = sizes[query] - np.bincount(segment)[segment]
        self.one_grade = (self._n_codes == 1)[query]
        self._order, self._u = np.arange(data.n_docs), np.empty(data.n_docs)
        chunks = np.searchsorted(data.offsets, np.linspace(0, data.n_docs, _CHUNKS + 1)).astype(np.int64)
        self._chunks = np.minimum(chunks, data.n_queries)
        self._values, self._bends = np.empty(data.n_queries), np.empty((data.n_queries, 2))

    def pull(self, h: np.ndarray, out: np.ndarray) -> float:
        """Write minus the slope of ½ Σ v² at the scores h and return Σ v²."""
        args = (self._goal - h, self._tau, self._codes, self._n_codes, self._offsets, self._order)
        taken = (*args, out, self._values)
        share_out(_pull_queries, self._chunks, *taken, cells=len(h), threshold=_PARALLEL_FROM)
        return float(self._values.sum())

    def bend(self, h: np.ndarray, g: np.ndarray, s: float = 0.0) -> tuple[float, float]:
        """Return first and second derivative of ½ Σ v² at h + s · g along g."""
        u = np.multiply(g, s, out=self._u)
        u += h
        np.subtract(self._goal, u, out=u)
        args = (u, g, self._tau, self._codes, self._n_codes, self._offsets, self._order)
        share_out(_bend_queries, self._chunks, *args, self._bends, cells=len(h), threshold=_PARALLEL_FROM)
        first, second = self._bends.sum(axis=0)
        return float(first), float(second)
