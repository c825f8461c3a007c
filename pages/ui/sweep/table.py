"""The points of a sweep as a table: compared with one of them, picked for Compare, taken home as files."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from ltr_core import ParameterError

from ..kit import panel
from ..runs.specs import MAX_RUNS, Recipe
from ..session import mirror, state
from ..session.bound import bound
from ..style.words import count, param_label
from ..tables.sweep import Shown, baseline, column_of, point_name, points, recipe, said, short, values

_MOST_OFFERED = 200  # points to compare with, the best first
_STATES = {"done": "done", "pruned": "given up early", "failed": "failed", "unfinished": "not finished"}


def draw(seen: Shown) -> None:
    """Draw the points, the baseline's picker, the way to Compare and the files."""
    against = baseline(seen, state.get("sweep_against"))

    def tools() -> None:
        panel.csv(lambda: seen.sweep.table, "sweep-fits")

    with panel.panel("Points", "pick rows to send them to Compare; the file has one row for each fit", tools):
        if against is not None:
            _draw_against(seen, against)
        picked = table(seen, against, True)
        _draw_send(seen, picked)


def _draw_against(seen: Shown, against: int) -> None:
    frame = points(seen, against)
    done = list(frame.loc[frame["status"] == "done", "point"])[:_MOST_OFFERED]
    done += [against] if against not in done else []
    best = seen.sweep.chosen
    names = {point: point_name(seen, point) + (" (the best)" if point == best else "") for point in done}
    bound("sweep_against", st.selectbox, "Compare each point with", done, shows=against, words=names)


def table(seen: Shown, against: int | None = None, picks: bool = False) -> list[int]:
    """Draw the table of points, the best first, and return the points picked."""
    frame = points(seen, against) if picks else points(seen, seen.sweep.chosen)
    shown = _columns(seen, frame, against if picks else seen.sweep.chosen)
    number = st.column_config.NumberColumn
    error = {"error": "what went wrong"} if frame["error"].notna().any() else {}
    config: dict[str, Any] = {
        "value": number(f"{seen.measure}, validation", format="%.4f"),
        "±": number("± fits", format="%.4f", help="Standard deviation over the point's fits"),
        "Δ": number("Δ", format="%+.4f", help="Difference of the means over the validation queries"),
        "p": number(
            "p",
            format="%.2g",
            help="Paired t-test over the validation queries, corrected for the number of points (Holm)",
        ),
        "test": number(f"{seen.measure}, test", format="%.4f", help="Looked at for the chosen point only"),
        "queries": "better on",
        "status": "status",
        **error,
    }
    event = st.dataframe(
        shown,
        hide_index=True,
        width="stretch",
        height=min(420, 3 + 35 * (1 + max(1, len(shown)))),
        key=f"sweep-table-{seen.stamp[1]}" if picks else "sweep-table-live",
        column_config=config,
        alt="A row for each point, the best first",
        placeholder="",
        **({"on_select": "rerun", "selection_mode": "multi-row"} if picks else {}),
    )
    rows = event.selection.rows if picks else []
    return [int(frame["point"].iloc[row]) for row in rows if row < len(frame)]


def _columns(seen: Shown, frame: pd.DataFrame, against: int | None) -> pd.DataFrame:
    out = pd.DataFrame(index=frame.index)
    for name, param in seen.params.items():
        column = column_of(param, frame[name])
        is_number = param.kind in ("int", "float")
        out[param_label(param)] = column if is_number else [short(param, v) for v in column]
    out["value"] = frame["value"]
    if seen.n_fits > 1:
        out["±"] = frame["deviation"]
    if seen.sweep.test_value is not None:
        out["test"] = [seen.sweep.test_value if p == seen.sweep.chosen else None for p in frame["point"]]
    out["Δ"], out["p"] = frame["difference"], frame["p"]
    better, worse = ("wins", "losses") if seen.sweep.higher_is_better else ("losses", "wins")
    all_queries = frame["wins"] + frame["ties"] + frame["losses"]
    out["queries"] = [
        "compared with" if point == against else "" if pd.isna(n) else f"{b:.0f}, worse on {w:.0f} of {n:.0f}"
        for point, b, w, n in zip(frame["point"], frame[better], frame[worse], all_queries, strict=True)
    ]
    if (frame["status"] != "done").any():
        out["status"] = [_STATES.get(s, s) for s in frame["status"]]
    if frame["error"].notna().any():
        out["error"] = frame["error"]
    return out


def _draw_send(seen: Shown, picked: list[int]) -> None:
    wanted = picked or ([seen.sweep.chosen] if seen.sweep.chosen is not None else [])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sweep-send"):
        if seen.state != "running" and wanted:
            _draw_link(seen, wanted, bool(picked))
        if seen.path.exists():
            told = "To open here or elsewhere, or to go on with: ltr.sweep(…, store=file), or "
            told += "python -m ltr_core sweep … --store file"
            name, mime = f"{seen.name}.jsonl", "application/x-ndjson"
            panel.download("Sweep’s file", lambda: seen.path.read_bytes(), name, mime, "sweep-file", told)
    if seen.fold is None:
        st.caption("It was made on other data than those at hand: its points cannot be set beside your runs.")
    elif not seen.spoken:
        st.caption(f"It was made for {seen.measure}; the sidebar has another measure or definition.")
    elif len(seen.sweep.header["folds"]) > 1:
        st.caption(
            f"On Compare a point is trained on the cut at hand, fold {seen.fold + 1} of the sweep’s "
            f"{len(seen.sweep.header['folds'])}: its number there is that fold’s, not the mean."
        )


def _draw_link(seen: Shown, wanted: list[int], is_picked: bool) -> None:
    runs, refused = state.workspace(), ""
    recipes: list[Recipe] = []
    for point in wanted:
        try:
            recipes.append(recipe(seen, point))
        except ParameterError as error:
            refused = str(error)
    for one in recipes:
        if runs.is_full and runs.slot_of(one) is None:
            refused = f"{MAX_RUNS} runs are on screen, as many as there are colours: remove some first."
        runs = runs.add(one)
    what = count(len(wanted), "picked point") if is_picked else "the best point"
    if refused or seen.fold is None:
        st.button(f"Open {what} in Compare", disabled=True, key="send-refused", help=refused or None)
        if refused:
            st.caption(refused)
        return
    # At the last round, as the sweep has judged it: the numbers are the same to the last digit.
    link = mirror.link_beside(runs, score_at="last")
    with st.container(key="use-point"):
        points = (zip(seen.params.values(), values(seen, i).values(), strict=True) for i in wanted[:4])
        told = "; ".join(", ".join(said(param, value) for param, value in point) for point in points)
        why = f"Adds {told} to the runs, compared at the last round, as the sweep compares them."
        panel.way(f"Open {what} in Compare", link, help=why)
