"""What a sweep would take, why it cannot start, and the buttons that start one."""

from __future__ import annotations

from functools import partial
from html import escape

import streamlit as st

from ltr_core.sweeps import Estimate, FitStatus, params_of

from ..kit import growing
from ..runs.screens import Screen
from ..session.screen import last
from ..style.words import count, param_label, run_names
from . import form, jobs, words
from .fields import address
from .specs import SweepSpec, axis_around

_EXAMPLE = "MPBoost", {"n_rounds": 60}, "lam"


def draw(screen: Screen, spec: SweepSpec) -> None:
    """Draw what the sweep would take, or why it cannot start, and the button.

    The button is no part of what looks again by itself: a click must not meet a fragment that is just gone.
    """
    problem = form.problem_of(spec) if screen.splits is not None else "There are no data to sweep on."
    text, name, n_had = (problem, "Start", 0) if problem else _standing(spec)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-start"):
        with st.container(key="sweep-estimate", width="stretch"):
            if text:
                _say(text)
            else:
                measured = jobs.estimate(spec, screen.entry)
                of = None if measured and measured.is_settled else partial(_told, spec, n_had)
                growing.part(_estimate, "estimate", of)(spec, n_had)
        st.button(
            name,
            type="primary",
            key="start-sweep",
            disabled=bool(text),
            on_click=_start,
            args=(screen, spec),
            icon=":material/play_arrow:",
        )


def _standing(spec: SweepSpec) -> tuple[str, str, int]:
    """Return why nothing can be started (empty: it can), the button's name, and how many fits there are."""
    job = jobs.find(spec)
    if job is not None and not job.is_over:
        return "This sweep is under way.", "Start", 0
    held = jobs.load(jobs.path_of(spec))
    if held is not None and held.stopped == FitStatus.DONE:
        return "This sweep is finished: its results are below.", "Start", 0
    n_had = held.n_trained if held is not None else 0
    return "", "Continue" if n_had else "Start", n_had


def _estimate(spec: SweepSpec, n_had: int) -> None:
    _say(_told(spec, n_had))


def _told(spec: SweepSpec, n_had: int) -> str:
    """Return what the sweep would take, which is not known before fits have been measured."""
    measured = jobs.estimate(spec, last().entry)
    if measured is None:
        n_points = spec.question().n_points
        return f"{count(n_points, 'point')}. Measuring some fits to say how long it takes …"
    known = measured.known
    return known if isinstance(known, str) else words.estimate(spec, known, n_had, bool(address()))


def _say(text: str) -> None:
    st.html(f'<p class="verdict" role="status">{escape(text)}</p>')


def _start(screen: Screen, spec: SweepSpec) -> None:
    where = address()
    if refused := jobs.refusal(where):
        st.toast(f"{refused} Empty the field under “Cluster”.")
        return
    measured, n_fits = jobs.measured(spec), spec.question().n_points
    n_fits *= len(spec.cuts) * len(spec.seeds)
    if measured is not None and isinstance(measured.known, Estimate):
        n_fits = measured.known.n_fits
    jobs.start(spec, screen.entry, label_of(spec), n_fits, where)


def label_of(spec: SweepSpec) -> str:
    """Return what a sweep is called in the list of what is under way."""
    known = params_of(spec.recipe.algorithm)
    names = ", ".join(param_label(known[axis.name]) for axis in spec.axes)
    return f"Sweep of {names}, {run_names([spec.recipe])[0]}"


def draw_example(screen: Screen, spec: SweepSpec) -> None:
    """Draw what a sweep is for, and the button that fills the page."""
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
            help=f"Seven values of λ around 1, {_EXAMPLE[1]['n_rounds']} rounds each: some seconds",
        )


def _example(screen: Screen) -> None:
    algorithm, fixed, name = _EXAMPLE
    form.fill(algorithm, fixed, (axis_around(params_of(algorithm)[name], None),))
    spec = form.described(screen)
    jobs.start(spec, screen.entry, label_of(spec), spec.question().n_points)
