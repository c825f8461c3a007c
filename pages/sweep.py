"""Sweep: one method at many values of its parameters: which is best, how sure, and what each matters."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.sweep import files, form, pictures, results, start, table

screen = frame.current()

with st.container(border=True, key="sweep-form", gap="small"):
    spec = form.draw(screen)
    start.draw(screen, spec)

swept = results.find(screen, spec)
if swept is not None:
    results.draw_sentence(swept)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        pictures.draw_points(swept, screen.colours, "sweep")
    with right:
        pictures.draw_beside(swept, screen.colours)
    table.draw(swept)

with st.container(key="sweep-files"):
    files.upload()
