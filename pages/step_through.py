"""Step through: boosting one round at a time on a handful of documents."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.kit.net import fragment
from pages.ui.learn import board
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.step import rounds, scene, setup

screen = frame.current()
board.lead_on()
own = setup.draw(screen)
scene.rest()


def look_on() -> None:
    """The picture and the round on screen: all that changes with the round."""
    control = "step_round"
    playing = scene.is_passing(control)
    if not playing:
        mirror.follow()
    screen = last()
    colours = screen.colours
    stage = setup.learnt(own, screen)
    t = rounds.on_screen(control, stage.n_rounds)
    left, right = st.columns(2, gap="medium")
    with right:
        rounds.in_words(stage, t, control)
        rounds.candidates(stage, t, colours)
        rounds.weights(stage, t, colours)
    with left:
        scene.play(stage, control, colours)
        rounds.documents(stage, t)
    if not playing:
        mirror.settle()


fragment(look_on)()
