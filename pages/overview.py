"""Overview: a finished comparison, what it says, and where to go from here."""

import streamlit as st

from pages.ui import pictures, presets, view

now = view.current()
pictures.headline(now)
left, right = st.columns([3, 2], gap="medium")
with left:
    pictures.measure_curves(now, key="overview-curve", axes=True)
with right:
    pictures.depths(now, key="overview-depths")
st.caption(
    "**Rankscope** trains methods that learn to rank, side by side, on data you can look into. "
    "Every number here is computed now, by the open core beneath. "
    "Change the data, the measure or a parameter, and read what it does, query by query."
)
pictures.preset_cards(presets.offered())
