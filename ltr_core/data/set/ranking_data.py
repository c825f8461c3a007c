"""`RankingData`: documents with features and grades, in queries. Flat arrays plus offsets, nothing padded."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import DataError
from .checking import (
    as_features,
    as_grades,
    as_names,
    as_query_ids,
    check_missing,
    column_names,
    warn_if_swapped,
)
from .framing import as_frame, as_html, from_frame
from .grouping import _fill_query_minimum, group_rows
from .packed_ids import PackedIds

if TYPE_CHECKING:
    import pandas as pd

    from ..keeping.kept import Kept


class RankingData:
    """A set of queries with their documents.

    Rows of a query are brought together (stably, queries in order of first appearance): `X`, `y`, `qid` and
    `doc_ids` are in that order, and `order` gives the input row of each row. Scores are not: whatever has one
    value for each row, `model.predict(data)` and what `evaluate` and `compare` take, is in the order in which
    the rows were given; `grouped` and `given` lead from one to the other. The parts that `split`, `folds` and
    `select` make were given by nobody: theirs is the order of their own rows. All arrays are read-only.

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
    missing : {"error", "zero", "query_min"}
        What a NaN among the features becomes, as in `load`: an error, 0, or the smallest value of the feature
        in the query.

    Attributes
    ----------
    top_grade : float or None
        The highest grade of the scale, where that is known and not only the largest grade at hand: of
        generated sets, and of text that is recognised as LETOR's or MSLR's. It may be set.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        qid: Any,
        feature_names: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        name: str = "",
        missing: str = "error",
    ) -> None:
        check_missing(missing)
        feature_names = column_names(X) if feature_names is None else feature_names
        named = feature_names is not None
        X = as_features(X, feature_names, missing)
        y = as_grades(y, len(X))
        qid = as_query_ids(qid, len(X))
        order, offsets = group_rows(qid)
        warn_if_swapped(y, qid, order)
        if order is not None:
            X, y, qid = X[order], y[order], qid[order]
        if missing == "query_min":
            _fill_query_minimum(offsets, X)
        ids = None if doc_ids is None else np.asarray(doc_ids)
        if ids is not None:
            if ids.shape != (len(X),):
                raise DataError(f"{ids.size} doc ids for {len(X)} documents", "give one id for each document")
            ids = ids if order is None else ids[order]
        names = as_names(feature_names, X.shape[1])
        self._set(X, y, qid, offsets, order, names, ids, name)
        self.named = named

    def _set(self, X, y, qid, offsets, order, feature_names, doc_ids, name) -> None:
        self.X, self.y, self.qid, self.offsets = map(_read_only, (X, y, qid, offsets))
        self._order = None if order is None else _read_only(order)
        self.feature_names = feature_names
        self._doc_ids = doc_ids
        self.name = name
        self.named = True  # whether the features' names were given, not made up
        self.top_grade: float | None = None
        self._is_part = False
        self.kept: Kept | None = None  # where what was worked out of it is kept

    @classmethod
    def from_parts(
        cls,
        X: np.ndarray,
        y: np.ndarray,
        qid: np.ndarray,
        offsets: np.ndarray,
        order: np.ndarray | None,
        feature_names: tuple[str, ...],
        doc_ids: np.ndarray | PackedIds | None,
        name: str = "",
        named: bool = True,
    ) -> RankingData:
        """Return a set of arrays that are checked and grouped already, with doc ids packed or not."""
        data = object.__new__(cls)
        data._set(X, y, qid, offsets, order, feature_names, doc_ids, name)
        data.named = named
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

    def grouped(self, values: np.ndarray) -> np.ndarray:
        """Return values, one for each row as the rows were given, in the order of `X` and `y`."""
        return values if self._order is None or self._is_part else values[self._order]

    def given(self, values: np.ndarray) -> np.ndarray:
        """Return values, one for each row of `X` and `y`, in the order in which the rows were given."""
        if self._order is None or self._is_part:
            return values
        out = np.empty_like(values)
        out[self._order] = values
        return out

    def as_part(self) -> RankingData:
        """Return the same documents as a part, as `split` makes them: values by row are then as in `y`."""
        if self._order is None or self._is_part:
            return self
        part = copy.copy(self)
        part._is_part = True
        return part

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
        part._is_part, part.named, part.top_grade = True, self.named, self.top_grade
        return part

    def with_features(self, X: Any, feature_names: Sequence[str] | None = None) -> RankingData:
        """Return the same documents with other features, rows in the order of `X`."""
        X = as_features(X, feature_names)
        if len(X) != self.n_docs:
            what = f"{len(X)} rows of features for {self.n_docs} documents"
            raise DataError(what, "give one for each document")
        names = as_names(feature_names, X.shape[1])
        other = RankingData.from_parts(
            X, self.y, self.qid, self.offsets, self._order, names, self._doc_ids, self.name
        )
        other._is_part, other.named = self._is_part, feature_names is not None
        other.top_grade = self.top_grade
        return other

    def with_names(self, feature_names: Sequence[str]) -> RankingData:
        """Return the same documents with other names for their features."""
        names = as_names(feature_names, self.n_features)
        arrays = (self.X, self.y, self.qid, self.offsets, self._order)
        other = RankingData.from_parts(*arrays, names, self._doc_ids, self.name)
        other._is_part, other.kept, other.top_grade = self._is_part, self.kept, self.top_grade
        return other

    def to_frame(self) -> pd.DataFrame:
        """Return the set as a table: grade, qid, docid where documents have names, then the features.

        Rows are in the order in which they were given, those of a part in its own.
        """
        return as_frame(self)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        name: str = "",
        missing: str = "error",
        ignore: Sequence[str] = (),
    ) -> RankingData:
        """Return the set of a table, whose columns are found by name as `load` finds those of a file.

        Parameters
        ----------
        frame : DataFrame
            A column grade (or label, relevance), a column qid (or query_id, query), perhaps a column docid
            (or doc_id, docno, document); every other column is a feature.
        name : str
            What to call the set.
        missing : {"error", "zero", "query_min"}
            What a NaN among the features becomes.
        ignore : sequence of str
            Columns to leave out.
        """
        X, y, qid, doc_ids = from_frame(frame, ignore)
        return cls(X, y, qid, doc_ids=doc_ids, name=name, missing=missing)

    def _repr_html_(self) -> str:
        return as_html(self)

    def __len__(self) -> int:
        return self.n_docs

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return (
            f"RankingData({name}{self.n_queries:,} queries, {self.n_docs:,} documents, "
            f"{self.n_features:,} features)"
        )


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view
