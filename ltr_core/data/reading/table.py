"""Tables: which column is what, and columns become `RankingData`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...errors import DataError
from ..set.grouping import _fill_query_minimum, group_rows
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData
from .letor_block import too_large
from .letor_line import MAX_FEATURES

ROLES = {
    "grade": ("grade", "label", "relevance"),
    "query id": ("qid", "query_id", "query"),
    "doc id": ("docid", "doc_id", "document"),
}
MISSING_WORDS = ("", "null", "nan", "na", "n/a")


@dataclass
class TableRules:
    """How a table is read. With `found`, a list, up to `limit` problems are collected rather than raised."""

    missing: str = "error"
    n_features: int | None = None
    ignore: tuple[str, ...] = ()
    max_cells: int = 1 << 62
    limit: int = 1
    found: list[DataError] | None = None

    def refuse(self, error: DataError) -> None:
        """Raise a problem, or collect it; the last one wanted is raised too, to end the reading."""
        if self.found is None or len(self.found) + 1 >= self.limit:
            raise error
        self.found.append(error)


@dataclass
class Columns:
    """The positions of the columns."""

    names: tuple[str, ...]
    grade: int
    qid: int
    doc_id: int | None
    features: list[int] = field(default_factory=list)


def find_columns(header: Sequence[str], file: str, rules: TableRules, line: int | None = None) -> Columns:
    """Say which column is what, or what the header lacks."""
    names = tuple(name.strip() for name in header)
    used = [i for i, name in enumerate(names) if name not in rules.ignore and not _is_index(name)]
    unknown = [name for name in rules.ignore if name not in names]
    if unknown:
        raise DataError(
            f"there is no column “{unknown[0]}” to ignore",
            f"choose from {_list(names)}",
            file=file,
            line=line,
        )
    for i in used:
        if not names[i]:
            raise DataError(
                f"column {i + 1} has no name",
                "name it, or save the table without its row numbers",
                file=file,
                line=line,
                column=i + 1 if line is None else None,
            )
        if names.index(names[i]) != i:
            raise DataError("two columns have this name", "rename one", file=file, line=line, column=names[i])
    places: dict[str, int | None] = {}
    for role, candidates in ROLES.items():
        found = [i for i in used if names[i].lower() in candidates]
        if len(found) > 1:
            both = " and ".join(f"“{names[i]}”" for i in found)
            raise DataError(
                f"{both} could both be the {role}",
                "leave one out with ignore=…",
                file=file,
                line=line,
                column=names[found[1]],
            )
        if not found and role != "doc id":
            raise DataError(
                f"there is no column with the {role}; the columns are {_list(names)}",
                f"call it {candidates[0]}, {candidates[1]} or {candidates[2]}",
                file=file,
                line=line,
            )
        places[role] = found[0] if found else None
    features = [i for i in used if i not in places.values()]
    if not features:
        raise DataError("there is no feature column", "add one column for each feature", file=file, line=line)
    if rules.n_features is not None and len(features) != rules.n_features:
        raise DataError(
            f"there are {len(features)} feature columns, {rules.n_features} were announced",
            "announce what the file holds",
            file=file,
            line=line,
        )
    if len(features) > MAX_FEATURES:
        raise DataError(
            f"there are more than {MAX_FEATURES:,} feature columns",
            "load fewer features",
            file=file,
            line=line,
        )
    return Columns(names, places["grade"], places["query id"], places["doc id"], features)  # type: ignore


def _is_index(name: str) -> bool:
    """Whether a column is what pandas adds to Parquet files for its row numbers."""
    return name.startswith("__index_level_") and name.endswith("__")


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name[:30]}”" for name in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def build(
    columns: Columns,
    X: np.ndarray,
    y: np.ndarray,
    qid: np.ndarray,
    ids: PackedIds | None,
    name: str,
    rules: TableRules,
) -> RankingData:
    """Return the data of checked columns; NaN in X is a missing value that may be filled."""
    order, offsets = group_rows(qid)
    if order is not None:
        X, y, qid = X[order], y[order], qid[order]
        ids = None if ids is None else ids.take(order)
    if rules.missing == "query_min":
        _fill_query_minimum(offsets, X)
    elif rules.missing == "zero":
        X[np.isnan(X)] = 0.0
    names = tuple(columns.names[i] for i in columns.features)
    return RankingData.from_parts(X, y + 0.0, qid, offsets, order, names, ids, name)


def check_shape(n_docs: int, columns: Columns, rules: TableRules, file: str) -> None:
    """Refuse a table without rows, or one too large."""
    if n_docs == 0:
        raise DataError("the table has no row", "add one row for each document", file=file, line=1)
    if n_docs * len(columns.features) > rules.max_cells:
        raise too_large(n_docs, f"{len(columns.features):,} features", rules.max_cells, file=file)
