"""The form that adds a run, made from the registry: pick an algorithm, set what matters, train."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ltr_core import ALGORITHMS, Param, ParameterError

from ..kit.form import draw_params
from ..kit.panel import act
from ..runs.plan import spec_of
from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import MAX_RUNS
from ..session import form, state
from ..session.bound import bound
from ..style.methods import GIVEN, is_known, method
from ..style.sentences import on_screen
from ..style.words import run_names
from . import bring

_FIRST = 5  # so many parameters are in sight, the rest behind "More"
_LATE = ("max_bins", "binning", "early_stopping", "random_state", "min_leaf")


def draw(screen: Screen) -> None:
    """Draw the form; its button adds the run to the workspace, which trains it."""
    if not is_known(st.session_state.get(form.ALGORITHM, "")):
        state.put(form.ALGORITHM, next(iter(ALGORITHMS)))
    algorithm = st.session_state[form.ALGORITHM]
    if algorithm == GIVEN:
        with st.container(border=True, key="add-run", gap="xsmall"):
            pick, rest = st.columns([1.9, 9.1], vertical_alignment="top")
            with pick:
                _pick(algorithm)
            with rest:
                bring.draw(screen)
        return
    cls = ALGORITHMS[algorithm]
    first, more = _arrange(cls.all_params(), form.values(algorithm))
    with st.container(border=True, key="add-run", gap="xsmall"):
        pick, fields, rest, go = st.columns([1.9, 7, 1, 1.1], vertical_alignment="bottom")
        with pick:
            _pick(algorithm)
        with fields:
            draw_params(first, partial(form.key, algorithm), columns=len(first) or 1)
        with rest, st.popover("More", width="stretch", help="All other parameters"):
            st.caption(f"{cls.summary} ({cls.paper} {cls.section})")
            draw_params(more, partial(form.key, algorithm), columns=2)
        problem, is_valid = _problem(algorithm)
        with go:
            told = problem or "Train this run and put it beside the others"
            off = screen.splits is None or not is_valid
            look = {"type": "primary", "width": "stretch", "disabled": off}
            act("Train", "train", told, _add, algorithm, screen, **look)
        if problem:
            st.caption(problem)


def _pick(algorithm: str) -> None:
    names = {name: known.label or name for name, known in ALGORITHMS.items()}
    names[GIVEN] = "A ranking of your own"
    told = method(algorithm).summary
    bound(form.ALGORITHM, st.selectbox, "Add a run", list(names), words=names, help=told)


def _problem(algorithm: str) -> tuple[str, bool]:
    """Return why what the form holds cannot be added, empty when it can; and whether each field is valid."""
    try:
        recipe = form.recipe(algorithm)
    except ParameterError as error:
        return on_screen(error), False
    space = state.workspace()
    if space.slot_of(recipe) is not None:
        return "It is on screen already.", True
    full = f"{MAX_RUNS} runs are on screen, as many as there are colours: take one off, it stays in History."
    return full if space.is_full else "", True


def _add(algorithm: str, screen: Screen) -> None:
    # The form is read now: a number typed just before the click has come along with it.
    problem, _ = _problem(algorithm)
    if problem:
        st.toast(problem)
        return
    recipe = form.recipe(algorithm)
    state.add_run(recipe)
    known = services().store.get(spec_of(screen.data, recipe, screen.measure)) is not None
    st.toast(f"{run_names([recipe])[0]} joins the comparison{', from store' if known else ''}.")


def _arrange(params: tuple[Param, ...], values: dict) -> tuple[list[Param], list[Param]]:
    """Return the parameters in sight and the rest: those that shape the model first, housekeeping last."""
    applying = [p for p in params if p.applies(values)]
    main = [p for p in applying if p.name not in _LATE][:_FIRST]
    return main, [p for p in params if p not in main]
