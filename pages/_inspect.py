"""Inspect: one model from inside: what it rests on, and whatever its kind has to show.

The underscore keeps the file from the name of a standard module; Streamlit leaves it out of the URL.
"""

import streamlit as st

from pages.ui.app import frame
from pages.ui.inspect import bins, classes, importance, rounds, run, shapes

inspected = run.choose(frame.current())
if inspected is not None:
    run.sentence(inspected)
    left, right = st.columns([4, 7], gap="medium")
    with left:
        importance.bars(inspected)
    with right:
        match run.choose_side(inspected):
            case "shape":
                with st.grid("auto", min_column_width=430, gap="medium") as grid:  # side by side if wide
                    with grid.cell():
                        shapes.one_feature(inspected)
                    with grid.cell():
                        shapes.all_features(inspected)
            case "centers":
                shapes.class_centers(inspected)
            case "weights":
                importance.weights(inspected)
            case "tree":
                rounds.one_tree(inspected)
            case "classes":
                classes.probabilities(inspected)
            case "rounds":
                rounds.every_round(inspected)
            case "bins":
                bins.by_number(inspected)
                bins.by_feature(inspected)
