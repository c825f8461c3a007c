"""Newton's method for ½ ridge ‖v‖² + factor · L(X v) / |P| with a convex, piecewise quadratic pair loss L.

Each step solves for the Newton direction by conjugate gradients, which need only products with X and with
L's second derivative, and goes along it to where the objective is least. On large data the same problem is
solved first on a sample of the queries: from there one or two steps remain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from ... import stopping
from ...data import RankingData
from ...sums import dot
from .matrix import Matrix
from .pairs import PairOrder

TOLERANCE = 1e-6  # of the first gradient's norm, up to LARGE cells; the definition asks for 1e-4
TOLERANCE_LARGE = 1e-4
LARGE = 2_000_000
_SAMPLE, _SAMPLE_TOLERANCE = (
    0.1,
    0.03,
)  # share of the queries; closer to its own optimum is no closer to theirs
_STEPS, _CG_STEPS = 100, 250


class PairLoss(Protocol):
    """A loss of the differences of scores, summed over pairs."""

    pairs: PairOrder

    def slopes(self, scores: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the loss and its slope at each document."""

    def curve(self, change: np.ndarray) -> np.ndarray:
        """Return the second derivative at the scores of the last `slopes`, times a change."""


def solve(
    data: RankingData,
    loss: PairLoss,
    make_loss: Callable[[PairOrder], PairLoss],
    ridge: float,
    factor: float,
    scale: np.ndarray,
    tolerance: float | None = None,
) -> np.ndarray:
    """Return the weights v on the standardised features.

    Parameters
    ----------
    data : RankingData
        Features and queries.
    loss : PairLoss
        The loss of all its pairs.
    make_loss : callable
        Returns the loss of other pairs: those of a sample.
    ridge, factor : float
        The objective is ½ ridge ‖v‖² + factor · L / number of pairs.
    scale : array
        1/deviation of each feature. Means are not needed: a difference of scores does not depend on them.
    tolerance : float, optional
        Ends when the gradient's norm is at most this share of its norm at v = 0.
    """
    if tolerance is None:
        tolerance = TOLERANCE if data.X.size <= LARGE else TOLERANCE_LARGE
    v = np.zeros(data.n_features)
    if data.X.size > LARGE and data.n_queries * _SAMPLE >= 20:
        sample = data.select(np.arange(0, data.n_queries, round(1 / _SAMPLE)))
        pairs = PairOrder(sample)
        if pairs.n_pairs:
            v = _solve_from(sample, make_loss(pairs), ridge, factor, scale, v, _SAMPLE_TOLERANCE)
    return _solve_from(data, loss, ridge, factor, scale, v, tolerance)


def _solve_from(data, loss, ridge, factor, scale, v, tolerance) -> np.ndarray:
    """Return the solution on one data set, starting at v."""
    matrix, means = Matrix(data.X), np.zeros(data.n_features)
    factor = factor / loss.pairs.n_pairs

    def scores_of(weights):
        return matrix.scores(means, scale * weights)

    def gradient_of(weights, slopes):
        return ridge * weights + factor * scale * matrix.pull(slopes)

    _, slopes = loss.slopes(np.zeros(data.n_docs))
    first = _norm(gradient_of(np.zeros_like(v), slopes))
    scores = scores_of(v)
    value, slopes = loss.slopes(scores)
    for _ in range(_STEPS):
        gradient = gradient_of(v, slopes)
        norm = _norm(gradient)
        if norm <= tolerance * first:
            break

        def curve_of(d):
            return ridge * d + factor * scale * matrix.pull(loss.curve(scores_of(d)))

        direction = _conjugate_gradients(
            curve_of, -gradient, min(0.1, np.sqrt(norm / first)), tolerance * first
        )
        change = scores_of(direction)
        step, scores, slopes = _search_line(loss, factor, ridge, v, direction, scores, change, slopes)
        if step == 0.0:
            break  # rounding: no smaller value can be told from this one
        v = v + step * direction
    return v


def _conjugate_gradients(curve_of, target, share: float, enough: float) -> np.ndarray:
    """Solve curve · d = target until the residual is a share of the target, or half of what is enough."""
    d, residual = np.zeros_like(target), target.copy()
    towards, square = residual.copy(), dot(residual, residual)
    goal = max(share * np.sqrt(square), 0.5 * enough)
    for _ in range(_CG_STEPS):
        if np.sqrt(square) <= goal:
            break
        stopping.look()
        curved = curve_of(towards)
        bend = dot(towards, curved)
        if not bend > 0:
            break
        step = square / bend
        d += step * towards
        residual -= step * curved
        before, square = square, dot(residual, residual)
        towards = residual + (square / before) * towards
    return d if d.any() else target


def _search_line(loss, factor, ridge, v, direction, scores, change, slopes):
    """Return the step that leads to the least value, and scores and slopes there.

    The derivative along the line is piecewise linear and increasing: Newton from step 1, kept between the
    ends where it is known to be negative and positive.
    """
    vd, dd = dot(v, direction), dot(direction, direction)
    start = ridge * vd + factor * dot(slopes, change)
    low, high, step = 0.0, np.inf, 1.0
    for _ in range(50):
        stopping.look()
        at = scores + step * change
        _, slopes = loss.slopes(at)
        slope = ridge * (vd + step * dd) + factor * dot(slopes, change)
        if abs(slope) <= 0.1 * abs(start):
            return step, at, slopes
        low, high = (step, high) if slope < 0 else (low, step)
        bend = ridge * dd + factor * dot(change, loss.curve(change))
        after = step - slope / bend if bend > 0 else np.nan
        if not low < after < high:
            after = 2.0 * step if high == np.inf else 0.5 * (low + high)
        if after == step:
            break
        step = after
    return step, at, slopes


def _norm(a: np.ndarray) -> float:
    return float(np.sqrt(dot(a, a)))
