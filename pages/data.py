"""Data: the sets at hand, files of one's own, generators, and what each set holds."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.data import parts

screen = frame.current()
left, right = st.columns([3, 8], gap="large")
with left:
    entry = parts.choose(screen)
    with st.container(key="upload-place"):
        parts.upload()
with right:
    seen = parts.head(screen, entry)
    parts.facts(seen)
st.fragment(parts.pictures)(seen)
