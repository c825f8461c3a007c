"""Which paper and which of its exhibits is on screen."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from ltr_core import PAPERS
from ltr_core.evaluation import State

from ..session import state
from ..session.bound import bound
from . import results
from .controls import owner
from .shown import Shown, on_screen
from .verdicts import MARKS

_REVEAL = Path(__file__).with_name("choice.js").read_text(encoding="utf-8")


def draw_papers() -> None:
    """Draw the papers to choose from, and the name of the one that is open."""
    paper = on_screen().paper
    labels = {one.id: one.label for one in PAPERS.values()}
    bound(
        "pick-paper",
        st.segmented_control,
        "Paper",
        list(labels),
        shows=paper.id,
        take=_open,
        words=labels,
        required=True,
        quiet=True,
    )
    st.html(
        f'<p class="headline">{escape(paper.title)}</p>'
        f'<p class="verdict">{escape(paper.where)}. {escape(paper.about)}</p>'
    )


def _open(paper: str) -> None:
    state.put("exhibit", owner(paper, next(iter(PAPERS[paper].exhibits))))


def draw_exhibits() -> Shown:
    """Draw the exhibits of the paper, in its order; return the one that is open."""
    shown = on_screen()
    words = {one.owner: _label(one) for one in (Shown(shown.paper, e) for e in shown.paper.exhibits.values())}
    with st.container(key="exhibits"):
        bound(
            "pick-exhibit",
            st.radio,
            "Exhibit",
            list(words),
            shows=shown.owner,
            take=_take,
            words=words,
            quiet=True,
        )
        place = list(words).index(shown.owner)
        st.html(f"<script>{_REVEAL.replace('PLACE', str(place))}</script>", unsafe_allow_javascript=True)
    return shown


def _label(one: Shown) -> str:
    counts = results.states_of(one)
    marks = " ".join(f"{counts[state]} {MARKS[state][0]}" for state in State if counts[state])
    return f"**{one.exhibit.name}** {one.exhibit.title}{f' · {marks}' if marks else ''}"


def _take(name: str) -> None:
    state.put("exhibit", name)
