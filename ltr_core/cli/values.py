"""Words of the command line as values of parameters: 0.5, none, true, NAME=VALUE, and ranges to sweep."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ParameterError

if TYPE_CHECKING:
    from ..params import Param

GRID_VALUES = 5  # of a range in a grid, when their number is not said
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def nearly(word: str, names: Iterable[str]) -> str:
    """Return "Did you mean …? " for names that a word resembles, or nothing."""
    by_lower = {name.lower(): name for name in names}
    close = [by_lower[found] for found in difflib.get_close_matches(word.lower(), by_lower, 3, 0.6)]
    return f"Did you mean {' or '.join(close)}? " if close else ""


_IN_PYTHON = (
    (r"\bload one file in it, or the folds of a LETOR folder with ltr\.load_folds", "give one file in it"),
    (r", or trust_edited=True in Python", ""),
    (r", or give RankingData\(…, missing=\"zero\"\)", ""),
    (r"\bignore=…", "--ignore COLUMN"),
)


_REFUSED = r"^(?:\w+: )?([a-z]+(?:_[a-z]+)*) = ('[^']*'|\S+) cannot be used(.*?)(?:\bNone \((\w[^)]*)\))?\.$"


def in_flags(sentence: str, words: Sequence[str] = ()) -> str:
    """Return a sentence that advises what to write in Python as advice on what to type.

    `words` are those that were typed: what is refused is called as it was given.
    """
    refused = re.match(_REFUSED, sentence)
    if refused is not None:
        flag = f"--{refused[1].replace('_', '-')}"
        if any(word.partition("=")[0].replace("_", "-") == flag for word in words):
            value = refused[2].strip("'")
            none = f"none ({refused[4]})" if refused[4] else ""
            sentence = f"{flag} {value} cannot be used{refused[3]}{none}."
    for python, typed_here in _IN_PYTHON:
        sentence = re.sub(python, typed_here, sentence)
    option = r"(?<![\w.(])([a-z]+(?:_[a-z]+)*)=(?:\"([\w:.%@-]+)\"|'([\w:.%@-]+)')(?!\w)"
    return re.sub(option, lambda found: f"--{found[1].replace('_', '-')} {found[2] or found[3]}", sentence)


def read_value(param: Param, text: str, owner: str) -> Any:
    """Return a parameter's value from its text, checked."""
    text = text.strip()
    if param.optional and text.lower() in ("none", param.none_label.lower()):
        return None
    if param.kind == "table":
        return _read_table(param, text, owner)
    return param.check(_as_kind(param, text), owner)


def _as_kind(param: Param, text: str) -> Any:
    if param.kind in ("int", "float"):
        return _number(text)
    if param.kind == "bool":
        return text.lower() in _TRUE if text.lower() in _TRUE + _FALSE else text
    if param.kind == "choice":
        same = [c for c in param.choices if str(c).lower() == text.lower() or c == _number(text)]
        return same[0] if same else text
    return text


def _number(text: str) -> Any:
    """Return a number, or the text itself: what takes it says that it is none."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _read_table(param: Param, text: str, owner: str) -> Any:
    try:
        if text.startswith("["):
            rows = json.loads(text)
        else:
            lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
            rows = [line.replace(",", " ").split() for line in lines if line.strip()]
        return tuple(tuple(float(cell) for cell in row) for row in rows)
    except (OSError, ValueError, TypeError, RecursionError):
        raise ParameterError(
            f"{owner}: {param.name} = {text!r} is no table. Give a file with a row of numbers on each line, "
            "or the rows themselves, such as '[[0, 1], [-1, 0]]'."
        ) from None


def typed(param: Param, value: Any) -> str:
    """Return a parameter's value as one would type it."""
    if value is None:
        return param.none_label
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_pairs(words: Iterable[str], params: Sequence[Param], owner: str, option: str) -> dict[str, Any]:
    """Return the values of NAME=VALUE words."""
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign:
            raise ParameterError(f"{option} {word}: give it as NAME=VALUE.")
        param = find_param(name, params, owner)
        _refuse_twice(param.name, found, option)
        found[param.name] = read_value(param, text, owner)
    return found


def read_space(words: Iterable[str], params: Sequence[Param], owner: str, grid: bool) -> dict[str, Any]:
    """Return the space of a sweep from words such as lam=0.1,0.2, lam=0.1:2:log and lam."""
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        param = find_param(name, params, owner)
        _refuse_twice(param.name, found, "--vary")
        found[param.name] = _read_axis(param, text, owner, grid) if sign else _whole_range(param, owner, grid)
    return found


def _read_axis(param: Param, text: str, owner: str, grid: bool) -> Any:
    if param.kind in ("int", "float") and ":" in text:
        low, high, *rest = (part.strip() for part in text.split(":"))
        axis: dict[str, Any] = {"low": _number(low), "high": _number(high)}
        for word in rest:
            if word in ("log", "linear"):
                axis["log"] = word == "log"
            elif isinstance(_number(word), int):
                axis["n"] = _number(word)
            else:
                raise ParameterError(
                    f"--vary {param.name}={text}: {word!r} is not understood. Give LOW:HIGH, and behind it "
                    "how many values, and log or linear, such as 0.1:2:8:log."
                )
        return _counted(axis, grid)
    pieces = text.split(";" if param.kind in ("text", "table") else ",")
    return [read_value(param, piece, owner) for piece in pieces if piece.strip()]


def _whole_range(param: Param, owner: str, grid: bool) -> Any:
    if param.kind == "choice":
        return list(param.choices)
    if param.kind == "bool":
        return [False, True]
    if param.kind not in ("int", "float") or param.low is None or param.high is None:
        raise ParameterError(
            f"{owner}: {param.name} has no range of its own. Give its values: {param.name}=…."
        )
    return _counted({"low": param.low, "high": param.high}, grid)


def _counted(axis: Mapping[str, Any], grid: bool) -> dict[str, Any]:
    return {**({"n": GRID_VALUES} if grid else {}), **axis}


def find_param(name: str, params: Sequence[Param], owner: str) -> Param:
    """Return a parameter by name, with hyphens or underscores."""
    known = {p.name: p for p in params}
    found = known.get(name.strip().replace("-", "_"))
    if found is None:
        near = nearly(name, known)
        raise ParameterError(f"{owner} has no parameter {name!r}. {near}It has {', '.join(known)}.")
    return found


def _refuse_twice(name: str, found: Mapping[str, Any], option: str) -> None:
    if name in found:
        raise ParameterError(f"{option} names {name} twice. Leave one out.")


def read_numbers(text: str, option: str) -> list[int]:
    """Return whole numbers from a text such as 0,1,2."""
    try:
        return [int(piece) for piece in text.split(",")]
    except ValueError:
        raise ParameterError(f"{option} {text}: give whole numbers with commas between them.") from None
