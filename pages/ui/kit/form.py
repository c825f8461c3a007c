"""Forms made from `Param`s: a widget for each parameter that has an effect beside the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ltr_core import Param

from ..style.words import choice_label, param_label

_SHORT_CHOICE = 3  # up to so many choices stand side by side


def draw_params(
    params: Sequence[Param],
    key_of: Callable[[str], str],
    values: Mapping[str, Any],
    columns: int | str = "auto",
    on_change: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Draw a widget for each parameter that applies, in a grid, and return all values.

    Parameters
    ----------
    params : sequence of Param
        What to ask for; a parameter whose `when` does not hold is not drawn.
    key_of : callable
        The widget key of a parameter's name.
    values : mapping
        Values of other parameters that `when` may look at.
    on_change : callable, optional
        Called with the name of a parameter that was changed, before the page is drawn.
    """
    found = {**values, **{p.name: st.session_state.get(key_of(p.name), p.default) for p in params}}
    with st.grid(columns, min_column_width=118, gap=("xsmall", "small")):
        for param in params:
            if param.applies(found):
                found[param.name] = draw_param(param, key_of(param.name), on_change)
    return found


def draw_param(param: Param, key: str, on_change: Callable[[str], None] | None = None) -> Any:
    """Draw one parameter's widget and return its value."""
    session = st.session_state
    if key not in session:
        session[key] = _as_shown(param, param.default)
    elif param.kind == "table" and not isinstance(session[key], str | None):
        session[key] = _as_shown(param, session[key])
    label = param_label(param)
    common: dict[str, Any] = {"key": key, "help": _help(param), "persist_state": "session"}
    if on_change is not None:
        common |= {"on_change": on_change, "args": (param.name,)}
    if param.kind == "bool":
        return st.toggle(label, **common)
    if param.kind == "choice":
        return st.selectbox(
            label,
            list(param.choices),
            format_func=lambda choice: choice_label(param, choice),
            filter_mode=None,
            **common,
        )
    if param.kind in ("int", "float"):
        return _draw_number(param, label, common)
    text = st.text_input(label, placeholder="[[0, 1], [-1, 0]]" if param.kind == "table" else "", **common)
    return read_table(text) if param.kind == "table" else text


def _draw_number(param: Param, label: str, common: dict[str, Any]) -> Any:
    kind = int if param.kind == "int" else float
    step = param.step if param.step is not None else (1 if kind is int else 0.1)
    if param.log and kind is float and param.step is None:
        step = 0.1
    return st.number_input(
        label,
        min_value=None if param.low is None else kind(param.low),
        max_value=None if param.high is None else kind(param.high),
        step=kind(step),
        format="%d" if kind is int else "%.10g",
        placeholder=param.none_label if param.optional else None,
        **({"value": None} if param.optional else {}),
        **common,
    )


def _help(param: Param) -> str:
    rest = f"Takes {param.expected()}." if param.kind in ("int", "float") else ""
    return " ".join(filter(None, (param.help, rest))) or None  # type: ignore[return-value]


def _as_shown(param: Param, value: Any) -> Any:
    if param.kind == "table":
        return "" if value is None else str([list(row) for row in value])
    return value


def read_table(text: Any) -> Any:
    """Read rows of numbers; a text that is none stays a text, and what takes the table says so."""
    if not text or not isinstance(text, str):
        return text or None
    try:
        rows = json.loads(text)
        return tuple(tuple(float(cell) for cell in row) for row in rows)
    except (ValueError, TypeError, RecursionError):
        return text
