"""The distances on Shapes: their parameters in hand, their curves, and the three verdicts on each."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from ltr_core import DISTANCES

from ..charts.functions import draw_distances
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.html import swatch
from ..kit.marks import table
from ..kit.terms import marked
from ..runs.presets import DISTINCT
from ..runs.screens import Run, Screen
from ..session import state
from ..session.bound import bound
from ..style.theme import Stroke, stroke
from ..tables import distances as tables
from ..tables.distances import FORMULAS, DistanceParams

NAMES = (*FORMULAS, "table")
_SLOTS = {"binary": 0, "ldd": 1, "logdd": 2, "logitdd": 4, "table": 6}  # as the runs of the first preset
_SLIDERS = {"alpha": ("ldd", "α"), "lam": ("logdd", "λ"), "beta": ("logitdd", "β")}
_VERDICTS = ("(3)", "(4)", "(9)")


def looks(screen: Screen) -> dict[str, Stroke]:
    """Return the stroke of each distance: that of the run on screen that uses it, if there is one."""
    used = {run.recipe.values().get("ddf"): run.slot for run in reversed(screen.runs)}
    return slot_looks(screen, used, _SLOTS)


def slot_looks(screen: Screen, used: Mapping[Any, int], usual: Mapping[str, int]) -> dict[str, Stroke]:
    """Return the stroke of each name: its slot where it is `used`, else a free one, the `usual` first."""
    free = [slot for slot in (*usual.values(), *DISTINCT) if slot not in used.values()]
    looks = {}
    for name, slot in usual.items():
        if name in used:
            looks[name] = screen.looks[used[name]]
            continue
        slot = slot if slot in free else next(iter(free), slot)
        free = [other for other in free if other != slot]
        looks[name] = stroke(slot, False, screen.colours)
    return looks


def choose_part(screen: Screen) -> str:
    """Draw the choice of what is shown, and say on which data; return the choice."""
    part = state.get("shape_part")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        panel.choose("shape_part")
        if screen.splits is not None:
            whose = "The table’s grades" if part == "gains" else "Grades and pairs"
            said = f"{whose} are those of {screen.entry.label}, training data."
            st.html(f'<p class="note">{escape(said)}</p>', width="stretch")
    return part


def in_hand(screen: Screen) -> DistanceParams:
    """Return the parameters in hand: what the sliders say, and the own table."""
    alpha, lam, beta = (state.get(f"shape_{name}") for name in _SLIDERS)
    start = tables.filled_table("logdd", DistanceParams(alpha, lam, beta, ()), tables.own_grades(screen))
    return DistanceParams(alpha, lam, beta, tables.fitted_table(state.get("shape_table"), start))


def table_is_shown() -> bool:
    """Whether there is a person's own table to draw."""
    return state.get("shape_ddf") == "table" or state.get("shape_table") is not None


def sliders(screen: Screen) -> None:
    """Draw α, λ and β, each with the way to its calibrated value."""
    marks = looks(screen)
    with st.grid("auto", min_column_width=140, gap="small"):
        for name, (ddf, letter) in _SLIDERS.items():
            param = state.CONTROLS[f"shape_{name}"]
            with st.container(gap=None, key=f"slide-{name}"):
                label = f"{letter} of {DISTANCES[ddf].label}"
                marked = label.replace(letter, f"<b>{letter}</b>", 1)
                st.html(f'<span class="note">{swatch(marks[ddf])} {marked}</span>')
                bound(param.name, st.slider, label, param.low, param.high, step=param.step, quiet=True)
                _draw_calibrate(screen, name, ddf, letter)
    _draw_take(screen)


def _draw_take(screen: Screen) -> None:
    """Offer the distances of the runs at hand, each once: what else a run differs in changes nothing here."""
    offered: dict[tuple[Any, ...], Run] = {}
    for run in screen.runs:
        if run.recipe.values().get("ddf") in DISTANCES:
            offered.setdefault(_distance_of(run), run)
    with st.container(horizontal=True, gap="small", key="take-runs"):
        for run in offered.values():
            told = f"Look at the distance of {run.name}, with its parameter"
            plain = {"type": "tertiary", "icon": ":material/input:"}
            panel.act(f"As in {run.name}", f"shape-of-{run.slot}", told, _take_run, screen, run, **plain)


def _distance_of(run: Run) -> tuple[Any, ...]:
    """Return a run's distance with its parameters."""
    values = run.recipe.values()
    ddf = values["ddf"]
    names = ["ddf_table"] if ddf == "table" else [name for name, (own, _) in _SLIDERS.items() if own == ddf]
    return ddf, *(values[name] for name in names)


def _take_run(screen: Screen, run: Run) -> None:
    values = run.recipe.values()
    ddf = values["ddf"]
    state.put("shape_ddf", ddf)
    if ddf == "table":
        state.put("shape_table", values["ddf_table"])
    for name, (own, _) in _SLIDERS.items():
        if own == ddf:
            value = tables.calibrated(screen, ddf) if values[name] is None else values[name]
            param = state.CONTROLS[f"shape_{name}"]
            value = param.default if value is None else round(value, 2)
            state.put(param.name, min(max(value, param.low or 0.0), param.high or value))


def _draw_calibrate(screen: Screen, name: str, ddf: str, letter: str) -> None:
    value, param = tables.calibrated(screen, ddf), state.CONTROLS[f"shape_{name}"]
    low, high = param.low or 0.0, param.high or 0.0
    if value is None or not low <= value <= high:
        return
    nearest = round(value, 2)
    what = "The value MPBoost takes" if ddf == "logitdd" else "Mean distance 1 over the training pairs"
    st.button(
        f"Calibrate: {nearest:g}",
        key=f"calibrate-{name}",
        type="tertiary",
        icon=":material/tune:",
        on_click=state.put,
        args=(param.name, nearest),
        help=f"{what}: exactly {letter} = {value:.6g}",
    )


def curves(screen: Screen, params: DistanceParams) -> None:
    """Draw the distances as curves: Figure 2 of the paper."""
    grades = tables.grades_at_hand(screen)
    own = tables.own_grades(screen) if table_is_shown() else None
    span = float(max(grades[-1] - grades[0], own[-1] if own is not None else 0.0)) or 1.0
    frame = tables.distance_curves(params, 1.04 * span)
    points = tables.distance_points(params, grades, own)
    few = len(grades) <= tables.MOST_DOTS
    note = "dots: the differences in the training data" if few else "the grades at hand are continuous"
    with panel.panel("Directed distances", note, lambda: panel.csv(frame.dropna(), "distances")):
        figure = drawn(draw_distances, frame, looks(screen), points, state.get("shape_ddf"), screen.colours)
        alt = "The directed distance of two grades by their difference, a curve for each function"
        panel.chart(figure, alt, "ddf")


def verdicts(screen: Screen, params: DistanceParams) -> None:
    """Show the three verdicts for every distance."""
    frame = tables.reports(screen, params, NAMES if table_is_shown() else FORMULAS)
    marks = looks(screen)
    hints = [("", marked(key)) for key in _VERDICTS]
    rows = []
    for row in frame.to_dict("records"):
        name = f'<th scope="row" class="left">{swatch(marks[row["name"]])} {row["label"]}</th>'
        if row["problem"]:
            rows.append(f'{name}<td colspan="5" class="left muted">no verdict on these grades</td>')
            continue
        ticks = "".join(
            '<td class="better">✓</td>' if row[k] else '<td class="worse">✗</td>' for k in _VERDICTS
        )
        rows.append(f"{name}<td>{row['mean']:.3f}</td><td>{row['low']:.2f} – {row['high']:.2f}</td>{ticks}")
    where = "distances over the training pairs; (3), (4), (9) are the MPBoost paper's"
    with panel.panel("What the MPBoost paper asks for", where, lambda: panel.csv(frame, "verdicts")):
        st.html(table([("", ""), ("", "mean |dist|"), ("", "range"), *hints], rows))
