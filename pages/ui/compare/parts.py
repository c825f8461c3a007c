"""The pieces of Compare: how it is looked at, what is under way, the curves, the run table, what differs."""

from __future__ import annotations

from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from ..app.jobs_panel import poll_seconds
from ..charts.curves import draw_curves, draw_multiples
from ..charts.depths import draw_depths
from ..kit import html as tables
from ..kit import panel
from ..kit.drawn import drawn
from ..runs import plan
from ..runs.screens import Screen, last
from ..session import bound, state
from ..style.words import count, seconds
from ..tables import repeats, results
from ..tables.configurations import differences as differing
from ..tables.repeats import Repeated
from . import pictures

_LAYOUTS = {"overlay": "Overlay", "multiples": "Side by side"}
_REPEATS = {"one": "This split", "folds": "All folds", "seeds3": "3 seeds", "seeds5": "5 seeds"}
_HEIGHT = 300
_MOST_COLUMNS = 5  # runs beside one another in half the page


def controls(screen: Screen, seen: Repeated | None) -> None:
    """How the curves are laid out, and how often each run is trained."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-view"):
        panel.choose("layout", _LAYOUTS)
        bound.segments(
            "repeat", "Trained", plan.choices(screen.entry), screen.repeat, lambda kind: _REPEATS[kind]
        )
        if seen is not None:
            st.html(
                f'<p class="note">Each run on {seen.n} {seen.word}; '
                "the other pages show the split on the left.</p>",
                width="stretch",
            )
    if screen.under_way or (seen is not None and seen.under_way):
        st.fragment(_progress, run_every=poll_seconds())()


def _progress() -> None:
    """Say how far the trainings are: on a narrow screen the sidebar is folded away."""
    parts = []
    for job in state.jobs().values():
        if job.state == "running" and job.iteration:
            left = "" if job.seconds_left is None else f", {seconds(job.seconds_left)} left"
            parts.append(f"{job.label}: round {job.iteration} of {job.n_rounds}{left}")
    waiting = sum(job.state == "waiting" for job in state.jobs().values())
    if waiting:
        parts.append(f"{count(waiting, 'training')} waiting")
    st.html(f'<p class="note" role="status">{escape(" · ".join(parts)) or "starting …"}</p>')


def headline(screen: Screen, seen: Repeated | None) -> None:
    """The sentence that reads the comparison."""
    if seen is None:
        pictures.headline(screen)
        return
    said = results.read_headline(repeats.comparison(seen), screen.measure)
    if said is not None:
        text, below = said.sentence, f"{said.verdict} {_kept(seen)}"
    elif seen.under_way:
        total = sum(len(group.specs) for group in seen.groups.values())
        text = f"Training on {seen.n} {seen.word} …"
        below = f"{total} trainings. Those that are done are kept, also when you stop."
    elif len(seen.runs) == 1:
        text = f"{seen.runs[0].name} is trained on {seen.n} {seen.word}."
        below = "Add a second run, and read here which one is better."
    else:
        return
    st.html(f'<div><p class="headline">{escape(text)}</p><p class="verdict">{escape(below)}</p></div>')


def _kept(seen: Repeated) -> str:
    if seen.word == "folds":
        return f"The test queries of all {seen.n} folds count together."
    same = repeats.unmoved(seen)
    if len(same) == len(seen.runs):
        return "The seed changes nothing here: none of these runs draws anything at random."
    whose = f"Each query counts once, with its mean over {seen.n} seeds."
    return whose + (f" The seed changes nothing for {', '.join(same)}." if same else "")


def loss_curves(screen: Screen, seen: Repeated | None) -> None:
    """The loss by round."""
    if seen is None and state.get("layout") == "overlay":
        pictures.loss_curves(screen, key="compare-loss")
        return
    unit = "loss, untrained = 1" if state.get("loss_scale") == "relative" else "loss"
    said = pictures.splits_said(state.get("loss_split"), "each algorithm's own")
    _curves(screen, seen, "loss", "Loss by round", said, unit)


def measure_curves(screen: Screen, seen: Repeated | None) -> None:
    """The measure by round."""
    if seen is None and state.get("layout") == "overlay":
        pictures.measure_curves(screen, key="compare-curve")
        return
    said = pictures.splits_said(state.get("curve_split"), pictures.marks_said(screen))
    _curves(screen, seen, "measure", f"{screen.measure.label} by round", said, screen.measure.label)


def _curves(screen: Screen, seen: Repeated | None, what: str, title: str, said: str, unit: str) -> None:
    is_loss, key = what == "loss", "compare-loss" if what == "loss" else "compare-curve"
    split = state.get("loss_split" if is_loss else "curve_split")
    relative = is_loss and state.get("loss_scale") == "relative"
    if seen is None:
        frame, marks = results.curves(screen, what, split, relative), results.best_points(screen)
    else:
        frame, marks = repeats.curves(seen, what, split, relative), repeats.best_points(seen)
        rest = "each algorithm's own" if is_loss else "markers: rounds compared"
        if state.get("layout") == "multiples":  # which have no legend
            rest = f"mean of {seen.n} {seen.word} ± 1 standard deviation"
        said = pictures.splits_said(split, rest)
        said += f"; {rest}" if split == "all" and state.get("layout") == "multiples" else ""
    busy = screen.under_way if seen is None else seen.under_way
    with panel.panel(title, said, lambda: pictures.curve_tools(what, frame, key, axes=is_loss)):
        if busy:
            st.fragment(_live, run_every=poll_seconds())(what, split, unit, seen is not None)
            return
        looks = {run.slot: run.look for run in screen.runs}
        log_x, log_y = state.get("log_rounds"), is_loss and state.get("log_loss")
        if state.get("layout") == "multiples":
            base = screen.baseline.slot if screen.baseline else None
            figure = drawn(draw_multiples, frame, looks, unit, marks, log_x, log_y, screen.colours, base)
            how = "a small picture for each run, the baseline dotted in all of them"
        else:
            told = f"{seen.n} {seen.word}" if seen else ""
            how = "a line for each run"
            size = (_HEIGHT, told)
            figure = drawn(draw_curves, frame, looks, unit, marks, log_x, log_y, screen.colours, *size)
        mean = f", means of {seen.n} {seen.word} in a band of ± 1 standard deviation" if seen else ""
        panel.chart(figure, f"{title} {said}, {how}{mean}", key)


def _live(what: str, split: str, unit: str, repeated: bool) -> None:
    """The curves as they grow."""
    screen = last()
    seen = repeats.read(screen) if repeated else None
    frame = repeats.live_curves(seen, what, split) if seen else results.live_curves(screen, what, split)
    pictures.growing(screen, frame, unit, _HEIGHT)


def _depths(screen: Screen, seen: Repeated | None) -> None:
    """The measure by depth."""
    if seen is None:
        pictures.depths(screen, key="compare-depths")
        return
    label, frame = results.depth_measure(screen.measure).label.partition("@")[0], repeats.by_depth(seen)
    said = f"on test, mean of {seen.n} {seen.word}"
    with panel.panel(f"{label}@1 … {label}@10", said, lambda: panel.csv(frame, "compare-depths")):
        if frame.empty:
            st.skeleton(height=_HEIGHT)
            return
        looks = {run.slot: run.look for run in screen.runs}
        told = f"{seen.n} {seen.word}"
        figure = drawn(draw_depths, frame, looks, f"{label}@k", screen.colours, _HEIGHT, told)
        panel.chart(figure, f"{label} at depths 1 to 10 {said}, a line for each run", "compare-depths")


def run_table(screen: Screen, seen: Repeated | None) -> None:
    """The run table."""
    rows = results.run_table(screen) if seen is None else repeats.run_table(seen)
    looks = {run.slot: run.look for run in screen.runs}
    base = screen.baseline.slot if screen.baseline else None

    def tools() -> None:
        panel.choose("score_at", {"best": "at the best round on validation", "last": "at the last round"})
        panel.csv(rows, "runs")

    with panel.panel("Runs", f"{screen.measure.label} on {escape(screen.entry.label)}", tools):
        repeated = f"{seen.n} {seen.word}" if seen else ""
        better = screen.measure.higher_is_better
        table = tables.run_table_html(
            rows, looks, screen.measure.label, base, _sparks(screen, seen), repeated, better
        )
        st.html(table)
        if seen is not None:
            _unfinished(seen)


def _sparks(screen: Screen, seen: Repeated | None) -> dict[int, Any]:
    if seen is None:
        return {run.slot: results.measure_curve(screen, run.trained, "test") for run in screen.finished}
    return {run.slot: repeats.stack(seen, run, "measure", "test").mean(0) for run in seen.runs}


def _unfinished(seen: Repeated) -> None:
    """Say which repetitions were stopped or failed, and offer to go on."""
    for run in seen.screen.runs:
        group = seen.groups[run.slot]
        if group.runs or group.job is None or group.is_under_way or group.job.state == "done":
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            done = f"{group.n_done} of {len(group.specs)} {seen.word} are trained"
            why = f"stopped: {done}" if group.job.state != "failed" else f"did not train. {group.job.error}"
            st.html(f'<p class="note">{escape(run.name)} {escape(why)}</p>', width="stretch")
            st.button(
                "Train the rest",
                key=f"rest-{run.slot}",
                on_click=state.forget_job,
                args=(group.key,),
                help=f"Go on with {run.name}: what is trained already is kept",
            )


def depths_and_differences(screen: Screen, seen: Repeated | None) -> None:
    """The measure by depth and the configurations: side by side where there is room for both."""
    frame = differing([(run.name, run.recipe) for run in screen.runs], state.get("all_params"))
    turned = len(frame.columns) > _MOST_COLUMNS >= len(frame)  # many runs, few parameters: a row for each run
    wide = len(frame.columns) > _MOST_COLUMNS and not turned
    left, right = (st.container(), st.container()) if wide else st.columns(2, gap="medium")
    with left:
        _depths(screen, seen)
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
        st.html(tables.plain_table_html(frame, {run.name: run.look for run in screen.runs}))
