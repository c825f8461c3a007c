"""This session's trainings in the sidebar: progress, place in the queue, Stop; and when the page is old."""

from __future__ import annotations

import streamlit as st

from ..kit import growing, panel
from ..runs.jobs import SWEEP, Job, Runner
from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.status import Status
from ..session import mirror, state
from ..style.words import ordinal, seconds

# Seconds that a click on Stop waits for the end. Most trainings come to it in 0.04 to 0.13, and the page is
# drawn once, with it, instead of once without and again after the next look: "cancelled" after 0.4 to 0.7 s,
# before after 0.6 to 1.7, both on a machine with five times as much to do as it has cores.
_MOMENT = 0.4


def draw_jobs(screen: Screen) -> None:
    """Draw the panel, which grows while something is under way; when that is over, the page is drawn anew."""
    awaits = bool(screen.shipped) and all(run.job is None for run in screen.shipped)
    busy = bool(_active()) or not services().warm.over or mirror.is_pending() or awaits
    if _is_news():
        st.rerun()
    growing.watch(lambda: _is_old(busy, awaits))
    growing.part(_panel, "jobs", _standing if busy else None)()
    for run in screen.runs:
        if run.status in (Status.STOPPED, Status.FAILED):
            _draw_ended(run)


def _active() -> list[Job]:
    return [job for job in state.jobs().values() if not job.is_over]


def _is_old(was_busy: bool, awaits_training: bool) -> bool:
    """Whether the page, drawn while something was under way or not, has to be drawn anew."""
    shared = services()
    # While the server is warming up, runs that came with this version are not trained: nothing new to draw.
    was_busy = was_busy and (shared.ready.is_set() or not awaits_training)
    over = was_busy and not _active() and shared.warm.over
    return over or mirror.is_pending() or _is_news()


def _is_news() -> bool:
    """Whether any job has ended since the page was drawn."""
    over = {id(job) for job in state.jobs().values() if job.is_over}
    news = over - state.seen_over()
    state.seen_over().update(news)
    return bool(news)


def _standing() -> tuple[object, ...]:
    """Return all that the panel shows."""
    runner, warming = services().runner, not services().warm.over
    jobs = [(job.key, *_progress(job, runner, warming), job.cancelled.is_set()) for job in _active()]
    return tuple(jobs), _warming() if warming else None


def _panel() -> None:
    runner, warming = services().runner, not services().warm.over
    for job in _active():
        _draw_job(job, runner, warming)
    if warming:
        done, told = _warming()
        st.progress(done, text=told)


def _warming() -> tuple[float, str]:
    warm, total = services().warm, services().warm.total
    told = f"Compiling: {warm.what or 'starting'} ({warm.done} of {total})"
    return min(1.0, warm.done / max(1, total)), told


def _draw_job(job: Job, runner: Runner, warming: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"job-{job.key}"):
        done, told = _progress(job, runner, warming)
        st.progress(done, text=told)
        if not job.cancelled.is_set():
            panel.act("Stop", f"stop-{job.key}", f"Stop {job.label}", _stop, job.key)


def _progress(job: Job, runner: Runner, warming: bool) -> tuple[float, str]:
    """Return how far a job is, as a share and in words."""
    return job.progress, _progress_text(job, runner, warming)


def _progress_text(job: Job, runner: Runner, warming: bool) -> str:
    if job.cancelled.is_set():
        return f"{job.label}: stopping …"
    if job.status == Status.WAITING and job.lacks_room:
        return f"{job.label}: waiting for memory"
    if job.status == Status.WAITING:
        until = runner.seconds_until(job)
        start = "" if until is None else f", starts in about {seconds(until)}"
        return f"{job.label}: {ordinal(runner.place(job))} in the queue{start}"
    if job.iteration == 0:
        return f"{job.label}: compiling …" if warming else f"{job.label}: starting …"
    left = job.seconds_left
    end = "" if left is None else f", {seconds(left)} left"
    unit = "fit" if job.kind == SWEEP else "round"
    return f"{job.label}: {unit} {job.iteration:,} of {job.n_rounds:,}{end}"


def _stop(key: str) -> None:
    kept = services().runner.leave(key, state.owner())
    if kept is not None:
        state.jobs()[key] = kept
        services().runner.await_end(kept, _MOMENT)


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
            st.html(f'<p class="note">{run.name}: cancelled at round {job.iteration:,}</p>')
        st.button("Train again", key=f"again-{job.key}", on_click=state.forget_job, args=(job.key,))
