"""Tables: which column is what, and columns become `RankingData`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...errors import DataError
from ..set.checking import refuse_tiny
from ..set.framing import ROLES
from ..set.grouping import _fill_query_minimum, group_rows
from ..set.packed_ids import PackedIds
from ..set.ranking_data import RankingData
from .letor_block import too_large
from .options import MAX_FEATURES, Options

MISSING_WORDS = ("", "null", "nan", "na", "n/a")


@dataclass
class Columns:
    """The positions of the columns."""

    names: tuple[str, ...]
    grade: int
    qid: int
    doc_id: int | None
    features: list[int] = field(default_factory=list)


def find_columns(header: Sequence[str], file: str, options: Options, line: int | None = None) -> Columns:
    """Say which column is what, or what the header lacks."""
    wrong = partial(DataError, file=file, line=line)
    names = tuple(name.strip() for name in header)
    used = [i for i, name in enumerate(names) if name not in options.ignore and not _is_index(name)]
    unknown = [name for name in options.ignore if name not in names]
    if unknown:
        raise wrong(f"there is no column “{unknown[0]}” to ignore", f"choose from {_list(names)}")
    for i in used:
        if not names[i]:
            todo = "name it, or save the table without its row numbers"
            raise wrong(f"column {i + 1} has no name", todo, column=i + 1 if line is None else None)
        if names.index(names[i]) != i:
            raise wrong("two columns have this name", "rename one", column=names[i])
    places = {role: _find_role(role, names, used, wrong) for role in ROLES}
    features = [i for i in used if i not in places.values()]
    if not features:
        raise wrong("there is no feature column", "add one column for each feature")
    if options.n_features is not None and len(features) != options.n_features:
        what = f"there are {len(features)} feature columns, {options.n_features} were announced"
        raise wrong(what, "announce what the file holds")
    if len(features) > MAX_FEATURES:
        raise wrong(f"there are more than {MAX_FEATURES:,} feature columns", "load fewer features")
    return Columns(names, places["grade"], places["query id"], places["doc id"], features)  # type: ignore


def _find_role(
    role: str, names: Sequence[str], used: Sequence[int], wrong: Callable[..., DataError]
) -> int | None:
    """Return the one column of a role; only the doc id may be missing."""
    candidates = ROLES[role]
    places = [i for i in used if names[i].lower() in candidates]
    if len(places) > 1:
        both = " and ".join(f"“{names[i]}”" for i in places)
        what = f"{both} could both be the {role}"
        raise wrong(what, "leave one out with ignore=…", column=names[places[1]])
    if not places and role != "doc id":
        what = f"there is no column with the {role}; the columns are {_list(names)}"
        raise wrong(what, f"call it {candidates[0]}, {candidates[1]} or {candidates[2]}")
    return places[0] if places else None


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
    options: Options,
    file: str | None = None,
) -> RankingData:
    """Return the data of checked columns; NaN in X is a missing value that may be filled."""
    refuse_tiny(y, file)
    order, offsets = group_rows(qid)
    if order is not None:
        X, y, qid = X[order], y[order], qid[order]
        ids = None if ids is None else ids.take(order)
    if options.missing == "query_min":
        _fill_query_minimum(offsets, X)
    elif options.missing == "zero":
        X[np.isnan(X)] = 0.0
    names = tuple(columns.names[i] for i in columns.features)
    return RankingData.from_parts(X, y + 0.0, qid, offsets, order, names, ids, name)


def check_shape(n_docs: int, columns: Columns, options: Options, file: str) -> None:
    """Refuse a table without rows, or one too large."""
    if n_docs == 0:
        raise DataError("the table has no row", "add one row for each document", file=file, line=1)
    if n_docs * len(columns.features) > options.most_cells:
        raise too_large(n_docs, f"{len(columns.features):,} features", options.most_cells, file=file)
