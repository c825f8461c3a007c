"""The form that makes a run: its keys, and the recipe in it. Its fields are no controls: links have runs."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS

from ..runs.specs import Recipe, recipe_of
from . import state

ALGORITHM = "new"  # the form's algorithm; its parameters are "new:MPBoost-lam" and so on


def key(algorithm: str, name: str) -> str:
    """Return the widget key of a parameter in the form of an algorithm."""
    return f"{ALGORITHM}:{algorithm}-{name}"


def values(algorithm: str) -> dict[str, Any]:
    """Return what the form of an algorithm holds."""
    fields, begin = {}, key(algorithm, "")
    for param in ALGORITHMS[algorithm].all_params():
        value = st.session_state.get(begin + param.name, param.default)
        fields[param.name] = read_table(value) if param.kind == "table" else value
    return fields


def recipe(algorithm: str) -> Recipe:
    """Return the recipe that the form of an algorithm holds, or raise a `ParameterError`."""
    return recipe_of(algorithm, values(algorithm))


def fill(given: Recipe) -> None:
    """Put a recipe into the form, exactly: from a callback, or before the form is drawn."""
    state.put(ALGORITHM, given.algorithm)
    for name, value in given.values().items():
        state.put(key(given.algorithm, name), value)


def edit_copy(slot: int) -> None:
    """Put a run's parameters into the form. A callback."""
    held = state.workspace().recipe(slot)
    if held is not None and not held.is_given:
        fill(held)


def read_table(text: Any) -> Any:
    """Read rows of numbers; a text that is none stays a text, and what takes the table says so."""
    if not text or not isinstance(text, str):
        return text or None
    try:
        return tuple(tuple(float(cell) for cell in row) for row in json.loads(text))
    except (ValueError, TypeError, RecursionError):
        return text
