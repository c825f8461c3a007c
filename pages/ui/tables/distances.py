"""Distances between grades as tables of numbers, and their check on the data at hand: all from `ltr_core`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core import DISTANCES, DataError, ParameterError
from ltr_core.distances import DistanceReport

from ..runs.screens import Screen
from ..runs.services import services
from ..style.sentences import on_screen

FORMULAS = ("binary", "ldd", "logdd", "logitdd")  # the distances that are curves; "table" is a person's own
GRADES = 5  # rows of an own table at first, and grades of a table where the data have more than can be shown
MOST_GRADES = 7  # rows of a table that can be read
MOST_OWN = 10  # rows of a table that can be typed
MOST_DOTS = 12  # grades whose differences are marked
_POINTS = 121  # on each side of zero

_VERDICTS = {"(3)": "sign_holds", "(4)": "larger_gap_larger_distance", "(9)": "about_one"}

Table = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class DistanceParams:
    """The parameters in hand: α, λ, β and the own table."""

    alpha: float
    lam: float
    beta: float
    table: Table
    scale: float = 1.0

    def of(self, ddf: str) -> dict[str, Any]:
        """Return a distance's own parameter, as `ltr.distance` takes it."""
        if ddf == "table":
            return {"table": self.table}
        name = DISTANCES[ddf].parameter
        return {name: getattr(self, name)} if name else {}

    def for_run(self, ddf: str) -> dict[str, Any]:
        """Return a distance as MPBoost's parameters: the exact values."""
        own = self.of(ddf)
        return {"ddf": ddf, **({"ddf_table": own["table"]} if ddf == "table" else own)}


def grades_at_hand(screen: Screen) -> np.ndarray:
    """Return the distinct grades of the training data; 0 to 4 without data."""
    if screen.splits is None:
        return np.arange(float(GRADES))
    y = screen.splits.train.y
    return services().memo.make(("grades", screen.data), lambda: np.unique(y), lambda a: a.nbytes)


def table_grades(screen: Screen) -> np.ndarray:
    """Return the grades that tables are made of: all at hand, or some, from the lowest to the highest."""
    grades = grades_at_hand(screen)
    if len(grades) <= MOST_GRADES:
        return grades
    return grades[np.linspace(0, len(grades) - 1, MOST_GRADES).round().astype(int)]


def own_grades(screen: Screen) -> np.ndarray:
    """Return the grades of a person's own table: whole ones from 0 to the highest at hand."""
    top = float(grades_at_hand(screen)[-1])
    return np.arange(float(min(MOST_OWN, int(np.ceil(top)) + 1) if top >= 1 else GRADES))


# Tables -----------------------------------------------------------------------------------------------------


def table_of(ddf: str, params: DistanceParams, grades: np.ndarray) -> np.ndarray:
    """Return the distance of the row's grade over the column's."""
    high, low = np.meshgrid(grades, grades, indexing="ij")
    return ltr.distance(ddf, (high, low), **params.of(ddf))


def filled_table(ddf: str, params: DistanceParams, grades: np.ndarray) -> Table:
    """Return a table that holds a formula's distances, to two digits."""
    return _as_table(np.round(table_of(ddf, params, grades), 2))


def fitted_table(given: Any, start: Table) -> Table:
    """Return a person's table in the size of `start`, which gives the rest; `start` itself if it is none."""
    try:
        ltr.distance("table", 0.0, table=given)
    except (DataError, ParameterError):
        return start
    cells, own = np.array(start), np.array(given, dtype=np.float64)
    n = min(len(cells), len(own))
    cells[:n, :n] = own[:n, :n]
    return _as_table(cells)


def with_cell(table: Table, row: int, column: int, value: float) -> Table:
    """Return a table with one cell changed, and its mirror image with it: tables are antisymmetric."""
    cells = np.array(table, dtype=np.float64)
    cells[row, column], cells[column, row] = value, -value
    np.fill_diagonal(cells, 0.0)
    return _as_table(cells)


def _as_table(cells: np.ndarray) -> Table:
    return tuple(tuple(float(v) + 0.0 for v in run) for run in cells)


# Curves -----------------------------------------------------------------------------------------------------


def distance_curves(params: DistanceParams, span: float) -> pd.DataFrame:
    """Return the formulas' curves from −span to span: name, label, t, value; broken at the change of sign."""
    half = np.linspace(span / _POINTS / 10, span, _POINTS)
    t = np.concatenate([-half[::-1], [np.nan], half])
    known = np.isfinite(t)
    frames = []
    for name in FORMULAS:
        value = np.full(len(t), np.nan)
        value[known] = ltr.distance(name, t[known], **params.of(name))
        frames.append(_named(name, t, value))
    return pd.concat(frames, ignore_index=True)


def distance_points(params: DistanceParams, grades: np.ndarray, own: np.ndarray | None) -> pd.DataFrame:
    """Return the distances at the differences that few grades have; of an own table every entry."""
    gaps = np.zeros(0)
    if len(grades) <= MOST_DOTS:
        gaps = np.unique(np.round(np.subtract.outer(grades, grades), 9))
        gaps = gaps[gaps != 0.0]
    parts = [_named(name, gaps, ltr.distance(name, gaps, **params.of(name))) for name in FORMULAS]
    if own is not None:
        high, low = (grid.ravel() for grid in np.meshgrid(own, own, indexing="ij"))
        kept = high != low
        at = ltr.distance("table", (high[kept], low[kept]), table=params.table)
        parts.append(_named("table", (high - low)[kept], at))
    return pd.concat(parts, ignore_index=True)


def _named(name: str, t: np.ndarray, value: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"name": name, "label": DISTANCES[name].label, "t": t, "value": value})


# Verdicts ---------------------------------------------------------------------------------------------------


def report(screen: Screen, ddf: str, given: dict[str, Any]) -> DistanceReport | str:
    """Return the check of a distance on the training pairs at hand, or the sentence why there is none.

    Without its parameter in `given` the distance is calibrated first.
    """
    if screen.splits is None:
        return screen.problem or "There are no data to check it on."
    train = screen.splits.train

    def check() -> DistanceReport | str:
        try:
            return ltr.check_distance(ddf, train, **given)
        except (DataError, ParameterError) as error:
            return on_screen(error)

    return services().memo.make(("report", screen.data, ddf, tuple(given.items())), check)


def calibrated(screen: Screen, ddf: str) -> float | None:
    """Return the parameter at which the mean distance over the training pairs is 1, if there are pairs."""
    checked = report(screen, ddf, {})
    return None if isinstance(checked, str) else checked.value


def reports(screen: Screen, params: DistanceParams, names: Sequence[str]) -> pd.DataFrame:
    """Return a row for each distance: name, label, value, mean, low, high, (3), (4), (9), problem."""
    rows = []
    for name in names:
        checked = report(screen, name, params.of(name))
        row: dict[str, Any] = {"name": name, "label": DISTANCES[name].label, "problem": ""}
        if isinstance(checked, str):
            row["problem"] = checked
        else:
            row |= {name: getattr(checked, name) for name in ("value", "mean", "low", "high")}
            row |= {verdict: getattr(checked, name) for verdict, name in _VERDICTS.items()}
        rows.append(row)
    return pd.DataFrame(rows)
