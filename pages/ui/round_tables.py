"""Documents in tables: grade badges, scores before and after a round, a list beside its ideal order."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd

from .formulas import threshold_words
from .theme import GRADE_COLOURS

MINUS = "−"


def badge(grade: float) -> str:
    """Return a grade as a small square: its hue and its digit."""
    level = min(len(GRADE_COLOURS) - 1, max(0, round(grade)))
    ink = "#ffffff" if level >= 3 else "#23272e"
    return f'<span class="grade" style="background:{GRADE_COLOURS[level]};color:{ink}">{grade:g}</span>'


def shift(ranks: int) -> str:
    """Return how many ranks a document has won or lost."""
    if not ranks:
        return '<span class="muted">=</span>'
    return (
        f'<span class="{"better" if ranks > 0 else "worse"}">{"▲" if ranks > 0 else "▼"} {abs(ranks)}</span>'
    )


def number(value: float, digits: int = 3) -> str:
    """Return a signed number."""
    return f"{value:+.{digits}f}".replace("-", MINUS) if value else "0"


def documents_html(rows: pd.DataFrame, feature: str, threshold: float, hide: bool = False) -> str:
    """Return what a round does to each document.

    Parameters
    ----------
    rows : DataFrame
        doc, name, grade, value (of the stump's feature), before, added, after, rank, shift: in order.
    feature, threshold : str, float
        The stump taken.
    hide : bool
        Print question marks for what the round adds.
    """
    head = "".join(
        f'<th scope="col" class="{side}">{text}</th>'
        for side, text in (
            ("", "rank"), ("", ""), ("left", "page"),
            ("", f"{escape(feature)} &gt; {threshold_words(threshold)}?"), ("", "before"), ("", "added"), ("", "after"),
        )
    )  # fmt: skip
    body = ""
    for row in rows.to_dict("records"):
        above = row["value"] > threshold
        added = ("?" if hide else number(row["added"])) if above else "0"
        after = "?" if hide and above else number(row["after"])
        body += (
            f"<tr><td>{row['rank']}</td><td>{shift(row['shift'])}</td>"
            f'<th scope="row" class="left" title="{escape(str(row["name"]), quote=True)}">'
            f"{badge(row['grade'])} <b>{row['doc']}</b></th>"
            f'<td class="{"strong" if above else "muted"}">{threshold_words(row["value"])} {"✓" if above else "·"}</td>'
            f'<td>{number(row["before"])}</td><td class="{"strong" if above else "muted"}">{added}</td><td>{after}</td></tr>'
        )
    return _table(head, body)


def list_html(rows: pd.DataFrame) -> str:
    """Return a list with gain and discount of each rank: rank, name, grade, gain, discount, best (the ideal's grade)."""
    head = "".join(
        f'<th scope="col" class="{side}">{text}</th>'
        for side, text in (
            ("", "rank j"), ("left", "page"), ("left", "grade r"), ("", "gain 2<sup>r</sup> − 1"),
            ("", "discount 1 / log₂(1 + j)"), ("left", "ideal order"),
        )
    )  # fmt: skip
    body = "".join(
        f'<tr><td>{row["rank"]}</td><th scope="row" class="left">{escape(str(row["name"]))}</th>'
        f'<td class="left">{badge(row["grade"])}</td><td>{row["gain"]:g}</td><td>{row["discount"]:.4f}</td>'
        f'<td class="left">{badge(row["best"])}</td></tr>'
        for row in rows.to_dict("records")
    )
    return _table(head, body)


def _table(head: str, body: str) -> str:
    return f'<div class="scroll"><table class="runs tight"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def marks_html(marks: Sequence[tuple[bool, str, str]]) -> str:
    """Return a list of requirements: met or not, its name, what there is to say."""
    items = "".join(
        f'<li class="{"met" if met else "unmet"}"><b>{"✓" if met else "✗"} {escape(name)}</b> {escape(text)}</li>'
        for met, name, text in marks
    )
    return f'<ul class="marks">{items}</ul>'
