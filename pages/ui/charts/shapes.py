"""The directed distances as curves over the difference of two grades: Figure 2 of the MPBoost paper."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, Stroke
from .base import label_ends, new_figure


def draw_distances(
    frame: pd.DataFrame,
    looks: Mapping[str, Stroke],
    points: pd.DataFrame,
    chosen: str = "",
    colours: Palette = LIGHT,
    height: int = 340,
) -> go.Figure:
    """Draw a curve for each distance, and dots where pairs of the data are.

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
    figure = new_figure(x_title, "directed distance", colours, height)
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
        figure.add_scatter(
            x=rows["t"],
            y=rows["value"],
            mode="markers",
            showlegend=False,
            hoverinfo="skip",
            marker={"symbol": look.marker, "size": 8 if name == chosen else 6, "color": look.colour},
        )
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
    label_ends(figure, ends, -high, high)
    return figure
