"""What became of each rank from one list to another."""

from __future__ import annotations

from html import escape

from ..charts.rankings import draw_slopes
from ..kit import panel
from ..kit.drawn import drawn
from ..session import state
from ..session.bound import clicked
from ..tables.queries import IDEAL, both_ranks
from .case import Case

SLOPES = "rank-slopes"


def slopes(case: Case) -> None:
    """Draw what became of each rank from one list to another."""
    from_ideal = state.get("rank_against") == "ideal"
    left = case.of(IDEAL if from_ideal or case.base is None else case.base.slot)
    right = case.of(case.run.slot)
    both = both_ranks(left, right)
    said = f"{left.name} → {right.name}; thicker lines for higher grades"
    with panel.panel("Rank by rank", escape(said), lambda: panel.csv(both, "ranks")):
        names = [page.label for page in case.pages]
        figure = drawn(
            draw_slopes, both, names, left.name, right.name, case.shown, case.doc, case.screen.colours
        )
        alt = f"Slope chart of the documents of {case.query}: ranks in {left.name} and in {right.name}"
        panel.clickable(figure, alt, SLOPES, clicked("rank_doc", SLOPES), has_bar=False)
