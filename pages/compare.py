"""Compare: add runs, watch them train, read which is better and whether the difference is real."""

import streamlit as st

from pages.ui import add_run, pictures, view

now = view.current()
add_run.draw(now)
pictures.headline(now)
left, right = st.columns(2, gap="medium")
with left:
    pictures.loss_curves(now, key="compare-loss")
with right:
    pictures.measure_curves(now, key="compare-curve")
pictures.run_table(now)
left, right = st.columns(2, gap="medium")
with left:
    pictures.depths(now, key="compare-depths")
with right:
    pictures.differences(now)
