"""Files of one's own: the place for them, and what is wrong with them, line by line."""

from __future__ import annotations

from html import escape

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
from ..style.words import count, on_screen

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
            problems(entry, spec, str(error))
        return
    state.put("data_look", files.accept(*sent))
    st.rerun()


def _arrived() -> None:
    file = st.session_state["upload"]
    if file is None:
        state.set_pending()
    else:
        files.arrive(file, file.name)


def problems(entry: Entry, spec: DataSpec, sentence: str) -> None:
    """Say line by line what is wrong with a set's files, or in one sentence where no line is to blame."""
    frame = services().memo.make(("problems", spec), lambda: uploads.problems(entry, spec))
    if frame.empty:
        st.error(on_screen(sentence), icon=":material/error:")
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
    with st.container(height=min(420, 70 + 44 * len(rows)), border=True, key="problems"):
        st.html(table(head[first:], rows, "runs tight problems"))
    many = f"the first {_MOST_LINES} problems" if len(frame) >= _MOST_LINES else count(len(frame), "problem")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(f"{many[:1].upper()}{many[1:]}. What was on screen before is untouched.", width="stretch")
        panel.csv(frame, "problems")
    if entry.params == () and frame["problem"].str.contains("is missing", regex=False).any():
        draw_form((state.CONTROLS["missing"],))


def _place(value: object) -> str:
    return "–" if value is None else escape(str(value))


def draw_form(params: tuple[Param, ...], owner: str = "") -> None:
    """Draw parameters of the frame once more: both follow one another."""

    def key(name: str) -> str:
        return state.key(owner, name) if owner else name

    draw_params(params, key, values={p.name: state.get(key(p.name)) for p in params})
