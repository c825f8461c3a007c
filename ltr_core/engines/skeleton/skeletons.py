"""Skeletons: the weights between two cells of grades, by what they are towards a few points.

The weight of two documents, exp(-d(r_i - r_j) (F_i - F_j)), does not factor when every pair has a distance of
its own. But between two cells of grades it is a smooth function of the two documents (r, F), and its matrix
is one of low rank. Gaussian elimination with complete pivoting on a grid (adaptive cross approximation) finds
a few points I of the better cell and J of the worse one with

    w_ij = w(i, J) · w(I, J)⁻¹ · w(I, j)

to rounding: what a document has towards 20 to 90 points takes the place of what it has towards thousands of
documents. Nothing but exponentials is evaluated, and w(I, J)⁻¹ w(I, j) stays below 3 in size, so no digits
are lost. Before, a weight is divided by exp(-d₀ (F_i - F_j)), d₀ the distance of the cells' middles, which
does factor.

All cells of one width, so far apart, share their skeleton, for scores within a window. It is looked at
between the points of its grid: a skeleton by which any weight of the window is wrong by more than 1e-11 of
itself is none, and narrower cells are taken.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from ...distances import FittedDistance
from ...distances.formulas import magnitude

_WRONG = 1e-11  # what a weight may be wrong by, as a share of itself
_PIVOT = 1e-14  # of the largest weight: what is smaller is near rounding
_MOST_NODES, _MOST_POINTS = 32, 160
_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)


class Skeleton(NamedTuple):
    """The points of two cells, grades in cell widths from each cell's lower end, scores from the middle."""

    better: np.ndarray  # (k, 2): grade and score
    worse: np.ndarray
    columns: np.ndarray  # (k, k): those of both triangular factors of w(I, J), 1 on L's diagonal left out
    middle: float  # d₀


def find_skeleton(distance: FittedDistance, width: float, apart: int, window: float) -> Skeleton | None:
    """Return the skeleton of cells so wide and so many widths apart, for scores up to ± window, or None."""
    middle = float(_measure(distance, width * apart))
    weigh = partial(_weigh, distance, width, apart, middle)
    grid = _lay_grid(weigh, window)
    if grid is None:
        return None
    rest = weigh(grid, grid)
    least = _PIVOT * np.abs(rest).max()
    rows, columns, left, right = list[int](), list[int](), list[np.ndarray](), list[np.ndarray]()
    while True:
        i, j = divmod(int(np.abs(rest).argmax()), len(grid))
        pivot = rest[i, j]
        if abs(pivot) <= least:
            break
        if len(rows) == _MOST_POINTS:
            return None
        rows.append(i)
        columns.append(j)
        left.append(rest[:, j] / pivot)
        right.append(rest[i].copy())
        rest -= np.outer(left[-1], right[-1])
    lower, upper = np.tril(np.array(left)[:, rows].T, -1), np.triu(np.array(right)[:, columns])
    found = Skeleton(grid[rows], grid[columns], np.ascontiguousarray((lower + upper).T), middle)
    return found if _is_right(found, weigh, window) else None


def solve(columns: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return w(I, J)⁻¹ times weights towards I, a column for each document."""
    out = weights.copy()
    k = len(columns)
    for m in range(k):
        out[m + 1 :] -= np.outer(columns[m, m + 1 :], out[m])
    for m in range(k - 1, -1, -1):
        out[m] /= columns[m, m]
        out[:m] -= np.outer(columns[m, :m], out[m])
    return out


def _measure(distance: FittedDistance, gap: float | np.ndarray) -> np.ndarray:
    return magnitude(distance.name, np.asarray(gap, dtype=np.float64), distance.value)


def _weigh(
    distance: FittedDistance, width: float, apart: int, middle: float, better: np.ndarray, worse: np.ndarray
) -> np.ndarray:
    """Return the weights of points of the better cell towards points of the worse one."""
    gaps = np.maximum(width * (better[:, :1] - worse[:, 0] + apart), 1e-300)
    return np.exp(-(_measure(distance, gaps) - middle) * (better[:, 1:] - worse[:, 1]))


def _lay_grid(weigh: partial, window: float) -> np.ndarray | None:
    """Return points at Chebyshev's nodes, as many as the weights need; None where those are too many."""
    corners = np.array([[g, f] for g in (0.0, 1.0) for f in (-window, window)])
    sizes = []
    for axis, (low, high) in enumerate(((0.0, 1.0), (-window, window))):
        for n in range(4, _MOST_NODES + 1, 2):
            x = _nodes(n)
            line = np.repeat(corners, n, axis=0)
            line[:, axis] = np.tile(low + (high - low) * 0.5 * (x + 1.0), len(corners))
            values = np.hstack([weigh(line, corners), weigh(corners, line).T]).reshape(len(corners), n, -1)
            waves = np.cos(np.outer(np.arange(n - 2, n), np.arccos(x)))
            last = np.abs(np.einsum("wn,cnk->wck", waves, values)).max(axis=0) * (2.0 / n)
            if (last <= 3e-15 * np.abs(values).max(axis=1)).all():
                break
        else:
            return None
        sizes.append(n)
    grades, scores = 0.5 * (_nodes(sizes[0]) + 1.0), window * _nodes(sizes[1])
    return np.stack(np.meshgrid(grades, scores, indexing="ij"), axis=-1).reshape(-1, 2)


def _nodes(n: int) -> np.ndarray:
    return np.cos(np.pi * (np.arange(n) + 0.5) / n)


def _is_right(skeleton: Skeleton, weigh: partial, window: float) -> bool:
    """Whether weights between 150 points that are not the grid's come out right, corners among them."""
    places = np.arange(150)
    grades, scores = (places * _GOLDEN) % 1.0, (places + 0.5) / 75.0 - 1.0
    corners = np.array([[g, f] for g in (0.0, 1.0) for f in (-1.0, 1.0)])
    points = np.vstack([np.c_[grades, scores], corners]) * (1.0, window)
    exact = weigh(points, points)
    shares = solve(skeleton.columns, weigh(skeleton.better, points))
    found = np.einsum("im,mj->ij", weigh(points, skeleton.worse), shares)
    return bool((np.abs(found - exact) <= _WRONG * exact).all())
