"""Overview: a finished comparison, what it says, and where to go from here."""

import streamlit as st

from pages.ui.app import frame
from pages.ui.compare import pictures
from pages.ui.kit import panel
from pages.ui.learn import board
from pages.ui.runs import presets

screen = frame.current().once
board.invite()
with st.container(key="reading"):  # empty or not, what follows keeps its place
    pictures.headline(screen)
if screen.runs:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        pictures.measure_curves(screen, key="overview-curve", axes=True)
    with right:
        pictures.depths(screen, key="overview-depths")
else:
    panel.no_run(False, True, "open-start")
panel.introduction(
    "Rankscope trains methods that learn to rank, side by side, on data you can look into. "
    "Every number here is computed by the open core beneath. "
    "Change the data, the measure or a parameter on the left, or open another comparison:"
)
pictures.preset_cards(presets.offered())
