"""Why is this document here: its score split by feature and by round, and the page itself to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape

import pandas as pd
import streamlit as st

from ..charts.scores import draw_parts, draw_rounds
from ..kit import panel
from ..kit.drawn import drawn
from ..runs.screens import Run
from ..session import state
from ..session.bound import bound
from ..style.words import ordinal
from ..tables import queries as tables
from ..tables.documents import query_text
from ..tables.queries import Listed
from .case import Case
from .html import page_html, score_text


@dataclass(frozen=True)
class Score:
    """The score that is split: the case, the run whose it is, and the run's list."""

    case: Case
    run: Run
    listed: Listed

    @property
    def row(self) -> pd.Series:
        """The document's row in the list."""
        return self.listed.rows.set_index("doc").loc[self.case.doc]


@contextmanager
def of_document(case: Case) -> Iterator[Score]:
    """The place of a document's score, under the question, and the choice of both."""
    run = next((x for x in case.screen.finished if x.slot == state.get("rank_why")), case.run)
    score = Score(case, run, case.of(run.slot))
    title = f"Why is “{escape(case.pages[case.doc].label)}” {ordinal(int(score.row['rank']))}?"
    tied = " (with others of the same score)" if score.row["tied"] else ""
    at = "" if run.recipe.is_given else f", round {score.listed.iteration:,}"
    with panel.panel(title, f"in {escape(run.name)}{at}{tied}"):
        _pick(case, run, score.listed)
        yield score


def page(score: Score) -> None:
    """Show the document itself, where it can be read."""
    document, top = score.case.pages[score.case.doc], float(score.case.one.y.max())
    if document.text or document.title:
        st.html(
            page_html(
                document, query_text(score.case.screen, score.case.query), float(score.row["grade"]), top
            )
        )


def _pick(case: Case, run: Run, listed: Listed) -> None:
    ranks = dict(zip(listed.rows["doc"] + 1, listed.rows["rank"], strict=True))
    names = {x.slot: x.name for x in case.screen.finished}

    def words(doc: int) -> str:
        return f"{ranks[doc]}.  {case.pages[doc - 1].label}  (grade {case.one.y[doc - 1]:g})"

    with st.grid("auto", min_column_width=240, gap="small"):
        docs = [int(doc) for doc in ranks]
        told = "In the list's order. A click on a grade in the slope chart does the same."
        bound("rank_doc", st.selectbox, "Document", docs, shows=case.doc + 1, words=words, help=told)
        told = "The run whose score is split."
        bound("rank_why", st.selectbox, "Score of", list(names), shows=run.slot, words=names, help=told)


def by_feature(score: Score) -> None:
    """Draw what each feature adds to the score."""
    case, run, listed = score.case, score.run, score.listed
    if run.recipe.is_given:
        st.caption(f"{run.name} was brought along: how its scores came about is not in the file.")
        return
    split = tables.by_feature(run.trained, case.one, case.doc, int(listed.iteration or 0))
    if split.rows is None:
        st.caption(f"{run.name} is no sum over features: its score has no parts.")
        return
    if listed.iteration == 0:
        st.caption("At round 0 nothing is learnt yet: no feature adds anything.")
        return
    total = score_text(split.score)
    said = f"{_base(split.base)}the bars add up to the score {total}; the strokes are the query's mean"
    if split.iteration != listed.iteration:
        said = f"at round {split.iteration:,}, the last, with the score {total}: its library keeps no other"
    with panel.panel("By feature", said, lambda: panel.csv(split.rows, "score-by-feature")):
        alt = f"What each feature adds to the score of {case.pages[case.doc].name} in {run.name}"
        panel.chart(drawn(draw_parts, split.rows, case.screen.colours), alt, "rank-parts")


def _base(base: float) -> str:
    return f"the start, {score_text(base)}, and " if base else ""


def by_round(score: Score) -> None:
    """Draw what each round added to the score."""
    case, run, listed = score.case, score.run, score.listed
    if run.recipe.is_given:
        return
    if listed.n_iter < 2:
        st.caption(f"{run.name} is trained in one go: there are no rounds to split by.")
        return
    last = int(listed.iteration or 0)
    rows = tables.by_round(run.trained, case.split, case.one, case.position, case.doc, last)
    said = f"what each added to the score of “{escape(case.pages[case.doc].label)}” in {escape(run.name)}"
    start = float(rows["added"].iloc[0])
    said += f"; it starts at {score_text(start)}" if start else ""
    with panel.panel("Round by round", said, lambda: panel.csv(rows, "score-by-round")):
        alt = f"What each round added to the score of {case.pages[case.doc].name} in {run.name}"
        panel.chart(drawn(draw_rounds, rows, case.screen.colours), alt, "rank-by-round")
