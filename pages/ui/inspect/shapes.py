"""What a feature's value adds: shape functions, and the class centers that stand in for them."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ..charts.models import draw_panels, draw_shape
from ..kit import panel
from ..kit.drawn import drawn
from ..tables import model as tables
from ..tables.model import MOST_PANELS, Inspected
from .importance import choose_feature, chosen_feature


def one_feature(inspected: Inspected) -> None:
    """Draw what the values of the feature looked at add."""
    name = chosen_feature(inspected)
    steps = tables.shape_steps(inspected, name)
    note = "what its value adds to the score, on the scale of all; grey: where the training documents lie"
    with panel.panel("One feature", note, lambda: panel.csv(steps, "shape")):
        choose_feature(inspected)
        values = inspected.train.X[:, inspected.names.index(name)]
        shown = [steps["value"], *(tables.shape_steps(inspected, n)["value"] for n in _most(inspected))]
        span = min(v.min() for v in shown), max(v.max() for v in shown)
        figure = drawn(draw_shape, steps, name, "added to the score", values, span=span, **_look(inspected))
        panel.chart(figure, f"The step function of {name}: what each value adds to the score", "shape")


def all_features(inspected: Inspected) -> None:
    """Draw the most important features side by side."""
    names = _most(inspected)
    frame = pd.concat([tables.shape_steps(inspected, n) for n in names], ignore_index=True)
    some = len(inspected.names) > len(names)
    note = f"the {len(names)} most important, on one scale" if some else "on one scale"
    with panel.panel("All features", note, lambda: panel.csv(frame, "shapes")):
        figure = drawn(draw_panels, frame, **_look(inspected))
        panel.chart(figure, "A small step function for each of the most important features", "shapes")


def _most(inspected: Inspected) -> list[str]:
    return tables.order_of(inspected)[:MOST_PANELS]


def _look(inspected: Inspected) -> dict[str, Any]:
    return {"colours": inspected.screen.colours, "look": inspected.look}


def class_centers(inspected: Inspected) -> None:
    """Draw the class centers of the feature looked at, and of the most important ones."""
    frame = tables.class_centers(inspected)
    name = chosen_feature(inspected)
    note = "the mean value in each class; 1 is the worst class"
    with panel.panel("Class centers", note, lambda: panel.csv(frame, "centers")):
        choose_feature(inspected)
        one = frame[frame["feature"] == name].dropna()
        if len(one):
            figure = drawn(draw_shape, one, "class", name, markers=True, **_look(inspected))
            panel.chart(figure, f"The class centers of {name} by class", "center")
        else:
            st.caption(f"{name} is not used up to this round.")
        shown = [n for n in tables.order_of(inspected) if n in set(frame["feature"])][:MOST_PANELS]
        parts = pd.concat([frame[frame["feature"] == n] for n in shown]) if shown else frame
        figure = drawn(draw_panels, parts, shared=False, markers=True, **_look(inspected))
        panel.chart(figure, "The class centers of the most important features, a panel for each", "centers")
