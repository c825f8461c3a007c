"""Which sweep is on screen: the form's own, the one before it, or a file's; how far it is; what it says."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from ltr_core.sweeps import Sweep

from ..kit import growing
from ..kit.panel import act
from ..runs.jobs import Job
from ..runs.screens import Screen
from ..runs.status import Status
from ..session import state
from ..session.screen import last
from ..style.words import count, param_label, seconds
from ..tables.sweep import Swept, edges, on_screen
from . import files, jobs, pictures, start, table, words
from .asked import asked
from .specs import Axis, SweepSpec, decode_axes, encode_axes, widened

_EVERY = 1.0  # seconds: a map is drawn anew as a whole


def find(screen: Screen, spec: SweepSpec) -> Swept | None:
    """Return the sweep that is on screen; draw what stands in its place when there is none."""
    own = asked()
    if own.file is not None:
        return files.opened(screen, own.file)
    for one in dict.fromkeys((spec, own.last)):
        if one is None or not one.axes or not _belongs(one, spec):
            continue
        job = jobs.find(one)
        if job is not None and not job.is_over:
            _draw_progress(one, job)
            return None
        if job is not None and job.status == Status.FAILED:
            st.error(job.error, icon=":material/error:")
        swept = _finished(screen, one, job)
        if swept is not None:
            own.last = one
            if one != spec:
                st.caption(f"Below is the sweep before the last change: {start.label_of(one)}.")
            return swept
    if not own.problem:
        start.draw_example(screen, spec)
    return None


def _belongs(one: SweepSpec, spec: SweepSpec) -> bool:
    """Whether an earlier sweep may stay on screen: it was on the same data, for the same measure."""
    return one.measure == spec.measure and set(one.cuts) & {spec.data, *spec.cuts} != set()


def _finished(screen: Screen, spec: SweepSpec, job: Job | None) -> Swept | None:
    path = jobs.path_of(spec)
    if job is not None and job.result is not None:
        return on_screen(screen, job.result, ("job", spec.key, id(job)), path)
    sweep = jobs.load(path)
    if sweep is None or not len(sweep.table):
        return None
    return on_screen(screen, sweep, ("file", spec.key, len(sweep.table)), path)


def _draw_progress(spec: SweepSpec, job: Job) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-progress"):
        with st.container(key="sweep-bar", width="stretch"):
            growing.part(_draw_bar, "sweep-bar", partial(_bar, spec))(spec)
        if not job.cancelled.is_set():
            st.button(
                "Stop",
                key="stop-sweep",
                icon=":material/stop:",
                on_click=jobs.stop,
                args=(spec,),
                help="Ends the sweep; what is finished is kept",
            )
    growing.part(_live, "sweep-live", partial(_n_finished, spec), _EVERY)(spec)


def _draw_bar(spec: SweepSpec) -> None:
    """How far a sweep is."""
    done, told = _bar(spec)
    st.progress(done, text=told)


def _bar(spec: SweepSpec) -> tuple[float, str]:
    job = jobs.find(spec)
    return (1.0, "Done") if job is None else (job.progress, _progress_text(job))


def _progress_text(job: Job) -> str:
    if job.cancelled.is_set():
        return "Stopping …"
    if job.status == Status.WAITING:
        return "Another sweep is under way: this one waits for its turn."
    if job.told is None or job.told.progress is None:
        return "Starting …"
    left = "" if job.seconds_left is None else f", about {seconds(job.seconds_left)} left"
    had = f" ({count(job.told.n_had, 'fit')} from before)" if job.told.n_had else ""
    return f"{job.iteration:,} of {count(job.n_rounds, 'fit')} done{had}{left}"


def _so_far(spec: SweepSpec) -> tuple[jobs.Told | None, Sweep | None]:
    job = jobs.find(spec)
    told = job.told if job is not None else None
    return told, told.look() if told is not None else None


def _n_finished(spec: SweepSpec) -> int:
    sweep = _so_far(spec)[1]
    return 0 if sweep is None else len(sweep.table)


def _live(spec: SweepSpec) -> None:
    """Its pictures as they fill."""
    told, sweep = _so_far(spec)
    if told is None or sweep is None or not len(sweep.table):
        st.skeleton(height=320)
        return
    screen = last()
    stamp = ("live", spec.key, len(sweep.table))
    swept = on_screen(screen, sweep, stamp, told.path, is_running=True)
    pictures.draw_points(swept, screen.colours, "live")
    table.draw_points(swept)


def draw_sentence(swept: Swept) -> None:
    """Draw the sentence that reads a sweep, and what to make of it."""
    sentence, verdict = words.conclusion(swept)
    st.html(f'<div><p class="headline">{escape(sentence)}</p><p class="verdict">{escape(verdict)}</p></div>')
    _draw_edges(swept)


def _draw_edges(swept: Swept) -> None:
    """Say where the best point lies at the end of what was tried, and offer what is beyond."""
    for name, at_top in edges(swept).items() if not swept.is_running else ():
        axes = decode_axes(state.get("sweep_axes"), swept.sweep.algorithm.__name__)
        axis = next((axis for axis in axes if axis.name == name and axis.is_range), None)
        label, end = param_label(swept.params[name]), "largest" if at_top else "smallest"
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"edge-{name}"):
            said = f"The best point has the {end} {label} that was tried: a better one may lie beyond."
            st.html(f'<p class="note">{escape(said)}</p>', width="stretch")
            if axis is not None:
                wider = widened(axis, swept.params[name], at_top)
                new = tuple(wider if one.name == name else one for one in axes)
                told = f"{label} from {wider.low:,.10g} to {wider.high:,.10g}, {wider.n} values"
                act(f"Widen the range of {label}", f"widen-{name}", told, _widen, new)


def _widen(axes: tuple[Axis, ...]) -> None:
    state.put("sweep_axes", encode_axes(axes))
