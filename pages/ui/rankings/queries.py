"""All queries: how many are won and lost, and by how much each."""

from __future__ import annotations

from html import escape

import streamlit as st

from ltr_core.evaluation.significance import say_p

from ..charts.rankings import draw_differences
from ..kit import panel
from ..kit.drawn import drawn
from ..session.bound import clicked
from ..style.lettering import unbroken
from ..style.words import SPLIT_NAMES, chance, count
from ..tables.comparison import comparison
from ..tables.queries import counts
from .case import Case

BARS = "rank-bars"


def tally(case: Case) -> None:
    """Say how many queries are won, tied, lost."""
    n = counts(case.queries)
    total = len(case.queries) - n["left out"]
    kind, pooled = SPLIT_NAMES[case.split], f" of {case.whole.means}" if case.whole.means else ""
    of = count(total, f"{kind} query", f"{kind} queries") + pooled
    if case.base is None:
        st.html(
            f'<p class="headline">{escape(case.run.name)} on {of}</p>'
            '<p class="verdict">Add a second run on Compare, and its wins and losses are counted here.</p>'
        )
        return
    said = f"{escape(case.run.name)} over {escape(case.base.name)}"
    left = f"; {n['left out']:,} without a relevant document are left out" if n["left out"] else ""
    st.html(
        f'<p class="headline">{unbroken(said)}: better on {n["win"]:,} '
        f"of {of}, worse on {n['loss']:,}.</p>"
        f'<p class="tally"><span class="better">▲ {count(n["win"], "win")}</span> + '
        f"{count(n['tie'], 'tie')} + "
        f'<span class="worse">▼ {count(n["loss"], "loss", "losses")}</span> = '
        f"{count(total, 'query', 'queries')}{left}{_test(case)}</p>"
    )


def _test(case: Case) -> str:
    """Return the test of the headline, which is about all test queries."""
    compared = comparison(case.whole) if case.split == "test" else None
    if compared is None or case.run.slot not in compared.index:
        return ""
    p = float(compared.loc[case.run.slot, "p_holm"])
    return f' · {escape(say_p(p))} <span class="tag">{escape(chance(p))}</span>'


def bars(case: Case) -> None:
    """Draw the differences, worst first; a click takes a query."""
    against = case.base is not None
    title = f"Δ {case.label} by query" if against else f"{case.label} by query"
    whose = f"{case.run.name} − {case.base.name}" if case.base else case.run.name
    said = f"{whose}, on {case.kind}, at the rounds compared; click one to see its lists"
    with panel.panel(escape(title), escape(said), lambda: panel.csv(case.queries, "queries")):
        unit = f"Δ {case.label}" if against else case.label
        figure = drawn(draw_differences, case.queries, unit, against, case.place, case.screen.colours)
        alt = f"{title}: {whose}, a bar for each query, worst first"
        take = clicked("rank_query", BARS, forget=("rank_doc",))
        panel.clickable(figure, alt, BARS, take, has_bar=False)
