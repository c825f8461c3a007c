"""One query's lists side by side, at the rounds compared or at any other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import pandas as pd
import streamlit as st

from ..kit import panel
from ..session import state
from ..session.bound import bound
from ..style.words import count
from ..tables.documents import query_text
from ..tables.queries import documents
from .case import Case
from .html import lists_html


@contextmanager
def of_query(case: Case) -> Iterator[None]:
    """The place of a query's lists, under its name and what there is to know of it."""
    grade = f"grades {case.one.y.min():g} to {case.one.y.max():g}"
    depth = case.screen.measure.options.get("k")
    line = f"; {case.label} counts what is above the dashed line" if depth and depth < case.one.n_docs else ""
    fold = f"of fold {case.screen.data.fold}, by its models; " if case.whole.means else ""
    said = f"{fold}{count(case.one.n_docs, 'document')}, {grade}{line}"

    def tools() -> None:
        panel.choose("rank_against")
        panel.switch("rank_whole", "whole lists")
        panel.csv(lambda: _as_table(case), "lists")

    with panel.panel(f"“{escape(query_text(case.screen, case.query))}”", escape(said), tools):
        yield


def _as_table(case: Case) -> pd.DataFrame:
    rows = [x.rows.assign(list=x.name, round=x.iteration) for x in case.lists]
    table = pd.concat(rows, ignore_index=True)
    table["name"] = [case.pages[doc].name for doc in table["doc"]]
    table["title"] = [case.pages[doc].title for doc in table["doc"]]
    table["doc"] += 1
    return table[["list", "round", "rank", "doc", "name", "title", "grade", "score", "tied", "shift"]]


def rounds(case: Case) -> None:
    """Draw the slider that moves all lists through the rounds."""
    last = max(x.n_iter for x in case.lists)
    at = state.get("rank_round")
    if last < 1:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="rank-rounds"):
        label = "Round of all lists" + (" (now each at its round compared)" if at is None else "")
        round_ = min(last, case.of(case.run.slot).iteration or 0 if at is None else at)
        told = "A run of fewer rounds stays at its last."
        bound("rank_round", st.slider, label, 0, last, shows=round_, format="%,d", help=told)
        st.button(
            "Rounds compared",
            key="rank-compared",
            disabled=at is None,
            on_click=state.put,
            args=("rank_round", None),
            help="Show each list at the round that is compared: see “at the best round” on Compare.",
        )


def side_by_side(case: Case) -> None:
    """Draw the lists."""
    looks = case.screen.looks
    st.html(lists_html(case.lists, case.pages, looks, case.screen.measure, case.shown, case.doc))


def features(case: Case) -> None:
    """Show all documents with their feature values, where that is asked for."""
    panel.switch("rank_features", "Feature values of all documents")
    if state.get("rank_features"):
        frame = documents(case.one, case.lists, [page.name for page in case.pages])
        st.dataframe(frame, hide_index=True, height=min(420, 37 + 35 * len(frame)), key="rank-feature-table")
