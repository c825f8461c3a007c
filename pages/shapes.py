"""Shapes: distances between grades, losses of a pair, gains and discounts, their parameters in hand."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.shapes import losses as loss_parts
from pages.ui.shapes import parts as shape_parts
from pages.ui.shapes import table_parts as shape_table_parts

screen = frame.current()


def distances() -> None:
    """The distances: curves, sliders, verdicts, and one of them looked at closely."""
    seen = last()
    held = shape_parts.values(seen)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        shape_parts.sliders(seen)
        shape_parts.curves(seen, held)
        shape_parts.overview(seen, held)
    with right:
        shape_table_parts.chosen(seen, held)
    mirror.settle()


def losses() -> None:
    """The losses against the margin."""
    seen = last()
    held = shape_parts.values(seen)
    loss_parts.losses(seen, held)
    loss_parts.loss_table(seen, held)
    mirror.settle()


part = shape_parts.choose_part()
if part == "distances":
    st.fragment(distances)()
elif part == "losses":
    st.fragment(losses)()
else:
    loss_parts.gains_and_discounts(screen)
