"""`Custom`: a person's own measure, given as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import ParameterError
from .base import Measure, Prepared


class Custom(Measure):
    """A measure that is a function of one query's grades and scores.

    Parameters
    ----------
    own : callable
        ``own(y, scores)`` returns a number for one query, NaN to leave it out. Its name is the measure's; an
        attribute ``higher_is_better`` that is False says that less is better.
    """

    def __init__(self, own: Callable[[np.ndarray, np.ndarray], Any]) -> None:
        super().__init__()
        self.own = own
        self.name = self.label = getattr(own, "__name__", type(own).__name__)
        self.higher_is_better = bool(getattr(own, "higher_is_better", True))  # type: ignore[misc]

    def _definition(self) -> str:
        told = (getattr(self.own, "__doc__", None) or "").strip().partition("\n")[0]
        return told.rstrip(".") or f"The function {self.name} of each query's grades and scores"

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        bounds = list(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True))

        def score(scores: np.ndarray) -> np.ndarray:
            return np.array([self._value(y[start:stop], scores[start:stop]) for start, stop in bounds])

        return score, None

    def _value(self, y: np.ndarray, scores: np.ndarray) -> float:
        value = self.own(y, scores)
        try:
            return float(value)
        except (TypeError, ValueError):
            gives = f"The measure {self.name} gives a {type(value).__name__}"
            raise ParameterError(f"{gives}. Let it return one number for a query.") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Custom) and self.own == other.own

    def __hash__(self) -> int:
        return hash(self.own)

    def __repr__(self) -> str:
        return f"measure({self.name})"
