"""Every verdict by seed, and the seconds each card takes: ``python -m tests.papers.by_seed [PAPER [ID]]``.

A line for each claim: how many seeds say that it holds (+), does not (-), cannot be told (?). Seeds that
contradict one another (+ and -) are marked: a card gives one verdict for 9 of 10 seeds, or tells none.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from ltr_core.errors import DataError
from ltr_core.evaluation import State
from ltr_core.papers import PAPERS, Exhibit

SEEDS = 10
_SIGNS = {State.HOLDS: "+", State.FAILS: "-", State.UNTOLD: "?"}


def lines(exhibit: Exhibit) -> Iterator[str]:
    """Yield a line for each claim of an exhibit, the first with its seconds."""
    if exhibit.compute is None:
        yield "shown on other pages"
        return
    has_seed = any(param.name == "seed" for param in exhibit.params)
    found: dict[str, str] = {}
    started = time.perf_counter()
    runs = range(SEEDS if has_seed else 1)
    try:
        for seed in runs:
            for verdict in exhibit.run({"seed": 1000 * seed} if has_seed else {}).verdicts:
                found[verdict.claim] = found.get(verdict.claim, "") + _SIGNS[verdict.state]
    except DataError as error:
        yield str(error)
        return
    yield f"{(time.perf_counter() - started) / len(runs):.1f} s a run"
    for claim, signs in found.items():
        told = max(signs.count(sign) for sign in "+-")
        others = len(signs.replace("?", "")) - told
        yield f"  {signs:10} {'CONTRADICTS ITSELF' if others > len(runs) / 10 else '':18} {claim}"


def main(given: list[str]) -> None:
    """Print the list."""
    for paper in [PAPERS[given[0]]] if given else PAPERS.values():
        for exhibit in paper.exhibits.values():
            if len(given) < 2 or exhibit.id in given[1:]:
                for number, line in enumerate(lines(exhibit)):
                    print(line if number else f"{paper.label}, {exhibit.name}: {line}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
