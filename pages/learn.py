"""Learn: a course of short lessons, each with a task that is done before anything is revealed."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.kit.net import fragment
from pages.ui.learn import board, progress
from pages.ui.learn.lessons import chance, distances, losses, overshoot, ranking, regression, stopping, why
from pages.ui.learn.lessons import rounds as one_round
from pages.ui.session import mirror, state
from pages.ui.session.screen import last
from pages.ui.step import rounds

frame.current()
lesson = board.choose()


def laboratory() -> None:
    """A round laid open, as Step through shows it, with what the lesson asks."""
    stage = one_round.stage(state.get("learn_draw"))
    t = one_round.on_screen(stage)
    one_round.introduce()
    if not one_round.choose(stage, t):
        return
    left, right = st.columns(2, gap="medium")
    with right:
        hide = one_round.ask(stage, t)
        one_round.symbols()
    with left:
        rounds.in_words(stage, t, one_round.ROUND, hide)
        rounds.weights(stage, t, last().colours)
        rounds.documents(stage, t, hide)


def look_on() -> None:
    """The lesson: all of it is drawn again with each answer."""
    mirror.follow()
    draw, colours = state.get("learn_draw"), last().colours
    match lesson:
        case "0":
            ranking.draw_pairs(draw)
        case "1":
            ranking.draw_ndcg(draw)
        case "2":
            regression.draw(draw)
        case "3":
            distances.draw_magnitudes(draw, colours)
        case "4":
            laboratory()
        case "5":
            overshoot.draw(draw, colours)
        case "6":
            stopping.draw(draw, colours)
        case "7":
            chance.draw(draw, colours)
        case "8":
            losses.draw(draw, colours)
        case "9":
            why.draw(draw)
        case "10":
            distances.draw_own(draw, colours)
    if progress.is_news():
        st.rerun()
    mirror.settle()


if lesson is None:
    board.overview()
else:
    with st.container(key="lesson"):
        board.head(lesson)
        fragment(look_on)()
