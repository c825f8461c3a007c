"""A few training queries of the data set in use, cut to what Step through can draw."""

from __future__ import annotations

import numpy as np

from ltr_core import RankingData

from ..runs.services import services
from ..style.words import count
from ..tables.steps import Few

QUERIES, PAGES, FEATURES = 6, 8, 3
_FRESH = 200  # validation queries: each round is judged on them


def few_of(train: RankingData, valid: RankingData) -> Few | None:
    """Return the first training queries with pages of two grades, or None where no feature tells pages apart.

    Of each the pages from the best grade to the worst, evenly; of the features those that go best with the
    grades of these pages. Their values are stretched to 0 … 1, which moves no page past another.
    """
    return services().memo.make(("few", train.fingerprint, valid.fingerprint), lambda: _cut(train, valid))


def in_words(few: Few) -> str:
    """Say what has been cut, and what has been made of the values."""
    data = few.data
    whole = "" if np.array_equal(data.y, np.round(data.y)) else " Grades are not whole: badges round them."
    queries = count(data.n_queries, "training query", "training queries")
    return (
        f"cut to what can be drawn: {queries}, of each up to {PAGES} pages from the best grade to the worst, "
        f"and the {data.n_features} of {count(few.of, 'feature')} that go best with these grades, "
        f"stretched to 0 … 1.{whole}"
    )


def _cut(train: RankingData, valid: RankingData) -> Few | None:
    begins = train.offsets[:-1]
    tells = np.maximum.reduceat(train.y, begins) > np.minimum.reduceat(train.y, begins)
    queries = np.flatnonzero(tells)[:QUERIES]
    if not len(queries):
        return None
    each = [_spread(train, query) for query in queries]
    rows = np.concatenate(each)
    values = train.X[rows].astype(np.float64)
    best = _closest(values, train.y[rows])
    if not len(best):
        return None
    low, high = values[:, best].min(axis=0), values[:, best].max(axis=0)

    def part(data: RankingData, at: np.ndarray | slice, names: list[str] | None) -> RankingData:
        stretched = (data.X[at][:, best].astype(np.float64) - low) / (high - low)
        features = [str(data.feature_names[k]) for k in best]
        return RankingData(stretched, data.y[at], data.qid[at], feature_names=features, doc_ids=names)

    known, places = train.doc_ids, rows - np.repeat(begins[queries], [len(own) for own in each])
    names = [f"page {place + 1}" for place in places] if known is None else [str(known[row]) for row in rows]
    end = int(valid.offsets[min(_FRESH, valid.n_queries)])
    return Few(part(train, rows, names), part(valid, slice(0, end), None), train.n_features)


def _spread(data: RankingData, query: int) -> np.ndarray:
    """Return some rows of a query, evenly from its best grade to its worst."""
    first, end = int(data.offsets[query]), int(data.offsets[query + 1])
    order = first + np.argsort(-data.y[first:end], kind="stable")
    places = np.linspace(0, end - first - 1, min(PAGES, end - first)).round().astype(int)
    return np.sort(order[places])


def _closest(values: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """Return the features of the largest |correlation| with the grades, in order, none constant."""
    off, off_grades = values - values.mean(axis=0), grades - grades.mean()
    spread = np.sqrt((off**2).sum(axis=0))
    varies = values.max(axis=0) > values.min(axis=0)
    close = np.divide(np.abs(off_grades @ off), spread, out=np.full(len(spread), -1.0), where=varies)
    order = np.argsort(-close, kind="stable")[:FEATURES]
    return np.sort(order[varies[order]])
