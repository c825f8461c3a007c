"""One line of LETOR text, read slowly and exactly: the values, or a sentence on what is wrong and where.

The kernels stop at a line they are not sure of; what is said about such a line is decided here alone.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

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
        raise DataError(
            "there is a zero byte: this is not text, or it is damaged",
            "load the original file",
            column=body.index("\x00") + 1,
        )
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
                raise DataError(
                    f"feature index {index} occurs twice on the line",
                    "give every feature one value",
                    column=column,
                )
            values[index] = _read_value(column + len(key) + 1, index, value, rules.missing)
    if rules.wants_qid and qid is None:
        column = words[1][0] if len(words) > 1 else len(body.rstrip(" \t\r")) + 1
        raise DataError(
            "the query id is missing",
            "write qid:<number> after the grade, or put the number of documents of each query into a file of "
            "the same name that ends in .query",
            column=column,
        )
    if not rules.wants_qid and qid is not None:
        raise DataError(
            "this line has a query id, the first document has none",
            "give all lines a query id or none of them",
            column=words[1][0],
        )
    return Line(grade, qid or 0, values)


def quote(word: str) -> str:
    """Return a word between quotes, shortened, with what cannot be printed replaced."""
    word = "".join(c if c.isprintable() else "\ufffd" for c in word[:31])
    return f"“{word[:30]}…”" if len(word) > 30 else f"“{word}”"


def _read_grade(column: int, word: str) -> float:
    if not _NUMBER.fullmatch(word):
        if word.lower().lstrip("+-") in ("nan", "inf", "infinity", "null"):
            raise DataError(f"the grade is {quote(word)}", "give a finite grade of 0 or more", column=column)
        if _NUMBER.fullmatch(word.partition(":")[0]) or word.lower().startswith("qid:"):
            raise DataError(
                f"the line starts with {quote(word)} where the grade belongs",
                "start the line with the grade",
                column=column,
            )
        if len(re.findall("[,;]", word)) > 0:
            raise DataError(
                f"the line starts with {quote(word)}, which is not a grade",
                "for a table with columns, let the file's name end in .csv, .tsv or .parquet",
                column=column,
            )
        raise DataError(
            f"the grade {quote(word)} is not a number",
            "start the line with a number of 0 or more",
            column=column,
        )
    grade = float(word)
    if math.isinf(grade):
        raise DataError(
            f"the grade {quote(word)} is too large", "give a finite grade of 0 or more", column=column
        )
    if grade < 0:
        raise DataError(f"the grade {quote(word)} is negative", "give a grade of 0 or more", column=column)
    return grade + 0.0


def _read_qid(column: int, key: str, colon: str, word: str) -> int:
    todo = "write qid:<whole number>"
    if not colon or key != "qid":
        raise DataError(
            f"the query id {quote(key + colon + word)} is not written as such", todo, column=column
        )
    if not word:
        raise DataError("the query id is empty", todo, column=column + 4)
    if not _WHOLE.fullmatch(word):
        raise DataError(f"the query id {quote(word)} is not a whole number", todo, column=column + 4)
    if not -(2**63) <= int(word) < 2**63:
        raise DataError(f"the query id {quote(word)} does not fit into 64 bits", todo, column=column + 4)
    return int(word)


def _read_index(column: int, word: str, key: str, colon: str, limit: int) -> int:
    todo = "write each feature as <index>:<value>"
    if not colon:
        raise DataError(f"{quote(word)} stands where <index>:<value> belongs", todo, column=column)
    if not key:
        raise DataError(f"{quote(word)} has no feature index", todo, column=column)
    if re.fullmatch(r"-\d+", key, re.ASCII):
        raise DataError(
            f"the feature index {quote(key)} is negative", "count features from 0 or 1", column=column
        )
    if not re.fullmatch(r"\d+", key, re.ASCII):
        raise DataError(f"the feature index {quote(key)} is not a whole number", todo, column=column)
    if len(key) > 30 or int(key) > limit:
        if limit < MAX_FEATURES:
            raise DataError(
                f"feature index {quote(key)} lies beyond the {limit:,} features that were announced",
                "leave the feature out or announce more",
                column=column,
            )
        raise DataError(
            f"feature index {quote(key)} is larger than {limit:,}, the most that is read",
            "number the features without large gaps: they are stored as a dense matrix",
            column=column,
        )
    return int(key)


def _read_value(column: int, index: int, word: str, missing: str) -> np.float32:
    name = f"the value of feature {index}"
    if word.lower() in _MISSING:
        if missing != "error":
            return np.float32(0.0 if missing == "zero" else math.nan)
        raise DataError(
            f"{name} is missing ({quote(word)})",
            'choose missing="zero" or missing="query_min", or fill it in',
            column=column,
        )
    if not word:
        raise DataError(f"{name} is missing", "write a number after the colon", column=column)
    if not _NUMBER.fullmatch(word):
        if word.lower().lstrip("+-") in ("inf", "infinity", "nan"):
            raise DataError(f"{name} is {quote(word)}", "replace it by a finite number", column=column)
        raise DataError(f"{name}, {quote(word)}, is not a number", "replace it by a number", column=column)
    with np.errstate(over="ignore"):
        value = np.float32(float(word))
    if not math.isfinite(value):
        raise DataError(
            f"{name}, {quote(word)}, is too large",
            "replace it by a finite number within ±3.4e38",
            column=column,
        )
    return value
