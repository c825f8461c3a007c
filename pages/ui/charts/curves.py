"""Curves by iteration: loss and measure, a line for each run and split, the chosen round marked."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..theme import LIGHT, Palette, Stroke
from .base import MAX_LABELS, label_ends, line, new_figure

# Where all three splits are shown: training faint, validation between, test in full.
_SPLIT_OPACITY = {"train": 0.35, "valid": 0.65, "test": 1.0}


def draw_curves(
    frame: pd.DataFrame,
    looks: Mapping[int, Stroke],
    y_title: str,
    marks: pd.DataFrame | None = None,
    log_x: bool = False,
    log_y: bool = False,
    colours: Palette = LIGHT,
    height: int = 320,
) -> go.Figure:
    """Draw a line for each run and split.

    Parameters
    ----------
    frame : DataFrame
        Columns slot, run, split, iteration, value.
    looks : mapping
        The stroke of each slot.
    y_title : str
        What the values are.
    marks : DataFrame, optional
        Columns slot and iteration: where a run's marker stands.
    log_x, log_y : bool
        Logarithmic axes; iteration 0, the untrained model, has no place on a logarithmic x axis.
    """
    x_title = "round (log; the untrained model, round 0, is off this axis)" if log_x else "round"
    figure = new_figure(x_title, y_title, colours, height)
    frame = frame[np.isfinite(frame["value"].astype(float))]
    frame = frame[frame["iteration"] > 0] if log_x else frame
    frame = frame[frame["value"] > 0] if log_y else frame
    splits = list(dict.fromkeys(frame["split"]))
    several = len(splits) > 1
    at = {} if marks is None else dict(zip(marks["slot"], marks["iteration"], strict=True))
    ends = []
    for (slot, split), rows in frame.groupby(["slot", "split"], sort=False):
        name = rows["run"].iloc[0]
        look = looks[int(slot)]
        shown = f"{name}, {split}" if several else name
        line(
            figure,
            rows["iteration"],
            rows["value"],
            shown,
            look,
            opacity=_SPLIT_OPACITY[split] if several else 1.0,
        )
        if not several or split == splits[-1]:
            ends.append((name, float(rows["value"].iloc[-1]), look.colour))
        marked = rows[rows["iteration"] == at.get(slot)]
        if len(marked):
            figure.add_scatter(
                x=marked["iteration"],
                y=marked["value"],
                mode="markers",
                hoverinfo="skip",
                showlegend=False,
                marker={
                    "symbol": look.marker,
                    "size": 10,
                    "color": look.colour,
                    "line": {"width": 1.5, "color": colours.surface},
                },
            )
    low, high = _range(frame["value"], log_y)
    figure.update_yaxes(range=[low, high], type="log" if log_y else "linear")
    last = int(frame["iteration"].max()) if len(frame) else 1
    figure.update_xaxes(
        range=[0, math.log10(max(2, last))] if log_x else [0, last], type="log" if log_x else "linear"
    )
    if len(ends) <= MAX_LABELS:
        label_ends(figure, ends, low, high, log_y)
    else:
        figure.update_layout(showlegend=True)
    return figure


def _range(values: pd.Series, log: bool) -> tuple[float, float]:
    """Return the axis that holds all values with a little air, in decades where it is logarithmic."""
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    if log:
        low, high = math.log10(low), math.log10(high)
    air = 0.06 * (high - low) or 0.05
    return low - air, high + air
