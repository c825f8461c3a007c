"""Lines for runs: loss and measure by round, the chosen round marked, and a measure by its depth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import shorten
from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette, Stroke
from .base import (
    MAX_LABELS,
    band,
    interval,
    label_ends,
    legend_below,
    line,
    log_ticks,
    new_figure,
    new_panels,
    say_bands,
    widened,
)

# Where all three splits are shown: how thick their lines are. Paler lines could not be seen.
_SPLIT_WIDTH = {"train": 0.45, "valid": 0.8, "test": 1.25}
_MOST_BANDS = 2  # beyond, bands cover one another, and the deviation stands at the lines' ends
_STEP = 0.022  # of the axis, from one interval to the next
_RAW = 0.3  # how strong a line is behind its smoothed one
_ROUND = "round (log; the untrained model, round 0, is off this axis)"
_PANEL = 158  # pixels of a small picture
_QUIET = {"hoverinfo": "skip", "showlegend": False}


def draw_curves(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    marks: pd.DataFrame | None = None,
    log_x: bool = False,
    log_y: bool = False,
    colours: Palette = LIGHT,
    height: int = 320,
    said: str = "",
    smooth: int = 1,
    least: int = 1,
) -> go.Figure:
    """Draw a line for each run and split.

    Parameters
    ----------
    frame : DataFrame
        Columns slot, run, split, iteration, value; with a column deviation the values are means, and a band
        of that half-width is drawn around them.
    looks : mapping
        The stroke of each slot.
    y_title : str
        What the values are.
    marks : DataFrame, optional
        Columns slot and iteration: where a run's markers stand; with a column hollow, those that are true are
        outlines.
    log_x, log_y : bool
        Logarithmic axes; iteration 0, the untrained model, has no place on a logarithmic x axis.
    said : str
        What the lines are means of, for the legend of the bands.
    smooth : int
        Over how many rounds each point is a mean; the line itself stays faint behind, and is what hovering
        tells.
    least : int
        The round to which the axis goes at least: while lines grow it stands still.
    """
    figure = new_figure(_ROUND if log_x else "round", y_title, colours, height)
    frame = _on_axes(frame, log_x, log_y)
    low, high = _range(frame, log_y)
    n_runs = frame["slot"].nunique()
    many, at_end = n_runs > MAX_LABELS, "deviation" in frame and n_runs > _MOST_BANDS
    ends, span = [], _rounds(frame, log_x, least)
    for number, (slot, rows) in enumerate(frame.groupby("slot", sort=False), start=1):
        look = looks[int(slot)]
        _add_run(figure, rows, look, marks, colours, 10**low if log_y else None, smooth, at_end)
        if at_end:
            x = span[1] * (1 + _STEP * number)
            interval(figure, 10**x if log_x else x, rows, look, meta={"slot": int(slot)})
        if many:
            _add_signs(figure, rows[rows["split"] == rows["split"].iloc[-1]], look, int(slot))
        ends.append((rows["run"].iloc[0], _last(rows, smooth), look.colour, int(slot)))
    span[1] *= 1 + _STEP * (n_runs + 1) if at_end else 1.0
    _set_axes(figure, span, (low, high), log_x, log_y)
    _say_names(
        figure, ends, many, said if "deviation" in frame else None, (low, high, log_y), colours, at_end
    )
    return figure.finish()


def draw_depths(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    colours: Palette = LIGHT,
    height: int = 300,
    said: str = "",
) -> go.Figure:
    """Draw a measure by the depth it looks at, NDCG@1 … NDCG@10: columns k and value of each run (slot, run).

    A column deviation gives bands around the values, which are means then, of what `said` says.
    """
    figure = new_figure("k, the number of documents from the top", y_title, colours, height)
    frame = frame.dropna(subset="value")
    if not len(frame):
        return figure.finish()
    n_runs = frame["slot"].nunique()
    spread, many, at_end = "deviation" in frame, n_runs > MAX_LABELS, n_runs > _MOST_BANDS
    ends, deepest = [], float(frame["k"].max())
    for number, (slot, rows) in enumerate(frame.groupby("slot", sort=False), start=1):
        look, whose = looks[int(slot)], _whose(slot)
        if spread and at_end:
            interval(figure, deepest * (1 + _STEP * number), rows, look, **whose)
        elif spread:
            band(figure, rows["k"], *_band_of(rows), look, **whose)
        name = rows["run"].iloc[0]
        line(figure, rows["k"], rows["value"], name, look, markers=True, showlegend=many, **whose)
        ends.append((name, float(rows["value"].iloc[-1]), look.colour, int(slot)))
    lower, upper = _band_of(frame) if spread else (frame["value"], frame["value"])
    low, high = widened(float(lower.min()), float(upper.max()), 0.08)
    figure.update_yaxes(range=[low, high])
    air = deepest * _STEP * (n_runs + 1) if spread and at_end else 0.2
    depths = sorted({int(k) for k in frame["k"]})
    few = [k for k in depths if deepest <= 12 or k % 5 == 0]  # and no number where intervals stand
    figure.update_xaxes(tickvals=few, ticktext=list(map(str, few)), range=[0.8, deepest + air])
    _say_names(figure, ends, many, said if spread else None, (low, high, False), colours, at_end)
    return figure.finish()


def _say_names(
    figure: Sketch,
    ends: list[tuple[Any, ...]],
    many: bool,
    said: str | None,
    axis: tuple[float, float, bool],
    colours: Palette,
    at_end: bool,
) -> None:
    """Say which line is whose, at its end or in a legend, and what the bands are, where `said` says it."""
    if said is not None:
        say_bands(figure, said, colours, at_end)
    if not many:
        label_ends(figure, ends, *axis, colours)
    if many or said is not None:
        legend_below(figure, (len(ends) if many else 0) + (2 if said is not None else 0))


def _whose(slot: Any) -> dict[str, Any]:
    """Return what lights a trace with its run."""
    return {"meta": {"slot": int(slot)}}


def _band_of(rows: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    return rows["value"] - rows["deviation"], rows["value"] + rows["deviation"]


def draw_multiples(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    marks: pd.DataFrame | None = None,
    log_x: bool = False,
    log_y: bool = False,
    colours: Palette = LIGHT,
    behind: int | None = None,
    smooth: int = 1,
    least: int = 1,
) -> go.Figure:
    """Draw a small picture for each run, all on the same axes, the run `behind` (a slot) in each of them.

    Otherwise as `draw_curves`.
    """
    frame = _on_axes(frame, log_x, log_y)
    low, high = _range(frame, log_y)
    groups = list(frame.groupby("slot", sort=False))
    names = [escape(str(rows["run"].iloc[0])) for _, rows in groups] or [""]
    n_rows = math.ceil(len(names) / 2)
    figure = new_panels(
        colours,
        60 + _PANEL * n_rows,
        rows=n_rows,
        cols=2 if len(names) > 1 else 1,
        shared_xaxes="all",
        shared_yaxes="all",
        vertical_spacing=0.26 / n_rows,
        horizontal_spacing=0.06,
        subplot_titles=[shorten(name, 40) for name in names],
        y_title=y_title,
        x_title="round (log)" if log_x else "round",
    )
    other = frame[frame["slot"] == behind]
    for number, (slot, rows) in enumerate(groups):
        at: dict[str, Any] = {"row": number // 2 + 1, "col": number % 2 + 1}
        if slot != behind and len(other):
            last = other[other["split"] == other["split"].iloc[-1]]
            faint = {"color": colours.muted, "width": 1.2, "dash": "2px,2px"}
            figure.add_scatter(x=last["iteration"], y=last["value"], mode="lines", line=faint, **_QUIET, **at)
        _add_run(figure, rows, looks[int(slot)], marks, colours, 10**low if log_y else None, smooth, **at)
    for label, name in zip(figure.notes, names, strict=False):
        label["hovertext"] = name
    _set_axes(figure, _rounds(frame, log_x, least), (low, high), log_x, log_y, few=True)
    for number in range(max(0, len(names) - 2), len(names)):  # the lowest of each column
        figure.update_xaxes(showticklabels=True, row=number // 2 + 1, col=number % 2 + 1)
    figure.update_layout(margin={"t": 26, "b": 44, "l": 64, "r": 10}, hovermode="x unified")
    return figure.finish()


def _add_run(
    figure: Sketch,
    rows: pd.DataFrame,
    look: Stroke,
    marks: pd.DataFrame | None,
    colours: Palette,
    floor: float | None,
    smooth: int = 1,
    at_end: bool = False,
    **at: Any,
) -> None:
    """Add a run's lines with their bands and markers; `floor` is the end of a logarithmic axis.

    Without a band where the deviation stands `at_end`.
    """
    several = rows["split"].nunique() > 1
    at["meta"] = {"slot": int(rows["slot"].iloc[0])}
    for split, part in rows.groupby("split", sort=False):
        if "deviation" in part and not at_end:
            lower, upper = _band_of(part)
            lower = lower if floor is None else lower.clip(lower=floor)
            band(figure, part["iteration"], lower, upper, look, **at)
        name, shown = str(part["run"].iloc[0]), look
        if several:
            name = f"{name}, {split}"
            shown = replace(look, width=look.width * _SPLIT_WIDTH[str(split)])
        x, y = part["iteration"], part["value"]
        line(figure, x, y, name, shown, opacity=_RAW if smooth > 1 else 1.0, showlegend=False, **at)
        if smooth > 1:
            stretch = {"color": look.colour, "width": shown.width, "dash": look.dash}
            smoothed = _smoothed(y, smooth)
            figure.add_scatter(x=list(x), y=list(smoothed), mode="lines", line=stretch, **_QUIET, **at)
        if marks is not None:
            _add_marks(figure, part, marks[marks["slot"] == part["slot"].iloc[0]], look, colours, **at)


def _smoothed(values: pd.Series, smooth: int) -> pd.Series:
    """Return the mean over so many rounds around each, fewer at the ends."""
    return values.rolling(smooth, center=True, min_periods=1).mean()


def _last(rows: pd.DataFrame, smooth: int) -> float:
    values = rows["value"][rows["split"] == rows["split"].iloc[-1]]
    return float((_smoothed(values, smooth) if smooth > 1 else values).iloc[-1])


def _set_axes(
    figure: Sketch, x: list[float], y: tuple[float, float], log_x: bool, log_y: bool, few: bool = False
) -> None:
    """Give the axes their ranges, in decades where they are logarithmic, and their ticks."""
    updates = ((figure.update_xaxes, x, log_x), (figure.update_yaxes, y, log_y))
    for update, (low, high), log in updates:
        ticks = log_ticks(10**low, 10**high, few) if log else {"nticks": 5} if few else {}
        update(range=[low, high], type="log" if log else "linear", **ticks)


def _add_marks(
    figure: Sketch, rows: pd.DataFrame, marks: pd.DataFrame, look: Stroke, colours: Palette, **at: Any
) -> None:
    """Mark rounds on a line."""
    hollow = marks["hollow"] if "hollow" in marks else pd.Series(False, marks.index)
    for outline in (True, False):
        marked = rows[rows["iteration"].isin(marks["iteration"][hollow == outline])]
        fill, edge = (colours.surface, look.colour) if outline else (look.colour, colours.surface)
        marker = {"symbol": look.marker, "size": 10, "color": fill, "line": {"width": 1.5, "color": edge}}
        x, y = marked["iteration"], marked["value"]
        if len(marked):
            figure.add_scatter(x=x, y=y, mode="markers", marker=marker, **_QUIET, **at)


def _add_signs(figure: Sketch, rows: pd.DataFrame, look: Stroke, slot: int) -> None:
    """Put a run into the legend, and a few small markers along its line: among many lines dashes repeat."""
    whose = _whose(slot)
    line(figure, [None], [None], str(rows["run"].iloc[0]), look, markers=True, **whose)
    step = max(1, len(rows) // 6)
    few = rows.iloc[slot * step // 10 :: step]
    marker = {"symbol": look.marker, "size": 6, "color": look.colour}
    figure.add_scatter(x=few["iteration"], y=few["value"], mode="markers", marker=marker, **_QUIET, **whose)


def _on_axes(frame: pd.DataFrame, log_x: bool, log_y: bool) -> pd.DataFrame:
    """Return what can be drawn: finite values, and what has a place on logarithmic axes."""
    frame = frame[np.isfinite(frame["value"].astype(float))]
    frame = frame[frame["iteration"] > 0] if log_x else frame
    return frame[frame["value"] > 0] if log_y else frame


def _rounds(frame: pd.DataFrame, log: bool, least: int = 1) -> list[float]:
    last = max(least, int(frame["iteration"].max()) if len(frame) else 1)
    return [0, math.log10(max(2, last))] if log else [0, max(1, last)]


def _range(frame: pd.DataFrame, log: bool) -> tuple[float, float]:
    """Return the axis that holds all values with a little air, in decades where it is logarithmic."""
    if not len(frame):
        return 0.0, 1.0
    low, high = float(frame["value"].min()), float(frame["value"].max())
    if "deviation" in frame:
        lower, upper = _band_of(frame)
        low = float(lower[lower > 0].min() if log and (lower > 0).any() else low if log else lower.min())
        high = float(upper.max())
    if log:
        low, high = math.log10(low), math.log10(high)
    return widened(low, high, 0.06)
