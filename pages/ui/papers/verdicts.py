"""The verdicts of a card: their marks, their grounds, and how they stand from seed to seed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from html import escape
from typing import Any

from ltr_core.evaluation import State, Verdict, say_needed, say_p
from ltr_core.papers import Answers, answers

from .shown import Shown

MARKS = {State.HOLDS: ("✓", "met"), State.FAILS: ("✗", "unmet"), State.UNTOLD: ("?", "untold")}
_SAYS = {State.HOLDS: "it holds", State.FAILS: "it does not", State.UNTOLD: "it cannot be told"}
_DIGITS = 4
_EXPONENT = re.compile(r"(?<=\de)-(?=\d)")  # the minus of 3.6e-218


def verdicts_html(shown: Shown, verdicts: tuple[Verdict, ...], values: Mapping[str, Any]) -> str:
    """Return the verdicts as a list; at the card's own settings with what other seeds say."""
    at_defaults = {**values, "seed": 0} == {**shown.exhibit.checked(), "seed": 0}
    by_seed = answers(shown.paper.id, shown.exhibit.id) if at_defaults else {}
    items = ""
    for verdict in verdicts:
        mark, css = MARKS[verdict.state]
        told = _grounds(verdict).removesuffix(".") + _elsewhere(by_seed.get(verdict.claim))
        items += (
            f'<li class="{css}"><b>{mark} {verdict.state}</b> · {escape(verdict.claim)}'
            f'<br><span class="note">{escape(_EXPONENT.sub("−", told))}</span></li>'
        )
    return f'<ul class="marks verdicts">{items}</ul>'


def _elsewhere(told: Answers | None) -> str:
    """Say what other seeds say, where there are several."""
    if told is None or len(told.signs) < 2:
        return ""
    counts = [f"{_SAYS[state]} for {told.count(state)}" for state in State if told.count(state)]
    return f". Of {len(told.signs)} seeds {', '.join(counts)}"


def _grounds(verdict: Verdict) -> str:
    """Say on what grounds a verdict stands."""
    if not verdict.n_queries:
        return verdict.found
    text = f"{verdict.difference:+.{_DIGITS}f}"
    if not math.isnan(verdict.low):
        span = f"[{verdict.low:+.{_DIGITS}f}, {verdict.high:+.{_DIGITS}f}]"
        text += f" {span}, {say_p(verdict.p)} (Holm), {verdict.n_queries:,} {verdict.of}"
    if verdict.state == State.UNTOLD:
        # By the normal distribution: of two or three it asks for no more than there are, which told nothing.
        needed = verdict.needed if verdict.needed > verdict.n_queries else math.nan
        text += f"; {say_needed(needed, verdict.of)}"
    return text.replace("-", "−")
