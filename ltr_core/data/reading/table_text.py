"""CSV and TSV: read at once by pyarrow; if anything is odd, cell by cell, to say where and what."""

from __future__ import annotations

import csv
import io
import math
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ... import stopping
from ...errors import DataError, import_extra
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData
from .letor_line import quote
from .options import Options
from .sources import Source
from .table import MISSING_WORDS, Columns, build, check_shape, find_columns

_SLOW_BYTES, _BLOCK_BYTES = 64 << 20, 4 << 20  # what is read cell by cell at most; what is tried at once
_BLANK = " \t"  # what may stand around a number
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SEPARATORS = {
    ";": ("semicolons", "save it with commas, and with points in the numbers"),
    "\t": ("tabs", "let its name end in .tsv"),
    ",": ("commas", "let its name end in .csv"),
}
Parts = tuple[np.ndarray, np.ndarray, np.ndarray, PackedIds | None]  # X, y, qid, doc ids
_NULLS = [form for word in MISSING_WORDS for form in {word, word.upper(), word.capitalize()}] + ["NaN"]


def read_table(separator: str, source: Source, name: str, options: Options) -> RankingData:
    """Read a CSV or TSV file."""
    import_extra("pyarrow", "tables", "Reading tables")
    content, file = source.read_all().removeprefix(b"\xef\xbb\xbf"), source.file
    rows = _Rows(content, separator, file)
    header, line = next(rows, ([], 1))
    if not header:
        raise DataError(
            "there are blank lines only", "load a file with its columns' names", file=file, line=1
        )
    _check_header(header, file, line)
    columns = find_columns(header, file, options, line)
    parts = _read_fast(content, separator, columns, options, file)
    if parts is None:
        _find_problem(content, separator, columns, options, file)
        parts = _read_slowly(rows, columns, options, file)
    check_shape(len(parts[1]), columns, options, file)
    return build(columns, *parts, name, options, file)


class _Rows(Iterator):
    """The rows that are not blank, each with the line it starts on."""

    def __init__(self, content: bytes, separator: str, file: str, before: int = 0) -> None:
        text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace", newline="")
        self.reader = csv.reader(text, delimiter=separator)
        self.file, self.before = file, before  # lines that stand before the content

    def __next__(self) -> tuple[list[str], int]:
        while True:
            line = self.before + self.reader.line_num + 1
            try:
                row = next(self.reader)
            except csv.Error as error:
                what = f"the line cannot be read ({error})"
                raise DataError(what, "check its quotation marks", file=self.file, line=line) from None
            if row:
                return row, line


def _check_header(header: list[str], file: str, line: int) -> None:
    wrong = partial(DataError, file=file, line=line, column=1)
    for other, (word, todo) in _SEPARATORS.items():
        if len(header) == 1 and other in header[0]:
            raise wrong(f"the columns are separated by {word}", todo)
    if header and re.match(r"\S+\s+qid:", header[0]):
        raise wrong("this looks like LETOR text", "let its name end in .txt")
    if header and all(_NUMBER.fullmatch(cell.strip()) for cell in header):
        what = "the first line holds numbers, not the names of the columns"
        raise wrong(what, "add a line like grade,qid,f1,f2 at the top")


def _read_fast(content: bytes, separator: str, columns: Columns, options: Options, file: str) -> Parts | None:
    """Return X, y, qid and doc ids if all is in order, else None."""
    import pyarrow as pa
    import pyarrow.csv

    names = [str(i) for i in range(len(columns.names))]
    types = {str(i): pa.float64() for i in [columns.grade, *columns.features]}
    types[str(columns.qid)] = pa.string()
    if columns.doc_id is not None:
        types[str(columns.doc_id)] = pa.string()
    try:
        table = pyarrow.csv.read_csv(
            pa.BufferReader(content),
            pyarrow.csv.ReadOptions(column_names=names, skip_rows_after_names=1),
            pyarrow.csv.ParseOptions(delimiter=separator, newlines_in_values=b'"' in content),
            pyarrow.csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=_NULLS, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    if not table.num_rows:
        return None
    check_shape(table.num_rows, columns, options, file)
    y = table[str(columns.grade)].to_numpy()
    if not (np.isfinite(y).all() and (y >= 0).all()):
        return None
    X = np.empty((table.num_rows, len(columns.features)), dtype=np.float32)
    for k, place in enumerate(columns.features):
        column = table[str(place)]
        values = column.to_numpy()
        with np.errstate(over="ignore"):
            X[:, k] = values
        n_missing = np.isnan(values).sum()
        refused = n_missing and options.missing == "error"
        if refused or n_missing != column.null_count or np.isinf(X[:, k]).any():
            return None
    qid = as_query_ids(table[str(columns.qid)])
    ids = None if columns.doc_id is None else pack_texts(table[str(columns.doc_id)])
    return None if qid is None else (X, y.astype(np.float64), qid, ids)


def as_query_ids(column: Any) -> np.ndarray | None:
    """Return whole numbers if all are, else texts; None if one is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = pc.utf8_trim_whitespace(column)
    if column.null_count or pc.any(pc.equal(column, "")).as_py():
        return None
    if pc.all(pc.match_substring_regex(column, r"^-?[0-9]{1,18}(\.0*)?$")).as_py():
        return pc.replace_substring_regex(column, r"\..*", "").cast(pa.int64()).to_numpy()
    return pack_texts(column).unpack()


def pack_texts(column: Any) -> PackedIds:
    """Return a column of texts without copying each of them; a missing one becomes an empty text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.fill_null(column.cast(pa.large_string()), "")
    texts = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    _, offsets, text = texts.buffers()
    places = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1].copy()
    raw = np.frombuffer(text, dtype=np.uint8) if text is not None else np.empty(0, dtype=np.uint8)
    return PackedIds(raw[places[0] : places[-1]].copy(), places - places[0])


def _find_problem(content: bytes, separator: str, columns: Columns, options: Options, file: str) -> None:
    """Look through a large table for lines that are not in order: raise for the first, or refuse it all.

    Cell by cell 900 MB take four minutes. Block by block what is in order is passed over at once.
    """
    if len(content) <= _SLOW_BYTES:
        return
    if b'"' not in content:  # else a line's end need not be a row's
        start = content.find(b"\n") + 1
        head, line, slow = content[:start], 1, 0
        while start and start < len(content) and slow <= _SLOW_BYTES:
            stopping.look()
            end = content.find(b"\n", start + _BLOCK_BYTES) + 1 or len(content)
            block = head + content[start:end]
            if _read_fast(block, separator, columns, options, file) is None:
                slow += len(block)
                rows = _Rows(block, separator, file, line - 1)
                next(rows, None)
                _look_slowly(rows, columns, options, file)
            line += content.count(b"\n", start, end)
            start = end
        options.end()
    what = f"the {len(content) >> 20:,} MB would have to be looked through cell by cell"
    todo = "write plain numbers without quotation marks, or save it as Parquet"
    raise DataError(what, todo, file=file)


def _read_slowly(rows: _Rows, columns: Columns, options: Options, file: str) -> Parts:
    """Read cell by cell: say what is wrong first, or return the same as `_read_fast`."""
    import pyarrow as pa

    grades, values, qids, ids = _look_slowly(rows, columns, options, file)
    options.end()
    X = np.array(values, dtype=np.float32).reshape(len(grades), len(columns.features))
    qid = as_query_ids(pa.array(qids, pa.string()))
    packed = None if columns.doc_id is None else pack_texts(pa.array(ids, pa.string()))
    return X, np.array(grades, dtype=np.float64), qid, packed  # type: ignore[return-value]  # none is missing


def _look_slowly(rows: _Rows, columns: Columns, options: Options, file: str) -> tuple[Sequence, ...]:
    """Return grades, values, query ids and doc ids; collect what is wrong."""
    grades, values, qids, ids = array("d"), array("f"), list[str](), list[str]()
    for row, line in rows:
        try:
            if len(row) != len(columns.names):
                what = f"the line has {len(row)} cells, the header has {len(columns.names)}"
                raise _Cell(None, what, "give each line as many cells as there are columns")
            grade = _read_grade(row[columns.grade].strip(_BLANK), columns.grade)
            if not row[columns.qid].strip():
                raise _Cell(columns.qid, "the query id is missing", "fill it in")
            words = [row[place].strip(_BLANK) for place in columns.features]
            cells = [_read_value(w, k, options.missing) for w, k in zip(words, columns.features, strict=True)]
        except _Cell as cell:
            name = None if cell.place is None else columns.names[cell.place]
            options.refuse(DataError(cell.what, cell.todo, file=file, line=line, column=name))
            continue
        grades.append(grade)
        values.extend(cells)
        qids.append(row[columns.qid])
        ids.append("" if columns.doc_id is None else row[columns.doc_id])
        if len(values) > options.most_cells:
            check_shape(len(grades), columns, options, file)
    return grades, values, qids, ids


class _Cell(Exception):
    """A cell that cannot be used, or (without a place) a whole line."""

    def __init__(self, place: int | None, what: str, todo: str) -> None:
        self.place, self.what, self.todo = place, what, todo


def _read_grade(word: str, place: int) -> float:
    todo = "give a finite grade of 0 or more"
    if word.lower() in MISSING_WORDS:
        raise _Cell(place, "the grade is missing", todo)
    if not _NUMBER.fullmatch(word):
        raise _Cell(place, f"the grade {quote(word)} is not a finite number", todo)
    grade = float(word)
    if not 0 <= grade < math.inf:
        raise _Cell(place, f"the grade {quote(word)} is {'negative' if grade < 0 else 'too large'}", todo)
    return grade


def _read_value(word: str, place: int, missing: str) -> float:
    if word.lower() in MISSING_WORDS:
        if missing == "error":
            todo = 'choose missing="zero" or missing="query_min", or fill it in'
            raise _Cell(place, f"the value is missing{f' ({quote(word)})' if word else ''}", todo)
        return math.nan
    if not _NUMBER.fullmatch(word):
        if word.lower().lstrip("+-") in ("inf", "infinity", "nan"):
            raise _Cell(place, f"the value is {quote(word)}", "replace it by a finite number")
        todo = "replace it by a number, or leave the column out with ignore=…"
        if re.fullmatch(r"[+-]?\d+,\d+", word):
            todo = "write numbers with a decimal point"
        raise _Cell(place, f"{quote(word)} is not a number", todo)
    with np.errstate(over="ignore"):
        value = np.float32(float(word))
    if math.isinf(value):
        raise _Cell(place, f"{quote(word)} is too large", "replace it by a finite number within ±3.4e38")
    return float(value)
