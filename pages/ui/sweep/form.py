"""The form of a sweep: where it starts, what varies over what, how it is searched.

The widgets follow the controls of `controls`, which the link carries; what is typed is written into them, and
checked by the library's own words when the page is drawn.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS, ParameterError
from ltr_core.sweeps import SAMPLERS, can_vary

from ..kit.form import draw_params
from ..runs.screens import Screen
from ..runs.specs import Recipe, recipe_of
from ..session import state
from ..session.bound import bound
from ..session.link import decode_recipe, encode_recipe
from ..style.sentences import on_screen
from ..style.words import param_label, run_names
from .fields import draw_axis, draw_search
from .specs import Axis, SweepSpec, axis_around, decode_axes, encode_axes, recipe_without


def draw(screen: Screen) -> SweepSpec:
    """Draw the form; return the sweep that it describes."""
    begin = _begin()
    axes = decode_axes(state.get("sweep_axes"), begin.algorithm)
    left, middle, right = st.columns([4, 6, 2], gap="small", vertical_alignment="bottom")
    with left:
        _draw_begin(screen, begin)
    with middle:
        _draw_vary(begin, axes)
    with right, st.popover("What stays", width="stretch", help="The parameters that do not vary"):
        _draw_rest(begin, axes)
    if axes:
        with st.grid("auto", min_column_width=400, gap=("small", "medium")) as grid:
            for axis in axes:
                with grid.cell():
                    draw_axis(begin, axis)
    draw_search(screen, begin)
    return described(screen)


def _begin() -> Recipe:
    """Return the algorithm that is swept, with the parameters it starts from."""
    try:
        return decode_recipe(state.get("sweep_start").split("."))
    except (ParameterError, ValueError, IndexError):
        return Recipe(next(iter(ALGORITHMS)))


def described(screen: Screen) -> SweepSpec:
    """Return the sweep that the form describes; nothing in it is checked yet."""
    begin, sampler = _begin(), state.get("sweep_sampler")
    axes = decode_axes(state.get("sweep_axes"), begin.algorithm)
    bare, seed = recipe_without(begin, tuple(axis.name for axis in axes))
    folds = tuple(f for f in screen.entry.folds if f != "split") if state.get("sweep_cuts") == "folds" else ()
    data = replace(screen.data, fold=folds[0]) if folds else screen.data
    n_trials = state.get("sweep_trials") if SAMPLERS[sampler].draws else 0
    prunes = ALGORITHMS[begin.algorithm].rounds_param is not None
    pruner = state.get("sweep_pruner") if prunes else "none"
    seeds = tuple(range(seed, seed + state.get("sweep_seeds")))
    return SweepSpec(
        data, folds, bare, axes, sampler, n_trials, pruner, seeds, screen.measure, screen.score_at
    )


def problem_of(spec: SweepSpec) -> str:
    """Return why a sweep cannot be started, as a sentence; empty when it can."""
    try:
        spec.check()
    except (ParameterError, ValueError) as error:
        return on_screen(error)
    return ""


def fill(algorithm: str, fixed: dict[str, Any], axes: tuple[Axis, ...]) -> None:
    """Set algorithm, what stays, and what varies; the search goes back to its defaults. A callback's work."""
    state.put("sweep_start", encode_recipe(recipe_of(algorithm, fixed)))
    state.put("sweep_axes", encode_axes(axes))
    state.reset("sweep_sampler", "sweep_pruner", "sweep_cuts", "sweep_seeds", "sweep_against")


def _draw_begin(screen: Screen, begin: Recipe) -> None:
    runs = {f"run {run.slot}": run for run in screen.runs if can_vary(run.recipe.algorithm)}
    held = next((key for key, run in runs.items() if run.recipe == begin), begin.algorithm)
    names = {key: f"Run: {run.name}" for key, run in runs.items()}
    names |= {name: ALGORITHMS[name].label or name for name in ALGORITHMS if can_vary(name)}
    if held == begin.algorithm and begin.params:
        (names[held],) = run_names([begin])
    bound(
        "pick-sweep-start",
        st.selectbox,
        "Sweep around",
        list(names),
        shows=held,
        take=partial(_take_begin, {key: run.recipe for key, run in runs.items()}),
        words=names,
        help="One of your runs, whose parameters stay as they are but for those that vary; or an algorithm "
        "with its defaults.",
    )


def _take_begin(runs: dict[str, Recipe], picked: str) -> None:
    recipe = runs.get(picked) or Recipe(picked)
    if recipe.algorithm != _begin().algorithm:
        state.put("sweep_axes", "")
    state.put("sweep_start", encode_recipe(recipe))


def _draw_vary(begin: Recipe, axes: tuple[Axis, ...]) -> None:
    labels = {name: param_label(param) for name, param in can_vary(begin.algorithm).items()}
    bound(
        f"pick-sweep-vary-{begin.algorithm}",
        st.multiselect,
        "Vary",
        list(labels),
        shows=[axis.name for axis in axes],
        take=partial(_take_vary, begin),
        words=labels,
        placeholder="pick one, two or more parameters",
        help="One gives a line, two a map, three or more parallel lines and what each matters.",
    )


def _take_vary(begin: Recipe, names: list[str]) -> None:
    axes = decode_axes(state.get("sweep_axes"), begin.algorithm)
    known, held, values = can_vary(begin.algorithm), {a.name: a for a in axes}, begin.values()
    picked = [held.get(n) or axis_around(known[n], values[n]) for n in names]
    state.put("sweep_axes", encode_axes(tuple(picked)))
    state.put("sweep_against", None)


def _draw_rest(begin: Recipe, axes: tuple[Axis, ...]) -> None:
    varied = {axis.name for axis in axes}
    params = tuple(p for p in ALGORITHMS[begin.algorithm].all_params() if p.name not in varied)
    values = begin.values()

    def take(name: str, value: Any) -> None:
        try:
            changed = {**_begin().values(), name: value}
            state.put("sweep_start", encode_recipe(recipe_of(begin.algorithm, changed)))
        except ParameterError as error:
            st.toast(on_screen(error))

    st.caption("These are the same at every point.")
    # Beside what varies all of its companions count: the parameter of each distance, say.
    offered = [replace(p, when={}) if varied & set(p.when) else p for p in params]
    draw_params(offered, partial(state.key, f"stay:{begin.algorithm}"), columns=2, values=values, take=take)
