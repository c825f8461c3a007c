"""Lesson 8: what one hopeless pair costs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st

from ltr_core import LOSSES

from ...charts.lessons import draw_pair_losses
from ...kit.marks import table
from ...style.theme import Palette
from .. import task

SHOWN = ("exponential", "cross_entropy", "fidelity", "hinge")
_EASY, _LEAD = 20, 0.5  # pairs in order, and by how much
_MARGINS = (-1.0, -1.5, -2.0, -2.5, -3.0)


def hopeless(draw: int) -> float:
    """Return the margin of the hopeless pair."""
    return _MARGINS[draw % len(_MARGINS)]


def shares(margin: float) -> pd.DataFrame:
    """Return the loss of the hopeless pair and its share of all, beside twenty pairs in order."""
    rows = []
    for name in SHOWN:
        loss = LOSSES[name]
        bad, easy = (float(loss(np.array([m]))[0]) for m in (margin, _LEAD))
        rows.append({"name": name, "label": loss.label, "bad": bad, "share": bad / (bad + _EASY * easy)})
    return pd.DataFrame(rows)


def draw(draw_number: int, colours: Palette) -> None:
    """Predict which loss the hopeless pair rules, work one out, and find the bounded one."""
    margin = hopeless(draw_number)
    rows = shares(margin)
    shown = f"{margin:g}".replace("-", "−")
    task.say(
        f"A pair's **margin** is how far its better page leads. {_EASY} pairs lead by ½. One pair is "
        f"hopeless, mislabelled perhaps: its better page lies *behind* by {-margin:g}, a margin of {shown}. "
        "A method follows the sum of the losses: how much of it is the one hopeless pair?"
    )
    task.say(
        r"At the margin *m* a pair's loss is, **exponential**: ${e^{-m}}$; **cross entropy**: "
        r"${\log(1 + e^{-m})}$; **fidelity**: ${1 - \sqrt{p}}$ with ${p = 1 / (1 + e^{-m})}$; **hinge**: "
        r"${\max(0, 1 - m)}$."
    )
    labels = rows["label"].tolist()
    said = task.predict("which", "With which loss does the hopeless pair have the largest share?", labels)
    if said is None:
        task.goal(False, "**Goal:** predict first.", anew=False)
        return
    margins = np.linspace(-4.0, 3.0, 141)
    frame = pd.concat(
        pd.DataFrame({"name": LOSSES[n].label, "margin": margins, "value": LOSSES[n](margins)}) for n in SHOWN
    )
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure = draw_pair_losses(frame, margin, colours)
        alt = "Four losses by the margin, with the hopeless pair's margin marked"
        task.picture("What a pair costs", "by its margin; dotted: the hopeless pair", figure, alt, "losses")
    with right:
        lines = [
            f'<th scope="row" class="left">{r["label"]}</th><td>{r["bad"]:.3f}</td><td>{r["share"]:.0%}</td>'
            for r in rows.to_dict("records")
        ]
        first = task.number(
            "exp",
            f"The exponential loss of a pair is e to the power of minus its margin. At {shown} it is",
            float(rows.set_index("name").loc["exponential", "bad"]),
            {
                "That is e to the power of the margin: mind the sign.": float(np.exp(margin)),
                "That is e times the margin; e is raised to the power of it.": float(-math.e * margin),
                "That is a power of 2; here it is one of e = 2.718 …": float(2.0**-margin),
                "That is a power of 10; here it is one of e = 2.718 …": float(10.0**-margin),
            },
        )
        if first:
            most = str(rows.loc[rows["share"].idxmax(), "label"])
            word = "So it is" if said == most else f"It is the {most.lower()} loss"
            st.html(table([("left", "loss"), ("", "hopeless pair"), ("", "its share")], lines))
            st.caption(f"{task.you_said(said)}{word}.")
    unbounded = "It grows without end to the right, where the pair lies further behind."
    options = {LOSSES[n].label: "" if LOSSES[n].bounded else unbounded for n in SHOWN}
    met = first and task.choice("bound", "With which of them can a pair never cost more than 1?", options)
    text = "FRank's fidelity loss gives up a hopeless pair; the others keep working on it."
    solution = (
        f"e to the power of {-margin:g} = {np.exp(-margin):.4f}. Look which curve stays below 1 at the right."
    )
    task.goal(met, text if met else "**Goal:** the number, then the bounded one.", lambda: task.say(solution))
