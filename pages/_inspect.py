"""Inspect: one model from inside: what it rests on, and whatever its kind has to show.

The underscore keeps the file from the name of a standard module; Streamlit leaves it out of the URL.
"""

import streamlit as st

from pages.ui.app import frame
from pages.ui.inspect import parts

seen = parts.choose(frame.current())
if seen is not None:
    parts.headline(seen)
    left, right = st.columns([4, 7], gap="medium")
    with left:
        parts.importance(seen)
    with right:
        parts.views(seen)
