"""Documents in tables: scores before and after a round, a list beside its ideal order."""

from __future__ import annotations

from html import escape

import pandas as pd

from ..kit.marks import badge, shift, signed_number, table
from .formulas import threshold_words


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
    asks = f"{escape(feature)} &gt; {threshold_words(threshold)}?"
    head = [("", text) for text in ("rank", "", "page", asks, "before", "added", "after")]
    head[2] = ("left", "page")
    values = written(rows["value"].tolist())
    documents = zip(rows.to_dict("records"), values, strict=True)
    return table(head, [_document(row, value, threshold, hide) for row, value in documents])


def written(values: list[float]) -> list[str]:
    """Return a column of numbers with one number of decimals: what the one with most of them needs."""
    plain = [threshold_words(value) for value in values]
    if any("e" in text for text in plain):
        return plain
    decimals = max((len(text.partition(".")[2]) for text in plain), default=0)
    return [f"{value:.{decimals}f}" for value in values]


def _document(row: dict, value: str, threshold: float, hide: bool) -> str:
    above = row["value"] > threshold
    kind, sign = ("strong", "✓") if above else ("muted", "·")
    added = "0" if not above else "?" if hide else signed_number(row["added"])
    after = "?" if hide and above else signed_number(row["after"])
    name = f'<th scope="row" class="left" title="{escape(str(row["name"]), quote=True)}">'
    return (
        f"<td>{row['rank']}</td><td>{shift(row['shift'])}</td>"
        f"{name}{badge(row['grade'])} <b>{row['doc']}</b></th>"
        f'<td class="{kind}">{value} {sign}</td>'
        f'<td>{signed_number(row["before"])}</td><td class="{kind}">{added}</td><td>{after}</td>'
    )
