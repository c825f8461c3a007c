"""Gains and discounts, shared by DCG, NDCG and MeanNDCG."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numba import njit

from ...errors import DataError, ParameterError
from ...params import Param

_SCALE_FROM = 500.0  # grades above it have their query's gains divided by 2^max: 2^1024 is out of range
_EXP2 = np.ldexp(1.0, np.arange(53)) - 1.0  # of the grades that people give: nothing has to be compiled
_DCG_LIMIT = 1000.0  # with this grade a sum of 2^r over millions of documents is still finite


class GainParam(Param):
    """The choice of a gain; beside the names it takes a table by grade: a sequence, or a mapping."""

    also: ClassVar[str] = ", or a sequence or mapping by grade"

    def check(self, value: Any, owner: str = "") -> Any:
        """Return a name, a list of gains for grades 0, 1, …, or a dict from the grade as text to its gain."""
        if isinstance(value, str):
            return super().check(value, owner)
        where = f"{owner}: " if owner else ""
        try:
            if isinstance(value, Mapping):
                rows = sorted((float(g), x) for g, x in value.items())
                table: Any = {_grade_text(g): _as_gain(x) for g, x in rows}
            else:
                table = [_as_gain(x) for x in value]
        except (TypeError, ValueError):
            table = None
        if not table:
            raise ParameterError(
                f"{where}gain = {value!r} cannot be used. Take 'exp2', 'grade', a list with the gain of "
                "grade 0, 1, …, or a mapping from grade to gain; gains are finite and not negative."
            )
        return table


GAIN = GainParam(
    "gain", "choice", "exp2", choices=("exp2", "grade"),
    help="What a document of grade r is worth: 2ʳ − 1, r itself, or a table by grade.",
)  # fmt: skip
DISCOUNT = Param(
    "discount", "choice", "standard", choices=("standard", "letor"),
    help="What rank j counts: 1/log2(1 + j), or LETOR's 1 at ranks 1 and 2 and 1/log2(j) after.",
)  # fmt: skip


def gains_of(y: np.ndarray, offsets: np.ndarray, gain: Any, scaled: bool) -> np.ndarray:
    """Return the gain of each document.

    With `scaled` the gains of a query may be divided by one number, so that large grades do not overflow:
    a ratio of DCGs is the same.
    """
    if isinstance(gain, (list, dict)):
        return _look_up(y, gain)
    if gain == "grade":
        return y
    top = float(y.max(initial=0.0))
    if not scaled and top > _DCG_LIMIT:
        raise DataError(
            f"grade {top:g} has a gain of 2^{top:g}, which no DCG can hold",
            'take NDCG, or gain="grade", or a table of gains',
        )
    whole = y.astype(np.int64) if top < len(_EXP2) else y[:0]
    if len(whole) and (whole == y).all():
        return _EXP2[whole]
    gains = np.empty(len(y))
    _fill_exp2(y, offsets, _SCALE_FROM if scaled else math.inf, gains)
    return gains


def discounts_of(kind: str, n: int) -> np.ndarray:
    """Return the discounts of ranks 1 … n."""
    ranks = np.arange(1, n + 1, dtype=np.float64)
    return 1.0 / np.log2(1.0 + ranks) if kind == "standard" else 1.0 / np.log2(np.maximum(ranks, 2.0))


def worth_words(options: Mapping[str, Any]) -> str:
    """Say gain and discount in words."""
    names = {"exp2": "2ʳ − 1 for grade r", "grade": "the grade"}
    gain = names[options["gain"]] if isinstance(options["gain"], str) else "a table by grade"
    ranks = {"standard": "1/log2(1 + rank)", "letor": "1 at ranks 1 and 2, then 1/log2(rank)"}
    return f"gain {gain}, discount {ranks[options['discount']]}"


def _look_up(y: np.ndarray, table: list | dict) -> np.ndarray:
    pairs = enumerate(table) if isinstance(table, list) else ((float(g), x) for g, x in table.items())
    grades, gains = (np.array(column, dtype=np.float64) for column in zip(*sorted(pairs), strict=True))
    places = np.minimum(np.searchsorted(grades, y), len(grades) - 1)
    missing = grades[places] != y
    if missing.any():
        raise ParameterError(
            f"gain: the table has no entry for grade {y[missing][0]:g}. Give every grade in the data a gain."
        )
    return gains[places]


def _grade_text(grade: float) -> str:
    return str(int(grade)) if grade.is_integer() else repr(grade)


def _as_gain(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= float(value) < math.inf:
        raise ValueError(value)
    return float(value)


@njit(nogil=True, cache=True)
def _fill_exp2(y, offsets, scale_from, out):
    for q in range(len(offsets) - 1):
        start, stop = offsets[q], offsets[q + 1]
        top = 0.0
        for i in range(start, stop):
            if y[i] > top:
                top = y[i]
        if top <= scale_from:
            for i in range(start, stop):
                out[i] = 2.0 ** y[i] - 1.0
        else:
            for i in range(start, stop):
                out[i] = 2.0 ** (y[i] - top) - 2.0**-top
