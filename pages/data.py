"""Data: the sets at hand, files of one's own, generators, and what each set holds."""

import streamlit as st

from pages.ui import data_parts, view

now = view.current()
left, right = st.columns([3, 8], gap="large")
with left:
    entry = data_parts.choose(now)
    with st.container(key="upload-place"):
        data_parts.upload()
with right:
    seen = data_parts.head(now, entry)
    data_parts.facts(seen)
st.fragment(data_parts.pictures)(seen)
