"""The lessons' pictures: few lines, each named; and any chart as a hall reads it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette
from .base import label_ends, log_ticks, new_figure, spread

LETTERS = 20  # pixels, in a hall
_GROWN = 1.4  # what a chart grows by where its letters do


def for_hall(figure: go.Figure) -> go.Figure:
    """Return a chart with letters that are read from afar, and room for them; it is not changed itself."""
    told = _with_letters(figure.to_dict())
    large = go.Figure(told["data"], told["layout"])
    layout, height = large.layout, _GROWN * (figure.layout.height or 320)
    layout.height = height
    names = sorted((one for one in layout.annotations if one.xref == "x domain"), key=lambda one: one.y)
    if names:  # at the ends of lines
        low, high = layout.yaxis.range
        gap = (high - low) * 1.25 * LETTERS / (height - 100)
        for name, place in zip(names, spread([one.y for one in names], gap, low, high), strict=True):
            name.y = place
        layout.margin.r *= LETTERS / 12
    return large


def _with_letters(part: Any) -> Any:
    """Return a figure's plain data with no font smaller than a hall's."""
    if isinstance(part, dict):
        grown = {name: _with_letters(value) for name, value in part.items()}
        for name in grown.keys() & {"font", "tickfont", "textfont"}:
            grown[name]["size"] = max(LETTERS, grown[name].get("size", 0))
        return grown
    return [_with_letters(one) for one in part] if isinstance(part, list | tuple) else part


def _lines(
    figure: Sketch,
    frame: pd.DataFrame,
    x: str,
    low: float,
    high: float,
    colours: Palette,
    log: bool = False,
) -> None:
    """Add a line for each name, and its name at its end; `low` and `high` as for `label_ends`."""
    ends = []
    for slot, (name, rows) in enumerate(frame.groupby("name", sort=False)):
        colour = colours.slots[slot]
        figure.add_scatter(
            x=rows[x],
            y=rows["value"],
            mode="lines",
            name=str(name),
            line={"color": colour, "width": 2.4},
            hovertemplate="%{y:.4g}",
        )
        ends.append((str(name), float(rows["value"].iloc[-1]), colour))
    label_ends(figure, ends, low, high, log, colours)


def draw_gaps(frame: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw distances by the difference of two grades: name, gap, value."""
    figure = new_figure("difference of the grades", "directed distance", colours, 300)
    high = 1.08 * float(frame["value"].max())
    figure.update_yaxes(range=[0, high], fixedrange=True)
    figure.update_xaxes(range=[0, 4], fixedrange=True, dtick=1)
    _lines(figure, frame, "gap", 0.0, high, colours)
    return figure.finish()


def draw_losses_by_round(frame: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a loss and what it bounds by round: name, iteration, value."""
    figure = new_figure("round", "", colours, 320)
    high = 1.06 * float(frame["value"].max())
    figure.update_yaxes(range=[0, high], fixedrange=True)
    figure.update_xaxes(range=[0, int(frame["iteration"].max())], fixedrange=True, dtick=2)
    _lines(figure, frame, "iteration", 0.0, high, colours)
    return figure.finish()


def draw_stopping(
    frame: pd.DataFrame, stopped: int | None, n_rounds: int, colours: Palette = LIGHT
) -> go.Figure:
    """Draw curves by round (name, iteration, value) on axes that stay, with a line where somebody stopped."""
    figure = new_figure("round", "NDCG@3", colours, 320)
    figure.update_yaxes(range=[0, 1.02], fixedrange=True)
    figure.update_xaxes(range=[0, n_rounds], fixedrange=True)
    if stopped is not None:
        figure.add_vline(x=stopped, line={"color": colours.muted, "width": 1.5, "dash": "dot"})
    _lines(figure, frame, "iteration", 0.0, 1.02, colours)
    for slot, (_, rows) in enumerate(frame.groupby("name", sort=False)):  # at first there is nothing else
        mark, end = {"color": colours.slots[slot], "size": 9}, rows.iloc[-1:]
        told = {"mode": "markers", "marker": mark, "hoverinfo": "skip", "cliponaxis": False}
        figure.add_scatter(x=end["iteration"], y=end["value"], **told)
    return figure.finish()


def draw_shuffles(means: np.ndarray, ours: float, colours: Palette = LIGHT) -> go.Figure:
    """Draw how mean differences made by chance are spread, and ours as a line; the same to the other side."""
    figure = new_figure("mean difference", "shuffles", colours, 300)
    span = 1.1 * max(float(np.abs(means).max()), abs(ours), 1e-6)
    bins = {"start": -span, "end": span, "size": span / 20}
    figure.add_histogram(x=means, xbins=bins, marker={"color": colours.slots[0]}, hovertemplate="%{y}")
    figure.add_vline(x=ours, line={"color": colours.worse, "width": 2.5})
    figure.add_vline(x=-ours, line={"color": colours.worse, "width": 2.5, "dash": "dot"})
    figure.update_xaxes(range=[-span, span], fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    return figure.finish()


def draw_pair_losses(frame: pd.DataFrame, margin: float, colours: Palette = LIGHT) -> go.Figure:
    """Draw losses by the margin (name, margin, value), logarithmically, with one margin marked."""
    figure = new_figure("margin: how far the better page leads", "loss", colours, 340)
    low, high = -2.0, float(np.log10(1.2 * frame["value"].max()))
    kept = frame[frame["value"] >= 10.0**low].sort_values("margin", ascending=False, kind="stable")
    ends = [float(frame["margin"].max()), float(frame["margin"].min())]  # the hopeless pair is at the right
    figure.add_vline(x=margin, line={"color": colours.muted, "width": 1.5, "dash": "dot"})
    figure.update_xaxes(range=ends, fixedrange=True)
    figure.update_yaxes(type="log", range=[low, high], fixedrange=True, **log_ticks(10.0**low, 10.0**high))
    _lines(figure, kept, "margin", low, high, colours, log=True)
    return figure.finish()
