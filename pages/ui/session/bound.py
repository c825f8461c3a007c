"""Widgets that follow a control which something else on the page may change too: a click, a table, a link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from . import state


def select(
    name: str, label: str, options: Sequence[Any], value: Any, words: Callable[[Any], str] = str, **more: Any
) -> None:
    """A select box for a control whose options depend on what is shown; `value` is the one in force."""
    key = _follow(name, value)
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=words,
        on_change=_take,
        args=(name, key, list(options)),
        help=state.params()[name].help,
        **more,
    )


def radio(
    name: str, label: str, options: Sequence[Any], value: Any, words: Callable[[Any], str] = str
) -> None:
    """The same as a list of radio buttons."""
    key = _follow(name, value)
    st.radio(
        label,
        list(options),
        key=key,
        format_func=words,
        on_change=_take,
        args=(name, key),
        help=state.params()[name].help,
    )


def segments(
    name: str, label: str, options: Sequence[Any], value: Any, words: Callable[[Any], str] = str
) -> None:
    """The same as buttons side by side."""
    key = _follow(name, value)
    st.segmented_control(
        label,
        list(options),
        key=key,
        format_func=words,
        on_change=_take,
        args=(name, key),
        required=True,
        label_visibility="collapsed",
    )


def slider(name: str, label: str, low: int, high: int, value: int) -> None:
    """A slider for a control whose end depends on what is shown; nothing where there is one place only."""
    if high <= low:
        return
    key = _follow(name, value)
    st.slider(label, low, high, key=key, on_change=_take, args=(name, key), help=state.params()[name].help)


def table(name: str, frame: Any, column: str, key: str, **more: Any) -> None:
    """A table in which a click on a row sets a control to that row's value in a column."""
    values = list(frame[column])

    def take() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            state.put(name, values[rows[0]])

    st.dataframe(
        frame, key=key, on_select=take, selection_mode="single-row", hide_index=True, width="stretch", **more
    )


def _follow(name: str, value: Any) -> str:
    """Put the value in force into a control's widget; return the widget's key."""
    key = f"pick-{name}"
    if st.session_state.get(key) != value or key not in st.session_state:
        state.put(key, value)
    return key


def _take(name: str, key: str, options: Sequence[Any] | None = None) -> None:
    """Set the control; a select box whose options have just changed may still send one of the old ones."""
    if options is None or st.session_state[key] in options:
        state.put(name, st.session_state[key])
