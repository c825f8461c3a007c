"""Parquet: typed columns, read by pyarrow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ... import stopping
from ...errors import DataError, import_extra
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData
from .options import Options
from .parquet_footer import column_sizes
from .sources import Source
from .table import Columns, build, check_shape, find_columns
from .table_text import as_query_ids, pack_texts

_SPARE_BYTES, _ROW_BYTES = 64 << 20, 64  # a column may take so many, and so many more for each row


def read_parquet(source: Source, name: str, options: Options) -> RankingData:
    """Read a Parquet file."""
    pa = import_extra("pyarrow", "tables", "Reading Parquet")

    content = source.read_all(has_lines=False)
    try:
        return _read(content, source.file, name, options)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # damage may show in any column
        what = f"the Parquet file is damaged ({str(error).splitlines()[0][:200]})"
        raise DataError(what, "write or fetch it once more", file=source.file) from None


def _read(content: bytes, file: str, name: str, options: Options) -> RankingData:
    import pyarrow as pa
    import pyarrow.parquet

    names = _names_of(content, file)
    columns = find_columns(names, file, options)
    texts = [names[place] for place in (columns.qid, columns.doc_id) if place is not None]
    # A text that is repeated in every row is a few bytes: it stays what it is until it is asked for.
    opened = pyarrow.parquet.ParquetFile(pa.BufferReader(content), read_dictionary=texts)
    n_rows = opened.metadata.num_rows
    check_shape(n_rows, columns, options, file)
    _refuse_bombs(column_sizes(content), n_rows, columns, file)

    def read(place: int) -> pa.ChunkedArray:
        column = opened.read(columns=[names[place]], use_pandas_metadata=False).column(0)
        if len(column) != n_rows:
            raise pa.ArrowInvalid(f"{len(column)} values of {n_rows}")
        _check_indices(column)
        return column

    y, place = _read_numbers(read(columns.grade), columns, columns.grade, file), columns.grade
    todo = "give a finite grade of 0 or more"
    _check(~np.isfinite(y), y, "the grade is {}", todo, columns, place, file)
    _check(y < 0, y, "the grade {} is negative", "give a grade of 0 or more", columns, place, file)
    X = np.empty((n_rows, len(columns.features)), dtype=np.float32)
    for k, place in enumerate(columns.features):
        stopping.look()
        try:
            _check_kind(opened.schema_arrow.field(place).type, columns, place, file)
            X[:, k] = _read_feature(read(place), columns, place, options, file)
        except DataError as error:
            options.refuse(error)
    qid = _read_query_ids(read(columns.qid), columns, file)
    ids = None if columns.doc_id is None else _read_doc_ids(read(columns.doc_id), columns, file)
    options.end()
    return build(columns, X, y, qid, ids, name, options, file)


def _check_indices(column: Any) -> None:
    """Raise where a row of a damaged file names a text that its dictionary lacks: pyarrow does not look."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for chunk in column.chunks if pa.types.is_dictionary(column.type) else ():
        ends = pc.min_max(chunk.indices).as_py()
        if ends["max"] is not None and not 0 <= ends["min"] <= ends["max"] < len(chunk.dictionary):
            raise pa.ArrowInvalid("a value is not in the dictionary")


def _names_of(content: bytes, file: str) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet

    try:
        return pyarrow.parquet.ParquetFile(pa.BufferReader(content)).schema_arrow.names
    except UnicodeDecodeError:
        what, todo = "the name of a column is not UTF-8", "name it anew and write the file once more"
        raise DataError(what, todo, file=file) from None


def _refuse_bombs(sizes: Mapping[str, int], n_rows: int, columns: Columns, file: str) -> None:
    """Refuse a column that unpacks to far more than its rows can need, from what the file says of it."""
    places = [columns.grade, columns.qid, *columns.features]
    for place in places if columns.doc_id is None else [*places, columns.doc_id]:
        size = sizes.get(columns.names[place], 0)  # nested ones have other names: their type is refused
        if size > _SPARE_BYTES + _ROW_BYTES * n_rows:
            raise DataError(
                f"the column unpacks to {size >> 20:,} MB for {n_rows:,} rows",
                "leave it out with ignore=…, or write it anew with shorter values",
                file=file,
                column=columns.names[place],
            )


def _check_kind(kind: Any, columns: Columns, place: int, file: str) -> Any:
    """Return the type of a column's values, which are to be numbers."""
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if not (is_number or pa.types.is_boolean(kind) or pa.types.is_null(kind)):
        what = f"the column holds values of type {kind}, not numbers"
        todo = "turn it into numbers, or leave it out with ignore=…"
        raise DataError(what, todo, file=file, column=columns.names[place])
    return kind


def _read_numbers(column: Any, columns: Columns, place: int, file: str) -> np.ndarray:
    import pyarrow as pa

    kind = _check_kind(column.type, columns, place, file)
    if pa.types.is_dictionary(column.type):
        column = column.cast(kind)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)


def _read_feature(column: Any, columns: Columns, place: int, options: Options, file: str) -> np.ndarray:
    values = _read_numbers(column, columns, place, file)
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


def _read_query_ids(column: Any, columns: Columns, file: str) -> np.ndarray:
    import pyarrow as pa

    if column.null_count:
        row = int(np.flatnonzero(column.is_null().to_numpy())[0])
        what = f"row {row + 1}: the query id is missing"
        raise DataError(what, "fill it in", file=file, column=columns.names[columns.qid])
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _read_repeated_ids(column, columns, file)
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


def _read_repeated_ids(column: Any, columns: Columns, file: str) -> np.ndarray:
    """Return the query ids of a column that has each of them once: not all rows are looked at."""
    import pyarrow as pa

    whole = column.unify_dictionaries().combine_chunks()
    whole = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    used = np.unique(whole.indices.to_numpy())
    own = _read_query_ids(pa.chunked_array([whole.dictionary.take(pa.array(used))]), columns, file)
    return own[np.searchsorted(used, whole.indices.to_numpy())]


def _read_doc_ids(column: Any, columns: Columns, file: str) -> PackedIds:
    import pyarrow as pa
    import pyarrow.compute as pc

    place = columns.doc_id
    assert place is not None
    try:
        if pa.types.is_dictionary(column.type):
            n_bytes = 0
            for chunk in column.chunks:
                lengths = pc.binary_length(chunk.dictionary.cast(pa.large_string())).to_numpy(False)
                used = chunk.indices.drop_null().to_numpy()
                n_bytes += int(np.nan_to_num(lengths)[used].sum())
            if n_bytes > _SPARE_BYTES + _ROW_BYTES * len(column):
                what = f"the ids of all rows take {n_bytes >> 20:,} MB"
                raise DataError(what, "write shorter ids", file=file, column=columns.names[place])
        return pack_texts(column)
    except pa.ArrowException:
        what, todo = (
            "the column does not hold ids",
            "make the ids texts or numbers, or leave it out with ignore=…",
        )
        raise DataError(what, todo, file=file, column=columns.names[place]) from None
