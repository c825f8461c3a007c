"""Compare: add runs, watch them train, read which is better and whether the difference is real."""

import streamlit as st

from pages.ui.compare import actions as compare_actions
from pages.ui.compare import add_run
from pages.ui.compare import parts as compare_parts
from pages.ui.runs import view
from pages.ui.tables import repeats

now = view.current()
seen = repeats.read(now)
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
