"""The form that adds a run, made from the registry: pick an algorithm, set what matters, train."""

from __future__ import annotations

import streamlit as st

from ltr_core import ALGORITHMS, Param, ParameterError

from . import state
from .forms import draw_params
from .specs import Recipe
from .view import View
from .words import run_names

_FIRST = 5  # so many parameters are in sight, the rest behind "More"
_LATE = ("max_bins", "binning", "early_stopping", "random_state", "min_leaf")


def draw(now: View) -> None:
    """Draw the form; its button adds the run to the workspace, which trains it."""
    if st.session_state.get(state.FORM) not in ALGORITHMS:
        state.put(state.FORM, next(iter(ALGORITHMS)))
    algorithm = st.session_state[state.FORM]
    cls = ALGORITHMS[algorithm]
    first, more = _arrange(cls.all_params(), state.form_values(algorithm, cls.all_params()))
    with st.container(border=True, key="add-run", gap="xsmall"):
        pick, fields, rest, go = st.columns([2.2, 6, 1.1, 1.2], vertical_alignment="bottom")
        with pick:
            st.selectbox(
                "Add a run",
                list(ALGORITHMS),
                format_func=lambda name: ALGORITHMS[name].label or name,
                key=state.FORM,
                persist_state="session",
                help=cls.summary,
            )
        with fields:
            draw_params(first, lambda name: state.form_key(algorithm, name), {}, columns=len(first) or 1)
        with rest, st.popover("More", width="stretch", help="All other parameters"):
            st.caption(f"{cls.summary} ({cls.paper} {cls.section})")
            draw_params(more, lambda name: state.form_key(algorithm, name), {}, columns=2)
        with go:
            _draw_button(now, algorithm, cls.all_params())


def _draw_button(now: View, algorithm: str, params: tuple[Param, ...]) -> None:
    recipe, problem = None, ""
    try:
        recipe = state.form_recipe(algorithm, params)
    except ParameterError as error:
        problem = str(error)
    slot = state.workspace().slot_of(recipe) if recipe else None
    if slot is not None:
        problem = f"This run is on screen already: {next(x.name for x in now.lines if x.slot == slot)}."
    elif state.workspace().is_full:
        problem = "Ten runs are on screen, as many as there are colours. Take one off first."
    st.button(
        "Train",
        type="primary",
        width="stretch",
        key="train",
        disabled=bool(problem) or now.splits is None,
        on_click=_add,
        args=(recipe,),
        help=problem or "Train this run and put it beside the others",
    )
    if problem and slot is None:
        st.caption(problem)


def _add(recipe: Recipe) -> None:
    state.add_run(recipe)
    st.toast(f"{run_names([recipe])[0]} joins the comparison.")


def _arrange(params: tuple[Param, ...], values: dict) -> tuple[list[Param], list[Param]]:
    """Return the parameters in sight and the rest: those that shape the model first, housekeeping last."""
    applying = [p for p in params if p.applies(values)]
    main = [p for p in applying if p.name not in _LATE][:_FIRST]
    return main, [p for p in params if p not in main]
