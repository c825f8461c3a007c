"""Which run is looked into, the sentence that reads its model, and which of its sides is shown."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from ..kit import panel
from ..runs.screens import Screen
from ..session import state
from ..session.bound import bound
from ..style.words import count
from ..tables import model as tables
from ..tables.comparison import headlined
from ..tables.folds import folds_of
from ..tables.model import Inspected


def choose(screen: Screen) -> Inspected | None:
    """Draw the choice of the run and return its model; None, and what to do, while there is none."""
    runs = {run.slot: run for run in screen.finished if not run.recipe.is_given}
    if not runs:
        panel.no_run(bool(screen.under_way), screen.splits is not None, "look-start")
        return None
    first = next((slot for slot, run in runs.items() if not run.is_baseline), next(iter(runs)))
    slot = next((slot for slot in (state.get("look_run"), headlined(screen)) if slot in runs), first)
    names = {slot: run.name for slot, run in runs.items()}
    with st.container(horizontal=True, gap="small"):
        bound("look_run", st.selectbox, "Run", list(runs), shows=slot, words=names, width=360)
        folds = folds_of(screen) if runs[slot].trainings else []
        shown = _choose_fold(screen, folds) if folds else screen
    run = next(run for run in shown.finished if run.slot == slot)
    return tables.look_into(shown, run, folds)


def _choose_fold(screen: Screen, folds: list[Screen]) -> Screen:
    """Draw the choice of the fold whose model is looked into, and return its screen."""
    known = {fold.data.fold: fold for fold in folds}
    asked = (state.get("look_fold"), screen.data.fold)
    wanted = next((fold for fold in asked if fold in known), next(iter(known)))
    words, told = "Fold {}".format, "Runs are trained on all folds: the model of which one is shown."
    bound("look_fold", st.selectbox, "Model of", list(known), shows=wanted, words=words, help=told, width=140)
    return known[wanted]


def sentence(inspected: Inspected) -> None:
    """Say in a sentence what the model rests on."""
    frame = tables.importances(inspected)
    used = frame[frame["importance"] > 0]
    cls = type(inspected.model)
    name = inspected.run.name if cls.label in inspected.run.name else f"{inspected.run.name} ({cls.label})"
    if len(used):
        top = used.head(3)
        carry = f"{', '.join(top['feature'])} {'carries' if len(top) == 1 else 'carry'}"
        text = f"{name} uses {len(used):,} of {count(len(frame), 'feature')}; "
        text += f"{carry} {top['importance'].sum():.0%} of its weight."
    else:
        text = f"{name}, {count(inspected.iteration, 'round')}."
    done = inspected.run.trained.model.n_iter_
    where = f"The model of fold {inspected.screen.data.fold} as" if inspected.folds else "As"
    at = f"{where} it is at round {inspected.iteration:,} of {done:,}, the round compared. {cls.summary}"
    st.html(f'<div><p class="headline">{escape(text)}</p><p class="verdict">{escape(at)}</p></div>')


def choose_side(inspected: Inspected) -> str | None:
    """Draw the choice among what the model offers, and return it; None where it offers nothing."""
    offered = tables.offered(inspected)
    if not offered:
        st.caption("There is nothing else to see in this kind of model.")
        return None
    wanted = state.get("look_view")
    wanted = wanted if wanted in offered else next(iter(offered))
    look: dict[str, Any] = {"words": offered, "required": True, "quiet": True}
    bound("look_view", st.segmented_control, "What is shown", list(offered), shows=wanted, **look)
    return wanted
