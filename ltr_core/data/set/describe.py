"""What a set holds, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .ranking_data import RankingData

MOST_GRADES = 32  # more distinct grades than this are continuous


def describe(data: RankingData) -> dict[str, Any]:
    """Return what a set holds, as plain numbers and texts that can be written as JSON.

    Parameters
    ----------
    data : RankingData
        The set.

    Returns
    -------
    dict
        ``queries``, ``documents``, ``features``, ``pairs``; ``grades``, a list of (grade, documents), None
        when there are more than 32 distinct ones, with ``lowest_grade``, ``highest_grade`` and
        ``distinct_grades``; ``documents_per_query`` with min, median, max; ``queries_without_pairs``,
        ``constant_features`` (names), ``doc_ids`` (whether there are any), ``fingerprint``.
    """
    sizes = np.diff(data.offsets)
    grades, counts = np.unique(data.y, return_counts=True)
    starts = data.offsets[:-1]
    alike = np.minimum.reduceat(data.y, starts) == np.maximum.reduceat(data.y, starts)
    constant = np.flatnonzero(data.X.min(axis=0) == data.X.max(axis=0))
    pairs = [(float(grade), int(count)) for grade, count in zip(grades, counts, strict=True)]
    per_query = {"min": int(sizes.min()), "median": float(np.median(sizes)), "max": int(sizes.max())}
    return {
        "name": data.name,
        "queries": data.n_queries,
        "documents": data.n_docs,
        "features": data.n_features,
        "pairs": data.n_pairs,
        "grades": None if len(grades) > MOST_GRADES else pairs,
        "distinct_grades": len(grades),
        "lowest_grade": float(grades[0]),
        "highest_grade": float(grades[-1]),
        "documents_per_query": per_query,
        "queries_without_pairs": int(alike.sum()),
        "constant_features": [data.feature_names[k] for k in constant],
        "doc_ids": data.has_doc_ids,
        "fingerprint": data.fingerprint,
    }
