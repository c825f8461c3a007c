"""Why is this document here: its score split by feature and by round, and the page itself to read."""

from __future__ import annotations

from html import escape

import streamlit as st

from ..charts.parts import draw_parts, draw_rounds
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.screens import Run
from ..session import state
from ..style.words import ordinal
from ..tables import queries as found
from .case import Case, pick
from .html import page_html, score_text


def why(case: Case) -> None:
    """Split the score of a document that the user picks."""
    run = next((x for x in case.screen.finished if x.slot == state.get("rank_why")), case.run)
    listed = case.of(run.slot)
    row = listed.rows.set_index("doc").loc[case.doc]
    page = case.pages[case.doc]
    place = ordinal(int(row["rank"]))
    tied = " (with others of the same score)" if row["tied"] else ""
    with panel.panel(
        f"Why is “{escape(page.label)}” {place}?", f"in {escape(run.name)}, round {listed.iteration}{tied}"
    ):
        _pick(case, run, listed)
        if page.text or page.title:
            st.html(page_html(page, case.query, float(row["grade"]), float(case.one.y.max())))
        _by_feature(case, run, listed)
        _by_round(case, run, listed)


def _pick(case: Case, run: Run, listed: found.Listed) -> None:
    ranks = dict(zip(listed.rows["doc"] + 1, listed.rows["rank"], strict=True))
    names = {x.slot: x.name for x in case.screen.finished}

    def words(doc: int) -> str:
        return f"{ranks[doc]}.  {case.pages[doc - 1].label}  (grade {case.one.y[doc - 1]:g})"

    with st.grid("auto", min_column_width=170, gap="small"):
        pick(
            "rank_doc",
            "Document",
            [int(doc) for doc in ranks],
            case.doc + 1,
            words,
            "In the list's order. A click on a grade in the slope chart does the same.",
        )
        pick("rank_why", "Score of", list(names), run.slot, names.get, "The run whose score is split.")


def _by_feature(case: Case, run: Run, listed: found.Listed) -> None:
    split = found.by_feature(run.trained, case.one, case.doc, int(listed.iteration or 0))
    if split.rows is None:
        st.caption(f"{run.name} is no sum over features: its score has no parts.")
        return
    if listed.iteration == 0:
        st.caption("At round 0 nothing is learnt yet: no feature adds anything.")
        return
    total = score_text(split.score)
    said = f"{_base(split.base)}the bars add up to the score {total}; the strokes are the query's mean"
    if split.iteration != listed.iteration:
        said = f"at round {split.iteration}, the last, with the score {total}: its library keeps no other"
    with panel.panel("By feature", said, lambda: panel.csv(split.rows, "score-by-feature")):
        alt = f"What each feature adds to the score of {case.pages[case.doc].name} in {run.name}"
        panel.chart(drawn(draw_parts, split.rows, case.screen.colours), alt, "rank-parts")


def _base(base: float) -> str:
    return f"the start, {score_text(base)}, and " if base else ""


def _by_round(case: Case, run: Run, listed: found.Listed) -> None:
    if listed.n_iter < 2:
        st.caption(f"{run.name} is trained in one go: there are no rounds to split by.")
        return
    rows = found.by_round(
        run.trained, case.split, case.one, case.position, case.doc, int(listed.iteration or 0)
    )
    said = "what each round added, and the score so far"
    with panel.panel("By round", said, lambda: panel.csv(rows, "score-by-round")):
        alt = f"What each round added to the score of {case.pages[case.doc].name} in {run.name}"
        panel.chart(drawn(draw_rounds, rows, case.screen.colours), alt, "rank-by-round")
