"""Lesson 5: condition (9), and the zigzag of a step that is too long."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import ltr_core as ltr

from ...charts.lessons import draw_losses_by_round
from ...session.bound import bound
from ...style.theme import Palette
from ...tables.steps import MISORDER, Stage, loss_name
from .. import task
from . import web

LAMBDAS = (0.5, 1.0, 2.0, 3.0, 4.64)
_ROUNDS = 14
_STEADY = 1e-9


def stage(lam: float, draw: int) -> Stage:
    """Return fourteen rounds on six queries with LOGDD's λ; other draws are other queries."""
    return web.stage({"ddf": "logdd", "lam": lam}, web.few(draw), _ROUNDS, "ndcg@3", 0)


def losses(chosen: Stage) -> np.ndarray:
    """Return the loss Π Z from round 0 on."""
    return chosen.curve(loss_name("MPBoost"))


def is_falling(chosen: Stage) -> bool:
    """Whether the loss never rises from one round to the next."""
    values = losses(chosen)
    return bool((np.diff(values) <= _STEADY * values[:-1]).all())


def mean_distance(chosen: Stage) -> float:
    """Return the mean |dist| over the pairs learnt from: condition (9) asks for about 1."""
    model = chosen.model
    assert isinstance(model, ltr.MPBoost)
    return model.distance_.mean


def draw(draw_number: int, colours: Palette) -> None:
    """Predict, then find the largest λ whose loss never rises."""
    task.say(
        "Each round adds **a = N/D**. That step is right if the distances $|d|$ are about 1, which is "
        "**condition (9)** of the MPBoost paper: then the loss Π Z, which by **Theorem 1** the share of "
        "misordered pairs never exceeds, falls in every round. LOGDD's **λ** makes all distances larger or "
        "smaller. What if they are large: λ&nbsp;=&nbsp;4.64?"
    )
    said = task.predict(
        "what",
        "With λ = 4.64, from round to round the loss …",
        ["falls faster", "falls more slowly", "goes up and down"],
    )
    if said is None:
        task.goal(False, "**Goal:** predict first.", anew=False)
        return
    stages = {lam: stage(lam, draw_number) for lam in LAMBDAS}
    left, right = st.columns([3, 2], gap="medium")
    with right:
        lam = bound(
            task.key("lam"),
            st.segmented_control,
            "λ",
            LAMBDAS,
            words="{:g}".format,
            default=LAMBDAS[-1],
            required=True,
        )
        chosen = stages[lam]
        values = losses(chosen)
        rises = int((np.diff(values) > _STEADY * values[:-1]).sum())
        told = "never rises" if not rises else f"rises in {rises} of {len(values) - 1} rounds"
        above = bool((chosen.curve(MISORDER) <= values + 1e-12).all())
        task.say(
            f"λ = {lam:g}: the mean distance is **{mean_distance(chosen):.2f}**, the loss **{told}** and "
            f"ends at {values[-1]:.3g}. {_theorem(rises > 0) if above else ''}"
        )
        met = task.choice(
            "largest", "The largest of these λ at which the loss never rises:", _answers(stages)
        )
    with left:
        frame = pd.concat(
            pd.DataFrame({"name": name, "iteration": range(len(y)), "value": y})
            for name, y in (("loss = Π Z", values), (MISORDER, chosen.curve(MISORDER)))
        )
        alt = f"The loss and the share of misordered pairs by round with λ = {lam:g}"
        task.picture(
            "The loss by round", f"λ = {lam:g}", draw_losses_by_round(frame, colours), alt, "overshoot"
        )
    word = "it goes up and down" if not is_falling(stages[LAMBDAS[-1]]) else "it falls"
    text = task.you_said(f"of λ = 4.64 that the loss {said}")
    text += f"At λ = 4.64 {word}: with a mean distance of "
    text += f"{mean_distance(stages[LAMBDAS[-1]]):.2f} the step is too long."
    task.goal(met, text if met else "**Goal:** find it by trying.")


def _answers(stages: dict[float, Stage]) -> dict[str, str]:
    """Return the values to choose from, with what is wrong with each."""
    steady = [lam for lam, its in stages.items() if is_falling(its)]
    most = max(steady, default=None)
    said = {f"{lam:g}": "" if lam == most else _why(lam, steady) for lam in LAMBDAS}
    return said | {"none of them": "" if most is None else "Try them all: there is one."}


def _theorem(rises: bool) -> str:
    begin = "Theorem 1 holds all the same" if rises else "Theorem 1 holds"
    return f"{begin}: the misordered share stays below the loss."


def _why(lam: float, steady: list[float]) -> str:
    return (
        "A larger one is steady too." if lam in steady else "There the loss rises at least once: look again."
    )
