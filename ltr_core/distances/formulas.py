"""The formulas of the directed distances and their registry (paper 000, §3).

``dist(r_i, r_j) = sgn(r_i - r_j) · g(|r_i - r_j|)`` with g(t) = 1 (BINARY), α t (LDD), log(1 + λ t) (LOGDD),
1 / (1 + e^(-β t)) (LOGITDD), or a user's own table over grade pairs (TABLE). BINARY has a `scale` c (ours;
1 is the paper's): what a distance of that size does without any magnitude. Between the table's grades TABLE
is interpolated, linearly in each of the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DataError, ParameterError


@dataclass(frozen=True)
class Distance:
    """An entry of the registry: a name for people, the formula, its parameter and its magnitude g."""

    label: str
    formula: str
    parameter: str | None
    magnitude: Callable[[np.ndarray, float], np.ndarray] | None
    description: str


DISTANCES: dict[str, Distance] = {
    "binary": Distance(
        "BINARY",
        "sgn(t) · c",
        "scale",
        lambda t, scale: np.where(t > 0, scale, 0.0),
        "Every pair alike, as pairwise boosting had it before: a larger gap is no larger distance.",
    ),
    "ldd": Distance(
        "LDD",
        "sgn(t) · α·|t|",
        "alpha",
        lambda t, alpha: alpha * t,
        "The distance grows evenly with the gap between the grades.",
    ),
    "logdd": Distance(
        "LOGDD",
        "sgn(t) · log(1 + λ·|t|)",
        "lam",
        lambda t, lam: np.log1p(lam * t),
        "The distance grows ever more slowly with the gap.",
    ),
    "logitdd": Distance(
        "LOGITDD",
        "sgn(t) / (1 + e^(−β·|t|))",
        "beta",
        lambda t, beta: 1.0 / (1.0 + np.exp(-beta * t)),
        "The distance stays between one half and one, whatever the gap.",
    ),
    "table": Distance("TABLE", "a table over grade pairs", None, None, "Any two grades, as one likes."),
}


def magnitude(name: str, t: np.ndarray, value: float) -> np.ndarray:
    """Return g(t) at gaps t >= 0."""
    formula = DISTANCES[name].magnitude
    if formula is None:
        raise ParameterError(f"The distance {name!r} is a table: it has no formula.")
    with np.errstate(over="ignore"):
        return formula(t, value)


def distance(
    name: str,
    t: Any,
    alpha: float | None = None,
    lam: float | None = None,
    beta: float | None = None,
    table: Any = None,
    scale: float | None = None,
) -> np.ndarray:
    """Return the directed distance at grade differences.

    Parameters
    ----------
    name : {"binary", "ldd", "logdd", "logitdd", "table"}
        Which distance.
    t : array of numbers, or a pair of arrays (r_i, r_j)
        Grade differences r_i - r_j, or the two grades. For the table a difference is counted from grade 0.
    alpha, lam, beta : float, optional
        The parameter of LDD, LOGDD and LOGITDD; None takes the one at which a gap of 1 has the distance 1
        (for LOGITDD 1). In training None is calibrated on the training pairs.
    table : square array, optional
        The distance from the column's grade to the row's; rows and columns are the grades 0, 1, 2, …, and
        between them it is interpolated.
    scale : float, optional
        Every distance of BINARY; None is the paper's 1.

    Examples
    --------
    >>> float(distance("ldd", -2, alpha=0.5))
    -1.0
    """
    value = check_parameters(name, alpha, lam, beta, scale)
    if name == "table":
        rows = check_table(table)
        if not isinstance(t, tuple):
            t = np.asarray(t, dtype=np.float64)
            t = (np.maximum(t, 0.0), np.maximum(-t, 0.0))
        return interpolate(rows, *(np.asarray(grades, dtype=np.float64) for grades in t))
    t = np.subtract(*(np.asarray(g, dtype=np.float64) for g in t)) if isinstance(t, tuple) else t
    t = np.asarray(t, dtype=np.float64)
    if not np.isfinite(t).all():
        raise ParameterError("A grade difference is not finite: give finite numbers.")
    value = {"logdd": np.e - 1.0}.get(name, 1.0) if value is None else value
    return np.sign(t) * magnitude(name, np.abs(t), value)


def check_parameters(
    name: str,
    alpha: float | None = None,
    lam: float | None = None,
    beta: float | None = None,
    scale: float | None = None,
) -> float | None:
    """Return the parameter that the named distance uses (None: not given), or refuse it in a sentence."""
    if name not in DISTANCES:
        raise ParameterError(f"There is no distance {name!r}. Take one of {', '.join(map(repr, DISTANCES))}.")
    given = {"alpha": alpha, "lam": lam, "beta": beta, "scale": scale}.get(DISTANCES[name].parameter or "")
    if given is None:
        return None
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = np.nan
    if not (np.isfinite(value) and value > 0):
        what = f"{DISTANCES[name].parameter} = {given!r} cannot be used"
        raise ParameterError(f"{what}. Take a number above 0, or None to have it calibrated.")
    return value


def check_table(table: Any) -> np.ndarray:
    """Return the table as a square, finite, antisymmetric array, or refuse it in a sentence."""
    if table is None:
        raise ParameterError('The distance "table" needs a table: give ddf_table, one row for each grade.')
    try:
        rows = np.array(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("The distance table is not a square array of numbers.") from None
    if rows.ndim != 2 or rows.shape[0] != rows.shape[1] or rows.shape[0] < 2:
        todo = "Give a square array, one row and column per grade."
        raise ParameterError(f"The distance table has shape {rows.shape}. {todo}")
    if not np.isfinite(rows).all() or np.abs(rows).max() > 1e100:
        raise ParameterError("The distance table holds a number that is not finite or beyond 1e100.")
    uneven = np.argwhere(np.abs(rows + rows.T) > 1e-12 * np.abs(rows))
    if len(uneven):
        a, b = uneven[0]
        cells = f"[{a}, {b}] is {rows[a, b]:g} and [{b}, {a}] is {rows[b, a]:g}"
        raise ParameterError(
            f"The distance table is not antisymmetric: {cells}. Make each the other's negative."
        )
    return rows


def check_grades(grades: np.ndarray, n_rows: int) -> np.ndarray:
    """Return the grades, or refuse one that lies beyond a table whose rows are the grades 0, 1, 2, …"""
    strange = ~((grades >= 0) & (grades <= n_rows - 1))
    if strange.any():
        what = f"grade {grades[strange].flat[0]:g} has no row in the distance table"
        what += f", whose rows are the grades 0 to {n_rows - 1}"
        raise DataError(what, "give a table that goes up to the highest grade")
    return grades


def interpolate(table: np.ndarray, high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Return the distance of grades `high` over `low` in a table whose rows are the grades 0, 1, 2, …

    Between four cells it is their weighted mean: antisymmetric as they are, above 0 wherever they are (two
    grades within one step of the table are then apart by their share of that step), a cell itself at whole
    grades.
    """
    high, low = (check_grades(grades, len(table)) for grades in (high, low))
    i, j = (np.minimum(grades.astype(np.int64), len(table) - 2) for grades in (high, low))
    u, v = high - i, low - j
    below = (1.0 - v) * table[i, j] + v * table[i, j + 1]
    above = (1.0 - v) * table[i + 1, j] + v * table[i + 1, j + 1]
    return (1.0 - u) * below + u * above
