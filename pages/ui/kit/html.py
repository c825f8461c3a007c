"""Tables as HTML: real text that can be selected, read aloud and styled. Pure functions from DataFrames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.evaluation.significance import TIE, say_p

from ..charts.spark import sparkline
from ..style.theme import Stroke
from ..style.words import chance, count, number, seconds, signed


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


_DELTA = {False: "Difference of the means over the test queries.", True: "Difference of these means."}


def run_table_html(
    rows: pd.DataFrame,
    looks: Mapping[int, Stroke],
    measure: str,
    baseline: int | None,
    sparks: Mapping[int, np.ndarray],
    repeated: str = "",
    higher_is_better: bool = True,
) -> str:
    """Return the run table: `rows` as `results.run_table` gives them, `sparks` a test curve for each slot.

    `repeated` says of what the numbers are means, as in "5 folds"; `rows` has their `deviation` then.
    """
    mean = f", mean of {repeated}" if repeated else ""
    head = [
        ("Run", "left", ""),
        (
            f"{measure} on test{mean} ± s.d." if repeated else f"{measure} on test",
            "",
            "Each at its own round compared." if repeated else "At the round compared, the dot of the curve.",
        ),
        ("Δ to the baseline", "", _DELTA[bool(repeated)]),
        ("Is it real?", "left", "Paired t-test over the test queries, corrected for several runs (Holm)."),
        ("Best on validation", "", ""),
        ("at round", "", "The first round with the best value on validation."),
        ("Last on validation", "", ""),
        ("Rounds", "", ""),
        ("Time", "", "Training alone, all repetitions together." if repeated else "Training alone."),
        ("Test, by round", "left", ""),
    ]
    cells = "".join(
        f'<th scope="col" class="{side}"{_title(hint)}>{escape(text)}</th>' for text, side, hint in head
    )
    body = "".join(
        _run_row(
            row,
            looks[row["slot"]],
            row["slot"] == baseline,
            sparks,
            [text for text, _, _ in head],
            1.0 if higher_is_better else -1.0,
        )
        for row in rows.to_dict("records")
    )
    return _table(cells, body, "runs stack")


def _run_row(
    row: dict[str, Any],
    look: Stroke,
    is_baseline: bool,
    sparks: Mapping[int, np.ndarray],
    head: Sequence[str],
    sign: float,
) -> str:
    name = f'<th scope="row" class="left">{swatch(look)} {escape(row["run"])}{_mark(row, is_baseline)}</th>'
    if row["test"] is None or _is_nan(row["test"]):
        said = escape(_STATES.get(row["state"], row["state"]))
        return f'<tr>{name}<td colspan="9" class="left muted">{said}</td></tr>'
    delta, side = "–", "muted"
    real = '<span class="muted">the others are compared with it</span>'
    if not is_baseline and _is_nan(row["difference"]):
        real = '<span class="muted">no baseline to compare with yet</span>'
    elif not is_baseline:
        better = sign * row["difference"]
        side = "better" if better > TIE else "worse" if better < -TIE else "muted"
        delta = signed(row["difference"])
        of = count(int(row["n_queries"]), "query", "queries")
        text = f"{say_p(row['p'])}, better on {int(row['better'])} of {of}"
        real = f'{escape(text)}<br><span class="tag">{escape(chance(row["p"]))}</span>'
    deviation = row.get("deviation")
    spread = "" if deviation is None or _is_nan(deviation) else f" ± {number(deviation)}"
    mark = row["compared"] if isinstance(row["compared"], int | float) else None
    spark = sparkline(sparks.get(row["slot"], np.empty(0)), look.colour, None if mark is None else int(mark))
    stored = '<br><span class="tag">from store</span>' if row.get("from_store") is True else ""
    cells = [
        ("strong", "", number(row["test"]) + f'<span class="plain">{spread}</span>'),
        (side, "", delta),
        ("left", _title(str(row["sentence"])) if not _is_nan(row["sentence"]) else "", real),
        ("", "", number(row["best"])),
        ("", "", _whole(row["at"])),
        ("", "", number(row["last"])),
        ("", _title(_ENDS.get(row["ended"], "")), _whole(row["rounds"])),
        ("", "", seconds(row["seconds"]) + stored),
        ("left", "", spark),
    ]
    told = "".join(
        f'<td class="{css}" data-label="{escape(label, quote=True)}"{title}>{text}</td>'
        for (css, title, text), label in zip(cells, head[1:], strict=True)
    )
    return f"<tr>{name}{told}</tr>"


_STATES = {
    "waiting": "waiting for its turn", "running": "training …", "failed": "did not train; see the left",
    "stopped": "stopped before there was anything to show", "done": "",
    "alone": "its own training was stopped, so it is not repeated", "rest": "not all trained; see below",
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
    """Return a table of texts; what differs from the first run is set off.

    `looks` gives the runs' swatches: by column, or by row where a row is a run.
    """
    looks = looks or {}

    def head(name: Any) -> str:
        return f"{swatch(looks[name]) if name in looks else ''} {escape(str(name))}"

    body, cells = "", frame.to_numpy(dtype=object)
    first = cells[:1] if len(frame) and frame.index[0] in looks else cells[:, :1]
    for label, values, differs in zip(frame.index, cells, cells != first, strict=True):
        told = "".join(
            f'<td class="left{" strong" if other else ""}{" none" if value == "–" else ""}">'
            f'<span class="whose">{head(column)}: </span>{escape(str(value))}</td>'
            for value, other, column in zip(values, differs, frame.columns, strict=True)
        )
        body += f'<tr><th scope="row" class="left">{head(label)}</th>{told}</tr>'
    columns = "".join(f'<th scope="col" class="left">{head(column)}</th>' for column in frame.columns)
    return _table(f"<th></th>{columns}", body, "runs stack")


def _table(head: str, body: str, css: str) -> str:
    return (
        f'<div class="scroll" tabindex="0"><table class="{css}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _whole(value: Any) -> str:
    """Return a number of rounds; a text, the rounds of several trainings, as it is."""
    return escape(value) if isinstance(value, str) else str(int(value))


def _title(text: str) -> str:
    return f' title="{escape(str(text), quote=True)}"' if text else ""


def _is_nan(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
