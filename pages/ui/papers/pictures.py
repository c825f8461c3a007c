"""The pictures and tables of an exhibit, and what the paper prints."""

from __future__ import annotations

import math
import re
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from ltr_core.papers import Chart, Exhibit

from ..charts.exhibits import Axes, draw_bars, draw_lines, draw_points
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.presets import DISTINCT
from ..style.theme import Palette, Stroke, stroke

_INDEX = re.compile(r"\b([A-Za-z]{1,5})_(?:\{([^}]*)\}|([A-Za-z0-9]{1,3})\b)")  # r_a; not RankNet_TwoLayer
_DRAW = {"lines": draw_lines, "points": draw_points, "bars": draw_bars}
_KIND = {
    "lines": "a line for each series",
    "points": "a point for each round",
    "bars": "a bar for each series",
}


def draw(chart: Chart, key: str, colours: Palette, notes: tuple[str, ...]) -> None:
    """Draw a picture or a table, with its data as a file; `notes` stand below it where it is printed."""
    with panel.panel(escape(chart.title), tools=lambda: panel.csv(chart.frame, key), notes=notes):
        if chart.kind == "table":
            st.html(table_html(chart.frame, chart.digits))
            return
        looks = _looks(chart, colours)
        axes = Axes(chart.x, chart.y, chart.log_x, chart.log_y)
        figure = drawn(_DRAW[chart.kind], chart.frame, looks, colours, axes)
        panel.chart(figure, f"{chart.title}: {chart.y} by {chart.x}, {_KIND[chart.kind]}", f"picture-{key}")


def _looks(chart: Chart, colours: Palette) -> dict[str, Stroke]:
    """Return how each series is drawn: the baseline thick, neutral and dashed."""
    names = list(dict.fromkeys(chart.frame["series"]))
    slots = dict(zip(names, (DISTINCT * (1 + len(names) // len(DISTINCT))), strict=False))
    return {name: stroke(slots[name], name == chart.baseline, colours) for name in names}


def draw_published(exhibit: Exhibit) -> None:
    """Draw what the paper prints."""
    printed = exhibit.published
    with st.container(key="published"):
        st.html('<h3 class="panel">The paper prints</h3>')
        st.html(f'<p class="note">{_formula(printed.title)}</p>')
        if printed.rows:
            st.html(table_html(printed.frame, 6))
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


def table_html(frame: pd.DataFrame, digits: int) -> str:
    """Return a table as HTML: numbers to the right, the paper's columns set off."""
    numeric = {c: pd.api.types.is_numeric_dtype(frame[c]) for c in frame.columns}

    def css(column: Any) -> str:
        own = "paper " if str(column).startswith("paper ") else ""
        return f"{own}{'' if numeric[column] else 'left'}".strip()

    head = "".join(f'<th scope="col" class="{css(c)}">{escape(str(c))}</th>' for c in frame.columns)
    rows = ""
    for row in frame.itertuples(index=False, name=None):
        cells = (
            f'<td class="{css(c)}">{escape(_text(value, digits))}</td>'
            for c, value in zip(frame.columns, row, strict=True)
        )
        rows += f"<tr>{''.join(cells)}</tr>"
    return (
        f'<div class="scroll" tabindex="0"><table class="runs tight exhibit"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _text(value: Any, digits: int) -> str:
    """Return a cell: whole numbers whole, others to so many digits, nothing as a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, str):
        return value
    if float(value) == int(value):
        return f"{int(value):,}".replace("-", "−")
    text = f"{value:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if digits > 4 else text).replace("-", "−")
