"""The picture that plays: the list, the loss and the measure from round to round."""

from __future__ import annotations

from functools import partial
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

_KEY = "stage"
_PASSING = "stage-passing"  # the round that the picture passes as it plays, if it does


def play(stage: Stage, round_name: str, colours: Palette) -> None:
    """Draw the picture that plays, and its bar."""
    lists, n = stage.lists, stage.data.n_queries
    query = str(stage.data.query_ids[stage.setup.query if n > 1 else 0])
    pages = stage.rows.stop - stage.rows.start
    about = f"its {pages} pages, best ranked first" if n == 1 else f"one of the {n} lists learnt from"
    with panel.panel(f"“{escape(query)}”", about, lambda: panel.csv(lists, "rounds")):
        scene, t = f"{hash((stage.setup, stage.measure)):x}", state.get(round_name)
        slow = state.get("step_pace") == "slowly"
        heard = partial(_take, round_name)
        player(f"{_KEY}-player", _KEY, scene, stage.n_rounds, t, slow, heard, _set_pace)
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


def _take(round_name: str, t: int, passing: bool) -> None:
    state.put(round_name, t)
    st.session_state[_PASSING] = t if passing else None


def _set_pace(slow: bool) -> None:
    state.put("step_pace", "slowly" if slow else "fast")


def rest() -> None:
    """Take the round on screen for the one that is meant: the page is drawn as a whole."""
    st.session_state[_PASSING] = None


def is_passing(round_name: str) -> bool:
    """Whether the round on screen is one that the picture passes: no link is made of it."""
    return st.session_state.get(_PASSING) == state.get(round_name)
