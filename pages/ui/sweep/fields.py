"""The fields of a sweep's form: what one parameter varies over, and how the space is searched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS
from ltr_core.sweeps import SAMPLERS, params_of

from ..runs.screens import Screen
from ..runs.specs import Recipe
from ..session import state
from ..session.bound import bound
from ..style.words import choice_label, count, expected, param_label, value_label
from .controls import MOST_SEEDS, MOST_TRIALS
from .jobs import refusal
from .specs import Axis, choices_of, decode_axes, encode_axes, values_of

SCHEDULER = "sweep-scheduler"  # not in the link: an address is for this machine
_MOST_SHOWN = 9  # values of an axis that are written out


def draw_axis(begin: Recipe, axis: Axis) -> None:
    """Draw what one parameter varies over."""
    param = params_of(begin.algorithm)[axis.name]
    label = param_label(param)

    def field(part: str, widget: Callable[..., Any], name: str, *given: Any, shows: Any, **more: Any) -> None:
        key = f"axis-{begin.algorithm}-{axis.name}-{part}"
        bound(key, widget, name, *given, shows=shows, take=partial(_take, begin, axis, part), **more)

    with st.container(key=f"axis-{axis.name}", gap="xsmall"):
        if not axis.is_range:
            words, picked = {c: value_label(param, c) for c in choices_of(param)}, list(axis.choices)
            field("choices", st.multiselect, label, list(words), shows=picked, words=words, help=param.help)
            return
        number, kind = st.number_input, int if param.kind == "int" else float
        steps = {"format": "%d", "step": 1}
        if kind is float:
            steps = {"format": "%.6g", "step": float(param.step or 0.1)}
        listed = not _draws() or axis.name == ALGORITHMS[begin.algorithm].rounds_param
        told = f"{param.help} Takes {expected(param)}.".strip()
        with st.grid("auto", min_column_width=104, gap=("xsmall", "small"), vertical_alignment="bottom"):
            field("low", number, label, shows=kind(axis.low or 0), help=told, **steps)
            field("high", number, "to", shows=kind(axis.high or 0), **steps)
            if listed:
                field("n", number, "values", 2, 200, shows=axis.n, step=1)
            told = "Even steps of the logarithm: 0.1, 1, 10. Off: even steps."
            field("log", st.toggle, "in factors", shows=axis.log, help=told)
        if listed:
            st.html(f'<p class="note">{label}: {_written(values_of(axis, param))}</p>')


def _take(begin: Recipe, axis: Axis, part: str, value: Any) -> None:
    if value is not None:
        # As they are now: another field may have been changed just before.
        axes = decode_axes(state.get("sweep_axes"), begin.algorithm)
        more: dict[str, Any] = {part: tuple(value) if part == "choices" else value}
        changed = tuple(replace(a, **more) if a.name == axis.name else a for a in axes)
        state.put("sweep_axes", encode_axes(changed))


def _draws() -> bool:
    return SAMPLERS[state.get("sweep_sampler")].draws


def _written(values: tuple) -> str:
    texts = [f"{v:,.10g}" for v in values]
    if len(texts) > _MOST_SHOWN:
        texts = [*texts[: _MOST_SHOWN - 2], "…", texts[-1]]
    return " · ".join(texts)


def draw_search(screen: Screen, begin: Recipe) -> None:
    """Draw how the space is searched, on which data, with how many seeds, and where."""

    def number(name: str, label: str, high: int) -> None:
        bound(name, st.number_input, label, 1, high, step=1)

    def pick(name: str, label: str, words: dict[str, str] | None = None, **more: Any) -> None:
        words = words or {
            one: choice_label(state.CONTROLS[name], one) for one in state.CONTROLS[name].choices
        }
        bound(name, st.selectbox, label, list(words), words=words, filter_mode=None, **more)

    folds = [f for f in screen.entry.folds if f != "split"]
    at_hand = "the split" if screen.data.fold == "split" else f"fold {screen.data.fold}"
    for name in ("sweep_sampler", "sweep_pruner", "sweep_cuts", "sweep_trials", "sweep_seeds"):
        state.put(name, state.get(name))
    with st.grid("auto", min_column_width=118, gap=("xsmall", "small"), vertical_alignment="bottom"):
        pick("sweep_sampler", "Search")
        if _draws():
            number("sweep_trials", "Points", MOST_TRIALS)
        if ALGORITHMS[begin.algorithm].rounds_param is not None:
            pick("sweep_pruner", "Give up early")
        cuts = {"split": at_hand, "folds": count(len(folds), "fold")}
        pick("sweep_cuts", "On", cuts, disabled=len(folds) < 2)
        number("sweep_seeds", "Seeds", MOST_SEEDS)
        with st.popover("Cluster", width="stretch", help="Run it on other machines"):
            _draw_cluster()


def _draw_cluster() -> None:
    st.caption(
        "Empty: this machine's cores. Or the address of a Dask scheduler, started with "
        "`python -m dask scheduler` and, on each machine, `python -m dask worker tcp://…`. The table is the "
        "same to the last digit."
    )
    bound(SCHEDULER, st.text_input, "Scheduler's address", placeholder="tcp://127.0.0.1:8786")
    if refused := refusal(address()):
        st.caption(refused)


def address() -> str:
    """Return the scheduler's address; empty for this machine."""
    return str(st.session_state.get(SCHEDULER) or "").strip()
