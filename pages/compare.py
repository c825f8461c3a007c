"""Compare: add runs, watch them train, read which is better and whether the difference is real."""

import streamlit as st

from pages.ui.compare import actions as compare_actions
from pages.ui.compare import add_run
from pages.ui.compare import parts as compare_parts
from pages.ui.runs import screens
from pages.ui.tables import repeats

screen = screens.current()
seen = repeats.read(screen)
add_run.draw(screen)
with st.container(key="reading"):  # empty or not, what follows keeps its place
    compare_parts.headline(screen, seen)
compare_parts.controls(screen, seen)
left, right = st.columns(2, gap="medium")
with left:
    compare_parts.loss_curves(screen, seen)
with right:
    compare_parts.measure_curves(screen, seen)
compare_parts.run_table(screen, seen)
compare_actions.draw(screen, seen)
compare_parts.depths_and_differences(screen, seen)
