"""Which lesson is drawn by what."""

from __future__ import annotations

from collections.abc import Callable

from ...style.theme import Palette
from . import chance, distances, losses, overshoot, ranking, regression, stopping, why

_ALL: dict[str, Callable[[int, Palette], None]] = {
    "0": ranking.draw_pairs,
    "1": ranking.draw_ndcg,
    "2": regression.draw,
    "3": distances.draw_magnitudes,
    "5": overshoot.draw,
    "6": stopping.draw,
    "7": chance.draw,
    "8": losses.draw,
    "9": why.draw,
    "10": distances.draw_own,
}


def draw(number: str, numbers: int, colours: Palette) -> None:
    """Draw a lesson but the fourth, which takes in the laboratory; `numbers` says which it asks about."""
    _ALL[number](numbers, colours)
