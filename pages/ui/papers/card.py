"""The card of an exhibit: what it is, its settings, how far it is, what it came to, where to go on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ltr_core import DataError, ParameterError

from ..kit import growing, panel
from ..kit.form import draw_params
from ..runs.jobs import Job
from ..runs.status import Status
from ..session import state
from ..style.sentences import on_screen
from ..style.theme import Palette
from ..style.words import count, seconds
from . import pictures, results, ways
from .results import Held
from .shown import Shown
from .verdicts import verdicts_html

# Results stored with the program count without the comma that the tables have.
_COUNT = re.compile(r"\b\d{4,}(?= (?:\w+ )?(?:queries|documents|pairs))")
_OPENED = "_papers_opened"  # whether this session has had an exhibit on screen


def draw_head(shown: Shown) -> None:
    """Draw what the exhibit is, on which data there and here, and what the paper reads in it."""
    exhibit = shown.exhibit
    data = f"Paper: {exhibit.paper_data} Here: {shown.here()}" if exhibit.our_data else ""
    st.html(
        f'<h3 class="panel">{escape(exhibit.name)}. {escape(exhibit.title)}</h3>'
        f'<p class="note">{escape(data)}</p>'
        f'<p class="intro">The paper: {escape(exhibit.finding)}</p>'
    )


def draw_settings(shown: Shown) -> dict[str, Any]:
    """Draw the exhibit's settings; return them."""
    if shown.exhibit.params:
        with st.container(key="exhibit-settings"):
            draw_params(shown.exhibit.params, partial(state.key, shown.owner))
    return shown.values()


def draw_standing(shown: Shown, values: Mapping[str, Any]) -> Held | None:
    """Draw how far the result is and the buttons; return the result that is to be shown."""
    exhibit = shown.exhibit
    if exhibit.compute is None:
        return None
    try:
        held = results.find(shown, values)
        estimate = exhibit.estimate(values)
        if held is None and estimate <= results.AT_ONCE:
            return results.compute_now(shown, values)
    except (DataError, ParameterError) as error:
        st.info(on_screen(error), icon=":material/folder_off:")
        return None
    if exhibit.estimate() <= results.AT_ONCE and held is not None and estimate <= results.AT_ONCE:
        return held
    opened = state.held(_OPENED, set[str])
    first = not opened
    opened.add(shown.owner)
    job = results.job_of(shown, values)
    if first and held is None and job is None and values != exhibit.checked():  # somebody came by a link
        results.start(shown, values)
        st.rerun()  # the frame shows what is under way
    _draw_row(shown, values, held, job, estimate)
    return held


def _draw_row(
    shown: Shown, values: Mapping[str, Any], held: Held | None, job: Job | None, estimate: float
) -> None:
    is_running = job is not None and not job.is_over
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="exhibit-run"):
        with st.container(key="exhibit-standing", width="stretch"):
            if is_running:
                growing.part(_draw_progress, "exhibit", partial(_progress, shown, values))(shown, values)
            else:
                st.html(f'<p class="note" role="status">{escape(_standing(held, estimate))}</p>')
        full = shown.exhibit.in_full
        if full is not None and shown.exhibit.checked(full) != values and not is_running:
            words = ", ".join(f"{value:,} {name.removeprefix('n_')}" for name, value in full.items())
            told = f"The same with {words}, which tells more; its result comes with the program"
            panel.act(f"In full: {words}", "exhibit-full", told, _set, shown, full)
        if is_running:
            told = "Ends it; nothing of it is kept"
            panel.act("Stop", "exhibit-stop", told, results.stop, shown, values, icon=":material/stop:")
        else:
            name = "Run" if held is None else "Run anew"
            more = {"icon": ":material/play_arrow:", "type": "primary" if held is None else "secondary"}
            told = f"Takes about {seconds(estimate)}"
            panel.act(name, "exhibit-start", told, results.start, shown, values, **more)
    if job is not None and job.status == Status.FAILED:
        st.error(job.error, icon=":material/error:")


def _set(shown: Shown, values: Mapping[str, Any]) -> None:
    for name, value in shown.exhibit.checked(values).items():
        state.put(state.key(shown.owner, name), value)


def _standing(held: Held | None, estimate: float) -> str:
    about = (
        f"about {seconds(estimate) if estimate > 60 else f'{max(1, round(estimate))} s'} on two idle cores"
    )
    if held is None:
        return f"These settings have not been run: {about}."
    if held.versions is None:
        return f"Computed here in {seconds(held.seconds)}."
    versions = ", ".join(f"{name} {number}" for name, number in held.versions.items())
    return f"Stored with the program, computed with {versions}. Anew: {about}."


def _draw_progress(shown: Shown, values: Mapping[str, Any]) -> None:
    """How far the result is."""
    done, text = _progress(shown, values)
    st.progress(done, text=text)


def _progress(shown: Shown, values: Mapping[str, Any]) -> tuple[float, str]:
    job = results.job_of(shown, values)
    if job is None:
        return 1.0, "Done"
    if job.cancelled.is_set():
        return job.progress, "Stopping …"
    if job.status == Status.WAITING:
        return job.progress, "Waiting for its turn …"
    left = job.seconds_left
    text = f"{job.iteration:,} of {count(job.n_rounds, 'round')}"
    return job.progress, text + ("" if left is None or left < 0 else f", about {seconds(left)} left")


def draw_result(shown: Shown, values: Mapping[str, Any], held: Held | None, colours: Palette) -> None:
    """Draw verdicts and pictures, and what the paper prints beside them; below them what is too wide."""
    if pictures.is_published_wide(shown.exhibit):
        left, right = st.container(), st.container()
    else:
        left, right = st.columns([8, 4], gap="medium")
    below = st.container()
    with left:
        if held is not None:
            _draw_found(shown, values, held, colours, below)
        elif shown.exhibit.compute is None:
            ways.draw_pages(shown)
        elif (job := results.job_of(shown, values)) is not None and not job.is_over:
            st.skeleton(height=300)
    with right:
        pictures.draw_published(shown.exhibit)


def _draw_found(
    shown: Shown, values: Mapping[str, Any], held: Held, colours: Palette, below: DeltaGenerator
) -> None:
    """Draw verdicts, pictures and the note on them; from the first table that is too wide on, `below`."""
    result = held.result
    if result.verdicts:
        st.html(verdicts_html(shown, result.verdicts, values))
    looks, notes = pictures.looks_of(result.charts, colours), _notes(shown)
    wide = [pictures.is_wide(chart) for chart in result.charts]
    for number, chart in enumerate(result.charts):
        with below if wide[number] else nullcontext():
            pictures.draw(chart, f"{shown.owner}-{number}", looks, colours, notes)
    if result.note:
        with below if any(wide) else nullcontext():
            st.html(f'<p class="note">{escape(_counted(result.note))}</p>')


def _counted(note: str) -> str:
    """Return a note with its counts as the tables print them: 1,200 test queries."""
    return _COUNT.sub(lambda found: f"{int(found[0]):,}", note)


def _notes(shown: Shown) -> tuple[str, ...]:
    """Say below a printed picture what it is of."""
    exhibit = shown.exhibit
    return f"{shown.paper.label}, {exhibit.name}: {exhibit.title}", f"Computed here: {shown.here()}"


def draw_ways(shown: Shown, values: Mapping[str, Any]) -> None:
    """Draw the ways on: other pages, and the Python that computes this."""
    ways.draw(shown, values)
