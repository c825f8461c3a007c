"""What a session asks for, read in one place, and the screen that was made of it last."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ltr_core.datasets import DATA_FOLDER

from ..runs import catalog
from ..runs.brought.files import found_rankings
from ..runs.catalog import Entry
from ..runs.plan import Wanted
from ..runs.screens import Desk, Screen
from ..runs.services import services
from ..runs.specs import DataSpec
from ..style.theme import palette
from . import state


def entries() -> dict[str, Entry]:
    """Return the data sets that this session can pick, and the one in use where its files have gone."""
    known, before = catalog.entries(state.uploads()), gone(state.get("data"))
    return known if before is None else {**known, before.entry.name: before.entry}


def spec_for(entry: Entry) -> DataSpec:
    """Return the spec of a data set as this session sets it: size, seed, cut, gaps."""
    of_files = {param.name: state.get(param.name) for param in entry.settings if not entry.params}
    size = of_files or state.values_of(entry.name, entry.params)
    seed = state.get(state.key(entry.name, "seed")) if entry.params else 0
    return catalog.spec_of(entry, size, seed, state.get("fold"), state.get("shuffle"))


def wanted(entry: Entry) -> Wanted:
    """Return what this session asks for on a data set."""
    colours = palette(getattr(st.context.theme, "type", None))
    data, measure, space = spec_for(entry), state.chosen_measure(), state.workspace()
    return Wanted(entry, data, measure, space, state.get("repeat"), state.get("score_at"), colours)


def desk() -> Desk:
    """Return what this session trains with."""
    return Desk(services(), state.jobs(), state.owner(), state.asked_beside(), _rankings())


def _rankings() -> dict[str, Path]:
    """Return the files of rankings, by what they are called; none are looked for while no run is one."""
    if not any(recipe.is_given for _, recipe in state.workspace().slots):
        return {}
    return rankings()


def rankings() -> dict[str, Path]:
    """Return the files of rankings at hand: those in the folder for data, and this session's own."""
    return {**found_rankings(DATA_FOLDER), **state.rankings()}


def keep(screen: Screen) -> None:
    """Keep the screen for the page, and for fragments."""
    st.session_state[state.SCREEN] = screen
    st.session_state[state.FRAMED] = True


def gone(name: str) -> Screen | None:
    """Return what is on screen, where it is on a data set of this name whose files have disappeared."""
    screen: Screen | None = st.session_state.get(state.SCREEN)
    here = screen is None or screen.entry.name != name or name in catalog.entries(state.uploads())
    return None if here else screen


def last() -> Screen:
    """Return what is on screen: for fragments, which run without the frame."""
    return st.session_state[state.SCREEN]
