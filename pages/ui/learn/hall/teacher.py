"""The teacher's page: which lessons, the way to them for a class, its board, codes, and sheets of paper."""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit

import segno
import streamlit as st

from ...kit import growing, panel
from ...kit.marks import table
from ...runs.specs import Workspace
from ...session import mirror, state
from ...session.bound import bound
from ...style.words import count
from ..classroom.classes import MAX_NAME, Class, classes, is_code, new_secret
from ..course import LESSONS
from ..paper import FORMULAS, SOLUTIONS, TASK

BOARD_SECONDS = 3.0
_SECRET, _MAX_SECRET = "_teach_secret", 64
_LOCAL = ("localhost", "127.0.0.1", "::1")


def introduce() -> None:
    """Say what the page is for."""
    st.html(
        '<p class="headline">A class: its lessons, its link, its board.</p>'
        '<p class="verdict">Students open a link, do the lessons with numbers of their own, and show a code '
        "when they have finished. Nobody needs an account, and nothing is kept when the server ends.</p>"
    )


def chosen() -> tuple[str, ...]:
    """Return the lessons chosen, in the course's order."""
    words = set(str(state.get("teach_lessons")).split(","))
    return tuple(number for number in LESSONS if number in words)


def choose_lessons() -> tuple[str, ...]:
    """Let the teacher pick lessons."""

    def take(picked: list[str]) -> None:
        state.put("teach_lessons", ",".join(sorted(picked, key=int)))

    bound(
        "pick-lessons",
        st.pills,
        "1. Which lessons?",
        list(LESSONS),
        shows=list(chosen()),
        take=take,
        words={number: f"{number} {lesson.title}" for number, lesson in LESSONS.items()},
        selection_mode="multi",
    )
    picked = chosen()
    minutes = sum(LESSONS[number].minutes for number in picked)
    st.html(f'<p class="note">{count(len(picked), "lesson")}, {minutes} minutes.</p>')
    return picked


def _secret() -> str | None:
    """Return the class's secret: it stands in the address of this page alone, and no other link has it."""
    given = st.query_params.get(mirror.TEACHER)
    if given and len(given) <= _MAX_SECRET:
        st.session_state[_SECRET] = given
    held = st.session_state.get(_SECRET)
    if held and given != held:
        st.query_params[mirror.TEACHER] = held
    return held


def _begin() -> None:
    st.session_state[_SECRET] = new_secret()
    st.query_params[mirror.TEACHER] = st.session_state[_SECRET]


def open_class(lessons: tuple[str, ...]) -> Class | None:
    """Return the class of this page's address, or offer to open one."""
    secret = _secret()
    if secret is not None and lessons:
        return classes().open(secret, lessons)
    told = "Makes a link for your students, and an address of this page for you alone"
    panel.act("Open a class", "class-open", told, _begin, type="primary", disabled=not lessons)
    if not lessons:
        st.caption("Pick at least one lesson.")
    return None


def _base() -> tuple[str, bool]:
    """Return the address under which this server is seen, and whether others can use it."""
    parts = urlsplit(str(st.context.url or "http://localhost:8501"))
    path = parts.path.rstrip("/").rpartition("/")[0] if parts.path.rstrip("/").endswith("/teach") else ""
    return f"{parts.scheme}://{parts.netloc}{path}", parts.hostname not in _LOCAL


def link_for(name: str, lesson: str) -> str:
    """Return what a student's link says: the lesson, in a class, and nothing of what is on screen here."""
    return _link(learn=lesson, learn_class=name)


def _link(**values: Any) -> str:
    return mirror.link_to({"data": "tiny", **values}, Workspace(), in_full=True)


def address_for(name: str, lesson: str) -> str:
    """Return the whole address that students open."""
    return f"{_base()[0]}/learn?{urlencode({state.URL_KEY: link_for(name, lesson)})}"


def invite(one: Class) -> None:
    """Show the link for the class, as text and as a picture for telephones."""
    address = address_for(one.name, one.lessons[0])
    with panel.panel("2. For your students", f"class {one.name}"):
        left, right = st.columns([1, 2], gap="medium", vertical_alignment="top")
        with left:
            picture = segno.make(address, error="m").svg_data_uri(border=4, light="white")
            st.html(f'<img class="qr" src="{picture}" alt="QR code of the link for the class {one.name}">')
        with right:
            st.code(address, language=None, wrap_lines=True)
            if not _base()[1]:
                st.warning(
                    "Only this machine knows itself as localhost. For others, start with "
                    "`make run ADDRESS=0.0.0.0` and open this page by the machine's name or number.",
                    icon=":material/lan:",
                )
            st.html(
                '<p class="note">The address of this page is for you alone: whoever has it sees the board '
                "and makes codes. Keep it; it opens the same class again, also on a server that was started "
                "anew.</p>"
            )
            link = _link(learn=one.lessons[0], learn_class=one.name, present=True)
            panel.way("Show the first lesson to the class", link, page="learn", icon=":material/slideshow:")


def board(one: Class) -> None:
    """Show who has finished what, as it comes in."""

    def finished() -> list[tuple[str, set[str]]]:
        there = sorted((student for student, _ in one.students.values()), key=str.casefold)
        return [(student, set(one.finished(student))) for student in there]

    def draw_board() -> None:
        students = finished()
        if not students:
            st.html('<p class="note">Nobody is here yet. Names appear as students join.</p>')
            return
        head = [("left", "student"), *(("", number) for number in one.lessons), ("", "done")]
        rows = []
        for student, done in students:
            ticks = "".join(f"<td>{'✓' if n in done else '·'}</td>" for n in one.lessons)
            rows.append(f'<th scope="row" class="left">{escape(student)}</th>{ticks}<td>{len(done)}</td>')
        each = [sum(n in done for _, done in students) for n in one.lessons]
        sums = "".join(f'<td class="strong">{n}</td>' for n in each)
        over = sum(len(done) == len(one.lessons) for _, done in students)
        rows.append(
            f'<th scope="row" class="left">all {len(students)}</th>{sums}<td class="strong">{over}</td>'
        )
        st.html(table(head, rows))

    with panel.panel("3. Who has finished what", "as it comes in"):
        growing.part(draw_board, "board", finished, BOARD_SECONDS)()
        st.caption("Names are what students typed: nobody checks them. They are gone when the server ends.")


def check(one: Class) -> None:
    """Let the teacher check a student's code."""
    with panel.panel("4. Is a code right?", "it holds for a name and these lessons"):
        left, right = st.columns(2, gap="small")
        with left:
            student = bound("_teach_name", st.text_input, "Name", max_chars=MAX_NAME)
        with right:
            look: dict[str, Any] = {"max_chars": 20, "placeholder": "ABCD-EFGH"}
            code = bound("_teach_code", st.text_input, "Code", **look)
        if student.strip() and code.strip():
            told = f"of {student.strip()} for lessons {', '.join(one.lessons)}"
            if is_code(code, one.secret, student, one.lessons):
                st.success(f"This is the code {told}.", icon=":material/check_circle:")
            else:
                st.error(f"This is not the code {told}.", icon=":material/cancel:")


def sheets(lessons: tuple[str, ...]) -> None:
    """Lead to each lesson on paper, its solutions, and the sheet of formulas."""
    with panel.panel("Paper", "printed, or kept as PDF, by the browser"):
        numbers = bound("learn_draw", st.number_input, "Numbers", 0, 9999, width=160)
        for number in lessons:
            with st.container(
                horizontal=True, gap="small", vertical_alignment="center", key=f"sheet-{number}"
            ):
                st.html(f'<p class="card">{number} · {escape(LESSONS[number].title)}</p>', width=260)
                for label, kind in (("Task", TASK), ("Solutions", SOLUTIONS)):
                    link = _link(learn=number, learn_draw=int(numbers), learn_paper=kind)
                    panel.way(label, link, page="learn", icon=":material/print:")
        link = _link(learn="0", learn_paper=FORMULAS)
        panel.way("All formulas on one page", link, page="learn", icon=":material/function:")
