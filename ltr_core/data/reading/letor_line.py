"""One line of LETOR text, read slowly and exactly: the values, or a sentence on what is wrong and where.

The kernels stop at a line they are not sure of; what is said about such a line is decided here alone.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...errors import DataError
from .options import MAX_FEATURES

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_WORD = re.compile(r"[^ \t\r]+")
_MISSING = ("null", "nan")


@dataclass(frozen=True)
class Rules:
    """What a file may hold: how missing values are taken, whether lines have query ids, the largest index."""

    missing: str = "error"
    wants_qid: bool = True
    limit: int = MAX_FEATURES


@dataclass(frozen=True)
class Line:
    """The values of one document."""

    grade: float
    qid: int
    values: dict[int, np.float32]


def read_line(raw: bytes, rules: Rules) -> Line | None:
    """Return what a line holds, None for a blank or comment line; raise a `DataError` with its column."""
    text = raw.decode("utf-8", errors="replace")
    body = text.partition("#")[0]
    words = [(found.start() + 1, found.group()) for found in _WORD.finditer(body)]
    if not words:
        return None
    if "\x00" in body:
        what = "there is a zero byte: this is not text, or it is damaged"
        raise DataError(what, "load the original file", column=body.index("\x00") + 1)
    grade = _read_grade(*words[0])
    qid: int | None = None
    values: dict[int, np.float32] = {}
    for column, word in words[1:]:
        key, colon, value = word.partition(":")
        if key.lower() == "qid" or (not colon and word.lower().startswith("qid")):
            if qid is not None:
                raise DataError("there is a second query id on the line", "keep one qid", column=column)
            qid = _read_qid(column, key, colon, value)
        else:
            index = _read_index(column, word, key, colon, rules.limit)
            if index in values:
                what = f"feature index {index} occurs twice on the line"
                raise DataError(what, "give every feature one value", column=column)
            values[index] = _read_value(column + len(key) + 1, index, value, rules.missing)
    if rules.wants_qid and qid is None:
        column = words[1][0] if len(words) > 1 else len(body.rstrip(" \t\r")) + 1
        todo = "write qid:<number> after the grade, or put the number of documents of each query into a file"
        todo += " of the same name that ends in .query"
        raise DataError("the query id is missing", todo, column=column)
    if not rules.wants_qid and qid is not None:
        what = "this line has a query id, the first document has none"
        raise DataError(what, "give all lines a query id or none of them", column=words[1][0])
    return Line(grade, qid or 0, values)


def quote(word: str) -> str:
    """Return a word between quotes, shortened, with what cannot be printed replaced."""
    word = "".join(c if c.isprintable() else "\ufffd" for c in word[:31])
    return f"“{word[:30]}…”" if len(word) > 30 else f"“{word}”"


def _read_grade(column: int, word: str) -> float:
    wrong, finite = partial(DataError, column=column), "give a finite grade of 0 or more"
    if not _NUMBER.fullmatch(word):
        if word.lower().lstrip("+-") in ("nan", "inf", "infinity", "null"):
            raise wrong(f"the grade is {quote(word)}", finite)
        if _NUMBER.fullmatch(word.partition(":")[0]) or word.lower().startswith("qid:"):
            what = f"the line starts with {quote(word)} where the grade belongs"
            raise wrong(what, "start the line with the grade")
        if re.search("[,;]", word):
            todo = "for a table with columns, let the file's name end in .csv, .tsv or .parquet"
            raise wrong(f"the line starts with {quote(word)}, which is not a grade", todo)
        raise wrong(f"the grade {quote(word)} is not a number", "start the line with a number of 0 or more")
    grade = float(word)
    if math.isinf(grade):
        raise wrong(f"the grade {quote(word)} is too large", finite)
    if grade < 0:
        raise wrong(f"the grade {quote(word)} is negative", "give a grade of 0 or more")
    return grade + 0.0


def _read_qid(column: int, key: str, colon: str, word: str) -> int:
    problem = ""
    if not colon or key != "qid":
        problem, column = f"{quote(key + colon + word)} is not written as such", column - 4
    elif not word:
        problem = "is empty"
    elif not _WHOLE.fullmatch(word):
        problem = f"{quote(word)} is not a whole number"
    elif not -(2**63) <= int(word) < 2**63:
        problem = f"{quote(word)} does not fit into 64 bits"
    if problem:
        raise DataError(f"the query id {problem}", "write qid:<whole number>", column=column + 4)
    return int(word)


def _read_index(column: int, word: str, key: str, colon: str, limit: int) -> int:
    wrong, todo = partial(DataError, column=column), "write each feature as <index>:<value>"
    if not colon:
        raise wrong(f"{quote(word)} stands where <index>:<value> belongs", todo)
    if not key:
        raise wrong(f"{quote(word)} has no feature index", todo)
    if re.fullmatch(r"-\d+", key, re.ASCII):
        raise wrong(f"the feature index {quote(key)} is negative", "count features from 0 or 1")
    if not re.fullmatch(r"\d+", key, re.ASCII):
        raise wrong(f"the feature index {quote(key)} is not a whole number", todo)
    if len(key) > 30 or int(key) > limit:
        name = f"feature index {quote(key)}"
        if limit < MAX_FEATURES:
            what = f"{name} lies beyond the {limit:,} features that were announced"
            raise wrong(what, "leave the feature out or announce more")
        todo = "number the features without large gaps: they are stored as a dense matrix"
        raise wrong(f"{name} is larger than {limit:,}, the most that is read", todo)
    return int(key)


def _read_value(column: int, index: int, word: str, missing: str) -> np.float32:
    wrong, name = partial(DataError, column=column), f"the value of feature {index}"
    if word.lower() in _MISSING:
        if missing != "error":
            return np.float32(0.0 if missing == "zero" else math.nan)
        todo = 'choose missing="zero" or missing="query_min", or fill it in'
        raise wrong(f"{name} is missing ({quote(word)})", todo)
    if not word:
        raise wrong(f"{name} is missing", "write a number after the colon")
    if not _NUMBER.fullmatch(word):
        if word.lower().lstrip("+-") in ("inf", "infinity", "nan"):
            raise wrong(f"{name} is {quote(word)}", "replace it by a finite number")
        raise wrong(f"{name}, {quote(word)}, is not a number", "replace it by a number")
    with np.errstate(over="ignore"):
        value = np.float32(float(word))
    if not math.isfinite(value):
        raise wrong(f"{name}, {quote(word)}, is too large", "replace it by a finite number within ±3.4e38")
    return value
