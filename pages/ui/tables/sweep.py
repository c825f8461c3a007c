"""From a sweep to tidy tables and sentences. Every number comes from `ltr_core`; no formula stands here."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core import Param, ParameterError
from ltr_core.measures import Measure
from ltr_core.sweeps import Sweep
from ltr_core.sweeps.importance import importances

from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import Recipe, recipe_of
from ..style.words import choice_label, param_label, value_label
from ..sweep.specs import params_of

_CURVES = 6  # points whose curves are drawn


@dataclass(frozen=True)
class Shown:
    """A sweep on screen.

    `state` is "running", "stopped", "unfinished" (a file of one that was broken off) or "done"; `fold` says
    which of its folds is the split at hand, None: it was made on other data; `spoken` whether its measure is
    the one at hand.
    """

    sweep: Sweep
    stamp: tuple
    path: Path
    state: str
    measure: str
    fold: int | None
    spoken: bool
    name: str = "sweep"

    @property
    def params(self) -> dict[str, Param]:
        """The swept parameters, as far as the algorithm still has them."""
        known = params_of(self.sweep.algorithm.__name__)
        return {name: known[name] for name in self.sweep.names if name in known}

    @property
    def label(self) -> str:
        """The algorithm's name on screen."""
        return self.sweep.algorithm.label or self.sweep.algorithm.__name__

    @property
    def n_fits(self) -> int:
        """How many fits a point has."""
        return len(self.sweep.header["folds"]) * len(self.sweep.header["seeds"])


def shown(screen: Screen, sweep: Sweep, stamp: tuple, path: Path, state: str, name: str = "sweep") -> Shown:
    """Return a sweep with what it has to do with the data and the measure at hand."""
    own = measure_of(sweep)
    fold = None
    if screen.splits is not None:
        here = services().memo.make(
            ("prints", screen.data),
            lambda: [screen.splits[part].fingerprint for part in ("train", "valid", "test")],
        )
        fold = next((i for i, prints in enumerate(sweep.header["folds"]) if prints == here), None)
    spoken = own.label == screen.measure.label and dict(own.options) == dict(screen.measure.options)
    return Shown(sweep, stamp, path, state, own.label, fold, spoken, name)


def measure_of(sweep: Sweep) -> Measure:
    """Return the measure that a sweep was for, with its definition."""
    given = sweep.header["measures"][0]
    named = ltr.measure(given["name"])
    return type(named)(**{p.name: given["options"].get(p.name, p.default) for p in named.params})


def points(seen: Shown, against: int | None) -> pd.DataFrame:
    """Return a row for each point, the best first.

    Columns: point, the swept parameters, value, deviation, n_fits, status, error, rank, difference, wins,
    ties, losses, p (corrected for the number of points).
    """

    def compute() -> pd.DataFrame:
        frame = seen.sweep.points
        try:
            compared = seen.sweep.against(against)
        except ParameterError:  # nothing to compare with yet
            compared = pd.DataFrame(columns=["difference", "wins", "ties", "losses", "p_holm"], dtype=float)
        compared = compared.drop(columns="p", errors="ignore").rename(columns={"p_holm": "p"})
        frame = frame.join(compared, how="left")
        return frame.sort_values("rank", kind="stable", na_position="last").reset_index(names="point")

    return _kept(seen, ("points", against), compute)


def baseline(seen: Shown, wanted: int | None) -> int | None:
    """Return the point that others are compared with: the one asked for where it is finished, or the best."""
    frame = seen.sweep.points
    done = frame.index[frame["status"] == "done"] if len(frame) else []
    return wanted if wanted in done else seen.sweep.chosen


def values(seen: Shown, point: int) -> dict[str, Any]:
    """Return the swept values of a point in their proper types."""
    row = seen.sweep.points.loc[point]
    return {name: _proper(param, row[name]) for name, param in seen.params.items()}


def column_of(param: Param, given: Iterable[Any]) -> list[Any]:
    """Return a column of a parameter's values in their proper types."""
    return [_proper(param, value) for value in given]


def point_name(seen: Shown, point: int) -> str:
    """Return a point in words: λ 2.15, LOGDD."""
    return ", ".join(
        said(param, v) for param, v in zip(seen.params.values(), values(seen, point).values(), strict=True)
    )


def said(param: Param, value: Any) -> str:
    """Return a setting in words."""
    if param.kind == "choice":
        return choice_label(param, value)
    if param.kind == "bool":
        return param_label(param) if value else f"no {param_label(param)}"
    return f"{param_label(param)} {short(param, value)}"


def short(param: Param, value: Any) -> str:
    """Return a value as people read it: four digits of a number."""
    return f"{value:.4g}" if isinstance(value, float) else value_label(param, value)


def recipe(seen: Shown, point: int) -> Recipe:
    """Return a point as a run: its exact parameters, and the first of the sweep's seeds."""
    known = params_of(seen.sweep.algorithm.__name__)
    fixed = {name: _proper(known[name], v) for name, v in seen.sweep.header["fixed"].items()}
    seed = {"random_state": int(seen.sweep.header["seeds"][0])}
    return recipe_of(seen.sweep.algorithm.__name__, {**fixed, **values(seen, point), **seed})


def drawn(seen: Shown) -> pd.DataFrame:
    """Return the points for a picture: point, x0, x1 …, their labels l0, l1 …, and how good each is.

    That is in value, deviation, status and best. Along one parameter of a grid, or over two, the places of
    points to come are there too, with the status "waiting".
    """
    frame, found = seen.sweep.points, {}
    waiting = _waiting(seen)
    for place, (name, param) in enumerate(seen.params.items()):
        column = column_of(param, [*frame[name], *(point[place] for point in waiting)])
        found[f"x{place}"] = pd.Series(column, dtype=object)
        found[f"l{place}"] = pd.Series([short(param, v) for v in column], dtype=object)
    out = pd.DataFrame(found)
    out["point"] = [*frame.index, *[-1] * len(waiting)]
    for name in ("value", "deviation"):
        out[name] = np.array([*frame[name], *[np.nan] * len(waiting)], dtype=float)
    out["status"] = [*frame["status"], *["waiting"] * len(waiting)]
    return out.assign(best=out["point"] == seen.sweep.chosen)


def _waiting(seen: Shown) -> list[tuple]:
    """Return the points of a grid that are not there yet, where all of it is drawn."""
    axes = [seen.sweep.header["space"][name] for name in seen.params]
    if len(axes) > 2 or not all(isinstance(axis, list) for axis in axes):
        return []
    there = {tuple(row) for row in seen.sweep.points[list(seen.params)].itertuples(index=False)}
    return [point for point in itertools.product(*axes) if point not in there]


def by_round(seen: Shown) -> pd.DataFrame:
    """Return the measure by round on validation of the best points: point, name, iteration, value.

    The mean over a point's fits; points of one training have one curve.
    """

    def compute() -> pd.DataFrame:
        sweep = seen.sweep
        table = sweep.table[sweep.table["status"] == "done"]
        curves = sweep.curves
        curves = curves[(curves["split"] == "valid") & (curves["measure"] == sweep.measures[0])]
        pieces, taken = [], set[tuple]()
        for point in sweep.points.sort_values("rank").dropna(subset="rank").index:
            fits = tuple(table.loc[table["point"] == point, "fit"])
            if fits in taken or len(taken) >= _CURVES:
                continue
            taken.add(fits)
            mean = curves[curves["fit"].isin(fits)].groupby("iteration", as_index=False)["value"].mean()
            pieces.append(mean.assign(point=point, name=_brief(seen, point)))
        names = ["point", "name", "iteration", "value"]
        return pd.concat(pieces, ignore_index=True)[names] if pieces else pd.DataFrame(columns=names)

    return _kept(seen, "by-round", compute)


def _brief(seen: Shown, point: int) -> str:
    """Return a point's name for a line's end: beside others' the values alone tell it."""
    if len(seen.params) == 1:
        return point_name(seen, point)
    given = values(seen, point)
    return " · ".join(short(param, given[name]) for name, param in seen.params.items())


def importance(seen: Shown) -> pd.DataFrame | str:
    """Return parameter and importance, or why there is none."""

    def compute() -> pd.DataFrame | str:
        try:
            found = importances(seen.sweep)
        except ParameterError as error:
            return str(error)
        known: Mapping[str, Param] = seen.params
        names = [param_label(known[str(name)]) for name in found.index]
        return pd.DataFrame({"feature": names, "importance": found.to_numpy()})

    return _kept(seen, "importance", compute)


def _kept(seen: Shown, what: Hashable, compute: Callable[[], Any]) -> Any:
    return services().memo.make(("sweep", seen.stamp, what), compute)


def _proper(param: Param, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if param.kind == "choice":
        return next((c for c in param.choices if c == value), value)
    return value if value is None else param.check(value)
