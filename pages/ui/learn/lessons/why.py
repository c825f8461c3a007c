"""Lesson 9: a score is a sum; read it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import streamlit as st

from ...kit.marks import badge, signed_number, table
from ...style.theme import Palette
from ...tables.steps import Stage
from .. import task
from . import web

_ROUNDS = 12
_SOME = 0.05  # of a score


@dataclass(frozen=True)
class Split:
    """A page's score taken apart: what each feature adds, the same for the mean page, and who it is."""

    query: str
    name: str
    rank: int
    grade: float
    features: list[str]
    own: np.ndarray
    mean: np.ndarray

    @property
    def gaps(self) -> np.ndarray:
        """What each feature adds beyond the mean page."""
        return self.own - self.mean


def split(draw: int) -> Split:
    """Return a page of a query; other draws are other queries and pages."""
    chosen = stage(draw)
    query = draw % chosen.data.n_queries
    rows = np.arange(chosen.data.offsets[query], chosen.data.offsets[query + 1])
    parts = chosen.model.explain(chosen.data.X)
    of_query, mean = parts[rows], parts[rows].mean(axis=0)
    worst = np.argmax(mean - of_query, axis=1)
    costs, own = (part[np.arange(len(rows)), worst] for part in (mean - of_query, of_query))
    # something is to be taken off something, or the mean page's part would be the answer
    told = (np.minimum(np.abs(own), np.abs(mean[worst])) > _SOME) & (costs > _SOME)
    row = int(rows[np.lexsort((-costs, ~told))[draw % max(1, min(3, told.sum()))]])
    scores = chosen.model.predict(chosen.data.X)[rows]
    rank = int((scores > scores[row - rows[0]]).sum()) + 1
    names = [str(name) for name in chosen.data.feature_names]
    assert chosen.data.doc_ids is not None  # the set's pages have names
    asked, title, grade = str(chosen.data.query_ids[query]), str(chosen.data.doc_ids[row]), chosen.data.y[row]
    return Split(asked, title, rank, float(grade), names, parts[row], mean)


def stage(draw: int) -> Stage:
    """Return the model whose scores are read."""
    return web.stage({"ddf": "logdd"}, web.few(draw), _ROUNDS, "ndcg@3", 0)


def draw(draw_number: int, colours: Palette) -> None:
    """Find the feature that costs a page most, and how much."""
    given = split(draw_number)
    worst = int(np.argmin(given.gaps))
    task.say(
        "A boosted model of stumps is a **sum**: each feature adds its part to a page's score. Here is "
        f"“{given.name}”, rank {given.rank} for **{given.query}**, beside the mean over the eight pages of "
        "that query. What does each feature do for it?"
    )
    st.caption(web.FEATURES_TOLD)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        lines = [
            f'<th scope="row" class="left">{name}</th><td>{signed_number(own)}</td>'
            f"<td>{signed_number(mean)}</td>"
            for name, own, mean in zip(given.features, given.own, given.mean, strict=True)
        ]
        lines.append(
            f'<th scope="row" class="left">score</th><td class="strong">{signed_number(given.own.sum())}</td>'
            f"<td>{signed_number(given.mean.sum())}</td>"
        )
        head = [("left", ""), ("", f"{escape(given.name)} {badge(given.grade)}"), ("", "mean page")]
        st.html(table(head, lines))
    with right:
        options = {}
        for k, name in enumerate(given.features):
            kind = "lifts it" if given.gaps[k] > 0 else "costs it less than another feature does"
            options[name] = "" if k == worst else f"Against the mean page {name} {kind}."
        first = task.choice("which", "Which feature costs this page most, against the mean page?", options)
        slips = {
            "That is what the feature adds; take it against the mean page.": abs(float(given.own[worst])),
            "That is the mean page's part.": abs(float(given.mean[worst])),
            "That adds the two; take one off the other.": abs(float(given.own[worst] + given.mean[worst])),
            "That is how far the whole scores lie apart.": abs(float(given.gaps.sum())),
        }
        amount = abs(float(given.gaps[worst]))
        second = first and task.number(
            "much", f"How much does {given.features[worst]} cost it?", amount, slips
        )
    met = bool(first and second)
    text = f"The feature “{given.features[worst]}” costs it {amount:.2f} more than the mean page."
    own, mean = signed_number(given.own[worst]), signed_number(given.mean[worst])
    solution = f"{given.features[worst]}: {own} against {mean}, which is {amount:.3f} less."
    task.goal(met, text if met else "**Goal:** the feature and the number.", lambda: task.say(solution))
