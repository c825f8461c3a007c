"""The fields of a sweep's form: what one parameter varies over, and how the space is searched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ltr_core import ALGORITHMS
from ltr_core.sweeps import PRUNERS, SAMPLERS, params_of

from ..runs.screens import Screen
from ..runs.specs import Recipe
from ..session import state
from ..style.words import count, param_label, value_label
from .controls import MOST_SEEDS, MOST_TRIALS
from .jobs import may_connect
from .specs import Axis, choices_of, decode_axes, encode_axes, values_of

SCHEDULER = "sweep-scheduler"  # not in the link: an address is for this machine
_SAMPLERS = {name: sampler.label for name, sampler in SAMPLERS.items()}
_PRUNERS = {"none": "None", **{name: pruner.label for name, pruner in PRUNERS.items()}}
_MOST_SHOWN = 9  # values of an axis that are written out


def draw_axis(begin: Recipe, axis: Axis) -> None:
    """Draw what one parameter varies over."""
    param = params_of(begin.algorithm)[axis.name]
    label = param_label(param)

    def bind(part: str, value: Any) -> dict[str, Any]:
        """Put a part of the axis into its widget, and take from there what is typed."""
        key = f"axis-{begin.algorithm}-{axis.name}-{part}"
        state.put(key, value)
        return {"key": key, "on_change": _take, "args": (begin.algorithm, axis.name, part, key)}

    with st.container(key=f"axis-{axis.name}", gap="xsmall"):
        if not axis.is_range:
            picked = bind("choices", list(axis.choices))
            words = {c: value_label(param, c) for c in choices_of(param)}
            st.multiselect(label, list(words), **picked, help=param.help, format_func=lambda c: words[c])
            return
        kind = int if param.kind == "int" else float
        steps = {"format": "%d", "step": 1}
        if kind is float:
            steps = {"format": "%.6g", "step": float(param.step or 0.1)}
        listed = not _draws() or axis.name == ALGORITHMS[begin.algorithm].rounds_param
        told = f"{param.help} Takes {param.expected()}.".strip()
        with st.grid("auto", min_column_width=104, gap=("xsmall", "small"), vertical_alignment="bottom"):
            st.number_input(label, **bind("low", kind(axis.low or 0)), **steps, help=told)
            st.number_input("to", **bind("high", kind(axis.high or 0)), **steps)
            if listed:
                st.number_input("values", **bind("n", axis.n), min_value=2, max_value=200, step=1)
            even = "Even steps of the logarithm: 0.1, 1, 10. Off: even steps."
            st.toggle("in factors", **bind("log", axis.log), help=even)
        if listed:
            st.html(f'<p class="note">{label}: {_written(values_of(axis, param))}</p>')


def _take(algorithm: str, name: str, part: str, key: str) -> None:
    value = st.session_state[key]
    if value is not None:
        # As they are now: another field may have been changed just before.
        axes = decode_axes(state.get("sweep_axes"), algorithm)
        more: dict[str, Any] = {part: tuple(value) if part == "choices" else value}
        state.put("sweep_axes", encode_axes(tuple(replace(a, **more) if a.name == name else a for a in axes)))


def _draws() -> bool:
    return SAMPLERS[state.get("sweep_sampler")].draws


def _written(values: tuple) -> str:
    texts = [f"{v:g}" for v in values]
    if len(texts) > _MOST_SHOWN:
        texts = [*texts[: _MOST_SHOWN - 2], "…", texts[-1]]
    return " · ".join(texts)


def draw_search(screen: Screen, begin: Recipe) -> None:
    """Draw how the space is searched, on which data, with how many seeds, and where."""

    def own(name: str) -> dict[str, Any]:
        return {"key": name, "persist_state": "session", "help": state.params()[name].help}

    def pick(name: str, label: str, labels: dict[str, str], disabled: bool = False) -> None:
        more = {"filter_mode": None, "format_func": lambda c: labels[c], "disabled": disabled}
        st.selectbox(label, list(labels), **own(name), **more)

    folds = [f for f in screen.entry.folds if f != "split"]
    at_hand = "the split" if screen.data.fold == "split" else f"fold {screen.data.fold}"
    for name in ("sweep_sampler", "sweep_pruner", "sweep_cuts", "sweep_trials", "sweep_seeds"):
        state.put(name, state.get(name))
    with st.grid("auto", min_column_width=118, gap=("xsmall", "small"), vertical_alignment="bottom"):
        pick("sweep_sampler", "Search", _SAMPLERS)
        if _draws():
            st.number_input("Points", 1, MOST_TRIALS, step=1, **own("sweep_trials"))
        if ALGORITHMS[begin.algorithm].rounds_param is not None:
            pick("sweep_pruner", "Give up early", _PRUNERS)
        pick("sweep_cuts", "On", {"split": at_hand, "folds": count(len(folds), "fold")}, len(folds) < 2)
        st.number_input("Seeds", 1, MOST_SEEDS, step=1, **own("sweep_seeds"))
        with st.popover("Cluster", width="stretch", help="Run it on other machines"):
            _draw_cluster()


def _draw_cluster() -> None:
    st.caption(
        "Empty: this machine's cores. Or the address of a Dask scheduler, started with "
        "`python -m dask scheduler` and, on each machine, `python -m dask worker tcp://…`. The table is the "
        "same to the last digit."
    )
    example = "tcp://127.0.0.1:8786"
    st.text_input("Scheduler's address", key=SCHEDULER, placeholder=example, persist_state="session")
    if not may_connect(st.session_state.get(SCHEDULER, "")):
        st.caption("This server is open to others, and names no cluster. Use the command line there.")


def address() -> str:
    """Return the scheduler's address; empty for this machine."""
    return str(st.session_state.get(SCHEDULER) or "").strip()
