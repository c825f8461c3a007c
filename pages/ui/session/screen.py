"""What a session asks for, read in one place, and the screen that was made of it last."""

from __future__ import annotations

import streamlit as st

from ..runs import catalog
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
    return Desk(services(), state.jobs(), state.owner(), state.asked_beside())


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
