"""What was trained on this machine, and workspaces under a name: kept on disk beside the run store.

Each is a small JSON file of its own, written to a temporary file and renamed. One that is damaged is dropped,
with a sentence. Nothing of an upload is noted. A run that the store has dropped is trained again when it is
opened.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ltr_core import ParameterError, measure

from .specs import DataSpec, Recipe, RunSpec, plain, recipe_of

if TYPE_CHECKING:
    from .store import Training

_MOST = 5000  # runs that are remembered; starred ones are kept beyond
_ALWAYS = ("loss", "misorder")  # what every history has, followed or not
_LONGEST = 500  # characters of a name or a note
_FIELDS: dict[str, Any] = {"when": float, "seconds": float, "rounds": int, "measure": str}
_FIELDS |= {"name": str, "note": str, "star": bool}


@dataclass(frozen=True)
class Past:
    """A run that was trained: what it was, how it came out by the measure it was followed by, what one says.

    `valid` is its best value on validation, `test` its value on test at that round; NaN where there is none.
    """

    key: str
    data: DataSpec
    recipe: Recipe
    when: float
    seconds: float
    rounds: int
    measure: str
    valid: float
    test: float
    name: str = ""
    note: str = ""
    star: bool = False


class History:
    """Runs by their key, and workspaces by their name."""

    def __init__(self, root: Path) -> None:
        self.runs_folder, self.spaces_folder = root / "history", root / "workspaces"
        self.dropped: list[str] = []  # sentences on what was damaged
        self._lock = threading.Lock()
        self._held: dict[str, Past] = {}
        self._stamp = -1

    def add(self, training: Training) -> None:
        """Note a finished run; what was said of it before stays."""
        followed = [name for split, name in training.curves if split == "valid" and name not in _ALWAYS]
        name = followed[-1] if followed else "misorder"
        valid, test = (training.curves.get((split, name), np.empty(0)) for split in ("valid", "test"))
        at = _best(valid, name)
        told = {
            "spec": plain(training.spec),
            "when": time.time(),
            "seconds": training.seconds,
            "rounds": training.model.n_iter_,
            "measure": name,
            "valid": _number(valid, at),
            "test": _number(test, at),
        }
        with self._lock:
            held = self._read_all().get(training.key)
            marks = {"name": held.name, "note": held.note, "star": held.star} if held else {}
            self._write(self.runs_folder / f"{training.key}.json", {**told, **marks})

    def runs(self) -> list[Past]:
        """Return all runs, the latest first."""
        with self._lock:
            return sorted(self._read_all().values(), key=lambda past: -past.when)

    def mark(
        self, key: str, name: str | None = None, note: str | None = None, star: bool | None = None
    ) -> None:
        """Say something about a run; what is None stays as it is."""
        path = self.runs_folder / f"{key}.json"
        with self._lock, suppress(OSError, ValueError):
            told = json.loads(path.read_bytes())
            said: dict[str, Any] = {} if star is None else {"star": star}
            texts = {"name": name, "note": note}
            said |= {part: text.strip()[:_LONGEST] for part, text in texts.items() if text is not None}
            self._write(path, {**told, **said})

    def save(self, name: str, link: str) -> None:
        """Keep a workspace, a link, under a name; one of that name is replaced."""
        name = " ".join(name.split())[:_LONGEST]
        if not name:
            raise ParameterError("A workspace needs a name.")
        told = {"name": name, "link": link, "when": time.time()}
        with self._lock:
            self._write(self._place(name), told)

    def spaces(self) -> dict[str, str]:
        """Return the saved links by name, the latest first."""
        found: dict[str, tuple[float, str]] = {}
        with self._lock:
            for path in _files(self.spaces_folder):
                try:
                    told = json.loads(path.read_bytes())
                    name, link, when = str(told["name"]), str(told["link"]), float(told["when"])
                except (OSError, ValueError, TypeError, KeyError, RecursionError):
                    self._drop(path, "saved workspace")
                else:
                    found[name] = when, link
        return {name: link for name, (_, link) in sorted(found.items(), key=lambda one: -one[1][0])}

    def forget_space(self, name: str) -> None:
        """Delete a saved workspace."""
        with self._lock, suppress(OSError):
            self._place(name).unlink(missing_ok=True)

    def _place(self, name: str) -> Path:
        return self.spaces_folder / f"{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}.json"

    def _read_all(self) -> dict[str, Past]:
        """Return what the folder holds; files are read again when the folder has changed."""
        try:
            stamp = self.runs_folder.stat().st_mtime_ns
        except OSError:
            return {}
        if stamp == self._stamp:
            return self._held
        held = {}
        for path in _files(self.runs_folder):
            try:
                held[path.stem] = _past(path.stem, json.loads(path.read_bytes()))
            except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self._drop(path, "remembered run")
        for past in sorted((one for one in held.values() if not one.star), key=lambda one: one.when)[:-_MOST]:
            held.pop(past.key)
            with suppress(OSError):
                (self.runs_folder / f"{past.key}.json").unlink(missing_ok=True)
        with suppress(OSError):
            self._stamp = self.runs_folder.stat().st_mtime_ns
        self._held = held
        return held

    def _drop(self, path: Path, what: str) -> None:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        self.dropped.append(f"A {what} was damaged and is dropped ({path.name}).")

    def _write(self, path: Path, told: dict[str, Any]) -> None:
        temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
        with suppress(OSError):  # a full or read-only disk: the run itself is in the store or in memory
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(told), encoding="utf-8")
            os.replace(temporary, path)
            self._stamp = -1


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.json") if not path.name.startswith(".")]


def _best(values: np.ndarray, name: str) -> int:
    if not len(values) or np.isnan(values).all():
        return -1
    return int(np.nanargmax(values) if measure(name).higher_is_better else np.nanargmin(values))


def _number(values: np.ndarray, at: int) -> float | None:
    return float(values[at]) if 0 <= at < len(values) and values[at] == values[at] else None


def _past(key: str, told: dict[str, Any]) -> Past:
    """Return a run as a file tells it, checked, or raise."""
    spec = told["spec"]
    size = tuple((name, _hashable(value)) for name, value in spec["data"]["size"].items())
    data = DataSpec(**{**spec["data"], "size": size})
    recipe = recipe_of(spec["algorithm"], spec["params"])
    if RunSpec(data, recipe, str(spec["watch"])).key != key:
        raise ValueError("it is another run's")
    defaults = {"name": "", "note": "", "star": False}
    given: dict[str, Any] = {name: kind({**defaults, **told}[name]) for name, kind in _FIELDS.items()}
    values: dict[str, Any] = {
        name: float("nan") if told[name] is None else float(told[name]) for name in ("valid", "test")
    }
    return Past(key, data, recipe, **given, **values)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
