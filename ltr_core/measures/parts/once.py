"""From a user's grades, scores and query ids to a measure's value, in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...data.reading.checking import as_grades
from ...data.set.grouping import group_rows
from ...errors import DataError
from .base import Measure, as_scores


def once(measure: Measure, y: Any, scores: Any, qid: Any, per_query: bool = False) -> float | np.ndarray:
    """Return the value of the set, or one per query in order of first appearance."""
    qid = np.asarray(qid)
    if qid.ndim != 1:
        raise DataError(f"qid has {qid.ndim} dimensions", "give one query id for each document")
    y = as_grades(y, len(qid))
    scores = as_scores(scores, len(y))
    order, offsets = _group(qid)
    if order is not None:
        y, scores = y[order], scores[order]
    bound = measure.bind(y, offsets)
    return bound.per_query(scores) if per_query else bound.mean(scores)


def _group(qid: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the rows in grouped order (None when they are grouped already) and the offsets."""
    if qid.dtype.kind == "f" and np.isnan(qid).any():
        row = int(np.flatnonzero(np.isnan(qid))[0])
        raise DataError(f"the query id of document {row + 1} is missing", "give every document a query id")
    try:
        return group_rows(qid)
    except TypeError as error:
        raise DataError(
            f"the query ids cannot be compared ({error})", "give ids of one type, none missing"
        ) from None
