"""What all charts share: the look of the axes, lines, direct labels at their ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, Palette, Stroke

_LABEL_LENGTH = 18  # characters; hovering tells the rest
BAND = 0.16  # how strong the area around a mean is
MAX_LABELS = 6  # lines that are labelled directly; more get a legend


def new_figure(x_title: str, y_title: str, colours: Palette = LIGHT, height: int = 320) -> go.Figure:
    """Return an empty figure with the house's axes."""
    figure = go.Figure()
    axis = {
        "gridcolor": colours.grid,
        "linecolor": colours.muted,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": colours.grid,
        "ticklen": 4,
        "title": {"font": {"size": 12, "color": colours.muted}, "standoff": 8},
        "tickfont": {"size": 12, "color": colours.muted},
        "automargin": True,
    }
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 10, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": colours.text, "size": 13},
        hovermode="x unified",
        hoverlabel={"bgcolor": colours.surface, "font": {"color": colours.text, "size": 12}},
        legend={"orientation": "h", "y": -0.22, "x": 0, "font": {"size": 12}},
        showlegend=False,
        dragmode="zoom",
    )
    figure.update_xaxes(**axis, showgrid=False, showline=True, title_text=x_title)
    figure.update_yaxes(**axis, title_text=y_title)
    return figure


def line(
    figure: go.Figure,
    x: Sequence[float] | pd.Series,
    y: Sequence[float] | pd.Series,
    name: str,
    look: Stroke,
    digits: int = 4,
    markers: bool = False,
    dash: str | None = None,
    opacity: float = 1.0,
    **more: Any,
) -> None:
    """Add a line in its run's stroke; hovering shows the number as the tables print it.

    `more` goes to `add_scatter`: its row and column, whether it is in the legend.
    """
    figure.add_scatter(
        x=list(x),
        y=list(y),
        name=name,
        mode="lines+markers" if markers else "lines",
        line={"color": look.colour, "width": look.width, "dash": dash or look.dash},
        marker={"symbol": look.marker, "size": 7, "color": look.colour},
        opacity=opacity,
        hovertemplate=f"%{{y:.{digits}f}}",
        **more,
    )


def band(figure: go.Figure, x: pd.Series, low: pd.Series, high: pd.Series, look: Stroke, **more: Any) -> None:
    """Add the area between two lines, in a run's colour."""
    figure.add_scatter(
        x=[*x, *x[::-1]],
        y=[*high, *low[::-1]],
        mode="none",
        fill="toself",
        fillcolor=look.colour,
        opacity=BAND,
        hoverinfo="skip",
        showlegend=False,
        **more,
    )


def say_bands(figure: go.Figure, said: str, colours: Palette) -> None:
    """Say in the legend what line and band are; `said` is of what the lines are means."""
    line(figure, [None], [None], f"mean of {said}", Stroke(colours.muted, "solid", "circle", 2.0))
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        name="± 1 standard deviation",
        opacity=2 * BAND,
        marker={"symbol": "square", "size": 14, "color": colours.muted},
    )


def legend_below(figure: go.Figure, entries: int) -> None:
    """Put the legend below the axes, the figure growing by its lines: the axes keep their room."""
    grown = (figure.layout.height or 320) + 20 * math.ceil(entries / 2)
    figure.update_layout(
        showlegend=True, height=grown, legend={"yref": "container", "y": 0, "yanchor": "bottom"}
    )


def label_ends(
    figure: go.Figure, ends: Sequence[tuple[str, float, str]], low: float, high: float, log: bool = False
) -> None:
    """Write names beside the ends of lines, moved apart where they would cover one another.

    `ends` are (name, value at the end, colour); `low` and `high` the y axis, in its own units (decades on a
    log axis).
    """
    if not ends or not high > low:
        return
    height = (figure.layout.height or 320) - 70
    gap = (high - low) * 15 / height
    order = sorted(ends, key=lambda end: end[1])
    places = spread([_place(value, log) for _, value, _ in order], gap, low, high)
    for (name, value, colour), place in zip(order, places, strict=True):
        figure.add_annotation(
            x=1.0,
            xref="x domain",
            xanchor="left",
            xshift=6,
            y=place,
            yref="y",
            yanchor="middle",
            showarrow=False,
            text=escape(_shorten(name)),
            font={"size": 12, "color": _readable(colour, figure.layout.font.color)},
            hovertext=f"{name}: {value:.4f}",
        )
    figure.update_layout(margin_r=14 + 7 * max(len(_shorten(name)) for name, _, _ in order))


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move sorted places apart until each two are `gap` from one another, as little as needed."""

    def centre(group: list[float]) -> float:
        half = gap * (len(group) - 1) / 2
        return min(max(sum(group) / len(group), low + half), max(high - half, low + half))

    groups: list[list[float]] = []  # of places that stand shoulder to shoulder
    for place in places:
        groups.append([place])
        while len(groups) > 1 and (
            centre(groups[-1]) - centre(groups[-2]) < gap * (len(groups[-1]) + len(groups[-2])) / 2
        ):
            last = groups.pop()
            groups[-1] += last
    return [centre(group) + gap * (i - (len(group) - 1) / 2) for group in groups for i in range(len(group))]


def _shorten(name: str) -> str:
    return name if len(name) <= _LABEL_LENGTH else name[: _LABEL_LENGTH - 1].rstrip() + "…"


def _readable(colour: str, ink: str) -> str:
    """Return a line's colour for text: nearer to the theme's ink, for thin letters need more contrast."""
    mixed = (round(0.55 * int(colour[i : i + 2], 16) + 0.45 * int(ink[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _place(value: float, log: bool) -> float:
    return math.log10(value) if log and value > 0 else value
