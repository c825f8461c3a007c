"""What was trained on this machine, and workspaces under a name: kept on disk beside the run store.

Each is a small JSON file of its own, written whole or not at all; servers that share the folder take turns.
One that is damaged is dropped, with a sentence. Nothing of an upload is noted. A run that the store has
dropped is trained again when it is opened. What came later is later here, also where the clock is set back.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ltr_core import DataError, ParameterError, measure
from ltr_core.files import taking_turns, whole_file

from .specs import DataSpec, Recipe, RunSpec, plain, recipe_of

if TYPE_CHECKING:
    from .store import Training

_MOST = 5000  # runs that are remembered; starred ones are kept beyond
_ALWAYS = ("loss", "misorder")  # what every history has, followed or not
_LONGEST = 500  # characters of a name or a note
_FIELDS: dict[str, Any] = {"when": float, "seconds": float, "rounds": int, "measure": str}
_SAID = "name", "note", "star"  # what one says of a run
_FIELDS |= {"name": str, "note": str, "star": bool, "order": float}
_TICK = 1e-3  # seconds by which what came later is later at least
_WAITING = ".waiting"  # what is to be noted when its run is stored
_LOST = 3600.0  # seconds after which nobody stores it any more
_SETTLED = 0.1  # seconds after which a folder's time tells a further change from this one


@dataclass(frozen=True)
class Past:
    """A run that was trained: what it was, how it came out by the measure it was followed by, what one says.

    `valid` is its best value on validation, `test` its value on test at that round; NaN where there is none.
    `order` is `when`, or a little more than any before.
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
    order: float = 0.0


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
        with self.noting(training):
            pass

    @contextmanager
    def noting(self, training: Training) -> Iterator[None]:
        """Note a run that is stored within the block. Of who is killed in between, `catch_up` finishes it."""
        followed = [name for split, name in training.curves if split == "valid" and name not in _ALWAYS]
        name = followed[-1] if followed else "misorder"
        valid, test = (training.curves.get((split, name), np.empty(0)) for split in ("valid", "test"))
        at = _best(valid, name)
        now = time.time()
        told = {
            "spec": plain(training.spec),
            "when": now,
            "seconds": training.seconds,
            "rounds": training.model.n_iter_,
            "measure": name,
            "valid": _number(valid, at),
            "test": _number(test, at),
        }
        path = self.runs_folder / f"{training.key}.json"
        waiting = path.with_name(f".{path.name}{_WAITING}")
        with self._lock, suppress(OSError), taking_turns(self.runs_folder):  # a full disk: the store has it
            order = _after(now, (past.order for past in self._read_all().values()))
            self._write(waiting, {**told, "order": order})
        yield
        self._settle(waiting)

    def catch_up(self, stored: Path) -> None:
        """Note the runs in a folder of the store whose writer was killed before they were noted."""
        for waiting in self.runs_folder.glob(f".*{_WAITING}"):
            if (stored / _place_of(waiting).name).exists():
                self._settle(waiting)
            else:  # its run is just being written, or was not
                with suppress(OSError):
                    if time.time() - waiting.stat().st_mtime > _LOST:
                        waiting.unlink(missing_ok=True)

    def _settle(self, waiting: Path) -> None:
        """Put a note in its place; what was said of the run by then, also while it was stored, stays."""
        place = _place_of(waiting)
        with self._lock, suppress(OSError), taking_turns(self.runs_folder):  # or another server was faster
            with suppress(ValueError, TypeError):  # damaged: there is nothing to note
                told = dict(json.loads(waiting.read_bytes()))
                with suppress(OSError, ValueError, TypeError):
                    before = json.loads(place.read_bytes())
                    told |= {name: before[name] for name in _SAID if name in before}
                self._write(place, told)
            waiting.unlink(missing_ok=True)

    def runs(self) -> list[Past]:
        """Return all runs, the latest first."""
        with self._lock:
            return sorted(self._read_all().values(), key=lambda past: -past.order)

    def mark(
        self, key: str, name: str | None = None, note: str | None = None, star: bool | None = None
    ) -> None:
        """Say something about a run; what is None stays as it is."""
        path = self.runs_folder / f"{key}.json"
        with self._lock, _keeping("What was said of the run"), taking_turns(self.runs_folder):
            try:
                told = json.loads(path.read_bytes())
            except (OSError, ValueError):  # forgotten, or damaged: there is nothing to say it of
                return
            said: dict[str, Any] = {} if star is None else {"star": star}
            texts = {"name": name, "note": note}
            said |= {part: text.strip()[:_LONGEST] for part, text in texts.items() if text is not None}
            self._write(path, {**told, **said})

    def save(self, name: str, link: str) -> None:
        """Keep a workspace, a link, under a name; one of that name is replaced."""
        name = " ".join(name.split())[:_LONGEST]
        if not name:
            raise ParameterError("A workspace needs a name.")
        now = time.time()
        with self._lock, _keeping("The workspace"), taking_turns(self.spaces_folder):
            order = _after(now, (when for when, _ in self._spaces().values()))
            self._write(self._place(name), {"name": name, "link": link, "when": now, "order": order})

    def spaces(self) -> dict[str, str]:
        """Return the saved links by name, the latest first."""
        with self._lock:
            found = self._spaces()
        return {name: link for name, (_, link) in sorted(found.items(), key=lambda one: -one[1][0])}

    def _spaces(self) -> dict[str, tuple[float, str]]:
        found: dict[str, tuple[float, str]] = {}
        for path in _files(self.spaces_folder):
            try:
                told = json.loads(path.read_bytes())
                name, link = str(told["name"]), str(told["link"])
                found[name] = float(told.get("order", told["when"])), link
            except OSError:  # deleted by another server, or not to be read just now
                continue
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self._drop(path, "saved workspace")
        return found

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
            except OSError:  # deleted by another server, or not to be read just now
                continue
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                self._drop(path, "remembered run")
        plain = sorted((one for one in held.values() if not one.star), key=lambda one: one.order)
        for past in plain[:-_MOST]:
            held.pop(past.key)
            with suppress(OSError):
                (self.runs_folder / f"{past.key}.json").unlink(missing_ok=True)
        # A folder that has just changed may change again at the same tick of its clock.
        self._stamp = stamp if abs(time.time() - stamp / 1e9) > _SETTLED else -1
        self._held = held
        return held

    def _drop(self, path: Path, what: str) -> None:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        self.dropped.append(f"A {what} was damaged and is dropped ({path.name}).")

    def _write(self, path: Path, told: dict[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as temporary:
            temporary.write_text(json.dumps(told), encoding="utf-8")
        self._stamp = -1


@contextmanager
def _keeping(what: str) -> Iterator[None]:
    """Say it in a sentence where something cannot be written."""
    try:
        yield
    except OSError as error:
        told = f"{what} cannot be kept ({error.strerror or error})"
        raise DataError(told, "make room on the disk, or ask whoever runs this server") from None


def _after(now: float, before: Iterable[float]) -> float:
    """Return now, or a little more than all before: a clock that was set back turns nothing round."""
    return max(now, max(before, default=now - _TICK) + _TICK)


def _place_of(waiting: Path) -> Path:
    return waiting.with_name(waiting.name.removeprefix(".").removesuffix(_WAITING))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.json") if not path.name.startswith(".")]


def _best(values: np.ndarray, name: str) -> int:
    if len(values) == 1:  # there is nothing to choose
        return 0
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
    defaults = {"name": "", "note": "", "star": False, "order": told["when"]}
    given: dict[str, Any] = {name: kind({**defaults, **told}[name]) for name, kind in _FIELDS.items()}
    values: dict[str, Any] = {
        name: float("nan") if told[name] is None else float(told[name]) for name in ("valid", "test")
    }
    return Past(key, data, recipe, **given, **values)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
