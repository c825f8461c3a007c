"""Rankings: every query won and lost, its lists side by side, and why a document is where it is."""

import streamlit as st

from pages.ui import rankings_case, rankings_parts, rankings_why, view

now = view.current()
case = rankings_case.choose(now)
if case is not None:
    rankings_parts.headline(case)
    rankings_parts.bars(case)
    rankings_parts.lists(case)
    left, right = st.columns([4, 5], gap="medium")
    with left:
        rankings_parts.slopes(case)
    with right:
        rankings_why.why(case)
