"""What a model rests on, feature by feature: its importances, its weights, and the feature looked at."""

from __future__ import annotations

import streamlit as st

from ..charts.models import draw_bars
from ..kit import panel
from ..session import state
from ..session.bound import bound, clicked
from ..tables import model as tables
from ..tables.model import MOST_BARS, Inspected


def chosen_feature(inspected: Inspected) -> str:
    """Return the feature looked at: the one asked for, or the most important one."""
    name = state.get("look_feature")
    return name if name in inspected.names else tables.order_of(inspected)[0]


def choose_feature(inspected: Inspected) -> str:
    """Draw the choice of the feature, and return it."""
    name, names = chosen_feature(inspected), tables.order_of(inspected)
    bound("look_feature", st.selectbox, "Feature", names, shows=name, quiet=True)
    return name


def bars(inspected: Inspected) -> None:
    """Draw the importances; a click on one looks into its feature."""
    frame = tables.importances(inspected)
    note = "shares of the whole; a click looks into a feature"
    if len(frame) > MOST_BARS:
        note = f"the first {MOST_BARS} of {len(frame):,}; {note}"
    if inspected.folds:
        note = f"{note}; strokes: from the lowest to the highest of {len(inspected.folds)} folds"
    with panel.panel("Feature importance", note, lambda: panel.csv(frame, "importance")):
        if frame.empty:
            st.caption("This model tells no importances.")
            return
        shown = frame.head(MOST_BARS)
        feature, colours = chosen_feature(inspected), inspected.screen.colours
        figure = draw_bars(shown, "importance", "share of the whole", feature, colours, inspected.look)
        alt = "The importance of each feature as bars, the largest first"
        panel.clickable(figure, alt, "importance", clicked("look_feature", "importance"))


def weights(inspected: Inspected) -> None:
    """Draw the weights of a linear model, those of each of its hyperplanes."""
    frame = tables.weights(inspected)
    parts = list(dict.fromkeys(frame["part"]))
    feature, colours = chosen_feature(inspected), inspected.screen.colours
    note = "on the scaled features; the largest first"
    with panel.panel("Weights", note, lambda: panel.csv(frame, "weights")):
        for part in parts:
            rows = frame[frame["part"] == part]
            order = rows["weight"].abs().sort_values(ascending=False, kind="stable").index[:MOST_BARS]
            which = part if len(parts) > 1 else ""
            if which:
                st.caption(which)
            figure = draw_bars(rows.loc[order], "weight", "weight", feature, colours, inspected.look)
            panel.chart(figure, f"The weight of each feature {which}", f"weights-{part}")
