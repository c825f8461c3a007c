"""Lessons 0 and 1: pairs of a list, and NDCG by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

import ltr_core as ltr
from ltr_core.measures.parts.curves import discounts, gains

from ...kit.marks import badge, table
from ...style.theme import Palette
from .. import paper, task
from ..order import order
from . import web

DEPTH = 3
_FEW = 5  # pages of lesson 0: ten pairs can be counted


@dataclass(frozen=True)
class Listed:
    """The pages of one query in an order, the first one first."""

    query: str
    names: list[str]
    y: np.ndarray

    def pairs(self) -> int:
        """How many pairs have a better page."""
        return int((self.y[:, None] > self.y[None, :]).sum())

    def wrong(self, placed: list[int] | None = None) -> int:
        """How many of these have it below the other; `placed` is another order."""
        y = self.y if placed is None else self.y[placed]
        return round(float(ltr.misorder(y, -np.arange(len(y), dtype=float), np.zeros(len(y)))) * self.pairs())

    def next_to(self, wrong: bool = False) -> int:
        """How many neighbours have different grades, or the better page below."""
        steps = np.diff(self.y)
        return int((steps > 0).sum() if wrong else (steps != 0).sum())

    def ndcg(self, placed: list[int] | None = None, **options: object) -> float:
        """Return NDCG@3, or as the options say."""
        y = self.y if placed is None else self.y[placed]
        scores = -np.arange(len(y), dtype=float)
        return float(ltr.ndcg(y, scores, np.zeros(len(y)), **{"k": DEPTH, **options}))  # type: ignore[arg-type]


def listed(draw: int, few: bool = False) -> Listed:
    """Return a query's pages by how well their words match; other draws are other queries and pages."""
    rng = web.chance(draw)
    given = _drawn(rng, few)
    while given.wrong() < 2 or (given.y[:DEPTH] > 0).sum() < (1 if few else 2):  # or there is little to count
        given = _drawn(rng, few)
    return given


def _drawn(rng: np.random.Generator, few: bool) -> Listed:
    """Return a list drawn at random: a query with all its pages, or with a few."""
    one = web.one(int(rng.integers(web.everything().n_queries)))
    assert one.doc_ids is not None  # the set's pages have titles
    rows = np.sort(rng.choice(len(one.y), _FEW, replace=False)) if few else np.arange(len(one.y))
    rows = rows[np.argsort(-one.X[rows, 0], kind="stable")]
    return Listed(str(one.query_ids[0]), [str(name) for name in one.doc_ids[rows]], one.y[rows])


# 0 ----------------------------------------------------------------------------------------------------------


def draw_pairs(draw: int, colours: Palette) -> None:
    """Count the pairs of a list, then put it right."""
    given = listed(draw, few=True)
    task.say(
        f"Somebody asked for **{given.query}** and got five pages. A person has *graded* each, from 0 "
        "(useless) to 4 (perfect): the number in the square. A method knows no grades: it gives each page "
        "a *score* and sorts by it. How good is the order? Look at the **pairs**: two pages with "
        "*different* grades make a pair, and the better page should be above. Two pages of the same grade "
        "may stand either way."
    )
    left, right = st.columns(2, gap="medium")
    n = len(given.y)
    with right:
        pairs = task.number(
            "pairs",
            "How many pairs with different grades does the list have?",
            given.pairs(),
            {
                "That counts also pages of the same grade, which may stand either way.": n * (n - 1) / 2,
                "That counts every pair twice.": 2 * given.pairs(),
                "That is the number of pages.": n,
                "That counts neighbours only; a pair may stand far apart.": given.next_to(),
            },
            decimals=0,
        )
        wrong = task.number(
            "wrong",
            "In how many of them is the better page below?",
            given.wrong(),
            {
                "Those are the pairs that are in order.": given.pairs() - given.wrong(),
                "That counts neighbours only; a pair may stand far apart.": given.next_to(wrong=True),
            },
            decimals=0,
        )
    with left:
        if pairs and wrong and not paper.kind():
            placed = order(task.key("order"), given.names, given.y.tolist())
            now = given.wrong(placed)
            st.html(f'<p class="headline">{now} of {given.pairs()} pairs are in the wrong order.</p>')
        else:
            rows = [
                f'<td>{i}</td><td class="left">{badge(grade)}</td><th scope="row" class="left">{name}</th>'
                for i, (name, grade) in enumerate(zip(given.names, given.y, strict=True), 1)
            ]
            st.html(table([("", "rank"), ("left", "grade"), ("left", "page")], rows))
            now = given.wrong()
    told = "count the pairs first." if not (pairs and wrong) else "now drag the pages until no pair is wrong."
    met = pairs and wrong and now == 0
    text = "No pair is left in the wrong order." if met else f"**Goal:** {told}"
    if paper.kind():
        text = "By grade, the best first, no pair is in the wrong order."
    task.goal(met, text, lambda: _pairs(given))


def _pairs(given: Listed) -> None:
    """Name every pair of the list as it was given."""
    rows = [
        f'<th scope="row" class="left">{given.names[i]} {badge(given.y[i])}</th>'
        f'<td class="left">over {given.names[j]} {badge(given.y[j])}</td>'
        f'<td class="{"better" if i < j else "worse"}">{"✓ above" if i < j else "✗ below"}</td>'
        for i in range(len(given.y))
        for j in range(len(given.y))
        if given.y[i] > given.y[j]
    ]
    st.html(table([("left", "better page"), ("left", ""), ("", "in the list")], rows))


# 1 ----------------------------------------------------------------------------------------------------------


def by_hand(given: Listed) -> pd.DataFrame:
    """Return the list's parts: rank, name, grade, gain, discount, worth, best (grade of the ideal order)."""
    counts = discounts(len(given.y))
    rows = {"rank": range(1, len(given.y) + 1), "name": given.names, "grade": given.y}
    parts = {"gain": gains(given.y), "discount": counts, "worth": gains(given.y) * counts}
    return pd.DataFrame({**rows, **parts, "best": np.sort(given.y)[::-1]})


def draw_ndcg(draw: int, colours: Palette) -> None:
    """Work out NDCG@3, then move pages and watch it."""
    given = listed(draw)
    rows = by_hand(given)
    task.say(
        f"Somebody asked for **{given.query}**. A page of grade *r* is worth $2^r - 1$: a perfect page (15) "
        "more than four so-so ones (3), for one good answer is what people look for. At rank *j* it counts "
        "$1 / \\log_2(1 + j)$ of that: fewer people look so far down. Add up the first three: that is "
        "**DCG@3**. Do the same for the ideal order, the best grades first. **NDCG@3** is the one divided "
        "by the other."
    )
    top = rows.head(DEPTH)
    dcg, ideal = float(top["worth"].sum()), float((gains(top["best"].to_numpy()) * top["discount"]).sum())
    left, right = st.columns([3, 2], gap="medium")
    with right:
        answers = [
            task.number("dcg", "DCG@3 of the list", dcg, _slips_of_sum(given.y)),
            task.number("ideal", "DCG@3 of the ideal order", ideal, _slips_of_ideal(given, dcg)),
            task.number("ndcg", "NDCG@3", given.ndcg(), _slips_of_ratio(given, dcg, ideal)),
        ]
    with left, st.container(key="wide-parts"):
        st.html(_parts_html(rows, worth=all(answers)))
    text = f"NDCG@3 = {given.ndcg():.4f}; 1 would be the ideal order."
    if not all(answers):
        text = "**Goal:** all three numbers right, to two decimals."
    task.goal(all(answers), text, lambda: st.html(_parts_html(rows, worth=True)))
    if all(answers) and not paper.kind():
        task.say("**Now move the pages.** What does a swap at the top cost, what one at the bottom?")
        placed = order(task.key("order"), given.names, given.y.tolist())
        st.html(f'<p class="headline">NDCG@3 = {given.ndcg(placed):.4f}</p>')


def _slips_of_sum(y: np.ndarray) -> dict[str, float]:
    """Return what DCG@3 comes to by mistakes that are often made."""
    first, ranks = y[:DEPTH], np.arange(1.0, DEPTH + 1)
    worth, counts = gains(first), discounts(DEPTH)
    parts = {
        "That adds up the gains without the discount.": worth,
        "That takes the grade itself as the gain; here it is 2ʳ − 1.": first * counts,
        "That takes 2ʳ as the gain; 1 is to be taken off.": (worth + 1) * counts,
        "That takes the natural logarithm; here it is the one to base 2.": worth / np.log(1 + ranks),
        "That takes the logarithm to base 10; here it is the one to base 2.": worth / np.log10(1 + ranks),
        "That multiplies by the logarithm; here it divides.": worth * np.log2(1 + ranks),
        "That divides by the rank itself; here by log₂(1 + j).": worth / ranks,
        "That takes log₂(2 + j); the first rank is 1, not 0.": worth / np.log2(2 + ranks),
        "That takes LETOR's discount; here rank j counts 1 / log₂(1 + j).": worth * discounts(DEPTH, "letor"),
        "That takes the whole list; here only the first three count.": gains(y) * discounts(len(y)),
    }
    return {text: float(terms.sum()) for text, terms in parts.items()}


def _slips_of_ideal(given: Listed, dcg: float) -> dict[str, float]:
    shown = np.sort(given.y[:DEPTH])[::-1]
    own = {
        "That is the list's own order; take the column “ideal order”.": dcg,
        "That sorts the first three only; take the best three of all.": float(
            gains(shown) @ discounts(DEPTH)
        ),
    }
    return {**own, **_slips_of_sum(np.sort(given.y)[::-1])}


def _slips_of_ratio(given: Listed, dcg: float, ideal: float) -> dict[str, float]:
    return {
        "That is DCG@3; divide it by the ideal one.": dcg,
        "That is the ideal order's DCG@3; divide the list's by it.": ideal,
        "That is the other way round: the list's is divided by the ideal one.": ideal / dcg,
        "That takes the grade itself as the gain; here it is 2ʳ − 1.": given.ndcg(gain="grade"),
        "That takes LETOR's discount; here rank j counts 1 / log₂(1 + j).": given.ndcg(discount="letor"),
        "That takes the whole list; here only the first three count.": given.ndcg(k=None),
    }


def _parts_html(rows: pd.DataFrame, worth: bool) -> str:
    head = [("", "rank j"), ("left", "page"), ("left", "grade r"), ("left", "ideal order")]
    head += [("", "gain 2<sup>r</sup> − 1"), ("", "dis&shy;count 1 / log<sub>2</sub>(1 + j)")]
    head += [("", "gain × dis&shy;count"), ("", "the same, ideal")] if worth else []
    ideal = gains(rows["best"].to_numpy()) * rows["discount"].to_numpy()
    lines = [
        f'<td>{row["rank"]}</td><th scope="row" class="left">{row["name"]}</th>'
        f'<td class="left">{badge(row["grade"])}</td><td class="left">{badge(row["best"])}</td>'
        f"<td>{row['gain']:g}</td><td>{row['discount']:.4f}</td>"
        + (f"<td>{row['worth']:.2f}</td><td>{ideal[i]:.2f}</td>" if worth else "")
        for i, row in enumerate(rows.to_dict("records"))
    ]
    return table(head, lines)
