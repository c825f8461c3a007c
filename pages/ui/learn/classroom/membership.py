"""Which class this session is in, and as whom: two words of its link."""

from __future__ import annotations

from ...session import state
from .classes import classes, numbers_of, tidy


def class_name() -> str:
    """Return the name of the class in this session's link, or nothing."""
    return str(state.get("learn_class"))


def student() -> str:
    """Return as whom somebody is in the class, or nothing."""
    return tidy(str(state.get("learn_as")))


def is_student() -> bool:
    """Whether this session is somebody's in a class; a teacher who shows a lesson is nobody there."""
    return bool(class_name() and student()) and not state.get("present")


def first_numbers() -> int:
    """Return which numbers a lesson begins with: a student's own, in a class."""
    return numbers_of(class_name(), student()) if is_student() else int(state.CONTROLS["learn_draw"].default)


def finish(lesson: str) -> None:
    """Tell the class that a lesson is finished."""
    if is_student():
        classes().finish(class_name(), student(), lesson)


def vote(question: str, answer: str) -> None:
    """Tell the class what is predicted."""
    if is_student():
        classes().vote(class_name(), student(), question, answer)


def is_hall() -> bool:
    """Whether a lesson is shown to a class."""
    return bool(class_name() and state.get("present"))
