"""`RankingData`: documents with features and grades, in queries. Flat arrays plus offsets, nothing padded."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import DataError
from .packed_ids import PackedIds

_ROWS_PER_CHECK = 65_536  # rows tested for NaN at a time: keeps the temporary below a few MB


class RankingData:
    """A set of queries with their documents.

    Rows of a query are brought together (stably, queries in order of first appearance); `order` gives
    the input row of each row. All arrays are read-only.

    Parameters
    ----------
    X : array of shape (n_docs, n_features), or a DataFrame
        Feature values, finite; stored as float32.
    y : array of shape (n_docs,)
        Grades, finite and not negative; stored as float64.
    qid : array of shape (n_docs,)
        The query of each document: numbers or texts.
    feature_names : sequence of str, optional
        Names of the features; from the DataFrame's columns, or ``f1 … fd``.
    doc_ids : sequence of str, optional
        A name for each document.
    name : str
        What to call the set.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        qid: Any,
        feature_names: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        name: str = "",
    ) -> None:
        if feature_names is None and hasattr(X, "columns"):
            feature_names = [str(column) for column in X.columns]
        X = as_features(X)
        y = _as_grades(y, len(X))
        qid = np.asarray(qid)
        if qid.shape != (len(X),):
            raise DataError(
                f"qid has shape {qid.shape} for {len(X)} documents", "give one query id for each document"
            )
        if qid.dtype.kind == "f" and not np.isfinite(qid).all():
            row = int(np.flatnonzero(~np.isfinite(qid))[0])
            raise DataError("the query id is missing", "give every document a query id", line=row + 1)
        order, offsets = group_rows(qid)
        if order is not None:
            X, y, qid = X[order], y[order], qid[order]
        doc_ids = None if doc_ids is None else np.asarray(doc_ids)
        if doc_ids is not None:
            if doc_ids.shape != (len(X),):
                raise DataError(
                    f"{doc_ids.size} doc ids for {len(X)} documents", "give one id for each document"
                )
            doc_ids = doc_ids if order is None else doc_ids[order]
        names = _as_names(feature_names, X.shape[1])
        self._set(X, y, qid, offsets, order, names, doc_ids, name)

    def _set(self, X, y, qid, offsets, order, feature_names, doc_ids, name) -> None:
        self.X, self.y, self.qid, self.offsets = map(_read_only, (X, y, qid, offsets))
        self._order = None if order is None else _read_only(order)
        self.feature_names = feature_names
        self._doc_ids = doc_ids
        self.name = name

    @classmethod
    def from_parts(cls, X, y, qid, offsets, order, feature_names, doc_ids, name="") -> RankingData:
        """Return a set of arrays that are checked and grouped already; `doc_ids` may be `PackedIds`."""
        data = object.__new__(cls)
        data._set(X, y, qid, offsets, order, feature_names, doc_ids, name)
        return data

    @property
    def n_docs(self) -> int:
        """Number of documents."""
        return len(self.y)

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return len(self.offsets) - 1

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.X.shape[1]

    @property
    def order(self) -> np.ndarray:
        """The input row of each row."""
        return np.arange(self.n_docs) if self._order is None else self._order

    @cached_property
    def doc_ids(self) -> np.ndarray | None:
        """The name of each document, or None."""
        ids = self._doc_ids.unpack() if isinstance(self._doc_ids, PackedIds) else self._doc_ids
        return None if ids is None else _read_only(ids)

    @property
    def has_doc_ids(self) -> bool:
        """Whether documents have names."""
        return self._doc_ids is not None

    @property
    def query_ids(self) -> np.ndarray:
        """The id of each query, in order."""
        return self.qid[self.offsets[:-1]]

    @cached_property
    def n_pairs(self) -> int:
        """Number of pairs of documents of one query with distinct grades, each counted once."""
        query = np.repeat(np.arange(self.n_queries), np.diff(self.offsets))
        rows = np.lexsort((self.y, query))
        starts = np.flatnonzero(np.r_[True, (np.diff(query[rows]) != 0) | (np.diff(self.y[rows]) != 0)])
        same = np.diff(np.r_[starts, self.n_docs])
        sizes = np.diff(self.offsets)
        return int((sizes * (sizes - 1) // 2).sum() - (same * (same - 1) // 2).sum())

    @cached_property
    def fingerprint(self) -> str:
        """A hash of features, grades, queries and feature names: equal data have equal fingerprints."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(repr((self.X.shape, self.feature_names)).encode())
        for array in (self.offsets, self.y, self.X):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def select(self, queries: Sequence[int] | np.ndarray, name: str | None = None) -> RankingData:
        """Return the data of some queries, given by their positions, in the order given."""
        queries = np.asarray(queries, dtype=np.int64)
        sizes = np.diff(self.offsets)[queries]
        offsets = np.r_[0, np.cumsum(sizes)]
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[queries] - offsets[:-1], sizes)
        part = object.__new__(RankingData)
        doc_ids = None if self.doc_ids is None else self.doc_ids[rows]
        name = self.name if name is None else name
        X, y, qid, order = self.X[rows], self.y[rows], self.qid[rows], self.order[rows]
        part._set(X, y, qid, offsets, order, self.feature_names, doc_ids, name)
        return part

    def with_features(self, X: Any, feature_names: Sequence[str] | None = None) -> RankingData:
        """Return the same documents with other features."""
        X = as_features(X)
        if len(X) != self.n_docs:
            raise DataError(
                f"{len(X)} rows of features for {self.n_docs} documents", "give one for each document"
            )
        names = _as_names(feature_names, X.shape[1])
        return RankingData.from_parts(
            X, self.y, self.qid, self.offsets, self._order, names, self._doc_ids, self.name
        )

    def __len__(self) -> int:
        return self.n_docs

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return (
            f"RankingData({name}{self.n_queries:,} queries, {self.n_docs:,} documents, "
            f"{self.n_features:,} features)"
        )


def as_features(X: Any) -> np.ndarray:
    """Return X as a C-ordered float32 matrix of finite numbers, or say which cell is not one."""
    if hasattr(X, "toarray"):
        X = X.toarray()
    if isinstance(X, np.ndarray) and X.dtype == np.float32 and X.flags.c_contiguous:
        values = X
    else:
        try:
            with np.errstate(over="ignore"):
                values = np.ascontiguousarray(X, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise DataError(f"the features are not numbers ({error})", "give a matrix of numbers") from None
    if values.ndim != 2:
        raise DataError(
            f"the features have {values.ndim} dimension(s)", "give a matrix, one row for each document"
        )
    if values.shape[1] == 0:
        raise DataError("there is no feature", "give at least one column of numbers")
    for start in range(0, len(values), _ROWS_PER_CHECK):
        fine = np.isfinite(values[start : start + _ROWS_PER_CHECK])
        if not fine.all():
            row, column = np.argwhere(~fine)[0]
            found = np.asarray(X)[start + row, column]
            raise DataError(
                f"feature {column + 1} of document {start + row + 1} is {found}",
                "replace it by a finite number within ±3.4e38",
            )
    return values


def _as_grades(y: Any, n_docs: int) -> np.ndarray:
    try:
        grades = np.ascontiguousarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"the grades are not numbers ({error})", "give one number for each document"
        ) from None
    if grades.shape != (n_docs,):
        raise DataError(
            f"the grades have shape {grades.shape} for {n_docs} documents", "give one grade for each document"
        )
    if n_docs == 0:
        raise DataError("there is no document", "give at least one document")
    wrong = ~np.isfinite(grades) | (grades < 0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise DataError(
            f"the grade of document {row + 1} is {grades[row]:g}", "give a finite grade that is not negative"
        )
    return grades + 0.0  # no negative zero: equal data have equal fingerprints


def _as_names(names: Sequence[str] | None, n_features: int) -> tuple[str, ...]:
    if names is None:
        return tuple(f"f{k + 1}" for k in range(n_features))
    names = tuple(str(name) for name in names)
    if len(names) != n_features:
        raise DataError(
            f"{len(names)} feature names for {n_features} features", "give one name for each feature"
        )
    if len(set(names)) != len(names):
        double = next(name for i, name in enumerate(names) if name in names[:i])
        raise DataError(f"two features are called “{double}”", "give every feature a name of its own")
    return names


def group_rows(qid: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the rows in grouped order (None when they are grouped already) and the offsets.

    Works on runs of equal ids: to sort the rows themselves takes five times as long on a repeated file.
    """
    starts = np.flatnonzero(np.r_[True, qid[1:] != qid[:-1]])
    lengths = np.diff(np.r_[starts, len(qid)])
    _, first, code = np.unique(qid[starts], return_index=True, return_inverse=True)
    if len(first) == len(starts):
        return None, np.r_[starts, len(qid)].astype(np.int64)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    query = rank[code]
    runs = np.argsort(query, kind="stable")
    ends = np.cumsum(lengths[runs])
    order = np.arange(len(qid)) + np.repeat(starts[runs] - (ends - lengths[runs]), lengths[runs])
    sizes = np.bincount(query, weights=lengths).astype(np.int64)
    return order, np.r_[0, np.cumsum(sizes)].astype(np.int64)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
