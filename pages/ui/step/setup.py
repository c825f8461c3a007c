"""What is learnt from what, as a person sets it: the controls above the picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS, ParameterError

from ..kit.form import draw_param
from ..session import state
from ..session.bound import bound
from ..tables.steps import Setup, setup_of
from .controls import OF_ALGORITHM, STEPPED, step_owner, step_queries

_LEARN = {"one": "this query", "all": "all six"}


def draw() -> Setup:
    """Draw the controls of a training of one's own, and return what they say."""
    algorithm = state.get("step_algorithm")
    own, owner = OF_ALGORITHM[algorithm], step_owner(algorithm)
    keys = {p.name: state.key(owner, p.name) for p in own}
    values = {name: state.get(key) for name, key in keys.items()}
    with (
        st.container(border=True, key="step-controls"),
        st.grid("auto", min_column_width=118, gap=("xsmall", "small"), vertical_alignment="bottom"),
    ):
        names = {name: ALGORITHMS[name].label or name for name in STEPPED}
        _select("step_algorithm", "Algorithm", names)
        for param in own:
            if param.applies(values):
                draw_param(param, keys[param.name])
        _select("step_query", "Query", dict(enumerate(step_queries())))
        _select("step_learn", "Learn from", _LEARN)
        with st.popover("More", width="stretch", help="Rounds, noise and seed of the pages"):
            _draw_numbers()
    shown = {p.name: values[p.name] for p in own if p.applies(values)}
    others = [state.get(f"step_{name}") for name in ("learn", "query", "rounds", "noise", "seed")]
    try:
        return setup_of(algorithm, shown, *others)
    except ParameterError as error:
        st.error(str(error), icon=":material/error:")
        return setup_of(algorithm, {}, *others)


def _select(name: str, label: str, words: Mapping[Any, str]) -> None:
    bound(name, st.selectbox, label, list(words), words=words, filter_mode=None)


def _draw_numbers() -> None:
    st.caption(
        "The pages are always those of the set Tiny: 6 queries × 8 pages × 3 features. "
        "“Drawn anew” are twenty more draws of the same queries, which nobody learns from."
    )
    for name, label in (("step_rounds", "Rounds"), ("step_noise", "Noise"), ("step_seed", "Seed")):
        param = state.CONTROLS[name]
        kind = float if param.kind == "float" else int
        low, high, step = (kind(number or 0) for number in (param.low, param.high, param.step))
        bound(name, st.number_input, label, low, high, step=step)
