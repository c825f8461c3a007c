"""What of the course is done: kept by the session, and by the browser beyond it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ..session import state
from .course import LESSONS

_KEY, _FORGET, _NEW = "learn-progress", "_learn_forget", "_learn_new"
_MOUNT = st.components.v2.component(
    "rankscope.progress",
    html="<span hidden></span>",
    js=Path(__file__).with_name("progress.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def keep() -> None:
    """Bring session and browser together."""

    def found() -> None:
        told = state.told(_KEY).get("done") or []
        state.lessons_done().update(number for number in told if number in LESSONS)

    forget = st.session_state.pop(_FORGET, False)
    with st.container(key="progress"):
        _MOUNT(key=_KEY, data={"done": sorted(state.lessons_done()), "forget": forget}, on_done_change=found)


def note(number: str) -> None:
    """Note that a lesson's goal is met; the page says so at once."""
    if number not in state.lessons_done():
        state.lessons_done().add(number)
        st.session_state[_NEW] = True


def is_news() -> bool:
    """Whether something was met since the page was drawn."""
    return bool(st.session_state.pop(_NEW, False))


def forget() -> None:
    """Begin the course again. A callback."""
    state.lessons_done().clear()
    st.session_state[_FORGET] = True
