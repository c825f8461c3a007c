"""What was trained on this machine: searched, marked, put on screen; and workspaces under a name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pandas as pd
import streamlit as st

from ltr_core import DataError, ParameterError, measure

from ..kit import panel
from ..runs.history import Past
from ..runs.screens import Screen
from ..runs.services import services
from ..runs.specs import MAX_RUNS, DataSpec, Workspace
from ..session import mirror, state
from ..session.bound import bound
from ..session.screen import entries
from ..style.sentences import on_screen
from ..style.words import count, run_names

_SPACE = "space-name"  # the field of a name to save under
_MOST_IN_FULL = 14  # rows; of more, some are scrolled to


def found(screen: Screen) -> list[Past]:
    """Draw the controls and return the runs that they leave."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        bound("past_find", st.text_input, "Find", placeholder="a name, a setting, a note", width=320)
        panel.choose("past_data", {"this": f"on {screen.entry.label}", "all": "all data sets"})
        panel.switch("past_starred", "with a star")
    words = state.get("past_find").lower().split()
    kept = []
    for past in services().store.history.runs():
        if state.get("past_data") == "this" and past.data.name != screen.data.name:
            continue
        text = f"{called(past)} {past.note} {past.data.name} {dict(past.recipe.params)}".lower()
        if all(word in text for word in words) and (past.star or not state.get("past_starred")):
            kept.append(past)
    return kept


def called(past: Past) -> str:
    """Return what a run is called: by its own name, or by its settings."""
    return past.name or run_names([past.recipe])[0]


def _measure_label(name: str) -> str:
    """Return what a measure is called on screen; one that this version does not know, as it was written."""
    try:
        return measure(name).label
    except ParameterError:
        return name


def table(screen: Screen, runs: list[Past]) -> list[Past]:
    """Show a row for each run, and return those that are picked."""
    on_screen = {recipe for _, recipe in state.workspace().slots}
    labels = {name: entry.label for name, entry in entries().items()}
    frame = pd.DataFrame(
        [
            {
                "★": "★" if past.star else "",
                "run": called(past),
                "data": labels.get(past.data.name, past.data.name),
                "fold": "the split" if past.data.fold == "split" else f"fold {past.data.fold}",
                "measure": _measure_label(past.measure),
                "best on validation": past.valid,
                "test": past.test,
                "rounds": past.rounds,
                "trained": datetime.fromtimestamp(past.when),
                "on screen": past.recipe in on_screen and past.data == screen.data,
                "note": past.note,
            }
            for past in runs
        ]
    )
    note = f"{count(len(runs), 'run')}; values by the measure that each was followed by, at its best round"
    with panel.panel("Trained on this machine", note, lambda: panel.csv(frame, "history")):
        if frame.empty:
            st.caption("Nothing yet. What is trained from now on is remembered here, whatever is on screen.")
            return []
        number = st.column_config.NumberColumn
        shown = st.dataframe(
            frame,
            key="past-runs",
            on_select="rerun",
            selection_mode="multi-row",
            hide_index=True,
            height="content" if len(frame) <= _MOST_IN_FULL else 520,
            alt="A row for each run that was trained on this machine",
            column_config={
                "★": st.column_config.TextColumn(width=36),
                "best on validation": number("validation", format="%.4f"),
                "test": number(format="%.4f"),
                "rounds": number(format="%,d"),
                "trained": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm"),
            },
        )
        return [runs[row] for row in shown["selection"]["rows"] if row < len(runs)]


def open_picked(screen: Screen, picked: list[Past]) -> None:
    """Offer to put the runs picked on screen, and to mark a single one."""
    if not picked:
        st.caption("Pick rows to put runs on screen, or one to name it, note something, or give it a star.")
        return
    first = picked[0].data
    same = [past for past in picked if past.data == first]
    if first.name not in entries():
        st.caption(f"The data set {first.name} is not here any more.")
    else:
        here = first == screen.data
        space = state.workspace() if here else Workspace()
        for past in same:
            space = space.add(past.recipe)
        link = mirror.link_beside(space, **({} if here else _data_of(first)))
        left = len(picked) - sum(any(past.recipe == held for _, held in space.slots) for past in same)
        with st.container(key="past-open"):
            panel.way(f"Put {count(len(picked) - left, 'run')} on screen", link)
        if left:
            st.caption(f"{left} stay here: {MAX_RUNS} runs of one data set and split are on screen at most.")
    if len(picked) == 1:
        _mark(picked[0])


def _data_of(data: DataSpec) -> dict[str, Any]:
    """Return the controls that bring a data set onto the screen."""
    own = dict(data.size)
    if entries()[data.name].params:
        own = {state.key(data.name, name): value for name, value in own.items()}
        own[state.key(data.name, "seed")] = data.seed
    return {"data": data.name, "fold": data.fold, "shuffle": data.shuffle, **own}


def _mark(past: Past) -> None:
    def field(part: str, widget: Callable[..., Any], label: str, **more: Any) -> None:
        """Show a part of what was said of the run; a change is kept at once, the other parts as they are."""
        bound(
            f"mark-{part}-{past.key}",
            widget,
            label,
            shows=getattr(past, part),
            take=lambda value: _say(past.key, **{part: value}),
            **more,
        )

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        field("name", st.text_input, "Name", placeholder=called(past), max_chars=100)
        field("note", st.text_input, "Note", max_chars=500)
        field("star", st.toggle, "Star")


def _say(key: str, **said: Any) -> None:
    try:
        services().store.history.mark(key, **said)
    except DataError as error:
        st.toast(on_screen(error))


def workspaces() -> None:
    """Save what is on screen under a name, and open or delete what was saved."""
    history = services().store.history
    with panel.panel("Workspaces", "all that is on screen, under a name: data, measure, runs, controls"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            bound(_SPACE, st.text_input, "Save this one as", placeholder="a name", width=320)
            panel.act("Save", "space-save", "Keep what is on screen under this name", _save)
        for number, (saved, link) in enumerate(history.spaces().items()):
            row = st.container(
                horizontal=True, vertical_alignment="center", gap="small", key=f"space-{number}"
            )
            with row:
                panel.way(saved, link)
                drop, told = f"space-drop-{number}", f"Delete the saved workspace {saved}"
                panel.act("Delete", drop, told, history.forget_space, saved, type="tertiary")
    while history.dropped:
        st.info(history.dropped.pop(), icon=":material/info:")


def _save() -> None:
    try:
        services().store.history.save(st.session_state[_SPACE], mirror.link_beside(state.workspace()))
    except (DataError, ParameterError) as error:
        st.toast(on_screen(error))
