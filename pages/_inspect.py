"""Inspect: one model from inside: what it rests on, and whatever its kind has to show.

The underscore keeps the file from the name of a standard module; Streamlit leaves it out of the URL.
"""

import streamlit as st

from pages.ui import inspect_parts, view

seen = inspect_parts.choose(view.current())
if seen is not None:
    inspect_parts.headline(seen)
    left, right = st.columns([4, 7], gap="medium")
    with left:
        inspect_parts.importance(seen)
    with right:
        inspect_parts.views(seen)
