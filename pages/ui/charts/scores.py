"""A document's score taken apart: by feature and by round."""

from __future__ import annotations

from html import escape

import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import told_apart
from ..style.theme import LIGHT, Palette
from .base import hold_still, name_rows, new_figure, new_panels, tint_of, widened, write

_MOST_PARTS = 12  # bars of a score; the rest is one bar


def draw_parts(rows: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw what each feature adds to a score, the largest on top, and the query's mean as a stroke.

    `rows` has feature, value, contribution, mean, in order. Features that add nothing to any document of the
    query are left out; beyond a dozen the rest is one bar.
    """
    rows = rows[(rows["contribution"] != 0) | (rows["mean"] != 0)]
    top, rest = rows.head(_MOST_PARTS), rows.iloc[_MOST_PARTS:]
    values = [f"{value:.4g}".replace("-", "−") for value in top["value"]]
    names, short = list(top["feature"]), told_apart(list(top["feature"]), 26)
    labels, told = (
        [f"{escape(name)} = {value}" for name, value in zip(some, values, strict=True)]
        for some in (short, names)
    )
    added, mean = list(top["contribution"]), list(top["mean"])
    if len(rest):
        labels.append(f"{len(rest)} more")
        told.append(labels[-1])
        added.append(float(rest["contribution"].sum()))
        mean.append(float(rest["mean"].sum()))
    places = list(range(len(labels)))
    figure = new_figure("added to the score", "", colours, 74 + 23 * max(2, len(labels)))
    tint = [tint_of(value, colours) for value in added]
    figure.add_bar(
        x=added,
        y=places,
        orientation="h",
        width=0.66,
        name="this document",
        marker={"color": tint, "line": {"width": 0}},
        customdata=told,
        hovertemplate="%{customdata}<br>adds %{x:+.4f}<extra></extra>",
    )
    figure.add_scatter(
        x=mean,
        y=places,
        mode="markers",
        name="mean of the query",
        hovertemplate="mean of the query's documents %{x:+.4f}<extra></extra>",
        marker={"symbol": "line-ns", "size": 15, "line": {"width": 2.2, "color": colours.text}},
    )
    for place, value, ink in zip(places, added, tint, strict=True):
        text = f"{value:+.4f}".replace("-", "−") if value else "0"
        write(figure, 1, place, text, ink, xref="x domain", xanchor="left", xshift=8)
    ends = widened(min([0.0, *added, *mean]), max([0.0, *added, *mean]), 0.04, 1.0)
    figure.update_xaxes(range=ends, fixedrange=True, nticks=6)
    name_rows(figure, labels, downwards=True)
    figure.add_vline(x=0, line={"color": colours.muted, "width": 1})
    hold_still(figure, margin_r=70)
    return figure.finish()


def draw_rounds(rows: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a document's score by round above what each round added to it.

    Round 0 has no bar: where all begin, such as a mean grade, is many times what a round adds. `rows` has
    iteration, added, score, by (what the round looked at, or empty).
    """
    grid = {"rows": 2, "cols": 1, "row_heights": [0.5, 0.5], "vertical_spacing": 0.1}
    figure = new_panels(colours, 260, shared_xaxes=True, **grid)
    x = rows["iteration"]
    figure.add_scatter(
        x=x,
        y=rows["score"],
        mode="lines+markers" if len(rows) < 3 else "lines",
        row=1,
        col=1,
        line={"color": colours.text, "width": 2, "shape": "hv"},
        hovertemplate="round %{x}: score %{y:.4f}<extra></extra>",
    )
    learnt = rows[x > 0]
    figure.add_bar(
        x=learnt["iteration"],
        y=learnt["added"],
        width=1 if len(rows) > 150 else 0.8,
        row=2,
        col=1,
        customdata=[escape(text) for text in learnt["by"]],
        marker={"color": [tint_of(value, colours) for value in learnt["added"]], "line": {"width": 0}},
        hovertemplate="round %{x} adds %{y:+.4f}<br>%{customdata}<extra></extra>",
    )
    figure.update_xaxes(range=[-0.6, max(1, int(x.iloc[-1])) + 0.6])
    figure.update_xaxes(title_text="round", row=2, col=1)
    figure.update_yaxes(zeroline=True, zerolinecolor=colours.muted, nticks=4)
    figure.update_yaxes(title_text="score", row=1, col=1)
    figure.update_yaxes(title_text="added", row=2, col=1)
    figure.update_layout(bargap=0)
    return figure.finish()
