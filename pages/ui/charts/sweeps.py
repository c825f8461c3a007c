"""Sweeps: a measure along one parameter, over two as a map, along many as parallel lines, and by round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..style.theme import LIGHT, SLOT_COLOURS, SLOT_DASHES, Palette
from .base import MAX_LABELS, label_ends, new_figure
from .sweep_axes import (
    along,
    colour_bar,
    colour_scale,
    dimension,
    ink_on,
    is_numeric,
    log_ticks,
    order_of,
    span,
    with_air,
)

_MOST_TEXTS = 80  # cells of a map that carry their number
_MARKS = {"done": "circle", "pruned": "x-thin-open", "failed": "cross-thin-open"}


def draw_along(
    frame: pd.DataFrame, title: str, measure: str, log: bool, colours: Palette = LIGHT, height: int = 320
) -> go.Figure:
    """Draw the measure along one parameter; columns x0, l0, value, deviation, status, best.

    Bars reach a standard deviation over fits to either side; the best point is a diamond with its name.
    """
    listed = not is_numeric(frame["x0"])
    figure = new_figure(f"{title} (log)" if log and not listed else title, measure, colours, height)
    frame = frame.sort_values("x0") if not listed else frame
    done = frame[(frame["status"] == "done") & frame["value"].notna()]
    figure.add_scatter(
        x=done["l0"] if listed else done["x0"].astype(float),
        y=done["value"],
        mode="markers" if listed else "lines+markers",
        customdata=done["l0"],
        line={"color": SLOT_COLOURS[0], "width": 2},
        marker={"size": 8, "color": SLOT_COLOURS[0]},
        error_y={
            "type": "data",
            "array": done["deviation"],
            "color": colours.muted,
            "thickness": 1,
            "width": 4,
            "visible": bool(done["deviation"].notna().any()),
        },
        hovertemplate=f"{title} %{{customdata}}: %{{y:.4f}}<extra></extra>",
    )
    for status, rows in frame[(frame["status"] == "pruned") & frame["value"].notna()].groupby("status"):
        figure.add_scatter(
            x=rows["l0"] if listed else rows["x0"].astype(float),
            y=rows["value"],
            mode="markers",
            marker={"symbol": _MARKS[str(status)], "size": 9, "color": colours.muted, "line": {"width": 2}},
            hovertemplate=f"%{{x}}: %{{y:.4f}}, {status}<extra></extra>",
        )
    best = frame[frame["best"]]
    if len(best):
        x = best["l0"] if listed else best["x0"].astype(float)
        figure.add_scatter(
            x=x,
            y=best["value"],
            mode="markers",
            hoverinfo="skip",
            cliponaxis=False,
            marker={"symbol": "diamond", "size": 14, "color": colours.text},
        )
        spread = float(best["deviation"].fillna(0.0).iloc[0])
        figure.add_annotation(
            x=np.log10(x.iloc[0]) if log and not listed else x.iloc[0],
            y=best["value"].iloc[0] + spread,
            yshift=8,
            text=f"best: {best['l0'].iloc[0]}",
            showarrow=False,
            yanchor="bottom",
            font={"size": 12, "color": colours.text},
        )
    if not listed:
        figure.update_xaxes(type="log" if log else "linear", **span(frame["x0"], log))
        if log:
            figure.update_xaxes(dtick=None, **log_ticks(frame["x0"].astype(float)))
    figure.update_yaxes(range=with_air(frame["value"], frame["deviation"]))
    figure.update_layout(hovermode="closest")
    return figure


def draw_map(
    frame: pd.DataFrame,
    titles: Sequence[str],
    measure: str,
    higher_is_better: bool = True,
    colours: Palette = LIGHT,
    height: int = 360,
) -> go.Figure:
    """Draw the measure over two parameters as a map of cells, the best one framed; darker is better.

    Columns x0, x1, l0, l1, value, status, best. What is not finished yet is an empty cell.
    """
    figure = new_figure(titles[0], titles[1], colours, height)
    places = [order_of(frame, axis) for axis in (0, 1)]
    z = np.full((len(places[1]), len(places[0])), np.nan)
    texts = np.full(z.shape, "", dtype=object)
    for row in frame.to_dict("records"):
        at = places[1].index(row["l1"]), places[0].index(row["l0"])
        if row["status"] == "done":
            z[at], texts[at] = row["value"], f"{row['value']:.4f}"
        else:
            texts[at] = "" if row["status"] == "waiting" else row["status"]
    low, high = (float(np.nanmin(z)), float(np.nanmax(z))) if np.isfinite(z).any() else (0.0, 1.0)
    if z.size <= _MOST_TEXTS:
        for at in np.ndindex(z.shape):
            share = (z[at] - low) / ((high - low) or 1.0)
            figure.add_annotation(
                x=at[1],
                y=at[0],
                text=texts[at],
                showarrow=False,
                font={"size": 12, "color": ink_on(share, higher_is_better, colours)},
            )
    figure.add_heatmap(
        z=z,
        x=places[0],
        y=places[1],
        colorscale=colour_scale(colours, higher_is_better),
        xgap=2,
        ygap=2,
        hoverongaps=False,
        hovertemplate=f"{titles[0]} %{{x}}, {titles[1]} %{{y}}: %{{z:.4f}}<extra></extra>",
        colorbar=colour_bar(measure, colours),
    )
    for row in frame[frame["best"]].to_dict("records"):
        x, y = places[0].index(row["l0"]), places[1].index(row["l1"])
        figure.add_shape(
            type="rect",
            x0=x - 0.5,
            x1=x + 0.5,
            y0=y - 0.5,
            y1=y + 0.5,
            line={"color": colours.worse, "width": 3},
        )
    figure.update_xaxes(type="category", fixedrange=True, ticks="", showline=False)
    figure.update_yaxes(type="category", fixedrange=True, ticks="", showgrid=False)
    figure.update_layout(hovermode="closest", dragmode=False)
    return figure


def draw_scattered(
    frame: pd.DataFrame,
    titles: Sequence[str],
    logs: Sequence[bool],
    measure: str,
    higher_is_better: bool = True,
    colours: Palette = LIGHT,
    height: int = 360,
) -> go.Figure:
    """Draw points that lie on no grid over two parameters, darker is better, the best one a diamond."""
    figure = new_figure(titles[0], titles[1], colours, height)
    done = frame[(frame["status"] == "done") & frame["value"].notna()]
    figure.add_scatter(
        x=along(done, 0),
        y=along(done, 1),
        mode="markers",
        customdata=done[["l0", "l1", "value"]],
        marker={
            "size": [17 if best else 12 for best in done["best"]],
            "color": done["value"].astype(float),
            "symbol": ["diamond" if best else "circle" for best in done["best"]],
            "colorscale": colour_scale(colours, higher_is_better),
            "colorbar": colour_bar(measure, colours),
            "line": {
                "width": [3 if best else 0.7 for best in done["best"]],
                "color": [colours.worse if best else colours.muted for best in done["best"]],
            },
        },
        hovertemplate=f"{titles[0]} %{{customdata[0]}}, {titles[1]} %{{customdata[1]}}: "
        "%{customdata[2]:.4f}<extra></extra>",
    )
    other = frame[frame["status"] != "done"]
    figure.add_scatter(
        x=along(other, 0),
        y=along(other, 1),
        mode="markers",
        customdata=other[["status"]],
        marker={"symbol": "x-thin-open", "size": 9, "color": colours.muted, "line": {"width": 2}},
        hovertemplate="%{customdata[0]}<extra></extra>",
    )
    for axis, update in ((0, figure.update_xaxes), (1, figure.update_yaxes)):
        if is_numeric(frame[f"x{axis}"]):
            update(type="log" if logs[axis] else "linear", **span(frame[f"x{axis}"], logs[axis]))
            if logs[axis]:
                update(**log_ticks(frame[f"x{axis}"].astype(float)), title_text=f"{titles[axis]} (log)")
    figure.update_layout(hovermode="closest")
    return figure


def draw_parallel(
    frame: pd.DataFrame,
    titles: Sequence[str],
    logs: Sequence[bool],
    measure: str,
    higher_is_better: bool = True,
    colours: Palette = LIGHT,
    height: int = 340,
) -> go.Figure:
    """Draw each finished point as a line across all parameters to its value: darker is better.

    Dragging along an axis keeps the lines that pass there.
    """
    done = frame[(frame["status"] == "done") & frame["value"].notna()]
    done = done.sort_values("value", ascending=higher_is_better)  # the best lie on top
    dimensions = [dimension(done, axis, title, logs[axis]) for axis, title in enumerate(titles)]
    last = done["value"].astype(float)
    dimensions.append({"label": measure, "values": last, "tickformat": ".4f"})
    figure = go.Figure(
        go.Parcoords(
            dimensions=dimensions,
            line={
                "color": last,
                "colorscale": colour_scale(colours, higher_is_better),
                "showscale": False,
            },
            labelfont={"size": 13, "color": colours.text},
            tickfont={"size": 11, "color": colours.muted},
            rangefont={"size": 1, "color": "rgba(0,0,0,0)"},
            unselected={"line": {"opacity": 0.06}},
        )
    )
    figure.update_layout(
        height=height,
        margin={"l": 56, "r": 48, "t": 44, "b": 16},
        paper_bgcolor="rgba(0,0,0,0)",
        font={"color": colours.text},
    )
    return figure


def draw_by_round(
    frame: pd.DataFrame, measure: str, best: int | None, colours: Palette = LIGHT, height: int = 320
) -> go.Figure:
    """Draw the measure by round of the best points, the best one thick.

    Columns point, name, iteration, value.
    """
    figure = new_figure("round", measure, colours, height)
    ends = []
    for place, (point, rows) in enumerate(frame.groupby("point", sort=False)):
        name, is_best = str(rows["name"].iloc[0]), point == best
        colour = colours.text if is_best else SLOT_COLOURS[place % len(SLOT_COLOURS)]
        figure.add_scatter(
            x=rows["iteration"],
            y=rows["value"],
            mode="lines",
            name=name,
            hovertemplate="%{y:.4f}",
            line={
                "color": colour,
                "width": 3 if is_best else 1.6,
                "dash": "solid" if is_best else SLOT_DASHES[place % len(SLOT_DASHES)],
            },
        )
        ends.append((name, float(rows["value"].iloc[-1]), colour))
    low, high = with_air(frame["value"])
    figure.update_yaxes(range=[low, high])
    figure.update_xaxes(range=[0, max(1, int(frame["iteration"].max()))])
    if len(ends) <= MAX_LABELS:
        label_ends(figure, ends, low, high)
    else:
        figure.update_layout(showlegend=True)
    return figure
