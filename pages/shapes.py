"""Shapes: distances between grades, losses of a pair, gains and discounts, their parameters in hand."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.kit.net import fragment
from pages.ui.session import mirror
from pages.ui.session.screen import last
from pages.ui.shapes import closely, curves, worths
from pages.ui.shapes import losses as pair_losses

screen = frame.current()


def distances() -> None:
    """The distances: sliders, curves and verdicts, and one of them looked at closely."""
    screen = last()
    params = curves.in_hand(screen)
    # Two columns on a laptop, three on a wide screen, one on a telephone.
    with st.grid("auto", min_column_width=430, gap="medium", key="shapes-grid") as grid:
        first, second, third = grid.cell(), grid.cell(), grid.cell()
    with first:
        curves.sliders(screen)
        curves.curves(screen, params)
    with third:
        curves.verdicts(screen, params)
    with second:
        ddf = closely.choose()
        if ddf == "table":
            closely.own_table(screen, params)
        else:
            closely.grade_by_grade(screen, params, ddf)
        closely.verdict(screen, params, ddf)
    mirror.settle()


def losses() -> None:
    """The losses against the margin, and who uses them."""
    screen = last()
    params = curves.in_hand(screen)
    pair_losses.by_margin(screen, params)
    pair_losses.used_by(screen, params)
    mirror.settle()


part = curves.choose_part(screen)
if part == "distances":
    fragment(distances)()
elif part == "losses":
    fragment(losses)()
else:
    left, right = st.columns(2, gap="medium")
    with left:
        worths.gains(screen)
    with right:
        worths.discounts(screen)
    worths.worths(screen)
