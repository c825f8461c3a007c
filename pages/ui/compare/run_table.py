"""The run table: its measures and columns as one chooses them, sorted, filtered, and copied as text."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path

import pandas as pd
import streamlit as st

from ltr_core import MEASURES, ParameterError
from ltr_core.measures import Measure

from ..kit import growing, html, panel
from ..runs.screens import Run, Screen
from ..runs.status import Status
from ..session import state
from ..session.bound import bound
from ..session.screen import last
from ..style.words import COLUMNS
from ..tables import several
from ..tables.curves import kept, mean_curve

_HEADS = "run-table-heads"
_MOUNT = st.components.v2.component(
    "rankscope.heads",
    html="<span hidden></span>",
    js=Path(__file__).with_name("heads.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)
OFFERED = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map", "mrr", "err", "p@1", "p@5", "p@10", "tau")
_MOST = 12  # measures beside the chosen one


def chosen_measures(screen: Screen) -> tuple[Measure, ...]:
    """Return the further measures of the table, each as the sidebar defines it."""
    found = []
    for word in _words("table_measures")[:_MOST]:
        try:
            found.append(measure_of(word))
        except ParameterError:
            continue
    return tuple(one for one in dict.fromkeys(found) if repr(one) != screen.lens[0])


def measure_of(word: str) -> Measure:
    """Return the measure of a word such as "ndcg@5", with the options that the sidebar has for it."""
    name, _, depth = word.partition("@")
    if name not in MEASURES or (depth and not depth.isdigit()):
        raise ParameterError(f"There is no measure {word!r}.")
    cls = MEASURES[name]
    options = state.values_of(cls.name, cls.params)
    if depth:
        options["k"] = int(depth)
    return cls(convention="letor" if state.get("letor") else None, **options)


def _words(name: str) -> list[str]:
    return [word for word in state.get(name).split() if word]


def chosen_columns() -> tuple[str, ...]:
    """Return the columns of the table, in its order; all when none is left out."""
    hidden = set(_words("table_hidden"))
    return tuple(name for name in COLUMNS if name not in hidden)


def _how(screen: Screen) -> tuple[tuple[Measure, ...], str, bool, str]:
    """Return the further measures, the column to sort by, which end is first, and the words to find."""
    find = state.get("table_find")
    return chosen_measures(screen), state.get("table_by"), state.get("table_down"), find


def as_arranged(screen: Screen) -> pd.DataFrame:
    """Return the table as it is arranged: for files."""
    return several.arranged(screen, *_how(screen))


def draw(screen: Screen) -> None:
    """Draw the table and its controls."""
    columns, how = chosen_columns(), _how(screen)
    rows, label = several.arranged(screen, *how), screen.measure.label

    def tools() -> None:
        panel.choose("score_at")
        with st.popover("Columns", icon=":material/view_column:", type="tertiary", help="Measures and order"):
            _arrange(how[0])
        with st.popover("Copy", icon=":material/content_copy:", type="tertiary", help="As Markdown or LaTeX"):
            markdown, latex = _copies(screen, columns, *how)
            st.caption("Markdown")
            st.code(markdown, language="markdown", wrap_lines=True)
            st.caption("LaTeX, with booktabs")
            st.code(latex, language="latex", wrap_lines=True)
        panel.csv(rows, "runs")

    _MOUNT(key=_HEADS, on_by_change=_sort)
    with panel.panel("Runs", f"{label} on {escape(screen.entry.label)}", tools):
        growing.part(_rows, "rows", _counts if screen.under_way else None)(columns, *how)
        if len(rows) < len(screen.runs):
            st.caption(
                f"{len(rows)} of {len(screen.runs)} runs have “{state.get('table_find')}” in their name."
            )


def _sort() -> None:
    """Sort by the column whose head was pressed: names from A, numbers from the largest; then turn it."""
    pressed = st.session_state.get(_HEADS)  # none when the page has been left meanwhile
    by = pressed.get("by") if pressed else None
    if by is None:
        return
    down = not state.get("table_down") if by == state.get("table_by") else by != "run"
    state.put("table_by", by)
    state.put("table_down", down)


def _rows(columns: tuple[str, ...], *how) -> None:
    """Draw the rows; they count the rounds of what is under way."""
    screen, counts = last(), dict(_counts())
    st.html(_rows_html(screen, counts, columns, *how) if counts else _html(screen, columns, *how))


def _counts() -> tuple[tuple[int, str], ...]:
    """Return what the rows say of what is under way, by slot."""
    return tuple((run.slot, said) for run in last().under_way if (said := _counted(run)))


def _counted(run: Run) -> str:
    job = run.job if run.own is None else run.rest
    if job is None or job.status != Status.RUNNING or job.cancelled.is_set():
        return ""
    return f"round {job.iteration:,} of {job.n_rounds:,}" if job.iteration else "starting …"


def _arrange(measures: tuple[Measure, ...]) -> None:
    chosen = _words("table_measures")
    options = list(dict.fromkeys([*OFFERED, *chosen]))
    told = "On test, at the round compared, each as the sidebar defines it. Type any depth, as in ndcg@20."
    bound(
        "pick-table_measures",
        st.multiselect,
        "Further measures",
        options,
        shows=chosen,
        help=told,
        take=lambda words: state.put("table_measures", " ".join(words)),
        accept_new_options=True,
    )
    bound(
        "pick-table_columns",
        st.multiselect,
        "Columns",
        list(COLUMNS),
        shows=list(chosen_columns()),
        take=lambda kept: state.put("table_hidden", " ".join(name for name in COLUMNS if name not in kept)),
        words=COLUMNS,
    )
    names = {"": "the order of the workspace", "run": "Run"} | {
        k: v for k, v in COLUMNS.items() if k != "spark"
    }
    names |= {several.column_of(measure): several.column_of(measure) for measure in measures}
    by = state.get("table_by")
    bound("table_by", st.selectbox, "Sorted by", list(names), shows=by if by in names else "", words=names)
    panel.switch("table_down", "the largest first")
    bound("table_find", st.text_input, "Only runs whose name has", placeholder="all runs")


@kept
def _copies(screen: Screen, columns: tuple[str, ...], *how) -> tuple[str, str]:
    rows, labels = several.arranged(screen, *how), [several.column_of(measure) for measure in how[0]]
    texts = several.as_texts(rows, columns, screen.measure.label, labels)
    return several.as_markdown(texts), several.as_latex(texts)


@kept
def _html(screen: Screen, columns: tuple[str, ...], *how) -> str:
    return _rows_html(screen, {}, columns, *how)


def _rows_html(screen: Screen, counts: Mapping[int, str], columns: tuple[str, ...], *how) -> str:
    rows, measure = several.arranged(screen, *how), screen.measure
    standing = zip(rows["slot"], rows["state"], strict=True)
    rows = rows.assign(state=[counts.get(slot, state) for slot, state in standing])
    base = screen.baseline.slot if screen.baseline else None
    sparks = {run.slot: mean_curve(screen, run, "measure", "test") for run in screen.complete}
    further = {several.column_of(one): one.higher_is_better for one in how[0]}
    told = (sparks, screen.means, measure.higher_is_better, columns, further)
    return html.run_table_html(rows, screen.looks, measure.label, base, *told, *how[1:3])
