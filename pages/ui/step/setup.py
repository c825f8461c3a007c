"""What is learnt from what, as a person sets it: the controls above the picture."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS, ParameterError

from ..kit import panel
from ..kit.form import draw_param
from ..kit.panel import act
from ..runs.screens import Run, Screen
from ..session import state
from ..session.bound import bound
from ..style.sentences import on_screen
from ..style.words import choice_label
from ..tables.steps import Few, Setup, Stage, setup_of, stage_of
from .controls import MOST_ROUNDS, OF_ALGORITHM, STEPPED, step_owner, step_queries
from .few import few_of, in_words


def draw(screen: Screen) -> tuple[Setup, Few | None]:
    """Draw the controls of a training of one's own; return what they say, and other data than Tiny's."""
    few = _draw_source(screen)
    queries = step_queries() if few is None else tuple(map(str, few.data.query_ids))
    if state.get("step_query") >= len(queries):
        state.put("step_query", 0)
    algorithm = state.get("step_algorithm")
    own, owner = OF_ALGORITHM[algorithm], step_owner(algorithm)
    keys = {p.name: state.key(owner, p.name) for p in own}
    values = {name: state.get(key) for name, key in keys.items()}
    with (
        st.container(border=True, key="step-controls"),
        st.grid("auto", min_column_width=118, gap=("xsmall", "small")),
    ):
        names = {name: ALGORITHMS[name].label or name for name in STEPPED}
        _select("step_algorithm", "Algorithm", names)
        for param in own:
            if param.applies(values):
                draw_param(param, keys[param.name])
        _select("step_query", "Query", dict(enumerate(queries)))
        learn = state.CONTROLS["step_learn"]
        _select("step_learn", "Learn from", {one: choice_label(learn, one) for one in learn.choices})
        with st.popover("More", width="stretch", help="Rounds, noise and seed of the pages"):
            _draw_numbers(few is None)
    shown = {p.name: values[p.name] for p in own if p.applies(values)}
    others: dict[str, Any] = {name: state.get(f"step_{name}") for name in ("learn", "query", "noise", "seed")}
    others |= {"n_rounds": state.get("step_rounds"), "few": few}
    try:
        return setup_of(algorithm, shown, **others), few
    except ParameterError as error:
        st.error(on_screen(error), icon=":material/error:")
        return setup_of(algorithm, {}, **others), few


def learnt(own: tuple[Setup, Few | None], screen: Screen) -> Stage:
    """Return the training on screen, by the measure chosen."""
    setup, few = own
    return stage_of(setup, screen.measure, few)


def _draw_source(screen: Screen) -> Few | None:
    """Say which data these are, and offer those in use and the methods of the runs at hand."""
    is_other = screen.entry.name != "tiny" and screen.splits is not None
    few = few_of(screen.splits.train, screen.splits.valid) if is_other and screen.splits else None
    taken = few if state.get("step_data") == "own" else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="step-source"):
        if few is not None:
            panel.choose("step_data", {"own": screen.entry.label})
        said = "Data: the set Tiny, few enough pages to follow each."
        if taken is not None:
            said = f"Data: {screen.entry.label}, {in_words(taken)}"
        elif is_other and few is None:
            said += f" In {screen.entry.label} no feature tells training pages of two grades apart."
        st.html(f'<p class="note">{escape(said)}</p>', width="stretch" if taken else "content")
        for run in screen.runs:
            if run.recipe.algorithm in STEPPED:
                told = f"Step through {run.name} on these pages, with its parameters"
                plain = {"type": "tertiary", "icon": ":material/input:"}
                act(f"As {run.name}", f"step-as-{run.slot}", told, _take_run, run, **plain)
    return taken


def _take_run(run: Run) -> None:
    algorithm, values = run.recipe.algorithm, run.recipe.values()
    state.put("step_algorithm", algorithm)
    for param in OF_ALGORITHM[algorithm]:
        value = values[param.name]
        taken = value in param.choices if param.kind == "choice" else True
        state.put(state.key(step_owner(algorithm), param.name), value if taken else param.default)
    state.put("step_rounds", min(MOST_ROUNDS, values["n_rounds"]))


def _select(name: str, label: str, words: Mapping[Any, str]) -> None:
    bound(name, st.selectbox, label, list(words), words=words, filter_mode=None)


def _draw_numbers(is_tiny: bool) -> None:
    drawn = (("step_noise", "Noise"), ("step_seed", "Seed")) if is_tiny else ()
    if is_tiny:
        st.caption(
            "The pages are those of the set Tiny: 6 queries × 8 pages × 3 features. "
            "“Drawn anew” are twenty more draws of the same queries, which nobody learns from."
        )
    for name, label in (("step_rounds", "Rounds"), *drawn):
        param = state.CONTROLS[name]
        kind = float if param.kind == "float" else int
        low, high, step = (kind(number or 0) for number in (param.low, param.high, param.step))
        bound(name, st.number_input, label, low, high, step=step)
