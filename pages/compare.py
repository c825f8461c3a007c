"""Compare: add runs, watch them train, read which is better and whether the difference is real."""

import streamlit as st

from pages.ui import add_run, compare_actions, compare_parts, compare_repeats, view

now = view.current()
seen = compare_repeats.read(now)
add_run.draw(now)
with st.container(key="reading"):  # empty or not, what follows keeps its place
    compare_parts.headline(now, seen)
compare_parts.controls(now, seen)
left, right = st.columns(2, gap="medium")
with left:
    compare_parts.loss_curves(now, seen)
with right:
    compare_parts.measure_curves(now, seen)
compare_parts.run_table(now, seen)
compare_actions.draw(now, seen)
compare_parts.depths_and_differences(now, seen)
