"""Rankings: every query won and lost, its lists side by side, and why a document is where it is."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.rankings import case as rankings_case
from pages.ui.rankings import parts as rankings_parts
from pages.ui.rankings import why as rankings_why

screen = frame.current()
case = rankings_case.choose(screen)
if case is not None:
    rankings_parts.headline(case)
    rankings_parts.bars(case)
    rankings_parts.lists(case)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        rankings_parts.slopes(case)
    with right:
        rankings_why.why(case)
