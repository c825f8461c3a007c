"""A measure by the depth it looks at: NDCG@1 … NDCG@10, a line for each run."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from ..theme import LIGHT, Palette, Stroke
from .base import MAX_LABELS, label_ends, line, new_figure


def draw_depths(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    colours: Palette = LIGHT,
    height: int = 300,
) -> go.Figure:
    """Draw columns k and value of each run (slot, run)."""
    figure = new_figure("k, the number of documents from the top", y_title, colours, height)
    frame = frame.dropna(subset="value")
    ends = []
    for slot, rows in frame.groupby("slot", sort=False):
        look = looks[int(slot)]
        line(figure, rows["k"], rows["value"], rows["run"].iloc[0], look, markers=True)
        ends.append((rows["run"].iloc[0], float(rows["value"].iloc[-1]), look.colour))
    if len(frame):
        low, high = float(frame["value"].min()), float(frame["value"].max())
        air = 0.08 * (high - low) or 0.05
        figure.update_yaxes(range=[low - air, high + air])
        figure.update_xaxes(dtick=1, range=[0.8, frame["k"].max() + 0.2])
        if len(ends) <= MAX_LABELS:
            label_ends(figure, ends, low - air, high + air)
        else:
            figure.update_layout(showlegend=True)
    return figure
