"""Sweep: one method at many values of its parameters: which is best, how sure, and what each matters."""

import streamlit as st

from pages.ui import sweep_parts, view

now = view.current()
spec = sweep_parts.setup(now)
seen = sweep_parts.results(now, spec)
if seen is not None:
    sweep_parts.report(seen)
with st.container(key="sweep-files"):
    sweep_parts.files()
