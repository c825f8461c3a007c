"""Small pieces of HTML: grade badges, shifts, heat-coloured tables, requirements with a tick or a cross."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from ..style.theme import GRADE_COLOURS, grade_ink, grade_level

STRONGEST = 68  # percent of the tint in the strongest cell: digits stay readable on it


def badge(grade: float, top: float = 0.0) -> str:
    """Return a grade as a small square, digit on hue: by the query's highest, where that is beyond 4."""
    level = grade_level(grade, top)
    look = f"background:{GRADE_COLOURS[level]};color:{grade_ink(level)}"
    return f'<span class="grade" style="{look}">{grade:g}</span>'


def shift(ranks: int) -> str:
    """Return how many ranks a document has won or lost."""
    if not ranks:
        return '<span class="muted">=</span>'
    side, arrow = ("better", "▲") if ranks > 0 else ("worse", "▼")
    return f'<span class="{side}">{arrow} {abs(ranks)}</span>'


def signed_number(value: float, digits: int = 3) -> str:
    """Return a number with its sign."""
    return f"{value:+.{digits}f}".replace("-", "−") if value else "0"


def table(head: Sequence[tuple[str, str]], rows: Sequence[str], css: str = "runs tight") -> str:
    """Return a table from its heads, each a class and HTML, and its rows of HTML."""
    cells = "".join(f'<th scope="col" class="{side}">{text}</th>' for side, text in head)
    return (
        f'<div class="scroll"><table class="{css}"><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table></div>"
    )


def heat_table(cells: np.ndarray, rows: Sequence[str], columns: Sequence[str]) -> str:
    """Return a table with its digits on a tint: blue above 0, orange below, stronger further off."""
    top = float(np.abs(cells).max()) or 1.0
    lines = []
    for name, line in zip(rows, cells, strict=True):
        tds = "".join(
            f'<td class="{"up" if v > 0 else "down" if v < 0 else ""}" '
            f'style="--tint:{abs(v) / top * STRONGEST:.0f}%">{_digits(v)}</td>'
            for v in line
        )
        lines.append(f'<th scope="row">{escape(name)}</th>{tds}')
    return table([("", ""), *(("", escape(c)) for c in columns)], lines, "heat")


def _digits(value: float) -> str:
    return f"{value:.2f}".replace("-", "−") if value else "0"


def requirements(marks: Sequence[tuple[bool, str, str]]) -> str:
    """Return a list of requirements: whether it is met, its name, and what there is to say."""
    items = "".join(
        f'<li class="{"met" if met else "unmet"}"><b>{"✓" if met else "✗"} {escape(name)}</b> '
        f"{escape(text)}</li>"
        for met, name, text in marks
    )
    return f'<ul class="marks">{items}</ul>'
