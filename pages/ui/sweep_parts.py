"""The pieces of Sweep: form and estimate, progress, the sentence, the pictures, the points."""

from __future__ import annotations

from html import escape

import streamlit as st

from ltr_core.sweeps import Estimate

from . import state, sweep_form, sweep_jobs, sweep_pictures, sweep_table, sweep_words
from .jobs import Job
from .sweep_fields import address
from .sweep_files import opened, upload
from .sweep_results import Shown, shown
from .sweep_specs import SweepSpec, axis_around, params_of
from .view import View, last
from .words import count, param_label, run_names, seconds

POLL_SECONDS = 1.0  # a map is drawn anew at each look
_EXAMPLE = "MPBoost", {"n_rounds": 60}, "lam"


def setup(now: View) -> SweepSpec:
    """Draw the form, what it would take, and its button; return the sweep that it describes."""
    with st.container(border=True, key="sweep-form", gap="small"):
        sweep_form.draw(now)
        spec = sweep_form.spec_of(now)
        problem = sweep_form.problem_of(spec) if now.splits is not None else "There are no data to sweep on."
        _draw_start(now, spec, problem)
    return spec


def _draw_start(now: View, spec: SweepSpec, problem: str) -> None:
    job = sweep_jobs.find(spec) if not problem else None
    busy = job is not None and not job.is_over
    if problem:
        _start_row(now, spec, problem, 0, "Start", disabled=True)
        return
    held = sweep_jobs.load(sweep_jobs.path_of(spec)) if not busy else None
    if held is not None and held.stopped == "done":
        _start_row(now, spec, "This sweep is finished: its results are below.", 0, "Start", disabled=True)
    elif busy:
        _start_row(now, spec, "This sweep is under way.", 0, "Start", disabled=True)
    else:
        had = int(held.table["fit"].nunique()) if held is not None and len(held.table) else 0
        known = sweep_jobs.estimate(spec, now.entry)
        st.fragment(_estimate, run_every=0.4 if known is None else None)(spec, had)


def _estimate(spec: SweepSpec, had: int) -> None:
    """What the sweep would take; looks again until one fit has been measured."""
    now, name = last(), "Continue" if had else "Start"
    known = sweep_jobs.estimate(spec, now.entry)
    n_fits = spec.n_points * len(spec.cuts) * len(spec.seeds)
    if isinstance(known, Estimate):
        _start_row(now, spec, sweep_words.estimate(spec, known, had, bool(address())), known.n_fits, name)
    elif known is None:
        points = count(spec.n_points, "point")
        _start_row(now, spec, f"{points}. Measuring one fit to say how long it takes …", n_fits, name)
    else:
        _start_row(now, spec, known, n_fits, name)


def _start_row(now: View, spec: SweepSpec, text: str, n_fits: int, name: str, disabled: bool = False) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-start"):
        st.html(f'<p class="verdict" role="status">{escape(text)}</p>', width="stretch")
        if st.button(
            name,
            type="primary",
            key="start-sweep",
            disabled=disabled,
            on_click=_start,
            args=(now, spec, n_fits),
            icon=":material/play_arrow:",
        ):
            st.rerun()  # the whole page: this may be a fragment


def _start(now: View, spec: SweepSpec, n_fits: int) -> None:
    where = address()
    if not sweep_jobs.may_connect(where):
        st.toast("This server is open to others, and names no cluster. Empty the field under “Cluster”.")
        return
    sweep_jobs.start(spec, now.entry, label_of(spec), n_fits, where)


def label_of(spec: SweepSpec) -> str:
    """Return what a sweep is called in the list of what is under way."""
    known = params_of(spec.recipe.algorithm)
    names = ", ".join(param_label(known[axis.name]) for axis in spec.axes)
    return f"Sweep of {names}, {run_names([spec.recipe])[0]}"


def results(now: View, spec: SweepSpec) -> Shown | None:
    """Return the sweep that is on screen; draw what stands in its place when there is none."""
    asked = state.sweeps()
    if asked.file is not None:
        return opened(now, asked.file)
    for one in (spec, asked.last):
        if one is None or not _belongs(one, spec):
            continue
        job = sweep_jobs.find(one) if one.axes else None
        if job is not None and not job.is_over:
            st.fragment(_live, run_every=POLL_SECONDS)(one)
            return None
        if job is not None and job.state == "failed":
            st.error(job.error, icon=":material/error:")
        found = _finished(now, one, job)
        if found is not None:
            asked.last = one
            if one != spec:
                st.caption(f"Below is the sweep before the last change: {label_of(one)}.")
            return found
    if not asked.problem:
        _empty(now)
    return None


def _belongs(one: SweepSpec, spec: SweepSpec) -> bool:
    """Whether an earlier sweep may stay on screen: it was on the same data, for the same measure."""
    return one.measure == spec.measure and set(one.cuts) & {spec.data, *spec.cuts} != set()


def _finished(now: View, spec: SweepSpec, job: Job | None) -> Shown | None:
    path = sweep_jobs.path_of(spec)
    if job is not None and job.result is not None:
        how = "done" if job.result.stopped == "done" else "stopped"
        return shown(now, job.result, ("job", spec.key, id(job)), path, how)
    sweep = sweep_jobs.load(path) if spec.axes else None
    if sweep is None or not len(sweep.table):
        return None
    stamp = ("file", spec.key, len(sweep.table))
    return shown(now, sweep, stamp, path, "done" if sweep.stopped == "done" else "unfinished")


def _live(spec: SweepSpec) -> None:
    """How far a sweep is, and its pictures as they fill."""
    job = sweep_jobs.find(spec)
    if job is None or job.is_over:
        return  # the panel of what is under way draws the page anew
    told = job.told
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-progress"):
        st.progress(job.progress, text=_progress_text(job), width="stretch")
        if not job.cancelled.is_set():
            st.button(
                "Stop", key="stop-sweep", icon=":material/stop:", on_click=sweep_jobs.stop, args=(spec,),
                help="Ends the sweep; what is finished is kept",
            )  # fmt: skip
    sweep = told.look() if told is not None else None
    if sweep is None or not len(sweep.table):
        st.skeleton(height=320)
        return
    now = last()
    seen = shown(now, sweep, ("live", spec.key, len(sweep.table)), told.path, "running")
    sweep_pictures.main(seen, now.colours, "live")
    sweep_table.table(seen)


def _progress_text(job: Job) -> str:
    if job.cancelled.is_set():
        return "Stopping …"
    if job.state == "waiting":
        return "Another sweep is under way: this one waits for its turn."
    progress = job.told.progress if job.told is not None else None
    if progress is None:
        return "Starting …"
    left = "" if job.seconds_left is None else f", about {seconds(job.seconds_left)} left"
    had = f" ({count(job.told.had, 'fit')} from before)" if job.told.had else ""
    return f"{job.iteration} of {count(job.n_rounds, 'fit')} done{had}{left}"


def _empty(now: View) -> None:
    algorithm, fixed, name = _EXAMPLE
    with st.container(key="sweep-empty", gap="small"):
        st.html(
            '<p class="headline">Which value is best, and is it really better than the others?</p>'
            '<p class="verdict">A sweep trains one method at many values of its parameters, and chooses by '
            "the validation queries alone. The test queries are looked at for the chosen point only.</p>"
        )
        st.button(
            f"Sweep MPBoost’s λ on {now.entry.label}", key="sweep-example", icon=":material/play_arrow:",
            type="primary", on_click=_example, args=(now,), disabled=now.splits is None,
            help=f"Seven values of λ around 1, {fixed['n_rounds']} rounds each: some seconds",
        )  # fmt: skip


def _example(now: View) -> None:
    algorithm, fixed, name = _EXAMPLE
    sweep_form.fill(algorithm, fixed, (axis_around(params_of(algorithm)[name], None),))
    spec = sweep_form.spec_of(now)
    sweep_jobs.start(spec, now.entry, label_of(spec), spec.n_points)


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
