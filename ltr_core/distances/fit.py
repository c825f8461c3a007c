"""Settle a distance on training pairs: calibrate its parameter, check its requirements, report on it.

(3) the sign follows the grades; (4) a larger gap is a strictly larger distance; (9) |dist| is about 1: its
mean and range over the pairs are reported. Training refuses a TABLE that breaks (3), not one that breaks (4).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import RankingData
from ..errors import DataError, ParameterError
from .formulas import DISTANCES, check_grades, check_parameters, check_table, interpolate, magnitude
from .pairs import PairGrades

_GRADES_CHECKED = 200  # more distinct grades than this are thinned evenly for the check of (4)


@dataclass(frozen=True)
class DistanceReport:
    """What a check of a distance finds on the grades at hand.

    Attributes
    ----------
    name, parameter, value
        The distance, its parameter's name and the value used (None for TABLE).
    sign_holds, larger_gap_larger_distance : bool
        Requirements (3) and (4).
    mean, low, high : float
        |dist| over the pairs.
    about_one : bool
        Condition (9), read as: the mean lies between one half and two.
    violations : tuple of str
        A sentence for each requirement that breaks, naming the pairs that break it.
    """

    name: str
    parameter: str | None
    value: float | None
    sign_holds: bool
    larger_gap_larger_distance: bool
    mean: float
    low: float
    high: float
    about_one: bool
    violations: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class FittedDistance:
    """A distance whose parameter is settled.

    `value` is 0 where there is no parameter. The rows of `table` are the grades 0, 1, 2, … when `by_value`,
    with what lies between them interpolated, else `grades`, the distinct training grades in order.
    """

    name: str
    value: float
    grades: np.ndarray
    table: np.ndarray | None = None
    by_value: bool = False

    def between(self, high: np.ndarray, low: np.ndarray) -> np.ndarray:
        """Return the directed distance of grades `high` over grades `low`."""
        if self.table is not None:
            return interpolate(self.table, self.places(high), self.places(low))
        return np.sign(high - low) * magnitude(self.name, np.abs(high - low), self.value)

    def places(self, grades: np.ndarray) -> np.ndarray:
        """Return where each grade lies among the table's rows."""
        if self.by_value and self.table is not None:
            return check_grades(np.asarray(grades, dtype=np.float64), len(self.table))
        rows = np.minimum(np.searchsorted(self.grades, grades), len(self.grades) - 1)
        strange = self.grades[rows] != grades
        if strange.any():
            what = f"grade {np.asarray(grades)[strange].flat[0]:g} has no row in the distance table"
            raise DataError(what, "give a table whose rows are the grades 0, 1, 2, …")
        return rows.astype(np.float64)


def fit_distance(
    name: str,
    pairs: PairGrades,
    alpha: float | None = None,
    lam: float | None = None,
    beta: float | None = None,
    table: Any = None,
    scale: float | None = None,
    size: float = 1.0,
) -> tuple[FittedDistance, DistanceReport]:
    """Return the distance settled on the pairs, for training, and the report on it.

    A parameter of LDD or LOGDD that is not given is the one at which |dist| is `size` on average.
    """
    fitted, report = _settle(name, pairs, check_parameters(name, alpha, lam, beta, scale), table, size)
    if not report.sign_holds:
        raise ParameterError(f"The distance cannot be used. {report.violations[0]}")
    return fitted, report


def _settle(
    name: str, pairs: PairGrades, value: float | None, table: Any, size: float = 1.0
) -> tuple[FittedDistance, DistanceReport]:
    if pairs.n_pairs == 0:
        what = "there is no pair: no query has two documents of distinct grades"
        raise DataError(what, "give at least one query whose documents differ in grade")
    if name == "table":
        rows = check_table(table)
        fitted = FittedDistance(name, 0.0, pairs.grades, rows, _rows_are_values(pairs.grades, rows))
    else:
        fitted = FittedDistance(name, _calibrate(name, pairs, size) if value is None else value, pairs.grades)
    return fitted, _report(fitted, pairs)


def check_distance(
    name: str,
    grades: Any,
    alpha: float | None = None,
    lam: float | None = None,
    beta: float | None = None,
    table: Any = None,
    scale: float | None = None,
) -> DistanceReport:
    """Check requirements (3) and (4) and report condition (9).

    Parameters
    ----------
    name : str
        A key of `DISTANCES`.
    grades : RankingData or array
        Data, whose pairs are those within its queries, or the grades of one query.
    alpha, lam, beta, table, scale
        As for `distance`; a parameter left at None is calibrated on the pairs.
    """
    value = check_parameters(name, alpha, lam, beta, scale)
    if isinstance(grades, RankingData):
        return _settle(name, PairGrades(grades.y, grades.offsets), value, table)[1]
    y = np.asarray(grades, dtype=np.float64).ravel()
    if not np.isfinite(y).all() or (y < 0).any():
        raise DataError("a grade is negative or not finite", "give finite grades that are not negative")
    return _settle(name, PairGrades(y, np.array([0, len(y)])), value, table)[1]


def _calibrate(name: str, pairs: PairGrades, size: float) -> float:
    """Return the parameter at which the mean of |dist| over the pairs is `size`."""
    if name == "ldd":
        return size / pairs.mean(name, 1.0)
    if name != "logdd":
        return 1.0
    # At the ends of this range all distances are at most, or at least, as large.
    smallest, largest = pairs.gap_range()
    low, high = np.log(math.expm1(size) / largest), np.log(math.expm1(size) / smallest)
    if high - low < 1e-12:
        return math.expm1(size) / largest
    ends = (low - 1e-9, high + 1e-9)
    return float(np.exp(_root(lambda x: pairs.mean(name, np.exp(x)) - size, *ends)))


def _root(value: Callable[[float], float], low: float, high: float) -> float:
    """Return where an increasing function is 0, by the Illinois method: secants, an idle end halved.

    Eight to twelve values, as scipy's brentq takes; importing that one takes 0.4 s.
    """
    at_low, at_high, kept, root = value(low), value(high), 0, low
    for _ in range(100):
        before, root = root, (low * at_high - high * at_low) / (at_high - at_low)
        here = value(root)
        if here == 0.0 or abs(root - before) <= 1e-15:
            break
        side = 1 if here < 0.0 else -1
        if side > 0:
            low, at_low, at_high = root, here, at_high * (0.5 if kept == side else 1.0)
        else:
            high, at_high, at_low = root, here, at_low * (0.5 if kept == side else 1.0)
        kept = side
    return root


def _rows_are_values(grades: np.ndarray, table: np.ndarray) -> bool:
    """Whether the table's rows are the grades 0, 1, 2, …; refuse a table that fits in neither way.

    With as many rows as there are grades, and one of them not whole, the rows are the grades in order.
    """
    if len(grades) == len(table) and (grades != np.floor(grades)).any():
        return False
    if grades[-1] <= len(table) - 1:
        return True
    if len(grades) == len(table):
        return False
    shown = ", ".join(f"{g:g}" for g in grades[:8]) + (", …" if len(grades) > 8 else "")
    raise ParameterError(
        f"The distance table has {len(table)} rows, and the grades are {shown}. Give it a row for each "
        f"grade, in order, or for each of 0, 1, 2, … up to {math.ceil(grades[-1])}: what lies "
        "between is interpolated."
    )


def _report(fitted: FittedDistance, pairs: PairGrades) -> DistanceReport:
    grades = pairs.grades
    if len(grades) > _GRADES_CHECKED:
        grades = grades[np.linspace(0, len(grades) - 1, _GRADES_CHECKED).round().astype(int)]
    a, b = np.tril_indices(len(grades), -1)
    high, low = grades[a], grades[b]
    signed = fitted.between(high, low)
    violations = []
    wrong = np.flatnonzero(signed <= 0)
    if len(wrong):
        i = wrong[0]
        grade = f"grade {high[i]:g} over grade {low[i]:g} has the distance {signed[i]:g}"
        violations.append(f"Requirement (3): {grade}, which should be above 0.")
    pair = _larger_gap_no_larger_distance(high - low, np.abs(signed))
    if pair is not None:
        i, j = pair
        violations.append(
            f"Requirement (4): {high[i]:g} over {low[i]:g} (gap {high[i] - low[i]:g}) has the distance "
            f"{abs(signed[i]):g}, no more than {high[j]:g} over {low[j]:g} (gap {high[j] - low[j]:g}) "
            f"with {abs(signed[j]):g}."
        )
    if pairs.counts is not None:
        at = np.abs(fitted.between(*np.meshgrid(pairs.grades, pairs.grades, indexing="ij")))
        mean = float((pairs.counts * at).sum() / pairs.n_pairs)
        at = at[pairs.counts > 0]
    elif fitted.table is not None:
        mean, *ends = pairs.summarise(fitted.between)
        at = np.array(ends)
    else:
        mean = pairs.mean(fitted.name, fitted.value)
        at = magnitude(fitted.name, np.array(pairs.gap_range()), fitted.value)
    parameter = DISTANCES[fitted.name].parameter
    used = fitted.value if parameter else None
    low_at, high_at, about_one = float(at.min()), float(at.max()), 0.5 <= mean <= 2.0
    holds, told = (not len(wrong), pair is None), tuple(violations)
    return DistanceReport(fitted.name, parameter, used, *holds, mean, low_at, high_at, about_one, told)


def _larger_gap_no_larger_distance(gap: np.ndarray, size: np.ndarray) -> tuple[int, int] | None:
    """Return two positions, the first of a larger gap and no larger distance than the second, if any."""
    order = np.argsort(gap, kind="stable")
    # Gaps that differ by rounding only (0.3 - 0.2 and 0.2 - 0.1) are one gap.
    new = np.diff(gap[order]) > 1e-12 * gap[order][1:]
    starts = np.flatnonzero(np.r_[True, new][: len(order)])
    best = -1  # of all smaller gaps the position with the largest distance
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        group = order[start:stop]
        least = group[np.argmin(size[group])]
        if best >= 0 and size[least] <= size[best]:
            return int(least), int(best)
        most = group[np.argmax(size[group])]
        if best < 0 or size[most] > size[best]:
            best = most
    return None
