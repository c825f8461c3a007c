"""What a user gives as features, grades and names becomes arrays, or a sentence on what is wrong."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ...errors import DataError, ParameterError
from .memory import free_bytes

_LEAST_GRADE = 1e-300  # below, differences of grades lose their digits
MISSING = ("error", "zero", "query_min")  # what a missing value may become
_MOST_GRADE = 31  # gains are powers of two: no set of data has higher grades
_LEAST_ROWS = 20  # fewer look like anything
_GIGABYTE = 1 << 30
_ROWS_PER_CHECK = 65_536  # rows tested for NaN at a time: keeps the temporary below a few MB


def check_missing(missing: str) -> None:
    """Refuse what no missing value can become."""
    if missing not in MISSING:
        takes = ", ".join(map(repr, MISSING))
        raise ParameterError(f"missing = {missing!r} cannot be used. Take one of {takes}.")


def column_names(X: Any) -> list[str] | None:
    """Return the names of a table's columns; None for what has none."""
    names = getattr(X, "column_names", getattr(X, "columns", None))  # the first is pyarrow's
    return None if names is None else [str(name) for name in names]


def as_features(X: Any, names: Sequence[str] | None = None, missing: str = "error") -> np.ndarray:
    """Return X as a C-ordered float32 matrix of finite numbers, or say which cell is not one.

    A NaN that may be `missing` becomes 0, or stays to be filled from its query; pandas' NA and what an array
    has masked are NaN.
    """
    names = column_names(X) if names is None else names
    if hasattr(X, "toarray"):
        X = _dense(X)
    if getattr(X, "dtype", None) is not None and np.asarray(X).dtype.kind == "c":
        raise DataError("the features are complex numbers (Complex data not supported)", "give real numbers")
    if type(X) is np.ndarray and X.dtype == np.float32 and X.flags.c_contiguous:
        values = X
    else:
        try:
            with np.errstate(over="ignore"):
                values = np.ascontiguousarray(_plain(X), dtype=np.float32)
        except (TypeError, ValueError) as error:
            _refuse_column(X)
            raise DataError(f"the features are not numbers ({error})", "give a matrix of numbers") from None
    if values.ndim != 2:
        what = f"the features have {values.ndim} dimension(s)"
        raise DataError(what, "give a matrix, one row for each document")
    if values.shape[1] == 0:
        raise DataError("there is no feature", "give at least one column of numbers")
    for start in range(0, len(values), _ROWS_PER_CHECK):
        fine = np.isfinite(values[start : start + _ROWS_PER_CHECK])
        if missing != "error" and not fine.all():
            fine |= np.isnan(values[start : start + _ROWS_PER_CHECK])
        if not fine.all():
            row, column = np.argwhere(~fine)[0]
            value = np.asarray(_plain(X))[start + row, column]
            name = f"“{names[column]}”" if names is not None else f"feature {column + 1}"
            value = "NaN" if value != value else value
            what = f"{name} of document {start + row + 1} is {value}"
            gap = ', or give RankingData(…, missing="zero")' if value == "NaN" else ""
            raise DataError(what, f"replace it by a finite number within ±3.4e38{gap}")
    if missing == "error" or not np.isnan(values).any():
        return values
    return np.nan_to_num(values, nan=0.0) if missing == "zero" else np.array(values)


def _plain(X: Any) -> Any:
    """Return features with NaN for what is marked as missing beside the numbers; times are no numbers."""
    kinds = X.dtypes if isinstance(X, pd.DataFrame) else [getattr(X, "dtype", None)]
    if any(getattr(kind, "kind", "") in ("m", "M") for kind in kinds):
        raise TypeError("these are times")
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float32), np.nan)
    if isinstance(X, pd.DataFrame) and any(pd.api.types.is_extension_array_dtype(t) for t in X.dtypes):
        return X.to_numpy(dtype=np.float32, na_value=np.nan)
    return X


def _refuse_column(X: Any) -> None:
    """Raise the sentence for the first column of a table that holds no numbers, if it has columns."""
    for place, name in enumerate(column_names(X) or ()):
        column = X.iloc[:, [place]] if hasattr(X, "iloc") else X[name]
        try:
            np.asarray(_plain(column), dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise DataError(
                f"the column “{name}” holds no numbers ({error})", "turn it into numbers, or leave it out"
            ) from None


def _dense(X: Any) -> np.ndarray:
    """Return a sparse matrix as a dense one, or say that it does not fit into the memory."""
    if np.dtype(X.dtype).kind != "c":
        X = X.astype(np.float32)  # before it is dense: half of what float64 takes
    needed, free = X.shape[0] * X.shape[1] * X.dtype.itemsize, free_bytes()
    if free is not None and needed > free:
        raise DataError(
            f"the sparse features take {needed / _GIGABYTE:,.1f} GB as the dense matrix that training works "
            f"on, and {free / _GIGABYTE:,.1f} GB are free",
            "give fewer documents or features",
        )
    return X.toarray()


def as_numbers(values: Any, n_docs: int, noun: str) -> np.ndarray:
    """Return values as float64, one for each document; `noun` is what one of them is called."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            numbers = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, np.exceptions.ComplexWarning) as error:
        what = f"the {noun}s are not numbers ({error})"
        raise DataError(what, "give one number for each document") from None
    if numbers.shape != (n_docs,):
        what = f"the {noun}s have shape {numbers.shape} for {n_docs} documents"
        raise DataError(what, f"give one {noun} for each document")
    return numbers


def as_grades(y: Any, n_docs: int) -> np.ndarray:
    """Return y as float64, finite and not negative, one for each document, or say which is not."""
    grades = as_numbers(y, n_docs, "grade")
    if n_docs == 0:
        raise DataError("there is no document", "give at least one document")
    wrong = ~np.isfinite(grades) | (grades < 0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        what = f"the grade of document {row + 1} is {grades[row]:g}"
        raise DataError(what, "give a finite grade that is not negative")
    refuse_tiny(grades)
    return grades + 0.0  # no negative zero: equal data have equal fingerprints


def refuse_tiny(grades: np.ndarray, file: str | None = None) -> None:
    """Refuse grades so small that dividing by them gives no number."""
    wrong = (grades < _LEAST_GRADE) & (grades > 0.0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        what = f"the grade of document {row + 1} is {grades[row]:g}"
        todo = f"give grades that are 0 or of at least {_LEAST_GRADE:g}"
        raise DataError(what, todo, file=file)


def as_query_ids(qid: Any, n_docs: int) -> np.ndarray:
    """Return the query ids as numbers or texts, one for each document, or say which is missing."""
    ids = np.asarray(qid)
    if ids.shape != (n_docs,):
        what = f"qid has shape {ids.shape} for {n_docs} documents"
        raise DataError(what, "give one query id for each document")
    missing = pd.isna(ids) | (np.isinf(ids) if ids.dtype.kind == "f" else False)
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise DataError(f"the query id of document {row + 1} is missing", "give every document a query id")
    if ids.dtype.kind == "O":
        with contextlib.suppress(ValueError):  # of nested lists; they stay objects, and are refused
            ids = np.array(ids.tolist())
    if ids.dtype.kind not in "iufUSbM" or ids.shape != (n_docs,):
        raise DataError("the query ids are neither numbers nor texts", "give texts, or numbers of 64 bits")
    return ids


def warn_if_swapped(y: np.ndarray, qid: np.ndarray, order: np.ndarray | None) -> None:
    """Warn where grades look like the ids of queries and ids like grades.

    Ids have one run of rows each, and there are many; grades are few, small and whole, in no order.
    """
    if order is None or qid.dtype.kind not in "iuf" or qid.min() < 0 or qid.max() > _MOST_GRADE:
        return
    runs, n_grades = y[np.r_[True, y[1:] != y[:-1]]], len(np.unique(qid))
    many = len(y) >= _LEAST_ROWS and n_grades < len(runs) <= len(y) // 2
    if not many or len(runs) != len(np.unique(runs)) or (y != np.floor(y)).any():
        return
    ids = f"y has {len(runs):,} values, each in one run of rows, such as {runs[0]:g}"
    grades = f"qid has {n_grades}, from {qid.min():g} to {qid.max():g}, in no order"
    told = f"Are y and qid swapped? {ids}; {grades}. Give RankingData(X, y, qid)."
    warnings.warn(told, UserWarning, stacklevel=3)


def as_names(names: Sequence[str] | None, n_features: int) -> tuple[str, ...]:
    """Return the names of the features, distinct; f1, f2, … without any."""
    if names is None:
        return tuple(f"f{k + 1}" for k in range(n_features))
    names = tuple(str(name) for name in names)
    if len(names) != n_features:
        what = f"{len(names)} feature names for {n_features} features"
        raise DataError(what, "give one name for each feature")
    if len(set(names)) != len(names):
        double = next(name for i, name in enumerate(names) if name in names[:i])
        raise DataError(f"two features are called “{double}”", "give every feature a name of its own")
    return names
