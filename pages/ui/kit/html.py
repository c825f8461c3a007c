"""Tables as HTML: real text that can be selected, read aloud and styled. Pure functions from DataFrames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.evaluation.significance import TIE, say_p

from ..charts.spark import sparkline
from ..runs.status import Status
from ..style.theme import Stroke
from ..style.words import COLUMNS, chance, count, number, seconds, signed, whole

_TIME = "What its thread had of a core, without compiling and others' work."


@lru_cache(maxsize=256)
def swatch(look: Stroke, width: int = 28) -> str:
    """Return a short stretch of a run's line: its colour and its dash."""
    fill = look.colour
    if look.dash != "solid":
        stops, at = [], 0.0
        for i, length in enumerate([float(part.removesuffix("px")) for part in look.dash.split(",")]):
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
    means: str = "",
    higher_is_better: bool = True,
    columns: Sequence[str] = tuple(COLUMNS),
    further: Mapping[str, bool] = MappingProxyType({}),
    by: str = "",
    down: bool = True,
) -> str:
    """Return the run table: `rows` as `comparison.run_table` gives them, `sparks` a test curve for each slot.

    `means` says of what the numbers are means, as in "5 folds"; `rows` has their `deviation` then. `columns`
    are those shown, and `further` columns of other measures, and whether more is better there. `by` is the
    column that the rows are sorted by, and `down` whether the largest comes first: its head says so.
    """
    value, hint = f"{measure} on test", "At the round compared, the dot of the curve."
    delta, time = "Difference of the means over the test queries.", _TIME
    if means:
        value, hint = f"{value}, mean of {means} ± s.d.", "Each at its own round compared."
        delta, time = "Difference of these means.", f"{_TIME} All repetitions together."
    head = [
        ("Run", "left", ""),
        (value, "", hint),
        ("Δ to the baseline", "", delta),
        ("Is it real?", "left", "Paired t-test over the test queries, corrected for several runs (Holm)."),
        ("Best on validation", "", ""),
        ("at round", "", "The first round with the best value on validation."),
        ("Last on validation", "", ""),
        ("Rounds", "", ""),
        ("Time", "", time),
        ("Test, by round", "left", ""),
    ]
    shown = [place for place, name in enumerate(COLUMNS) if name in columns]
    named = ["run", *(list(COLUMNS)[place] for place in shown)]
    head = [head[0], *(head[place + 1] for place in shown)]
    extra = [(name, "", "On test, at the round compared.") for name in further]
    at_extra = 1 + sum(place < 1 for place in shown)
    head[at_extra:at_extra], named[at_extra:at_extra] = extra, list(further)
    best = {name: _best(rows[name], up) for name, up in further.items()}
    sides = {by: "descending" if down else "ascending"}
    heads = [_head(*one, name, sides.get(name, "")) for one, name in zip(head, named, strict=True)]
    labels, body = [escape(text, quote=True) for text, _, _ in head[1:]], ""
    for row in rows.to_dict("records"):
        look, is_baseline = looks[row["slot"]], row["slot"] == baseline
        name = f'<span data-slot="{row["slot"]}">{swatch(look)} {escape(row["run"])}</span>'
        name += _mark(row, is_baseline)
        body += f'<tr><th scope="row" class="left">{name}</th>'
        if _is_nan(row["test"]):
            said = escape(_STANDING.get(row["state"], row["state"]))
            body += f'<td colspan="{len(labels)}" class="left muted">{said}</td></tr>'
            continue
        at = int(row["compared"]) if isinstance(row["compared"], int | float) else None
        spark = sparkline(sparks.get(row["slot"], np.empty(0)), look.colour, at)
        every = [*_cells(row, is_baseline, higher_is_better), ("left", "", spark)]
        cells = [every[place] for place in shown]
        values = [("strong" if row[name] == best[name] else "", "", number(row[name])) for name in further]
        cells[at_extra - 1 : at_extra - 1] = values
        for (css, title, text), label in zip(cells, labels, strict=True):
            body += f'<td class="{css}" data-label="{label.rstrip("?")}"{_title(title)}>{text}</td>'
        body += "</tr>"
    return _table("".join(heads), body, "runs stack")


def _head(text: str, css: str, told: str, name: str, side: str) -> str:
    """Return a column's head: a button that sorts by it, and where the table is sorted by it, which way."""
    words = escape(text)
    if name != "spark":
        arrow = f' <span aria-hidden="true">{"▼" if side == "descending" else "▲"}</span>' if side else ""
        words = f'<button type="button" data-sort="{escape(name, quote=True)}">{words}{arrow}</button>'
    sorted_ = f' aria-sort="{side}"' if side else ""
    return f'<th scope="col" class="{css}"{sorted_}{_title(told)}>{words}</th>'


def _best(values: pd.Series, higher_is_better: bool) -> float:
    """Return the best of a column, the one value that is set off; none of a single run's."""
    known = values.dropna()
    return math.nan if len(known) < 2 else float(known.max() if higher_is_better else known.min())


def _tested(row: Mapping[str, Any]) -> str:
    """Say the comparison in full, and what another test says of it: that one is drawn, and has an error."""
    if _is_nan(row["sentence"]):
        return ""
    p, more = row.get("p_random"), ""
    if not _is_nan(p):
        off = f"{p:.3f} ± {row['p_error']:.3f}"
        more = f" (paired t-test). By signs flipped at random instead, before Holm's correction: p = {off}."
    return f"{row['sentence']}{more}"


def _cells(row: dict[str, Any], is_baseline: bool, higher_is_better: bool) -> list[tuple[str, str, str]]:
    """Return the cells of a run with values, each a class, a title and HTML."""
    delta, side = "–", "muted"
    if is_baseline or _is_nan(row["difference"]):
        real = "the others are compared with it" if is_baseline else "no baseline to compare with yet"
        real = f'<span class="muted">{real}</span>'
    else:
        better = row["difference"] if higher_is_better else -row["difference"]
        side = "better" if better > TIE else "worse" if better < -TIE else "muted"
        delta = signed(row["difference"])
        of = count(int(row["n_queries"]), "query", "queries")
        text = f"{say_p(row['p'])}, better on {int(row['better']):,} of {of}"
        real = f'{escape(text)}<br><span class="tag">{escape(chance(row["p"]))}</span>'
    deviation = row.get("deviation")
    spread = "" if _is_nan(deviation) else f" ± {number(deviation)}"
    stored = '<br><span class="tag">from store</span>' if row.get("from_store") is True else ""
    return [
        ("strong", "", f'{number(row["test"])}<span class="plain">{spread}</span>'),
        (side, "", delta),
        ("left", _tested(row), real),
        ("", "", number(row["best"])),
        ("", "", _rounds(row["at"])),
        ("", "", number(row["last"])),
        ("", _ENDS.get(row["ended"], ""), _rounds(row["rounds"])),
        (
            "",
            "" if _is_nan(row["wall"]) else f"{seconds(row['wall'])} on the wall, with compiling and waiting",
            seconds(row["seconds"]) + stored,
        ),
    ]


_STANDING = {
    Status.WAITING: "waiting for its turn", Status.RUNNING: "training …",
    Status.FAILED: "nothing to show: see the left",
    Status.STOPPED: "stopped before there was anything to show", Status.DONE: "",
    Status.ALONE: "its own training was stopped, so it is not repeated",
    Status.REST: "not all trained; see below",
}  # fmt: skip
_ENDS = {
    "rounds": "All rounds done.", "no gain": "Ended early: nothing was left to gain.",
    "given": "Brought along: nothing is trained.",
    "early stop": "Ended early: validation had stopped improving.", "cancelled": "Cancelled.",
}  # fmt: skip


def _mark(row: dict[str, Any], is_baseline: bool) -> str:
    said = ["★ baseline"] if is_baseline else []
    if row["state"] == Status.STOPPED and not _is_nan(row["rounds"]):
        said.append(f"cancelled at round {int(row['rounds']):,}")
    return "".join(f' <span class="tag">{text}</span>' for text in said)


def plain_table_html(frame: pd.DataFrame, looks: Mapping[str, Stroke] | None = None) -> str:
    """Return a table of texts; what differs from the first run is set off, what a run has not is faint.

    `looks` gives the runs' swatches: by column, or by row where a row is a run.
    """
    looks, index = looks or {}, list(frame.index)
    heads = {
        name: f"{swatch(looks[name]) if name in looks else ''} {escape(str(name))}"
        for name in (*index, *frame.columns)
    }
    body, cells = "", frame.to_numpy(dtype=object)
    first = cells[:1] if index and index[0] in looks else cells[:, :1]
    for label, values, differs in zip(index, cells, cells != first, strict=True):
        body += f'<tr><th scope="row" class="left">{heads[label]}</th>'
        for value, other, column in zip(values, differs, frame.columns, strict=True):
            css = f"left{' none muted' if value == '–' else ' strong' if other else ''}"
            body += f'<td class="{css}"><span class="whose">{heads[column]}: </span>{escape(str(value))}</td>'
        body += "</tr>"
    columns = "".join([f'<th scope="col" class="left">{heads[column]}</th>' for column in frame.columns])
    return _table(f"<th></th>{columns}", body, "runs stack")


def _table(head: str, body: str, css: str) -> str:
    return (
        f'<div class="scroll" tabindex="0"><table class="{css}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _rounds(value: Any) -> str:
    """Return a number of rounds, or a text, the rounds of several trainings."""
    return escape(whole(value if isinstance(value, str) else int(value)))


def _title(text: str) -> str:
    return f' title="{escape(str(text), quote=True)}"' if text else ""


def _is_nan(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
