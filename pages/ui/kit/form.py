"""Forms made from `Param`s: a widget for each parameter that has an effect beside the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from ltr_core import Param

from ..session.bound import bound
from ..session.form import read_table
from ..style.words import choice_label, param_label


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
    with st.grid(columns, min_column_width=118, gap=("xsmall", "small")):
        for param in params:
            if param.applies(held):
                more: dict[str, Any] = {} if values is None else {"shows": values[param.name]}
                if take is not None:
                    more["take"] = partial(take, param.name)
                held[param.name] = draw_param(param, keys[param.name], **more)
    return held


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
    told = f"{param.help} Takes {param.expected()}.".strip()
    return bound(key, st.number_input, label, help=told, **_number(param), **follow)


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
    """Return how a number is asked for: its range, its step, its digits."""
    kind = int if param.kind == "int" else float
    step = param.step if param.step is not None else (1 if kind is int else 0.1)
    none: dict[str, Any] = {"value": None, "placeholder": param.none_label} if param.optional else {}
    low = None if param.low is None else kind(param.low)
    high = None if param.high is None else kind(param.high)
    digits = "%d" if kind is int else "%.10g"
    return {"min_value": low, "max_value": high, "step": kind(step), "format": digits, **none}
