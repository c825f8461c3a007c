"""What each round added: its trees node by node, and all rounds as a table."""

from __future__ import annotations

import streamlit as st

from ..charts.models import draw_tree
from ..kit import panel
from ..kit.drawn import drawn
from ..session import state
from ..session.bound import bound
from ..tables import model as tables
from ..tables.model import Inspected


def one_tree(inspected: Inspected) -> None:
    """Draw the tree chosen by round and, where a round has several, by what it is for."""
    forest, names = inspected.model.forest_, tables.outputs(inspected)
    number = min(state.get("look_tree"), forest.n_rounds)
    output = min(state.get("look_output"), len(names))
    frame = tables.tree(inspected, number - 1, output - 1)
    note = "yes goes up, no goes down; bold: what a leaf adds, then its training documents"
    with panel.panel(f"Tree of round {number:,}", note, lambda: panel.csv(frame, "tree")):
        left, right = st.columns([3, 2] if len(names) > 1 else [1, 0.001], vertical_alignment="bottom")
        with left:
            if forest.n_rounds > 1:
                bound("look_tree", st.slider, "Round", 1, forest.n_rounds, shows=number, format="%,d")
        if len(names) > 1:
            with right:
                words = dict(enumerate(names, 1))
                bound("look_output", st.selectbox, "Tree for", list(words), shows=output, words=words)
        alt = f"The tree of round {number:,} for the {names[output - 1]}, with its questions and leaves"
        panel.chart(drawn(draw_tree, frame, inspected.screen.colours), alt, "tree")


def every_round(inspected: Inspected) -> None:
    """Show a row for each round."""
    frame = tables.rounds(inspected)
    with panel.panel("Rounds", "what each round added", lambda: panel.csv(frame, "rounds")):
        told = {
            name: st.column_config.NumberColumn(
                name.replace("_", " "), format="%,d" if name == "round" else "%.5g"
            )
            for name in frame.columns
            if name != "feature"
        }
        alt = "A row for each round: feature and numbers"
        st.dataframe(frame, hide_index=True, height=560, key="rounds", alt=alt, column_config=told)
