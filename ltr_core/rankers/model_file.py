"""Models as JSON: plain, versioned, the same bits after a round trip, never executed.

Python writes a float with the fewest digits that read back to the same bits, so plain JSON numbers suffice.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import DTypeLike

from ..errors import DataError
from ..files import whole_file
from .signing import TRUST, is_edited, sign

if TYPE_CHECKING:
    from .base import Ranker

FORMAT, VERSION = "rankscope-model", 1
_LARGEST = float(np.finfo(np.float64).max)
_FARTHEST = 1e100  # of a number of a state: a product of two, times a feature, is still a number
_INFINITE = {"inf": math.inf, "-inf": -math.inf}  # a loss beside training may be; JSON has words for it only
_COLUMNS = ["iteration", "split", "measure", "value"]


class State:
    """The state read from a file; every access checks what it hands out."""

    def __init__(self, values: Any, file: str, where: str = "state") -> None:
        self._file, self._where = file, where
        if not isinstance(values, dict):
            self.refuse(f"{where} is not an object")
        self._values = values

    def refuse(self, what: str) -> NoReturn:
        """Raise the sentence for a malformed file."""
        todo = "save the model again with model.save"
        raise DataError(f"not a usable model: {what}", todo, file=self._file)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def get(self, name: str) -> Any:
        """Return a raw value that must be there."""
        if name not in self._values:
            self.refuse(f"“{self._where}.{name}” is missing")
        return self._values[name]

    def sub(self, name: str) -> State:
        """Return a nested object."""
        return State(self.get(name), self._file, f"{self._where}.{name}")

    def subs(self, name: str) -> list[State]:
        """Return a list of nested objects."""
        items = self.get(name)
        if not isinstance(items, list):
            self.refuse(f"“{self._where}.{name}” is not a list")
        return [State(item, self._file, f"{self._where}.{name}[{i}]") for i, item in enumerate(items)]

    def number(self, name: str, low: float = -_FARTHEST, high: float = _FARTHEST) -> float:
        """Return a finite number within a range."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.refuse(f"“{self._where}.{name}” is not a finite number")
        if not low <= value <= high:
            self.refuse(f"“{self._where}.{name}” is {value}, outside {low:g} … {high:g}")
        return value

    def text(self, value: Any, what: str) -> str:
        """Return a value that is to be a text which can be shown and written."""
        try:
            value.encode()
        except (AttributeError, UnicodeError):
            self.refuse(f"{what} is no text")
        return value

    def integer(self, name: str, low: int = 0, high: int = 2**62) -> int:
        """Return a whole number within a range."""
        value = self.number(name, low, high)
        if value != int(value):
            self.refuse(f"“{self._where}.{name}” is not a whole number")
        return int(value)

    def array(
        self,
        name: str,
        dtype: DTypeLike = np.float64,
        shape: tuple[int | None, ...] = (None,),
        low: float = -math.inf,
        high: float = math.inf,
    ) -> np.ndarray:
        """Return an array of finite numbers of the given shape (None: any length) and range."""
        try:
            given = np.array(self.get(name))
            if given.size and given.dtype.kind not in "iuf":  # numpy would read “1” as a number
                raise TypeError
            array = given.astype(np.float64)
        except (TypeError, ValueError, OverflowError):
            self.refuse(f"“{self._where}.{name}” is not an array of numbers")
        if array.size == 0 and array.ndim < len(shape) and not all(shape):
            array = array.reshape([n or 0 for n in shape])
        if array.ndim != len(shape) or any(
            n not in (None, m) for n, m in zip(shape, array.shape, strict=True)
        ):
            wanted = " × ".join("any" if n is None else str(n) for n in shape)
            self.refuse(f"“{self._where}.{name}” has shape {array.shape} instead of {wanted}")
        low, high = max(low, -_FARTHEST), min(high, _FARTHEST)
        if not np.isfinite(array).all() or (array < low).any() or (array > high).any():
            self.refuse(f"“{self._where}.{name}” holds a number outside {low:g} … {high:g}")
        with np.errstate(invalid="ignore"):  # what is too large for an integer is another number then
            typed = array.astype(dtype)
        if np.issubdtype(dtype, np.integer) and (typed != array).any():
            self.refuse(f"“{self._where}.{name}” holds a number that is not whole")
        return typed


def write(model: Ranker, path: Path) -> None:
    """Write a fitted model, to a temporary file first."""
    content = to_dict(model)
    text = sign(json.dumps(content, default=_plain, allow_nan=False))
    try:
        with whole_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except OSError as error:
        what = f"the model cannot be written ({error.strerror})"
        raise DataError(what, "choose another place", file=str(path)) from None


def to_dict(model: Ranker) -> dict[str, Any]:
    """Return everything that a model file holds."""
    history = model.history_
    values = [_written(v) for v in history["value"]]
    return {
        "format": FORMAT,
        "version": VERSION,
        "algorithm": type(model).__name__,
        "params": model._file_params(),
        "n_features": model.n_features_in_,
        "feature_names": list(model.feature_names_),
        "named": hasattr(model, "feature_names_in_"),
        "n_iter": model.n_iter_,
        "stopped": model.stopped_,
        "best_iteration": model.best_iteration_,
        "iteration": model.iteration_,
        "history": {**{c: history[c].tolist() for c in _COLUMNS[:3]}, "value": values},
        "state": model._state(),
    }


def from_dict(content: Any, algorithms: Mapping[str, type[Ranker]], file: str = "model") -> Ranker:
    """Rebuild a fitted model; `algorithms` are those that may be in a file."""
    top = State(content, file, "model")
    if content.get("format") != FORMAT:
        top.refuse(f"its “format” is not “{FORMAT}”")
    if content.get("version") != VERSION:
        top.refuse(f"it has version {content.get('version')!r} and this program reads version {VERSION}")
    name = top.get("algorithm")
    if not isinstance(name, str) or name not in algorithms:
        top.refuse(f"there is no algorithm {name!r}")
    params = top.get("params")
    cls = algorithms[name]
    known = {p.name for p in (*cls.all_params(), *cls.in_python)} | {*cls.renamed}
    if not isinstance(params, dict) or not set(params) <= known:
        top.refuse(f"its parameters are not those of {name}")
    if not all(map(_is_finite, params.values())):
        top.refuse("a parameter is not a finite number")
    try:
        model = algorithms[name](**params)
        model.checked_params()
    except ValueError as error:
        top.refuse(str(error).rstrip("."))
    model.n_features_in_ = top.integer("n_features", 1, 10**7)
    names = top.get("feature_names")
    if not isinstance(names, list) or len(names) != model.n_features_in_:
        top.refuse("it does not name its features")
    names = [top.text(n, "a feature's name") for n in names]
    # Older files do not say whether the names were given; made-up ones are f1, f2, …
    made_up = names == [f"f{k + 1}" for k in range(len(names))]
    model._set_names(names, bool(content.get("named", not made_up)))
    model.n_iter_ = top.integer("n_iter", 0, 10**9)
    model.stopped_ = top.text(top.get("stopped"), "“model.stopped”")
    best = top.get("best_iteration")
    model.best_iteration_ = None if best is None else top.integer("best_iteration", 0, model.n_iter_)
    # A file that does not say which round is meant is older: then it is the best of one that stopped early.
    early = model.best_iteration_ is not None and model.stopped_ == "early stop"
    meant: int = model.best_iteration_ if early else model.n_iter_  # type: ignore[assignment]
    model.iteration_ = top.integer("iteration", 0, model.n_iter_) if "iteration" in top else meant
    model.history_ = _history(top)
    try:
        model._set_state(top.sub("state"))
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        top.refuse(f"its state does not fit {name} ({error})")
    return model


def read(path: Path, algorithms: Mapping[str, type[Ranker]], trust_edited: bool = False) -> Ranker:
    """Read a model file, or say in a sentence why it cannot be used."""
    try:
        raw = path.read_bytes()
        content = json.loads(raw)
    except OSError as error:
        what = f"the file cannot be read ({error.strerror})"
        raise DataError(what, "check the path", file=str(path)) from None
    except (ValueError, RecursionError) as error:
        what, line = "not a model: the file is not JSON", getattr(error, "lineno", None)
        raise DataError(what, "give a file made by model.save", file=str(path), line=line) from None
    edited, model = is_edited(raw, content), from_dict(content, algorithms, str(path))
    if edited and not trust_edited:
        raise DataError("the model was edited after it was saved", TRUST, file=str(path))
    return model


def _is_finite(value: Any) -> bool:
    """Whether a value, or each of a list, is no infinite number: Python itself reads Infinity and 1e999."""
    if isinstance(value, list):
        return all(map(_is_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def _history(top: State) -> pd.DataFrame:
    columns = top.get("history")
    if not isinstance(columns, dict) or not all(isinstance(columns.get(c), list) for c in _COLUMNS):
        top.refuse("its history is not a table")
    lengths = {len(columns[c]) for c in _COLUMNS}
    numbers = all(map(_is_value, columns["value"]))
    rounds = all(isinstance(i, int) and 0 <= i < 2**62 for i in columns["iteration"])
    if len(lengths) != 1 or not numbers or not rounds:
        top.refuse("its history is not a table")
    for name in {*map(_hashable, columns["split"]), *map(_hashable, columns["measure"])}:
        top.text(name, "a split or a measure of its history")
    values = [_INFINITE[v] if isinstance(v, str) else v for v in columns["value"]]
    frame = pd.DataFrame({c: columns[c] for c in _COLUMNS[:3]} | {"value": values})
    return frame.astype({"iteration": np.int64, "value": np.float64})


def _written(value: float) -> float | str | None:
    """Return a value of a history as JSON has it."""
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else f"{value:g}"


def _is_value(value: Any) -> bool:
    """Whether a value may stand in the history of a file."""
    if isinstance(value, str):
        return value in _INFINITE
    return value is None or (
        isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _LARGEST
    )


def _hashable(value: Any) -> Any:
    return value if isinstance(value, str) else None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not go into a model file")
