"""A set in the shape of MQ2008-list (LETOR 4.0), on which paper 001 reports: long lists in one full order.

Paper 001, §3.1: every document of a query has a relevance degree of its own; 46 features; LETOR has about
1,000 documents per query and scales each feature to [0, 1] within its query. The degree of the best of n
documents is n, of the last 1.

Paper 001 lives on a "hidden order" in single features: the class centers, the mean values at each level of
relevance, need not rise or fall all the way (its Fig. 1). So here a third of the features stand at four
levels that follow relevance out of turn (third, highest, lowest, second), a third rise or fall
with relevance, and a third say nothing. All are noisy. The first kind is what a linear model cannot use.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from .parts.base import DataSet, docs_param, noise_param, queries_param, rng_for

FIELDS = ("body", "anchor", "title", "URL", "whole page")
_BY_FIELD = ("tf", "idf", "tf·idf", "length", "BM25", "LMIR.ABS", "LMIR.DIR", "LMIR.JM")
_OF_PAGE = ("PageRank", "inlinks", "outlinks", "slashes in URL", "length of URL", "child pages")
NAMES = tuple(f"{statistic}, {field}" for statistic in _BY_FIELD for field in FIELDS) + _OF_PAGE
_LEVELS = np.array([2.0, 3.0, 0.0, 1.0])  # of a feature with hidden order, by quarter of relevance
_QUARTERS = np.array([-0.754, 0.0, 0.754])  # of a normal variable with deviation √1.25
PER_QUERY = frozenset(k for k, name in enumerate(NAMES) if name.startswith("idf"))


def generate(seed: int, n_queries: int, n_docs: int, noise: float) -> RankingData:
    """Draw the set."""
    draw = rng_for("mq2008-list-like", seed, "world")
    shapes = _draw_shapes(draw)
    draw = rng_for("mq2008-list-like", seed, "documents")
    n = n_queries * n_docs
    X, y = np.empty((n, len(NAMES)), dtype=np.float32), np.empty(n)
    for q in range(n_queries):
        rows = slice(q * n_docs, (q + 1) * n_docs)
        relevance = draw.standard_normal(n_docs)
        judged = relevance + noise * draw.standard_normal(n_docs)
        y[rows][np.argsort(judged, kind="stable")] = np.arange(1, n_docs + 1)
        slant = 0.3 * draw.standard_normal(len(NAMES))  # the same feature says more in one query than another
        for k, (rise, step, own) in enumerate(shapes):
            if k in PER_QUERY:
                X[rows, k] = 0.0  # constant, and scaled within the query: LETOR writes 0
                continue
            raw = (rise + slant[k] * abs(rise)) * relevance + own * draw.standard_normal(n_docs)
            if step:
                blurred = relevance + 0.5 * draw.standard_normal(n_docs)
                raw += step * _LEVELS[np.searchsorted(_QUARTERS, blurred)]
            X[rows, k] = _scaled(raw)
    qid = np.repeat(np.arange(1, n_queries + 1), n_docs)
    return RankingData(X, y, qid, NAMES, name="mq2008-list-like")


def _draw_shapes(draw: np.random.Generator) -> np.ndarray:
    """Return for each feature how it rises with relevance, the size of its levels' steps, and its noise."""
    d = len(NAMES)
    kind, sign = draw.permutation(np.arange(d) % 3), draw.choice([-1.0, 1.0], d)
    rise = np.where(kind == 1, 0.15 + 0.15 * draw.random(d), 0.0) * sign
    step = np.where(kind == 0, 1.0, 0.0) * sign
    return np.stack([rise, step, np.where(kind == 0, 0.2, 1.0)], axis=1)


def _scaled(raw: np.ndarray) -> np.ndarray:
    """Scale a query's values to [0, 1], six digits, as LETOR does; a single document gets 0."""
    low, high = raw.min(), raw.max()
    return np.round((raw - low) / (high - low), 6) if high > low else np.zeros_like(raw)


MQ2008_LIST_LIKE = DataSet(
    name="mq2008-list-like",
    label="MQ2008-list-like",
    summary="Lists of about 1,000 documents in one full order, 46 features scaled within their query.",
    description=(
        "In the shape of MQ2008-list (LETOR 4.0), FeatureRank's set: every document of a query has a "
        "relevance degree of its own, about 1,000 documents per query, 46 features in [0, 1], five of them "
        "constant within a query. The original has 784 queries; the default here is 40. A third of the "
        "features have the hidden order that the paper is about: levels that follow relevance out of turn. "
        "The features carry LETOR's names but are drawn, not measured."
    ),
    params=(
        queries_param(40),
        docs_param(1_000),
        noise_param(0.5, "Standard deviation of the error in the order; the relevance itself varies by 1."),
    ),
    generate=generate,
    paper="FeatureRank, §3.1",
)
