"""A sweep in a file: a line of JSON for what it is, then one for each finished fit.

A sweep that is killed leaves its finished fits behind; the next one with the same file takes them up. A last
line that was cut short is dropped. Numbers are read back to the same bits; models are not kept.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import DataError, ParameterError
from .work import Outcome, Task

FORMAT, VERSION = "rankscope-sweep", 1
MAY_DIFFER = ("n_trials",)  # more trials of the same sweep go on where fewer ended


class Store:
    """The finished fits of one sweep, in memory and, with a path, in a file."""

    def __init__(self, header: dict[str, Any], path: str | os.PathLike | None) -> None:
        try:
            text = json.dumps({"format": FORMAT, "version": VERSION, **header}, default=_plain)
        except TypeError as error:
            raise ParameterError(f"A sweep takes plain values only: {error}.") from None
        self.header = json.loads(text)
        self.path = None if path is None else Path(path)
        self.outcomes: dict[tuple[str, int, int], Outcome] = {}
        self.points: dict[int, tuple[dict[str, Any], str]] = {}
        self.chosen: dict[str, Any] | None = None
        if self.path is not None:
            self._open(self.path)

    def _open(self, path: Path) -> None:
        try:
            if path.exists() and path.stat().st_size:
                found = read(path)
                self.outcomes, self.points, self.chosen = found.outcomes, found.points, found.chosen
                names = _names(found.header, self.header)
                differs = [name for name in names if found.header.get(name) != self.header.get(name)]
                if differs:
                    raise ParameterError(
                        f"{path} holds another sweep: its {differs[0]} differs. "
                        "Take another file, or delete it."
                    )
                with path.open("r+b") as file:
                    file.truncate(found.end)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(_line(self.header), encoding="utf-8")
        except OSError as error:
            raise DataError(
                f"the sweep cannot be kept there ({error.strerror})", "choose another place", file=str(path)
            ) from None

    def add_point(self, number: int, params: dict[str, Any], config: str) -> None:
        """Note a point's parameters, once."""
        if number not in self.points:
            self.points[number] = (params, config)
            self._append({"point": number, "params": params, "config": json.loads(config)})

    def get(self, config: str, fold: int, seed: int) -> Outcome | None:
        """Return a finished fit."""
        return self.outcomes.get((config, fold, seed))

    def add(self, config: str, outcome: Outcome) -> None:
        """Take in a finished fit; the line is on the disk when this returns."""
        self.outcomes[config, outcome.task.fold, outcome.task.seed] = outcome
        self._append(
            {
                "config": json.loads(config),
                "fold": outcome.task.fold,
                "seed": outcome.task.seed,
                "train": outcome.task.train,
                "valid": outcome.task.valid,
                **{name: getattr(outcome, name) for name in _KEPT},
                "curves": _finite_or_none(outcome.curves),
                "queries": {str(n): text for n, text in outcome.queries.items()},
            }
        )

    def choose(self, chosen: dict[str, Any]) -> None:
        """Note the chosen point and its test values."""
        self.chosen = chosen
        self._append({"chosen": chosen})

    def _append(self, content: dict[str, Any]) -> None:
        if self.path is None:
            return
        try:
            with self.path.open("ab") as file:
                file.write(_line(content).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DataError(
                f"the sweep cannot be kept there ({error.strerror})",
                "choose another place",
                file=str(self.path),
            ) from None


_KEPT = ("status", "error", "n_iter", "stopped", "seconds", "rungs")


@dataclass
class Contents:
    """What is in a file."""

    header: dict[str, Any] = field(default_factory=dict)
    outcomes: dict[tuple[str, int, int], Outcome] = field(default_factory=dict)
    points: dict[int, tuple[dict[str, Any], str]] = field(default_factory=dict)
    chosen: dict[str, Any] | None = None
    end: int = 0  # of the last whole line


def read(path: Path) -> Contents:
    """Return what is in a file."""
    found = Contents()
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break  # cut short
        try:
            content = json.loads(line)
            if number == 1:
                found.header = content
                if content["format"] != FORMAT or content["version"] != VERSION:
                    raise ValueError("another format")
            elif "chosen" in content:
                found.chosen = content["chosen"]
            elif "point" in content:
                found.points[int(content["point"])] = (content["params"], config_key(content["config"]))
            else:
                outcome = _as_outcome(content)
                key = config_key(content["config"]), outcome.task.fold, outcome.task.seed
                found.outcomes[key] = outcome
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"not a line of a sweep ({error})",
                "delete the file, or take another one",
                file=str(path),
                line=number,
            ) from None
        found.end += len(line)
    if not found.header:
        raise DataError("not a sweep: its first line is missing", "take another file", file=str(path))
    return found


def config_key(config: dict[str, Any]) -> str:
    """Return the text that stands for a training's parameters."""
    return json.dumps(config, sort_keys=True, default=_plain)


def _as_outcome(content: dict[str, Any]) -> Outcome:
    task = Task(int(content["fold"]), int(content["seed"]), content["train"], content["valid"])
    outcome = Outcome(task, **{name: content[name] for name in _KEPT})
    outcome.curves = {
        split: {
            measure: [math.nan if v is None else float(v) for v in values]
            for measure, values in curves.items()
        }
        for split, curves in content["curves"].items()
    }
    outcome.queries = {int(n): text for n, text in content["queries"].items()}
    return outcome


def _names(*headers: dict[str, Any]) -> list[str]:
    return [name for name in dict.fromkeys(n for h in headers for n in h) if name not in MAY_DIFFER]


def _finite_or_none(curves: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    return {
        split: {
            measure: [v if math.isfinite(v) else None for v in values] for measure, values in found.items()
        }
        for split, found in curves.items()
    }


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, default=_plain) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not go into a sweep's file")
