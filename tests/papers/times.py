"""Seconds that each card takes at its defaults: ``python -m tests.papers.times [PAPER [ID …]]``.

On two idle cores a card takes between half its seconds of processor time, where its fits run side by side,
and all of them, where one follows the other: processor time says it on a busy machine too. What the first run
of a kernel compiles or loads is no part of it: each card runs once at a small size before.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from ltr_core.errors import DataError
from ltr_core.papers import PAPERS, Exhibit, Paper

SMALL = {
    "n_queries": 40,
    "n_rounds": 6,
    "seeds": 1,
    "n_folds": 1,
    "n_trees": 4,
    "n_docs": 20,
    "epochs": 3,
    "repeats": 1,
}


def small(exhibit: Exhibit) -> dict[str, object]:
    """Return settings that take no time."""
    return {
        p.name: p.check(max(p.low, min(SMALL[p.name], p.default))) for p in exhibit.params if p.name in SMALL
    }


def chosen(given: list[str]) -> Iterator[tuple[Paper, Exhibit]]:
    """Yield the exhibits that are asked for: all, a paper's, or some of a paper."""
    for paper in [PAPERS[given[0]]] if given else PAPERS.values():
        for exhibit in paper.exhibits.values():
            if (len(given) < 2 or exhibit.id in given[1:]) and exhibit.compute is not None:
                yield paper, exhibit


def main(given: list[str]) -> None:
    """Print the list."""
    for paper, exhibit in chosen(given):
        try:
            exhibit.run(small(exhibit))
        except DataError as error:
            print(f"{paper.id:12} {exhibit.id:14} {error}")
            continue
        started, own = time.perf_counter(), time.process_time()
        exhibit.run()
        wall, cpu = time.perf_counter() - started, time.process_time() - own
        told = f"{wall:6.1f} s on the wall, {cpu:6.1f} s of a core; the card says {exhibit.seconds:g} s"
        print(f"{paper.id:12} {exhibit.id:14} {told}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
