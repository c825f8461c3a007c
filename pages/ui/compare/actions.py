"""What can be done with one run: change a copy of it, make it the baseline, take it off, take it along."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ltr_core.sweeps import can_vary

from ..kit import panel
from ..runs.screens import Run, Screen
from ..session import bound, mirror, state
from ..session.link import encode_recipe
from ..tables.repeats import Repeated
from . import exports


def draw(screen: Screen, seen: Repeated | None) -> None:
    """Draw the choice of a run and its actions."""
    runs = {run.slot: run for run in screen.runs}
    if not runs:
        return
    wanted = state.get("one_run")
    slot = wanted if wanted in runs else max(runs, key=list(runs).index)
    run = runs[slot]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="run-actions"):
        bound.select("one_run", "With the run", list(runs), slot, lambda s: runs[s].name, width=260)
        st.button(
            "Duplicate and edit",
            icon=":material/content_copy:",
            key="act-copy",
            on_click=_copy,
            args=(run,),
            help=f"Put {run.name} into the form above, to change it and train",
        )
        st.button(
            "Make it the baseline",
            icon=":material/star:",
            key="act-base",
            on_click=state.set_baseline,
            args=(slot,),
            disabled=run.is_baseline,
            help="The baseline" if run.is_baseline else f"Compare the others with {run.name}",
        )
        st.button(
            "Remove",
            icon=":material/close:",
            key="act-remove",
            on_click=state.remove_run,
            args=(slot,),
            help=f"Take {run.name} off the screen",
        )
        _sweep_around(run)
        if run.training is not None:
            with st.popover(
                "Take it along", icon=":material/download:", help="Files of this run, and its Python"
            ):
                _files(screen, run, seen)


def _sweep_around(run: Run) -> None:
    """The way to Sweep with this run as its start; what varies there stays, if it is the same algorithm's."""
    if not can_vary(run.recipe.algorithm):
        return
    start = encode_recipe(run.recipe)
    same = start.partition(".")[0] == state.get("sweep_start").partition(".")[0]
    axes = state.get("sweep_axes") if same else ""
    link = mirror.link_beside(state.workspace(), sweep_start=start, sweep_axes=axes)
    told = f"Vary parameters of {run.name} on the page Sweep"
    with st.container(key="use-sweep", width="content"):
        panel.way("sweep", "Sweep around this", link, ":material/tune:", told)


def _files(screen: Screen, run: Run, seen: Repeated | None) -> None:
    stem = "".join(c if c.isascii() and c.isalnum() else "-" for c in run.name).strip("-").lower() or "run"
    st.caption("These lines make the same run again and print its value on test:")
    st.code(exports.python_lines(screen, run, seen), language="python", wrap_lines=True)
    with st.container(horizontal=True, gap="small"):
        for label, name, mime, make in (
            ("Python", f"{stem}.py", "text/x-python", exports.python_lines),
            ("JSON: spec and history", f"{stem}.json", "application/json", exports.as_json),
            ("TREC run", f"{stem}.run", "text/plain", exports.trec_run),
            ("TREC grades", f"{stem}.qrels", "text/plain", exports.trec_grades),
        ):
            _file(label, name, mime, partial(make, screen, run, seen))


def _file(label: str, name: str, mime: str, make: Callable[[], str]) -> None:
    kind = name.rpartition(".")[2]
    st.download_button(
        label,
        make,
        file_name=name,
        mime=mime,
        key=f"take-{kind}",
        on_click="ignore",
        icon=":material/download:",
    )


def _copy(run: Run) -> None:
    state.edit_copy(run.slot)
    st.toast(f"{run.name} is in the form: change it and train.")
