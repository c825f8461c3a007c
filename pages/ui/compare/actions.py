"""What can be done with one run: change a copy of it, make it the baseline, take it off, take it along."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from ltr_core.sweeps import can_vary

from ..kit import panel
from ..runs.screens import Run, Screen
from ..session import form, mirror, state
from ..session.bound import bound
from ..session.link import encode_recipe
from . import exports, run_table
from .notebook import as_notebook


def draw(screen: Screen) -> None:
    """Draw the choice of a run and its actions."""
    runs = {run.slot: run for run in screen.runs}
    if not runs:
        return
    slot = wanted if (wanted := state.get("one_run")) in runs else screen.runs[-1].slot
    run = runs[slot]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="run-actions"):
        names = {slot: run.name for slot, run in runs.items()}
        bound(
            "one_run",
            st.selectbox,
            "With the run",
            list(runs),
            shows=slot,
            words=names,
            width=_width(names.values()),
        )
        if not run.recipe.is_given:
            told = f"Put {run.name} into the form above, to change it and train"
            panel.act("Duplicate and edit", "act-copy", told, _copy, run, icon=":material/content_copy:")
        off, base = run.is_baseline, state.set_baseline
        told = "The baseline" if off else f"Compare the others with {run.name}"
        panel.act("Make baseline", "act-base", told, base, slot, icon=":material/star:", disabled=off)
        told = f"Take {run.name} off the screen"
        panel.act("Remove", "act-remove", told, state.remove_run, slot, icon=":material/close:")
        _sweep_around(run)
        if run.own is not None:
            told = "Files of this run, and its Python"
            with st.popover("Take it along", icon=":material/download:", help=told):
                _files(screen, run)
        if screen.finished:
            _all_files(screen)


def _width(names: Iterable[str]) -> int:
    """Return the pixels of a field that shows names whole, as long as they are no longer than most."""
    return max(180, min(320, 60 + 7 * max(map(len, names))))


def _all_files(screen: Screen) -> None:
    """All runs at once, with the table as it is arranged."""
    rows = partial(run_table.as_arranged, screen)

    def notebook() -> str:
        return as_notebook(screen, mirror.link_beside(state.workspace()))

    with st.popover("All runs", icon=":material/folder_zip:", help="All runs at once, as one file"):
        for label, kind, mime, make in (
            ("One table: CSV", "csv", "text/csv", lambda: exports.all_as_csv(screen, rows())),
            ("Specs and histories: JSON", "json", "application/json", lambda: exports.all_as_json(screen)),
            ("Open as a notebook", "ipynb", "application/x-ipynb+json", notebook),
            ("Everything: zip", "zip", "application/zip", lambda: exports.all_as_zip(screen, rows())),
        ):
            panel.download(label, make, f"runs.{kind}", mime, f"all-{kind}")


def _sweep_around(run: Run) -> None:
    """The way to Sweep with this run as its start; what varies there stays, if it is the same algorithm's."""
    if run.recipe.is_given or not can_vary(run.recipe.algorithm):
        return
    start = encode_recipe(run.recipe)
    same = start.partition(".")[0] == state.get("sweep_start").partition(".")[0]
    axes = state.get("sweep_axes") if same else ""
    link = mirror.link_beside(state.workspace(), sweep_start=start, sweep_axes=axes)
    told = f"Vary parameters of {run.name} on the page Sweep"
    with st.container(key="use-sweep", width="content"):
        panel.way("Sweep around this", link, "sweep", ":material/tune:", help=told)


def _files(screen: Screen, run: Run) -> None:
    stem = exports.tag(run).lower()
    st.caption("These lines make the same run again and print its value on test:")
    st.code(exports.python_lines(screen, run), language="python", wrap_lines=True)
    with st.container(horizontal=True, gap="small"):
        for label, kind, mime, make in (
            ("Python", "py", "text/x-python", exports.python_lines),
            ("JSON: spec and history", "json", "application/json", exports.as_json),
            ("TREC run", "run", "text/plain", exports.trec_run),
            ("TREC grades", "qrels", "text/plain", exports.trec_grades),
        ):
            panel.download(label, partial(make, screen, run), f"{stem}.{kind}", mime, f"take-{kind}")


def _copy(run: Run) -> None:
    form.edit_copy(run.slot)
    st.toast(f"{run.name} is in the form: change it and train.")
