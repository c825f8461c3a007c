"""Sweeps: a measure along one parameter, over two as a map, along many as parallel lines, and by round.

The points are a table: what each parameter is (x0, x1 …) and is called (l0, l1 …), value, deviation, status,
best.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ltr_core.sweeps import FitStatus

from ..style.sketch import Sketch
from ..style.theme import LIGHT, SLOT_DASHES, Palette
from .base import MAX_LABELS, label_ends, new_figure
from .sweep_axes import (
    Axes,
    along,
    colour_bar,
    colour_scale,
    dimension,
    finished,
    ink_on,
    is_numeric,
    order_of,
    scale,
    with_air,
)

_MOST_TEXTS = 80  # cells of a map that carry their number


def draw_along(frame: pd.DataFrame, axes: Axes, colours: Palette = LIGHT, height: int = 320) -> go.Figure:
    """Draw the measure along one parameter.

    Bars reach a standard deviation over fits to either side; the best point is a diamond with its name.
    """
    (title,), (log,) = axes.titles, axes.logs
    figure = new_figure(title, axes.measure, colours, height)
    numeric = is_numeric(frame["x0"])
    frame = frame.sort_values("x0") if numeric else frame
    done = finished(frame)
    bars = {"type": "data", "array": done["deviation"], "visible": bool(done["deviation"].notna().any())}
    figure.add_scatter(
        x=along(done, 0) if numeric else done["l0"],
        y=done["value"],
        mode="lines+markers" if numeric else "markers",
        customdata=done["l0"],
        line={"color": colours.slots[0], "width": 2},
        marker={"size": 8, "color": colours.slots[0]},
        error_y={**bars, "color": colours.muted, "thickness": 1, "width": 4},
        hovertemplate=f"{title} %{{customdata}}: %{{y:.4f}}<extra></extra>",
    )
    pruned = frame[(frame["status"] == FitStatus.PRUNED) & frame["value"].notna()]
    if len(pruned):
        x = along(pruned, 0) if numeric else pruned["l0"]
        hover = "%{x}: %{y:.4f}, pruned<extra></extra>"
        figure.add_scatter(
            x=x, y=pruned["value"], mode="markers", marker=_cross(colours), hovertemplate=hover
        )
    best = frame[frame["best"]]
    if len(best):
        x = along(best, 0) if numeric else best["l0"]
        diamond = {"symbol": "diamond", "size": 14, "color": colours.text}
        free = {"hoverinfo": "skip", "cliponaxis": False}
        figure.add_scatter(x=x, y=best["value"], mode="markers", marker=diamond, **free)
        figure.add_annotation(
            x=np.log10(x.iloc[0]) if log and numeric else x.iloc[0],
            y=best["value"].iloc[0] + float(best["deviation"].fillna(0.0).iloc[0]),
            yshift=8,
            text=f"best: {best['l0'].iloc[0]}",
            showarrow=False,
            yanchor="bottom",
            font={"size": 12, "color": colours.text},
        )
    scale(figure.update_xaxes, frame["x0"], title, log)
    figure.update_yaxes(range=with_air(frame["value"], frame["deviation"]))
    figure.update_layout(hovermode="closest")
    return figure.finish()


def _cross(colours: Palette) -> dict:
    return {"symbol": "x-thin-open", "size": 9, "color": colours.muted, "line": {"width": 2}}


def draw_map(frame: pd.DataFrame, axes: Axes, colours: Palette = LIGHT, height: int = 360) -> go.Figure:
    """Draw the measure over two parameters as a map of cells, the best one framed; darker is better.

    What is not finished yet is an empty cell.
    """
    figure = new_figure(axes.titles[0], axes.titles[1], colours, height)
    places = [order_of(frame, axis) for axis in (0, 1)]
    z = np.full((len(places[1]), len(places[0])), np.nan)
    texts = np.full(z.shape, "", dtype=object)
    for row in frame.to_dict("records"):
        at = places[1].index(row["l1"]), places[0].index(row["l0"])
        if row["status"] == FitStatus.DONE:
            z[at], texts[at] = row["value"], f"{row['value']:.4f}"
        else:
            texts[at] = "" if row["status"] == "waiting" else row["status"]
    low, high = (float(np.nanmin(z)), float(np.nanmax(z))) if np.isfinite(z).any() else (0.0, 1.0)
    for y, x in np.ndindex(z.shape) if z.size <= _MOST_TEXTS else ():
        share = float(z[y, x] - low) / ((high - low) or 1.0)
        font = {"size": 12, "color": ink_on(share, axes, colours)}
        figure.add_annotation(x=x, y=y, text=texts[y, x], showarrow=False, font=font)
    figure.add_heatmap(
        z=z,
        x=places[0],
        y=places[1],
        colorscale=colour_scale(axes, colours),
        xgap=2,
        ygap=2,
        hoverongaps=False,
        hovertemplate=f"{axes.titles[0]} %{{x}}, {axes.titles[1]} %{{y}}: %{{z:.4f}}<extra></extra>",
        colorbar=colour_bar(axes.measure, colours),
    )
    for row in frame[frame["best"]].to_dict("records"):
        x, y = places[0].index(row["l0"]), places[1].index(row["l1"])
        cell = {"x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5}
        figure.add_shape(type="rect", **cell, line={"color": colours.worse, "width": 3})
    figure.update_xaxes(type="category", fixedrange=True, ticks="", showline=False)
    figure.update_yaxes(type="category", fixedrange=True, ticks="", showgrid=False)
    figure.update_layout(hovermode="closest", dragmode=False)
    return figure.finish()


def draw_scattered(frame: pd.DataFrame, axes: Axes, colours: Palette = LIGHT, height: int = 360) -> go.Figure:
    """Draw points that lie on no grid over two parameters, darker is better, the best one a diamond."""
    figure = new_figure(axes.titles[0], axes.titles[1], colours, height)
    done, other = finished(frame), frame[frame["status"] != FitStatus.DONE]
    edges = [(3, colours.worse) if best else (0.7, colours.muted) for best in done["best"]]
    figure.add_scatter(
        x=along(done, 0),
        y=along(done, 1),
        mode="markers",
        customdata=done[["l0", "l1", "value"]],
        marker={
            "size": [17 if best else 12 for best in done["best"]],
            "color": done["value"].astype(float),
            "symbol": ["diamond" if best else "circle" for best in done["best"]],
            "colorscale": colour_scale(axes, colours),
            "colorbar": colour_bar(axes.measure, colours),
            "line": {"width": [width for width, _ in edges], "color": [colour for _, colour in edges]},
        },
        hovertemplate=f"{axes.titles[0]} %{{customdata[0]}}, {axes.titles[1]} %{{customdata[1]}}: "
        "%{customdata[2]:.4f}<extra></extra>",
    )
    figure.add_scatter(
        x=along(other, 0),
        y=along(other, 1),
        mode="markers",
        customdata=other[["status"]],
        marker=_cross(colours),
        hovertemplate="%{customdata[0]}<extra></extra>",
    )
    for axis, update in enumerate((figure.update_xaxes, figure.update_yaxes)):
        scale(update, frame[f"x{axis}"], axes.titles[axis], axes.logs[axis])
    figure.update_layout(hovermode="closest")
    return figure.finish()


def draw_parallel(frame: pd.DataFrame, axes: Axes, colours: Palette = LIGHT, height: int = 340) -> go.Figure:
    """Draw each finished point as a line across all parameters to its value: darker is better.

    Dragging along an axis keeps the lines that pass there.
    """
    done = finished(frame).sort_values("value", ascending=axes.higher_is_better)  # the best lie on top
    named = enumerate(zip(axes.titles, axes.logs, strict=True))
    dimensions = [dimension(done, axis, title, log) for axis, (title, log) in named]
    last = done["value"].astype(float)
    margin = {"l": 56, "r": 48, "t": 44, "b": 16}
    layout = {"height": height, "margin": margin, "paper_bgcolor": "rgba(0,0,0,0)"}
    figure = Sketch({**layout, "font": {"color": colours.text}})
    figure.add_parcoords(
        dimensions=[*dimensions, {"label": axes.measure, "values": last, "tickformat": ".4f"}],
        line={"color": last, "colorscale": colour_scale(axes, colours), "showscale": False},
        labelfont={"size": 13, "color": colours.text},
        tickfont={"size": 11, "color": colours.muted},
        rangefont={"size": 1, "color": "rgba(0,0,0,0)"},
        unselected={"line": {"opacity": 0.06}},
    )
    return figure.finish()


def draw_by_round(
    frame: pd.DataFrame, measure: str, best: int | None, colours: Palette = LIGHT, height: int = 320
) -> go.Figure:
    """Draw the measure by round of the best points, the best one thick.

    Columns point, name, iteration, value.
    """
    figure = new_figure("round", measure, colours, height)
    ends = []
    for place, (point, rows) in enumerate(frame.groupby("point", sort=False)):
        name, colour = str(rows["name"].iloc[0]), colours.slots[place % len(colours.slots)]
        look = {"color": colour, "width": 1.6, "dash": SLOT_DASHES[place % len(SLOT_DASHES)]}
        if point == best:
            look = {"color": colours.text, "width": 3, "dash": "solid"}
        values = {"x": rows["iteration"], "y": rows["value"], "hovertemplate": "%{y:.4f}"}
        figure.add_scatter(**values, mode="lines", name=name, line=look)
        ends.append((name, float(rows["value"].iloc[-1]), str(look["color"])))
    low, high = with_air(frame["value"])
    figure.update_yaxes(range=[low, high])
    figure.update_xaxes(range=[0, max(1, int(frame["iteration"].max()))])
    if len(ends) <= MAX_LABELS:
        label_ends(figure, ends, low, high, colours=colours)
    else:
        figure.update_layout(showlegend=True)
    return figure.finish()
