"""The losses of a pair on Shapes, by its margin, and who uses them."""

from __future__ import annotations

from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from ltr_core import ALGORITHMS, LOSSES

from ..charts.functions import draw_losses
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.html import swatch
from ..kit.marks import table
from ..runs.screens import Screen
from ..session import state
from ..session.bound import bound
from ..style.theme import Stroke
from ..tables.distances import DistanceParams, grades_at_hand
from ..tables.losses import loss_curves
from .closely import use
from .curves import NAMES, looks, sliders, slot_looks

_LOSS_SLOTS = {
    "exponential": 0, "fidelity": 1, "cross_entropy": 2, "squared_hinge": 4, "hinge": 6, "squared": 5,
    "zero_one": 8,
}  # fmt: skip
_P_DASHES = {0.0: "2px,2px", 0.5: "8px,3px", 1.0: "solid"}


def by_margin(screen: Screen, params: DistanceParams) -> None:
    """Draw the losses against the margin, with slope and curvature."""
    kind, gap = state.get("shape_losses"), 0.0
    if kind == "ddf":
        left, right = st.columns([3, 1], gap="small")
        with left:
            sliders(screen)
        with right:
            gap = _gap(screen)
    tabled = state.get("shape_table") is not None and gap <= len(params.table) - 1
    frame = loss_curves(kind, params, gap, tabled)
    says = {
        "all": "a pair whose better document leads by the margin Δ; P* = 1, distance 1",
        "ddf": f"e^(−d·Δ) for two grades {gap:.4g} apart",
        "frank": "P* is the wanted probability that the first document comes first",
    }

    def tools() -> None:
        panel.choose("shape_losses")
        panel.switch("shape_log", "log")
        panel.csv(frame, "losses")

    with panel.panel("Losses against the margin", f"{says[kind]}; lines go on outside a frame", tools):
        ranges = {"slope": (-3.0, 3.0)} if kind == "frank" else {}
        strokes = loss_looks(screen, frame, kind)
        figure = drawn(draw_losses, frame, strokes, ranges, state.get("shape_log"), screen.colours)
        alt = "Loss, slope and curvature of a pair by its margin, a line for each loss"
        panel.chart(figure, alt, "loss-panels")


def _gap(screen: Screen) -> float:
    """Draw the slider of the gap between two grades, in steps that the grades at hand have."""
    grades = grades_at_hand(screen)
    whole = bool((grades == np.floor(grades)).all())
    top = max(float(grades[-1] - grades[0]), 2.0 if whole else 1e-6)
    step = 1.0 if whole else top / 100
    given = min(max(state.get("shape_gap"), step), top)
    state.put("shape_gap", float(round(given)) if whole else given)
    return bound("shape_gap", st.slider, "Gap between the two grades", step, top, step=step, help=None)


def _by_loss(screen: Screen) -> dict[str, Stroke]:
    """Return the stroke of each loss: that of the first run on screen that is trained on it."""
    used = {
        name: run.slot
        for run in reversed(screen.runs)
        for name, loss in LOSSES.items()
        if run.recipe.algorithm in loss.used_by.split(", ")
    }
    return slot_looks(screen, used, _LOSS_SLOTS)


def loss_looks(screen: Screen, frame: pd.DataFrame, kind: str) -> dict[str, Stroke]:
    """Return the stroke of each line: by distance, or by loss with a dash for each P*."""
    by_distance, by_loss, strokes = looks(screen), _by_loss(screen), {}
    for number, row in enumerate(frame.drop_duplicates("name").itertuples()):
        look = by_distance[NAMES[number]] if kind == "ddf" else by_loss[str(row.loss)]
        dash = _P_DASHES[float(row.p_star)] if kind == "frank" else look.dash  # type: ignore[arg-type]
        strokes[str(row.name)] = Stroke(look.colour, dash, look.marker, look.width)
    return strokes


def used_by(screen: Screen, params: DistanceParams) -> None:
    """Say of each loss what it is and who uses it, and carry it into a run."""
    marks = _by_loss(screen)
    rows = [
        f'<th scope="row" class="left">{swatch(marks[name])} {escape(loss.label)}</th>'
        f'<td class="left">{escape(loss.formula)}</td><td class="left">{escape(loss.used_by)}</td>'
        f'<td class="left">{"bounded" if loss.bounded else "unbounded"}</td>'
        f'<td class="left wrap">{escape(loss.description)}</td>'
        for name, loss in LOSSES.items()
    ]
    st.html(table([("left", text) for text in ("", "formula", "used by", "", "")], rows, "runs tight stack"))
    offers = {"MPBoost": params.for_run(state.get("shape_ddf")), "FRank": {}, "RankNet": {}, "RankSVM": {}}
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html('<span class="note">Use in a run:</span>', width="content")
        for name, given in offers.items():
            if name in ALGORITHMS:
                use(ALGORITHMS[name].label or name, name, given, key=f"use-{name}")
