"""Rankings of one's own: files of any system become runs among the runs, measured as they are."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ltr_core import DataError
from ltr_core.datasets import DATA_FOLDER

from ..kit.panel import act
from ..runs import uploads
from ..runs.brought.files import SUFFIXES, found_rankings, recipe_for
from ..runs.plan import spec_of
from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import MAX_RUNS
from ..session import files, state
from ..session.bound import bound
from ..session.screen import last
from ..style.sentences import on_screen

_FIELD, _PICK = "bring", "bring-found"
_PROBLEMS = "_bring_problems"  # why files that were sent are no runs


def draw(screen: Screen) -> None:
    """Draw the place for files, those that lie in data/, and what does not fit."""
    listed = found_rankings(DATA_FOLDER)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.file_uploader(
            "TREC runs, or scores, one on each line",
            key=_FIELD,
            accept_multiple_files=True,
            on_change=_arrived,
            max_upload_size=uploads.MAX_MB,
            disabled=screen.splits is None,
            help="A line of a TREC run is query, Q0, document, rank, score, tag: all test queries of these "
            "data, each with all its documents; one without a name is called after its row, row1, row2 … "
            "Scores are in the order of the test file, or of the whole set. Nothing is trained: a ranking is "
            "measured and compared as it is. Files stay in this session; those that end in "
            f"{', '.join(SUFFIXES)} and lie in the folder data/ are offered here by themselves.",
        )
        if listed:
            names = {key: str(path.relative_to(DATA_FOLDER)) for key, path in listed.items()}
            bound(_PICK, st.selectbox, "In the folder data/", list(names), words=names, width=260)
            told = "Put this ranking beside the runs"
            act("Add", "bring-add", told, _add_found, type="primary", disabled=screen.splits is None)
    for sentence in _problems():
        st.error(sentence, icon=":material/error:")


def _problems() -> list[str]:
    return state.held(_PROBLEMS, list[str])


def _add_found() -> None:
    key = st.session_state[_PICK]
    path = found_rankings(DATA_FOLDER).get(key)
    _problems()[:] = [] if path is None else _add(key, path)


def _arrived() -> None:
    """Take in what was sent: a file that fits becomes a run, of another it is said why it does not."""
    told: list[str] = []
    for file in st.session_state[_FIELD] or []:
        try:
            key, path = files.receive(file, file.name)
        except DataError as error:  # the disk is full
            told.append(on_screen(error))
            continue
        wrong = _add(key, path)
        if not wrong:
            state.rankings()[key] = path
        elif key not in state.rankings():
            uploads.discard(path)
        told += wrong
    _problems()[:] = told


def _add(key: str, path: Path) -> list[str]:
    """Add a file's ranking to the runs; return what is wrong with it, if anything is."""
    screen, recipe = last(), recipe_for(key, path)
    if state.workspace().slot_of(recipe) is not None:
        return []
    if state.workspace().is_full:
        return [f"{MAX_RUNS} runs are on screen, as many as there are colours: take one off first."]
    spec = spec_of(screen.data, recipe, screen.measure)
    try:
        services().measured(spec, screen.entry, path, screen.measure)
    except DataError as error:
        return [on_screen(error)]
    state.add_run(recipe)
    return []
