"""The record of a sweep, in memory and, if wanted, in a file.

The file is a line of JSON for what is asked, then one for each point and each finished fit. A sweep that is
killed leaves its finished fits behind; the next one with the same file takes them up. A last line that was
cut short is dropped. Numbers are read back to the same bits; models are not kept. Each line has a checksum.
While a sweep writes to a file no other does.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ...errors import DataError, ParameterError
from ...files import try_lock, unlock
from ...rankers.signing import TRUST, is_edited, sign
from ..search.space import as_plain, config_key
from .fit import Fit, FitStatus, Task, check_packed

FORMAT, VERSION = "rankscope-sweep", 1
MAY_DIFFER = ("n_trials",)  # more trials of the same sweep go on where fewer ended
_FINISHED = (FitStatus.DONE, FitStatus.PRUNED, FitStatus.FAILED)
_KEPT = ("status", "error", "n_iter", "stopped", "seconds", "rungs")


@dataclass
class Record:
    """What is known of one sweep: its question, its points with their trainings, its fits, its choice."""

    header: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None
    fits: dict[tuple[str, int, int], Fit] = field(default_factory=dict)
    points: dict[int, tuple[dict[str, Any], str]] = field(default_factory=dict)
    chosen: dict[str, Any] | None = None
    end: int = 0  # of the last whole line
    file: IO[bytes] | None = field(default=None, repr=False)  # open and locked while a sweep writes to it

    def add_point(self, number: int, params: dict[str, Any], config: str) -> None:
        """Note a point's parameters, once."""
        if number not in self.points:
            self.points[number] = (params, config)
            self._append({"point": number, "params": params, "config": json.loads(config)})

    def get(self, config: str, task: Task) -> Fit | None:
        """Return a finished fit."""
        return self.fits.get((config, task.fold, task.seed))

    def add(self, config: str, fit: Fit) -> None:
        """Take in a finished fit; the line is on the disk when this returns."""
        self.fits[config, fit.task.fold, fit.task.seed] = fit
        kept = {name: getattr(fit, name) for name in _KEPT}
        queries = {str(n): text for n, text in fit.queries.items()}
        content = {"config": json.loads(config), **dataclasses.asdict(fit.task), **kept}
        self._append({**content, "curves": _finite_or_none(fit.curves), "queries": queries})

    def choose(self, chosen: dict[str, Any]) -> None:
        """Note the chosen point and its test values."""
        self.chosen = chosen
        self._append({"chosen": chosen})

    def _append(self, content: dict[str, Any]) -> None:
        if self.path is not None and self.file is not None:
            with _keeping(self.path):
                self._write(_line(content).encode())

    def _write(self, line: bytes) -> None:
        """Put a line behind the last whole one, or leave the file as it was."""
        assert self.file is not None
        left = memoryview(line)
        try:
            while left:
                left = left[self.file.write(left) :]
            os.fsync(self.file.fileno())
        except OSError:  # a full disk
            with suppress(OSError):
                self.file.truncate(self.end)
            raise
        self.end += len(line)

    def close(self) -> None:
        """Let others write to the file."""
        if self.file is not None:
            unlock(self.file)
            self.file.close()
            self.file = None

    def _take(self, content: dict[str, Any]) -> None:
        """Take in a line of a file but the first."""
        if "chosen" in content:
            self.chosen = content["chosen"]
        elif "point" in content:
            self.points[_number(content["point"])] = (content["params"], config_key(content["config"]))
        else:
            fit = _as_fit(content)
            self.fits[config_key(content["config"]), fit.task.fold, fit.task.seed] = fit


def open_record(header: dict[str, Any], path: str | os.PathLike | None, trust_edited: bool = False) -> Record:
    """Return the record of a sweep: a new one, or what a file of the same sweep holds."""
    try:
        line = _line({"format": FORMAT, "version": VERSION, **header})
    except TypeError as error:
        raise ParameterError(f"A sweep takes plain values only: {error}.") from None
    record = Record(json.loads(line), None if path is None else Path(path))
    del record.header["checksum"]
    if record.path is None:
        return record
    with _keeping(record.path):
        record.path.parent.mkdir(parents=True, exist_ok=True)
        file = record.path.open("ab", buffering=0)
    try:
        if try_lock(file) is False:
            raise ParameterError(
                f"Another sweep is writing to {path}. Wait for its end, stop it, or take another file."
            )
        with _keeping(record.path):
            if line.encode().startswith(record.path.read_bytes()):  # nothing yet, or the first line cut short
                file.truncate(0)
                record.file = file
                record._write(line.encode())
            else:
                record = _go_on(record.path, record.header, trust_edited)
                file.truncate(record.end)
                record.file = file
    except BaseException:
        unlock(file)
        file.close()
        raise
    return record


def _go_on(path: Path, header: dict[str, Any], trust_edited: bool) -> Record:
    record = read_record(path, trust_edited)
    names = dict.fromkeys([*record.header, *header])
    differs = [n for n in names if n not in MAY_DIFFER and record.header.get(n) != header.get(n)]
    if differs:
        raise ParameterError(
            f"{path} holds another sweep: its {differs[0]} differs. Take another file, or delete it."
        )
    record.header = header
    return record


def read_record(path: Path, trust_edited: bool = False) -> Record:
    """Return what is in a file."""
    record = Record(path=path)
    for number, line in enumerate(path.read_bytes().splitlines(keepends=True), start=1):
        if not line.endswith(b"\n"):
            break  # cut short
        try:
            content = json.loads(line, parse_float=_finite, parse_constant=_finite)
            if b"\\ud" in line.lower():
                json.dumps(content, ensure_ascii=False).encode()  # half a character is none
            edited = is_edited(line, content)
            if number > 1:
                record._take(content)
            elif content["format"] != FORMAT or content["version"] != VERSION:
                raise ValueError("another format")
            else:
                record.header = content
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            todo = "delete the file, or take another one"
            raise DataError(f"not a line of a sweep ({error})", todo, file=str(path), line=number) from None
        if edited and not trust_edited:
            raise DataError("this line was edited after it was written", TRUST, file=str(path), line=number)
        record.end += len(line)
    if not record.header:
        raise DataError("not a sweep: its first line is missing", "take another file", file=str(path))
    return record


@contextmanager
def _keeping(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        what = f"the sweep cannot be kept there ({error.strerror})"
        raise DataError(what, "choose another place", file=str(path)) from None


def _number(value: Any) -> int:
    """Return what counts something, of a line that may say anything."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**62:
        raise ValueError(f"{str(value)[:20]} is no count")
    return value


def _finite(text: str) -> float:
    """Return a number of a line, or none; Python itself takes 1e999 and Infinity."""
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:20]} is no finite number")
    return value


def _as_fit(content: dict[str, Any]) -> Fit:
    task = Task(_number(content["fold"]), _number(content["seed"]), content["train"], content["valid"])
    fit = Fit(task, **{name: content[name] for name in _KEPT})
    fit.status = FitStatus(fit.status)
    if not isinstance(fit.error, str | None) or not isinstance(fit.rungs, dict):
        raise ValueError("a fit whose error or rungs are none")
    if fit.status not in _FINISHED or not isinstance(fit.stopped, str):
        raise ValueError("a fit that has not ended in any known way")
    fit.n_iter, fit.seconds = _number(fit.n_iter), float(fit.seconds)
    for split, curves in content["curves"].items():
        fit.curves[split] = {m: [math.nan if v is None else float(v) for v in c] for m, c in curves.items()}
        if any(len(c) != fit.n_iter + 1 for c in fit.curves[split].values()):
            raise ValueError("a curve that is not as long as its training")
    fit.queries = {_number(int(n)): text for n, text in content["queries"].items()}
    for text in fit.queries.values():
        check_packed(text)
    return fit


def _finite_or_none(curves: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, list[float | None]]]:
    return {
        split: {measure: [v if math.isfinite(v) else None for v in values] for measure, values in own.items()}
        for split, own in curves.items()
    }


def _line(content: dict[str, Any]) -> str:
    return sign(json.dumps(content, default=as_plain)) + "\n"
