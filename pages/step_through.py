"""Step through: boosting one round at a time on a handful of documents, and four short lessons."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.session.state import get
from pages.ui.step import lesson_parts
from pages.ui.step import parts as step_parts
from pages.ui.step.lessons import MEASURE, lesson_setup
from pages.ui.tables import steps

screen = frame.current()


def scene(own: steps.Setup | None, lesson: str | None) -> None:
    """The picture and the round on screen: all that changes with the round."""
    colours, rounds = last().colours, lesson_parts.control_of_round(lesson)
    setup = own or lesson_setup(lesson or "1", get("lesson_ddf"))
    found = steps.stage(setup, MEASURE if lesson else last().measure)
    t = step_parts.clip_round(rounds, found.n_rounds)
    left, right = st.columns(2, gap="medium")
    with right:
        hide = lesson_parts.check(lesson, found, t)
        step_parts.headline(found, t, rounds, hide)
        step_parts.candidates(found, t, colours)
        step_parts.weights(found, t, colours)
    with left:
        step_parts.scene(found, rounds, colours, "stage", hide)
        step_parts.documents(found, t, hide)
    mirror.settle()


lesson = lesson_parts.choose()
if lesson:
    lesson_parts.introduce(lesson)
if lesson == "1":
    lesson_parts.by_hand()
else:
    st.fragment(scene)(None if lesson else step_parts.controls(), lesson)
