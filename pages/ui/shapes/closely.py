"""One distance on Shapes looked at closely: grade by grade, an editable table, the verdict, its use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltr_core import DISTANCES
from ltr_core.distances import DistanceReport

from ..kit import panel
from ..kit.marks import heat_table, requirements
from ..runs.screens import Screen
from ..runs.specs import recipe_of
from ..session import mirror, state
from ..tables import distances as tables
from ..tables.distances import FORMULAS, DistanceParams, Table


def choose() -> str:
    """Draw the choice of the distance, and return it."""
    panel.choose("shape_ddf")
    return state.get("shape_ddf")


def grade_by_grade(screen: Screen, params: DistanceParams, ddf: str) -> None:
    """Show a formula, and what it comes to for the grades at hand."""
    grades = tables.table_grades(screen)
    cells = tables.table_of(ddf, params, grades)
    names = [f"{g:.3g}" for g in grades]
    some = len(grades) < len(tables.grades_at_hand(screen))
    caption = "the row's grade over the column's" + (", for some of the grades at hand" if some else "")
    frame = pd.DataFrame(cells, index=pd.Index(names, name="grade"), columns=names)
    with panel.panel("Grade by grade", caption, lambda: panel.csv(frame.reset_index(), "grade-table")):
        with st.container(key="formulas"):
            st.latex(formula(ddf, params))
        st.html(heat_table(cells, names, names))


def formula(ddf: str, params: DistanceParams) -> str:
    """Return a distance's formula with its parameter put in, as LaTeX."""
    gap = r"|r_i - r_j|"
    right = {
        "binary": r"\operatorname{sgn}(r_i - r_j)",
        "ldd": rf"{params.alpha:.4g} \cdot (r_i - r_j)",
        "logdd": rf"\operatorname{{sgn}}(r_i - r_j) \, \log(1 + {params.lam:.4g} \, {gap})",
        "logitdd": rf"\operatorname{{sgn}}(r_i - r_j) \, / \, (1 + e^{{-{params.beta:.4g} \, {gap}}})",
    }[ddf]
    return rf"\begin{{aligned}} &\text{{dist}}(r_i, r_j) = \\[-2pt] &{right} \end{{aligned}}"


def own_table(screen: Screen, params: DistanceParams) -> None:
    """Draw the table of a person's own, to be edited."""
    grades = tables.own_grades(screen)
    names = [f"{g:g}" for g in grades]
    frame = pd.DataFrame(params.table, index=pd.Index(names, name="grade"), columns=names)

    def tools() -> None:
        with st.popover("Fill from", type="tertiary", help="Start from one of the formulas"):
            for ddf in FORMULAS:
                st.button(
                    DISTANCES[ddf].label,
                    key=f"fill-{ddf}",
                    width="stretch",
                    on_click=state.put,
                    args=("shape_table", tables.filled_table(ddf, params, grades)),
                )
        panel.csv(frame.reset_index(), "own-table")

    with panel.panel("Your own table", "the row's grade over the column's; the mirror image follows", tools):
        key = f"table-{hash(params.table):x}"  # a new table is a new editor: it shows the mirrored cell too
        numbers = {c: st.column_config.NumberColumn(c, format="%.4g", required=True) for c in names}
        st.data_editor(
            frame,
            key=key,
            on_change=_edited,
            args=(key, params.table),
            num_rows="fixed",
            column_config={"grade": st.column_config.TextColumn("grade", disabled=True), **numbers},
            alt="Distances between grades, to be edited",
        )
        st.html(heat_table(np.array(params.table), names, names))


def _edited(key: str, table: Table) -> None:
    for row, cells in state.told(key).get("edited_rows", {}).items():
        for column, value in cells.items():
            if value is not None:
                table = tables.with_cell(table, int(row), int(column), float(value))
    state.put("shape_table", table)


def verdict(screen: Screen, params: DistanceParams, ddf: str) -> None:
    """Say what the data at hand say of the distance, and draw its way into a run."""
    report = tables.report(screen, ddf, params.of(ddf))
    st.html(requirements(in_words(report)))
    breaks = isinstance(report, DistanceReport) and not report.sign_holds
    refused = breaks or isinstance(report, str)  # what has no verdict cannot be trained with either
    use("Use in a run", "MPBoost", params.for_run(ddf), key="use-ddf", disabled=refused)
    if breaks:
        st.caption("A table that breaks requirement (3) cannot be trained with.")


def in_words(report: DistanceReport | str) -> list[tuple[bool, str, str]]:
    """Return the three verdicts in words; a sentence names the pair that breaks a requirement."""
    if isinstance(report, str):
        return [(False, "No verdict.", report)]
    broken = {text[:15]: text.partition(": ")[2] for text in report.violations}
    three, four = broken.get("Requirement (3)"), broken.get("Requirement (4)")
    size = f"mean {report.mean:.3f}, from {report.low:.3g} to {report.high:.3g} over the training pairs."
    if report.mean > 2.0:
        size += " MPBoost's step overshoots with distances this large: expect the loss to rise."
    elif report.mean < 0.5:
        size += " Steps shrink with distances this small: learning is slow."
    return [
        (three is None, "(3) The sign follows the grades.", three or ""),
        (four is None, "(4) A larger gap is a larger distance.", four or ""),
        (report.about_one, "(9) |dist| has a mean between ½ and 2:", size),
    ]


def use(label: str, algorithm: str, given: Mapping[str, Any], key: str, disabled: bool = False) -> None:
    """Draw the way to Compare with exactly these values in its form."""
    sent = mirror.link_with(recipe_of(algorithm, given))
    with st.container(key=key, width="content"):
        what = "Carry exactly these values into the form of the page Compare"
        panel.way(label, sent, help=what, disabled=disabled)
