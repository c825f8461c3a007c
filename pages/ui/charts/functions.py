"""Functions as curves: distances between grades, losses by the margin, what grades and ranks are worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette, Stroke
from .base import label_ends, line, log_ticks, new_figure, new_panels, when_narrow

WHAT = {"value": "loss", "slope": "slope", "curvature": "curvature"}
RANGES = {"value": (-0.15, 5.0), "slope": (-4.0, 1.5), "curvature": (-0.6, 4.0)}


def draw_distances(
    frame: pd.DataFrame,
    looks: Mapping[str, Stroke],
    points: pd.DataFrame,
    chosen: str = "",
    colours: Palette = LIGHT,
) -> go.Figure:
    """Draw a curve for each distance, and dots where pairs of the data are: Figure 2 of the MPBoost paper.

    Parameters
    ----------
    frame : DataFrame
        name, label, t (the difference of the grades), value; a row without a value breaks the curve.
    looks : mapping
        The stroke of each distance by name.
    points : DataFrame
        name, label, t, value: what the data's pairs have, or a table's entries.
    chosen : str
        The distance drawn thicker.
    """
    x_title = "difference of the grades, r<sub>i</sub> − r<sub>j</sub>"
    figure = new_figure(x_title, "directed distance", colours, 340)
    curves = {str(name): rows for name, rows in frame.groupby("name", sort=False)}
    dots = {str(name): rows for name, rows in points.groupby("name", sort=False)}
    ends = []
    for name, rows in curves.items():
        look, label = looks[name], rows["label"].iloc[0]
        figure.add_scatter(
            x=rows["t"],
            y=rows["value"],
            mode="lines",
            name=label,
            connectgaps=False,
            line={"color": look.colour, "dash": look.dash, "width": 3.4 if name == chosen else 2},
            hovertemplate="%{y:.4f}",
        )
        ends.append((label, float(rows["value"].iloc[-1]), look.colour))
    for name, rows in dots.items():
        look = looks[name]
        marker = {"symbol": look.marker, "size": 8 if name == chosen else 6, "color": look.colour}
        quiet = {"showlegend": False, "hoverinfo": "skip"}
        figure.add_scatter(x=rows["t"], y=rows["value"], mode="markers", marker=marker, **quiet)
        if name not in curves:
            last = rows.loc[rows["t"].idxmax()]
            ends.append((last["label"], float(last["value"]), look.colour))
    values = np.r_[frame["value"], points["value"]]
    high = 1.06 * max(1.0, float(np.nanmax(np.abs(values))))
    span = float(frame["t"].max())
    figure.add_hline(y=0, line={"color": colours.grid, "width": 1})
    figure.add_vline(x=0, line={"color": colours.grid, "width": 1})
    figure.update_xaxes(range=[-span, span], fixedrange=True)
    figure.update_yaxes(range=[-high, high], fixedrange=True)
    label_ends(figure, ends, -high, high, colours=colours)
    return figure.finish()


def draw_losses(
    frame: pd.DataFrame,
    looks: Mapping[str, Stroke],
    ranges: Mapping[str, tuple[float, float]] | None = None,
    log: bool = False,
    colours: Palette = LIGHT,
) -> go.Figure:
    """Draw three panels, a line for each loss in each: FRank's Figure 1 among them.

    Parameters
    ----------
    frame : DataFrame
        name, margin, value, slope, curvature.
    looks : mapping
        The stroke of each name.
    ranges : mapping, optional
        The axes of the three; lines that leave a frame go on outside.
    log : bool
        A logarithmic axis for the loss.
    """
    ranges = {**RANGES, **(ranges or {})}
    titles = tuple(WHAT.values())
    figure = new_panels(colours, 400, rows=1, cols=3, horizontal_spacing=0.055, subplot_titles=titles)
    strokes = {name: {"color": s.colour, "dash": s.dash, "width": s.width} for name, s in looks.items()}
    for name, rows in frame.groupby("name", sort=False):
        for column, what in enumerate(WHAT, start=1):
            figure.add_scatter(
                x=rows["margin"],
                y=rows[what],
                mode="lines",
                name=name,
                legendgroup=name,
                showlegend=column == 1,
                line=strokes[str(name)],
                hovertemplate=f"{name}<br>margin %{{x:.2f}}<br>{WHAT[what]} %{{y:.4f}}<extra></extra>",
                row=1,
                col=column,
            )
    low, high = float(frame["margin"].min()), float(frame["margin"].max())
    figure.update_xaxes(range=[low, high], title_text="margin Δ", zeroline=True, zerolinecolor=colours.grid)
    for column, what in enumerate(WHAT, start=1):
        axis: dict[str, Any]
        if log and what == "value":
            axis = {"type": "log", "range": [-3.0, 1.7], "title_text": "", **log_ticks(1e-3, 50.0)}
        else:
            axis = {"range": ranges[what], "zeroline": True, "zerolinecolor": colours.muted}
        figure.update_yaxes(**axis, row=1, col=column)
    legend = {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "font": {"size": 12}}
    figure.update_layout(showlegend=True, margin_t=26, legend=legend)
    when_narrow(figure, layout=_stacked(figure))
    return figure.finish()


def _stacked(figure: Sketch) -> dict[str, Any]:
    """Return the layout with the three panels above one another; the stylesheet gives it the height."""
    layout = figure.layout
    told: dict[str, Any] = {
        "legend": {**layout["legend"], "yref": "container", "y": 0, "yanchor": "bottom"},
        "annotations": [],
    }
    for number, title in enumerate(figure.notes):
        at, top = str(number + 1).removeprefix("1"), 1 - number * 0.36
        told[f"xaxis{at}"] = {**layout[f"xaxis{at}"], "domain": [0, 1]}
        if number < 2:  # the lowest one's title does for all
            told[f"xaxis{at}"]["title"] = {}
        told[f"yaxis{at}"] = {**layout[f"yaxis{at}"], "domain": [top - 0.28, top]}
        told["annotations"].append({**title, "x": 0.5, "y": top})
    return told


def draw_worths(
    frame: pd.DataFrame, looks: Mapping[str, Stroke], x_title: str, y_title: str, colours: Palette = LIGHT
) -> go.Figure:
    """Draw columns x and value of each name (with its label) as a line with markers."""
    figure = new_figure(x_title, y_title, colours, 300)
    ends = []
    for name, rows in frame.groupby("name", sort=False):
        look, label = looks[str(name)], rows["label"].iloc[0]
        line(figure, rows["x"], rows["value"], label, look, markers=True)
        ends.append((label, float(rows["value"].iloc[-1]), look.colour))
    high = 1.06 * float(frame["value"].max() or 1.0)
    low, top = float(frame["x"].min()), float(frame["x"].max())
    air = 0.03 * (top - low or 1.0)
    figure.update_yaxes(range=[0, high], fixedrange=True)
    figure.update_xaxes(range=[low - air, top + air], fixedrange=True, dtick=1 if top - low < 12 else None)
    label_ends(figure, ends, 0, high, colours=colours)
    return figure.finish()
