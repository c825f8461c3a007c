"""Forms made from `Param`s: a widget for each parameter that has an effect beside the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from html import escape
from typing import Any

import streamlit as st

from ltr_core import Param, ParameterError

from ..session import state
from ..session.bound import bound
from ..session.form import read_table
from ..style.lettering import width_of
from ..style.words import choice_label, expected, param_label, value_label


def draw_params(
    params: Sequence[Param],
    key_of: Callable[[str], str],
    columns: int | str = "auto",
    values: Mapping[str, Any] | None = None,
    take: Callable[[str, Any], None] | None = None,
) -> dict[str, Any]:
    """Draw a widget for each parameter that applies, in a grid, and return all values.

    Parameters
    ----------
    params : sequence of Param
        What to ask for; a parameter whose `when` does not hold is not drawn.
    key_of : callable
        The control, or the widget's key, of a parameter's name.
    values : mapping, optional
        The values in force, where the widgets do not hold them: see `bound`.
    take : callable, optional
        Called with the name of a parameter that was changed and its value, before the page is drawn.
    """
    keys = {p.name: key_of(p.name) for p in params}
    held = {p.name: st.session_state.get(keys[p.name], p.default) for p in params}
    held |= values or {}
    with st.grid(columns, min_column_width=_narrowest(tuple(params)), gap=("xsmall", "small")):
        for param in params:
            if param.applies(held):
                more: dict[str, Any] = {} if values is None else {"shows": values[param.name]}
                if take is not None:
                    more["take"] = partial(take, param.name)
                held[param.name] = draw_param(param, keys[param.name], **more)
    return held


@lru_cache(256)
def _narrowest(params: tuple[Param, ...]) -> int:
    """Return how narrow a column may be, in pixels: a choice is read in its field."""
    choices = [choice_label(p, choice) for p in params for choice in p.choices]
    return max(108, *(math.ceil(1.17 * width_of(words) + 52) for words in choices), 0)


def draw_param(param: Param, key: str, **follow: Any) -> Any:
    """Draw one parameter's widget and return its value; `follow` is for `bound`: `shows` and `take`."""
    if param.kind == "table":
        return _draw_table(param, key, follow)
    if "shows" not in follow and key not in st.session_state:
        st.session_state[key] = param.default
    label, told = param_label(param), param.help or None
    if param.kind == "bool":
        return bound(key, st.toggle, label, help=told, **follow)
    if param.kind == "choice":
        words = {choice: choice_label(param, choice) for choice in param.choices}
        follow |= {"words": words, "filter_mode": None, "help": told}
        return bound(key, st.selectbox, label, list(words), **follow)
    if param.kind == "text":
        return bound(key, st.text_input, label, help=told, **follow)
    told = f"{param.help} Takes {expected(param)}.".strip()
    if "shows" in follow:  # the control behind it takes nothing else, and neither does the field
        return bound(key, st.number_input, label, help=told, **_number(param), **_range(param), **follow)
    with st.container(gap=None):
        value = bound(key, st.number_input, label, help=told, **_number(param), **follow)
        st.html(f'<p class="limits">{_limits(param, value, key in state.CONTROLS)}</p>')
    return value


def _draw_table(param: Param, key: str, follow: dict[str, Any]) -> Any:
    """Draw a table's field, which holds it as text."""
    table = follow.get("shows", st.session_state.get(key, param.default))
    text = table if isinstance(table, str) else str([list(row) for row in table or ()] or "")
    if "shows" in follow:
        take = follow["take"]
        follow = {"shows": text, "take": lambda typed: take(read_table(typed))}
    else:
        st.session_state[key] = text
    follow |= {"placeholder": "[[0, 1], [-1, 0]]", "help": param.help or None}
    return read_table(bound(key, st.text_input, param_label(param), **follow))


def _number(param: Param) -> dict[str, Any]:
    """Return how a number is asked for: its step, its digits.

    Not its range: Streamlit's field turns red outside, keeps what was typed to itself and leaves the page
    with the number before. Here it comes along, and what reads it says what is wrong.
    """
    kind = int if param.kind == "int" else float
    step = param.step if param.step is not None else (1 if kind is int else 0.1)
    none: dict[str, Any] = {"value": None, "placeholder": param.none_label} if param.optional else {}
    return {"step": kind(step), "format": "%d" if kind is int else "%.10g", **none}


def _range(param: Param) -> dict[str, Any]:
    kind = int if param.kind == "int" else float
    ends = {"min_value": param.low, "max_value": param.high}
    return {name: None if end is None else kind(end) for name, end in ends.items()}


@lru_cache(2048, typed=True)
def _limits(param: Param, value: Any, is_control: bool) -> str:
    """Return what stands below a number's field: its limits, or that the number is beyond them."""
    low, high = (
        "" if end is None else f"{end:,.10f}".rstrip("0").rstrip(".") for end in (param.low, param.high)
    )
    limits = f"{low} – {high}" if low and high else f"from {low}" if low else f"up to {high}" if high else ""
    try:
        param.check(value)
    except ParameterError:
        instead = f"; in use: {escape(value_label(param, param.default))}" if is_control else ""
        return f'<b class="worse">takes {limits}</b>{instead}'
    return limits
