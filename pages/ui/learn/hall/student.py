"""What a student of a class sees: who they are there, how far they have come, and at last a code."""

from __future__ import annotations

from html import escape

import streamlit as st

from ...kit.panel import act
from ...session import state
from ...session.bound import bound
from ..classroom import membership
from ..classroom.classes import MAX_NAME, MAX_STUDENTS, Class, classes

_FIELD = "_learn_name"


def greet() -> None:
    """Say in which class this session is, and ask as whom; nothing for who is in none."""
    name = membership.class_name()
    if not name or state.get("present"):
        return
    if membership.is_student() and state.get("learn_draw") == state.CONTROLS["learn_draw"].default:
        state.put("learn_draw", membership.first_numbers())  # by the row of lessons, or by the link
    one = classes().get(name)
    with st.container(key="attending", horizontal=True, vertical_alignment="bottom", gap="small"):
        if one is None:
            st.html(
                f'<p class="note">The class {escape(name)} is not open on this server: it was started anew, '
                "or the link is another server's. The lessons work all the same; your teacher can open the "
                "class again by the address of the teacher's page.</p>"
            )
        elif not membership.student():
            _ask(one)
        elif not classes().join(name, membership.student()):
            st.html(f'<p class="note">The class {escape(name)} is full: {MAX_STUDENTS} students.</p>')
        else:
            _tell(one)


def _ask(one: Class) -> None:
    def join() -> None:
        _enter(str(st.session_state.get(_FIELD, "")))

    def join_unnamed() -> None:
        _enter(classes().join_unnamed(one.name))

    bound(
        _FIELD,
        st.text_input,
        f"You are in the class {one.name}. Your name, or any word",
        max_chars=MAX_NAME,
        on_change=join,
        help="The teacher's board shows it. It also draws your numbers, which are not your neighbour's.",
    )
    st.button("Join", key="class-join", on_click=join, type="primary")
    st.button("Without a name", key="class-unnamed", on_click=join_unnamed)


def _enter(student: str) -> None:
    state.put("learn_as", student)
    state.put("learn_draw", membership.first_numbers())
    state.reset("learn_round")


def _tell(one: Class) -> None:
    student, done = membership.student(), one.finished(membership.student())
    open_ones = [number for number in one.lessons if number not in done]
    code = one.code(student)
    if code is not None:
        st.html(
            f'<p class="verdict">All done, {escape(student)}. Your code is <b class="code">{code}</b>: with '
            "your name it tells your teacher that you have finished.</p>",
            width="content",
        )
    else:
        n = f"{len(done)} of {len(one.lessons)} done"
        told = f"Class {one.name}, as <b>{escape(student)}</b>: {n}; still to do: {', '.join(open_ones)}."
        st.html(f'<p class="note">{told}</p>', width="content")
    help = "Join under another name; what was finished stays with the old one"
    act("Not you?", "class-leave", help, state.reset, "learn_as", type="tertiary")
