"""The frame around every page: data, measure, workspace, jobs and link in the sidebar."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import streamlit as st

from ltr_core import MEASURES, DataError, Param, ParameterError
from ltr_core.datasets.parts.base import SEED
from ltr_core.kernels import IS_KEPT

from ..kit import panel
from ..kit.form import draw_param, draw_params
from ..kit.html import swatch
from ..kit.panel import act
from ..runs.catalog import Entry
from ..runs.plan import plan
from ..runs.presets import START
from ..runs.screens import Run, Screen, reconcile
from ..runs.services import attend, services
from ..session import form, mirror, state
from ..session.bound import bound
from ..session.screen import desk, entries, gone, keep, last, wanted
from ..style.lettering import unbroken
from ..style.sentences import on_screen
from ..style.theme import Stroke
from ..style.words import choice_label, count, definition
from . import controls, site  # noqa: F401 - all controls, before the first one is read
from .jobs_panel import draw_jobs

_HERE = Path(__file__).parent
_SCRIPTS = (_HERE.parent / "session" / "copy_link.html").read_text(
    encoding="utf-8"
) + f"<script>{(_HERE.parent / 'kit' / 'plots.js').read_text(encoding='utf-8')}</script>"


def draw() -> Screen:
    """Draw the frame, start what has to be trained, and return what is on screen."""
    mirror.mirror()
    attend(state.owner())
    with st.sidebar:
        entry = _draw_data()
        _draw_measure()
    screen = _build(entry)
    keep(screen)
    with st.sidebar:
        _draw_size(screen)
        _draw_workspace(screen)
        draw_jobs(screen)
        _draw_unkept()
        st.html(_SCRIPTS, unsafe_allow_javascript=True)
    with st.container(key="notes"):  # always there: what follows keeps its place when a note goes
        _draw_notes(screen)
    return screen


def current() -> Screen:
    """Return what is on screen in this run of the app; a page asks once, at its top."""
    if not st.session_state.pop(state.FRAMED, False):
        site.enter()
    return last()


def _build(entry: Entry) -> Screen:
    """Read the session and the data, and start what is missing."""
    before = gone(entry.name)
    if before is not None:
        return _build_of_what_was(before)
    asked, splits, problem = wanted(entry), None, ""
    shared, data = services(), asked.data
    try:
        with nullcontext() if shared.peek(data) else st.spinner(f"Reading {entry.label} …"):
            splits = shared.splits(data, entry)
    except (DataError, ParameterError) as error:
        problem = on_screen(error)
    return reconcile(plan(asked), desk(), splits, problem)


def _build_of_what_was(before: Screen) -> Screen:
    """Go on with what was read of files that are no longer there: nobody is moved to other data unasked."""
    asked, splits = replace(wanted(before.entry), data=before.data), before.splits
    if splits is None:
        problem = before.problem if before.is_gone else f"{before.entry.label} is no longer there."
    else:
        services().data.put(before.data, splits, splits.n_bytes)  # for trainings on it
        problem = (
            f"The files of {before.entry.label} are no longer there. What is on screen was read before, and "
            "stays: runs, pictures and exports work, also new runs on this cut. Put the files back, or pick "
            "another data set on the left."
        )
    return replace(reconcile(plan(asked), desk(), splits, problem), is_gone=True)


def _draw_data() -> Entry:
    known, before = entries(), gone(state.get("data"))
    if state.get("data") not in known:
        state.load_values(START.values)
    names = {name: entry.label for name, entry in known.items()}
    told = "Generated sets, and whatever lies in the folder data/."
    bound("data", st.selectbox, "Data set", list(names), words=names, help=told)
    entry = known[state.get("data")]
    if before is not None:
        entry = replace(entry, folds=(before.data.fold,))  # the one cut that was read
    state.put("fold", entry.fold(state.get("fold")))
    left, right = st.columns(2, gap="small", vertical_alignment="bottom", wrap=False)
    with left:
        cuts = {fold: choice_label(state.CONTROLS["fold"], fold) for fold in entry.folds}
        told = "Which queries are for training, validation and test: one random cut, or a fold."
        bound("fold", st.selectbox, "Split", list(cuts), words=cuts, filter_mode=None, help=told)
    with right, st.popover("Size", width="stretch", help="Size, noise and seeds of the data set"):
        st.caption(entry.summary)
        own: list[Param] = [*entry.params, *([SEED] if entry.params else [])]
        draw_params(own, partial(state.key, entry.name), columns=2)
        draw_param(state.CONTROLS["shuffle"], "shuffle")
        for param in () if entry.params else entry.settings:
            draw_param(state.CONTROLS[param.name], param.name)
    return entry


def _draw_measure() -> None:
    name = state.get("measure")
    own = MEASURES[name].params
    depth = [p for p in own if p.name == "k"]
    left, right = st.columns(2, gap="small", wrap=False)
    with left:
        names = {known: choice_label(state.CONTROLS["measure"], known) for known in MEASURES}
        told = "What is measured, everywhere on these pages."
        bound("measure", st.selectbox, "Measure", list(names), words=names, filter_mode=None, help=told)
    with right:
        if depth:
            draw_param(depth[0], state.key(name, "k"))
    chosen = state.chosen_measure()
    with st.popover("Definition", width="stretch", help="Gain, discount, equal scores, empty queries"):
        st.caption(chosen.describe())
        draw_params([p for p in own if p.name != "k"], partial(state.key, name), columns=2)
        draw_param(state.CONTROLS["letor"], "letor")
    st.html(f'<p class="note">{escape(definition(chosen))}</p>')


def _draw_size(screen: Screen) -> None:
    if screen.splits is not None:
        train, valid, test = screen.splits.train, screen.splits.valid, screen.splits.test
        st.html(
            f'<p class="note">{train.n_queries:,} + {valid.n_queries:,} + '
            f"{test.n_queries:,} queries, "
            f"{train.n_docs + valid.n_docs + test.n_docs:,} documents, "
            f"{count(train.n_features, 'feature')}</p>"
        )


def _draw_workspace(screen: Screen) -> None:
    st.html('<h3 class="side">Runs</h3>')
    with st.container(key="chips", gap=None):
        for run in screen.runs:
            _draw_chip(run, screen.looks[run.slot])
    if not screen.runs:
        st.caption("No run yet.")


def _draw_chip(run: Run, look: Stroke) -> None:
    name, slot, plain = run.name, run.slot, {"type": "tertiary"}
    base, told = f"Make {name} the baseline", f"Compare the others with {name}"
    if run.is_baseline:
        base, told = f"{name} is the baseline", "The baseline"
    edit, take = f"Copy {name} into the form", f"Take {name} off the screen"
    row = st.container(horizontal=True, wrap=False, gap=None, vertical_alignment="center", key=f"chip-{slot}")
    # The labels are for screen readers: the stylesheet puts signs in their place.
    with row:
        shown = f"{swatch(look)} {escape(unbroken(name))}"
        st.html(f'<span class="chip" data-slot="{slot}" title="{escape(name)}">{shown}</span>')
        act(base, f"base-{slot}", told, state.set_baseline, slot, disabled=run.is_baseline, **plain)
        told = f"{edit} on Compare, to change it and train"
        if not run.recipe.is_given:
            act(edit, f"copy-{slot}", told, form.edit_copy, slot, icon=":material/content_copy:", **plain)
        act(
            f"Remove {name}", f"remove-{slot}", take, state.remove_run, slot, icon=":material/close:", **plain
        )


def _draw_unkept() -> None:
    """Say what will not be there after the server's next start."""
    problem = services().store.problem
    if problem:
        st.caption(
            f"Nothing can be written to the run store ({problem}): runs are kept in memory, and go with the "
            "server."
        )
    if not IS_KEPT:
        st.caption("Compiled kernels cannot be kept: each start of the server compiles them anew.")


def _draw_notes(screen: Screen) -> None:
    wrong = state.notes()
    if wrong:
        st.info(
            f"Part of this link could not be read and was left out: {'; '.join(wrong)}. "
            "The rest is as it was sent; what was missing is at its default.",
            icon=":material/link_off:",
        )
    if screen.problem:
        st.error(screen.problem, icon=":material/error:")
        panel.offer_cut(screen.entry, "frame")
    if screen.is_gone:
        with st.container(horizontal=True, gap="small", key="gone"):
            st.button("Look again", key="look-again", icon=":material/refresh:", type="primary")
            st.button("Open the example", key="leave-gone", on_click=mirror.open_preset)
    if not services().warm.over and not screen.finished:
        st.info(
            "**Rankscope compares methods that learn to rank.** Their inner loops are being compiled for "
            "this machine; that happens once and takes some seconds. The first comparison is drawn as it "
            "trains.",
            icon=":material/bolt:",
        )
