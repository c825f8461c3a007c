"""Tables as HTML: real text that can be selected, read aloud and styled. Pure functions from DataFrames."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.significance import say_p

from .charts.spark import sparkline
from .theme import Stroke
from .words import count, number, seconds, signed


def swatch(look: Stroke, width: int = 28) -> str:
    """Return a short stretch of a run's line: its colour and its dash."""
    if look.dash == "solid":
        fill = look.colour
    else:
        stops, at = [], 0.0
        for i, length in enumerate(float(part.removesuffix("px")) for part in look.dash.split(",")):
            stops.append(f"{'transparent' if i % 2 else look.colour} {at:g}px {at + length:g}px")
            at += length
        fill = f"repeating-linear-gradient(90deg, {', '.join(stops)})"
    height = 4 if look.width > 2.5 else 3
    return f'<span class="swatch" style="width:{width}px;height:{height}px;background:{fill}"></span>'


def run_table_html(
    rows: pd.DataFrame,
    looks: Mapping[int, Stroke],
    measure: str,
    baseline: int | None,
    sparks: Mapping[int, np.ndarray],
) -> str:
    """Return the run table: `rows` as `results.run_table` gives them, `sparks` a test curve for each slot."""
    head = [
        ("Run", "left", ""),
        (f"{measure} on test", "", "At the round compared, the dot of the curve."),
        ("Δ to the baseline", "", "Difference of the means over the test queries."),
        ("Is it real?", "left", "Paired t-test over the test queries, corrected for several runs (Holm)."),
        ("Best on validation", "", ""),
        ("at round", "", "The first round with the best value on validation."),
        ("Last on validation", "", ""),
        ("Rounds", "", ""),
        ("Time", "", "Training alone."),
        ("On test, by round", "left", ""),
    ]  # fmt: skip
    cells = "".join(
        f'<th scope="col" class="{side}"{_title(hint)}>{escape(text)}</th>' for text, side, hint in head
    )
    body = "".join(
        _run_row(row, looks[row["slot"]], row["slot"] == baseline, sparks) for row in rows.to_dict("records")
    )
    return _table(cells, body)


def _run_row(row: dict[str, Any], look: Stroke, is_baseline: bool, sparks: Mapping[int, np.ndarray]) -> str:
    name = f'<th scope="row" class="left">{swatch(look)} {escape(row["run"])}{_mark(row, is_baseline)}</th>'
    if row["test"] is None or _is_nan(row["test"]):
        said = escape(_STATES.get(row["state"], row["state"]))
        return f'<tr>{name}<td colspan="9" class="left muted">{said}</td></tr>'
    if is_baseline:
        delta, real = (
            '<td class="muted">–</td>',
            '<td class="left muted">the others are compared with it</td>',
        )
    elif _is_nan(row["difference"]):
        delta, real = (
            '<td class="muted">–</td>',
            '<td class="left muted">no baseline to compare with yet</td>',
        )
    else:
        side = "better" if row["difference"] > 0 else "worse" if row["difference"] < 0 else "muted"
        delta = f'<td class="{side}">{signed(row["difference"])}</td>'
        of = count(int(row["n_queries"]), "query", "queries")
        text = f"{say_p(row['p'])}, better on {int(row['better'])} of {of}"
        real = f'<td class="left"{_title(row["sentence"])}>{escape(text)}</td>'
    spark = sparkline(sparks.get(row["slot"], np.empty(0)), look.colour, int(row["compared"]))
    return (
        f'<tr>{name}<td class="strong">{number(row["test"])}</td>{delta}{real}<td>{number(row["best"])}</td>'
        f"<td>{int(row['at'])}</td><td>{number(row['last'])}</td><td{_title(_ENDS.get(row['ended'], ''))}>"
        f'{int(row["rounds"])}</td><td>{seconds(row["seconds"])}</td><td class="left">{spark}</td></tr>'
    )


_STATES = {
    "waiting": "waiting for its turn", "running": "training …", "failed": "did not train; see the left",
    "stopped": "stopped before there was anything to show", "done": "",
}  # fmt: skip
_ENDS = {
    "rounds": "All rounds done.", "no gain": "Ended early: nothing was left to gain.",
    "early stop": "Ended early: validation had stopped improving.", "cancelled": "Cancelled.",
}  # fmt: skip


def _mark(row: dict[str, Any], is_baseline: bool) -> str:
    said = ["★ baseline"] if is_baseline else []
    if row["state"] == "stopped" and not _is_nan(row["rounds"]):
        said.append(f"cancelled at round {int(row['rounds'])}")
    return "".join(f' <span class="tag">{text}</span>' for text in said)


def plain_table_html(frame: pd.DataFrame, looks: Mapping[str, Stroke] | None = None) -> str:
    """Return a table of texts; cells that differ from the row's first are set off. `looks` gives swatches."""
    looks = looks or {}
    head = "".join(
        f'<th scope="col" class="left">{swatch(looks[c]) if c in looks else ""} {escape(str(c))}</th>'
        for c in frame.columns
    )
    body = ""
    for label, values in zip(frame.index, frame.to_numpy(dtype=object), strict=True):
        cells = "".join(
            f'<td class="left{" strong" if value != values[0] else ""}">{escape(str(value))}</td>'
            for value in values
        )
        body += f'<tr><th scope="row" class="left">{escape(str(label))}</th>{cells}</tr>'
    return _table(f"<th></th>{head}", body)


def _table(head: str, body: str) -> str:
    return (
        f'<div class="scroll" tabindex="0"><table class="runs"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _title(text: str) -> str:
    return f' title="{escape(str(text), quote=True)}"' if text else ""


def _is_nan(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
