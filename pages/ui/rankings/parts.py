"""The parts of Rankings: all queries, one query's lists, and what became of each rank."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import pandas as pd
import streamlit as st

from ..charts.rankings import draw_differences, draw_slopes
from ..kit import panel
from ..kit.drawn import drawn
from ..session import state
from ..style.words import SPLIT_NAMES, count
from ..tables import queries as found
from .case import Case
from .html import lists_html

BARS, SLOPES = "rank-bars", "rank-slopes"


# All queries ------------------------------------------------------------------------------------------------


def headline(case: Case) -> None:
    """Say how many queries are won, tied, lost."""
    n = found.counts(case.queries)
    total = len(case.queries) - n["left out"]
    kind = SPLIT_NAMES[case.split]
    of = count(total, f"{kind} query", f"{kind} queries")
    if case.base is None:
        st.html(
            f'<p class="headline">{escape(case.run.name)} on {of}</p>'
            '<p class="verdict">Add a second run on Compare, and its wins and losses are counted here.</p>'
        )
        return
    left = f"; {n['left out']} without a relevant document are left out" if n["left out"] else ""
    st.html(
        f'<p class="headline">{escape(case.run.name)} beats {escape(case.base.name)} on {n["win"]} of {of}, '
        f"and loses on {n['loss']}.</p>"
        f'<p class="tally"><span class="better">▲ {count(n["win"], "win")}</span> + '
        f"{count(n['tie'], 'tie')} + "
        f'<span class="worse">▼ {count(n["loss"], "loss", "losses")}</span> = '
        f"{count(total, 'query', 'queries')}{left}</p>"
    )


def bars(case: Case) -> None:
    """Draw the differences, worst first; a click takes a query."""
    against = case.base is not None
    title = f"Δ {case.label} by query" if against else f"{case.label} by query"
    whose = f"{case.run.name} − {case.base.name}" if case.base else case.run.name
    said = f"{whose}, on {SPLIT_NAMES[case.split]}, at the rounds compared; click one to see its lists"
    with panel.panel(escape(title), escape(said), lambda: panel.csv(case.queries, "queries")):
        unit = f"Δ {case.label}" if against else case.label
        figure = drawn(draw_differences, case.queries, unit, against, case.place, case.screen.colours)
        _selectable(
            figure,
            BARS,
            f"{title}: {whose}, a bar for each query, worst first",
            _take("rank_query", "rank_doc"),
        )


def _take(name: str, *forget: str) -> Callable[[str], None]:
    """Return what a click on a figure does: its point's own data become the control's value."""

    def take(key: str) -> None:
        points = st.session_state[key]["selection"]["points"]
        # A second click on the same point takes the selection back, and means the same point.
        value = points[0].get("customdata") if points else st.session_state.get(f"{key}-last")
        value = value[0] if isinstance(value, list | tuple) else value
        if value is None:
            return
        state.put(f"{key}-last", value)
        state.put(name, value)
        for other in forget:
            state.put(other, state.params()[other].default)

    return take


def _selectable(figure, key: str, alt: str, take: Callable[[str], None]) -> None:
    st.plotly_chart(
        figure,
        key=key,
        config={**panel.CONFIG, "displayModeBar": False},
        alt=alt,
        theme="streamlit",
        on_select=lambda: take(key),
        selection_mode="points",
    )


# One query --------------------------------------------------------------------------------------------------


def lists(case: Case) -> None:
    """Show the query's lists side by side, and the slider that moves them."""
    grade = f"grades {case.one.y.min():g} to {case.one.y.max():g}"
    depth = case.screen.measure.options.get("k")
    line = f"; {case.label} counts what is above the dashed line" if depth and depth < case.one.n_docs else ""
    said = f"{count(case.one.n_docs, 'document')}, {grade}{line}"

    def tools() -> None:
        panel.choose("rank_against", {"baseline": "▲▼ from the baseline", "ideal": "from the ideal"})
        panel.switch("rank_whole", "whole lists")
        panel.csv(lambda: _as_table(case), "lists")

    with panel.panel(f"“{escape(case.query)}”", escape(said), tools):
        slider(case)
        looks = {x.slot: x.look for x in case.screen.runs}
        st.html(lists_html(case.lists, case.pages, looks, case.screen.measure, case.shown, case.doc))
        _features(case)


def _as_table(case: Case) -> pd.DataFrame:
    parts = [x.rows.assign(list=x.name, round=x.iteration) for x in case.lists]
    table = pd.concat(parts, ignore_index=True)
    table["name"] = [case.pages[doc].name for doc in table["doc"]]
    table["doc"] += 1
    return table[["list", "round", "rank", "doc", "name", "grade", "score", "tied", "shift"]]


def slider(case: Case) -> None:
    """The slider that moves all lists through the rounds."""
    last = max(x.n_iter for x in case.lists)
    at, box = state.get("rank_round"), "rank_round-slider"
    if last < 1:
        return
    state.put(box, min(last, case.of(case.run.slot).iteration or 0 if at is None else at))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="rank-rounds"):
        st.slider(
            "Round of all lists" if at is not None else "Round of all lists (now each at its round compared)",
            0,
            last,
            key=box,
            on_change=lambda: state.put("rank_round", st.session_state[box]),
            help="A run of fewer rounds stays at its last.",
        )
        st.button(
            "Rounds compared",
            key="rank-compared",
            disabled=at is None,
            on_click=state.put,
            args=("rank_round", None),
            help="Show each list at the round that is compared: see “at the best round” on Compare.",
        )


def _features(case: Case) -> None:
    panel.switch("rank_features", "Feature values of all documents")
    if state.get("rank_features"):
        frame = found.documents(case.one, case.lists, [page.name for page in case.pages])
        st.dataframe(frame, hide_index=True, height=min(420, 37 + 35 * len(frame)), key="rank-feature-table")


def slopes(case: Case) -> None:
    """Draw what became of each rank from one list to another."""
    from_ideal = state.get("rank_against") == "ideal"
    left = case.of(found.IDEAL if from_ideal or case.base is None else case.base.slot)
    right = case.of(case.run.slot)
    both = found.both_ranks(left, right)
    said = f"{left.name} → {right.name}; thicker lines for higher grades"
    with panel.panel("Rank by rank", escape(said), lambda: panel.csv(both, "ranks")):
        names = [page.label for page in case.pages]
        figure = drawn(
            draw_slopes, both, names, left.name, right.name, case.shown, case.doc, case.screen.colours
        )
        alt = f"Slope chart of the documents of {case.query}: ranks in {left.name} and in {right.name}"
        _selectable(figure, SLOPES, alt, _take("rank_doc"))
