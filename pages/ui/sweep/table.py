"""The points of a sweep as a table: compared with one of them, picked for Compare, taken home as files."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ltr_core import ParameterError
from ltr_core.sweeps import FitStatus

from ..kit import panel
from ..runs.specs import MAX_RUNS, Recipe
from ..session import mirror, state
from ..session.bound import bound
from ..style.sentences import on_screen
from ..style.words import count, param_label
from ..tables.sweep import Swept, baseline, column_of, point_name, points, recipe, short
from .words import JUDGED, STATUS

_MOST_IN_FULL = 11  # rows; more are scrolled through
_MOST_OFFERED = 200  # points to compare with, the best first


def draw(swept: Swept) -> None:
    """Draw the points, the baseline's picker, the way to Compare and the files."""
    against = baseline(swept, state.get("sweep_against"))

    def tools() -> None:
        panel.csv(lambda: swept.sweep.table, "sweep-fits")

    with panel.panel("Points", "pick rows to send them to Compare; the file has one row for each fit", tools):
        if against is not None:
            _draw_against(swept, against)
        frame = points(swept, against)
        picks = {"on_select": "rerun", "selection_mode": "multi-row"}
        event = _draw(swept, frame, against, key=f"sweep-table-{swept.stamp[1]}", **picks)
        rows = [row for row in event.selection.rows if row < len(frame)]
        _draw_send(swept, [int(frame["point"].iloc[row]) for row in rows])


def draw_points(swept: Swept) -> None:
    """Draw the points of a sweep under way."""
    best = swept.sweep.chosen
    _draw(swept, points(swept, best), best, key="sweep-table-live")


def _draw_against(swept: Swept, against: int) -> None:
    frame = points(swept, against)
    done = list(frame.loc[frame["status"] == FitStatus.DONE, "point"])[:_MOST_OFFERED]
    done += [against] if against not in done else []
    best = swept.sweep.chosen
    names = {point: point_name(swept, point) + (" (the best)" if point == best else "") for point in done}
    bound("sweep_against", st.selectbox, "Compare each point with", done, shows=against, words=names)


def _draw(swept: Swept, frame: pd.DataFrame, against: int | None, **more: Any) -> Any:
    number, measure = st.column_config.NumberColumn, swept.measure.label
    differs = "Difference of the means over the validation queries"
    tested = "Paired t-test over the validation queries, corrected for the number of points (Holm)"
    counts = [param_label(param) for param in swept.params.values() if param.kind == "int"]
    config = {
        **{label: number(format="%,d") for label in counts},
        "value": number(
            f"{measure}, validation", format="%.4f", help=JUDGED[swept.sweep.score_at].capitalize()
        ),
        "±": number("± fits", format="%.4f", help="Standard deviation over the point's fits"),
        "Δ": number("Δ", format="%+.4f", help=differs),
        "p": number("p", format="%.2g", help=tested),  # none is 0
        "test": number(f"{measure}, test", format="%.4f", help="Looked at for the chosen point only"),
        "queries": "better on",
        "status": "status",
        **({"error": "what went wrong"} if frame["error"].notna().any() else {}),
    }
    return st.dataframe(
        _columns(swept, frame, against),
        hide_index=True,
        width="stretch",
        height="content" if len(frame) <= _MOST_IN_FULL else 420,
        column_config=config,
        alt="A row for each point, the best first",
        placeholder="",
        **more,
    )


def _columns(swept: Swept, frame: pd.DataFrame, against: int | None) -> pd.DataFrame:
    sweep, out = swept.sweep, pd.DataFrame(index=frame.index)
    for name, param in swept.params.items():
        column = column_of(param, frame[name])
        is_number = param.kind in ("int", "float")
        out[param_label(param)] = column if is_number else [short(param, v) for v in column]
    out["value"] = frame["value"]
    if swept.n_cuts > 1:
        out["±"] = frame["deviation"]
    if sweep.test_value is not None:
        out["test"] = [sweep.test_value if point == sweep.chosen else None for point in frame["point"]]
    out["Δ"], out["p"] = frame["difference"], frame["p"]
    better, worse = ("wins", "losses") if sweep.higher_is_better else ("losses", "wins")
    all_queries = frame["wins"] + frame["ties"] + frame["losses"]
    out["queries"] = [
        "compared with" if at == against else "" if pd.isna(n) else f"{b:,.0f}, worse on {w:,.0f} of {n:,.0f}"
        for at, b, w, n in zip(frame["point"], frame[better], frame[worse], all_queries, strict=True)
    ]
    if (frame["status"] != FitStatus.DONE).any():
        out["status"] = [STATUS.get(status, status) for status in frame["status"]]
    if frame["error"].notna().any():
        out["error"] = frame["error"]
    return out


def _draw_send(swept: Swept, picked: list[int]) -> None:
    wanted = picked or ([swept.sweep.chosen] if swept.sweep.chosen is not None else [])
    n_folds = len(swept.sweep.header["folds"])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-send"):
        if not swept.is_running and wanted:
            _draw_link(swept, wanted, bool(picked))
        if swept.path.exists():
            told = "To open here or elsewhere, or to go on with: ltr.sweep(…, store=file), or "
            told += "python -m ltr_core sweep … --store file"
            name, mime = f"{swept.name}.jsonl", "application/x-ndjson"
            panel.download("Sweep’s file", swept.path.read_bytes, name, mime, "sweep-file", told)
    if swept.fold is None:
        st.caption("It was made on other data than those at hand: its points cannot be set beside your runs.")
    elif not swept.has_measure:
        measure = swept.measure.label
        st.caption(f"It was made for {measure}; the sidebar has another measure or definition.")
    elif swept.sweep.score_at != state.get("score_at"):
        here, there = (JUDGED[at] for at in (state.get("score_at"), swept.sweep.score_at))
        st.caption(f"It was judged {there}; Compare judges {here}: a point's number there is another.")
    elif n_folds > 1:
        st.caption(
            f"On Compare a point is trained on the cut at hand, fold {swept.fold + 1} of the sweep’s "
            f"{n_folds}: its number there is that fold’s, not the mean."
        )


def _draw_link(swept: Swept, wanted: list[int], is_picked: bool) -> None:
    runs, refused = state.workspace(), ""
    recipes: list[Recipe] = []
    for point in wanted:
        try:
            recipes.append(recipe(swept, point))
        except ParameterError as error:
            refused = on_screen(error)
    for one in recipes:
        if runs.is_full and runs.slot_of(one) is None:
            refused = f"{MAX_RUNS} runs are on screen, as many as there are colours: remove some first."
        runs = runs.add(one)
    what = count(len(wanted), "picked point") if is_picked else "the best point"
    if refused or swept.fold is None:
        st.button(f"Open {what} in Compare", disabled=True, key="send-refused", help=refused or None)
        if refused:
            st.caption(refused)
        return
    link = mirror.link_beside(runs)  # judged there as here: the numbers are the same to the last digit
    told = "; ".join(point_name(swept, point) for point in wanted[:4])
    with st.container(key="use-point"):
        told = f"Adds {told} to the runs, compared {JUDGED[state.get('score_at')]}."
        panel.way(f"Open {what} in Compare", link, help=told)
