"""The risk of LambdaMART: pairs weighed by what exchanging their documents would change NDCG@k.

For a pair (i preferred to j) at the current scores, Δ = h_i - h_j, σ(-Δ) = 1 / (1 + e^Δ) and
    |ΔNDCG@k| = |gain_i - gain_j| |D(place_i) - D(place_j)| / ideal DCG@k,
    D(p) = 1/log2(1 + p) for p <= k, else 0,
is what exchanging the two in the current order (equal scores in file order) would change. Then
    pull_i += |ΔNDCG@k| σ(-Δ),  pull_j -= the same,  curvature of both += |ΔNDCG@k| σ(-Δ) σ(Δ),
so a leaf's Σ pull / Σ curvature is a Newton step. Only pairs with one of their documents among the first k
weigh anything: k · n of a query's n² / 2.

Normalised, as LightGBM does: |ΔNDCG@k| is divided by 0.01 + |Δ| (unless all scores of the query are equal),
so that pairs far apart weigh less, and then all pulls and curvatures of the query by S / log2(1 + S), S twice
the sum of its pairs' forces, so that a query with many pairs weighs less.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numba import njit

from ...data import RankingData
from ...errors import DataError
from ...threads import share_out
from .risk import Risk

_LANES = 8  # pairs weighed at a time
_CHUNKS = 16  # to share out
_PARALLEL_FROM = 2_000  # documents
_RUN = 64  # documents sorted by insertion before merging: from round to round few change places
_FEW = 4112  # documents of a query whose numbers stand in one array
_WIDTH = _FEW + _LANES  # a whole number of lanes, and no power of two
_WHOLE = 1.5 * 2.0**52  # added and taken away it leaves the nearest whole number
_PER_LN2, _LN2, _LN2_REST = 1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10
_SPREAD = 600.0  # scores of a query within this: exponentials are taken by document, not by pair


class Gains(NamedTuple):
    """What NDCG@k counts on one data set."""

    gains: np.ndarray  # by document
    per_ideal: np.ndarray  # one over the ideal DCG, by query; 0 for a query without pairs
    offsets: np.ndarray
    discounts: np.ndarray  # by place; 0 from place k on
    k: int
    normalise: bool


class Slopes(NamedTuple):
    """What a call writes."""

    order: np.ndarray  # of documents; the last call's is near the one now
    pull: np.ndarray
    curvature: np.ndarray
    values: np.ndarray  # NDCG@k by query


@njit(nogil=True, cache=True)
def _sort_descending(keys, rows, other_keys, other_rows, n):
    """Sort the first n keys with their rows, equal keys by row; what is in order already costs one look."""
    for start in range(0, n, _RUN):
        for i in range(start + 1, min(start + _RUN, n)):
            key, row, j = keys[i], rows[i], i
            while j > start and (keys[j - 1] < key or (keys[j - 1] == key and rows[j - 1] > row)):
                keys[j], rows[j] = keys[j - 1], rows[j - 1]
                j -= 1
            keys[j], rows[j] = key, row
    width = _RUN
    while width < n:
        for start in range(0, n - width, 2 * width):
            middle, stop = start + width, min(start + 2 * width, n)
            if keys[middle - 1] > keys[middle]:
                continue
            for i in range(start, middle):
                other_keys[i], other_rows[i] = keys[i], rows[i]
            i, j, to = start, middle, start
            while i < middle:
                first = j == stop or other_keys[i] > keys[j]
                if first or (other_keys[i] == keys[j] and other_rows[i] < rows[j]):
                    keys[to], rows[to] = other_keys[i], other_rows[i]
                    i += 1
                else:
                    keys[to], rows[to] = keys[j], rows[j]
                    j += 1
                to += 1
        width *= 2


@njit(nogil=True, cache=True)
def _fill_sizes(n, bits, room):
    """Write e^(score - best score) of whole lanes of documents into the room: differences are up to 600.

    2^k e^r with k the nearest whole number of ln 2 in x, |r| <= ½ ln 2, and Taylor's series up to r¹³, whose
    rest is below 4e-18. `bits` are those of the room's numbers. Eight at a time: 0.5 ns instead of 3.
    """
    size, force = np.uint64(2 * _WIDTH), np.uint64(6 * _WIDTH)
    top = room[_WIDTH]
    for i in range(np.uint64((n + _LANES - 1) // _LANES * _LANES)):
        x = room[np.uint64(_WIDTH) + i] - top
        k = (x * _PER_LN2 + _WHOLE) - _WHOLE
        r = (x - k * _LN2) - k * _LN2_REST
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        room[size + i] = p * r + 1.0
        bits[force + i] = (np.int64(k) + 1023) << 52
    for i in range(np.uint64((n + _LANES - 1) // _LANES * _LANES)):
        room[size + i] *= room[force + i]


@njit(nogil=True, cache=True, error_model="numpy")
def _weigh_near(a, n, per_ideal, apart, room):
    """Take the document at place a against each one behind it, their scores being near one another.

    `room` has gains, scores, sizes (exponentials of the scores) and discounts, then what documents got of
    pull and curvature, then the force and the curvature of this row's pairs, each `_WIDTH` places on: so the
    compiler knows that nothing read has just been written, and one loop without a branch, an exponential or a
    check of a division does it all, for eight pairs at a time. It goes on to whole lanes: what it writes
    behind the last document is not read. A row of some 45 pairs takes 30 ns; 90 with an array for each, and a
    loop for every two of them.
    """
    key, size, discount = np.uint64(_WIDTH), np.uint64(2 * _WIDTH), np.uint64(3 * _WIDTH)
    pull, bend = np.uint64(4 * _WIDTH), np.uint64(5 * _WIDTH)
    force, curve = np.uint64(6 * _WIDTH), np.uint64(7 * _WIDTH)
    ahead, top, own = room[a], room[_WIDTH + a], room[2 * _WIDTH + a]
    nearer, behind = room[3 * _WIDTH + a], np.uint64(a + 1)
    for b in range(behind, behind + np.uint64((n - a - 2 + _LANES) // _LANES * _LANES)):
        worth, other = ahead - room[b], room[size + b]
        weight = abs(worth) * (nearer - room[discount + b]) * per_ideal
        if apart:  # both quotients from one division
            gap = 0.01 + abs(top - room[key + b])
            both = 1.0 / ((own + other) * gap)
            weight, share = weight * (own + other) * both, gap * both
        else:
            share = 1.0 / (own + other)
        pulled = weight * (other if worth > 0.0 else -own) * share
        bent = weight * (own * share) * (other * share)
        room[force + b], room[curve + b] = pulled, bent
        room[pull + b] -= pulled
        room[bend + b] += bent


@njit(nogil=True, cache=True)
def _weigh_far(a, n, gain, key, discounts, per_ideal, apart, out_force, out_curve):
    """Write the same where scores are so far apart that an exponential is taken for each pair."""
    for b in range(a + 1, n):
        worth = gain[a] - gain[b]
        weight = abs(worth) * (discounts[a] - discounts[b]) * per_ideal
        if apart:
            weight /= 0.01 + abs(key[a] - key[b])
        behind = 1.0 / (1.0 + np.exp(min(key[a] - key[b], 700.0)))
        out_force[b] = weight * (behind if worth > 0.0 else behind - 1.0)
        out_curve[b] = weight * behind * (1.0 - behind)


@njit(nogil=True, cache=True)
def _pull_near(n, k, gain, key, discounts, per_ideal, apart, room, out_pull, out_bend):
    """Write pulls and curvatures of a query's documents in their order; return Σ 2 |force| where apart."""
    for i in range(n):
        room[i], room[_WIDTH + i] = gain[i], key[i]
    for i in range(n, n + _LANES):
        room[i], room[_WIDTH + i], room[2 * _WIDTH + i] = 0.0, key[n - 1], 1.0
    _fill_sizes(n, room.view(np.int64), room)
    for i in range(n + _LANES):
        room[3 * _WIDTH + i] = discounts[i]
        room[4 * _WIDTH + i] = room[5 * _WIDTH + i] = 0.0
    forces = 0.0
    for a in range(min(k, n)):
        _weigh_near(a, n, per_ideal, apart, room)
        # Each sum waits for its last addition: sums that are taken together wait together.
        pull, bend, force = 0.0, 0.0, 0.0
        first = np.uint64(6 * _WIDTH + a + 1)
        for b in range(first, first + np.uint64(n - a - 1)):
            pull += room[b]
            bend += room[b + np.uint64(_WIDTH)]
            force += abs(room[b])
        room[4 * _WIDTH + a] += pull
        room[5 * _WIDTH + a] += bend
        forces += 2.0 * force
    for i in range(n):
        out_pull[i], out_bend[i] = room[4 * _WIDTH + i], room[5 * _WIDTH + i]
    return forces


@njit(nogil=True, cache=True)
def _pull_far(n, k, gain, key, discounts, per_ideal, apart, force, curve, out_pull, out_bend):
    """Write the same where scores are far apart, or documents very many."""
    for i in range(n):
        out_pull[i] = out_bend[i] = 0.0
    forces = 0.0
    for a in range(min(k, n)):
        _weigh_far(a, n, gain, key, discounts, per_ideal, apart, force, curve)
        for b in range(a + 1, n):
            out_pull[a] += force[b]
            out_pull[b] -= force[b]
            out_bend[a] += curve[b]
            out_bend[b] += curve[b]
            forces += 2.0 * abs(force[b])
    return forces


@njit(nogil=True, cache=True)
def _pull_queries(first, last, h, ndcg, slopes, out):
    """Write NDCG@k of some queries, and pulls and curvatures if wanted."""
    gains, per_ideal, offsets, discounts = ndcg.gains, ndcg.per_ideal, ndcg.offsets, ndcg.discounts
    k, normalise = ndcg.k, ndcg.normalise
    largest = 0
    for q in range(first, last):
        largest = max(largest, offsets[q + 1] - offsets[q])
    key, other_key = np.empty(largest), np.empty(largest)
    rows, other_rows = np.empty(largest, np.int64), np.empty(largest, np.int64)
    gain, pull, bend = np.empty(largest), np.empty(largest), np.empty(largest)
    force, curve = np.empty(largest), np.empty(largest)
    room = np.zeros(8 * _WIDTH if slopes else 0)
    for q in range(first, last):
        start, n = offsets[q], offsets[q + 1] - offsets[q]
        out.values[q] = 0.0
        if per_ideal[q] <= 0.0:
            if slopes:
                out.pull[start : start + n] = 0.0
                out.curvature[start : start + n] = 0.0
            continue
        for i in range(n):
            rows[i] = out.order[start + i]
            key[i] = h[rows[i]]
        _sort_descending(key, rows, other_key, other_rows, n)
        for i in range(n):
            out.order[start + i] = rows[i]
            gain[i] = gains[rows[i]]
        for a in range(min(k, n)):
            out.values[q] += gain[a] * discounts[a] * per_ideal[q]
        if not slopes:
            continue
        apart, held = normalise and key[0] != key[n - 1], (gain, key, discounts, per_ideal[q])
        if n <= _FEW and key[0] - key[n - 1] < _SPREAD:
            forces = _pull_near(n, k, *held, apart, room, pull, bend)
        else:
            forces = _pull_far(n, k, *held, apart, force, curve, pull, bend)
        scale = np.log2(1.0 + forces) / forces if normalise and forces > 0.0 else 1.0
        for i in range(n):
            out.pull[rows[i]] = scale * pull[i]
            out.curvature[rows[i]] = scale * bend[i]


class SwapRisk(Risk):
    """The slopes of pairwise logistic losses, weighed by what an exchange would change NDCG@k."""

    leaf_floor = 1e-10

    def __init__(self, data: RankingData, k: int, normalise: bool = False) -> None:
        super().__init__(data)
        self.curvature = self._bend = np.empty_like(self.pull)
        self.k = k
        sizes = np.diff(data.offsets)
        query = np.repeat(np.arange(data.n_queries), sizes)
        # Grades beyond 500 have their query's gains divided by a power of two: the ratio is the same.
        top = np.maximum.reduceat(data.y, data.offsets[:-1])
        scale = np.where(top > 500.0, top, 0.0)[query]
        gains = np.exp2(data.y - scale) - np.exp2(-scale)
        ranks = np.arange(1, sizes.max(initial=1) + 1 + _LANES)
        discounts = np.where(ranks <= k, 1.0 / np.log2(1.0 + ranks), 0.0)
        best = np.lexsort((-data.y, query))
        place = np.arange(data.n_docs) - np.repeat(data.offsets[:-1], sizes)
        ideal = np.add.reduceat(gains[best] * discounts[place], data.offsets[:-1])
        mixed = np.minimum.reduceat(data.y, data.offsets[:-1]) < top
        per_ideal = np.divide(1.0, ideal, out=np.zeros_like(ideal), where=mixed & (ideal > 0.0))
        self._n_mixed = np.count_nonzero(per_ideal)
        self._ndcg = Gains(gains, per_ideal, data.offsets, discounts, k, normalise)
        chunks = np.searchsorted(data.offsets, np.linspace(0, data.n_docs, _CHUNKS + 1)).astype(np.int64)
        self._chunks = np.minimum(chunks, data.n_queries)
        self._order, self._values = np.arange(data.n_docs), np.empty(data.n_queries)

    def require_pairs(self) -> None:
        """Refuse data without a pair."""
        if not self._n_mixed:
            raise DataError(
                "LambdaMART learns from pairs, and no query has two documents of distinct grades",
                "give at least one query whose documents differ in grade",
            )

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set pulls and curvatures; return 1 - NDCG@k."""
        return {"loss": self._take(h, True)}

    def curves(self, h: np.ndarray) -> dict[str, float]:
        """Return 1 - NDCG@k."""
        return {"loss": self._take(h, False)}

    def _take(self, h: np.ndarray, slopes: bool) -> float:
        args = (h[0], self._ndcg, slopes, Slopes(self._order, self.pull[0], self._bend[0], self._values))
        share_out(_pull_queries, self._chunks, *args, cells=self.data.n_docs, threshold=_PARALLEL_FROM)
        return 1.0 - self._values.sum() / self._n_mixed if self._n_mixed else np.nan

    def on(self, data: RankingData) -> Self:
        """Return it on another data set."""
        return type(self)(data, self.k, self._ndcg.normalise)
