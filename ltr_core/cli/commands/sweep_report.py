"""What is said of a sweep: the estimate, the points with their differences, the chosen one."""

from __future__ import annotations

import dataclasses
from typing import Any

import pandas as pd

from ...params import Param
from ...sweeps import Estimate, Sweep, params_of
from .. import output
from ..parsing import PROGRAM
from ..progress import say_seconds
from ..values import typed

_SHOWN = 20  # points, unless all are asked for


def say_estimate(estimate: Estimate) -> str:
    """Say what a sweep would take."""
    points = f"{estimate.n_points} point{'s' if estimate.n_points != 1 else ''}"
    fits = f"{estimate.n_fits} fit{'s' if estimate.n_fits != 1 else ''}"
    workers = f"{estimate.n_workers} worker{'s' if estimate.n_workers != 1 else ''}"
    each, all_of_them = say_seconds(estimate.seconds_per_fit), say_seconds(estimate.seconds)
    return f"{points}, {fits} of about {each}: about {all_of_them} on {workers}."


def estimate_facts(estimate: Estimate | None) -> dict[str, Any] | None:
    """Return the estimate as plain data."""
    return None if estimate is None else {**dataclasses.asdict(estimate), "seconds": estimate.seconds}


def facts(result: Sweep, compared: pd.DataFrame | None, baseline: int | None) -> dict[str, Any]:
    """Return a sweep as plain data."""
    header = result.header
    points = result.points.reset_index()
    if compared is not None:
        points = points.merge(compared.reset_index(), on="point", how="left")
        points = points.astype(dict.fromkeys(("wins", "ties", "losses"), "Int64"))
    chosen = None
    if result.chosen is not None:
        chosen = {
            "point": result.chosen,
            "params": result.best_params,
            "rounds": result.best_rounds,
            "value": result.best_value,
            "test_value": result.test_value,
            "test": result.test,
        }
    return {
        **{name: header[name] for name in ("algorithm", "space", "fixed", "measures")},
        "stopped": result.stopped,
        "n_folds": len(header["folds"]),
        "seeds": header["seeds"],
        "points": points,
        "baseline": result.chosen if baseline is None else baseline,
        "chosen": chosen,
        "fits": result.table,
    }


def print_points(result: Sweep, compared: pd.DataFrame | None, baseline: int | None, every: bool) -> None:
    """Print the best points and the chosen one."""
    measure = result.measures[0]
    points = result.points.sort_values(["rank"], kind="stable", na_position="last")
    shown = points if every else points[:_SHOWN]
    params, rows = params_of(result.algorithm), []
    for number, point in shown.iterrows():
        versus: list[Any] = [None] * 3
        if compared is not None and number in compared.index:
            versus = list(compared.loc[number, ["difference", "p", "p_holm"]])  # type: ignore[call-overload]
        values = [_shown(params[name], point[name]) for name in result.names]
        rows.append([number, *values, *point[["status", "n_fits", "value", "deviation"]], *versus])
    came = ("status", "fits", f"valid {measure}", "deviation")
    head = ["point", *result.names, *came, "difference", "p", "p Holm"]
    if rows:
        cells = dict.fromkeys((f"valid {measure}", "deviation", "difference"), output.fixed)
        output.print_table(head, rows, {**cells, "p": output.short, "p Holm": output.short})
    if len(shown) < len(points):
        print(f"… and {len(points) - len(shown)} more: --all shows them, --csv FILE.csv writes every fit.")
    if compared is not None:
        point = result.chosen if baseline is None else baseline
        print(f"\nDifferences and p-values are to point {point}, over the validation queries.")
    for number, error in result.points["error"].dropna().items():
        print(f"Point {number} failed: {error}")
    if result.chosen is not None:
        _print_chosen(result)


def _print_chosen(result: Sweep) -> None:
    own = params_of(result.algorithm)
    values = {name: typed(own[name], value) for name, value in (result.best_params or {}).items()}
    said = ", ".join(f"{name} = {value}" for name, value in values.items())
    test = "" if result.test_value is None else f", on the test data {result.test_value:.6f}"
    print(
        f"Chosen: point {result.chosen} ({said}): {result.measures[0]} {result.best_value:.6f} "
        f"on the validation data{test}."
    )
    words = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in values.items())
    print(f"To train it: {PROGRAM} train {result.algorithm.__name__} {words} --data …")


def _shown(param: Param, value: Any) -> str:
    """Write a swept value; a table of numbers holds NaN for None."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, float):
        return f"{value:g}" if value == value else typed(param, None)
    return typed(param, value)
