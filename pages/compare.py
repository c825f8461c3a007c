"""Compare: add runs, watch them train, read which is better and whether the difference is real."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.compare import actions, add_run, parts, pictures, run_table
from pages.ui.kit import panel

screen = frame.current()
add_run.draw(screen)
with st.container(key="reading"):  # empty or not, what follows keeps its place
    pictures.headline(screen)
if screen.runs:
    layout = parts.controls(screen)
    left, right = st.columns(2, gap="medium")
    with left:
        pictures.loss_curves(screen, "compare-loss", layout)
    with right:
        pictures.measure_curves(screen, "compare-curve", layout)
    run_table.draw(screen)
    parts.unfinished(screen)
    actions.draw(screen)
    parts.depths_and_differences(screen)
else:
    panel.no_run(False, True, "open-start", still="Train one above, or begin with a finished comparison.")
