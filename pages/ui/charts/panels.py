"""Several small axes in one figure, in the house's look."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ..style.theme import LIGHT, Palette
from .base import new_figure


def new_panels(colours: Palette = LIGHT, height: int = 320, **grid: Any) -> go.Figure:
    """Return an empty figure with a grid of axes; `grid` as for `plotly.subplots.make_subplots`."""
    look = new_figure("", "", colours, height).layout.to_plotly_json()
    look.pop("template", None)  # the new figure has its own, and copying one takes a tenth of a second
    x_axis, y_axis = look.pop("xaxis"), look.pop("yaxis")
    for axis in (x_axis, y_axis):
        axis["title"].pop("text", None)
    figure = make_subplots(**grid)
    figure.update_layout(look)
    figure.update_layout(hovermode="closest", dragmode=False)
    figure.update_xaxes(x_axis | {"fixedrange": True})
    figure.update_yaxes(y_axis | {"fixedrange": True})
    figure.update_annotations(font={"size": 12, "color": colours.muted})
    return figure
