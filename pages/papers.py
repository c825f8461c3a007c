"""Papers: every table, figure and theorem of the papers, computed here, beside what the paper says."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.papers import card, choice

screen = frame.current()
choice.draw_papers()
left, right = st.columns([3, 9], gap="medium")
with left:
    shown = choice.draw_exhibits()
with right:
    card.draw_head(shown)
    values = card.draw_settings(shown)
    held = card.draw_standing(shown, values)
    card.draw_result(shown, values, held, screen.colours)
    card.draw_ways(shown, values)
