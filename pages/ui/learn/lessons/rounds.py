"""Lesson 4: a boosting round, its stump chosen by hand first."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
import streamlit as st

from ...kit.marks import badge, signed_number, table
from ...session import state
from ...session.bound import bound
from ...tables.steps import Stage, pair_shares, setup_of, stage_of
from .. import paper, task
from . import web

ROUND = "learn_round"
_SHOWN = 6  # of the heaviest pairs
_ROUNDS = 10
_SYMBOLS = (
    ("N", "the pull of the pairs that the stump tells apart: those it puts right minus those it puts wrong"),
    ("D", "the weight of all pairs that it tells apart"),
    ("a", "N/D: what every page above the threshold gets added"),
    ("Z", "what the loss is multiplied by"),
)


def stage(draw: int) -> Stage:
    """Return ten rounds on one query; other draws are other queries."""
    given = web.few(draw)

    def of(query: int) -> Stage:
        setup = setup_of("MPBoost", {"ddf": "logdd"}, "one", query, _ROUNDS, 0.0, 0, given)
        return stage_of(setup, "ndcg@3", given)

    return next((its for its in map(of, range(web.QUERIES)) if _is_asked(its, first_round(its))), of(0))


def on_screen(chosen: Stage) -> int:
    """Return the lesson's round; it begins where the questions have two different answers."""
    if state.get(ROUND) is None:
        state.put(ROUND, first_round(chosen))
    return min(state.get(ROUND), chosen.n_rounds)


def first_round(chosen: Stage) -> int:
    """Return the first round at which a page moves on from a score, and pairs are put right and wrong."""
    return next((t for t in range(2, chosen.n_rounds + 1) if _is_asked(chosen, t)), chosen.n_rounds)


def _is_asked(chosen: Stage, t: int) -> bool:
    return question(chosen, t)[1] != 0 and heavier(chosen, t) is not None


def question(chosen: Stage, t: int) -> tuple[str, float, float, float]:
    """Return a page that round t moves, if possible not from 0: letter, score before and after, the value."""
    details, rows = chosen.details(t), chosen.at(t)
    at = rows["row"].to_numpy()
    before, after = details.scores_before[at], details.scores_after[at]
    moved = np.flatnonzero(after != before)
    place = next((i for i in moved if abs(before[i]) >= 0.005), moved[0])
    return (
        str(rows["doc"].iloc[place]),
        float(before[place]),
        float(after[place]),
        float(details.chosen["value"]),
    )


def heavier(chosen: Stage, t: int) -> tuple[str, str] | None:
    """Return two pairs that the round tells apart: one that it puts right, and one that it puts wrong.

    Where it takes from the pages above its threshold, it puts right pairs whose worse page is there.
    """
    pairs, right = chosen.details(t).pairs, np.sign(chosen.details(t).chosen["value"])
    letters = chosen.at(0).set_index("row")["doc"]
    sides = [pairs[pairs["side"] == side] for side in (right, -right)]
    if any(side.empty for side in sides):
        return None
    first, second = (side.loc[side["weight"].idxmax()] for side in sides)
    return tuple(f"{letters[pair['better']]} over {letters[pair['worse']]}" for pair in (first, second))  # type: ignore[return-value]


def draw(numbers: int, show: Callable[[Stage, int, bool], None]) -> None:
    """Choose a stump, then work out what the round does; `show` draws it, its results perhaps hidden."""
    chosen = stage(numbers)
    t = on_screen(chosen)
    task.say(
        "A round of boosting weighs every pair by how wrong it still is. Then it tries every *stump* (one "
        "feature, one threshold: pages above it get the same number added), and takes the one with the "
        "largest gain $N^2/D$. Before the machine does it, you choose, for the pages of "
        f"**{chosen.data.query_ids[0]}**."
    )
    st.caption(web.FEATURES_TOLD)
    if not choose(chosen, t):
        return
    left, right = st.columns(2, gap="medium")
    with right:
        hide = ask(chosen, t)
        symbols()
    with left:
        show(chosen, t, hide)


def choose(chosen: Stage, t: int) -> bool:
    """Let the user take a stump before the round does; return whether that is done."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="wide-parts"):
        st.html(f'<h3 class="panel">The list before round {t}</h3>')
        st.html(_values(chosen, t))
    with right:
        heavy = _heavy(chosen, t)
        st.html(f'<h3 class="panel">The heaviest pairs before round {t}</h3>')
        st.html(heavy)
        done = _choose(chosen, t)
    if not done:
        task.goal(False, "**Goal:** choose a stump that puts heavy pairs right.", anew=False)
    return done


def _heavy(chosen: Stage, t: int) -> str:
    """Return the pairs that weigh most as a table."""
    pairs = pair_shares(chosen, chosen.details(t), after=False).nlargest(_SHOWN, "share")
    rows = [
        f'<th scope="row" class="left">{pair["page"]} over {pair["over"]}</th><td>{pair["share"]:.1f}%</td>'
        f'<td class="left">{"in order" if pair["margin"] > 0 else "not yet in order"}</td>'
        for pair in pairs.to_dict("records")
    ]
    return table([("left", "pair"), ("", "of all weight"), ("left", "now")], rows)


def ask(chosen: Stage, t: int) -> bool:
    """Ask for the stump's value; return whether the results are still the user's to find."""
    page, before, after, value = question(chosen, t)
    told = f"The stump's value a in round {t}: N and D stand in the formula"
    first = task.number(f"a-{t}", told, value, slips_of_value(chosen, t))
    label = f"New score of page {page}, {signed_number(before)} before"
    slips = {
        "That is a alone; the page keeps what it had.": value,
        "That is its score before; a is added.": before,
        "That takes a off; it is added, with its sign.": before - value,
    }
    second = task.number(f"score-{t}", label, after, slips)
    third = (first and second) and _weigh(chosen, t)
    met = bool(first and second and third)
    old, new = signed_number(before), signed_number(after)
    text = f"a = {signed_number(value)}: page {page} goes from {old} to {new}."
    c = chosen.details(t).chosen

    def solution() -> None:
        told = (
            f"N = {c['n']:.4f}, D = {c['d']:.4f}: a = N/D = {value:.4f}. Page {page} is above the "
            f"threshold, so its score becomes {before:.4f} + ({value:.4f}) = {after:.4f}."
        )
        task.say(told.replace("-", "−"))

    task.goal(met, text if met else "**Goal:** the stump's value, the new score, the next weights.", solution)
    return not (first and second)


def slips_of_value(chosen: Stage, t: int) -> dict[str, float]:
    """Return what the stump's value comes to by mistakes that are often made."""
    c = chosen.details(t).chosen
    n, d, plus, minus = (float(c[name]) for name in ("n", "d", "plus", "minus"))
    return {
        "That is N; divide it by D.": n,
        "That is D; divide N by it.": d,
        "That is N²/D, the gain; a is N/D.": n * n / d,
        "That is D/N: the other way round.": d / n,
        "That adds what the stump puts wrong; N takes it off.": (plus + minus) / d,
    }


def _choose(chosen: Stage, t: int) -> bool:
    """Ask for a stump, and say how good it is."""
    candidates = chosen.details(t).candidates
    names, gains = chosen.data.feature_names, candidates["gain"]
    words = {
        int(i): f"{names[int(row['feature'])]} above {row['threshold']:.4g}"
        for i, row in candidates.iterrows()
    }
    if paper.kind():
        paper.words("My stump", words[int(gains.idxmax())])
        return True
    given = bound(
        task.key(f"stump-{t}"),
        st.selectbox,
        "Your stump",
        list(words),
        words=words,
        index=None,
        placeholder="look at the pages' values and choose",
    )
    if given is None:
        return False
    mine, most = float(gains[given]), float(gains.max())
    place = int((gains > mine * (1 + 1e-12)).sum()) + 1
    told = (
        f"the best of all {len(gains)}"
        if place == 1
        else f"number {place} of {len(gains)}; the best has {most:.4f}"
    )
    st.caption(f"Your stump has $N^2/D$ = {mine:.4f}: {told}.")
    return True


def symbols() -> None:
    """Say what the letters of the formula stand for."""
    st.html("".join(f'<p class="note"><b>{name}</b>: {text}.</p>' for name, text in _SYMBOLS))


def _values(chosen: Stage, t: int) -> str:
    """Return the pages in their order before the round, with their features' values, as a table."""
    rows = [
        f'<th scope="row" class="left wrap">{badge(its["grade"])} <b>{its["doc"]}</b> {escape(its["name"])}'
        "</th>" + "".join(f"<td>{value:.4g}</td>" for value in chosen.data.X[its["row"]])
        for its in chosen.at(t - 1).to_dict("records")
    ]
    return table([("left", "page"), *(("", str(name)) for name in chosen.data.feature_names)], rows)


def _weigh(chosen: Stage, t: int) -> bool:
    """Ask which of two pairs weighs more after the round."""
    two = heavier(chosen, t)
    if two is None:
        return True
    put_right, put_wrong = two
    said = "The round has just put this one right: its loss falls, so it weighs less."
    options = {put_right: said, put_wrong: ""}
    if int(t) % 2:
        options = dict(reversed(options.items()))
    return task.choice(
        f"heavier-{t}", "Which of these two pairs weighs more in the next round than now?", options
    )
