"""The pictures of a sweep: a line, a map or parallel lines, by how many vary; curves; importance."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ltr_core.sweeps import FitStatus

from ..charts.models import draw_bars
from ..charts.sweep_axes import Axes, is_numeric
from ..charts.sweeps import draw_along, draw_by_round, draw_map, draw_parallel, draw_scattered
from ..kit import panel
from ..style.theme import Palette
from ..style.words import count, param_label
from ..tables.sweep import Swept, by_round, drawn, importance
from .words import JUDGED

_HEIGHT = 330


def draw_points(swept: Swept, colours: Palette, key: str) -> None:
    """Draw all points by what varies; fills while a sweep runs."""
    frame, measure = drawn(swept), swept.measure.label
    titles = [param_label(param) for param in swept.params.values()]
    logs = [_is_log(swept, name, frame[f"x{i}"]) for i, name in enumerate(swept.params)]
    done = count(int((frame["status"] == FitStatus.DONE).sum()), "point")
    note = f"{JUDGED[swept.sweep.score_at]}, {done}" + (
        "" if swept.n_cuts == 1 else f" of {swept.n_cuts} fits each"
    )

    def tools() -> None:
        if not swept.is_running:
            panel.csv(lambda: swept.sweep.points.reset_index(), "sweep-points")

    with panel.panel(f"{measure} by {_listed(titles)}", note, tools):
        if not frame["value"].notna().any():
            st.skeleton(height=_HEIGHT)
            return
        draw = draw_parallel
        if len(titles) < 3:
            draw = draw_along if len(titles) == 1 else draw_map if _is_map(swept) else draw_scattered
        axis = f"{measure}, {'best' if swept.sweep.score_at == 'best' else 'last'} round"
        axes = Axes(titles, logs, axis, swept.sweep.higher_is_better)
        alt = f"{measure} on validation by {', '.join(titles)}, {done}"
        panel.chart(draw(frame, axes, colours, _HEIGHT), alt, f"{key}-picture")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _is_log(swept: Swept, name: str, column: pd.Series) -> bool:
    """Whether a parameter's axis is logarithmic: it was swept so, or its values were spaced so."""
    given = swept.sweep.header["space"][name]
    if isinstance(given, dict):
        return bool(given.get("log"))
    if not is_numeric(column) or not (column.astype(float) > 0).all():
        return False
    values = sorted({float(v) for v in given if v is not None})
    return len(values) > 2 and values[-1] - values[-2] > 1.5 * (values[1] - values[0])


def _is_map(swept: Swept) -> bool:
    """Whether two parameters span a grid, to be seen as cells even before all of them are there."""
    header = swept.sweep.header
    is_grid = header.get("n_trials") is None  # no points were drawn
    return is_grid or all(isinstance(header["space"][name], list) for name in swept.params)


def draw_beside(swept: Swept, colours: Palette) -> None:
    """Draw what the points rest on: what matters where many vary, or else the curves of the best."""
    if len(swept.params) > 2:
        _draw_importance(swept, colours)
    elif swept.sweep.algorithm.rounds_param is not None:
        _draw_curves(swept, colours)


def _draw_curves(swept: Swept, colours: Palette) -> None:
    frame = by_round(swept)
    if frame.empty:
        return
    many, of = frame["point"].nunique(), count(len(swept.sweep.points), "point")
    title = f"{swept.measure.label} by round"
    note = "on validation, " + (of if many == len(swept.sweep.points) else f"{many} of the best of {of}")
    if len(swept.params) > 1:
        note += f": {' · '.join(param_label(param) for param in swept.params.values())}"
    with panel.panel(title, note, lambda: panel.csv(frame, "sweep-rounds")):
        figure = draw_by_round(frame, swept.measure.label, swept.sweep.chosen, colours, _HEIGHT)
        alt = f"{title} on validation, a line for each of the best points"
        panel.chart(figure, alt, "sweep-rounds-chart")


def _draw_importance(swept: Swept, colours: Palette) -> None:
    frame = importance(swept)
    tools = None if isinstance(frame, str) else lambda: panel.csv(frame, "sweep-importance")
    note = "share of the variance between points that a parameter explains by itself (fANOVA)"
    with panel.panel("What matters", note, tools):
        if isinstance(frame, str):
            st.caption(frame)
            return
        figure = draw_bars(frame, "importance", "share of the variance", colours=colours)
        alt = "How much each parameter matters, as bars, the largest first"
        panel.chart(figure, alt, "sweep-importance-chart")
