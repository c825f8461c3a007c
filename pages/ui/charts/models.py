"""What is inside a model: importances, weights, shape functions, class centers, trees, probabilities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, SLOT_COLOURS, Palette
from .base import new_figure
from .data import grade_colour
from .panels import new_panels

_ROW = 19  # pixels of a bar with its name
_SHORT = 16  # characters of a feature's name beside its bar


def draw_bars(
    frame: pd.DataFrame, what: str, title: str, chosen: str = "", colours: Palette = LIGHT
) -> go.Figure:
    """Draw a bar for each feature, the first on top; bars below zero are orange and carry their sign.

    `frame` has feature and the column `what`.
    """
    rows = frame.iloc[::-1]
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
            "color": [colours.worse if v < 0 else colours.better for v in rows[what]],
            "opacity": [1.0 if name == chosen or not chosen else 0.72 for name in names],
            "line": {"width": [2 if name == chosen else 0 for name in names], "color": colours.text},
        },
        hovertemplate="%{customdata}<br>%{text}<extra></extra>",
        # Without colours of its own for the text plotly tells nobody of a click on a bar.
        selected={"marker": {"opacity": 1.0}, "textfont": {"color": colours.text}},
        unselected={"marker": {"opacity": 0.72}, "textfont": {"color": colours.text}},
    )
    low, high = min(0.0, float(rows[what].min())), max(0.0, float(rows[what].max()))
    air = 0.17 * (high - low) or 1.0
    figure.update_xaxes(range=[low - (air if low < 0 else 0), high + air], fixedrange=True, nticks=5)
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[_short(name, name == chosen) for name in names],
        range=[-0.6, len(rows) - 0.4],
        fixedrange=True,
        showgrid=False,
        ticks="",
    )
    figure.update_layout(hovermode="closest", bargap=0.25, dragmode=False, clickmode="event+select")
    return figure


def _short(name: str, strong: bool) -> str:
    text = name if len(name) <= _SHORT else f"{name[: _SHORT - 1]}…"
    return f"<b>{text}</b>" if strong else text


def draw_shape(
    steps: pd.DataFrame,
    x_title: str,
    y_title: str,
    values: np.ndarray | None = None,
    markers: bool = False,
    colours: Palette = LIGHT,
    height: int = 260,
) -> go.Figure:
    """Draw one feature's function (x, value); `values`, where the documents lie, stand faint behind it."""
    figure = new_figure(x_title, y_title, colours, height)
    low, high = _with_air(steps["value"])
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
    figure.add_scatter(
        x=steps["x"],
        y=steps["value"],
        mode="lines+markers" if markers else "lines",
        line={"color": SLOT_COLOURS[0], "width": 2.2},
        marker={"size": 7, "color": SLOT_COLOURS[0]},
        hovertemplate="%{x:.4g}: %{y:+.4f}<extra></extra>",
    )
    figure.update_yaxes(range=[low, high], zeroline=True, zerolinecolor=colours.muted, fixedrange=True)
    figure.update_xaxes(fixedrange=True)
    if markers:
        figure.update_xaxes(dtick=1 if steps["x"].max() <= 20 else None)
    figure.update_layout(hovermode="closest", dragmode=False)
    return figure


def draw_panels(
    frame: pd.DataFrame,
    columns: int = 3,
    shared: bool = True,
    markers: bool = False,
    colours: Palette = LIGHT,
) -> go.Figure:
    """Draw a small panel for each feature, in order; columns feature, x, value. `shared`: on one y axis."""
    names = list(dict.fromkeys(frame["feature"]))
    rows = max(1, -(-len(names) // columns))
    height = 40 + 136 * rows
    figure = new_panels(
        colours,
        height,
        rows=rows,
        cols=columns,
        subplot_titles=[_short(n, False) for n in names],
        vertical_spacing=70 / height,
        horizontal_spacing=0.07,
        shared_yaxes="all" if shared else False,
    )
    for place, name in enumerate(names):
        part = frame[frame["feature"] == name]
        figure.add_scatter(
            x=part["x"],
            y=part["value"],
            mode="lines+markers" if markers else "lines",
            line={"color": SLOT_COLOURS[0], "width": 1.6},
            marker={"size": 4, "color": SLOT_COLOURS[0]},
            hovertemplate=f"{name}<br>%{{x:.4g}}: %{{y:+.4f}}<extra></extra>",
            row=place // columns + 1,
            col=place % columns + 1,
        )
    if shared and len(frame):
        figure.update_yaxes(range=list(_with_air(frame["value"])))
    figure.update_yaxes(nticks=4, zeroline=shared, zerolinecolor=colours.muted)
    figure.update_xaxes(nticks=4)
    figure.update_layout(margin_t=24)
    return figure


def draw_tree(nodes: pd.DataFrame, colours: Palette = LIGHT) -> go.Figure:
    """Draw a tree from left to right: yes goes up, no goes down; lines as thick as their documents are many.

    `nodes` has node, parent, answer, depth, place, feature, threshold, gain, value and documents.
    """
    leaves = nodes[nodes["feature"] == ""]
    figure = new_figure("", "", colours, 40 + 30 * max(3, len(leaves)))
    at = nodes.set_index("node")
    total = float(nodes["documents"].max()) or 1.0
    for row in nodes[nodes["parent"] >= 0].to_dict("records"):
        above = at.loc[row["parent"]]
        figure.add_scatter(
            x=[above["depth"], above["depth"], row["depth"]],
            y=[above["place"], row["place"], row["place"]],
            mode="lines",
            hoverinfo="skip",
            line={"color": colours.muted, "width": 1 + 6 * float(np.sqrt(row["documents"] / total))},
            opacity=0.45,
        )
    for rows, symbol in ((nodes[nodes["feature"] != ""], "circle"), (leaves, "square")):
        is_leaf = symbol == "square"
        tint = [colours.text] * len(rows)
        if is_leaf:
            tint = [colours.worse if v < 0 else colours.better for v in rows["value"]]
        text = [_node_text(row) for row in rows.to_dict("records")]
        figure.add_scatter(
            x=rows["depth"],
            y=rows["place"],
            mode="markers+text",
            text=text,
            cliponaxis=False,
            textposition="middle right",
            textfont={"size": 11, "color": colours.text},
            marker={"symbol": symbol, "size": 9, "color": tint},
            customdata=rows[["documents", "gain"]],
            hovertemplate="%{text}<br>%{customdata[0]:,} documents"
            + ("" if is_leaf else "<br>gain %{customdata[1]:.4g}")
            + "<extra></extra>",
        )
    deepest = max(1, int(nodes["depth"].max()))
    figure.update_xaxes(visible=False, range=[-0.1, deepest + max(0.9, 0.3 * deepest)], fixedrange=True)
    figure.update_yaxes(visible=False, range=[len(leaves) - 0.4, -0.9], fixedrange=True)
    figure.update_layout(hovermode="closest", dragmode=False)
    return figure


def _node_text(row: dict) -> str:
    if row["feature"]:
        threshold = f"{row['threshold']:.4g}".replace("-", "−")
        return f"{_short(row['feature'], False)} ≤ {threshold}"
    return f"<b>{row['value']:+.4g}</b> · {row['documents']:,}".replace("-", "−")


def draw_probabilities(frame: pd.DataFrame, grades: Sequence[str], colours: Palette = LIGHT) -> go.Figure:
    """Draw each document's class probabilities as a bar cut into grades, the first rank on top."""
    rows = frame.iloc[::-1]
    figure = new_figure("probability", "", colours, 80 + _ROW * max(4, len(rows)))
    places = list(range(len(rows)))
    for place, grade in enumerate(grades):
        figure.add_bar(
            x=rows[grade],
            y=places,
            orientation="h",
            name=f"grade {grade}",
            customdata=rows["document"],
            marker={
                "color": grade_colour(place, len(grades)),
                "line": {"width": 0.7, "color": colours.muted},
            },
            hovertemplate=f"%{{customdata}}<br>grade {grade}: %{{x:.4f}}<extra></extra>",
        )
    labels = [
        f"{_short(name, False)} · <b>{grade:g}</b>"
        for name, grade in zip(rows["document"], rows["grade"], strict=True)
    ]
    figure.update_yaxes(
        tickvals=places,
        ticktext=labels,
        range=[-0.6, len(rows) - 0.4],
        showgrid=False,
        ticks="",
        fixedrange=True,
    )
    figure.update_xaxes(range=[0, 1], fixedrange=True, nticks=6)
    figure.update_layout(
        barmode="relative",
        bargap=0.2,
        hovermode="closest",
        showlegend=True,
        dragmode=False,
        margin_t=30,
        legend={"y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
    )
    return figure


def draw_by_bins(frame: pd.DataFrame, y_title: str, chosen: int, colours: Palette = LIGHT) -> go.Figure:
    """Draw a measure by the number of bins: columns bins, valid, test; the run's own number is marked."""
    figure = new_figure("bins of a feature at most (log)", y_title, colours, 260)
    for what, dash, symbol in (("test", "solid", "circle"), ("valid", "4px,3px", "square")):
        figure.add_scatter(
            x=frame["bins"],
            y=frame[what],
            mode="lines+markers",
            name=what,
            line={"color": SLOT_COLOURS[0] if what == "test" else colours.muted, "dash": dash},
            marker={"symbol": symbol, "size": 8},
            hovertemplate="%{y:.4f}",
        )
    figure.add_vline(x=chosen, line={"color": colours.muted, "dash": "dot", "width": 1})
    figure.update_xaxes(type="log", tickvals=frame["bins"], ticktext=[str(b) for b in frame["bins"]])
    figure.update_layout(showlegend=True)
    return figure


def _with_air(values: pd.Series) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    air = 0.08 * (high - low) or 0.1
    return low - air, high + air
