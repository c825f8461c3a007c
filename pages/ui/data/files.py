"""Files of one's own: the place for them, and what is wrong with them, line by line."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ltr_core import DataError, Param, ParameterError

from ..kit import panel
from ..kit.form import draw_params
from ..kit.marks import table
from ..runs import uploads
from ..runs.catalog import Entry
from ..runs.services import services
from ..runs.specs import DataSpec
from ..session import files, state
from ..session.screen import spec_for
from ..style.sentences import on_screen
from ..style.words import count

_MOST_LINES = 100


def upload(place: DeltaGenerator) -> None:
    """Draw the place for files, read what has arrived, and say in another what is wrong with it."""
    st.file_uploader(
        "Add a file",
        key="upload",
        on_change=_arrived,
        max_upload_size=uploads.MAX_MB,
        help="LETOR or SVMlight text, .csv, .tsv or .parquet, also as .gz, .bz2 or .zst. It stays in this "
        f"session. Files above {uploads.MAX_MB} MB and LETOR folders go into the folder data/ instead, and "
        "appear here by themselves.",
    )
    sent = state.pending()
    if sent is None:
        return
    entry = uploads.entry_of(*sent)
    spec = spec_for(entry)
    try:
        with st.spinner(f"Reading {sent[1].name} …"):
            uploads.refuse_bomb(sent[1])
            services().splits(spec, entry)
    except (DataError, ParameterError) as error:
        with place, panel.panel(f"{escape(sent[1].name)} cannot be read"):
            problems(entry, spec, on_screen(error), "sent")
        return
    state.put("data_look", files.accept(*sent))
    st.rerun()


def _arrived() -> None:
    file = st.session_state["upload"]
    if file is None:
        state.set_pending()
        return
    try:
        files.arrive(file, file.name)
    except DataError as error:
        st.toast(on_screen(error))


def problems(entry: Entry, spec: DataSpec, sentence: str, place: str) -> None:
    """Say line by line what is wrong with a set's files, or in one sentence where no line is to blame.

    `place` tells this from other such tables: a file that was sent stands beside a set that is looked at.
    """
    frame = services().memo.make(("problems", spec), lambda: uploads.problems(entry, spec))
    if frame.empty:
        st.error(sentence, icon=":material/error:")
        return
    head = [("left", "file"), ("", "line"), ("left", "column"), ("left", "what is wrong")]
    first = 0 if frame["file"].nunique() > 1 else 1  # one file needs no name
    rows = [
        "".join(
            [
                f'<td class="left">{escape(row["file"])}</td>',
                f"<td>{_place(row['line'])}</td>",
                f"<td class='left'>{_place(row['column'])}</td>",
                f'<td class="left wrap">{escape(row["problem"])}</td>',
            ][first:]
        )
        for row in frame.to_dict("records")
    ]
    with st.container(height=min(420, 70 + 44 * len(rows)), border=True, key=f"problems-{place}"):
        st.html(table(head[first:], rows, "runs tight problems"))
    many = f"the first {_MOST_LINES} problems" if len(frame) >= _MOST_LINES else count(len(frame), "problem")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(f"{many[:1].upper()}{many[1:]}. What was on screen before is untouched.", width="stretch")
        panel.csv(frame, f"problems-{place}")
    if entry.params == () and frame["problem"].str.contains("is missing", regex=False).any():
        draw_form((state.CONTROLS["missing"],), place=place)


def _place(value: object) -> str:
    return "–" if value is None else escape(str(value))


def draw_form(params: tuple[Param, ...], owner: str = "", place: str = "make") -> None:
    """Draw parameters of the frame once more, in a place of the page: all follow one another."""
    controls = {p.name: state.key(owner, p.name) if owner else p.name for p in params}

    def take(name: str, value: Any) -> None:
        state.put(controls[name], value)

    values = {name: state.get(control) for name, control in controls.items()}
    draw_params(params, lambda name: f"{place}:{controls[name]}", values=values, take=take)
