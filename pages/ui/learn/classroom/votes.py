"""Before a class: how many have predicted, and then what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

import streamlit as st

from ...kit import growing
from .classes import classes
from .membership import class_name

SECONDS = 2.0


def _cast(question: str) -> Counter[str]:
    return classes().votes(class_name(), question)


def count(question: str) -> None:
    """Say how many have predicted so far, but not what."""

    def counts() -> tuple[int, int]:
        one = classes().get(class_name())
        return sum(_cast(question).values()), len(one.students) if one is not None else 0

    def draw_count() -> None:
        cast, there = counts()
        st.html(f'<p class="headline">{cast} of {there} have predicted.</p>')

    growing.part(draw_count, "votes", counts, SECONDS)()


def most(question: str, options: Sequence[str]) -> str | None:
    """Return what most predict; of equals the first on the list."""
    cast = _cast(question)
    return max(options, key=lambda option: cast[option]) if cast else None


def draw(question: str, options: Sequence[str]) -> None:
    """Show what is predicted as bars."""
    cast = _cast(question)
    largest = max([*cast.values(), 1])
    bars = [
        f'<li><span class="vote">{escape(option)}</span>'
        f'<span class="bar" style="width:{60 * cast[option] / largest:.1f}%"></span>'
        f" <b>{cast[option]}</b></li>"
        for option in options
    ]
    st.html(f'<ul class="votes">{"".join(bars)}</ul>')
