"""Learn: a course of short lessons, each with a task that is done before anything is revealed."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.kit.net import fragment
from pages.ui.learn import board, paper, progress
from pages.ui.learn.hall import student
from pages.ui.learn.lessons import drawing
from pages.ui.learn.lessons import rounds as one_round
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.step import rounds

frame.current()
lesson = board.choose()


def in_the_laboratory(stage, t: int, hide: bool) -> None:
    """A round laid open, as Step through shows it."""
    rounds.in_words(stage, t, one_round.ROUND, hide)
    rounds.weights(stage, t, last().colours)
    rounds.documents(stage, t, hide)


def draw_lesson() -> None:
    """The lesson itself, whether on screen or on paper."""
    numbers = board.numbers()
    if lesson == "4":
        one_round.draw(numbers, in_the_laboratory)
    elif lesson:
        drawing.draw(lesson, numbers, last().colours)


def look_on() -> None:
    """The lesson: all of it is drawn again with each answer."""
    mirror.follow()
    with st.container(key="blocks"), board.as_shown():
        draw_lesson()
    if progress.is_news():
        st.rerun()
    mirror.settle()


if lesson and paper.kind():
    paper.lay_out()
    with st.container(key="lesson"):
        if paper.kind() == paper.FORMULAS:
            paper.formulas()
        else:
            paper.head(lesson, board.numbers())
            draw_lesson()
elif lesson:
    student.greet()
    with st.container(key="lesson"):
        board.head(lesson)
        fragment(look_on)()
else:
    student.greet()
    board.overview()
