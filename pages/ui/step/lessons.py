"""Four short lessons: what each sets up, what it says, and whether its goal is met. Knows no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core.datasets import DATASETS
from ltr_core.measures.parts.curves import discounts, gains

from ..tables.steps import LEARNT, UNSEEN, Setup, Stage, setup_of

MEASURE = "ndcg@3"
DEPTH = 3
GOAL = 0.85  # lesson 2: what the six lists are to reach after six rounds
LARGE_GAP = 3


@dataclass(frozen=True)
class Lesson:
    """A lesson: its number, its name, and what it says before and after its goal is met."""

    number: str
    title: str
    text: str
    learnt: str


_BY_HAND = """
Somebody asked for **sourdough starter** and got the pages below, those first whose title matches best. How
good is that list? A page of grade *r* is worth $2^r - 1$; at rank *j* it counts $1 / \\log_2(1 + j)$ of
that. Add up the first three: that is **DCG@3**. Do the same for the ideal order, the best grades first.
**NDCG@3** is the one divided by the other.
"""
_BY_HAND_LEARNT = """
1 would be the ideal order. The spam page at rank 1 is worth nothing and takes the one rank that counts in
full; that the page of grade 3 comes last costs less. That is what NDCG is about: the top of the list.
"""
_MAGNITUDES = f"""
Six queries, six rounds of boosting. **BINARY** treats all pairs alike: a perfect page over a useless one
counts no more than a so-so page over a useless one. A *directed distance* makes pairs count by how far their
grades lie apart. **Goal:** choose the distance with which the six lists come above NDCG@3 = {GOAL} in the
same six rounds.
"""
_MAGNITUDES_LEARNT = """
Same pages, same stumps to choose from, same number of rounds: only the distance between grades is another.
The first rounds go where pairs pull hardest, and with LDD those are the pairs that decide NDCG.
"""
_ROUND = """
A round weighs every pair by how wrong it still is, tries every stump (one feature, one threshold), and takes
the one with the largest gain. The stump's value is **a = N / D**: N is the pull of all pairs that the stump
tells apart, D their weight. Pages above the threshold get *a* added, the others keep their score. **Goal:**
work out *a* and the new score of one page for the round on screen; the question marks are yours.
"""
_ROUND_LEARNT = """
That is all a round does. Then the weights change: pairs now in order weigh less, those still wrong weigh
more. Step on, and watch the matrix.
"""
_OVERFITTING = """
Forty rounds on six queries. The loss falls and falls. But what counts are the same queries with their pages
**drawn anew** (twenty times; the dashed line below the list): nobody learns from them. **Goal:** play it,
then leave the picture at the round whose model ranks the pages drawn anew best.
"""
_OVERFITTING_LEARNT = """
From there on the model learns these forty-eight pages by heart. That is why Compare marks the best round on
*validation* queries and reads the result on others, and what early stopping is for.
"""

LESSONS: dict[str, Lesson] = {
    lesson.number: lesson
    for lesson in (
        Lesson("1", "NDCG by hand", _BY_HAND, _BY_HAND_LEARNT),
        Lesson("2", "Why magnitudes matter", _MAGNITUDES, _MAGNITUDES_LEARNT),
        Lesson("3", "What a round does", _ROUND, _ROUND_LEARNT),
        Lesson("4", "Overfitting", _OVERFITTING, _OVERFITTING_LEARNT),
    )
}
START_ROUND = {"2": 6, "3": 3, "4": 0}


def lesson_setup(number: str, ddf: str) -> Setup:
    """Return what a lesson learns from what; `ddf` is the distance chosen in the second."""
    if number == "2":
        return setup_of("MPBoost", {"ddf": ddf}, "all", 0, 6, 0.06, 0)
    if number == "3":
        return setup_of("MPBoost", {"ddf": "logdd"}, "one", 1, 10, 0.06, 0)
    return setup_of("MPBoost", {"ddf": "ldd"}, "all", 3, 40, 0.06, 0)


# 1 ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByHand:
    """The first lesson's list and the numbers to find."""

    rows: pd.DataFrame  # rank, name, grade, gain, discount, best: the first ranks
    dcg: float
    ideal: float
    ndcg: float
    slips: dict[str, float]  # wrong NDCGs by what went wrong


def by_hand() -> ByHand:
    """Return the first lesson's list: the pages of one query by how well their title matches."""
    data = DATASETS["tiny"].make().select([2])
    assert data.doc_ids is not None  # the set's pages have names
    y, scores, qid = data.y, data.X[:, 0].astype(np.float64), data.qid
    order = np.argsort(-scores, kind="stable")
    best = np.sort(y)[::-1]
    rows = pd.DataFrame(
        {
            "rank": range(1, len(y) + 1),
            "name": data.doc_ids[order],
            "grade": y[order],
            "gain": gains(y[order]),
            "discount": discounts(len(y)),
            "best": best,
        }
    )
    slips = {
        "That takes the grade itself as the gain; here it is 2^r − 1.": ltr.ndcg(
            y, scores, qid, k=DEPTH, gain="grade"
        ),
        "That takes LETOR's discount; here rank j counts 1 / log₂(1 + j).": ltr.ndcg(
            y, scores, qid, k=DEPTH, discount="letor"
        ),
        "That takes the whole list; here only the first three count.": ltr.ndcg(y, scores, qid, k=None),
    }
    dcg = float(ltr.dcg(y, scores, qid, k=DEPTH))
    ideal = float(ltr.dcg(y, y, qid, k=DEPTH))
    ndcg = float(ltr.ndcg(y, scores, qid, k=DEPTH))
    return ByHand(rows, dcg, ideal, ndcg, {why: float(value) for why, value in slips.items()})


def judge(answer: float | None, right: float, slips: dict[str, float] | None = None) -> tuple[bool, str]:
    """Say whether a number given is right to two decimals, and if not what may have gone wrong."""
    if answer is None:
        return False, ""
    if abs(answer - right) <= 0.0051:
        return True, "right"
    for text, wrong in (slips or {}).items():
        if abs(answer - wrong) <= 0.0051:
            return False, text
    return False, "too small" if answer < right else "too large"


# 2 ----------------------------------------------------------------------------------------------------------


def large_gap_pull(stage: Stage) -> tuple[float, float]:
    """Return what share of round 1's pull comes from pairs three grades apart or more, and of the pairs."""
    pairs = stage.details(1).pairs
    y = stage.data.y
    large = (y[pairs["better"]] - y[pairs["worse"]]) >= LARGE_GAP
    pull = pairs["weight"] * pairs["distance"]
    return float(pull[large].sum() / pull.sum()), float(large.mean())


def reached(stage: Stage) -> float:
    """Return what the lists learnt from have come to at the last round."""
    return stage.value(LEARNT, stage.n_rounds)


# 3 ----------------------------------------------------------------------------------------------------------


def question(stage: Stage, t: int) -> tuple[str, float, float, float]:
    """Return a page that round t moves: its letter, its score before and after, and the stump's value."""
    details = stage.details(t)
    rows = stage.at(t)
    at = rows["row"].to_numpy()
    moved = np.flatnonzero(details.scores_after[at] != details.scores_before[at])
    place = moved[0]
    row = at[place]
    before, after = float(details.scores_before[row]), float(details.scores_after[row])
    return str(rows["doc"].iloc[place]), before, after, float(details.chosen["value"])


# 4 ----------------------------------------------------------------------------------------------------------


def best_rounds(stage: Stage) -> Sequence[int]:
    """Return the rounds at which the pages drawn anew are ranked best."""
    values = stage.curve(UNSEEN)
    return [int(t) for t in np.flatnonzero(values >= values.max() - 1e-12)]
