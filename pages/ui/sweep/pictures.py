"""The pictures of a sweep: a line, a map or parallel lines, by how many vary; curves; importance."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ..charts.models import draw_bars
from ..charts.sweep_axes import is_numeric
from ..charts.sweeps import draw_along, draw_by_round, draw_map, draw_parallel, draw_scattered
from ..kit import panel
from ..style.theme import Palette
from ..style.words import count, param_label
from ..tables.sweep import Shown, by_round, drawn, importance

_HEIGHT = 330


def draw(seen: Shown, colours: Palette) -> None:
    """Draw the picture of all points, and beside it what it rests on."""
    left, right = st.columns([11, 9], gap="medium")
    with left:
        main(seen, colours, "sweep")
    with right:
        if len(seen.params) > 2:
            _importance(seen, colours)
        elif seen.sweep.algorithm.rounds_param is not None:
            _curves(seen, colours)


def main(seen: Shown, colours: Palette, key: str) -> None:
    """Draw all points by what varies; fills while a sweep runs."""
    frame = drawn(seen)
    titles = [param_label(param) for param in seen.params.values()]
    logs = [_is_log(seen, name, frame[f"x{i}"]) for i, name in enumerate(seen.params)]
    up = seen.sweep.higher_is_better
    done = count(int((frame["status"] == "done").sum()), "point")
    note = f"on validation, {done}" + ("" if seen.n_fits == 1 else f" of {seen.n_fits} fits each")
    alt = f"{seen.measure} on validation by {', '.join(titles)}, {done}"

    def tools() -> None:
        if key == "sweep":
            panel.csv(lambda: seen.sweep.points.reset_index(), "sweep-points")

    with panel.panel(f"{seen.measure} by {_listed(titles)}", note, tools):
        if not frame["value"].notna().any():
            st.skeleton(height=_HEIGHT)
            return
        if len(titles) == 1:
            figure = draw_along(frame, titles[0], seen.measure, logs[0], colours, _HEIGHT)
        elif len(titles) == 2 and _is_map(seen):
            figure = draw_map(frame, titles, seen.measure, up, colours, _HEIGHT)
        elif len(titles) == 2:
            figure = draw_scattered(frame, titles, logs, seen.measure, up, colours, _HEIGHT)
        else:
            figure = draw_parallel(frame, titles, logs, seen.measure, up, colours, _HEIGHT)
        panel.chart(figure, alt, f"{key}-picture")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _is_log(seen: Shown, name: str, column: pd.Series) -> bool:
    """Whether a parameter's axis is logarithmic: it was swept so, or its values were spaced so."""
    given = seen.sweep.header["space"][name]
    if isinstance(given, dict):
        return bool(given.get("log"))
    if not is_numeric(column) or not (column.astype(float) > 0).all():
        return False
    values = sorted({float(v) for v in given if v is not None})
    return len(values) > 2 and values[-1] - values[-2] > 1.5 * (values[1] - values[0])


def _is_map(seen: Shown) -> bool:
    """Whether two parameters span a grid, to be seen as cells even before all of them are there."""
    space = seen.sweep.header["space"]
    return seen.sweep.header["sampler"] == "grid" or all(isinstance(space[n], list) for n in seen.params)


def _curves(seen: Shown, colours: Palette) -> None:
    frame = by_round(seen)
    if frame.empty:
        return
    many = frame["point"].nunique()
    title = f"{seen.measure} by round"
    note = f"on validation, {_of_best(many, len(seen.sweep.points))}"
    if len(seen.params) > 1:
        note += f": {' · '.join(param_label(param) for param in seen.params.values())}"
    with panel.panel(title, note, lambda: panel.csv(frame, "sweep-rounds")):
        figure = draw_by_round(frame, seen.measure, seen.sweep.chosen, colours, _HEIGHT)
        panel.chart(
            figure, f"{title} on validation, a line for each of the best points", "sweep-rounds-chart"
        )


def _of_best(many: int, of: int) -> str:
    return count(many, "point") if many == of else f"{many} of the best of {count(of, 'point')}"


def _importance(seen: Shown, colours: Palette) -> None:
    frame = importance(seen)
    with panel.panel(
        "What matters",
        "share of the variance between points that a parameter explains by itself (fANOVA)",
        None if isinstance(frame, str) else lambda: panel.csv(frame, "sweep-importance"),
    ):
        if isinstance(frame, str):
            st.caption(frame)
            return
        figure = draw_bars(frame, "importance", "share of the variance", colours=colours)
        panel.chart(
            figure, "How much each parameter matters, as bars, the largest first", "sweep-importance-chart"
        )
