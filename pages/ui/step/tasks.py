"""The lessons on screen: their words, what they ask for, and the check of their goal."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ltr_core import DISTANCES

from ..kit.marks import signed_number
from ..runs.screens import Screen
from ..session import state
from ..session.bound import bound
from ..tables.distances import FORMULAS
from ..tables.steps import LEARNT, UNSEEN, Setup, Stage, loss_name, stage_of
from . import lessons
from .formulas import ndcg_formula
from .html import list_html
from .lessons import LESSONS, MEASURE, START_ROUND, judge, lesson_setup

_OWN = ("lesson_round", "lesson_ddf")  # the controls of a lesson, which begin anew with each


def choose() -> str | None:
    """Draw the names of the lessons, and return the one chosen, if any."""
    done = state.lessons_done()
    bound(
        "lesson",
        st.pills,
        "Lessons",
        list(LESSONS),
        words={n: f"{'✓' if n in done else n} {lesson.title}" for n, lesson in LESSONS.items()},
        forget=_OWN,
        quiet=True,
        help="Four short lessons. Press the one chosen again to leave it.",
    )
    return state.get("lesson")


def control_of_round(number_of: str | None) -> str:
    """Return the control that holds the round on screen; a lesson begins at a round of its own."""
    if number_of is None:
        return "step_round"
    if state.get("lesson_round") is None:
        state.put("lesson_round", START_ROUND.get(number_of, 0))
    return "lesson_round"


def _open(number_of: str | None) -> None:
    state.put("lesson", number_of)
    state.reset(*_OWN)


def learnt(number_of: str | None, own: Setup | None, screen: Screen) -> Stage:
    """Return the training on screen: a person's own by the measure chosen, or the lesson's by its own."""
    if own is not None:
        return stage_of(own, screen.measure)
    return stage_of(lesson_setup(number_of or "1", state.get("lesson_ddf")), MEASURE)


def introduce(number_of: str) -> None:
    """Say what a lesson is about."""
    lesson = LESSONS[number_of]
    st.html(f'<h3 class="panel">Lesson {lesson.number}: {lesson.title}</h3>')
    st.markdown(lesson.text)


def _goal(number_of: str, met: bool, text: str) -> None:
    """Say whether the goal is met; once met, what was learnt, and the way on."""
    lesson = LESSONS[number_of]
    if not met:
        st.info(text, icon=":material/flag:")
        return
    state.lessons_done().add(number_of)
    st.success(f"**Goal met.** {text} {lesson.learnt.strip()}", icon=":material/check_circle:")
    after = next((number for number in LESSONS if number > number_of), None)
    label = f"Next: {LESSONS[after].title}" if after else "Explore on your own"
    st.button(label, on_click=_open, args=(after,), type="primary", key="lesson-next")


def _answer(label: str, key: str, right: float, slips: dict[str, float] | None = None) -> bool:
    """Draw a field for a number, and return whether it holds the right one."""
    look: dict[str, Any] = {"value": None, "step": None, "placeholder": "two decimals"}
    given = bound(key, st.number_input, label, format="%.4f", **look)
    met, said = judge(given, right, slips)
    if said:
        st.caption(f"{'✓' if met else '✗'} {said}")
    return met


def by_hand() -> None:
    """The first lesson: three numbers to work out from a list."""
    given = lessons.by_hand()
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.html(list_html(given.rows))
    with right:
        first = _answer("DCG@3 of the list", "lesson1-dcg", given.dcg)
        second = _answer("DCG@3 of the ideal order", "lesson1-ideal", given.ideal)
        third = _answer("NDCG@3", "lesson1-ndcg", given.ndcg, given.slips)
    met = first and second and third
    goal = "**Goal:** all three numbers right, to two decimals."
    _goal("1", met, f"NDCG@3 = {given.ndcg:.4f}." if met else goal)
    if met:
        top = given.rows.head(lessons.DEPTH)
        ideal = lessons.gains(top["best"]).tolist()
        with st.container(key="formulas"):
            results = given.dcg, given.ideal, given.ndcg
            st.latex(ndcg_formula(top["gain"], ideal, top["discount"], results))


def check(number_of: str | None, stage: Stage, t: int) -> bool:
    """Draw what a lesson asks for at round t; return whether the results are still the user's to find."""
    if number_of == "2":
        distance_choice()
        magnitudes(stage)
    if number_of == "4":
        overfitting(stage, t)
    return number_of == "3" and not one_round(stage, t)


def distance_choice() -> None:
    """The second lesson's control."""
    words = {name: DISTANCES[name].label for name in FORMULAS}
    bound("lesson_ddf", st.segmented_control, "Distance", FORMULAS, words=words, required=True, help=None)


def magnitudes(stage: Stage) -> None:
    """The second lesson's check."""
    value, (pull, share) = lessons.reached(stage), lessons.large_gap_pull(stage)
    st.markdown(
        f"After six rounds with **{DISTANCES[state.get('lesson_ddf')].label}**: NDCG@3 = **{value:.3f}**. "
        f"Pairs three or four grades apart are {share:.0%} of all pairs and make {pull:.0%} of the first "
        "round's pull."
    )
    met, missed = value > lessons.GOAL, f"{value:.3f} is not above {lessons.GOAL} yet: try another distance."
    _goal("2", met, f"NDCG@3 = {value:.3f}." if met else missed)


def one_round(stage: Stage, t: int) -> bool:
    """The third lesson's questions; return whether both are answered."""
    if t == 0:
        _goal("3", False, "Go to any round from 1 on.")
        return False
    page, before, after, value = lessons.question(stage, t)
    left, right = st.columns(2, gap="small")
    with left:
        first = _answer(f"a of round {t}", f"lesson3-a-{t}", value)
    with right:
        label = f"New score of page {page}, {signed_number(before)} before"
        second = _answer(label, f"lesson3-score-{t}", after)
    met = first and second
    old, new = signed_number(before), signed_number(after)
    text = f"a = {signed_number(value)}, and page {page} goes from {old} to {new}."
    _goal("3", met, text if met else "Both numbers to two decimals: N and D stand in the formula.")
    return met


def overfitting(stage: Stage, t: int) -> None:
    """The fourth lesson's check."""
    best, values = lessons.best_rounds(stage), stage.curve(UNSEEN)
    met = t in best
    loss = stage.curve(loss_name(stage.setup.algorithm))
    last = stage.n_rounds
    if met:
        text = (
            f"Round {t} ranks the pages drawn anew best: NDCG@3 = {values[t]:.3f}, at round {last} only "
            f"{values[last]:.3f}, while "
            f"the loss falls on from {loss[t]:.3f} to {loss[last]:.3f} and the lists learnt from go "
            f"from {stage.curve(LEARNT)[t]:.3f} to {stage.curve(LEARNT)[last]:.3f}."
        )
    elif t == 0:
        text = "Round 0 is the untrained model. Press **Play**."
    else:
        text = (
            f"At round {t} they have NDCG@3 = {values[t]:.3f}. There is a better round: "
            f"{'later' if t < best[0] else 'earlier'}."
        )
    _goal("4", met, text)
