"""Boosting round by round in one picture that plays: the list, the loss and the measure move together.

The frames restyle a few small traces and redraw nothing else: a browser plays them without asking anyone.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import told_apart
from ..style.sketch import Sketch
from ..style.theme import GRADE_COLOURS, LIGHT, Palette, grade_ink, grade_level
from .base import new_panels, tint_of

PLAY_MS, SLOW_MS = 30, 800  # a frame at full speed, and slow enough to follow a page
_DASHES = {"solid": "━", "5px,3px": "╍", "1.5px,2.5px": "┅"}
_AHEAD = 0.28  # how much is seen of what a curve does in the rounds to come
_SCATTER = {"type": "scatter"}
_PAST_BADGE = "&nbsp;" * 6  # the same stretch in pixels at every width


def draw_steps(
    lists: pd.DataFrame, curves: pd.DataFrame, measure: str, colours: Palette = LIGHT
) -> go.Figure:
    """Draw the rounds of a booster on one query as frames, with buttons and a slider.

    Parameters
    ----------
    lists : DataFrame
        A row for each round and document: iteration, doc (its letter), name, grade, score, rank, shift (ranks
        won since the round before). A score that is NaN is a question mark.
    curves : DataFrame
        iteration, panel ("loss" or "measure"), name, value, slot (its colour).
    measure : str
        What the lower curves show.
    """
    n, last = lists["doc"].nunique(), int(lists["iteration"].max())
    figure = new_panels(
        colours,
        640,
        rows=3,
        cols=1,
        row_heights=[0.58, 0.21, 0.21],
        vertical_spacing=0.08,
        subplot_titles=("", " ", f"{measure}: "),
    )
    for title in figure.notes:
        title |= {"x": 0, "xanchor": "left", "yshift": -2}
    quiet: dict[str, Any] = {"showgrid": False, "showline": False, "ticks": "", "title_text": ""}
    figure.update_xaxes(row=1, range=[0, 1], showticklabels=False, **quiet)
    figure.update_yaxes(row=1, range=[n + 0.55, 0.4], tick0=1, dtick=1, **quiet)
    panels = {name: part for name, part in curves.groupby("panel")}
    for panel, row in (("loss", 2), ("measure", 3)):
        figure.update_xaxes(row=row, col=1, range=[-0.5, last + 0.5], showticklabels=row == 3)
        _add_curves(figure, panels[panel], row, colours)
    figure.update_xaxes(row=3, col=1, title_text="round", title_standoff=2)
    by_round = {int(t): rows.sort_values("doc") for t, rows in lists.groupby("iteration")}
    still = len(figure.data)
    styles = [(1, style) for style in _styles(by_round[0], colours)]
    for panel, row in (("loss", 2), ("measure", 3)):
        styles += [(row, style) for style in _styles_of_curves(panels[panel], colours)]
    moved = [_panel(panels[name], colours) for name in ("loss", "measure")]
    for (row, style), moving in zip(styles, _moving(by_round[0], moved, 0, colours), strict=True):
        figure.add_scatter(**style | moving, row=row, col=1)
    traces = list(range(still, len(figure.data)))
    figure.frames = [
        {"name": str(t), "traces": traces, "data": [_SCATTER | m for m in _moving(rows, moved, t, colours)]}
        for t, rows in by_round.items()
    ]
    _add_transport(figure, list(by_round), colours)
    return figure.finish()


def _add_curves(figure: Sketch, part: pd.DataFrame, row: int, colours: Palette) -> None:
    """Add a panel's curves, faint: what has been reached is drawn over them. Its title names them."""
    figure.update_yaxes(row=row, col=1, range=_span(part), nticks=4)
    names = []
    for name, rows, line in _lines(part, colours):
        figure.add_scatter(
            x=rows["iteration"],
            y=rows["value"],
            mode="lines",
            name=name,
            row=row,
            col=1,
            line=line,
            opacity=_AHEAD,
            hovertemplate=f"{name}, round %{{x}}: %{{y:.4f}}<extra></extra>",
        )
        names.append(f'<span style="color:{line["color"]}"><b>{_DASHES[line["dash"]]}</b></span> {name}')
    title = figure.notes[row - 2]
    title["text"] = "   ".join(filter(None, [title["text"].strip(), *names]))


def _lines(part: pd.DataFrame, colours: Palette) -> list[tuple[str, pd.DataFrame, dict[str, Any]]]:
    """Return the name, the rows and the stroke of each of a panel's curves."""
    return [
        (str(name), rows, {"color": colours.slots[int(rows["slot"].iloc[0])], "width": 2.2, "dash": dash})
        for (name, rows), dash in zip(part.groupby("name", sort=False), _DASHES, strict=False)
    ]


def _span(part: pd.DataFrame) -> tuple[float, float]:
    """Return a panel's axis: from 0 to 1, and what lies beyond."""
    low, high = min(0.0, float(part["value"].min())), max(1.0, float(part["value"].max()))
    return low - 0.05 * (high - low), high + 0.06 * (high - low)


def _styles(rows: pd.DataFrame, colours: Palette) -> list[dict[str, Any]]:
    """Return what the list's moving traces keep: badges, names, scores, shifts."""
    levels = [grade_level(grade, rows["grade"].max()) for grade in rows["grade"]]
    tints = [GRADE_COLOURS[level] for level in levels]
    badge = {"symbol": "square", "size": 24, "color": tints, "line": {"width": 0}}
    inks = [grade_ink(level) for level in levels]
    quiet = {"hoverinfo": "skip", "cliponaxis": False}
    digits = [f"{g:g}" if g == round(g) else f"{g:.1f}" for g in rows["grade"]]  # what a badge has room for
    left, right = {"textposition": "middle left"}, {"textposition": "middle right"}
    short = [escape(name) for name in told_apart(rows["name"].tolist(), 32)]
    names = [f"{_PAST_BADGE}<b>{d}</b>  {n}" for d, n in zip(rows["doc"], short, strict=True)]
    return [
        {"mode": "markers+text", "marker": badge, "text": digits, "textfont": _font(inks)} | quiet,
        {"mode": "text", "text": names, "textfont": _font(colours.text)} | right | quiet,
        {"mode": "text", "textfont": _font(colours.muted)} | left | quiet,
        {"mode": "text"} | left | quiet,
    ]


def _styles_of_curves(part: pd.DataFrame, colours: Palette) -> list[dict[str, Any]]:
    """Return what a panel's moving traces keep: the curves as far as they are reached, and the cursor."""
    quiet: dict[str, Any] = {"hoverinfo": "skip", "cliponaxis": False}
    # A line that grows keeps its number of points, so that it can glide.
    grown = [{"mode": "lines", "line": line | {"simplify": False}} for _, _, line in _lines(part, colours)]
    cursor: dict[str, Any] = {
        "line": {"color": colours.text, "width": 1.2},
        "marker": {"size": 7, "color": colours.text},
    }
    return [style | quiet for style in [*grown, {"mode": "lines+markers", **cursor}]]


def _font(colour: str | list[str]) -> dict[str, Any]:
    return {"size": 13, "color": colour}


class _Panel(NamedTuple):
    """A panel's curves as they are looked up in every round: the value by round of each, and the axis."""

    curves: list[dict[int, float]]
    span: tuple[float, float]


def _moving(rows: pd.DataFrame, panels: list[_Panel], t: int, colours: Palette) -> list[dict[str, Any]]:
    """Return what round t changes in each moving trace."""
    places, n = rows["rank"].tolist(), len(rows)
    scores = ["?" if math.isnan(s) else f"{s:+.3f}".replace("-", "−") if s else "0" for s in rows["score"]]
    # Never an empty text: plotly makes no node for it that a later frame could fill.
    shifts = [f"▲ {s}" if s > 0 else f"▼ {-s}" if s < 0 else "=" if t else "·" for s in rows["shift"]]
    tints = [tint_of(s, colours) for s in rows["shift"]]
    out: list[dict[str, Any]] = [
        {"x": [0.03] * n, "y": places},
        {"x": [0.03] * n, "y": places},
        {"x": [0.87] * n, "y": places, "text": scores},
        {"x": [0.995] * n, "y": places, "text": shifts, "textfont": _font(tints)},
    ]
    for panel in panels:
        out += [_reached(curve, t) for curve in panel.curves]
        at, (low, high) = sorted(curve[t] for curve in panel.curves), panel.span
        sizes = [0, *([8] * len(at)), 0]
        out.append({"x": [t] * (len(at) + 2), "y": [low, *at, high], "marker": {"size": sizes}})
    return out


def _panel(part: pd.DataFrame, colours: Palette) -> _Panel:
    curves = [
        dict(zip(rows["iteration"], rows["value"], strict=True)) for _, rows, _ in _lines(part, colours)
    ]
    return _Panel(curves, _span(part))


def _reached(curve: dict[int, float], t: int) -> dict[str, Any]:
    """Return a curve up to round t; the points that are still to come wait at its end."""
    reached = [(i, value) if i <= t else (t, curve[t]) for i, value in curve.items()]
    return {"x": [i for i, _ in reached], "y": [float(f"{value:.6g}") for _, value in reached]}


def _add_transport(figure: Sketch, rounds: list[int], colours: Palette) -> None:
    """Add play, pause and the slider: all of it happens in the browser."""

    def animate(frames: list[str | None] | None, ms: int, mode: str = "immediate", glide: int = 0) -> dict:
        how: dict[str, Any] = {"frame": {"duration": ms, "redraw": False}, "mode": mode}
        how["transition"] = {"duration": glide}
        if frames is None:  # all that are left
            how["fromcurrent"], how["transition"]["easing"] = True, "cubic-in-out"
        return {"method": "animate", "args": [frames, how]}

    here = {"x": 0, "y": -0.085, "yanchor": "top"}
    look = {"bgcolor": colours.surface, "bordercolor": colours.grid}
    menu = {
        "type": "buttons",
        "direction": "right",
        "showactive": False,
        "xanchor": "left",
        "pad": {"t": 12, "r": 6},
        "font": {"color": colours.text, "size": 12},
        "buttons": [
            {"label": "▶ Play", **animate(None, PLAY_MS)},
            {"label": "▷ Slowly", **animate(None, SLOW_MS, glide=400)},
            {"label": "❚❚ Pause", **animate([None], 0, "next")},  # "next" lets a page on its way arrive
        ],
    }
    slider = {
        "active": 0,
        "len": 1,
        "pad": {"t": 52, "b": 0},
        "currentvalue": {"prefix": "Round ", "font": {"color": colours.text}, "xanchor": "right"},
        "font": {"color": colours.muted, "size": 10},
        "bordercolor": colours.grid,
        "tickcolor": colours.grid,
        "bgcolor": colours.grid,
        "activebgcolor": colours.muted,
        "ticklen": 0,
        "minorticklen": 0,
        "transition": {"duration": 0},
        "steps": [{"label": str(t), "value": str(t), **animate([str(t)], 0)} for t in rounds],
    }
    figure.update_layout(updatemenus=[here | look | menu], sliders=[here | slider], margin_b=110)
