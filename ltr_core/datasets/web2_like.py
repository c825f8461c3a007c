"""A set in the shape of paper 000's Web-2: many features, many documents per query, grades 0 … 4.

Paper 000, §5: 50,000 documents of 467 queries (107 per query), 1,779 features, grades 0, 1, 2, 3, 4.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from ..params import Param
from .parts.base import DataSet, cut_points, docs_param, noise_param, queries_param, rng_for
from .parts.latent import ROWS_AT_A_TIME, as_share, as_tail, draw_target, draw_views

SHARES = np.array([0.50, 0.24, 0.16, 0.07, 0.03])
_FACTORS, _QUERY_FACTORS = 40, 12


def generate(seed: int, n_queries: int, n_docs: int, n_features: int, noise: float) -> RankingData:
    """Draw the set, some rows at a time: beyond the result only a few MB are needed."""
    draw = rng_for("web2-like", seed, "world")
    views = draw_views(draw, n_features, _FACTORS, _QUERY_FACTORS, n_features // 20)
    target = draw_target(draw, _FACTORS)
    n_tailed = n_features // 3  # the first third has long tails

    draw = rng_for("web2-like", seed, "documents")
    of_query = draw.standard_normal((n_queries, _QUERY_FACTORS), dtype=np.float32)
    query = np.repeat(np.arange(n_queries), n_docs)
    n = len(query)
    X, relevance = np.empty((n, n_features), dtype=np.float32), np.empty(n)
    for start in range(0, n, ROWS_AT_A_TIME):
        rows = slice(start, min(n, start + ROWS_AT_A_TIME))
        z = draw.standard_normal((rows.stop - start, _FACTORS), dtype=np.float32)
        raw = draw.standard_normal((len(z), n_features), dtype=np.float32)
        raw = views.look(z, of_query[query[rows]], raw)
        as_tail(raw[:, :n_tailed], X[rows, :n_tailed])
        as_share(raw[:, n_tailed:], X[rows, n_tailed:])
        relevance[rows] = target.values(z) + noise * draw.standard_normal(len(z))
    relevance += 0.5 * of_query[query, 0]
    y = np.searchsorted(cut_points(relevance, SHARES), relevance).astype(np.float64)
    return RankingData(X, y, query + 1, name="web2-like")


WEB2_LIKE = DataSet(
    name="web2-like",
    label="Web-2-like",
    summary="467 queries × 107 documents × 1,779 features, grades from 0 to 4.",
    description=(
        "In the shape of MPBoost's Web-2, from an English search engine: as many queries, documents and "
        "features (356 MB in memory), five grades of which the high ones are rare. The features are views of "
        "hidden factors: some with long tails, one in twenty constant within a query. How the original's "
        "features and grades are distributed the paper does not say."
    ),
    params=(
        queries_param(467),
        docs_param(107),
        Param("n_features", "int", 1_779, 4, 5_000, 5, log=True, help="Number of features."),
        noise_param(0.7, "Standard deviation of the judges' error; the relevance itself varies by 1."),
    ),
    generate=generate,
    top_grade=4.0,
    paper="MPBoost (CIKM 2009), §5",
)
