"""What grades are worth and what ranks count on Shapes, alone and as the measure chosen joins them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ..charts.functions import draw_worths
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.marks import heat_table
from ..runs.screens import Screen
from ..style.theme import Stroke, stroke
from ..tables import losses as tables


def gains(screen: Screen) -> None:
    """Draw what a grade is worth."""
    used, _ = tables.in_use(screen)
    _lines(screen, "gain", tables.gain_curves(screen), "grade r", used, "What a grade is worth")


def discounts(screen: Screen) -> None:
    """Draw what a rank counts."""
    _, used = tables.in_use(screen)
    _lines(screen, "discount", tables.discount_curves(), "rank j", used, "What a rank counts")


def worths(screen: Screen) -> None:
    """Show what a page of each grade adds at each rank."""
    frame = tables.worths(screen)
    said = (
        f"as {screen.measure.label} counts" if any(tables.in_use(screen)) else "with 2ʳ − 1 and 1/log₂(1+j)"
    )
    caption = f"gain × discount, {said}; rows are grades, columns ranks"
    download = frame.rename_axis("grade").reset_index()
    with panel.panel("What a page of a grade adds at a rank", caption, lambda: panel.csv(download, "worths")):
        st.html(heat_table(frame.to_numpy(), list(frame.index), list(frame.columns)))
    st.caption("Which gain and discount are used is chosen on the left, under **Definition**.")


def _lines(screen: Screen, what: str, frame: pd.DataFrame, x_title: str, used: str, title: str) -> None:
    looks = {}
    for slot, name in enumerate(frame["name"].unique()):
        look = stroke(slot, False, screen.colours)
        looks[name] = Stroke(look.colour, look.dash, look.marker, 3.4 if name == used else 2.0)
    star = frame["label"].where(frame["name"] != used, frame["label"] + " ★")
    with panel.panel(title, "★ in use" if used else "", lambda: panel.csv(frame, what)):
        figure = drawn(draw_worths, frame.assign(label=star), looks, x_title, what, screen.colours)
        panel.chart(figure, f"{title}: {what} by {x_title}", what)
