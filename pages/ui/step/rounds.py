"""A round laid open: what it does, why, what it saw, and what it leaves behind."""

from __future__ import annotations

from html import escape

import streamlit as st

from ..charts.rounds import draw_candidates, draw_weights
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.marks import signed_number
from ..session import state
from ..session.bound import bound
from ..style.theme import Palette
from ..tables.steps import MISORDER, Stage, document_rows, loss_name, pair_shares
from .formulas import round_formulas, threshold_words
from .html import documents_html

_GAINS = {
    "MPBoost": "gain N²/D by threshold: how much of the squared error a stump takes away",
    "RankBoost": "gain by threshold: how well a stump's two sides agree with the pairs",
    "FRank": "gain by threshold: by how much the exact loss falls",
}


def on_screen(name: str, n_rounds: int) -> int:
    """Return the round on screen, brought back to the rounds there are."""
    if state.get(name) > n_rounds:
        state.put(name, n_rounds)
    return state.get(name)


def in_words(stage: Stage, t: int, round_name: str, hide: bool = False) -> None:
    """Say in one sentence what a round does, then in the paper's formula with its numbers; take any round."""
    left, right = st.columns([1, 3], gap="small", vertical_alignment="bottom")
    with left:
        told = f"From 0, the untrained model, to {stage.n_rounds}. The picture follows."
        bound(round_name, st.number_input, "Round", 0, stage.n_rounds, step=1, help=told)
    with right:
        st.html(f'<h3 class="panel">{_sentence(stage, t, hide)}</h3>')
    if not t:
        st.caption(
            "Every page has the score 0, so every pair counts as misordered. The first round looks at "
            f"{len(stage.details(1).candidates):,} stumps and {len(stage.details(1).pairs):,} pairs."
            if stage.n_rounds
            else "There is no stump that would put a pair right: training ended before it began."
        )
        return
    algorithm = stage.setup.algorithm
    product, misorder = stage.value(loss_name(algorithm), t), stage.value(MISORDER, t)
    with st.container(key="formulas"):
        st.latex(round_formulas(stage.details(t), algorithm, _variant(stage), product, misorder, hide))
    if algorithm != "FRank" and not hide:
        said = "the share of misordered pairs is never above the product of all Z."
        st.caption(f"The last line is Theorem 1: {said}")


def _sentence(stage: Stage, t: int, hide: bool) -> str:
    if not t:
        return "Nothing is learnt yet"
    c = stage.details(t).chosen
    feature = escape(stage.data.feature_names[int(c["feature"])])
    value = "?" if hide else signed_number(c["value"])
    return f"adds {value} to every page whose {feature} is above {threshold_words(c['threshold'])}"


def _variant(stage: Stage) -> str:
    name = {"MPBoost": "step", "RankBoost": "variant"}.get(stage.setup.algorithm)
    return getattr(stage.model, name) if name else ""


def candidates(stage: Stage, t: int, colours: Palette) -> None:
    """Draw the gain of every candidate stump; at round 0 those of the round to come."""
    if not stage.n_rounds:
        return
    details, names = stage.details(max(1, t)), stage.data.feature_names
    frame = details.candidates.assign(feature=[names[k] for k in details.candidates["feature"]])
    what = _GAINS.get(stage.setup.algorithm, "")
    with panel.panel(f"The {len(frame):,} candidate stumps", what, lambda: panel.csv(frame, "candidates")):
        figure = drawn(draw_candidates, details.candidates, names, colours, taken=t > 0)
        alt = f"The gain of each candidate stump in round {max(1, t)}, by feature and threshold"
        panel.chart(figure, alt, "step-candidates")


def weights(stage: Stage, t: int, colours: Palette) -> None:
    """Draw the pair weights of the query on screen as a matrix."""
    if not stage.n_rounds:
        return
    details = stage.details(max(1, t))
    after = state.get("step_weights") == "after" and t > 0
    pairs = pair_shares(stage, details, after)
    signs = "<b>+</b> the stump favours the better page, <b>−</b> the worse"
    caption = f"row over column, in % of all weight; {signs}"
    if stage.setup.learn == "all":
        caption += f"; this query's pairs carry {pairs['share'].abs().sum():.0f}% of it"

    def tools() -> None:
        if t:
            panel.choose("step_weights")
        panel.csv(pairs, "pair-weights")

    title = "Pair weights" if t else "Pair weights at the start"
    with panel.panel(title, caption, tools):
        docs = stage.at(0).sort_values("doc")
        alt = f"Weights of the pairs of pages that round {t} saw, the better page by row, the worse by column"
        panel.chart(
            drawn(draw_weights, pairs if t else pairs.assign(side=0), docs, colours), alt, "step-weights"
        )


def documents(stage: Stage, t: int, hide: bool = False) -> None:
    """Show each page's score before and after a round."""
    if not t:
        return
    c, rows = stage.details(t).chosen, document_rows(stage, t)
    feature = stage.data.feature_names[int(c["feature"])]
    title, note = "Scores before and after", "in the order after the round"
    with panel.panel(title, note, lambda: panel.csv(rows, "scores")):
        st.html(documents_html(rows, feature, float(c["threshold"]), hide))
