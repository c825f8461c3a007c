"""The pictures of runs: each asks the tables once, draws once, and says in words what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from ltr_core import PAPERS

from ..charts.curves import draw_curves, draw_depths, draw_multiples
from ..kit import growing, panel
from ..kit.drawn import drawn
from ..kit.terms import marked
from ..runs.presets import Preset
from ..runs.screens import Screen
from ..runs.services import services
from ..session import mirror, state
from ..session.screen import last
from ..style.lettering import unbroken
from ..style.words import SPLIT_NAMES
from ..tables import comparison, outcomes
from ..tables.curves import curves, live_curves, rounds_ahead, unmoved

_HEIGHT = 300
_LOOKS = 2  # a growing picture takes 0.05 s to make: it is drawn half as often as the bars


def headline(screen: Screen) -> None:
    """The sentence that reads the comparison."""
    reading, on = comparison.read(screen), f" on {screen.means}" if screen.means else ""
    if reading is not None:
        text, below = reading.sentence, f"{reading.verdict} {_counted(screen)}".rstrip()
    elif screen.under_way:
        text, below = f"Training{on} …", _coming(screen)
    elif len(screen.complete) == 1:
        how = "brought along" if screen.complete[0].recipe.is_given else "trained"
        text = f"{comparison.as_trained(screen.complete[0])} is {how}{on}."
        below = "Add a second run, and read here which one is better."
    else:
        return
    came = st.session_state.get(state.SHIPPED)
    note = f'<p class="note">{_shipped(screen)}</p>' if screen.shipped or came else ""
    said = marked(unbroken(text))
    st.html(f'<div><p class="headline">{said}</p><p class="verdict">{marked(below)}</p>{note}</div>')


def _shipped(screen: Screen) -> str:
    """Say which runs came with this version, and later how they compare with those trained here."""
    came = state.held(state.SHIPPED, set[str])
    came |= {run.key for run in screen.shipped}
    if screen.shipped:
        return (
            "So that there is something to see at once, these runs came with this version of Rankscope. In a "
            "moment they are trained here too, and compared."
        )
    known = services().store.compared
    gaps = [known[run.key] for run in screen.finished if run.key in came and run.key in known]
    if not gaps:
        return ""
    gap = max(gaps)
    told = "the same to the last digit" if gap == 0 else f"their curves differ by {gap:.1e} at most"
    return f"Trained here by now, beside the runs that came with this version: {told}."


def _coming(screen: Screen) -> str:
    if not screen.means:
        return "The sentence that reads the comparison comes here when two runs are done."
    total = sum(len(run.specs) for run in screen.runs)
    return f"{total} trainings. Those that are done are kept, also when you stop."


def _counted(screen: Screen) -> str:
    """Say how the queries of several trainings count."""
    if not screen.means or screen.repeat == "folds":
        return f"The test queries of all {screen.means} count together." if screen.means else ""
    same = unmoved(screen)
    if len(same) == len(screen.complete):
        return "The seed changes nothing here: none of these runs draws anything at random."
    whose = f"Each query counts once, with its mean over {screen.means}."
    return whose + (f" The seed changes nothing for {', '.join(same)}." if same else "")


def measure_curves(screen: Screen, key: str, layout: str = "overlay", axes: bool = False) -> None:
    """The measure by round; with `axes` the control of the round axis stands here, else beside the loss."""
    _curves(screen, "measure", key, layout, axes)


def loss_curves(screen: Screen, key: str, layout: str = "overlay") -> None:
    """The loss by round."""
    _curves(screen, "loss", key, layout, axes=True)


def _curves(screen: Screen, what: str, key: str, layout: str, axes: bool) -> None:
    is_loss, multiples = what == "loss", layout == "multiples"
    split = state.get("loss_split" if is_loss else "curve_split")
    relative = is_loss and state.get("loss_scale") == "relative"
    label = "Loss" if is_loss else screen.measure.label
    unit = "loss, untrained = 1" if relative else "loss" if is_loss else label
    title, said = f"{label} by round", _said(screen, split, is_loss, multiples)
    frame, smooth = curves(screen, what, split, relative), state.get("smooth")
    said += f"; smoothed over {smooth} rounds" if smooth > 1 else ""
    with panel.panel(title, said, lambda: _tools(is_loss, frame, key, axes)):
        if not screen.complete and not screen.under_way:
            _nothing(screen)
            return
        how = (what, split, relative, unit, multiples, screen.repeat, key, f"{title} {said}")
        if screen.under_way:
            growing.part(_picture, key, state.rounds, _LOOKS * services().runner.poll_seconds)(*how)
        else:
            with st.container():  # as deep as a fragment: the chart that grew stays where it is
                _picture(*how)


def _picture(
    what: str, split: str, relative: bool, unit: str, multiples: bool, repeat: str, key: str, told: str
) -> None:
    """Draw the curves, as they grow too: one picture from the first point to the last."""
    screen = last() if repeat != "one" else last().once
    growing = bool(screen.under_way)
    frame = (live_curves if growing else curves)(screen, what, split, relative)
    if growing and not len(frame):
        st.skeleton(height=_HEIGHT)
        return
    is_loss, smooth, least = what == "loss", state.get("smooth"), rounds_ahead(screen) if growing else 1
    how = (unit, outcomes.best_points(screen), state.get("log_rounds"), is_loss and state.get("log_loss"))
    make = _drawn_once if growing else drawn  # what grows is another picture at every look
    if multiples:
        base = screen.baseline.slot if screen.baseline else None
        figure = make(draw_multiples, frame, screen.looks, *how, screen.colours, base, smooth, least)
        alt = "a small picture for each run, the baseline dotted in all of them"
    else:
        like = (screen.colours, _HEIGHT, screen.means, smooth, least)
        figure = make(draw_curves, frame, screen.looks, *how, *like)
        alt = "a line for each run"
    band = f", means of {screen.means} in a band of ± 1 standard deviation" if screen.means else ""
    # The button for a picture stands in the panel's head, outside the part that polls.
    panel.chart(figure, f"{told}, {alt}{band}", key, picture=not growing)


def _drawn_once(draw: Callable[..., go.Figure], *given: Any) -> go.Figure:
    return draw(*given)


def _said(screen: Screen, split: str, is_loss: bool, multiples: bool) -> str:
    """Say on which data a curve is and what else there is to say; or how all three are told apart."""
    if screen.means and multiples:  # which have no legend
        rest = f"mean of {screen.means} ± 1 standard deviation"
    elif is_loss:
        rest = "each algorithm's own"
    elif screen.means:
        rest = "markers: rounds compared"
    elif screen.score_at == "last":
        rest = "filled: the last round, hollow: the best on validation"
    else:
        rest = "the marker is the best round on validation"
    if split != "all":
        return f"on {SPLIT_NAMES[split]}; {rest}"
    said = "test thick, validation thinner, training thinnest"
    return f"{said}; {rest}" if screen.means and multiples else said


def _tools(is_loss: bool, frame: pd.DataFrame, key: str, axes: bool) -> None:
    """The controls of a picture of curves."""
    panel.choose("loss_split" if is_loss else "curve_split")
    if axes:
        name, icon = "Axes and units", ":material/tune:"
        with st.popover(name, icon=icon, type="tertiary", help=name, key=f"axes-{key}"):
            panel.switch("log_rounds", "Rounds on a log axis")
            if is_loss:
                panel.switch("log_loss", "Loss on a log axis")
                panel.choose("loss_scale")
    panel.csv(frame, key)


def _nothing(screen: Screen) -> None:
    """What stands where a picture will be: axes without a line say nothing."""
    if screen.under_way:
        st.skeleton(height=_HEIGHT)
    else:
        st.caption("No run is trained to its end: there is nothing to draw.")


def depths(screen: Screen, key: str) -> None:
    """The measure by depth."""
    label = outcomes.depth_measure(screen.measure).label.partition("@")[0]
    frame = outcomes.by_depth(screen)
    said = f"on test, mean of {screen.means}" if screen.means else "on test"
    caption = said if screen.means else f"{said}, at the round compared"
    with panel.panel(f"{label}@1 … {label}@10", caption, lambda: panel.csv(frame, key)):
        if frame.empty:
            _nothing(screen)
            return
        how = (f"{label}@k", screen.colours, _HEIGHT, screen.means)
        figure = drawn(draw_depths, frame, screen.looks, *how)
        panel.chart(figure, f"{label} at depths 1 to 10 {said}, a line for each run", key)


def preset_cards(presets: Sequence[Preset]) -> None:
    """A card for each preset."""
    with st.container(key="cards"), st.grid("auto", min_column_width=320, gap="small") as grid:
        for preset in presets:
            with (
                grid.cell(),
                st.container(border=True, height="stretch", key=f"card-{preset.name}", gap="xsmall"),
            ):
                st.html(
                    f'<h3 class="panel">{escape(preset.title)}</h3><p class="note">{escape(preset.paper)}</p>'
                    f'<p class="card">{escape(preset.text)}</p>'
                )
                values = {"data": preset.data, **preset.controls}
                link = mirror.link_to(values, preset.workspace(), in_full=True)
                panel.way("Open this comparison", link)
                if preset.name in PAPERS:
                    paper = PAPERS[preset.name]
                    first = f"{paper.id}-{next(iter(paper.exhibits))}"
                    link = mirror.link_beside(state.workspace(), exhibit=first)
                    panel.way("Its tables and figures", link, "papers", ":material/menu_book:")
