"""At which sizes claims can be told at all: ``python -m tests.papers.sizes [PAPER [ID …]]`` writes a table.

Each card of `CASES` runs from ten seeds at several sizes; the defaults' answers are those of `seeds.json`.
What is computed stays in `tests/papers/SIZES.md`, a part for each card, until that is run again.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ltr_core.papers import PAPERS, Exhibit, seeds
from tests.papers.by_seed import SEEDS, record
from tests.papers.times import chosen

TABLE = Path(__file__).with_name("SIZES.md")
HEAD = """# At which sizes claims can be told

For each claim and size how many of ten seeds say that it holds (+), does not hold (−), cannot be told (?), by
`python -m tests.papers.sizes`. Sizes are those of the cards' controls; where it says seeds, so many sets are
drawn and their queries count together.
"""
Sizes = tuple[Mapping[str, Any], ...]
CASES: dict[tuple[str, str], Sizes] = {
    ("mpboost", "fig5"): ({"seeds": 1}, {}),
    ("qbrank", "fig1"): ({"n_queries": 590}, {}),
    ("frank", "table4"): ({"n_queries": 250, "seeds": 1}, {"n_queries": 250}, {}),
    ("frank", "table6"): ({"n_queries": 200, "seeds": 1}, {"seeds": 1}, {}),
    ("mcrank", "table1"): (
        *({"n_queries": 60}, {"n_queries": 250}, {}),
        *({"data": "engine", "n_queries": n} for n in (60, 250, 500, 2000)),
    ),
}


def part(exhibit: Exhibit, sizes: Sizes, label: str, known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of one card."""
    runs = [record(exhibit, SEEDS, **size)["claims"] if size else known["claims"] for size in sizes]
    heads = [said(exhibit, size) for size in sizes]
    yield f"## {label}, {exhibit.name}: {exhibit.title}"
    yield ""
    yield f"| claim | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for claim in known["claims"]:
        cells = " | ".join(counted(run[claim]["signs"]) for run in runs)
        yield f"| {claim} | {cells} |"


def said(exhibit: Exhibit, size: Mapping[str, Any]) -> str:
    """Say a size: the set if there is a choice, its queries, the seeds if there are several."""
    values = exhibit.checked(size)
    words = [str(values["data"])] if "data" in values else []
    words.append(f"{values['n_queries']:,} queries")
    if values.get("seeds", 1) > 1:
        words.append(f"{values['seeds']} seeds")
    return ", ".join(words)


def counted(signs: str) -> str:
    """Return how often each sign is there."""
    return " ".join(f"{signs.count(sign)} {sign}" for sign in "+-?" if sign in signs).replace("-", "−")


def main(given: list[str]) -> None:
    """Compute what is asked for and put it into the table."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else HEAD
    parts = {own.split(":")[0]: own.strip() for own in re.split(r"^(?=## )", text, flags=re.M)[1:]}
    names = {f"## {PAPERS[p].label}, {PAPERS[p].exhibits[e].name}": (p, e) for p, e in CASES}
    for paper, exhibit in chosen(given):
        if (paper.id, exhibit.id) in CASES:
            known = seeds.records()[paper.id][exhibit.id]
            lines = part(exhibit, CASES[paper.id, exhibit.id], paper.label, known)
            parts[f"## {paper.label}, {exhibit.name}"] = "\n".join(lines)
            TABLE.write_text("\n\n".join([HEAD.strip(), *(parts[n] for n in names if n in parts)]) + "\n")
            print(parts[f"## {paper.label}, {exhibit.name}"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
