"""The pictures of a set: its grades, the lengths of its lists, its features and one of them."""

from __future__ import annotations

import streamlit as st

from ltr_core.data import describe_features, grade_counts, query_sizes

from ..charts.data import draw_by_grade, draw_grades, draw_sizes
from ..kit import panel
from ..kit.drawn import drawn
from ..session import state
from ..session.bound import bound, clicked
from ..style.theme import Palette
from ..style.words import SPLIT_NAMES
from ..tables.dataset import Looked, by_grade, closest_feature, told


def chosen_part() -> str:
    """Return the part that the pictures show."""
    return state.get("data_part")


def grades(dataset: Looked, part: str, colours: Palette) -> None:
    """Draw how many documents have each grade."""
    frame = told(dataset, part, grade_counts)

    def tools() -> None:
        panel.choose("data_part")
        panel.csv(frame, "grades")

    with panel.panel("Grades", f"documents of each, {SPLIT_NAMES[part]}", tools):
        alt = f"How many {SPLIT_NAMES[part]} documents have each grade, as bars"
        panel.chart(drawn(draw_grades, frame, colours), alt, "data-grades")


def sizes(dataset: Looked, part: str, colours: Palette) -> None:
    """Draw how many queries have how many documents."""
    frame, kind = told(dataset, part, query_sizes), SPLIT_NAMES[part]
    with panel.panel("Lengths of lists", f"queries, {kind}", lambda: panel.csv(frame, "lengths")):
        alt = f"How many {kind} queries have how many documents, as bars"
        panel.chart(drawn(draw_sizes, frame, colours), alt, "data-sizes")


def features(dataset: Looked, part: str) -> None:
    """Show a row for each feature; a click looks into it."""
    frame = told(dataset, part, describe_features)
    note = "a click on a row looks into it; r: correlation with the grade"
    with panel.panel("Features", note, lambda: panel.csv(frame, "features")):
        shown = frame[["feature", "correlation", "low", "mean", "high", "zeros"]]
        shown = shown.assign(zeros=100 * shown["zeros"])
        number = st.column_config.NumberColumn
        st.dataframe(
            shown,
            key="data-features",
            on_select=clicked("data_feature", "data-features", list(shown["feature"])),
            selection_mode="single-row",
            hide_index=True,
            width="stretch",
            height=330,
            placeholder="–",  # a constant feature has no correlation
            alt="A row for each feature: correlation with the grade, smallest, mean and largest value, zeros",
            column_config={
                "correlation": number("r", format="%+.3f", help="Pearson's, over all documents of the part"),
                "low": number("smallest", format="%.4g"),
                "mean": number("mean", format="%.4g"),
                "high": number("largest", format="%.4g"),
                "zeros": number("zeros", format="%.1f%%", help="The share of values that are 0"),
            },
        )


def one_feature(dataset: Looked, part: str, colours: Palette) -> None:
    """Draw how the values of one feature lie in each grade."""
    features = told(dataset, part, describe_features)
    names = list(features["feature"])
    name = state.get("data_feature")
    name = name if name in names else closest_feature(features)
    frame = by_grade(dataset, part, name)
    scale = state.get("data_scale")

    def tools() -> None:
        panel.choose("data_scale")
        panel.csv(frame, "feature")

    note = "how its values lie in each grade" if scale == "share" else "documents of each grade, by its value"
    with panel.panel("One feature", note, tools):
        bound("data_feature", st.selectbox, "Feature", names, shows=name, quiet=True)
        alt = f"Histograms of {name}, one for each grade, the best grade on top"
        panel.chart(drawn(draw_by_grade, frame, name, scale, colours, 290), alt, "data-feature")
