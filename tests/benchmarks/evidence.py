"""What benchmarks find, as rows of one table: our time, the peer's in the same run, how far the ratio varies.

A benchmark tells its rows with `tell`; `make bench` collects them, prints the table and writes `RESULTS.md`.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

FILE = "RANKSCOPE_EVIDENCE"  # where the rows go: a file of lines of JSON
BEGIN, END = "<!-- times -->", "<!-- end of times -->"
PACKAGES = ("numpy", "numba", "scipy", "lightgbm", "xgboost", "scikit-learn", "ranx", "dlib", "torch")


@dataclass(frozen=True)
class Row:
    """One comparison: seconds of ours and of the peer, turn by turn, and the ratio that is wanted."""

    work: str
    ours: list[float]
    peer: str
    theirs: list[float]
    limit: float | None = None

    @property
    def ratio(self) -> float:
        """The best time of ours over the best of the peer's."""
        return min(self.ours) / min(self.theirs)

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the largest ratio of the turns."""
        n = min(len(self.ours), len(self.theirs))
        ratios = np.array(self.ours[:n]) / np.array(self.theirs[:n])
        return float(ratios.min()), float(ratios.max())


def tell(
    work: str, ours: Sequence[float], peer: str, theirs: Sequence[float], limit: float | None = None
) -> None:
    """Add a row, where somebody collects them."""
    path = os.environ.get(FILE)
    if path:
        row = Row(work, [float(s) for s in ours], peer, [float(s) for s in theirs], limit)
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")


def into(document: str, text: str) -> str:
    """Return a document with the table between its marks."""
    before, _, rest = document.partition(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"


def read(path: Path) -> list[Row]:
    """Return the rows that were told."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [Row(**json.loads(line)) for line in lines]


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table in Markdown."""
    lines = [
        "| work | ours, s | peer | peer's, s | ratio | spread | wanted |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        low, high = row.spread
        wanted = "" if row.limit is None else f"{row.limit:g}"
        lines.append(
            f"| {row.work} | {min(row.ours):.4g} | {row.peer} | {min(row.theirs):.4g} | {row.ratio:.2f} "
            f"| {low:.2f}–{high:.2f} | {wanted} |"
        )
    return "\n".join(lines)


def beside(now: Sequence[Row], then: Sequence[Row], commit: str) -> str:
    """Return two versions as a table in Markdown: each against the same peer, then against each other."""
    earlier = {(row.work, row.peer): row for row in then}
    lines = [f"| work | now, × peer | {commit}, × peer | now over then |", "| --- | --- | --- | --- |"]
    for row in now:
        old = earlier.get((row.work, row.peer))
        if old is not None:
            lines.append(f"| {row.work} | {row.ratio:.2f} | {old.ratio:.2f} | {row.ratio / old.ratio:.2f} |")
    return "\n".join(lines)


def machine() -> str:
    """Say on what this ran, and with which versions."""
    installed = []
    for name in PACKAGES:
        try:
            installed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, Python "
        f"{platform.python_version()}; " + ", ".join(installed)
    )
