"""What a grade is worth, what a rank counts: a few points with lines between them."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, Stroke
from .base import label_ends, new_figure


def draw_worths(
    frame: pd.DataFrame,
    looks: Mapping[str, Stroke],
    x_title: str,
    y_title: str,
    colours: Palette = LIGHT,
    height: int = 300,
) -> go.Figure:
    """Draw columns x and value of each name (with its label) as a line with markers."""
    figure = new_figure(x_title, y_title, colours, height)
    ends = []
    for name, rows in frame.groupby("name", sort=False):
        look, label = looks[str(name)], rows["label"].iloc[0]
        figure.add_scatter(
            x=rows["x"],
            y=rows["value"],
            mode="lines+markers",
            name=label,
            hovertemplate="%{y:.4f}",
            line={"color": look.colour, "dash": look.dash, "width": look.width},
            marker={"symbol": look.marker, "size": 7, "color": look.colour},
        )
        ends.append((label, float(rows["value"].iloc[-1]), look.colour))
    high = 1.06 * float(frame["value"].max() or 1.0)
    low, top = float(frame["x"].min()), float(frame["x"].max())
    air = 0.03 * (top - low or 1.0)
    figure.update_yaxes(range=[0, high], fixedrange=True)
    figure.update_xaxes(range=[low - air, top + air], fixedrange=True)
    label_ends(figure, ends, 0, high)
    return figure
