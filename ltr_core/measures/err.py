"""ERR: the expected reciprocal rank at which a reader is satisfied (Chapelle et al. 2009).

ERR = Σ_{j ≤ k} (1/j) · R_j · Π_{i<j} (1 − R_i),  R = (2^r − 1) / 2^max.

With ties="average": let a group of g documents follow s others. Over its random orders, let m_t be the mean
chance that a reader gets past its first t documents (the mean of Π (1 − R) over all subsets of t), and f_t
the mean chance that the t-th one satisfies a reader who starts on the group. The group adds Σ_t f_t / (s +
t), times the chance of getting there. Both come from adding one document at a time, in averages of positive
numbers only. The n-th is behind place t with chance (n − t)/n, at it with chance 1/n, before it else; with
R and a = 1 − R its own: f_t ← ((n − t) · f_t + (t − 1) · a · f_{t−1} + R · m_{t−1}) / n  and  m_t ← ((n −
t) · m_t + t · a · m_{t−1}) / n.

Decisions: `max_grade` is, unless it is given, the highest of the data's scale where that is known
(`RankingData.top_grade`), else the largest grade at hand, which another cut of the same data may not have; a
query is empty when all its grades are 0.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from ..data import RankingData
from ..errors import ParameterError
from ..params import Param
from .parts.base import EMPTY, TIES, Measure, Prepared, depth, frozen
from .parts.ranking import score_ranked

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
MAX_GRADE = Param(
    "max_grade", "float", None, 0.0, step=1.0, optional=True, none_label="of the scale, or the largest",
    help="The grade that satisfies a reader most: the max in (2ʳ − 1) / 2ᵐᵃˣ.",
)  # fmt: skip


class ERR(Measure):
    """Expected reciprocal rank."""

    name = "err"
    label = "ERR"
    summary = "The expected reciprocal rank at which a reader who goes down the list is satisfied."
    params = (depth(None, "are read"), MAX_GRADE, TIES, EMPTY)

    def __init__(self, convention: str | None = None, **options: Any) -> None:
        super().__init__(convention, **options)
        top = self.options["max_grade"]
        self.label += f" (top grade: {'the scale’s or the largest' if top is None else f'{top:g}'})"

    def fitted(self, data: RankingData) -> ERR:
        """Return it with the highest grade of the data's scale, where that is known."""
        if self.options["max_grade"] is not None or data.top_grade is None:
            return self
        return ERR(**{**self.options, "max_grade": max(data.top_grade, float(data.y.max()))})

    def _definition(self) -> str:
        k, top = self.options["k"], self.options["max_grade"]
        first = "the list" if k is None else f"the first {k} documents"
        power = "ᵐᵃˣ, max the top grade" if top is None else f"{top:g}".translate(_RAISED)
        return (
            f"The expected reciprocal rank at which a reader of {first} is satisfied, each document "
            f"satisfying with probability (2ʳ − 1) / 2{power}"
        )

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        options = self.options
        largest = float(y.max(initial=0.0))
        top = largest if options["max_grade"] is None else options["max_grade"]
        if top < largest:
            raise ParameterError(
                f"ERR: max_grade = {top:g}, and the data have grade {largest:g}. Take at least that."
            )
        satisfying = frozen(np.exp2(y - top) - np.exp2(-top))  # (2^r − 1) / 2^max without overflow
        empty = np.maximum.reduceat(y, offsets[:-1]) == 0.0
        longest = int(np.diff(offsets).max(initial=0))
        k = longest if options["k"] is None else min(options["k"], longest)
        return score_ranked(partial(_read_down, satisfying, offsets, k), offsets, options, empty), None


@njit(nogil=True, cache=True)
def _read_down(satisfying, offsets, k, order, ends, out):
    past, ending = np.empty(k + 1), np.empty(k + 1)  # m and f
    for q in range(len(offsets) - 1):
        start = offsets[q]
        stop = min(offsets[q + 1], start + k)
        value, reaching = 0.0, 1.0
        i = start
        while i < stop:
            end = ends[i]
            limit = min(end, stop) - i
            mean = 0.0
            for j in range(i, end):
                mean += satisfying[order[j]] / (end - i)
            if mean > 0.0:  # m_t ≤ (1 − mean)^t: what comes behind 1e-20 cannot be seen
                limit = min(limit, int(-46.0 / math.log1p(-mean)) + 1)
            passing = 1.0
            past[: limit + 1] = 0.0
            ending[: limit + 1] = 0.0
            past[0] = 1.0
            for n in range(1, end - i + 1):
                chance = satisfying[order[i + n - 1]]
                a = 1.0 - chance
                passing *= a
                for t in range(min(n, limit), 0, -1):
                    ending[t] = ((n - t) * ending[t] + (t - 1) * a * ending[t - 1] + chance * past[t - 1]) / n
                    past[t] = ((n - t) * past[t] + t * a * past[t - 1]) / n
            for t in range(1, limit + 1):
                value += reaching * ending[t] / (i - start + t)
            reaching *= passing
            i = end
        out[q] = value
