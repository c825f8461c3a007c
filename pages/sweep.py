"""Sweep: one method at many values of its parameters: which is best, how sure, and what each matters."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.sweep import parts

screen = frame.current()
spec = parts.setup(screen)
seen = parts.results(screen, spec)
if seen is not None:
    parts.report(seen)
with st.container(key="sweep-files"):
    parts.files()
