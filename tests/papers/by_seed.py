"""Every verdict by seed: ``python -m tests.papers.by_seed [PAPER [ID …]]`` computes, `table` alone writes.

Each card runs at its defaults from ten seeds. Its claims' answers go into `ltr_core/papers/seeds.json`, which
the dashboard shows, and into `tests/papers/VERDICTS.md`, for people. Cards of one computation share it.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

from ltr_core.errors import DataError
from ltr_core.evaluation import Verdict
from ltr_core.evaluation.verdicts import ALPHA, POWER, _needed
from ltr_core.papers import PAPERS, Exhibit, seeds
from tests.papers.times import chosen

SEEDS = 10
TABLE = Path(__file__).with_name("VERDICTS.md")
HEAD = """# Verdicts by seed

Each card at its defaults from ten seeds, by `python -m tests.papers.by_seed`. A sign is a seed: + the claim
holds here, − it does not hold here, ? it cannot be told. The difference is the mean over the seeds and its
standard error, in the claim's direction. “Needed” are the test queries (or seeds, or features) that would
tell such a difference 8 times in 10, after Holm's correction, if queries alone were chance: seeds that
contradict one another say that data sets differ, too. What has no numbers is no matter of chance.

Seconds are of processor time, the median of the ten: on two idle cores a card takes between half of them and
all.
"""


def deviation(verdict: Verdict) -> float:
    """Return the deviation of the differences behind a verdict, from its interval."""
    n = verdict.n_queries
    return (verdict.high - verdict.low) / 2 / float(student.ppf(0.975, n - 1)) * math.sqrt(n)


def record(exhibit: Exhibit, n_seeds: int = SEEDS, **values: Any) -> dict[str, Any]:
    """Run an exhibit from several seeds; return what each claim came to, and the times."""
    has_seed = any(param.name == "seed" for param in exhibit.params)
    claims: dict[str, dict[str, Any]] = {}
    wall, cpu = [], []
    for seed in range(0, 1_000 * (n_seeds if has_seed else 1), 1_000):
        started, own = time.perf_counter(), time.process_time()
        result = exhibit.run({**values, "seed": seed} if has_seed else values)
        wall.append(round(time.perf_counter() - started, 2))
        cpu.append(round(time.process_time() - own, 2))
        for verdict in result.verdicts:
            told = claims.setdefault(verdict.claim, {"signs": ""})
            told["signs"] += seeds.SIGNS[verdict.state]
            if verdict.n_queries > 1:
                told |= {"of": verdict.of, "n": verdict.n_queries, "m": len(result.verdicts)}
                told.setdefault("difference", []).append(round(verdict.difference, 6))
                told.setdefault("deviation", []).append(round(deviation(verdict), 6))
    return {"wall": wall, "cpu": cpu, "claims": claims}


def compute(given: list[str]) -> None:
    """Compute what is asked for and put it into the file, card by card."""
    shared: dict[str, dict[str, Any]] = {}
    for paper, exhibit in chosen(given):
        same = repr((exhibit.compute, exhibit.checked()))
        try:
            shared[same] = shared.get(same) or record(exhibit)
        except DataError as error:
            print(f"{paper.id} {exhibit.id}: {error}", flush=True)
            continue
        known = dict(seeds.records())
        known[paper.id] = {**known.get(paper.id, {}), exhibit.id: shared[same]}
        ordered = {
            p: {e: known[p][e] for e in PAPERS[p].exhibits if e in known[p]} for p in PAPERS if p in known
        }
        seeds.FILE.write_text(
            json.dumps(ordered, ensure_ascii=False, indent=1, allow_nan=False) + "\n", encoding="utf-8"
        )
        seeds.forget()
        print(f"{paper.id} {exhibit.id}: {np.median(shared[same]['cpu']):.1f} s of a core", flush=True)
        for claim, told in shared[same]["claims"].items():
            print(f"    {told['signs']:10}  {claim}", flush=True)


def needed(told: dict[str, Any]) -> float:
    """Return how many queries would tell a claim, its mean and deviation taken from all seeds."""
    mean, spread = np.mean(told["difference"]), math.sqrt(np.mean(np.square(told["deviation"])))
    return _needed(float(mean), spread, ALPHA / told["m"], POWER)


def rows(told: dict[str, Any]) -> str:
    """Return a claim's cells: difference, queries there are, queries needed."""
    if "difference" not in told:
        return "– | – | –"
    mean = float(np.mean(told["difference"]))
    error = float(np.std(told["difference"], ddof=1) / math.sqrt(len(told["difference"])))
    wanted = needed(told)
    many = "over a million" if not wanted < 1e6 else f"{wanted:,.0f}"
    return f"{mean:+.4f} ± {error:.4f} | {told['n']:,} {told['of']} | {many}".replace("-", "−")


def lines() -> Iterator[str]:
    """Yield the table's lines."""
    yield HEAD
    for paper in PAPERS.values():
        for exhibit in paper.exhibits.values():
            told = seeds.records().get(paper.id, {}).get(exhibit.id)
            yield ""
            yield f"## {paper.label}, {exhibit.name}: {exhibit.title}"
            yield ""
            if exhibit.compute is None:
                yield "Shown on other pages."
            elif told is None:
                yield "Needs files that do not come with the program."
            else:
                shown = ", ".join(f"{name} {value:g}" for name, value in sizes(exhibit).items())
                yield f"{np.median(told['cpu']):.1f} s{f' · {shown}' if shown else ''}"
                if told["claims"]:
                    yield ""
                    yield "| claim | seeds | difference | on | needed |"
                    yield "| --- | --- | --- | --- | --- |"
                for claim, own in told["claims"].items():
                    mark = " contradicts itself" if seeds.Answers(own["signs"]).contradicts_itself else ""
                    yield f"| {escaped(claim)} | `{own['signs'].replace('-', '−')}`{mark} | {rows(own)} |"


def escaped(claim: str) -> str:
    """Return a claim as a cell of a table."""
    return claim.replace("|", "\\|")


def sizes(exhibit: Exhibit) -> dict[str, float]:
    """Return the defaults that its cost grows with."""
    return {name: value for name, value in exhibit.checked().items() if name in exhibit.grows}


def main(given: list[str]) -> None:
    """Compute and write the table."""
    if given != ["table"]:
        compute(given)
    TABLE.write_text("\n".join(lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
