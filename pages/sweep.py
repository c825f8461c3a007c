"""Sweep: one method at many values of its parameters: which is best, how sure, and what each matters."""

import streamlit as st

from pages.ui.runs import view
from pages.ui.sweep import parts

now = view.current()
spec = parts.setup(now)
seen = parts.results(now, spec)
if seen is not None:
    parts.report(seen)
with st.container(key="sweep-files"):
    parts.files()
