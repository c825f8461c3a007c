"""What is inside a model: importances, weights, shape functions, class centers, trees, probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.lettering import in_two_lines, shorten, told_apart, width_of
from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette, Stroke, grade_colour, stroke
from .base import hold_still, name_rows, new_figure, new_panels, widened, write

_ROW = 19  # pixels of a bar with its name
_SHORT = 16  # characters of a feature's name beside its bar
_COLUMNS = 3  # of small panels


def draw_bars(
    frame: pd.DataFrame,
    what: str,
    title: str,
    chosen: str = "",
    colours: Palette = LIGHT,
    look: Stroke | None = None,
) -> go.Figure:
    """Draw a bar for each feature, the first on top; bars below zero are hatched and carry their sign.

    `frame` has feature and the column `what`; `look` is the run's stroke. Columns called "fold 1",
    "fold 2" … give strokes from the lowest of them to the highest.
    """
    rows = frame.iloc[::-1]
    others = rows[[name for name in rows.columns if name.startswith("fold ")]]
    names = [str(name) for name in rows["feature"]]
    figure = new_figure(title, "", colours, 70 + _ROW * max(4, len(rows)))
    signed = bool((rows[what] < 0).any())
    text = [f"{v:+.3g}".replace("-", "−") if signed else f"{v:.1%}" for v in rows[what]]
    figure.add_bar(
        x=rows[what],
        y=list(range(len(rows))),
        orientation="h",
        text=text,
        textposition="outside",
        cliponaxis=False,
        customdata=names,
        textfont={"size": 11, "color": colours.text},
        marker={
            "color": look.colour if look else colours.better,
            "pattern": {"shape": ["/" if v < 0 else "" for v in rows[what]], "fillmode": "replace"},
            "line": {"width": [2 if name == chosen else 0 for name in names], "color": colours.text},
        },
        hovertemplate="%{customdata}<br>%{text}<extra></extra>",
        # Without colours of its own for the text plotly tells nobody of a click on a bar.
        selected={"marker": {"opacity": 1.0}, "textfont": {"color": colours.text}},
        unselected={"marker": {"opacity": 1.0}, "textfont": {"color": colours.text}},
    )
    low, high = min(0.0, float(rows[what].min())), max(0.0, float(rows[what].max()))
    if others.shape[1]:
        lows, highs = others.min(axis=1), others.max(axis=1)
        ends = {"array": highs - rows[what], "arrayminus": rows[what] - lows, "symmetric": False}
        stroke = {"type": "data", "color": colours.text, "thickness": 1.2, "width": 3, **ends}
        figure.data[0] |= {"error_x": stroke, "textposition": "none"}  # a number would lie on the stroke
        low, high = min(low, float(lows.min())), max(high, float(highs.max()))
    air = 0.17 * (high - low) or 1.0
    figure.update_xaxes(range=[low - (air if low < 0 else 0), high + air], fixedrange=True, nticks=5)
    figure.update_xaxes(tickformat="" if signed else ".0%")  # as beside the bars
    short = told_apart(names)
    name_rows(figure, [f"<b>{s}</b>" if n == chosen else s for s, n in zip(short, names, strict=True)])
    hold_still(figure, bargap=0.25, clickmode="event+select")
    return figure.finish()


def draw_shape(
    steps: pd.DataFrame,
    x_title: str,
    y_title: str,
    values: np.ndarray | None = None,
    markers: bool = False,
    colours: Palette = LIGHT,
    look: Stroke | None = None,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw one feature's function (x, value); `values`, where the documents lie, stand faint behind it.

    `look` is the run's stroke; `span` holds what other features' functions reach, for a common scale.
    """
    figure = new_figure(x_title, y_title, colours, 260)
    low, high = _range(steps["value"], span)
    if values is not None and len(values):
        counts, edges = np.histogram(values, 40)
        figure.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=0.3 * (high - low) * counts / counts.max(),
            base=low,
            width=np.diff(edges),
            hoverinfo="skip",
            marker={"color": colours.grid, "line": {"width": 0}},
        )
    _add_function(figure, steps, look or stroke(0, False, colours), 2.2, 7, markers)
    figure.update_yaxes(range=[low, high], zeroline=True, zerolinecolor=colours.muted, fixedrange=True)
    figure.update_xaxes(fixedrange=True)
    if markers:
        figure.update_xaxes(dtick=1 if steps["x"].max() <= 20 else None)
    hold_still(figure)
    return figure.finish()


def _add_function(
    figure: Sketch,
    rows: pd.DataFrame,
    look: Stroke,
    width: float,
    dot: int,
    markers: bool,
    name: str = "",
    **at: int,
) -> None:
    """Add a line through x and value, with dots of a size where there are `markers`."""
    figure.add_scatter(
        x=rows["x"],
        y=rows["value"],
        mode="lines+markers" if markers else "lines",
        line={"color": look.colour, "width": width},
        marker={"size": dot, "color": look.colour},
        hovertemplate=f"{name}%{{x:.4g}}: %{{y:+.4f}}<extra></extra>",
        **at,
    )


def draw_panels(
    frame: pd.DataFrame,
    shared: bool = True,
    markers: bool = False,
    colours: Palette = LIGHT,
    look: Stroke | None = None,
) -> go.Figure:
    """Draw a small panel for each feature, in order; columns feature, x, value. `shared`: on one y axis.

    `look` is the run's stroke.
    """
    look = look or stroke(0, False, colours)
    names = list(dict.fromkeys(frame["feature"]))
    rows = max(1, -(-len(names) // _COLUMNS))
    titles = [in_two_lines(name, _SHORT) for name in names]
    more = 14 if any("<br>" in title for title in titles) else 0
    height = 40 + more + (136 + more) * rows
    figure = new_panels(
        colours,
        height,
        rows=rows,
        cols=_COLUMNS,
        subplot_titles=titles,
        vertical_spacing=(70 + more) / height,
        horizontal_spacing=0.07,
        shared_yaxes="all" if shared else False,
    )
    for place, name in enumerate(names):
        at = {"row": place // _COLUMNS + 1, "col": place % _COLUMNS + 1}
        _add_function(figure, frame[frame["feature"] == name], look, 1.6, 4, markers, f"{name}<br>", **at)
    if shared and len(frame):
        figure.update_yaxes(range=_range(frame["value"]))
    figure.update_yaxes(nticks=4, zeroline=shared, zerolinecolor=colours.muted)
    figure.update_xaxes(nticks=4)
    figure.update_layout(margin_t=24 + more)
    return figure.finish()


def draw_tree(nodes: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a tree from left to right: yes goes up, no goes down; lines as thick as their documents are many.

    A question stands over the branch that leads to it, or under one that goes down: on that side nothing
    crosses it. `nodes` has node, parent, answer, depth, place, feature, threshold, gain, value and documents.
    """
    leaves = nodes[nodes["feature"] == ""]
    figure = new_figure("", "", colours, 40 + 30 * max(3, len(leaves)))
    at = nodes.set_index("node")
    total = float(nodes["documents"].max()) or 1.0
    for row in nodes[nodes["parent"] >= 0].to_dict("records"):
        above = at.loc[row["parent"]]
        x, y = [above["depth"], above["depth"], row["depth"]], [above["place"], row["place"], row["place"]]
        branch = {"color": colours.muted, "width": 1 + 6 * float(np.sqrt(row["documents"] / total))}
        figure.add_scatter(x=x, y=y, mode="lines", hoverinfo="skip", line=branch, opacity=0.45)
    for rows, symbol in ((nodes[nodes["feature"] != ""], "circle"), (leaves, "square")):
        is_leaf = symbol == "square"
        tint = [colours.text] * len(rows)
        if is_leaf:
            tint = [colours.worse if v < 0 else colours.better for v in rows["value"]]
        gain = "" if is_leaf else "<br>gain %{customdata[1]:.4g}"
        figure.add_scatter(
            x=rows["depth"],
            y=rows["place"],
            mode="markers",
            text=[_node_text(row) for row in rows.to_dict("records")],
            cliponaxis=False,
            marker={"symbol": symbol, "size": 9, "color": tint},
            customdata=rows[["documents", "gain"]],
            hovertemplate=f"%{{text}}<br>%{{customdata[0]:,}} documents{gain}<extra></extra>",
        )
    deepest = max(1, int(nodes["depth"].max()))
    last = nodes[nodes["depth"] == nodes["depth"].max()].to_dict("records")
    figure.update_xaxes(visible=False, range=[-0.1, deepest + 0.1], fixedrange=True)
    figure.update_yaxes(visible=False, range=[len(leaves) - 0.4, -0.9], fixedrange=True)
    # In pixels: on a telephone, too, names stay whole.
    first = _node_text(nodes.iloc[0].to_dict()).split(" ≤ ")
    hold_still(figure, margin_l=16 + (_room(first) if len(nodes) > 1 else 0))
    hold_still(figure, margin_r=16 + _room([_node_text(row) for row in last]))
    for row in nodes.to_dict("records"):
        text = _node_text(row).replace(" ≤", "<br>≤" if row["parent"] < 0 else " ≤")
        write(figure, row["depth"], row["place"], text, colours.text, 11, **_beside(row, at, colours))
    return figure.finish()


def _beside(row: dict, at: pd.DataFrame, colours: Palette) -> dict[str, Any]:
    """Return where a node's text stands: a leaf's and the first question's beside it, others at their branch.

    Where the levels of a deep tree are narrower than the texts, these stand over branches further left.
    """
    place: dict[str, Any] = {"xanchor": "right", "xshift": -7, "borderpad": 0, "bgcolor": colours.surface}
    if not row["feature"]:
        return place | {"xanchor": "left", "xshift": 6}
    if row["parent"] < 0:
        return place | {"align": "right"}
    place["xshift"] = -3
    if row["place"] < at.loc[row["parent"], "place"]:  # it goes up
        return place | {"yanchor": "bottom", "yshift": 2}
    return place | {"yanchor": "top", "yshift": -2}


def _room(texts: Sequence[str]) -> int:
    """Return the pixels of the longest of some texts."""
    return math.ceil(max(width_of(text.replace("<b>", "").replace("</b>", "")) for text in texts))


def _node_text(row: dict) -> str:
    if row["feature"]:
        threshold = f"{row['threshold']:.4g}".replace("-", "−")
        return f"{shorten(row['feature'], _SHORT)} ≤ {threshold}"
    return f"<b>{row['value']:+.4g}</b> · {row['documents']:,}".replace("-", "−")


def draw_probabilities(frame: pd.DataFrame, grades: Sequence[str], colours: Palette = LIGHT) -> go.Figure:
    """Draw each document's class probabilities as a bar cut into grades, the first rank on top."""
    rows = frame.iloc[::-1]
    figure = new_figure("probability", "", colours, 80 + _ROW * max(4, len(rows)))
    for place, grade in enumerate(grades):
        tint = grade_colour(place, len(grades))
        figure.add_bar(
            x=rows[grade],
            y=list(range(len(rows))),
            orientation="h",
            name=f"grade {grade}",
            customdata=rows["document"],
            marker={"color": tint, "line": {"width": 0.7, "color": colours.muted}},
            hovertemplate=f"%{{customdata}}<br>grade {grade}: %{{x:.4f}}<extra></extra>",
        )
    pairs = zip(rows["document"], rows["grade"], strict=True)
    name_rows(figure, [f"{shorten(name, _SHORT)} · <b>{grade:g}</b>" for name, grade in pairs])
    figure.update_xaxes(range=[0, 1], fixedrange=True, nticks=6)
    legend = {"y": 1.0, "yanchor": "bottom", "traceorder": "normal"}
    hold_still(figure, barmode="relative", bargap=0.2, showlegend=True, margin_t=30, legend=legend)
    return figure.finish()


def draw_by_bins(
    frame: pd.DataFrame, y_title: str, chosen: int, look: Stroke, colours: Palette = LIGHT
) -> go.Figure:
    """Draw a measure by the number of bins: columns bins, valid, test; the run's own number is marked."""
    figure = new_figure("bins of a feature at most (log)", y_title, colours, 260)
    for what, dash, symbol in (("test", "solid", "circle"), ("valid", "4px,3px", "square")):
        figure.add_scatter(
            x=frame["bins"],
            y=frame[what],
            mode="lines+markers",
            name=what,
            line={"color": look.colour if what == "test" else colours.muted, "dash": dash},
            marker={"symbol": symbol, "size": 8},
            hovertemplate="%{y:.4f}",
        )
    figure.add_vline(x=chosen, line={"color": colours.muted, "dash": "dot", "width": 1})
    figure.update_xaxes(type="log", tickvals=frame["bins"], ticktext=[str(b) for b in frame["bins"]])
    figure.update_layout(showlegend=True)
    return figure.finish()


def _range(values: pd.Series, span: tuple[float, float] | None = None) -> tuple[float, float]:
    low, high = span or (float(values.min()), float(values.max()))
    return widened(low, high, 0.08, 0.1)
