"""Lesson 2: the smallest error in the grades is not the best ranking."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

import ltr_core as ltr
from ltr_core import ALGORITHMS

from ...kit.marks import badge, table
from ...runs.services import services
from ...style.theme import Palette
from .. import task
from . import web

_METHODS: dict[str, dict[str, object]] = {
    "GBT": {"target": "grade", "n_trees": 50},
    "RankBoost": {"n_rounds": 100},
    "LambdaMART": {"n_trees": 50},
}


@dataclass(frozen=True)
class Guesses:
    """Five pages of a query with grades, and what two methods say of them."""

    query: str
    titles: list[str]
    y: np.ndarray
    close: np.ndarray  # near the grades, the two best pages the wrong way round
    ordered: np.ndarray  # far from the grades, in order

    def error(self, scores: np.ndarray) -> float:
        """Return the mean squared error in the grades."""
        return float(((scores - self.y) ** 2).mean())

    def slips(self, scores: np.ndarray) -> dict[str, float]:
        """Return what the error comes to by mistakes that are often made."""
        off, n = scores - self.y, len(self.y)
        return {
            "That is the sum over the pages; the mean divides it by 5.": n * self.error(scores),
            "That takes the differences as they are; square each.": float(np.abs(off).mean()),
            "That adds up the differences as they are; square each.": float(np.abs(off).sum()),
            "That is its root; the squared error is asked for.": float(np.sqrt(self.error(scores))),
            "That divides by 4; the mean of five divides by 5.": n / (n - 1) * self.error(scores),
            "That squares the sum; square each difference, then add.": float(off.sum() ** 2 / n),
        }

    def dcg(self, scores: np.ndarray) -> float:
        """Return DCG@3."""
        return float(ltr.dcg(self.y, scores, np.zeros(5), k=3))

    def ndcg(self, scores: np.ndarray, **options: object) -> float:
        """Return NDCG@3, or as the options say."""
        return float(ltr.ndcg(self.y, scores, np.zeros(5), **{"k": 3, **options}))  # type: ignore[arg-type]


def guesses(draw: int) -> Guesses:
    """Return five pages; other draws are other queries and numbers."""
    rng = web.chance(draw)
    query, titles, y = _pages(rng)
    middle = (y[0] + y[1]) / 2
    step = rng.integers(1, 4) / 10
    close = np.array([middle - step, middle + step, 1.0, 0.0, 0.0])
    ordered = np.array([9.0, 6.0, 5.0, 3.0, 2.0]) + rng.integers(0, 3)
    return Guesses(query, titles, y, close, ordered)


def _pages(rng: np.random.Generator) -> tuple[str, list[str], np.ndarray]:
    """Return a query drawn at random with five of its pages: grades 4, 1 to 3, 1, 0 and 0."""
    while True:
        one = web.one(int(rng.integers(web.everything().n_queries)))
        assert one.doc_ids is not None  # the set's pages have titles
        best_first = np.argsort(-one.y, kind="stable")
        grades = one.y[best_first]
        second = int(np.searchsorted(-grades, -4.0, side="right"))  # the first below 4
        at = [0, second, *np.flatnonzero(grades == 1)[-1:], *np.flatnonzero(grades == 0)[:2]]
        if grades[0] == 4 and len(at) == 5 and len(set(at)) == 5:
            rows = best_first[at]
            return str(one.query_ids[0]), [str(name) for name in one.doc_ids[rows]], one.y[rows]


def trained(draw: int) -> tuple[pd.DataFrame, str]:
    """Return what three methods come to on queries they never saw, and the comparison in a sentence."""

    def train() -> tuple[pd.DataFrame, str]:
        learnt, fresh = web.halves(draw)
        models = {name: ALGORITHMS[name](**params).fit(learnt) for name, params in _METHODS.items()}
        scores = {name: model.predict(fresh) for name, model in models.items()}
        errors = [float(((fresh.grouped(s) - fresh.y) ** 2).mean()) for s in scores.values()]
        values = [ltr.evaluate(s, fresh, "ndcg@3")["ndcg@3"].mean() for s in scores.values()]
        rows = pd.DataFrame({"method": list(scores), "error": errors, "ndcg": values})
        best = str(rows.loc[rows["ndcg"].idxmax(), "method"])
        other = best if best != "GBT" else "LambdaMART"
        told = ltr.compare({"GBT": scores["GBT"], other: scores[other]}, fresh, "ndcg@3")
        return rows, str(told["sentence"].iloc[0])

    return services().memo.make(("lesson 2", draw), train)


def draw(draw_number: int, colours: Palette) -> None:
    """Work out both errors, say why, then see it on fresh queries."""
    given = guesses(draw_number)
    task.say(
        "Why not simply *predict the grades*, as close as one can, and sort by the prediction? Two methods "
        f"have scored the same five pages for **{given.query}**. **A** learnt to predict grades. **B** gives "
        "scores that mean nothing by themselves."
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.html(_table(given))
    with right:
        numbers = _ask(given)
    if not numbers:
        task.goal(False, "**Goal:** all three numbers, then the reason.", lambda: _solve(given))
        return
    met = task.choice(
        "why",
        "B's error is many times as large, and its list is better. Why?",
        {
            "Squared error asks how far each score is from its grade; a list asks only which is larger": "",
            "B was trained for longer": "Nothing is said of training; look at what each number counts.",
            "Five pages are too few to tell": "With more pages it is the same: each sum counts other things.",
            "Grades are no numbers": "They are numbers in both: in the error, and in the gain 2ʳ − 1.",
        },
    )
    text = "The method nearest to the grades is not the one whose lists are best."
    task.goal(met, text if met else "**Goal:** find the reason.", lambda: _solve(given))
    if met:
        _show_trained(draw_number)


def _ask(given: Guesses) -> bool:
    grades = {
        "That is DCG@3; divide it by that of the ideal order.": given.dcg(given.close),
        "That takes grades instead of gains 2ʳ − 1.": given.ndcg(given.close, gain="grade"),
        "That is the ideal order's: A has the two best pages the other way round.": 1.0,
    }
    return all(
        [
            task.number(
                "error-a", "Mean squared error of A", given.error(given.close), given.slips(given.close)
            ),
            task.number(
                "error-b", "Mean squared error of B", given.error(given.ordered), given.slips(given.ordered)
            ),
            task.number("ndcg-a", "NDCG@3 of A's list", given.ndcg(given.close), grades),
        ]
    )


def _table(given: Guesses) -> str:
    rows = [
        f'<th scope="row" class="left wrap"><b>{letter}</b> {escape(title)}</th><td>{badge(grade)}</td>'
        f"<td>{a:g}</td><td>{b:g}</td>"
        for letter, title, grade, a, b in zip(
            "PQRST", given.titles, given.y, given.close, given.ordered, strict=True
        )
    ]
    return table([("left", "page"), ("", "grade"), ("", "A's score"), ("", "B's score")], rows)


def _solve(given: Guesses) -> None:
    for name, scores in (("A", given.close), ("B", given.ordered)):
        terms = " + ".join(f"({s:g} − {g:g})²" for s, g in zip(scores, given.y, strict=True))
        st.caption(f"{name}: ({terms}) / 5 = {given.error(scores):.4f}; NDCG@3 = {given.ndcg(scores):.4f}")
    st.caption("In A's list Q comes before P: the gains 2ʳ − 1 of these two change places.")


def _show_trained(draw_number: int) -> None:
    rows, sentence = trained(draw_number)
    learnt, fresh = web.halves(draw_number)
    task.say(
        f"**The same in earnest**: three methods learnt from {learnt.n_queries} queries of the set Tiny web "
        f"and rank {fresh.n_queries} others. GBT predicts grades; the other two only order pairs."
    )
    lines = [
        f'<th scope="row" class="left">{escape(r["method"])}</th><td>{r["error"]:.3f}</td>'
        f"<td>{r['ndcg']:.4f}</td>"
        for r in rows.to_dict("records")
    ]
    st.html(table([("left", "method"), ("", "squared error"), ("", "NDCG@3")], lines))
    st.caption(f"{sentence}. What such a sentence says, and what it does not, is lesson 7.")
