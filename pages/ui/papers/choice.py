"""Which paper and which of its exhibits is on screen."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from ltr_core import PAPERS
from ltr_core.papers import Exhibit, Paper

from ..session import state
from ..session.bound import bound
from .controls import owner


@dataclass(frozen=True)
class Shown:
    """The exhibit on screen and its paper."""

    paper: Paper
    exhibit: Exhibit

    @property
    def owner(self) -> str:
        """What the keys of its settings begin with."""
        return owner(self.paper.id, self.exhibit.id)

    def values(self) -> dict[str, Any]:
        """Its settings."""
        return state.values_of(self.owner, self.exhibit.params)


def on_screen() -> Shown:
    """Return the exhibit that is open."""
    paper, _, exhibit = state.get("exhibit").partition("-")
    return Shown(PAPERS[paper], PAPERS[paper].exhibits[exhibit])


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
    words = {owner(shown.paper.id, id): _label(one) for id, one in shown.paper.exhibits.items()}
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
    return shown


def _label(exhibit: Exhibit) -> str:
    return f"**{exhibit.name}** {exhibit.title}"


def _take(name: str) -> None:
    state.put("exhibit", name)
