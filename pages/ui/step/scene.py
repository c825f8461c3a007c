"""The picture that plays: the list, the loss and the measure from round to round."""

from __future__ import annotations

from html import escape

import streamlit as st

from ..charts.steps import draw_steps
from ..kit import panel
from ..kit.drawn import written
from ..kit.player import player
from ..runs.services import services
from ..session import state
from ..style.theme import Palette
from ..tables.steps import Stage
from .controls import step_queries

_KEY = "stage"


def play(stage: Stage, round_name: str, colours: Palette) -> None:
    """Draw the picture that plays, and its bar."""
    query = step_queries()[stage.setup.query]
    lists = stage.lists
    alone = stage.setup.learn == "one"
    about = "its eight pages, best ranked first" if alone else "one of the six lists learnt from"
    with panel.panel(f"“{escape(query)}”", about, lambda: panel.csv(lists, "rounds")):
        scene, t = f"{hash((stage.setup, stage.measure)):x}", state.get(round_name)
        player(f"{_KEY}-player", _KEY, scene, stage.n_rounds, t, lambda t: state.put(round_name, t))
        with st.container(key=_KEY):
            figure = services().memo.make(
                ("scene", stage.setup, stage.measure, colours.name),
                lambda: written(draw_steps(lists, stage.curves, stage.measure.label, colours)),
            )
            alt = (
                f"The list of {query}, its loss, its share of misordered pairs and {stage.measure.label}, "
                f"from round 0 to round {stage.n_rounds}"
            )
            panel.chart(figure, alt, f"{_KEY}-chart")
