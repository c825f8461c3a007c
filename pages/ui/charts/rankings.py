"""Query by query and document by document: differences as bars, ranks as slopes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import cut, cut_apart, width_of
from ..style.sketch import Sketch
from ..style.theme import GRADE_COLOURS, LIGHT, Palette, grade_ink, grade_level
from .base import hold_still, new_figure, tint_of, when_narrow, write

# A click does not fade what was not clicked: the pages set off what is chosen themselves.
_UNFADED = {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}
FADED = 0.75  # how strong lines are beside one that is set off
_NAMES = 130.0  # pixels of a document's name; hovering tells the rest
_ARROWS = {"win": "▲", "loss": "▼", "tie": "=", "left out": "–"}


def draw_differences(
    frame: pd.DataFrame, y_title: str, against: bool, chosen: int | None, colours: Palette = LIGHT
) -> go.Figure:
    """Draw a bar for each query, in the frame's order; a click anywhere in a bar's column takes its query.

    Parameters
    ----------
    frame : DataFrame
        query, n_docs, value, baseline, difference, outcome.
    y_title : str
        What the bars are.
    against : bool
        Whether they are differences to a baseline, or values.
    chosen : int or None
        The place of the query that is set off.
    """
    figure = new_figure("queries, worst first", y_title, colours, 180)
    n, x = len(frame), np.arange(len(frame))
    y = frame["difference"].to_numpy()
    low, high = _span(y, against)
    tint = {"win": colours.better, "loss": colours.worse} if against else {}
    # Zero-height and hairline bars can be hit, too: the column behind them takes the click.
    figure.add_bar(
        x=x,
        y=[high - low] * n,
        base=low,
        width=1,
        marker={"color": "rgba(0,0,0,0)", "line": {"width": 0}},
        customdata=frame["query"],
        text=[_said(row, against) for row in frame.itertuples()],
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
        name="columns",
        **_UNFADED,
    )
    figure.add_bar(
        x=x,
        y=y,
        width=0.86 if n <= 300 else 1,
        hoverinfo="skip",
        name="differences",
        marker={"color": [tint.get(o, colours.muted) for o in frame["outcome"]], "line": {"width": 0}},
        **_UNFADED,
    )
    figure.add_hline(y=0, line={"color": colours.muted, "width": 1})
    if chosen is not None:
        tinted = {"fillcolor": colours.text, "opacity": 0.13, "line": {"width": 0}, "layer": "below"}
        figure.add_vrect(x0=chosen - 0.5, x1=chosen + 0.5, **tinted)
        write(figure, chosen, 1, "▼", colours.text, yref="y domain", yanchor="bottom")
    hold_still(figure, barmode="overlay", bargap=0, clickmode="event+select", margin_t=18)
    figure.update_xaxes(range=[-0.6, max(1, n) - 0.4], fixedrange=True)
    figure.update_xaxes(showticklabels=False, ticks="", showline=False)
    figure.update_yaxes(range=[low, high], fixedrange=True, nticks=5)
    return figure.finish()


def _said(row: Any, against: bool) -> str:
    """Return what hovering tells of a query."""
    value = f"{row.value:.4f}"
    if against:
        value = f"{_ARROWS[row.outcome]} {row.difference:+.4f}<br>{value}, baseline {row.baseline:.4f}"
    return f"<b>{escape(row.query)}</b> · {row.n_docs:,} documents<br>{value}"


def _span(y: np.ndarray, against: bool) -> tuple[float, float]:
    """Return the axis: symmetric for differences, so that better and worse are seen at one scale."""
    most = float(np.nanmax(np.abs(y), initial=0.0)) or 1.0
    top = 1.06 * most
    return (-top, top) if against else (min(0.0, 1.06 * float(np.nanmin(y, initial=0.0))), top)


def draw_slopes(
    both: pd.DataFrame,
    names: Sequence[str],
    left: str,
    right: str,
    shown: int,
    chosen: int | None,
    colours: Palette = LIGHT,
) -> go.Figure:
    """Draw each document's rank in two lists as a line; thicker for higher grades, the digit at either end.

    Parameters
    ----------
    both : DataFrame
        doc, grade, left, right (its ranks), shift.
    names : sequence of str
        The documents' names, by `doc`.
    left, right : str
        The lists' names.
    shown : int
        How many ranks are drawn; a line from below comes in over the edge.
    chosen : int or None
        A document that is set off.
    """
    both = both[(both["left"] <= shown) | (both["right"] <= shown)].reset_index(drop=True)
    n = min(shown, int(both[["left", "right"]].max().max())) if len(both) else 1
    figure = new_figure("", "", colours, 70 + 25 * max(4, n))
    top = float(both["grade"].max()) if len(both) else 0.0
    for row in both.sort_values("grade").itertuples():
        stroke = {"color": tint_of(row.shift, colours), "dash": "dot" if row.shift < 0 else "solid"}
        figure.add_scatter(
            x=[0, 1],
            y=[row.left, row.right],
            mode="lines",
            hoverinfo="skip",
            showlegend=False,
            line=stroke | {"width": 1.2 + 0.9 * grade_level(row.grade, top)},
            opacity=1.0 if chosen is None or row.doc == chosen else FADED,
        )
    _add_squares(figure, both, names, (left, right), chosen, colours)
    _name_documents(figure, both[both["right"] <= shown], names, chosen, colours)
    ranks: dict[str, Any] = {"showgrid": False, "showline": False, "ticks": "", "fixedrange": True}
    room = max((width_of(names[row.doc]) for row in both.itertuples()), default=0.0)
    figure.update_xaxes(range=[-0.14, 1.14], showticklabels=False, **ranks)
    figure.update_yaxes(range=[n + 0.7, 0.3], tick0=1, dtick=1, title_text="rank", **ranks)
    _name_lists(figure, left, right, colours)
    hold_still(figure, clickmode="event+select", margin_t=42, margin_r=62 + min(_NAMES, room))
    return figure.finish()


def _add_squares(
    figure: Sketch,
    both: pd.DataFrame,
    names: Sequence[str],
    lists: tuple[str, str],
    chosen: int | None,
    colours: Palette,
) -> None:
    """Add each document's grade at either end of its line, with a ring around that of the chosen one."""
    top = float(both["grade"].max()) if len(both) else 0.0
    level = [grade_level(grade, top) for grade in both["grade"]]
    said = [
        f"{escape(names[row.doc])}<br>grade {row.grade:g}<br>{escape(lists[0])}: {row.left}, "
        f"{escape(lists[1])}: {row.right}"
        for row in both.itertuples()
    ]
    size = 20 if top < 100 else 27
    # Around its square: on it, no colour is seen on each grade's.
    ring = {"symbol": "square-open", "size": size + 5, "color": colours.text, "line": {"width": 2}}
    for x, side in ((0, "left"), (1, "right")):
        own = both.loc[both["doc"] == chosen, side]
        still = {"hoverinfo": "skip", "showlegend": False, **_UNFADED}
        figure.add_scatter(x=[x] * len(own), y=own, mode="markers", marker=ring, **still)
        figure.add_scatter(
            x=[x] * len(both),
            y=both[side],
            mode="markers+text",
            text=[_in_square(g) for g in both["grade"]],
            textfont={"size": 12, "color": [grade_ink(g) for g in level]},
            marker={
                "symbol": "square",
                "size": size,
                "opacity": 1,
                "color": [GRADE_COLOURS[g] for g in level],
            },
            customdata=both["doc"] + 1,
            hovertext=said,
            hovertemplate="%{hovertext}<extra></extra>",
            showlegend=False,
            **_UNFADED,
        )


def _in_square(grade: float) -> str:
    """Return as much of a grade as a square has room for; hovering tells it whole."""
    return f"{grade:g}" if grade == round(grade) else f"{grade:.1f}" if grade < 9.95 else f"{grade:.0f}"


def _name_documents(
    figure: Sketch, rows: pd.DataFrame, names: Sequence[str], chosen: int | None, colours: Palette
) -> None:
    """Write what moved and its name beside the right list."""
    for row in rows.itertuples():
        text = f"<b>{_moved(row.shift)}</b>  {escape(cut(names[row.doc], _NAMES))}"
        ink = colours.text if row.doc == chosen else colours.muted
        write(figure, 1, row.right, text, ink, xanchor="left", xshift=16, hovertext=escape(names[row.doc]))


def _name_lists(figure: Sketch, left: str, right: str, colours: Palette) -> None:
    """Write the lists' names above them; one above the other on a telephone: the two are 80 pixels apart."""
    place: dict[str, Any] = {"yref": "paper", "yanchor": "bottom", "xanchor": "left"}
    place |= {"xshift": -10, "yshift": 4}
    first = len(figure.notes)
    for x, name, short in zip((0, 1), (left, right), cut_apart([left, right], 60 + _NAMES), strict=True):
        write(figure, x, 1, escape(short), colours.muted, hovertext=escape(name), **place)
    notes = [dict(note) for note in figure.notes]
    notes[first]["yshift"] = 22
    when_narrow(figure, layout={"annotations": notes})


def _moved(shift: int) -> str:
    return f"▲ {shift}" if shift > 0 else f"▼ {-shift}" if shift < 0 else "="
