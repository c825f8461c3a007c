"""What all charts share: the look of the axes, lines, words in a picture, direct labels at lines' ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
from plotly.subplots import make_subplots

from ..style.lettering import cut, cut_apart, width_of
from ..style.sketch import Sketch
from ..style.theme import LIGHT, Palette, Stroke, letters

_ROOM = 113.0  # pixels that names at the ends of lines may take; hovering tells the rest
_LEGEND = 250.0  # and in a legend, on a telephone
# Along an axis all numbers have as many digits: 0.50 beside 0.45.
_SAME_DIGITS = [{"dtickrange": [10.0**-n, 5 * 10.0**-n], "value": f".{n}f"} for n in range(1, 5)]
_LEAST_SPAN = 0.002  # of the larger end of an axis
BAND = 0.16  # how strong the area around a mean is
MAX_LABELS = 6  # lines that are labelled directly; more get a legend


def new_figure(x_title: str, y_title: str, colours: Palette = LIGHT, height: int = 320) -> Sketch:
    """Return an empty figure with the house's axes."""
    return Sketch(_look(x_title, y_title, colours, height))


def _look(x_title: str, y_title: str, colours: Palette, height: int) -> dict[str, Any]:
    """Return the layout of a figure with one pair of axes."""
    axis = {
        "gridcolor": colours.grid,
        "linecolor": colours.muted,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": colours.grid,
        "ticklen": 4,
        "tickfont": {"size": 12, "color": colours.muted},
        "automargin": True,
        "tickangle": 0,
        "separatethousands": True,  # one unit along an axis: 10,000, and not 10k beside 500
        "exponentformat": "none",
    }
    title = {"font": {"size": 12, "color": colours.muted}, "standoff": 8}
    return {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 10, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": colours.text, "size": 13},
        "hovermode": "x unified",
        "hoverlabel": {"bgcolor": colours.surface, "font": {"color": colours.text, "size": 12}},
        "legend": {"orientation": "h", "y": -0.22, "x": 0, "font": {"size": 12}},
        "showlegend": False,
        "dragmode": "zoom",
        "xaxis": {**axis, "showgrid": False, "showline": True, "title": {**title, "text": x_title}},
        "yaxis": {
            **axis,
            "title": {**title, "standoff": 14, "text": y_title},  # or it touches 0.55
            "tickformatstops": _SAME_DIGITS,
        },
    }


def new_panels(colours: Palette = LIGHT, height: int = 320, **grid: Any) -> Sketch:
    """Return an empty figure with a grid of axes; `grid` as for `plotly.subplots.make_subplots`."""
    look = _look("", "", colours, height)
    axes = {"x": look.pop("xaxis"), "y": look.pop("yaxis")}
    layout = make_subplots(**grid).layout.to_plotly_json()
    layout.pop("template", None)  # the figure's own
    for name, own in layout.items():
        if name[1:].startswith("axis"):
            axis = {**axes[name[0]], "fixedrange": True}
            title = {**axis["title"], **own.get("title", {})}
            if "title" not in own:
                title.pop("text")
            layout[name] = {**own, **axis, "title": title}
    for text in layout.get("annotations", ()):
        text["font"] = {**text.get("font", {}), "size": 12, "color": colours.muted}
    return Sketch({**layout, **look, "hovermode": "closest", "dragmode": False}, grid["cols"])


def hold_still(figure: Sketch, **layout: Any) -> None:
    """Keep a picture from being zoomed, and let hovering tell one point: for what is not read by round."""
    figure.update_layout(hovermode="closest", dragmode=False, **layout)


def write(figure: Sketch, x: Any, y: Any, text: str, colour: str, size: int = 12, **more: Any) -> None:
    """Write words into a picture; `more` as for `add_annotation`."""
    font = {"size": size, "color": colour}
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font=font, **more)


def name_rows(figure: Sketch, names: Sequence[str], downwards: bool = False) -> None:
    """Write a name at each row of a picture that is made of rows; the first is the lowest, or `downwards`."""
    ends = [-0.6, len(names) - 0.4]
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=names, range=ends[::-1] if downwards else ends
    )
    figure.update_yaxes(showgrid=False, ticks="", fixedrange=True)


def widened(low: float, high: float, share: float, least: float = 0.05) -> tuple[float, float]:
    """Return a range with a share of its length as air at both ends; `least` where it has no length.

    No axis is shorter than a 500th of the numbers along it: ticks would differ in digits that nobody reads.
    """
    span = high - low
    lacking = max(0.0, _LEAST_SPAN * max(abs(low), abs(high)) - span) / 2 if span else 0.0
    air = lacking + (share * span or least)
    return low - air, high + air


def log_ticks(low: float, high: float, few: bool = False) -> dict[str, Any]:
    """Return the ticks of a logarithmic axis between two values: 1, 2, 5, 10, 20, 50, or the powers of ten.

    Where none of these lie between, plain steps; `few` where there is little room.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if math.log10(high / low) <= (1.5 if few else 3.5) else (1,)
    ticks = [f * 10.0**e for e in range(first, last + 1) for f in factors]
    ticks = [v for v in ticks if 0.999 * low <= v <= 1.001 * high]
    if len(ticks) < 3 and high < 20 * low:
        step = 10.0 ** math.floor(math.log10((high - low) / 2 or 1.0))
        step *= next((f for f in (5, 2) if (high - low) / (f * step) >= 3), 1)
        ticks = [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return {"tickvals": ticks, "ticktext": [f"{v:,.6g}" for v in ticks]}


def tint_of(value: float, colours: Palette) -> str:
    """Return the colour of what is better, worse, or neither."""
    return colours.better if value > 0 else colours.worse if value < 0 else colours.muted


def line(
    figure: Sketch,
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


def band(figure: Sketch, x: pd.Series, low: pd.Series, high: pd.Series, look: Stroke, **more: Any) -> None:
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


def interval(figure: Sketch, x: float, rows: pd.DataFrame, look: Stroke, **more: Any) -> None:
    """Add the last value of a line with its deviation, beside its end: bands would cover one another."""
    last = rows.iloc[-1]
    bar = {"type": "data", "array": [last["deviation"]], "color": look.colour, "thickness": 2, "width": 3}
    figure.add_scatter(
        x=[x],
        y=[last["value"]],
        mode="markers",
        marker={"symbol": look.marker, "size": 6, "color": look.colour},
        error_y=bar,
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
        **more,
    )


def slot_name(slot: int | None = None) -> str | None:
    """Return the name of a label in a figure, by which it is lit with its run."""
    return None if slot is None else f"slot-{slot}"


def say_bands(figure: Sketch, said: str, colours: Palette, at_end: bool = False) -> None:
    """Say in the legend what line and band are; `said` is of what the lines are means."""
    line(figure, [None], [None], f"mean of {said}", Stroke(colours.muted, "solid", "circle", 2.0))
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        name="± 1 standard deviation",
        opacity=1 if at_end else 2 * BAND,
        marker={
            "symbol": "line-ns" if at_end else "square",
            "size": 14,
            "color": colours.muted,
            "line": {"color": colours.muted, "width": 2 if at_end else 0},
        },
    )


def legend_below(figure: Sketch, entries: int) -> None:
    """Put the legend below the axes, the figure growing by its lines: the axes keep their room."""
    grown = figure.layout["height"] + 20 * math.ceil(entries / 2)
    figure.update_layout(
        showlegend=True, height=grown, legend={"yref": "container", "y": 0, "yanchor": "bottom"}
    )


def label_ends(
    figure: Sketch,
    ends: Sequence[tuple[Any, ...]],
    low: float,
    high: float,
    log: bool = False,
    colours: Palette = LIGHT,
) -> None:
    """Write names beside the ends of lines, moved apart where they would cover one another.

    `ends` are (name, value at the end, colour), and the slot of a run's; `low` and `high` the y axis, in its
    own units (decades on a log axis). The margin is as wide as the longest name; what would take more than
    `_ROOM` is cut so that it is still told from the others, and hovering tells the rest. Where the window is
    narrow they stand below: see `when_narrow`.
    """
    if not ends or not high > low:
        return
    short = dict(zip([end[0] for end in ends], cut_apart([end[0] for end in ends], _ROOM), strict=True))
    room = max(map(width_of, short.values()))
    height = figure.layout["height"] - 70
    gap = (high - low) * 15 / height
    order = sorted(ends, key=lambda end: end[1])
    places = spread([_place(end[1], log) for end in order], gap, low, high)
    first = len(figure.notes)
    for (name, value, colour, *slot), place in zip(order, places, strict=True):
        ink = letters(colour, colours)
        at: dict[str, Any] = {"xref": "x domain", "yref": "y", "xanchor": "left", "yanchor": "middle"}
        at |= {"xshift": 6, "hovertext": f"{name}: {value:.4f}".replace("-", "−"), "name": slot_name(*slot)}
        write(figure, 1.0, place, escape(short[name]), ink, **at)
    figure.update_layout(margin_r=12 + math.ceil(room))
    names = [_sample(figure, name, colour) for name, _, colour, *_ in ends]
    when_narrow(figure, labels=list(range(first, first + len(ends))), names=names)


def when_narrow(figure: Sketch, **told: Any) -> None:
    """Say what a figure is like where the window is narrow, which the browser alone knows (`kit/plots.js`).

    `layout` is what of the layout is another one then; `labels` are the annotations that give way to a legend
    of `names`.
    """
    figure.update_layout(meta={"narrow": told})


def _sample(figure: Sketch, name: str, colour: str) -> dict[str, Any]:
    """Return the legend's entry for the line of a colour, or for its points where it has no line."""
    parts = ("line", "marker")
    traces = [trace for trace in figure.data if any(trace.get(p, {}).get("color") == colour for p in parts)]
    trace = next((one for one in reversed(traces) if "lines" in one["mode"]), traces[-1])
    shown = {part: trace[part] for part in parts if part in trace}
    quiet = {"x": [None], "y": [None], "hoverinfo": "skip", "meta": {"names": True}}
    return {"type": "scatter", "mode": trace["mode"], "name": escape(cut(name, _LEGEND)), **shown, **quiet}


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


def _place(value: float, log: bool) -> float:
    return math.log10(value) if log and value > 0 else value
