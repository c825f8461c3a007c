"""What Compare has beside the pictures: how it is looked at, what is under way, the table, what differs."""

from __future__ import annotations

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from ..kit import growing, panel
from ..kit import html as tables
from ..runs import plan
from ..runs.screens import Screen
from ..runs.services import services
from ..runs.status import Status
from ..session import state
from ..session.bound import bound
from ..style.words import choice_label, count, seconds
from ..tables.configurations import differences as differing
from . import pictures

_MOST_COLUMNS = 5  # runs beside one another in half the page


def controls(screen: Screen) -> str:
    """How the curves are laid out, and how often each run is trained; returns the layout."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-view"):
        panel.choose("layout")
        words = {kind: choice_label(state.CONTROLS["repeat"], kind) for kind in plan.choices(screen.entry)}
        more: dict[str, Any] = {"words": words, "required": True, "quiet": True}
        bound("repeat", st.segmented_control, "Trained", list(words), shows=screen.repeat, **more)
        if screen.means:
            all_of_them = "Rankings and Inspect show all of them, " if screen.repeat == "folds" else ""
            said = f"Each run on {screen.means}; {all_of_them}the other pages show the split on the left."
            if len(screen.runs) > 2 and state.get("layout") == "overlay":
                said += " “Side by side” shows each run’s whole band."
            st.html(f'<p class="note">{said}</p>', width="stretch")
    with st.container(key="progress-place"):  # empty or not, what follows keeps its place
        if screen.under_way:
            growing.part(_draw_progress, "progress", _progress)()
    return state.get("layout")


def _draw_progress() -> None:
    """Say how far the trainings are: on a narrow screen the sidebar is folded away."""
    st.html(f'<p class="note" role="status">{escape(_progress())}</p>')


def _progress() -> str:
    parts, jobs = [], list(state.jobs().values())
    for job in jobs:
        if job.status == Status.RUNNING and job.iteration:
            left = "" if job.seconds_left is None else f", {seconds(job.seconds_left)} left"
            parts.append(f"{job.label}: round {job.iteration:,} of {job.n_rounds:,}{left}")
    waiting = sum(job.status == Status.WAITING for job in jobs)
    if waiting:
        parts.append(f"{count(waiting, 'training')} waiting")
    return " · ".join(parts) or "starting …"


def unfinished(screen: Screen) -> None:
    """Say which repetitions were stopped or failed, and offer to go on."""
    for run in screen.runs:
        job = run.rest
        if run.trainings or job is None or job.status not in (Status.STOPPED, Status.FAILED):
            continue
        n_done = sum(services().store.get(spec) is not None for spec in run.specs)
        why = f"stopped: {n_done} of {screen.means} are trained"
        why = f"did not train. {job.error}" if job.status == Status.FAILED else why
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.html(f'<p class="note">{escape(run.name)} {escape(why)}</p>', width="stretch")
            told = f"Go on with {run.name}: what is trained already is kept"
            panel.act("Train the rest", f"rest-{run.slot}", told, state.forget_job, run.key)


def depths_and_differences(screen: Screen) -> None:
    """The measure by depth and the configurations: side by side where there is room for both."""
    frame = differing(tuple((run.name, run.recipe) for run in screen.runs), state.get("all_params"))
    turned = len(frame.columns) > _MOST_COLUMNS >= len(frame)  # many runs, few parameters: a row for each run
    wide = len(frame.columns) > _MOST_COLUMNS and not turned
    left, right = (st.container(), st.container()) if wide else st.columns(2, gap="medium")
    with left:
        pictures.depths(screen, key="compare-depths")
    with right:
        _differences(screen, frame.T if turned else frame)


def _differences(screen: Screen, frame: pd.DataFrame) -> None:
    """The configurations, only what differs."""

    def tools() -> None:
        panel.switch("all_params", "all parameters")
        panel.csv(frame.reset_index(names=""), "configurations")

    with panel.panel("What differs", "between the runs", tools):
        if frame.empty:
            st.caption("Nothing: there is only one configuration.")
            return
        st.html(tables.plain_table_html(frame, {run.name: screen.looks[run.slot] for run in screen.runs}))
