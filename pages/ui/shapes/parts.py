"""The distances on Shapes: sliders, curves, and the three verdicts for each of them."""

from __future__ import annotations

import streamlit as st

from ltr_core import DISTANCES

from ..charts.shapes import draw_distances
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.html import swatch
from ..kit.marks import table
from ..runs.screens import Screen
from ..session import state
from ..style.theme import Palette, Stroke, stroke
from ..tables import distances as results
from ..tables.distances import Values
from .controls import FORMULAS

NAMES = (*FORMULAS, "table")
SLOTS = {"binary": 0, "ldd": 1, "logdd": 2, "logitdd": 4, "table": 6}  # as the runs of the first preset
_SLIDERS = {"alpha": ("ldd", "α"), "lam": ("logdd", "λ"), "beta": ("logitdd", "β")}
_PARTS = {
    "distances": "Distances between grades",
    "losses": "Losses of a pair",
    "gains": "Gains and discounts",
}
_VERDICTS = {
    "(3)": "The sign follows the grades",
    "(4)": "A larger gap is a larger distance",
    "(9)": "|dist| is about 1: its mean lies between one half and two",
}


def looks(colours: Palette) -> dict[str, Stroke]:
    """Return the stroke of each distance."""
    return {name: stroke(slot, False, colours) for name, slot in SLOTS.items()}


def choose_part() -> str:
    """Draw the choice of what is shown, and return it."""
    panel.choose("shape_part", _PARTS)
    return state.get("shape_part")


def values(screen: Screen) -> Values:
    """Return the distances in hand."""
    alpha, lam, beta = (state.get(f"shape_{name}") for name in _SLIDERS)
    start = results.filled_table("logdd", Values(alpha, lam, beta, ()), results.own_grades(screen))
    return Values(alpha, lam, beta, results.fitted_table(state.get("shape_table"), start))


def table_is_shown() -> bool:
    """Whether there is a person's own table to draw."""
    return state.get("shape_ddf") == "table" or state.get("shape_table") is not None


def sliders(screen: Screen) -> None:
    """Draw α, λ and β, each with the way to its calibrated value."""
    marks = looks(screen.colours)
    with st.grid("auto", min_column_width=140, gap="small"):
        for name, (ddf, letter) in _SLIDERS.items():
            param = state.params()[f"shape_{name}"]
            with st.container(gap=None, key=f"slide-{name}"):
                label = f"{swatch(marks[ddf])} <b>{letter}</b> of {DISTANCES[ddf].label}"
                st.html(f'<span class="note">{label}</span>')
                st.slider(
                    f"{letter} of {DISTANCES[ddf].label}",
                    param.low,
                    param.high,
                    step=param.step,
                    key=param.name,
                    persist_state="session",
                    label_visibility="collapsed",
                )
                _draw_calibrate(screen, name, ddf, letter)


def _draw_calibrate(screen: Screen, name: str, ddf: str, letter: str) -> None:
    found, param = results.calibrated(screen, ddf), state.params()[f"shape_{name}"]
    low, high = param.low or 0.0, param.high or 0.0
    if found is None or not low <= found <= high:
        return
    nearest = round(found, 2)
    what = "The value MPBoost takes" if ddf == "logitdd" else "Mean distance 1 over the training pairs"
    st.button(
        f"Calibrate: {nearest:g}",
        key=f"calibrate-{name}",
        type="tertiary",
        on_click=state.put,
        args=(param.name, nearest),
        help=f"{what}: exactly {letter} = {found:.6g}",
    )


def curves(screen: Screen, held: Values) -> None:
    """Draw the distances as curves: Figure 2 of the paper."""
    grades = results.grades_at_hand(screen)
    own = results.own_grades(screen) if table_is_shown() else None
    span = float(max(grades[-1] - grades[0], own[-1] if own is not None else 0.0)) or 1.0
    frame = results.distance_curves(held, 1.04 * span)
    points = results.distance_points(held, grades, own)
    few = len(grades) <= results.MOST_DOTS
    note = "dots: the differences in the training data" if few else "the grades at hand are continuous"
    with panel.panel("Directed distances", note, lambda: panel.csv(frame.dropna(), "distances")):
        figure = drawn(
            draw_distances, frame, looks(screen.colours), points, state.get("shape_ddf"), screen.colours
        )
        alt = "The directed distance of two grades by their difference, a curve for each function"
        panel.chart(figure, alt, "ddf")


def overview(screen: Screen, held: Values) -> None:
    """Show the three verdicts for every distance."""
    frame = results.reports(screen, held, NAMES if table_is_shown() else FORMULAS)
    marks = looks(screen.colours)
    hints = [("", f'<span title="{hint}">{key}</span>') for key, hint in _VERDICTS.items()]
    runs = []
    for row in frame.to_dict("records"):
        name = f'<th scope="row" class="left">{swatch(marks[row["name"]])} {row["label"]}</th>'
        if row["problem"]:
            runs.append(f'{name}<td colspan="5" class="left muted">no verdict on these grades</td>')
            continue
        ticks = "".join(
            '<td class="better">✓</td>' if row[k] else '<td class="worse">✗</td>' for k in _VERDICTS
        )
        runs.append(f"{name}<td>{row['mean']:.3f}</td><td>{row['low']:.2f} – {row['high']:.2f}</td>{ticks}")
    where = "distances over the training pairs; (3), (4), (9) are the paper's conditions"
    with panel.panel("What the paper asks for", where, lambda: panel.csv(frame, "verdicts")):
        st.html(table([("", ""), ("", "mean |dist|"), ("", "range"), *hints], runs))
