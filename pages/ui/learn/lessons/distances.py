"""Lessons 3 and 10: what a distance between grades buys, and how to defend one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import ltr_core as ltr
from ltr_core import DISTANCES
from ltr_core.evaluation.verdicts import interval

from ...charts.lessons import draw_gaps
from ...kit.marks import badge, signed_number, table
from ...session.bound import bound
from ...style.theme import Palette
from ...tables.distances import FORMULAS
from ...tables.steps import LEARNT, Stage, drawn_anew, setup_of, stage_of
from .. import task

MEASURE = "ndcg@3"
ROUNDS = 6
_SHOWN = 2  # the query whose lists are shown
_LARGE_GAP = 3


def stage(ddf: str, draw: int, **params: Any) -> Stage:
    """Return six rounds of MPBoost on the six queries of Tiny with a distance."""
    return stage_of(setup_of("MPBoost", {"ddf": ddf, **params}, "all", _SHOWN, ROUNDS, 0.06, draw), MEASURE)


def anew(chosen: Stage) -> np.ndarray:
    """Return NDCG@3 of each query on pages drawn anew, twenty draws of each, its mean over the draws."""
    data = drawn_anew(chosen.setup)
    values = ltr.evaluate(chosen.model, data, MEASURE)[MEASURE]
    return values.groupby([str(name).split(",")[0] for name in values.index]).mean().to_numpy()


def draws_of(chosen: Stage) -> np.ndarray:
    """Return NDCG@3 of each draw of pages, its mean over the six queries."""
    data = drawn_anew(chosen.setup)
    values = ltr.evaluate(chosen.model, data, MEASURE)[MEASURE]
    return values.groupby([str(name).split(", ")[1] for name in values.index], sort=True).mean().to_numpy()


def pull_of_large_gaps(chosen: Stage) -> tuple[float, float]:
    """Return what share of round 1's pull comes from pairs three grades apart or more, and of the pairs."""
    pairs, y = chosen.details(1).pairs, chosen.data.y
    large = (y[pairs["better"]] - y[pairs["worse"]]) >= _LARGE_GAP
    pull = pairs["weight"] * pairs["distance"]
    return float(pull[large].sum() / pull.sum()), float(large.mean())


# 3 ----------------------------------------------------------------------------------------------------------


def draw_magnitudes(draw: int, colours: Palette) -> None:
    """Predict which distance serves the top of the lists best; then see all of them."""
    task.say(
        "Six queries, and only **six rounds** of boosting. A round repairs the pairs that *pull* hardest. "
        "**BINARY** treats all pairs alike: a perfect page below a useless one pulls no more than a so-so "
        "page below a useless one. A *directed distance* makes pairs pull by how far their grades lie "
        "apart: see the curves. **LDD**: linear; **LOGDD**: logarithmic; **LOGITDD**: logistic."
    )
    stages = {name: stage(name, draw) for name in FORMULAS}
    left, right = st.columns([2, 3], gap="medium")
    with left:
        frame = _gaps()
        figure = draw_gaps(frame, colours)
        alt = "The directed distance of two grades by how far they lie apart, for four distances"
        task.picture("How hard a pair pulls", "by the difference of its grades", figure, alt, "gaps")
    with right:
        names = {DISTANCES[name].label: name for name in FORMULAS}
        said = task.predict(
            "which",
            f"With which will the six lists have the highest NDCG@3 after {ROUNDS} rounds?",
            list(names),
        )
        if said is None:
            task.goal(False, "**Goal:** predict first, then see all four side by side.", anew=False)
            return
        values = {name: stages[name].value(LEARNT, ROUNDS) for name in FORMULAS}
        best = max(values, key=values.__getitem__)
        pull, share = pull_of_large_gaps(stages["ldd"])
        flat, _ = pull_of_large_gaps(stages["binary"])
        reminder = task.you_said(said)
        is_so = bool(reminder) and values[names[said]] == values[best]
        word = "So it is." if is_so else f"It is {DISTANCES[best].label}."
        task.say(
            f"{reminder}**{word}** Pairs three or four grades apart are {share:.0%} of all pairs. "
            f"With BINARY they make {flat:.0%} of the first round's pull, with LDD {pull:.0%}: the first "
            "rounds go where NDCG is decided."
        )
        st.html(_values_html(values, stages))
    st.html(f"<h3 class='panel'>“{stages['ldd'].data.query_ids[_SHOWN]}” after {ROUNDS} rounds</h3>")
    for place, name in zip(st.columns(len(FORMULAS), gap="small"), FORMULAS, strict=True):
        with place:
            st.html(_list_html(stages[name], DISTANCES[name].label))
    _say_anew(stages)
    right_pull = {
        "The pairs that differ most pull hardest, so they are put right first": "",
        "It has more rounds": f"All four have {ROUNDS} rounds.",
        "It may use better features": "All choose among the same stumps.",
        "It counts more pairs": "All see the same pairs; only how hard each pulls is another.",
    }
    met = task.choice("why", "What does a distance that grows with the gap change?", right_pull)
    task.goal(met, "Only the distance between grades differed." if met else "**Goal:** say why.")


def _gaps() -> pd.DataFrame:
    """Return the distances of grades 0 to 4: name, gap, value; each with a mean of 1 over Tiny's pairs."""
    parts = []
    for name in FORMULAS:
        model = stage(name, 0).model
        assert isinstance(model, ltr.MPBoost)
        fitted, gaps = model.distance_, np.linspace(0.1, 4.0, 40)
        own = {fitted.parameter: fitted.value} if fitted.parameter else {}
        values = ltr.distance(name, gaps, **own)
        parts.append(pd.DataFrame({"name": DISTANCES[name].label, "gap": gaps, "value": values}))
    return pd.concat(parts, ignore_index=True)


def _values_html(values: dict[str, float], stages: dict[str, Stage]) -> str:
    top = max(values.values())
    lines = [
        f'<th scope="row" class="left">{DISTANCES[name].label}</th>'
        f'<td class="{"strong" if values[name] == top else ""}">{values[name]:.3f}</td>'
        f"<td>{anew(stages[name]).mean():.3f}</td>"
        for name in FORMULAS
    ]
    return table([("left", "distance"), ("", "NDCG@3, learnt from"), ("", "pages drawn anew")], lines)


def _list_html(chosen: Stage, label: str) -> str:
    rows = [
        f'<td>{row["rank"]}</td><td class="left">{badge(row["grade"])}</td>'
        f'<th scope="row" class="left wrap">{row["name"]}</th>'
        for row in chosen.at(ROUNDS).to_dict("records")
    ]
    return table([("", label), ("left", ""), ("left", "")], rows)


def _say_anew(stages: dict[str, Stage]) -> None:
    """Say the honest result: on pages that nobody learnt from."""
    differences = draws_of(stages["ldd"]) - draws_of(stages["binary"])
    low, high = interval(differences)
    st.caption(
        "On the same queries with their pages drawn anew twenty times, which nobody learnt from, LDD is "
        f"{signed_number(float(differences.mean()))} beside BINARY, 95 % interval {signed_number(low)} to "
        f"{signed_number(high)}: {_verdict(low, high)}."
    )


def _verdict(low: float, high: float) -> str:
    if low > 0:
        return "better on fresh pages too"
    return "worse on fresh pages" if high < 0 else "on fresh pages it cannot be told"


# 10 ---------------------------------------------------------------------------------------------------------

_CLAIMS = {
    "better": "It is better than BINARY on fresh pages",
    "worse": "It is worse than BINARY on fresh pages",
    "open": "It cannot be told",
}


def own_stages(ddf: str, strength: float, draw: int) -> tuple[Stage, Stage]:
    """Return BINARY and a distance of one's own after six rounds; the strength is α, λ or β."""
    parameter = DISTANCES[ddf].parameter
    own = {parameter: strength} if parameter else {}
    return stage("binary", draw), stage(ddf, draw, **own)


def draw_own(draw: int, colours: Palette) -> None:
    """Choose a distance, then say what the comparison lets one say."""
    task.say(
        f"Choose a distance and how strong it is. Then defend it: after {ROUNDS} rounds on the six queries "
        "of Tiny, what does a comparison with BINARY on pages drawn anew let you say? Read the interval, "
        "not the mean."
    )
    left, right = st.columns([2, 3], gap="medium")
    with left:
        words = {name: DISTANCES[name].label for name in FORMULAS if name != "binary"}
        ddf = bound(task.key("ddf"), st.selectbox, "Distance", list(words), words=words)
        strength = bound(
            task.key("strength"),
            st.slider,
            "Strength (α of LDD, λ of LOGDD, β of LOGITDD)",
            0.2,
            4.0,
            1.0,
            step=0.1,
        )
    base, own = own_stages(ddf, strength, draw)
    differences = draws_of(own) - draws_of(base)
    low, high = interval(differences)
    name = DISTANCES[ddf].label
    with right:
        lines = [
            f'<th scope="row" class="left">{label}</th><td>{one.value(LEARNT, ROUNDS):.3f}</td>'
            f"<td>{draws_of(one).mean():.3f}</td>"
            for label, one in (("BINARY", base), (name, own))
        ]
        st.html(table([("left", ""), ("", "NDCG@3, learnt from"), ("", "pages drawn anew")], lines))
        st.html(
            f'<p class="headline">{signed_number(float(differences.mean()))}, 95 % interval '
            f"{signed_number(low)} to {signed_number(high)}, over {len(differences)} draws.</p>"
        )
    true = "better" if low > 0 else "worse" if high < 0 else "open"
    sides = {
        "better": "The whole interval lies above 0.",
        "worse": "The whole interval lies below 0.",
        "open": "The interval holds 0: both signs are possible.",
    }
    options = {text: "" if kind == true else sides[true] for kind, text in _CLAIMS.items()}
    met = task.choice(f"claim-{ddf}-{strength}", f"What can you say of {name} with this strength?", options)
    solution = f"{sides[true]} So: {_CLAIMS[true].lower()}."
    text = f"{solution} Six queries are few: your own data may say otherwise."
    task.goal(
        met, text if met else "**Goal:** a claim that the interval bears out.", lambda: task.say(solution)
    )
