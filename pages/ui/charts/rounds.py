"""What one round of a pairwise booster saw: the gain of every candidate stump, the weight of every pair."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import told_apart
from ..style.theme import LIGHT, Palette, letters
from .base import hold_still, new_figure, new_panels, write


def draw_candidates(
    candidates: pd.DataFrame, names: tuple[str, ...], colours: Palette = LIGHT, taken: bool = True
) -> go.Figure:
    """Draw the gain of every candidate stump, by feature; with `taken` the one chosen is set off.

    `candidates` has feature, threshold, n, d, value, gain and chosen.
    """
    titles = [escape(name) for name in told_apart(names, 20)]
    grid = {"rows": 1, "cols": len(names), "horizontal_spacing": 0.04, "subplot_titles": titles}
    figure = new_panels(colours, 190, shared_yaxes=True, **grid)
    best = candidates[candidates["chosen"]].iloc[0]
    width = 0.022 if len(candidates) <= 12 * len(names) else 0.007
    for k in range(len(names)):
        rows = candidates[candidates["feature"] == k]
        shown = rows["chosen"] & taken
        tint = np.where(shown, colours.slots[0], colours.muted)
        figure.add_bar(
            x=rows["threshold"],
            y=rows["gain"],
            width=width,
            row=1,
            col=k + 1,
            marker={"color": tint, "opacity": np.where(shown, 1.0, 0.7), "line": {"width": 0}},
            customdata=rows[["n", "d", "value"]],
            hovertemplate=(
                f"{escape(names[k])} &gt; %{{x:.4g}}<br>gain %{{y:.4f}}<br>N %{{customdata[0]:.4f}}"
                "<br>D %{customdata[1]:.4f}<br>value %{customdata[2]:+.4f}<extra></extra>"
            ),
        )
    if taken:
        at = {"row": 1, "col": int(best["feature"]) + 1}
        ink = letters(colours.slots[0], colours)
        write(figure, best["threshold"], best["gain"], "▼ taken", ink, 11, yshift=9, **at)
    top = max(0.0, float(candidates["gain"].max())) or 1.0
    figure.update_layout(margin_t=26)
    figure.update_xaxes(range=[-0.04, 1.04], tickvals=[0, 0.5, 1], ticktext=["0", "0.5", "1"])
    figure.update_yaxes(range=[0, 1.2 * top], nticks=4)
    figure.update_yaxes(title_text="gain", col=1)
    return figure.finish()


def draw_weights(pairs: pd.DataFrame, docs: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw the pair weights as a matrix: the better document is the row, the worse one the column.

    Parameters
    ----------
    pairs : DataFrame
        better, worse (rows of the data), share (of all weight, in percent), side (+1, 0, −1).
    docs : DataFrame
        row, doc (its letter), grade: what the matrix is made of, in order.
    """
    rows = docs[docs["row"].isin(pairs["better"])]
    columns = docs[docs["row"].isin(pairs["worse"])]
    down, across = ({row: i for i, row in enumerate(part["row"])} for part in (rows, columns))
    shares = np.full((len(rows), len(columns)), np.nan)
    marks = np.full(shares.shape, "", dtype=object)
    for pair in pairs.itertuples():
        at = down[pair.better], across[pair.worse]
        shares[at] = pair.share
        marks[at] = f"{abs(pair.share):.1f}" + {1: "<b> +</b>", -1: "<b> −</b>", 0: ""}[int(pair.side)]
    figure = new_figure("", "", colours, 58 + 27 * max(3, len(rows)))
    x, y = (
        [f"<b>{doc}</b> · {grade:.3g}" for doc, grade in zip(part["doc"], part["grade"], strict=True)]
        for part in (columns, rows)
    )
    top = float(np.nanmax(np.abs(shares))) if len(pairs) else 1.0
    figure.add_heatmap(
        z=np.abs(shares),
        x=x,
        y=y,
        text=marks,
        texttemplate="%{text}",
        xgap=2,
        ygap=2,
        zmin=0,
        zmax=top,
        colorscale=[[0, colours.faint], [1, colours.heavy]],
        showscale=False,
        textfont={"size": 12, "color": colours.text},
        hoverongaps=False,
        hovertemplate="%{y} over %{x}: %{z:.2f}% of all weight<extra></extra>",
    )
    plain: dict[str, Any] = {
        "type": "category",
        "ticks": "",
        "fixedrange": True,
        "showline": False,
        "showgrid": False,
    }
    hold_still(figure, margin_t=4)
    figure.update_xaxes(side="top", range=[-0.5, len(columns) - 0.5], **plain)
    figure.update_yaxes(range=[len(rows) - 0.5, -0.5], **plain)
    return figure.finish()
