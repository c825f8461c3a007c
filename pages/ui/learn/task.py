"""What lessons are made of: a question, what may have gone wrong, the goal, and the way on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import streamlit as st

from ..kit import panel
from ..session import mirror, state
from ..session.bound import bound
from . import paper, progress
from .classroom import membership, votes
from .course import LESSONS, after

RIGHT = ""  # what there is to say of a right choice's mistake


def key(name: str) -> str:
    """Return a widget's key: other numbers, another lesson, another answer."""
    return f"learn-{state.get('learn')}-{state.get('learn_draw')}-{name}"


def is_same(answer: float, right: float, decimals: int = 2) -> bool:
    """Whether a number is the right one, rounded or cut, to the decimals it has, and at least so many."""
    digits = max(decimals, -int(Decimal(repr(float(answer))).normalize().as_tuple().exponent))
    unit = 10.0**-digits
    is_cut = math.isclose(math.trunc(right / unit) * unit, answer, abs_tol=unit / 1e3)
    return is_cut or abs(answer - right) <= unit / 2 * (1 + 1e-9)


def judge(
    answer: float | None, right: float, slips: Mapping[str, float] | None = None, decimals: int = 2
) -> tuple[bool, str]:
    """Say whether a number given is right, and if not what may have gone wrong."""
    if answer is None:
        return False, ""
    if is_same(answer, right, decimals):
        return True, "right"
    for text, wrong in (slips or {}).items():
        if is_same(answer, wrong, decimals):
            return False, text
    return False, _slip(answer, right, decimals) or ("too small" if answer < right else "too large")


def _slip(answer: float, right: float, decimals: int) -> str:
    """Say how an answer was written down wrongly, whatever was asked for."""
    if right and is_same(-answer, right, decimals):
        return "The size is right; the sign is not."
    if decimals == 0:
        return {-1.0: "One too few: count again.", 1.0: "One too many: count again."}.get(answer - right, "")
    cut = [round(right, decimals - 1), math.trunc(right * 10) / 10, round(right)]
    if not answer:
        return ""
    if answer in cut:
        return f"That is rounded too far: give {decimals} decimals."
    if answer.is_integer() and any(is_same(answer / 10**k, right, k) for k in range(2, 5)):
        return "Is the decimal point lost? Write a point, not a comma, and no percent."
    if is_same(answer / 100, right, decimals):
        return "That is in percent; here a share of 1 is asked for."
    if abs(answer - right) < 2.5 * 10.0**-decimals:
        return "Nearly: keep all decimals until the end, and round only then."
    return ""


def number(
    name: str, label: str, right: float, slips: Mapping[str, float] | None = None, decimals: int = 2
) -> bool:
    """Ask for a number; return whether the right one is given."""
    if paper.kind():
        paper.number(label, right, decimals)
        return paper.is_solved()
    hint = "a whole number" if decimals == 0 else "two decimals"
    look: dict[str, Any] = {"value": None, "step": None, "placeholder": hint, "format": "%.6g"}
    met, said = judge(bound(key(name), st.number_input, label, **look), right, slips, decimals)
    if said:
        st.caption(f"{'✓' if met else '✗'} {said}")
    return met


def choice(name: str, label: str, options: Mapping[str, str]) -> bool:
    """Ask for one of several answers; each says what is wrong with it, the right one nothing."""
    if paper.kind():
        paper.options(label, dict(options), RIGHT)
        return paper.is_solved()
    given = bound(key(name), st.radio, label, list(options), index=None)
    if given is None:
        return False
    met = options[given] == RIGHT
    st.caption("✓ right" if met else f"✗ {options[given]}")
    return met


def predict(name: str, label: str, options: Sequence[str]) -> str | None:
    """Ask for a prediction before anything is revealed; return it once it is made for good.

    Before a class, it is the class's: each student's own session has the same question.
    """
    if paper.kind():
        paper.options(label, dict.fromkeys(options, ""))
        return options[0] if paper.is_solved() else None
    made, question = f"_{key(name)}", f"{state.get('learn')}-{name}"
    if made in st.session_state:
        if membership.is_hall():
            votes.draw(question, options)
        return str(st.session_state[made])
    given = bound(key(name), st.radio, label, list(options), index=None)
    if membership.is_hall():
        votes.count(question)

    def settle() -> None:
        most = votes.most(question, options) if membership.is_hall() else None
        st.session_state[made] = given or most or options[0]
        membership.vote(question, st.session_state[made])

    button = "Reveal" if membership.is_hall() else "That is my prediction"
    is_open = given is not None or membership.is_hall()
    st.button(button, key=key(f"{name}-go"), on_click=settle, disabled=not is_open)
    return None


def you_said(what: str) -> str:
    """Return the sentence that reminds of a prediction; on paper nobody has made one."""
    if paper.kind():
        return ""
    return f"{'The prediction was' if membership.is_hall() else 'You said'} {what}. "


def is_shown() -> bool:
    """Whether the worked solution is asked for: then the goal waits for other numbers, or for its end."""
    return bool(bound(key("show"), st.toggle, "Show me how"))


def _draw_anew() -> None:
    state.put("learn_draw", (state.get("learn_draw") + 1) % 10_000)
    state.reset("learn_round")


def goal(met: bool, text: str, solution: Callable[[], None] | None = None, anew: bool = True) -> None:
    """Say whether the goal is met: once met, what to keep, where it lives, and the way on.

    `solution` draws the worked solution; with `anew` the lesson can be had with other numbers.
    """
    lesson = LESSONS[state.get("learn")]
    if paper.kind():
        if paper.is_solved():
            paper.solution(lesson.keep, text, solution)
        return
    shown = False
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if solution is not None:
            shown = is_shown()
        if anew:
            st.button("Other numbers", key=key("anew"), on_click=_draw_anew, icon=":material/casino:")
    if shown and solution is not None:
        with st.container(border=True, key="solution"):
            solution()
        if not met:
            st.caption("Once you have seen how, take other numbers and do it yourself.")
    if not met:
        st.info(text, icon=":material/flag:")
        return
    progress.note(lesson.number)
    membership.finish(lesson.number)
    st.success(f"**Goal met.** {text}", icon=":material/check_circle:")
    st.html(f'<p class="verdict"><b>To keep:</b> {lesson.keep}</p>')
    following = after(lesson.number)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="use-door"):
        label = f"Next: {following.title}" if following else "Back to the course"
        target = following.number if following else None
        st.button(label, on_click=open_lesson, args=(target,), type="primary", key="lesson-next")
        link = mirror.link_beside(state.workspace(), **dict(lesson.door.controls))
        panel.way(lesson.door.label, link, lesson.door.page)


def open_lesson(number: str | None) -> None:
    """Open a lesson, or the course itself. A callback."""
    state.put("learn", number)
    state.put("learn_draw", membership.first_numbers())
    state.reset("learn_round")


def say(text: str) -> None:
    """A paragraph of the lesson."""
    st.markdown(text)


def picture(title: str, caption: str, figure: Any, alt: str, name: str) -> None:
    """A figure with its head."""
    with panel.panel(title, caption):
        panel.chart(figure, alt, f"learn-{name}")
