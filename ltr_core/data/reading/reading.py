"""`load`: a file, or an open buffer, becomes `RankingData`, or one sentence on what is wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError, ParameterError
from ..set.ranking_data import RankingData
from .letor import Parsed, parse_text
from .letor_join import assemble
from .letor_line import MAX_FEATURES, Rules
from .sources import DAMAGED, PARQUET, TEXT, Source, damaged, open_source, read_some
from .table import TableRules
from .table_parquet import read_parquet
from .table_text import read_table

MAX_CELLS = 1_000_000_000  # 4 GB of float32: the largest public sets fit, a slip in an index does not
MISSING = ("error", "zero", "query_min")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file: where, and the sentence to show."""

    line: int | None
    column: int | str | None
    sentence: str


def load(
    source: Any,
    *,
    missing: str = "error",
    name: str | None = None,
    n_features: int | None = None,
    first_index: int | None = None,
    query_file: Any = None,
    ignore: Sequence[str] = (),
    max_cells: int = MAX_CELLS,
) -> RankingData:
    """Load a set of queries from a file.

    LETOR / SVMlight text (``.txt .dat .svm .letor``): a line is ``grade qid:id index:value … # comment``;
    features left out are 0; an id written ``#docid = …`` is kept. Tables (``.csv .tsv .parquet``): a column
    called grade, label or relevance, one called qid, query_id or query, at most one called docid, doc_id or
    document; every other column is a feature and must hold numbers. All may be compressed (``.gz .bz2
    .zst``). What the suffix leaves open is found out from the content.

    Parameters
    ----------
    source : path, bytes, or a file opened in binary mode
        What to read. A file object is read from its start.
    missing : {"error", "zero", "query_min"}
        What a feature value of ``NULL`` or ``NaN``, or an empty cell, becomes: an error, 0, or the smallest
        value of the feature in the query (0 if the query has none), as in LETOR's own -min files.
    name : str, optional
        What to call the set; for bytes and file objects also the file name in messages, whose suffix tells
        the format. Without it the file's name, less the suffix.
    n_features : int, optional
        How many features there are: sparse text need not mention the last ones. An index beyond is an
        error, a table with another number of feature columns too.
    first_index : {0, 1}, optional
        Whether text numbers its features from 0 or 1. Without it: from 0 if an index 0 occurs in the file.
    query_file : path, bytes or file, optional
        The number of documents of each query, one a line, for text whose lines have no ``qid``. Without it
        a file of the same name plus ``.query`` (LightGBM's) or ``.group`` (XGBoost's) is looked for.
    ignore : sequence of str
        Columns of a table to leave out.
    max_cells : int
        The most documents × features that are read.

    Returns
    -------
    RankingData

    Raises
    ------
    DataError
        With file, line and column, when anything in the file cannot be used.
    """
    rules = _check_arguments(missing, n_features, first_index)
    table_rules = TableRules(
        missing, n_features, tuple([ignore] if isinstance(ignore, str) else ignore), max_cells
    )
    with open_source(source, name) as opened:
        title = opened.stem if name is None else name
        if opened.kind == PARQUET:
            return read_parquet(_read_all(opened), opened.file, title, table_rules)
        if opened.kind != TEXT:
            return read_table(_read_all(opened), opened.separator, opened.file, title, table_rules)
        counts = _Counts(opened, query_file)
        parsed = parse_text(opened, rules, max_cells, has_counts=counts.exist)
        if parsed.problems:
            raise parsed.problems[0]
        return assemble(parsed, title, n_features, first_index, counts.check(parsed))


def report(
    source: Any,
    *,
    missing: str = "error",
    name: str | None = None,
    n_features: int | None = None,
    first_index: int | None = None,
    query_file: Any = None,
    ignore: Sequence[str] = (),
    max_cells: int = MAX_CELLS,
    limit: int = 100,
) -> list[Problem]:
    """Return what is wrong with a file, line by line, up to `limit` problems; an empty list if nothing is.

    The other arguments are those of `load`. A line is reported for the first thing that is wrong in it.
    """
    options: dict[str, Any] = dict(missing=missing, n_features=n_features, first_index=first_index)
    errors: list[DataError] = []
    try:
        rules = _check_arguments(**options)
        with open_source(source, name) as opened:
            if opened.kind == TEXT:
                counts = _Counts(opened, query_file)
                parsed = parse_text(opened, rules, max_cells, limit, counts.exist)
                errors = parsed.problems
                if not errors:
                    assemble(parsed, "", n_features, first_index, counts.check(parsed))
            else:
                table_rules = TableRules(missing, n_features, tuple(ignore), max_cells, limit, errors)
                content = _read_all(opened)
                if opened.kind == PARQUET:
                    read_parquet(content, opened.file, "", table_rules)
                else:
                    read_table(content, opened.separator, opened.file, "", table_rules)
    except DataError as error:
        errors.append(error)
    return [Problem(error.line, error.column, str(error)) for error in errors[:limit]]


def _check_arguments(missing: str, n_features: int | None, first_index: int | None) -> Rules:
    if missing not in MISSING:
        raise ParameterError(
            f"missing = {missing!r} cannot be used. Take one of {', '.join(map(repr, MISSING))}."
        )
    if first_index not in (None, 0, 1):
        raise ParameterError(f"first_index = {first_index!r} cannot be used. Take 0 or 1, or leave it out.")
    if n_features is not None and not 1 <= n_features <= MAX_FEATURES:
        raise ParameterError(
            f"n_features = {n_features!r} cannot be used. Take a whole number from 1 to {MAX_FEATURES:,}."
        )
    limit = MAX_FEATURES if n_features is None else n_features - (first_index == 0)
    return Rules(missing=missing, limit=limit)


def _read_all(source: Source) -> bytes:
    parts = [source.head]
    n_bytes = len(source.head)
    try:
        while parts[-1]:
            parts.append(read_some(source.stream, 1 << 20))
            n_bytes += len(parts[-1])
    except DAMAGED as error:
        line = None if source.kind == PARQUET else 1 + sum(part.count(b"\n") for part in parts)
        raise damaged(source.file, line, error) from None
    return b"".join(parts)


class _Counts:
    """The number of documents of each query, from a file beside the data."""

    def __init__(self, source: Source, query_file: Any) -> None:
        self.query_file = query_file if query_file is not None else _find_query_file(source.path)

    def exist(self) -> bool:
        return self.query_file is not None

    def check(self, parsed: Parsed) -> np.ndarray | None:
        """Return the counts when the lines have no query ids; they must add up to the documents."""
        if parsed.rules.wants_qid:
            return None
        with open_source(self.query_file, None) as opened:
            file, content = opened.file, _read_all(opened)
        counts = []
        for number, line in enumerate(content.decode("utf-8", "replace").lstrip("\ufeff").splitlines(), 1):
            word = line.strip()
            if not word:
                continue
            if not (word.isascii() and word.isdigit() and 0 < int(word) < 2**40):
                raise DataError(
                    f"“{word[:30]}” is not a number of documents",
                    "write one whole number above 0 a line, one for each query",
                    file=file,
                    line=number,
                    column=len(line) - len(line.lstrip()) + 1,
                )
            counts.append(int(word))
        if sum(counts) != parsed.n_docs:
            raise DataError(
                f"the numbers add up to {sum(counts):,} documents, but {parsed.file} has {parsed.n_docs:,}",
                "give each query its number of documents, in the order of the file",
                file=file,
                line=len(counts),
            )
        return np.array(counts, dtype=np.int64)


def _find_query_file(path: Path | None) -> Path | None:
    if path is None:
        return None
    stems = {str(path), str(path.with_suffix("")) if path.suffix in (".gz", ".bz2", ".zst") else str(path)}
    places = (Path(stem + suffix) for stem in sorted(stems) for suffix in (".query", ".group"))
    return next((place for place in places if place.is_file()), None)
