"""The pictures of the pages: each asks `results` once, draws once, and says in words what it shows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from html import escape

import pandas as pd
import streamlit as st

from ..app.jobs_panel import poll_seconds
from ..charts.curves import draw_curves
from ..charts.depths import draw_depths
from ..charts.growing import describe_growing
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.presets import Preset
from ..runs.screens import Screen, last
from ..session import mirror, state
from ..style.words import SPLIT_NAMES
from ..tables import results

_HEIGHT = 300
_MOMENT = 2.5  # seconds
_SPLIT_WORDS = {"train": "train", "valid": "valid", "test": "test", "all": "all"}


def headline(screen: Screen) -> None:
    """The sentence that reads the comparison."""
    said = results.headline(screen) if screen.splits is not None else None
    if said is not None:
        text, below = said.sentence, said.verdict
    elif screen.under_way:
        text, below = (
            "Training …",
            "The sentence that reads the comparison comes here when two runs are done.",
        )
    elif len(screen.finished) == 1:
        text, below = (
            f"{screen.finished[0].name} is trained.",
            "Add a second run, and read here which one is better.",
        )
    else:
        return
    st.html(f'<div><p class="headline">{escape(text)}</p><p class="verdict">{escape(below)}</p></div>')


def measure_curves(screen: Screen, key: str, axes: bool = False) -> None:
    """The measure by round; with `axes` the control of the round axis stands here, else beside the loss."""
    split = state.get("curve_split")
    said = splits_said(split, marks_said(screen))
    _curves(
        screen, key, "measure", split, f"{screen.measure.label} by round", said, screen.measure.label, axes
    )


def loss_curves(screen: Screen, key: str) -> None:
    """The loss by round."""
    split, relative = state.get("loss_split"), state.get("loss_scale") == "relative"
    unit = "loss, untrained = 1" if relative else "loss"
    _curves(
        screen, key, "loss", split, "Loss by round", splits_said(split, "each algorithm's own"), unit, True
    )


def _curves(
    screen: Screen, key: str, what: str, split: str, title: str, said: str, unit: str, axes: bool
) -> None:
    relative = what == "loss" and state.get("loss_scale") == "relative"
    frame = results.curves(screen, what, split, relative)
    with panel.panel(title, said, lambda: curve_tools(what, frame, key, axes)):
        if screen.under_way:
            st.fragment(_live, run_every=poll_seconds())(what, split, unit)
            return
        looks = {run.slot: run.look for run in screen.runs}
        figure = drawn(
            draw_curves,
            frame,
            looks,
            unit,
            results.best_points(screen),
            state.get("log_rounds"),
            what == "loss" and state.get("log_loss"),
            screen.colours,
            _HEIGHT,
        )
        panel.chart(figure, f"{title} {said}, a line for each run", key)


def curve_tools(what: str, frame: pd.DataFrame, key: str, axes: bool) -> None:
    """The controls of a picture of curves."""
    panel.choose("loss_split" if what == "loss" else "curve_split", _SPLIT_WORDS)
    if axes:
        with st.popover(
            "Axes and units",
            icon=":material/tune:",
            type="tertiary",
            help="Axes and units",
            key=f"axes-{key}",
        ):
            panel.switch("log_rounds", "Rounds on a log axis")
            if what == "loss":
                panel.switch("log_loss", "Loss on a log axis")
                panel.choose("loss_scale", {"relative": "Relative to the start", "raw": "Raw"})
    panel.csv(frame, key)


def splits_said(split: str, more: str) -> str:
    """Say on which data a curve is and what else there is to say; or how all three are told apart."""
    if split == "all":
        return "test in full, validation paler, training palest"
    return f"on {SPLIT_NAMES[split]}; {more}"


def marks_said(screen: Screen) -> str:
    """Say what the markers of a curve are."""
    if screen.score_at == "last":
        return "filled: the last round, hollow: the best on validation"
    return "the marker is the best round on validation"


def _live(what: str, split: str, y_title: str) -> None:
    screen = last()
    growing(screen, results.live_curves(screen, what, split), y_title, _HEIGHT)


def _have_just_begun(screen: Screen) -> bool:
    jobs = [state.jobs().get(run.spec.key) for run in screen.runs]
    begun = [job.started for job in jobs if job is not None and job.started]
    return None not in jobs and (not begun or time.monotonic() - min(begun) < _MOMENT)


def growing(screen: Screen, frame: pd.DataFrame, y_title: str, height: int) -> None:
    """Draw curves as they grow: a column for each run, or for each of its trainings.

    Runs that are all new and trained in a moment are drawn when they are done: the library that draws what
    grows takes as long to load, here and in the browser.
    """
    if _have_just_begun(screen) or not frame.notna().to_numpy().any():
        st.skeleton(height=height)
        return
    colours = {run.name: run.look.colour for run in screen.runs}
    lines = [colours.get(name) or colours[name.rpartition(", ")[0]] for name in frame.columns]
    points, spec = describe_growing(frame, lines, y_title)
    st.vega_lite_chart(points, spec, height=height, width="stretch", alt=f"{y_title} by round, growing")


def depths(screen: Screen, key: str) -> None:
    """The measure by depth."""
    label = results.depth_measure(screen.measure).label.partition("@")[0]
    frame = results.by_depth(screen)
    with panel.panel(
        f"{label}@1 … {label}@10", "on test, at the round compared", lambda: panel.csv(frame, key)
    ):
        if frame.empty:
            st.skeleton(height=_HEIGHT)
            return
        looks = {run.slot: run.look for run in screen.runs}
        figure = drawn(draw_depths, frame, looks, f"{label}@k", screen.colours, _HEIGHT)
        panel.chart(figure, f"{label} at depths 1 to 10 on test, a line for each run", key)


def preset_cards(presets: Sequence[Preset]) -> None:
    """A card for each preset."""
    with st.container(key="cards"), st.grid("auto", min_column_width=280, gap="small") as grid:
        for preset in presets:
            with grid.cell(), st.container(border=True, key=f"card-{preset.name}", gap="xsmall"):
                st.html(
                    f'<h3 class="panel">{escape(preset.title)}</h3><p class="note">{escape(preset.paper)}</p>'
                    f'<p class="card">{escape(preset.text)}</p>'
                )
                values = {"data": preset.data, **preset.controls}
                link = mirror.link_to(values, preset.workspace(), in_full=True)
                panel.open_in_compare("Open this comparison", link)
