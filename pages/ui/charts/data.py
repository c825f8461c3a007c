"""What a data set holds: grades, list lengths, the values of a feature in each grade."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, grade_colour
from .base import new_figure, new_panels, write

_HEIGHT = 240
_FEW = 5  # ticks of an axis whose labels are long
_HEAD = 18  # pixels above the bars of a grade, for its name


def draw_grades(frame: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a bar for each grade with its number of documents; columns grade, documents."""
    figure = new_figure("grade", "documents", colours, _HEIGHT)
    total, n = int(frame["documents"].sum()), len(frame)
    few = n <= 8
    tint = [grade_colour(place, n) for place in range(n)]
    figure.add_bar(
        x=frame["grade"],
        y=frame["documents"],
        text=[f"{v:,}<br>{v / total:.0%}" for v in frame["documents"]] if few else None,
        textposition="outside",
        cliponaxis=False,
        marker={"color": tint, "line": {"width": 1, "color": colours.muted}},
        textfont={"size": 11, "color": colours.text},
        hovertemplate="grade %{x}<br>%{y:,} documents<extra></extra>",
    )
    high = float(frame["documents"].max())
    figure.update_xaxes(type="category", fixedrange=True, nticks=8, **_ranges(list(frame["grade"])))
    figure.update_yaxes(range=[0, high * (1.28 if few else 1.05)], fixedrange=True, nticks=5)
    figure.update_layout(hovermode="closest", bargap=0.18 if few else 0.04)
    return figure.finish()


def _ranges(grades: list[str]) -> dict[str, Any]:
    """Return the ticks of bars that stand for ranges of grades: where a few of them begin."""
    if not any(" – " in grade for grade in grades):
        return {}
    few = grades[:: math.ceil(len(grades) / _FEW)]
    return {"tickvals": few, "ticktext": [grade.partition(" – ")[0] for grade in few]}


def draw_sizes(frame: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw how many queries have how many documents; columns low, high, queries."""
    figure = new_figure("documents of a query", "queries", colours, _HEIGHT)
    ends = zip(frame["low"], frame["high"], strict=True)
    names = [f"{a:,}" if a == b else f"{a:,} – {b:,}" for a, b in ends]
    width = float(frame["high"].iloc[0] - frame["low"].iloc[0] + 1)
    figure.add_bar(
        x=(frame["low"] + frame["high"]) / 2,
        y=frame["queries"],
        width=0.92 * width,
        customdata=names,
        marker={"color": colours.slots[0], "line": {"width": 0}},
        hovertemplate="%{customdata} documents<br>%{y:,} queries<extra></extra>",
    )
    low, high = float(frame["low"].iloc[0]), float(frame["high"].iloc[-1])
    if len(frame) <= 12 and width == 1:
        figure.update_xaxes(dtick=1)
    figure.update_xaxes(range=[low - max(1.0, width), high + max(1.0, width)], fixedrange=True)
    figure.update_yaxes(range=[0, 1.08 * float(frame["queries"].max())], fixedrange=True, nticks=5)
    figure.update_layout(hovermode="closest")
    return figure.finish()


def draw_by_grade(
    frame: pd.DataFrame, name: str, what: str = "share", colours: Palette = LIGHT, height: int = 330
) -> go.Figure:
    """Draw a histogram of a feature for each grade, one above the other, the best grade on top.

    Parameters
    ----------
    frame : DataFrame
        As `ltr_core.data.histogram_by_grade` returns it.
    name : str
        The feature.
    what : {"share", "documents"}
        Bars as shares of a grade's documents, or as their number; all panels on one scale.
    """
    grades = list(dict.fromkeys(frame["grade"]))
    n, spacing = len(grades), 0.2 / len(grades) ** 1.5
    figure = new_panels(colours, height, rows=n, cols=1, shared_xaxes=True, vertical_spacing=spacing)
    bars = 100 * frame["share"] if what == "share" else frame["documents"]
    highest, unit = float(bars.max()) or 1.0, "%" if what == "share" else ""
    ticks: dict[str, Any] = {"tickvals": [0, highest], "ticktext": ["", f"{highest:,.3g}{unit}"]}
    panel = (height - 60) * (1 - spacing * (n - 1)) / n  # pixels
    room = panel / max(1.0, panel - _HEAD)
    for row, grade in enumerate(reversed(grades), start=1):
        rows, at = frame[frame["grade"] == grade], {"row": row, "col": 1}
        tint = grade_colour(len(grades) - row, len(grades))
        figure.add_bar(
            x=(rows["left"] + rows["right"]) / 2,
            y=bars[rows.index],
            width=rows["right"] - rows["left"],
            customdata=rows[["left", "right", "documents", "share"]],
            marker={"color": tint, "line": {"width": 0.7, "color": colours.muted}},
            hovertemplate=(
                f"grade {grade}<br>%{{customdata[0]:.4g}} – %{{customdata[1]:.4g}}"
                "<br>%{customdata[2]:,} documents, %{customdata[3]:.1%} of the grade<extra></extra>"
            ),
            **at,
        )
        corner = {"xref": "x domain", "yref": "y domain", "xanchor": "right", "yanchor": "top", "yshift": -2}
        text = f"grade {grade} · {int(rows['documents'].sum()):,}"
        write(figure, 1, 1, text, colours.text, 11, **corner, **at)
    figure.update_yaxes(range=[0, room * highest], **ticks)
    low, high = float(frame["left"].min()), float(frame["right"].max())
    air = 0.01 * (high - low)
    figure.update_xaxes(range=[low - air, high + air], showticklabels=False, ticks="")
    figure.update_xaxes(showticklabels=True, ticks="outside", title_text=name, row=len(grades), col=1)
    figure.update_layout(bargap=0)
    return figure.finish()
