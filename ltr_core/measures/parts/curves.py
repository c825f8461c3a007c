"""Gains and discounts as functions of their own: what a grade is worth, what a rank counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ParameterError
from .gains import DISCOUNT, GAIN, discounts_of, gains_of


def gains(grades: Any, gain: Any = "exp2") -> np.ndarray:
    """Return what documents of these grades are worth.

    Parameters
    ----------
    grades : array of numbers
        Grades, not negative.
    gain : {"exp2", "grade"}, sequence or mapping
        2^r − 1, r, or the gain of each grade.
    """
    y = np.atleast_1d(np.asarray(grades, dtype=np.float64))
    if y.size and not (np.isfinite(y).all() and y.min() >= 0):
        raise ParameterError("A grade is negative or not finite. Give finite grades that are not negative.")
    found = gains_of(y, np.array([0, len(y)], dtype=np.int64), GAIN.check(gain), scaled=False)
    return np.array(found)


def discounts(n: int, discount: str = "standard") -> np.ndarray:
    """Return what the ranks 1 … n count.

    Parameters
    ----------
    n : int
        How many ranks.
    discount : {"standard", "letor"}
        1/log2(1 + j), or 1 at ranks 1 and 2 and 1/log2(j) after.
    """
    return discounts_of(DISCOUNT.check(discount), int(n))


def worths(grades: Any, n: int, gain: Any = "exp2", discount: str = "standard") -> np.ndarray:
    """Return what a document of each grade (row) adds to DCG at each of the ranks 1 … n (column)."""
    return gains(grades, gain)[:, None] * discounts(n, discount)[None, :]
