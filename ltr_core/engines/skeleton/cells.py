"""Cells of grades: which documents' pairs are weighed by skeletons, and which one by one.

The range of all grades is halved again and again. A query's pairs across the two halves of a cell are a link;
those inside a half are taken further down, until so few documents are left (a leaf) that their pairs are
quicker one by one. Where two cells have no skeleton, for scores that lie far apart or distances that bend too
much, both are halved and the links of their halves taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .skeletons import Skeleton

MOST_NEAR = 64  # documents of a leaf
_DEPTH = 40  # halvings
_MOST_HALVED = 4  # times that two cells without a skeleton are halved

Find = Callable[[int, int], Skeleton | None]  # from a level and how many cells apart


class Link(NamedTuple):
    """Two runs of documents, every one of the first better than every one of the second."""

    better: tuple[int, int]
    worse: tuple[int, int]
    kind: tuple[int, int]  # level, and how many cells of it the two are apart
    cells: tuple[int, int]  # which of the level's they are


class _Cell(NamedTuple):
    """The documents of a query whose grades lie in one cell."""

    level: int
    place: int
    first: int
    last: int


class Frame(NamedTuple):
    """The grades that cells are cut from."""

    low: float
    width: float

    def places(self, grades: np.ndarray) -> np.ndarray:
        """Return which of the smallest cells each grade lies in."""
        steps = 2**_DEPTH
        return np.minimum((grades - self.low) / self.width * steps, steps - 1).astype(np.int64)

    def start(self, level: int, place: int) -> float:
        """Return the lowest grade of a cell."""
        return self.low + self.width_at(level) * place

    def width_at(self, level: int) -> float:
        """Return how wide the cells of a level are."""
        return self.width * 0.5**level


def cut_query(places: np.ndarray, start: int, stop: int, find: Find) -> tuple[list[Link], list[int]] | None:
    """Return a query's links, and where its leaves start; None where there is a link without a skeleton.

    `places` are in the order of the documents, the best grade first.
    """
    links, leaves = list[Link](), list[int]()
    waiting = [_Cell(0, 0, start, stop)]
    while waiting:
        cell = waiting.pop()
        if cell.last - cell.first <= MOST_NEAR or cell.level == _DEPTH:
            leaves.append(cell.first)
            continue
        halves = _halve(places, cell)
        waiting += [half for half in halves if half.last > half.first]
        found = _join(places, *halves, find, _MOST_HALVED)
        if found is None:
            return None
        links += found
    return links, sorted(leaves)


def _halve(places: np.ndarray, cell: _Cell) -> tuple[_Cell, _Cell]:
    """Return the better and the worse half."""
    level = cell.level + 1
    border = (2 * cell.place + 1) << (_DEPTH - level)
    middle = cell.first + int(np.searchsorted(-places[cell.first : cell.last], -border, side="right"))
    upper = _Cell(level, 2 * cell.place + 1, cell.first, middle)
    return upper, _Cell(level, 2 * cell.place, middle, cell.last)


def _join(places: np.ndarray, better: _Cell, worse: _Cell, find: Find, halvings: int) -> list[Link] | None:
    """Return the links of all pairs across two cells."""
    if better.first == better.last or worse.first == worse.last:
        return []
    kind = (better.level, better.place - worse.place)
    if find(*kind) is not None:
        documents = (better.first, better.last), (worse.first, worse.last)
        return [Link(*documents, kind, (better.place, worse.place))]
    if halvings == 0 or better.level == _DEPTH:
        return None
    links = list[Link]()
    for upper in _halve(places, better):
        for lower in _halve(places, worse):
            found = _join(places, upper, lower, find, halvings - 1)
            if found is None:
                return None
            links += found
    return links
