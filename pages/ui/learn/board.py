"""The course on screen: which lesson, its head, and the row of all of them."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from html import escape
from pathlib import Path

import streamlit as st

from ..charts.lessons import for_hall
from ..kit import panel
from ..kit.marks import table
from ..kit.terms import TERMS
from ..session import mirror, state
from ..session.bound import bound
from . import progress, task
from .course import EARLIER, LESSONS, MINUTES


def choose() -> str | None:
    """Draw the lessons' numbers, and return the one chosen, if any."""
    done = state.lessons_done()
    bound(
        "learn",
        st.pills,
        "Lessons",
        list(LESSONS),
        words={n: f"{'✓' if n in done else n} {lesson.title}" for n, lesson in LESSONS.items()},
        forget=("learn_draw", "learn_round"),
        quiet=True,
        help="Press the one chosen again for the whole course.",
    )
    progress.keep()
    return state.get("learn")


def numbers() -> int:
    """Return which numbers the lesson asks about."""
    return state.get("learn_draw")


def _glossary() -> None:
    """List the words of the field, each with the lesson that teaches it."""
    with st.expander(f"The {len(TERMS)} words of the field, each in one sentence"):
        rows = [
            f'<th scope="row" class="left">{escape(word)}</th><td class="left wrap">{escape(told)}</td>'
            f'<td class="left">lesson {number}</td>'
            for word, (told, number) in sorted(TERMS.items(), key=lambda term: term[0].lower())
        ]
        st.html(table([("left", "word"), ("left", "what it means"), ("left", "more in")], rows))


def lead_on() -> None:
    """Lead on who comes by a link to one of the four lessons that Step through had."""
    number = state.get("lesson")
    if number is not None:
        lesson = LESSONS[EARLIER[number]]
        asked = {**state.changed(), "lesson": None, "learn": lesson.number}
        link = mirror.link_to(asked, state.workspace(), in_full=True)
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="use-learn"):
            st.html('<p class="verdict">The lessons have a page of their own now.</p>', width="content")
            panel.way(f"Lesson {lesson.number}: {lesson.title}", link, page="learn")


def invite() -> None:
    """Lead a newcomer to the course."""
    label = f"New here? {len(LESSONS)} short lessons, {MINUTES} minutes"
    with st.container(key="use-course", width="content"):
        panel.way(
            label, mirror.link_to(state.changed(), state.workspace()), page="learn", icon=":material/school:"
        )


_HERE = Path(__file__).parent
_LOOK = f"<style>{(_HERE / 'present.css').read_text(encoding='utf-8')}</style>"
_KEYS = f"<script>{(_HERE / 'present.js').read_text(encoding='utf-8')}</script>"


def present() -> None:
    """Draw for a hall: without what surrounds the page, in large letters, turned by keys and clickers."""
    with st.container(key="present-turn", horizontal=True, gap="small"):
        for name, label, by in (("back", "◀ Previous", -1), ("on", "Next ▶", 1)):
            target = str(int(state.get("learn")) + by)
            known = target in LESSONS
            given = {"on_click": task.open_lesson, "args": (target,), "disabled": not known}
            st.button(label, key=f"present-{name}", **given)
        st.button("Leave", key="present-leave", on_click=state.put, args=("present", False), type="tertiary")
    st.html(_LOOK)
    st.html(_KEYS, unsafe_allow_javascript=True)


def as_shown() -> AbstractContextManager[None]:
    """Return the block in which a lesson's charts are drawn: in a hall with its letters."""
    return panel.charts_as(for_hall) if state.get("present") else nullcontext()


def head(number: str) -> None:
    """Say which lesson this is."""
    lesson = LESSONS[number]
    if state.get("present"):
        present()
    else:
        panel.act(
            "Present",
            "present-begin",
            "For a hall: large letters, arrow keys reveal a lesson block by block",
            state.put,
            "present",
            True,
            type="tertiary",
            icon=":material/slideshow:",
        )
    st.html(
        f'<h3 class="panel lesson">Lesson {number}: {lesson.title}</h3>'
        f'<p class="note">{lesson.minutes} minutes</p>'
    )


def overview() -> None:
    """Show the whole course: what each lesson leaves one able to explain, and what is done."""
    done = state.lessons_done()
    n = len(done & set(LESSONS))
    st.html(
        f'<p class="headline">Learning to rank in {len(LESSONS)} short lessons, {MINUTES} minutes in all.</p>'
        '<p class="verdict">Each has one idea, one task that you do before anything is revealed, and one '
        f"sentence to keep. {n} of {len(LESSONS)} done; this browser remembers.</p>"
    )
    following = next((number for number in LESSONS if number not in done), None)
    for number, lesson in LESSONS.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"lesson-{number}"):
            mark = "✓" if number in done else number
            kind = "primary" if number == following else "secondary"
            label = f"{mark} · {lesson.title}"
            st.button(label, key=f"open-{number}", on_click=task.open_lesson, args=(number,), type=kind)
            told = f"{lesson.minutes} min. Then you can explain {escape(lesson.explains)}."
            st.html(f'<p class="card">{told}</p>', width="stretch")
    _glossary()
    link = mirror.link_to(state.changed(), state.workspace())
    panel.way("For teachers: a link for your class, a board, paper", link, "teach", ":material/co_present:")
    if done:
        st.button("Begin again", key="learn-forget", on_click=progress.forget, type="tertiary")
