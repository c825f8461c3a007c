"""This session's trainings in the sidebar: progress, place in the queue, Stop. Polls while they run."""

from __future__ import annotations

import time

import streamlit as st

from ..kit import panel
from ..kit.net import fragment
from ..runs.jobs import POLL_SECONDS, SWEEP, Job, Runner
from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.status import Status
from ..session import mirror, state
from ..style.words import ordinal, seconds


def draw_jobs(screen: Screen) -> None:
    """Draw the panel; it draws itself anew while something is under way."""
    awaits = bool(screen.shipped) and all(run.job is None for run in screen.shipped)
    busy = bool(_active()) or not services().warm.over or mirror.is_pending() or awaits
    fragment(_panel, services().runner.poll_seconds if busy else None)(busy, time.monotonic(), awaits)
    for run in screen.runs:
        if run.status in (Status.STOPPED, Status.FAILED):
            _draw_ended(run)


def _active() -> list[Job]:
    return [job for job in state.jobs().values() if not job.is_over]


def _panel(was_busy: bool, drawn: float, awaits_training: bool) -> None:
    shared, jobs = services(), _active()
    warming = not shared.warm.over
    # While the server is warming up, runs that came with this version are not trained: nothing new to draw.
    was_busy = was_busy and (shared.ready.is_set() or not awaits_training)
    polled = time.monotonic() - drawn > POLL_SECONDS / 2  # and not drawn with the page just now
    over = was_busy and not jobs and not warming
    if polled and (over or mirror.is_pending()) or any(_news(job) for job in state.jobs().values()):
        st.rerun()
    for job in jobs:
        _draw_job(job, shared.runner, warming)
    if warming:
        warm, total = shared.warm, shared.warm.total
        told = f"Compiling: {warm.what or 'starting'} ({warm.done} of {total})"
        st.progress(min(1.0, warm.done / max(1, total)), text=told)


def _news(job: Job) -> bool:
    """Whether a job has ended since the page was drawn."""
    if job.is_over and id(job) not in state.seen_over():
        state.seen_over().add(id(job))
        return True
    return False


def _draw_job(job: Job, runner: Runner, warming: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"job-{job.key}"):
        st.progress(job.progress, text=_progress_text(job, runner, warming))
        if not job.cancelled.is_set():
            panel.act("Stop", f"stop-{job.key}", f"Stop {job.label}", _stop, job.key)


def _progress_text(job: Job, runner: Runner, warming: bool) -> str:
    if job.cancelled.is_set():
        return f"{job.label}: stopping …"
    if job.status == Status.WAITING:
        until = runner.seconds_until(job)
        start = "" if until is None else f", starts in about {seconds(until)}"
        return f"{job.label}: {ordinal(runner.place(job))} in the queue{start}"
    if job.iteration == 0:
        return f"{job.label}: compiling …" if warming else f"{job.label}: starting …"
    left = job.seconds_left
    end = "" if left is None else f", {seconds(left)} left"
    unit = "fit" if job.kind == SWEEP else "round"
    return f"{job.label}: {unit} {job.iteration} of {job.n_rounds}{end}"


def _stop(key: str) -> None:
    kept = services().runner.leave(key, state.owner())
    if kept is not None:
        state.jobs()[key] = kept


def _draw_ended(run: Run) -> None:
    job = run.job
    if job is None or not job.is_over:
        return
    with st.container(key=f"ended-{run.slot}", gap="xsmall"):
        if run.recipe.is_given:
            st.error(f"**{run.name}** cannot be measured here. {job.error}")
            return
        if run.status == Status.FAILED:
            st.error(f"**{run.name}** did not train. {job.error}")
        else:
            st.html(f'<p class="note">{run.name}: cancelled at round {job.iteration}</p>')
        st.button("Train again", key=f"again-{job.key}", on_click=state.forget_job, args=(job.key,))
