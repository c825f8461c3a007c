"""A measure by the depth it looks at: NDCG@1 … NDCG@10, a line for each run."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, Stroke
from .base import MAX_LABELS, band, label_ends, legend_below, line, new_figure, say_bands


def draw_depths(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    colours: Palette = LIGHT,
    height: int = 300,
    said: str = "",
) -> go.Figure:
    """Draw columns k and value of each run (slot, run).

    A column deviation gives bands around the values, which are means then, of what `said` says.
    """
    figure = new_figure("k, the number of documents from the top", y_title, colours, height)
    frame = frame.dropna(subset="value")
    spread, many = "deviation" in frame, frame["slot"].nunique() > MAX_LABELS
    ends = []
    for slot, rows in frame.groupby("slot", sort=False):
        look = looks[int(slot)]
        if spread:
            low, high = rows["value"] - rows["deviation"], rows["value"] + rows["deviation"]
            band(figure, rows["k"], low, high, look)
        line(figure, rows["k"], rows["value"], rows["run"].iloc[0], look, markers=True, showlegend=many)
        ends.append((rows["run"].iloc[0], float(rows["value"].iloc[-1]), look.colour))
    if len(frame):
        half = frame["deviation"] if spread else 0.0
        low, high = float((frame["value"] - half).min()), float((frame["value"] + half).max())
        air = 0.08 * (high - low) or 0.05
        figure.update_yaxes(range=[low - air, high + air])
        figure.update_xaxes(dtick=1, range=[0.8, frame["k"].max() + 0.2])
        if spread:
            say_bands(figure, said, colours)
        if not many:
            label_ends(figure, ends, low - air, high + air)
        if many or spread:
            legend_below(figure, (len(ends) if many else 0) + 2 * spread)
    return figure
