"""Charts of the papers' exhibits: lines, points and bars of named series, in one picture or several.

All take a tidy table with the columns series and value (and x, but for bars); `low` and `high` are an
interval, and rows of one `panel` share a small picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import shorten
from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette, Stroke
from .base import (
    MAX_LABELS,
    band,
    hold_still,
    label_ends,
    legend_below,
    line,
    name_rows,
    new_figure,
    new_panels,
    widened,
)

_HEIGHT, _PANEL, _BAR = 320, 170, 34


@dataclass(frozen=True)
class Axes:
    """What the axes are of, and which of them are logarithmic."""

    x: str = ""
    y: str = ""
    log_x: bool = False
    log_y: bool = False

    def set_scales(self, figure: Sketch) -> None:
        """Make a figure's axes linear or logarithmic."""
        figure.update_xaxes(type="log" if self.log_x else "linear")
        figure.update_yaxes(type="log" if self.log_y else "linear")


def draw_lines(
    frame: pd.DataFrame, looks: Mapping[str, Stroke], colours: Palette = LIGHT, axes: Axes = Axes()
) -> go.Figure:
    """Draw a line for each series, an interval around it where there is one."""
    figure, places = _places(frame, colours, axes)
    for name, rows in frame.groupby("panel" if "panel" in frame else lambda _: "", sort=False):
        at = places[str(name)]
        for series, own in rows.groupby("series", sort=False):
            own, look = own.sort_values("x"), looks[str(series)]
            if "low" in own:
                band(figure, own["x"], own["low"], own["high"], look, **at)
            more: dict[str, Any] = {**at, "showlegend": not at or at == {"row": 1, "col": 1}}
            line(figure, own["x"], own["value"], str(series), look, markers=len(own) <= 12, **more)
    low, high = _range(frame, axes.log_y)
    axes.set_scales(figure)
    figure.update_yaxes(range=[low, high])
    names = list(looks)
    if len(places) == 1 and len(names) <= MAX_LABELS:
        ends = [
            (str(series), float(own.sort_values("x")["value"].iloc[-1]), looks[str(series)].colour)
            for series, own in frame.groupby("series", sort=False)
        ]
        label_ends(figure, ends, low, high, axes.log_y, colours)
    else:
        legend_below(figure, len(names))
        if len(places) > 1:  # the title of all x axes is no axis's own: the legend keeps off it
            figure.update_layout(margin_b=44 + 20 * math.ceil(len(names) / 2))
    return figure.finish()


def draw_points(
    frame: pd.DataFrame, looks: Mapping[str, Stroke], colours: Palette = LIGHT, axes: Axes = Axes()
) -> go.Figure:
    """Draw a point for each row, and the diagonal on which both axes are equal."""
    figure = new_figure(axes.x, axes.y, colours, _HEIGHT)
    ends = [float(frame[["x", "value"]].min().min()), float(frame[["x", "value"]].max().max())]
    faint = {"color": colours.muted, "width": 1.2, "dash": "2px,2px"}
    figure.add_scatter(x=ends, y=ends, mode="lines", line=faint, name="equal", hoverinfo="skip")
    for series, own in frame.groupby("series", sort=False):
        look = looks[str(series)]
        marker = {"symbol": look.marker, "size": 7, "color": look.colour, "opacity": 0.75}
        figure.add_scatter(x=own["x"], y=own["value"], mode="markers", name=str(series), marker=marker)
    axes.set_scales(figure)
    hold_still(figure)
    legend_below(figure, len(looks) + 1)
    return figure.finish()


def draw_bars(
    frame: pd.DataFrame, looks: Mapping[str, Stroke], colours: Palette = LIGHT, axes: Axes = Axes()
) -> go.Figure:
    """Draw a bar for each series, the first at the top, with its interval."""
    names = list(frame["series"])
    figure = new_figure(axes.y, axes.x, colours, 70 + _BAR * len(names))
    more: dict[str, Any] = {}
    if "low" in frame:
        up, down = frame["high"] - frame["value"], frame["value"] - frame["low"]
        more["error_x"] = {
            "type": "data",
            "array": up,
            "arrayminus": down,
            "color": colours.text,
            "thickness": 1.4,
        }
    figure.add_bar(
        x=frame["value"],
        y=list(range(len(names))),
        orientation="h",
        width=0.55,
        marker={"color": [looks[name].colour for name in names]},
        customdata=names,
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
        **more,
    )
    name_rows(figure, [shorten(name) for name in names], downwards=True)
    figure.add_vline(x=0, line={"color": colours.muted, "width": 1})
    hold_still(figure)
    return figure.finish()


def _places(frame: pd.DataFrame, colours: Palette, axes: Axes) -> tuple[Sketch, dict[str, dict[str, int]]]:
    """Return an empty figure, and where in it each panel is."""
    if "panel" not in frame:
        return new_figure(axes.x, axes.y, colours, _HEIGHT), {"": {}}
    names = [str(name) for name in dict.fromkeys(frame["panel"])]
    n_rows = math.ceil(len(names) / 2)
    figure = new_panels(
        colours,
        60 + _PANEL * n_rows,
        rows=n_rows,
        cols=min(2, len(names)),
        shared_xaxes="all",
        shared_yaxes="all",
        vertical_spacing=0.26 / n_rows,
        horizontal_spacing=0.09,
        subplot_titles=[shorten(name) for name in names],
        x_title=axes.x,
        y_title=axes.y,
    )
    figure.update_layout(margin={"t": 26, "b": 44, "l": 64 if axes.y else 8})
    return figure, {name: {"row": i // 2 + 1, "col": i % 2 + 1} for i, name in enumerate(names)}


def _range(frame: pd.DataFrame, log: bool) -> tuple[float, float]:
    low = float((frame["low"] if "low" in frame else frame["value"]).min())
    high = float((frame["high"] if "high" in frame else frame["value"]).max())
    if log:
        positive = frame.loc[frame["value"] > 0, "value"]
        low, high = math.log10(max(float(positive.min()), 1e-12)), math.log10(high)
    return widened(low, high, 0.06)
