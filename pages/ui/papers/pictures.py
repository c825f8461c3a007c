"""The pictures and tables of an exhibit, and what the paper prints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from ltr_core.papers import Chart, Exhibit, Published

from ..charts.exhibits import Axes, draw_bars, draw_lines, draw_points
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.presets import DISTINCT
from ..style.lettering import width_of
from ..style.theme import Palette, Stroke, stroke

_INDEX = re.compile(r"\b([A-Za-z]{1,5})_(?:\{([^}]*)\}|([A-Za-z0-9]{1,3})\b)")  # r_a; not RankNet_TwoLayer
_DRAW = {"lines": draw_lines, "points": draw_points, "bars": draw_bars}
_KIND = {
    "lines": "a line for each series",
    "points": "a point for each round",
    "bars": "a bar for each series",
}


_ROOM, _ROOM_PUBLISHED = 515.0, 245.0  # of tables that stand side by side at 1366, as `_width` guesses them
_PADDING = 14.4  # pixels of a column


def draw(
    chart: Chart, key: str, looks: Mapping[str, Stroke], colours: Palette, notes: tuple[str, ...]
) -> None:
    """Draw a picture or a table, with its data as a file; `notes` stand below it where it is printed."""
    with panel.panel(escape(chart.title), tools=lambda: panel.csv(chart.frame, key), notes=notes):
        if chart.kind == "table":
            st.html(table_html(chart.frame, _texts(chart.frame, chart.digits)))
            return
        own = {name: looks[name] for name in dict.fromkeys(chart.frame["series"])}
        axes = Axes(chart.x, chart.y, chart.log_x, chart.log_y)
        figure = drawn(_DRAW[chart.kind], chart.frame, own, colours, axes)
        panel.chart(figure, f"{chart.title}: {chart.y} by {chart.x}, {_KIND[chart.kind]}", f"picture-{key}")


def looks_of(charts: Sequence[Chart], colours: Palette) -> dict[str, Stroke]:
    """Return how each series is drawn, in all pictures of a card: a baseline thick, neutral and dashed."""
    pictures, together = [chart for chart in charts if chart.kind != "table"], list[list[str]]()
    for chart in pictures:  # those that share a series share their strokes; others begin anew
        own = list(chart.frame["series"])
        met = [names for names in together if not set(names).isdisjoint(own)]
        together = [names for names in together if names not in met]
        together.append(list(dict.fromkeys(name for names in (*met, own) for name in names)))
    baselines, looks = {chart.baseline for chart in pictures}, dict[str, Stroke]()
    for names in together:
        slots = zip(names, DISTINCT * (1 + len(names) // len(DISTINCT)), strict=False)
        looks |= {name: stroke(slot, name in baselines, colours) for name, slot in slots}
    return looks


def is_wide(chart: Chart) -> bool:
    """Whether a table has no room beside what the paper prints."""
    return chart.kind == "table" and _width(chart.frame, _texts(chart.frame, chart.digits)) > _ROOM


def is_published_wide(exhibit: Exhibit) -> bool:
    """Whether what the paper prints has no room beside what is found here."""
    frame = exhibit.published.frame
    return bool(len(frame)) and _width(frame, _printed(exhibit.published)) > _ROOM_PUBLISHED


def draw_published(exhibit: Exhibit) -> None:
    """Draw what the paper prints."""
    printed = exhibit.published
    with st.container(key="published"):
        st.html('<h3 class="panel">The paper prints</h3>')
        st.html(f'<p class="note">{_formula(printed.title)}</p>')
        if printed.rows:
            st.html(table_html(printed.frame, _printed(printed)))
        for text in (printed.finding, printed.note, printed.protocol):
            if text:
                st.html(f'<p class="note">{_formula(text)}</p>')
        if not printed.values_in_text:
            told = "Of this picture only words are in the text at hand: no curve is drawn as the paper’s."
            st.html(f'<p class="note">{told}</p>')


def _formula(text: str) -> str:
    """Return words of a paper as HTML, their formulas as it prints them: r_a with its index below."""
    signs = text.replace("<=", "≤").replace(">=", "≥").replace("!=", "≠")
    return _INDEX.sub(r"\1<sub>\2\3</sub>", escape(signs))


def table_html(frame: pd.DataFrame, texts: Sequence[Sequence[str]]) -> str:
    """Return a table as HTML, its cells as these texts: numbers to the right, the paper's columns set off."""
    styles = []
    for name, values in frame.items():
        own = "paper " if str(name).replace(",", " ").startswith("paper ") else ""
        styles.append(f"{own}{'' if pd.api.types.is_numeric_dtype(values) else 'left'}".strip())
    names = zip(frame.columns, styles, strict=True)
    head = "".join(f'<th scope="col" class="{css}">{escape(str(name))}</th>' for name, css in names)
    rows = ""
    for row in texts:
        cells = (f'<td class="{css}">{escape(text)}</td>' for text, css in zip(row, styles, strict=True))
        rows += f"<tr>{''.join(cells)}</tr>"
    return (
        f'<div class="scroll" tabindex="0"><table class="runs tight exhibit"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _texts(frame: pd.DataFrame, digits: int) -> list[list[str]]:
    """Return a table's cells: whole numbers whole, others to so many digits, nothing as a dash."""
    return [[_text(value, digits) for value in row] for row in frame.itertuples(index=False, name=None)]


def _text(value: Any, digits: int) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, str):
        return value
    if float(value) == int(value):
        return f"{int(value):,}".replace("-", "−")
    return f"{value:.{digits}f}".replace("-", "−")


def _printed(published: Published) -> list[list[str]]:
    """Return what the paper prints in each cell: 0.670 where its column has 0.661; p as it is."""
    columns = zip(published.columns, zip(*published.rows, strict=True), strict=True)
    digits = [None if name == "p" else max(map(_decimals, values)) for name, values in columns]
    return [
        [_as_printed(value, places) for value, places in zip(row, digits, strict=True)]
        for row in published.rows
    ]


def _as_printed(value: Any, places: int | None) -> str:
    if not isinstance(value, float):
        return _text(value, 0)
    return (repr(value) if places is None else f"{value:.{places}f}").replace("-", "−")


def _decimals(value: Any) -> int:
    return len(repr(value).partition(".")[2]) if isinstance(value, float) else 0


def _width(frame: pd.DataFrame, texts: Sequence[Sequence[str]]) -> float:
    """Return about how many pixels a table takes whose cells are broken between words."""
    columns = [[word for text in column for word in text.split()] for column in zip(*texts, strict=True)]
    heads = [str(name).split() for name in frame.columns]
    return sum(
        _PADDING + max(map(width_of, [*head, *words]), default=0.0)
        for head, words in zip(heads, columns, strict=True)
    )
