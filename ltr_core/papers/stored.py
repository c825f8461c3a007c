"""Results that take longer than a moment, computed once: ``python -m tests.papers.store [PAPER [ID]]``.

A file for each paper lies in `stored/`; each entry says with which settings it was made, how long it took and
with which versions. They are shown at once, and computed anew on demand. A test computes some of them again.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..errors import DataError
from .exhibit import Exhibit, Paper, Result, Values

FOLDER = Path(__file__).with_name("stored")
_AT_ONCE = 0.8  # seconds: what takes less is computed when it is asked for
_PACKAGES = ("numpy", "numba", "pandas", "scipy")


@dataclass(frozen=True)
class Stored:
    """A result that was computed before: its settings, its seconds, the versions of what computed it."""

    result: Result
    seconds: float
    versions: dict[str, str]


def settings_to_store(exhibit: Exhibit) -> Iterator[dict[str, Any]]:
    """Yield the settings whose results are stored: the defaults of what takes long, and `in_full`."""
    if exhibit.compute is not None and exhibit.seconds > _AT_ONCE:
        yield {}
    if exhibit.in_full is not None:
        yield dict(exhibit.in_full)


def stored(paper: Paper, exhibit: Exhibit, values: Values) -> Stored | None:
    """Return the stored result of an exhibit at these settings, if there is one."""
    entries = _read(FOLDER / f"{paper.id}.json")
    wanted = exhibit.checked(values)
    for entry in entries.get(exhibit.id, ()):
        if entry["values"] == wanted:  # all of them: what was stored at other defaults is not these
            return Stored(Result.from_json(json.dumps(entry["result"])), entry["seconds"], entry["versions"])
    return None


@lru_cache(32)
def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(
            "the stored results are damaged", "install the package anew", file=path.name
        ) from error


def compute(paper: Paper, only: str = "") -> None:
    """Compute a paper's stored results, or those of one exhibit, and write them."""
    path = FOLDER / f"{paper.id}.json"
    kept = dict(_read(path))
    for exhibit in paper.exhibits.values():
        if only in ("", exhibit.id):
            kept[exhibit.id] = [_entry(exhibit, values) for values in settings_to_store(exhibit)]
    wanted = {name: kept[name] for name in paper.exhibits if kept.get(name)}
    lines = [
        f"{json.dumps(name)}: [\n" + ",\n".join(_line(e) for e in entries) + "\n]"
        for name, entries in wanted.items()
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    _read.cache_clear()


def _entry(exhibit: Exhibit, values: dict[str, Any]) -> dict[str, Any]:
    started = time.perf_counter()
    result = exhibit.run(values)
    seconds = round(time.perf_counter() - started, 1)
    told = {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}
    sys.stderr.write(f"{exhibit.name} {values or 'at its defaults'}: {seconds} s\n")
    return {
        "values": exhibit.checked(values),
        "seconds": seconds,
        "versions": told,
        "result": json.loads(result.to_json()),
    }


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
