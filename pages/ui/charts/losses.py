"""Pair losses against the margin: value, slope and curvature side by side (FRank's Figure 1 among them)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, Stroke
from .panels import new_panels

WHAT = {"value": "loss", "slope": "slope", "curvature": "curvature"}
RANGES = {"value": (-0.15, 5.0), "slope": (-4.0, 1.5), "curvature": (-0.6, 4.0)}


def draw_losses(
    frame: pd.DataFrame,
    looks: Mapping[str, Stroke],
    ranges: Mapping[str, tuple[float, float]] | None = None,
    log: bool = False,
    colours: Palette = LIGHT,
    height: int = 400,
) -> go.Figure:
    """Draw three panels, a line for each loss in each.

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
    figure = new_panels(
        colours, height, rows=1, cols=3, horizontal_spacing=0.055, subplot_titles=tuple(WHAT.values())
    )
    strokes = {name: {"color": s.colour, "dash": s.dash, "width": s.width} for name, s in looks.items()}
    traces = [
        go.Scatter(
            x=rows["margin"],
            y=rows[what],
            mode="lines",
            name=name,
            legendgroup=name,
            showlegend=column == 0,
            line=strokes[str(name)],
            hovertemplate=f"{name}<br>margin %{{x:.2f}}<br>{WHAT[what]} %{{y:.4f}}<extra></extra>",
        )
        for name, rows in frame.groupby("name", sort=False)
        for column, what in enumerate(WHAT)
    ]
    figure.add_traces(traces, rows=[1] * len(traces), cols=[1, 2, 3] * (len(traces) // 3))
    low, high = float(frame["margin"].min()), float(frame["margin"].max())
    figure.update_xaxes(range=[low, high], title_text="margin Δ", zeroline=True, zerolinecolor=colours.grid)
    for column, what in enumerate(WHAT, start=1):
        if log and what == "value":
            figure.update_yaxes(type="log", range=[-3.0, 1.7], row=1, col=column, title_text="")
        else:
            figure.update_yaxes(
                range=ranges[what], row=1, col=column, zeroline=True, zerolinecolor=colours.muted
            )
    figure.update_layout(
        showlegend=True,
        margin_t=26,
        legend={"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "font": {"size": 12}},
    )
    return figure
