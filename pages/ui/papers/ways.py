"""Where to go on from an exhibit: the same on other pages, and in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ltr_core.papers import Setting, System

from ..kit import panel
from ..runs.presets import DISTINCT
from ..runs.specs import Workspace, recipe_of
from ..session import mirror, state
from .shown import Shown

_FILES = {"inspect": "_inspect"}
_ICONS = {
    "learn": ":material/school:",
    "shapes": ":material/show_chart:",
    "step_through": ":material/slideshow:",
    "sweep": ":material/tune:",
}


def draw(shown: Shown, values: Mapping[str, Any]) -> None:
    """Draw the ways on."""
    exhibit = shown.exhibit
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="use-exhibit"):
        setting = exhibit.setting(dict(values)) if exhibit.setting is not None else None
        if setting is not None:
            link = mirror.link_to(controls_of(setting), workspace_of(setting), in_full=True)
            panel.way("Open in Compare", link, icon=":material/compare_arrows:")
        if exhibit.compute is not None:
            draw_pages(shown, setting)
            with st.popover("Python", icon=":material/code:", help="The lines that compute this"):
                st.code(python_lines(shown, values), language="python", wrap_lines=True)


def draw_pages(shown: Shown, setting: Setting | None = None) -> None:
    """Draw the links to the pages that show it."""
    data = controls_of(setting) if setting is not None else {}
    for way in shown.exhibit.ways:
        runs = _as_runs(way.systems) if way.systems else state.workspace()
        link = mirror.link_beside(runs, **{**data, **way.controls})
        page, icon = _FILES.get(way.page, way.page), _ICONS.get(way.page, ":material/arrow_forward:")
        panel.way(way.label, link, page, icon)


def controls_of(setting: Setting) -> dict[str, Any]:
    """Return the controls that put an exhibit's data on screen."""
    size = {f"{setting.data}-{name}": value for name, value in setting.size.items()}
    return {"data": setting.data, **size, f"{setting.data}-seed": setting.seed, **setting.controls}


def workspace_of(setting: Setting) -> Workspace:
    """Return an exhibit's systems as runs, the first the baseline."""
    return _as_runs(setting.systems)


def _as_runs(systems: Sequence[System]) -> Workspace:
    recipes = [recipe_of(system.algorithm, system.params) for system in systems]
    return Workspace(tuple(zip(DISTINCT, recipes, strict=False)), DISTINCT[0])


def python_lines(shown: Shown, values: Mapping[str, Any]) -> str:
    """Return the lines of Python that compute the exhibit, to the last digit of what is on screen."""
    exhibit, defaults = shown.exhibit, shown.exhibit.checked()
    given = ", ".join(f"{name}={value!r}" for name, value in values.items() if value != defaults[name])
    return (
        "import ltr_core as ltr\n\n"
        f'exhibit = ltr.PAPERS["{shown.paper.id}"].exhibits["{exhibit.id}"]\n'
        f"result = exhibit.run({given})\n"
        "for verdict in result.verdicts:\n"
        '    print(verdict.state, "|", verdict.claim)\n'
        "for chart in result.charts:\n"
        '    print(chart.title, chart.frame, sep="\\n")\n'
    )
