"""Pair losses as functions of the margin: what a pair costs when its better document leads by Δ.

Each entry of `LOSSES` is called with margins and gives the loss; `.slope` is its derivative, `.curvature` the
second (at a kink the value to its right). `p_star` is the wanted probability that the better document comes
first: 1 for an ordinary pair, ½ for a tied one. Losses that know no probability mix the two orders:
``p_star · ℓ(Δ) + (1 - p_star) · ℓ(-Δ)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ParameterError

_Formula = Callable[..., np.ndarray]


@dataclass(frozen=True)
class Loss:
    """A pair loss with its first two derivatives.

    Attributes
    ----------
    label, formula, used_by, description : str
        For people.
    bounded : bool
        Whether a pair can cost only so much, however wrong its order.
    """

    label: str
    formula: str
    used_by: str
    description: str
    bounded: bool
    _value: _Formula
    _slope: _Formula
    _curvature: _Formula
    _takes: str = ""  # what its formulas take beside the margin: "distance", "p_star" or nothing

    def __call__(self, margin: Any, p_star: float = 1.0, distance: float = 1.0) -> np.ndarray:
        """Return the loss at margins; `distance` is the directed distance of the exponential loss."""
        return self._at(self._value, 0, margin, p_star, distance)

    def slope(self, margin: Any, p_star: float = 1.0, distance: float = 1.0) -> np.ndarray:
        """Return the derivative by the margin."""
        return self._at(self._slope, 1, margin, p_star, distance)

    def curvature(self, margin: Any, p_star: float = 1.0, distance: float = 1.0) -> np.ndarray:
        """Return the second derivative by the margin."""
        return self._at(self._curvature, 2, margin, p_star, distance)

    def _at(self, formula: _Formula, order: int, margin: Any, p_star: float, distance: float) -> np.ndarray:
        if not 0.0 <= p_star <= 1.0:
            raise ParameterError(f"p_star = {p_star!r} cannot be used. Take a number from 0 to 1.")
        if not np.isfinite(distance):
            raise ParameterError(f"distance = {distance!r} cannot be used. Take a finite number.")
        m = np.asarray(margin, dtype=np.float64)
        with np.errstate(over="ignore"):
            if self._takes == "p_star":
                return formula(m, p_star)
            extra = (distance,) if self._takes == "distance" else ()
            value = formula(m, *extra)
            if p_star == 1.0:
                return value
            mirrored = formula(-m, *extra)
            return p_star * value + (1.0 - p_star) * (-mirrored if order == 1 else mirrored)


def _sigmoid(m: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + e^-m), for margins of any size."""
    e = np.exp(-np.abs(m))
    return np.where(m >= 0, 1.0, e) / (1.0 + e)


def _fidelity(m, p):
    # 1 - sqrt(p σ) - sqrt((1-p)(1-σ)) = ½ ((√p - √σ)² + (√(1-p) - √(1-σ))²): no cancellation near 0.
    up, down = _sigmoid(m), _sigmoid(-m)
    first = (p - up) / (np.sqrt(p) + np.sqrt(up) + 1e-300)
    second = ((1.0 - p) - down) / (np.sqrt(1.0 - p) + np.sqrt(down) + 1e-300)
    if p == 1.0:
        first = down / (1.0 + np.sqrt(up))
    elif p == 0.0:
        second = up / (1.0 + np.sqrt(down))
    return 0.5 * (first * first + second * second)


def _fidelity_slope(m, p):
    up, down = _sigmoid(m), _sigmoid(-m)
    return -0.5 * (np.sqrt(p * up) * down - np.sqrt((1.0 - p) * down) * up)


def _fidelity_curvature(m, p):
    up, down = _sigmoid(m), _sigmoid(-m)
    first = np.sqrt(p * up) * down * (0.5 * down - up)
    second = np.sqrt((1.0 - p) * down) * up * (0.5 * up - down)
    return -0.5 * (first + second)


LOSSES: dict[str, Loss] = {
    "exponential": Loss(
        "Exponential",
        "e^(−d·Δ)",
        "MPBoost, RankBoost",
        "Without bound, and the steeper the larger the distance d of the grades: hard pairs dominate.",
        False,
        lambda m, d: np.exp(-d * m),
        lambda m, d: -d * np.exp(-d * m),
        lambda m, d: d * d * np.exp(-d * m),
        "distance",
    ),
    "fidelity": Loss(
        "Fidelity",
        "1 − √(P*·σ(Δ)) − √((1−P*)(1−σ(Δ)))",
        "FRank",
        "Never above 1 for a pair, and 0 exactly where the wanted probability is met.",
        True,
        _fidelity,
        _fidelity_slope,
        _fidelity_curvature,
        "p_star",
    ),
    "cross_entropy": Loss(
        "Cross entropy",
        "log(1 + e^(−Δ))",
        "RankNet, LambdaRank",
        "Grows in step with the margin of a wrong pair; above 0 even for tied pairs at their best.",
        False,
        lambda m: np.maximum(-m, 0.0) + np.log1p(np.exp(-np.abs(m))),
        lambda m: -_sigmoid(-m),
        lambda m: _sigmoid(m) * _sigmoid(-m),
    ),
    "squared_hinge": Loss(
        "Squared hinge",
        "max(0, 1 − Δ)²",
        "RankSVM, QBRank",
        "Nothing from a margin of 1 on, the square of what is missing below.",
        False,
        lambda m: np.maximum(0.0, 1.0 - m) ** 2,
        lambda m: -2.0 * np.maximum(0.0, 1.0 - m),
        lambda m: np.where(m < 1.0, 2.0, 0.0),
    ),
    "hinge": Loss(
        "Hinge",
        "max(0, 1 − Δ)",
        "Ranking SVM with the plain hinge",
        "Nothing from a margin of 1 on, what is missing below.",
        False,
        lambda m: np.maximum(0.0, 1.0 - m),
        lambda m: np.where(m < 1.0, -1.0, 0.0),
        np.zeros_like,
    ),
    "squared": Loss(
        "Squared",
        "(1 − Δ)²",
        "MPRank at a gap of 1",
        "Punishes a margin beyond the wanted one as well.",
        False,
        lambda m: (1.0 - m) ** 2,
        lambda m: -2.0 * (1.0 - m),
        lambda m: np.full_like(m, 2.0),
    ),
    "zero_one": Loss(
        "Misorder",
        "1 if Δ ≤ 0, else 0",
        "what all the others stand in for",
        "A pair is in order or it is not: nothing to descend on.",
        True,
        lambda m: np.where(m <= 0.0, 1.0, 0.0),
        np.zeros_like,
        np.zeros_like,
    ),
}
