"""The sets at hand, and the one of them that is looked at: its name, its form, its figures."""

from __future__ import annotations

from html import escape
from math import prod

import streamlit as st

from ltr_core import DataError, ParameterError
from ltr_core.datasets import DataSet
from ltr_core.datasets.parts.base import SEED

from ..kit import panel
from ..kit.marks import requirements, table
from ..runs.catalog import FILES, UPLOAD, Entry
from ..runs.screens import Screen
from ..runs.services import services
from ..session import state
from ..session.bound import bound
from ..session.screen import entries, spec_for
from ..style.sentences import on_screen
from ..style.words import SPLIT_NAMES
from ..tables import dataset as tables
from ..tables.dataset import PARTS, Looked
from .files import draw_form, problems

_LARGE = 20_000_000  # feature values: sets beyond are generated when that is asked for
_WHERE = {FILES: "in data/", UPLOAD: "yours"}


def choose(screen: Screen) -> Entry:
    """Draw the list of sets and return the one that is looked at."""
    known = entries()
    name = state.get("data_look")
    name = name if name in known else screen.entry.name

    def words(key: str) -> str:
        where = next((w for start, w in _WHERE.items() if key.startswith(start)), "generated")
        label = known[key].label.removesuffix(" (yours)")
        return f"**{label}** · {where}" if key == screen.entry.name else f"{label} · {where}"

    bound("data_look", st.radio, "Data sets", list(known), shows=name, words=words)
    return known[name]


def name(screen: Screen, entry: Entry) -> None:
    """Draw a set's name, the button that takes it into use, what it is like, and its form."""
    in_use = entry.name == screen.entry.name
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="headline">{escape(entry.label)}</p>', width="stretch")
        st.button(
            "In use" if in_use else "Use this set",
            type="primary",
            key="use-data",
            disabled=in_use,
            icon=":material/check:" if in_use else None,
            on_click=state.put,
            args=("data", entry.name),
            help="The runs on screen are trained on it, here and on every page.",
        )
    generator = entry.source if isinstance(entry.source, DataSet) else None
    st.html(f'<p class="verdict">{escape(generator.description if generator else entry.summary)}</p>')
    if generator:
        draw_form((*entry.params, SEED), entry.name)
    else:
        draw_form(tuple(state.CONTROLS[param.name] for param in entry.settings))


def read(screen: Screen, entry: Entry) -> Looked:
    """Read a set and return it; a large one only when that is asked for."""
    if entry.name == screen.entry.name:
        return Looked(entry, screen.data, screen.splits, True, screen.problem)
    spec = spec_for(entry)
    if _is_large(entry) and not services().peek(spec):
        st.html('<p class="note">This set is large, and takes some seconds to make.</p>')
        if not st.button("Make it and look", key="make-large"):
            return Looked(entry, spec, None, False)
    try:
        with st.spinner(f"Reading {entry.label} …"):
            return Looked(entry, spec, services().splits(spec, entry), False)
    except (DataError, ParameterError) as error:
        return Looked(entry, spec, None, False, on_screen(error))


def _is_large(entry: Entry) -> bool:
    values = {p.name: state.get(state.key(entry.name, p.name)) for p in entry.params}
    sizes = ("n_queries", "n_docs", "n_features")
    return prod(values[name] or 50 for name in sizes if name in values) > _LARGE


def facts(dataset: Looked) -> None:
    """Show the main figures of the three parts, and what is odd; or what is wrong with the files."""
    if dataset.splits is None:
        if dataset.problem:
            problems(dataset.entry, dataset.spec, dataset.problem, "shown")
            panel.offer_cut(dataset.entry, "data")
        return
    frame = tables.figures(dataset)
    rows = [
        f'<th scope="row" class="left">{name}</th>' + "".join(f"<td>{escape(v)}</td>" for v in values)
        for name, values in zip(frame.index, frame.to_numpy(), strict=True)
    ]
    st.html(table([("", ""), *(("", SPLIT_NAMES[part]) for part in PARTS)], rows))
    st.html(requirements(tables.remarks(dataset)))
