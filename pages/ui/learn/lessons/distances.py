"""Lessons 3 and 10: what a distance between grades buys, and how to defend one's own."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
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
from ...tables.steps import LEARNT, Stage
from .. import task
from . import web
from .overshoot import mean_distance

MEASURE = "ndcg@3"
ROUNDS = 6
_LARGE_GAP = 3


def stage(ddf: str, draw: int, own: Mapping[str, Any] | None = None, shown: int = 0) -> Stage:
    """Return six rounds of MPBoost on six queries with a distance; other draws are other queries."""
    return web.stage({"ddf": ddf, **(own or {})}, web.few(draw), ROUNDS, MEASURE, shown)


def told_apart(draw: int) -> int:
    """Return the query whose list a distance makes better most, beside BINARY."""
    values = {
        name: ltr.evaluate((one := stage(name, draw)).model, one.data, MEASURE)[MEASURE] for name in FORMULAS
    }
    return int(np.argmax(pd.DataFrame(values).max(axis=1) - values["binary"]))


def on_fresh(chosen: Stage, draw: int) -> np.ndarray:
    """Return NDCG@3 of each query that nobody learnt from."""
    return ltr.evaluate(chosen.model, web.few(draw).fresh, MEASURE)[MEASURE].to_numpy()


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
    shown = told_apart(draw)
    stages = {name: stage(name, draw, shown=shown) for name in FORMULAS}
    left, right = st.columns([2, 3], gap="medium")
    with left:
        frame = _gaps(draw)
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
        best = [DISTANCES[name].label for name in FORMULAS if values[name] == max(values.values())]
        pull, share = pull_of_large_gaps(stages["ldd"])
        flat, _ = pull_of_large_gaps(stages["binary"])
        reminder = task.you_said(said)
        is_so = bool(reminder) and said in best
        word = f"{'So it is' if is_so else 'It is ' + best[0]}."
        if len(best) > 1:
            word = f"{', '.join(best[:-1])} and {best[-1]} are alike, and best."
        task.say(
            f"{reminder}**{word}** Pairs three or four grades apart are {share:.0%} of all pairs. "
            f"With BINARY they make {flat:.0%} of the first round's pull, with LDD {pull:.0%}: the first "
            f"rounds go where NDCG is decided{_all_the_same(values)}."
        )
        st.html(_values_html(values, stages, draw))
    st.html(f"<h3 class='panel'>“{stages['ldd'].data.query_ids[shown]}” after {ROUNDS} rounds</h3>")
    with st.container(key="wide-lists"):
        for place, name in zip(st.columns(len(FORMULAS), gap="small"), FORMULAS, strict=True):
            with place:
                st.html(_list_html(stages[name], DISTANCES[name].label))
    _say_fresh(stages, draw)
    right_pull = {
        "The pairs that differ most pull hardest, so they are put right first": "",
        "It has more rounds": f"All four have {ROUNDS} rounds.",
        "It may use better features": "All choose among the same stumps.",
        "It counts more pairs": "All see the same pairs; only how hard each pulls is another.",
    }
    met = task.choice("why", "What does a distance that grows with the gap change?", right_pull)
    task.goal(met, "Only the distance between grades differed." if met else "**Goal:** say why.")


def _all_the_same(values: dict[str, float]) -> str:
    """Say what else there is to say where that has not helped."""
    others = max(value for name, value in values.items() if name != "binary")
    return "" if others > values["binary"] else ", though on these six queries it buys nothing"


def _gaps(draw: int) -> pd.DataFrame:
    """Return the distances of grades 0 to 4: name, gap, value; each of mean 1 over the pairs."""
    parts = []
    for name in FORMULAS:
        model = stage(name, draw).model
        assert isinstance(model, ltr.MPBoost)
        fitted, gaps = model.distance_, np.linspace(0.1, 4.0, 40)
        own = {fitted.parameter: fitted.value} if fitted.parameter else {}
        values = ltr.distance(name, gaps, **own)
        parts.append(pd.DataFrame({"name": DISTANCES[name].label, "gap": gaps, "value": values}))
    return pd.concat(parts, ignore_index=True)


def _values_html(values: dict[str, float], stages: dict[str, Stage], draw: int) -> str:
    top = max(values.values())
    lines = [
        f'<th scope="row" class="left">{DISTANCES[name].label}</th>'
        f'<td class="{"strong" if values[name] == top else ""}">{values[name]:.3f}</td>'
        f"<td>{on_fresh(stages[name], draw).mean():.3f}</td>"
        for name in FORMULAS
    ]
    return table([("left", "distance"), ("", "NDCG@3, learnt from"), ("", "fresh queries")], lines)


def _list_html(chosen: Stage, label: str) -> str:
    its = chosen.at(ROUNDS)
    value = ltr.ndcg(its["grade"].to_numpy(), -its["rank"].to_numpy(float), np.zeros(len(its)), k=3)
    rows = [
        f'<td>{row["rank"]}</td><td class="left">{badge(row["grade"])}</td>'
        f'<th scope="row" class="left wrap">{escape(row["name"])}</th>'
        for row in its.to_dict("records")
    ]
    return table([("", ""), ("left", ""), ("left", f"<b>{label}</b>, NDCG@3 {value:.3f}")], rows)


def _say_fresh(stages: dict[str, Stage], draw: int) -> None:
    """Say the honest result: on queries that nobody learnt from."""
    differences = on_fresh(stages["ldd"], draw) - on_fresh(stages["binary"], draw)
    low, high = interval(differences)
    st.caption(
        f"On {len(differences)} fresh queries, which nobody learnt from, LDD is "
        f"{signed_number(float(differences.mean()))} beside BINARY, 95 % interval {signed_number(low)} to "
        f"{signed_number(high)}: {_verdict(low, high)}."
    )


def _verdict(low: float, high: float) -> str:
    if low > 0:
        return "better there too"
    return "worse there" if high < 0 else "there it cannot be told"


# 10 ---------------------------------------------------------------------------------------------------------

_CLAIMS = {
    "better": "It is better than BINARY on fresh queries",
    "worse": "It is worse than BINARY on fresh queries",
    "open": "It cannot be told",
}


def own_stages(ddf: str, strength: float, draw: int) -> tuple[Stage, Stage]:
    """Return BINARY and a distance of one's own after six rounds; the strength is α, λ or β."""
    parameter = DISTANCES[ddf].parameter
    own = {parameter: strength} if parameter else {}
    return stage("binary", draw), stage(ddf, draw, own)


def draw_own(draw: int, colours: Palette) -> None:
    """Choose a distance, then say what the comparison lets one say."""
    task.say(
        f"Choose a distance and how strong it is. Then defend it: after {ROUNDS} rounds on six queries, "
        "what does a comparison with BINARY on fresh queries, which nobody learnt from, let you say? Read "
        "the interval, not the mean. (Remember lesson 5: a mean distance of about 1 suits the step.)"
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
            0.5,
            step=0.1,
        )
    base, own = own_stages(ddf, strength, draw)
    values = {name: on_fresh(one, draw) for name, one in (("base", base), ("own", own))}
    differences = values["own"] - values["base"]
    low, high = interval(differences)
    name = DISTANCES[ddf].label
    with right:
        lines = [
            f'<th scope="row" class="left">{label}</th><td>{mean_distance(one):.2f}</td>'
            f"<td>{one.value(LEARNT, ROUNDS):.3f}</td>"
            f"<td>{values[which].mean():.3f}</td>"
            for label, one, which in (("BINARY", base, "base"), (name, own, "own"))
        ]
        head = [("left", ""), ("", "mean distance"), ("", "NDCG@3, learnt from"), ("", "fresh queries")]
        st.html(table(head, lines))
        st.html(
            f'<p class="headline">{name} is {signed_number(float(differences.mean()))}, 95 % interval '
            f"{signed_number(low)} to {signed_number(high)}, beside BINARY on {len(differences)} queries.</p>"
        )
    true = "better" if low > 0 else "worse" if high < 0 else "open"
    sides = {
        "better": "The whole interval lies above 0.",
        "worse": "The whole interval lies below 0.",
        "open": "The interval holds 0: both signs are possible.",
    }
    options = {text: "" if kind == true else sides[true] for kind, text in _CLAIMS.items()}
    met = task.choice(f"claim-{ddf}-{strength}", f"What can you say of {name} with this strength?", options)
    solution = f"{sides[true]} So {_CLAIMS[true].replace('It', 'it', 1)}."
    text = f"{solution} Six queries to learn from are few: your own data may say otherwise."
    task.goal(
        met, text if met else "**Goal:** a claim that the interval bears out.", lambda: task.say(solution)
    )
