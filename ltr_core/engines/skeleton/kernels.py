"""What documents have towards the points of skeletons, and the sums of pairs that come of it.

A link's rows are its better documents, then its worse ones; a row holds a number for each point, filled up
with zeros to whole vectors. A better document i has its weights towards J, a worse one j has w(I, J)⁻¹ times
the weights of I towards it, so that w_ij is the product of the two rows. Distances, or powers of them, times
the first row give Σ w d and the like: they go with the weights wherever the same function of the distance
does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

LANES = 4  # numbers of a row that are summed side by side


class Rows(NamedTuple):
    """Links of cells, the rows of their documents, and what skeletons are needed for."""

    better: np.ndarray  # (n_links, 2): from which document to which
    worse: np.ndarray
    firsts: (
        np.ndarray
    )  # (n_links + 1,): where each link's rows start, its better documents' before the others'
    bases: np.ndarray  # (n_rows,): where each row's numbers start; those of one document stand together
    kinds: np.ndarray  # (n_links,): which skeleton
    sizes: np.ndarray  # (n_kinds,): points of each, and
    lengths: np.ndarray  # those filled up to whole vectors
    better_scores: np.ndarray  # (n_kinds, most points): scores of the points
    worse_scores: np.ndarray
    columns: np.ndarray  # (n_kinds, most points, most points): as `Skeleton` has them
    middles: np.ndarray  # (n_kinds,)
    distances: np.ndarray  # of the documents to the points of the other cell


class Turns(NamedTuple):
    """The rows of each document."""

    firsts: np.ndarray  # (n + 1,): where those of a document start
    links: np.ndarray  # twice the link, 1 more where the document is a worse one
    bases: np.ndarray  # where the row starts, in numbers


@njit(nogil=True, cache=True)
def _fill_better(F, distances, scores, middle, out):
    for m in range(scores.size):
        out[m] = np.exp(-(distances[m] - middle) * (F - scores[m]) - middle * F)


@njit(nogil=True, cache=True)
def _fill_worse(F, distances, scores, middle, columns, out):
    k = scores.size
    for m in range(k):
        out[m] = np.exp((distances[m] - middle) * (F - scores[m]) + middle * F)
    for m in range(k):
        x, column = out[m], columns[m]
        for n in range(m + 1, k):
            out[n] -= column[n] * x
    for m in range(k - 1, -1, -1):
        column = columns[m]
        x = out[m] / column[m]
        out[m] = x
        for n in range(m):
            out[n] -= column[n] * x


@njit(nogil=True, cache=True)
def _fill_rows(first, last, F, rows, stop, out):
    """Write rows first to last, from scores measured from the middle of their query's."""
    for link in range(rows.kinds.size):
        start = rows.firsts[link]
        if last <= start or rows.firsts[link + 1] <= first:
            continue
        kind = rows.kinds[link]
        k, middle = rows.sizes[kind], rows.middles[kind]
        n_better = rows.better[link, 1] - rows.better[link, 0]
        for r in range(max(first, start) - start, min(last, rows.firsts[link + 1]) - start):
            if stop[0]:
                return
            base = rows.bases[start + r]
            d, own = rows.distances[base : base + k], out[base : base + k]
            if r < n_better:
                x = F[rows.better[link, 0] + r]
                _fill_better(x, d, rows.worse_scores[kind, :k], middle, own)
            else:
                x = F[rows.worse[link, 0] + r - n_better]
                _fill_worse(x, d, rows.better_scores[kind, :k], middle, rows.columns[kind], own)


@njit(nogil=True, cache=True)
def _sum_links(first, last, above, rows, weights, out):
    """Write each link's sums, of documents below and above: those of the worse ones behind, before them those
    of the better ones times as many powers of the distance as there is room for."""
    n_powers = out.shape[2] - 1
    for link in range(first, last):
        length = rows.lengths[rows.kinds[link]]
        sums, row = out[link], rows.firsts[link]
        sums[:] = 0.0
        for i in range(rows.better[link, 0], rows.better[link, 1]):
            side, base = sums[np.int64(above[i])], rows.bases[row]
            for m in range(length):
                x = weights[base + m]
                for power in range(n_powers):
                    side[power, m] += x
                    x *= rows.distances[base + m]
            row += 1
        for j in range(rows.worse[link, 0], rows.worse[link, 1]):
            side, base = sums[np.int64(above[j]), n_powers], rows.bases[row]
            for m in range(length):
                side[m] += weights[base + m]
            row += 1


@njit(nogil=True, cache=True)
def _pull_documents(first, last, rows, turns, weights, sums, out):
    """Add to documents' pulls: Σ w d where they are the better ones, less that where the worse."""
    n_powers = sums.shape[2] - 1
    for i in range(first, last):
        pull = 0.0
        for turn in range(turns.firsts[i], turns.firsts[i + 1]):
            link, is_worse, base = turns.links[turn] >> 1, turns.links[turn] & 1, turns.bases[turn]
            length = rows.lengths[rows.kinds[link]]
            if is_worse:
                for m in range(length):
                    pull -= weights[base + m] * (sums[link, 0, 1, m] + sums[link, 1, 1, m])
            else:
                for m in range(length):
                    both = sums[link, 0, n_powers, m] + sums[link, 1, n_powers, m]
                    pull += weights[base + m] * rows.distances[base + m] * both
        out[i] += pull


@njit(nogil=True, cache=True)
def _lose_documents(first, last, above, value, rows, turns, weights, sums, out):
    """Add to documents what the mass of their pairs shrinks by at most, 1 - e^(-d |value|) being no more
    than d |value|."""
    n_powers = sums.shape[2] - 1
    for i in range(first, last):
        loss = 0.0
        for turn in range(turns.firsts[i], turns.firsts[i + 1]):
            link, is_worse, base = turns.links[turn] >> 1, turns.links[turn] & 1, turns.bases[turn]
            if (above[i] == 1) != ((value > 0.0) != (is_worse == 1)):
                continue  # its separated pairs grow
            length, other = rows.lengths[rows.kinds[link]], 1 - np.int64(above[i])
            if is_worse:
                for m in range(length):
                    loss += weights[base + m] * sums[link, other, n_powers - 1, m]
            else:
                for m in range(length):
                    x = weights[base + m] * sums[link, other, n_powers, m]
                    for _ in range(n_powers - 1):
                        x *= rows.distances[base + m]
                    loss += x
        out[i] += max(0.0, loss) * abs(value)


@njit(nogil=True, cache=True)
def _pass(weights, distances, power, other, own):
    """Return what the rows of the other side are to a document; take it from the rows of its own."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for m in range(0, weights.size, LANES):
        e, f, g, h = weights[m], weights[m + 1], weights[m + 2], weights[m + 3]
        if power:
            e *= distances[m] * distances[m]
            f *= distances[m + 1] * distances[m + 1]
            g *= distances[m + 2] * distances[m + 2]
            h *= distances[m + 3] * distances[m + 3]
        a += e * other[m]
        b += f * other[m + 1]
        c += g * other[m + 2]
        d += h * other[m + 3]
        own[m] -= e
        own[m + 1] -= f
        own[m + 2] -= g
        own[m + 3] -= h
    return (a + b) + (c + d)


@njit(nogil=True, cache=True)
def _sweep_features(
    first, last, bins, orders, chosen, offsets, spans, rows, turns, weights, whole, power, stop, out
):
    """Add the change of D at each bin of the chosen features.

    `spans` are the links of each query; `whole` half of each link's sums, better and worse documents', which
    become half of what is above less what is below; of the better ones times the mass.
    """
    most = np.int64(1)
    for q in range(offsets.size - 1):
        most = max(most, spans[q + 1] - spans[q])
    side = np.empty((most, 2, whole.shape[2]))
    for q in range(offsets.size - 1):
        if spans[q] == spans[q + 1]:
            continue
        for f in range(first, last):
            column, order, changes = bins[chosen[f]], orders[chosen[f]], out[f]
            for link in range(spans[q], spans[q + 1]):
                for m in range(whole.shape[2]):
                    side[link - spans[q], 0, m] = whole[link, 0, m]
                    side[link - spans[q], 1, m] = whole[link, 1, m]
            for p in range(offsets[q], offsets[q + 1]):
                if stop[0]:
                    return
                i = offsets[q] + np.int64(order[p])
                change = 0.0
                for turn in range(turns.firsts[i], turns.firsts[i + 1]):
                    link, own = turns.links[turn] >> 1, turns.links[turn] & 1
                    base = turns.bases[turn]
                    end = base + rows.lengths[rows.kinds[link]]
                    at, d = weights[base:end], rows.distances[base:end]
                    sides = side[link - spans[q]]
                    change += _pass(at, d, 0 if own else power, sides[1 - own], sides[own])
                changes[column[i]] += 2.0 * change
