"""From a sweep to tidy tables and sentences. Every number comes from `ltr_core`; no formula stands here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core import Param, ParameterError
from ltr_core.measures import Measure
from ltr_core.sweeps import FitStatus, Sweep, importances, params_of

from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import Recipe, recipe_of
from ..style.sentences import on_screen as said
from ..style.words import choice_label, param_label, value_label

_CURVES = 6  # points whose curves are drawn


@dataclass(frozen=True)
class Swept:
    """A sweep on screen.

    `stamp` tells apart what is worked out of it; `fold` says which of its folds is the split at hand, None:
    it was made on other data; `has_measure` whether its measure is the one at hand.
    """

    sweep: Sweep
    stamp: tuple
    path: Path
    name: str = "sweep"
    is_running: bool = False
    fold: int | None = None
    has_measure: bool = False

    @cached_property
    def algorithm_params(self) -> dict[str, Param]:
        """The parameters of its algorithm."""
        return params_of(self.sweep.algorithm)

    @cached_property
    def params(self) -> dict[str, Param]:
        """The swept parameters, as far as the algorithm still has them."""
        known = self.algorithm_params
        return {name: known[name] for name in self.sweep.names if name in known}

    @cached_property
    def measure(self) -> Measure:
        """What it was for, with its definition."""
        given = self.sweep.header["measures"][0]
        named = ltr.measure(given["name"])
        return type(named)(**{p.name: given["options"].get(p.name, p.default) for p in named.params})

    @property
    def n_cuts(self) -> int:
        """How many fits a point has."""
        return len(self.sweep.cuts)


def on_screen(
    screen: Screen, sweep: Sweep, stamp: tuple, path: Path, name: str = "sweep", is_running: bool = False
) -> Swept:
    """Return a sweep with what it has to do with the data and the measure at hand."""
    fold, splits = None, screen.splits
    if splits is not None:
        parts = ("train", "valid", "test")
        key = ("prints", screen.data)
        here = services().memo.make(key, lambda: [splits[part].fingerprint for part in parts])
        fold = next((i for i, prints in enumerate(sweep.header["folds"]) if prints == here), None)
    own = Swept(sweep, stamp, path).measure
    has_measure = own.label == screen.measure.label and dict(own.options) == dict(screen.measure.options)
    return Swept(sweep, stamp, path, name, is_running, fold, has_measure)


def points(swept: Swept, against: int | None) -> pd.DataFrame:
    """Return a row for each point, the best first.

    Columns: point, the swept parameters, value, deviation, n_fits, status, error, rank, difference, wins,
    ties, losses, p (corrected for the number of points).
    """

    def compute() -> pd.DataFrame:
        try:
            compared = swept.sweep.against(against)
        except ParameterError:  # nothing to compare with yet
            compared = pd.DataFrame(columns=["difference", "wins", "ties", "losses", "p_holm"], dtype=float)
        compared = compared.drop(columns="p", errors="ignore").rename(columns={"p_holm": "p"})
        frame = swept.sweep.points.join(compared, how="left")
        return frame.sort_values("rank", kind="stable", na_position="last").reset_index(names="point")

    return _kept(swept, ("points", against), compute)


def baseline(swept: Swept, wanted: int | None) -> int | None:
    """Return the point that others are compared with: the one asked for where it is finished, or the best."""
    frame = swept.sweep.points
    done = frame.index[frame["status"] == FitStatus.DONE] if len(frame) else []
    return wanted if wanted in done else swept.sweep.chosen


def values(swept: Swept, point: int) -> dict[str, Any]:
    """Return the swept values of a point in their proper types."""
    row = swept.sweep.points.loc[point]
    return {name: _proper(param, row[name]) for name, param in swept.params.items()}


def column_of(param: Param, given: Iterable[Any]) -> list[Any]:
    """Return a column of a parameter's values in their proper types."""
    return [_proper(param, value) for value in given]


def point_name(swept: Swept, point: int) -> str:
    """Return a point in words: λ 2.15, LOGDD."""
    return ", ".join(_said(swept.params[name], value) for name, value in values(swept, point).items())


def _said(param: Param, value: Any) -> str:
    if param.kind == "choice":
        return choice_label(param, value)
    if param.kind == "bool":
        return param_label(param) if value else f"no {param_label(param)}"
    return f"{param_label(param)} {short(param, value)}"


def short(param: Param, value: Any) -> str:
    """Return a value as people read it: four digits of a number."""
    return f"{value:.4g}".replace("-", "−") if isinstance(value, float) else value_label(param, value)


def recipe(swept: Swept, point: int) -> Recipe:
    """Return a point as a run: its exact parameters, and the first of the sweep's seeds."""
    header, known = swept.sweep.header, swept.algorithm_params
    fixed = {name: _proper(known[name], v) for name, v in header["fixed"].items()}
    seed = {"random_state": int(header["seeds"][0])}
    return recipe_of(swept.sweep.algorithm.__name__, {**fixed, **values(swept, point), **seed})


def edges(swept: Swept) -> dict[str, bool]:
    """Return the parameters at whose end the chosen point lies, with more beyond: whether it is the top.

    Only ranges of numbers have an end, and the algorithm's own limits are none to go beyond.
    """
    found: dict[str, bool] = {}
    for name, value in values(swept, swept.sweep.chosen).items() if swept.sweep.chosen is not None else ():
        param, given = swept.params[name], swept.sweep.header["space"][name]
        ends = (
            [given["low"], given["high"]]
            if isinstance(given, dict)
            else sorted(v for v in given if v is not None)
        )
        if param.kind not in ("int", "float") or value is None or len(ends) < 2:
            continue
        for end, limit, is_top in ((ends[-1], param.high, True), (ends[0], param.low, False)):
            if value == end and end != limit:
                found[name] = is_top
    return found


def drawn(swept: Swept) -> pd.DataFrame:
    """Return the points for a picture: point, x0, x1 …, their labels l0, l1 …, and how good each is.

    That is in value, deviation, status and best. Along one parameter of a grid, or over two, the places of
    points to come are there too, with the status "waiting".
    """
    frame, waiting = swept.sweep.points, _waiting(swept)
    axes = {}
    for place, (name, param) in enumerate(swept.params.items()):
        column = column_of(param, [*frame[name], *(point[place] for point in waiting)])
        axes[f"x{place}"] = pd.Series(column, dtype=object)
        axes[f"l{place}"] = pd.Series([short(param, v) for v in column], dtype=object)
    out = pd.DataFrame(axes)
    out["point"] = [*frame.index, *[-1] * len(waiting)]
    for name in ("value", "deviation"):
        out[name] = np.array([*frame[name], *[np.nan] * len(waiting)], dtype=float)
    out["status"] = [*frame["status"], *["waiting"] * len(waiting)]
    return out.assign(best=out["point"] == swept.sweep.chosen)


def _waiting(swept: Swept) -> list[tuple]:
    """Return the points of a grid that are not there yet, where all of it is drawn."""
    axes = [swept.sweep.header["space"][name] for name in swept.params]
    if len(axes) > 2 or not all(isinstance(axis, list) for axis in axes):
        return []
    there = {tuple(row) for row in swept.sweep.points[list(swept.params)].itertuples(index=False)}
    return [point for point in itertools.product(*axes) if point not in there]


def by_round(swept: Swept) -> pd.DataFrame:
    """Return the measure by round on validation of the best points: point, name, iteration, value.

    The mean over a point's fits; points of one training have one curve.
    """

    def compute() -> pd.DataFrame:
        sweep = swept.sweep
        table = sweep.table[sweep.table["status"] == FitStatus.DONE]
        curves = sweep.curves
        curves = curves[(curves["split"] == "valid") & (curves["measure"] == sweep.measures[0])]
        means: dict[tuple, pd.DataFrame] = {}
        for point in sweep.points.sort_values("rank").dropna(subset="rank").index:
            fits = tuple(table.loc[table["point"] == point, "fit"])
            if fits not in means and len(means) < _CURVES:
                mean = curves[curves["fit"].isin(fits)].groupby("iteration", as_index=False)["value"].mean()
                means[fits] = mean.assign(point=point, name=_brief(swept, point))
        names = ["point", "name", "iteration", "value"]
        return pd.concat(means.values(), ignore_index=True)[names] if means else pd.DataFrame(columns=names)

    return _kept(swept, "by-round", compute)


def _brief(swept: Swept, point: int) -> str:
    """Return a point's name for a line's end: beside others' the values alone tell it."""
    if len(swept.params) == 1:
        return point_name(swept, point)
    return " · ".join(short(swept.params[name], value) for name, value in values(swept, point).items())


def importance(swept: Swept) -> pd.DataFrame | str:
    """Return parameter and importance, or why there is none."""

    def compute() -> pd.DataFrame | str:
        try:
            shares = importances(swept.sweep)
        except ParameterError as error:
            return said(error)
        names = [param_label(swept.params[str(name)]) for name in shares.index]
        return pd.DataFrame({"feature": names, "importance": shares.to_numpy()})

    return _kept(swept, "importance", compute)


def _kept(swept: Swept, what: Hashable, compute: Callable[[], Any]) -> Any:
    return services().memo.make(("sweep", swept.stamp, what), compute)


def _proper(param: Param, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if param.kind == "choice":
        return next((c for c in param.choices if c == value), value)
    return value if value is None else param.check(value)
