"""Shapes: the distances between grades, the losses of a pair, gains and discounts, with their parameters in hand."""

import streamlit as st

from pages.ui import view

now = view.current()
st.caption("Distances, losses, gains and discounts.")
