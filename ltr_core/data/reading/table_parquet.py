"""Parquet: typed columns, read by pyarrow."""

from __future__ import annotations

import numpy as np

from ...errors import DataError
from ..set.ranking_data import RankingData
from .options import Options
from .sources import Source
from .table import Columns, build, check_shape, find_columns
from .table_text import as_query_ids, pack_texts


def read_parquet(source: Source, name: str, options: Options) -> RankingData:
    """Read a Parquet file."""
    import pyarrow as pa

    content = source.read_all(has_lines=False)
    try:
        return _read(content, source.file, name, options)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # damage may show in any column
        what = f"the Parquet file is damaged ({str(error).splitlines()[0][:200]})"
        raise DataError(what, "write or fetch it once more", file=source.file) from None


def _read(content: bytes, file: str, name: str, options: Options) -> RankingData:
    import pyarrow as pa
    import pyarrow.parquet

    opened = pyarrow.parquet.ParquetFile(pa.BufferReader(content))
    columns = find_columns(opened.schema_arrow.names, file, options)
    check_shape(opened.metadata.num_rows, columns, options, file)
    table = opened.read(use_pandas_metadata=False)
    y, place = _read_numbers(table, columns, columns.grade, file), columns.grade
    todo = "give a finite grade of 0 or more"
    _check(~np.isfinite(y), y, "the grade is {}", todo, columns, place, file)
    _check(y < 0, y, "the grade {} is negative", "give a grade of 0 or more", columns, place, file)
    X = np.empty((table.num_rows, len(columns.features)), dtype=np.float32)
    for k, place in enumerate(columns.features):
        try:
            X[:, k] = _read_feature(table, columns, place, options, file)
        except DataError as error:
            options.refuse(error)
    qid = _read_query_ids(table, columns, file)
    ids = None if columns.doc_id is None else _read_doc_ids(table, columns.doc_id, file)
    options.end()
    return build(columns, X, y, qid, ids, name, options)


def _read_numbers(table, columns: Columns, place: int, file: str) -> np.ndarray:
    import pyarrow as pa

    column, kind = table.column(place), table.column(place).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if not (is_number or pa.types.is_boolean(kind) or pa.types.is_null(kind)):
        what = f"the column holds values of type {kind}, not numbers"
        todo = "turn it into numbers, or leave it out with ignore=…"
        raise DataError(what, todo, file=file, column=columns.names[place])
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)


def _read_feature(table, columns: Columns, place: int, options: Options, file: str) -> np.ndarray:
    values = _read_numbers(table, columns, place, file)
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32)
    todo = "replace it by a finite number within ±3.4e38"
    _check(np.isinf(narrow), values, "the value is {}", todo, columns, place, file)
    if options.missing == "error":
        todo = 'choose missing="zero" or missing="query_min", or fill it in'
        _check(np.isnan(narrow), values, "the value is missing", todo, columns, place, file)
    return narrow


def _check(wrong: np.ndarray, values, what: str, todo: str, columns: Columns, place: int, file: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        value = "missing" if np.isnan(values[row]) else f"{values[row]:g}"
        raise DataError(f"row {row + 1}: {what.format(value)}", todo, file=file, column=columns.names[place])


def _read_query_ids(table, columns: Columns, file: str) -> np.ndarray:
    import pyarrow as pa

    column, kind = table.column(columns.qid), table.column(columns.qid).type
    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy())[0])
        what = f"row {row + 1}: the query id is missing"
        raise DataError(what, "fill it in", file=file, column=columns.names[columns.qid])
    if pa.types.is_integer(kind):
        return column.to_numpy()
    todo = "make the query ids whole numbers or texts"
    if pa.types.is_floating(kind):
        numbers = column.to_numpy()
        wrong = ~(np.abs(numbers) < 2**53) | (numbers != np.floor(numbers))
        _check(wrong, numbers, "the query id is {}", todo, columns, columns.qid, file)
        return numbers.astype(np.int64)
    try:
        found = as_query_ids(column.cast(pa.string()))
    except pa.ArrowException:
        found = None
    if found is None:
        what = f"the column holds values of type {kind} or empty texts, not query ids"
        raise DataError(what, todo, file=file, column=columns.names[columns.qid])
    return found


def _read_doc_ids(table, place: int, file: str):
    import pyarrow as pa

    try:
        return pack_texts(table.column(place))
    except pa.ArrowException:
        what, name = "the column does not hold ids", table.column_names[place]
        todo = "make the ids texts or numbers, or leave it out with ignore=…"
        raise DataError(what, todo, file=file, column=name) from None
