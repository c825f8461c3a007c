"""The controls of the page Papers: which exhibit is open, and the settings of each."""

from __future__ import annotations

from collections.abc import Iterator

from ltr_core import PAPERS, Param

EXHIBITS = tuple(f"{paper.id}-{id}" for paper in PAPERS.values() for id in paper.exhibits)

CONTROLS = (Param("exhibit", "choice", EXHIBITS[0], choices=EXHIBITS, help="The exhibit that is open."),)


def settings() -> Iterator[tuple[str, tuple[Param, ...]]]:
    """Yield the owner of each exhibit's settings, and these."""
    for paper in PAPERS.values():
        for id, exhibit in paper.exhibits.items():
            yield owner(paper.id, id), exhibit.params


def owner(paper: str, exhibit: str) -> str:
    """Return what the keys of an exhibit's settings begin with."""
    return f"{paper}-{exhibit}"
