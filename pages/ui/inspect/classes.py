"""How sure a model is of each document's grade."""

from __future__ import annotations

import streamlit as st

from ..charts.models import draw_probabilities
from ..kit import panel
from ..kit.drawn import drawn
from ..session import state
from ..session.bound import bound
from ..tables import model as tables
from ..tables.model import Inspected

_MOST_DOCS = 30


def probabilities(inspected: Inspected) -> None:
    """Draw the class probabilities of a test query's documents."""
    assert inspected.screen.splits is not None
    queries = [str(q) for q in inspected.screen.splits.test.query_ids]
    query = state.get("look_query")
    query = query if query in queries else queries[0]
    frame = tables.probabilities(inspected, query)
    grades = [f"{grade:g}" for grade in inspected.model.grades_]
    note = "documents of a test query, best score first; bold: their grade"
    with panel.panel("Class probabilities", note, lambda: panel.csv(frame, "probabilities")):
        words = "Query {}".format
        bound("look_query", st.selectbox, "Query", queries, shows=query, words=words, quiet=True)
        figure = drawn(draw_probabilities, frame.head(_MOST_DOCS), grades, inspected.screen.colours)
        panel.chart(figure, f"The class probabilities of the documents of query {query}", "classes")
