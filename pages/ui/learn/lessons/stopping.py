"""Lesson 6: the curve that counts is hidden, and one has to stop."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from ...charts.lessons import draw_stopping
from ...style.theme import Palette
from ...tables.steps import FRESH, LEARNT, Stage
from .. import paper, task
from . import web

ROUNDS, QUERIES = 40, 4  # few to learn from, with every feature: there is much to learn by heart
_STEP = 2


def stage(draw: int) -> Stage:
    """Return forty rounds on four queries; other draws are other queries."""
    given = web.few(draw, QUERIES, every_feature=True)
    return web.stage({"ddf": "binary"}, given, ROUNDS, "ndcg@3", 0)


def best_rounds(chosen: Stage) -> list[int]:
    """Return the rounds at which the fresh queries are ranked best, as the page prints the value."""
    values = np.round(chosen.curve(FRESH), 3)
    return [int(t) for t in np.flatnonzero(values == values.max())]


def draw(draw_number: int, colours: Palette) -> None:
    """Watch the training curve, stop, then see the other one."""
    chosen = stage(draw_number)
    task.say(
        "Boosting on four queries, two rounds at a time. You see how well it ranks the queries it **learns "
        "from**. What counts are other queries, which nobody learns from (**validation**): that curve is "
        "hidden. Go on as long as you think it is worth it, then **stop**."
    )
    at, over = f"_{task.key('round')}", f"_{task.key('stopped')}"
    t = int(st.session_state.get(at, 0))
    stopped = over in st.session_state or paper.is_solved()
    if paper.kind():
        t = chosen.n_rounds

    def go_on() -> None:
        st.session_state[at] = min(t + _STEP, chosen.n_rounds)

    def stop() -> None:
        st.session_state[over] = True

    with st.container(horizontal=True, gap="small"):
        st.button(
            "Two rounds more", key=task.key("go"), on_click=go_on, disabled=stopped or t >= chosen.n_rounds
        )
        st.button(
            "Stop here", key=task.key("stop"), on_click=stop, disabled=stopped or t == 0, type="primary"
        )
    shown = chosen.n_rounds if stopped else t
    names = (LEARNT, FRESH) if stopped else (LEARNT,)
    at_round = t if stopped and not paper.kind() else None
    frame = pd.concat(
        pd.DataFrame({"name": n, "iteration": range(shown + 1), "value": chosen.curve(n)[: shown + 1]})
        for n in names
    )
    figure = draw_stopping(frame, at_round, chosen.n_rounds, colours)
    alt = f"NDCG@3 by round, up to round {shown}"
    task.picture("NDCG@3 by round", f"round {t} of {chosen.n_rounds}", figure, alt, "stopping")
    if paper.kind():
        paper.number("I would stop at round", best_rounds(chosen)[0], 0)
    if not stopped:
        task.goal(False, "**Goal:** stop at the round you would use.", anew=False)
        return
    _reveal(chosen, t)


def _reveal(chosen: Stage, t: int) -> None:
    """Say where the best round was, and ask what could have told."""
    values, learnt, best = chosen.curve(FRESH), chosen.curve(LEARNT), best_rounds(chosen)
    last = chosen.n_rounds
    where = (
        "Exactly there it is best" if t in best else f"Best was round {best[0]} with {values[best[0]]:.3f}"
    )
    reminder = f"You stopped at round {t}: {values[t]:.3f} on validation. "
    if paper.kind():
        reminder, where = "", f"On validation round {best[0]} is best, with {values[best[0]]:.3f}"
    task.say(
        f"{reminder}**{where}**; at round {last} it is "
        f"{values[last]:.3f}, while the lists learnt from went on from {learnt[t]:.3f} to {learnt[last]:.3f}."
    )
    met = task.choice(
        "what",
        "What could have told you when to stop?",
        {
            "The measure on queries nobody learns from (validation)": "",
            "The training curve flattening out": "Look: it says nothing of where the other one turns.",
            "The loss": "It falls to the end.",
            "A fixed number of rounds": "Take other numbers: the best round is another.",
        },
    )
    task.goal(
        met, "That is what validation queries are for." if met else "**Goal:** what could have told you?"
    )
