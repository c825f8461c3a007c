"""Session and URL, kept the same.

One hidden text field, bound to the query parameter `s`, carries the link: so a change is one step of the
browser's history, page hops keep it, and Back and Forward bring everything back (`history.js` keeps the steps
tidy). A link without anything is the start: the first preset.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ltr_core import ParameterError

from ..runs import catalog
from ..runs.presets import START, Preset
from ..runs.specs import Recipe, Workspace
from ..style.sentences import on_screen
from . import form, link, state
from .screen import gone
from .state import CONTROLS, LOADING, MIRRORED, NOTES, SENT, TURNED, URL_KEY, VIA

FLUSH_SECONDS = 0.05
_STORM = 6.0  # seconds after the page of Back or Forward in which a browser may have missed what it was told
FORM_WORD = "form"  # the control with a recipe that the form of Compare is filled with, once
TEACHER = "teacher"  # beside the link of the teacher's page alone: what opens the board; no other page has it
_HISTORY = f"<script>{Path(__file__).with_name('history.js').read_text(encoding='utf-8')}</script>"


def mirror() -> None:
    """Bring session and URL together; the first thing in every run of the app.

    Whatever the user changed goes into the URL; where somebody came by a link, or by Back or Forward, the URL
    goes into the session.
    """
    session, rewrite = st.session_state, False
    turned, incoming = _has_turned(), st.query_params.get(URL_KEY, "")
    has_come = turned or VIA in st.query_params  # the word is not in the browser's address: see history.js
    if turned:
        session[TURNED] = math.inf
    if MIRRORED not in session:
        known = (URL_KEY, VIA, TEACHER)
        others = {name: st.query_params[name] for name in st.query_params if name not in known}
        for name in others:
            del st.query_params[name]
        _take(incoming, others)
        state.reset(*state.ANSWERS)
        rewrite = bool(state.notes() or others)
    elif turned or (has_come and incoming != session[SENT]):
        _take(incoming)  # also where it is known: fields may still show what was there before
    elif session.get(LOADING) is not None:
        _take(session[LOADING])
        session[URL_KEY] = session[SENT]
    elif session[MIRRORED] != _snapshot():
        if session[MIRRORED] is not None:
            session[NOTES] = []
        session[SENT] = session[URL_KEY] = link_to(*_snapshot())
    elif incoming != session[SENT]:  # sent before the browser had the last link
        session[URL_KEY] = session[SENT]
    session[MIRRORED] = None if rewrite else _snapshot()
    if time.monotonic() - session.get(TURNED, -math.inf) < _STORM:
        state.say_again()
    with st.container(key="mirror"):
        st.text_input("Link", key=URL_KEY, bind="query-params", label_visibility="collapsed")
        st.html(_HISTORY, unsafe_allow_javascript=True)


def stands() -> None:
    """The page is drawn: whatever Back or Forward brought has been told to the browser."""
    if st.session_state.get(TURNED) == math.inf:
        st.session_state[TURNED] = time.monotonic()


def _has_turned() -> bool:
    """Whether the browser's Back or Forward has led here."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def is_pending() -> bool:
    """Whether the URL still has a link that could not be read in full: the next run writes it anew.

    Not the first run itself: the field has to be there before it can be given another text.
    """
    return st.session_state.get(MIRRORED) is None


def follow() -> None:
    """At the top of a fragment that hardly takes less than the page: where a click in it changed a control,
    draw the page instead, the link with it, and not the fragment twice.
    """
    if st.session_state.get(MIRRORED) != _snapshot():
        st.rerun()


def settle() -> None:
    """In a fragment, which runs without the frame: where it changed a control, let the link follow."""
    if st.session_state.get(MIRRORED) != _snapshot():
        time.sleep(FLUSH_SECONDS)  # a rerun drops what is not yet sent: the fragment's picture comes first
        st.rerun()


def _snapshot() -> tuple[dict[str, Any], Workspace]:
    return state.changed(), state.workspace()


def link_with(recipe: Recipe) -> str:
    """Return the link to what is on screen, with a recipe in the form of Compare."""
    return link_to({**state.changed(), FORM_WORD: link.encode_recipe(recipe)}, state.workspace())


def link_beside(runs: Workspace, **changed: Any) -> str:
    """Return the link to what is on screen with other runs, and some controls changed."""
    return link_to({**state.changed(), **changed}, runs, in_full=True)


def link_to(values: Mapping[str, Any], runs: Workspace, in_full: bool = False) -> str:
    """Return the link to controls and runs; empty for the start, unless it is wanted `in_full`."""
    values = {"data": START.data, **values}
    differing, start = (
        {name: value for name, value in given.items() if value != CONTROLS[name].default}
        for given in (values, START.values)
    )
    if not in_full and differing == start and runs == START.workspace():
        return ""
    return link.encode({"data": values["data"], **differing}, CONTROLS, runs)


def open_preset(preset: Preset = START) -> None:
    """Put a preset on screen: its data, its controls, its runs. A callback."""
    state.load_values(preset.values)
    state.set_workspace(preset.workspace())


def _take(text: str, others: Mapping[str, str] | None = None) -> None:
    """Put a link on screen, all of it: a run that is stopped in between leaves that to the next one.

    Streamlit stops a run of the app at any access to the session, when another is asked for: half a link on
    screen would go into the URL as if somebody had chosen it.
    """
    st.session_state[LOADING] = text
    _load_link(text, others)
    st.session_state[SENT] = text
    st.session_state[LOADING] = None


def _load_link(text: str, others: Mapping[str, str] | None = None) -> None:
    """Put a link on screen; note what of it could not be read.

    `others` are query parameters of their own: a control may be set by its name, as in ``?ndcg-k=5``.
    """
    values, runs, wrong = link.decode(text, CONTROLS)
    for name, word in (others or {}).items():
        try:
            values[name] = link.read(CONTROLS, name, word)
        except KeyError:
            wrong.append(link.unknown(name, name))
        except ParameterError as error:
            wrong.append(on_screen(error).rstrip("."))
    name = values.get("data", START.data)
    if name not in catalog.entries(state.uploads()) and gone(name) is None:
        wrong.append(_missing_set(values.pop("data")))
    if recipe := values.pop(FORM_WORD, ""):
        try:
            form.fill(link.decode_recipe(recipe.split(".")))
        except ParameterError as error:
            wrong.append(f"under “Add a run”: {on_screen(error).rstrip('.')}")
    if "data" not in values:  # nothing was asked for, or nothing that makes sense
        values = {**START.values, **values}
    state.load_values(values)
    state.set_workspace(START.workspace() if runs is None else runs)
    st.session_state[NOTES] = wrong


def _missing_set(name: str) -> str:
    if name.startswith(catalog.UPLOAD):
        return "the data set is a file that somebody uploaded (upload it on Data, then open the link again)"
    return f"the data set “{name[:60]}” is not here"
