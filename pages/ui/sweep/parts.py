"""The pieces of Sweep: form and estimate, progress, the sentence, the pictures, the points."""

from __future__ import annotations

from html import escape

import streamlit as st

from ltr_core.sweeps import Estimate

from ..runs.jobs import Job
from ..runs.screens import Screen
from ..runs.status import Status
from ..session.screen import last
from ..style.words import count, param_label, run_names, seconds
from ..tables.sweep import Shown, shown
from . import form
from . import jobs as sweep_jobs
from . import pictures as sweep_pictures
from . import table as sweep_table
from . import words as sweep_words
from .asked import asked
from .fields import address
from .files import opened, upload
from .specs import SweepSpec, axis_around, params_of

POLL_SECONDS = 1.0  # a map is drawn anew at each look
_EXAMPLE = "MPBoost", {"n_rounds": 60}, "lam"


def setup(screen: Screen) -> SweepSpec:
    """Draw the form, what it would take, and its button; return the sweep that it describes."""
    with st.container(border=True, key="sweep-form", gap="small"):
        form.draw(screen)
        spec = form.spec_of(screen)
        problem = form.problem_of(spec) if screen.splits is not None else "There are no data to sweep on."
        _draw_start(screen, spec, problem)
    return spec


def _draw_start(screen: Screen, spec: SweepSpec, problem: str) -> None:
    """Draw what the sweep would take, or why it cannot start, and the button.

    The button is no part of what looks again by itself: a click must not meet a fragment that is just gone.
    """
    text, name, measured = _standing(spec, problem)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-start"):
        with st.container(key="sweep-estimate", width="stretch"):
            if text:
                _say(text)
            else:
                known = sweep_jobs.estimate(spec, screen.entry)
                st.fragment(_estimate, run_every=0.4 if known is None else None)(spec, measured)
        st.button(
            name,
            type="primary",
            key="start-sweep",
            disabled=bool(text),
            on_click=_start,
            args=(screen, spec),
            icon=":material/play_arrow:",
        )


def _standing(spec: SweepSpec, problem: str) -> tuple[str, str, int]:
    """Return why nothing can be started (empty: it can), the button's name, and how many fits there are."""
    if problem:
        return problem, "Start", 0
    job = sweep_jobs.find(spec)
    if job is not None and not job.is_over:
        return "This sweep is under way.", "Start", 0
    held = sweep_jobs.load(sweep_jobs.path_of(spec))
    if held is not None and held.stopped == "done":
        return "This sweep is finished: its results are below.", "Start", 0
    had = int(held.table["fit"].nunique()) if held is not None and len(held.table) else 0
    return "", "Continue" if had else "Start", had


def _estimate(spec: SweepSpec, had: int) -> None:
    """What the sweep would take; looks again until one fit has been measured."""
    known = sweep_jobs.estimate(spec, last().entry)
    if known is None:
        _say(f"{count(spec.n_points, 'point')}. Measuring one fit to say how long it takes …")
    else:
        _say(known if isinstance(known, str) else sweep_words.estimate(spec, known, had, bool(address())))


def _say(text: str) -> None:
    st.html(f'<p class="verdict" role="status">{escape(text)}</p>')


def _start(screen: Screen, spec: SweepSpec) -> None:
    where = address()
    if not sweep_jobs.may_connect(where):
        st.toast("This server is open to others, and names no cluster. Empty the field under “Cluster”.")
        return
    known = sweep_jobs.estimate(spec, screen.entry)
    n_fits = known.n_fits if isinstance(known, Estimate) else spec.n_points * len(spec.cuts) * len(spec.seeds)
    sweep_jobs.start(spec, screen.entry, label_of(spec), n_fits, where)


def label_of(spec: SweepSpec) -> str:
    """Return what a sweep is called in the list of what is under way."""
    known = params_of(spec.recipe.algorithm)
    names = ", ".join(param_label(known[axis.name]) for axis in spec.axes)
    return f"Sweep of {names}, {run_names([spec.recipe])[0]}"


def results(screen: Screen, spec: SweepSpec) -> Shown | None:
    """Return the sweep that is on screen; draw what stands in its place when there is none."""
    own = asked()
    if own.file is not None:
        return opened(screen, own.file)
    for one in dict.fromkeys((spec, own.last)):
        if one is None or not _belongs(one, spec):
            continue
        job = sweep_jobs.find(one) if one.axes else None
        if job is not None and not job.is_over:
            _under_way(one, job)
            return None
        if job is not None and job.status == Status.FAILED:
            st.error(job.error, icon=":material/error:")
        found = _finished(screen, one, job)
        if found is not None:
            own.last = one
            if one != spec:
                st.caption(f"Below is the sweep before the last change: {label_of(one)}.")
            return found
    if not own.problem:
        _empty(screen, spec)
    return None


def _belongs(one: SweepSpec, spec: SweepSpec) -> bool:
    """Whether an earlier sweep may stay on screen: it was on the same data, for the same measure."""
    return one.measure == spec.measure and set(one.cuts) & {spec.data, *spec.cuts} != set()


def _finished(screen: Screen, spec: SweepSpec, job: Job | None) -> Shown | None:
    path = sweep_jobs.path_of(spec)
    if job is not None and job.result is not None:
        how = "done" if job.result.stopped == "done" else "stopped"
        return shown(screen, job.result, ("job", spec.key, id(job)), path, how)
    sweep = sweep_jobs.load(path) if spec.axes else None
    if sweep is None or not len(sweep.table):
        return None
    stamp = ("file", spec.key, len(sweep.table))
    return shown(screen, sweep, stamp, path, "done" if sweep.stopped == "done" else "unfinished")


def _under_way(spec: SweepSpec, job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-progress"):
        with st.container(key="sweep-bar", width="stretch"):
            st.fragment(_progress, run_every=0.5)(spec)
        if not job.cancelled.is_set():
            st.button(
                "Stop",
                key="stop-sweep",
                icon=":material/stop:",
                on_click=sweep_jobs.stop,
                args=(spec,),
                help="Ends the sweep; what is finished is kept",
            )
    st.fragment(_live, run_every=POLL_SECONDS)(spec)


def _progress(spec: SweepSpec) -> None:
    """How far a sweep is; the panel of what is under way draws the page anew when it has ended."""
    job = sweep_jobs.find(spec)
    if job is not None:
        st.progress(job.progress, text=_progress_text(job))


def _live(spec: SweepSpec) -> None:
    """Its pictures as they fill."""
    job = sweep_jobs.find(spec)
    told = job.told if job is not None else None
    sweep = told.look() if told is not None else None
    if told is None or sweep is None or not len(sweep.table):
        st.skeleton(height=320)
        return
    screen = last()
    seen = shown(screen, sweep, ("live", spec.key, len(sweep.table)), told.path, "running")
    sweep_pictures.main(seen, screen.colours, "live")
    sweep_table.table(seen)


def _progress_text(job: Job) -> str:
    if job.cancelled.is_set():
        return "Stopping …"
    if job.status == Status.WAITING:
        return "Another sweep is under way: this one waits for its turn."
    progress = job.told.progress if job.told is not None else None
    if progress is None:
        return "Starting …"
    left = "" if job.seconds_left is None else f", about {seconds(job.seconds_left)} left"
    had = f" ({count(job.told.had, 'fit')} from before)" if job.told.had else ""
    return f"{job.iteration} of {count(job.n_rounds, 'fit')} done{had}{left}"


def _empty(screen: Screen, spec: SweepSpec) -> None:
    algorithm, fixed, name = _EXAMPLE
    with st.container(key="sweep-empty", gap="small"):
        st.html(
            '<p class="headline">Which value is best, and is it really better than the others?</p>'
            '<p class="verdict">A sweep trains one method at many values of its parameters, and chooses by '
            "the validation queries alone. The test queries are looked at for the chosen point only.</p>"
        )
        if spec.axes:  # Start is the button that fills this
            return
        st.button(
            f"Sweep MPBoost’s λ on {screen.entry.label}",
            key="sweep-example",
            icon=":material/play_arrow:",
            type="primary",
            on_click=_example,
            args=(screen,),
            disabled=screen.splits is None,
            help=f"Seven values of λ around 1, {fixed['n_rounds']} rounds each: some seconds",
        )


def _example(screen: Screen) -> None:
    algorithm, fixed, name = _EXAMPLE
    form.fill(algorithm, fixed, (axis_around(params_of(algorithm)[name], None),))
    spec = form.spec_of(screen)
    sweep_jobs.start(spec, screen.entry, label_of(spec), spec.n_points)


def report(seen: Shown) -> None:
    """Draw the sentence, the pictures and the points of a sweep."""
    said = sweep_words.headline(seen)
    st.html(
        f'<div><p class="headline">{escape(said.sentence)}</p>'
        f'<p class="verdict">{escape(said.verdict)}</p></div>'
    )
    sweep_pictures.draw(seen, last().colours)
    sweep_table.draw(seen)


def files() -> None:
    """Draw the place for a sweep's file."""
    upload()
