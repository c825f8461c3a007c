"""Lesson 7: could chance alone have made the difference? Shuffle, and see."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

import ltr_core as ltr
from ltr_core.evaluation.significance import holm, randomization_test, say_p

from ...charts.lessons import draw_shuffles
from ...kit.marks import signed_number
from ...runs.services import services
from ...style.theme import Palette
from .. import paper, task
from . import web

_ON_PAPER = 1000  # shuffles
_OFTEN = {
    "hardly ever (under 1 in 100)": (0.0, 0.01),
    "now and then": (0.01, 0.1),
    "often (over 1 in 10)": (0.1, 1.1),
}


@dataclass(frozen=True)
class Case:
    """Two runs on queries neither saw: the differences in NDCG@5, and the exact test's p."""

    differences: np.ndarray
    p: float

    @property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.differences.mean())

    def shuffled(self, n: int) -> np.ndarray:
        """Return the mean differences with the two labels of each query swapped at random, n times."""
        rng = np.random.default_rng(7)
        signs = rng.choice([-1.0, 1.0], (n, len(self.differences)))
        return signs @ self.differences / len(self.differences)


def case(draw: int) -> Case:
    """Return MPBoost's LOGDD beside BINARY; other draws are other queries."""

    def train() -> Case:
        learnt, fresh = web.halves(draw)
        runs = [ltr.MPBoost(ddf=ddf, n_rounds=60).fit(learnt).predict(fresh) for ddf in ("logdd", "binary")]
        first, second = (ltr.evaluate(scores, fresh, "ndcg@5")["ndcg@5"].to_numpy() for scores in runs)
        return Case(first - second, randomization_test(first - second))

    return services().memo.make(("lesson 7", draw), train)


def draw(draw_number: int, colours: Palette) -> None:
    """Shuffle the labels, see where ours lies, then say what p says."""
    given = case(draw_number)
    n = len(given.differences)
    task.say(
        f"Two runs, LOGDD and BINARY, ranked the same **{n} queries** that neither has seen. In the mean "
        f"LOGDD is **{signed_number(given.mean, 4)}** NDCG@5 beside BINARY. Suppose the two were alike: "
        "then on each query a coin would say which of the two numbers bears which name. So **swap the "
        "names at random**, query by query, and look at the mean difference again."
    )
    done = f"_{task.key('shuffles')}"
    shuffles = _ON_PAPER if paper.kind() else int(st.session_state.get(done, 0))

    def more(by: int) -> None:
        st.session_state[done] = shuffles + by

    said = task.predict(
        "often", "How often will chance alone make a difference at least as large as ours?", list(_OFTEN)
    )
    if said is None:
        task.goal(False, "**Goal:** predict first, then shuffle.", anew=False)
        return
    with st.container(horizontal=True, gap="small"):
        st.button("Shuffle once", key=task.key("one"), on_click=more, args=(1,), disabled=shuffles >= 2000)
        st.button("500 times", key=task.key("many"), on_click=more, args=(500,), disabled=shuffles >= 2000)
    means = given.shuffled(shuffles)
    as_large = int((np.abs(means) >= abs(given.mean) - 1e-12).sum())
    if shuffles:
        alt = f"The mean differences of {shuffles} shuffles, and ours"
        figure = draw_shuffles(means, given.mean, colours)
        told = f"{shuffles} shuffles; the lines are ours, to either side"
        task.picture("Mean differences by chance", told, figure, alt, "chance")
    if shuffles < 500:
        task.goal(
            False, f"**Goal:** at least 500 shuffles ({shuffles} so far), then say what it means.", anew=False
        )
        return
    often = next(name for name, (low, high) in _OFTEN.items() if low <= given.p < high)
    reminder = task.you_said(f"“{said}”")
    word = "So it is." if said == often else f"It is “{often}”."
    task.say(
        f"{reminder}{word if reminder else ''} {as_large} of {shuffles} shuffles make a difference at least "
        f"as large as ours, to either side: a share of {as_large / shuffles:.3f}. All shuffles there are "
        f"would make it **{say_p(given.p)}**."
    )
    met = _ask(given)
    text = (
        f"{say_p(given.p)}: and now you know where it comes from."
        if met
        else "**Goal:** what p says, and Holm."
    )
    task.goal(
        met, text, lambda: task.say("Holm multiplies the smallest of m values of p by m: 5 × 0.02 = 0.10.")
    )


def _ask(given: Case) -> bool:
    what = task.choice(
        "p",
        "So p is …",
        {
            "how often chance alone makes a difference at least as large, if the two are alike": "",
            "the probability that they are alike": "It supposes that they are; it says not how likely.",
            "the probability that LOGDD is better": "It says nothing of that: it supposes that neither is.",
            "how large the difference is": "With more queries the same difference has a smaller p.",
        },
    )
    told = (
        "Five methods are compared with one baseline, so there are five chances to be lucky. The smallest "
        "p is 0.02. What does Holm make of it?"
    )
    slips = {
        "That is p as it was; of five, one is small by luck more often.": 0.02,
        "That divides; Holm multiplies p by how many comparisons there are.": 0.004,
        "That multiplies by 4; the smallest of five is multiplied by 5.": 0.08,
        "That is the chance of at least one if the five had nothing in common; Holm multiplies.": 1 - 0.98**5,
    }
    right = float(holm([0.02, 0.3, 0.4, 0.5, 0.6])[0])
    return task.number("holm", told, right, slips) and what
