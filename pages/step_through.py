"""Step through: boosting one round at a time on a handful of documents, and four short lessons."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.kit.net import fragment
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.step import rounds, scene, setup, tasks

screen = frame.current()
lesson = tasks.choose()
if lesson:
    tasks.introduce(lesson)
own = None if lesson else setup.draw(screen)


def look_on() -> None:
    """The picture and the round on screen: all that changes with the round."""
    screen = last()
    colours, control = screen.colours, tasks.control_of_round(lesson)
    stage = tasks.learnt(lesson, own, screen)
    t = rounds.on_screen(control, stage.n_rounds)
    left, right = st.columns(2, gap="medium")
    with right:
        hide = tasks.check(lesson, stage, t)
        rounds.in_words(stage, t, control, hide)
        rounds.candidates(stage, t, colours)
        rounds.weights(stage, t, colours)
    with left:
        scene.play(stage, control, colours, hide)
        rounds.documents(stage, t, hide)
    mirror.settle()


if lesson == "1":
    tasks.by_hand()
else:
    fragment(look_on)()
