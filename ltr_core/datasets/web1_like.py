"""A set in the shape of paper 000's Web-1 (Internet Mathematics 2009): continuous grades.

Paper 000, §5: 97,290 documents of 9,124 queries (10.7 per query), 245 features that are binary or lie in
[0, 1], grades that are any number in [0, 4].
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from ..params import Param
from .parts.base import DataSet, docs_param, noise_param, queries_param, rng_for
from .parts.latent import ROWS_AT_A_TIME, as_share, as_tail, draw_sizes, draw_target, draw_views

_FACTORS, _QUERY_FACTORS = 16, 6


def generate(seed: int, n_queries: int, n_docs: int, n_features: int, noise: float) -> RankingData:
    """Draw the set."""
    draw = rng_for("web1-like", seed, "world")
    n_constant = n_features // 12
    views = draw_views(draw, n_features, _FACTORS, _QUERY_FACTORS, n_constant)
    target = draw_target(draw, _FACTORS)
    thresholds = (-0.5 + 2 * draw.random(n_features)).astype(np.float32)
    binary = np.arange(n_features) % 4 == 3  # a quarter of the features, among the constant ones too
    tailed = np.arange(n_features) % 4 == 2

    draw = rng_for("web1-like", seed, "documents")
    sizes = draw_sizes(draw, n_queries, n_docs, spread=0.8)
    query = np.repeat(np.arange(n_queries), sizes)
    of_query = draw.standard_normal((n_queries, _QUERY_FACTORS), dtype=np.float32)
    n = len(query)
    X, y = np.empty((n, n_features), dtype=np.float32), np.empty(n)
    for start in range(0, n, ROWS_AT_A_TIME):
        rows = slice(start, min(n, start + ROWS_AT_A_TIME))
        z = draw.standard_normal((rows.stop - start, _FACTORS), dtype=np.float32)
        raw = draw.standard_normal((len(z), n_features), dtype=np.float32)
        raw = views.look(z, of_query[query[rows]], raw)
        X[rows, :] = raw > thresholds
        for kind, mapped in ((~binary & ~tailed, as_share), (tailed, as_tail)):
            values = np.ascontiguousarray(raw[:, kind])
            out = np.empty_like(values)
            mapped(values, out)
            X[rows, kind] = out
        relevance = target.values(z) + 0.4 * of_query[query[rows], 0]
        relevance += noise * draw.standard_normal(len(z))
        y[rows] = _grade(relevance, noise)
    return RankingData(X, y, query + 1, name="web1-like")


def _grade(relevance: np.ndarray, noise: float) -> np.ndarray:
    """Return grades in [0, 4] with three digits: four in ten are 0, few come near 4."""
    scaled = relevance / np.sqrt(1.16 + noise * noise) + 0.25  # the first factor has deviation 1
    grade = np.clip(0.6 * scaled + 0.45 * scaled * scaled, 0, 4)
    return np.where(scaled > 0, np.round(grade, 3), 0.0)


WEB1_LIKE = DataSet(
    name="web1-like",
    label="Web-1-like",
    summary="Continuous grades from 0 to 4; 245 features that are binary or lie between 0 and 1.",
    description=(
        "In the shape of MPBoost's Web-1 (Internet Mathematics 2009): continuous grades in [0, 4], 245 "
        "features, binary or in [0, 1], some 11 documents per query, many of them irrelevant. The paper has "
        "9,124 queries; the default here is 1,000, which trains in seconds. Features are views of hidden "
        "factors, not measurements of pages."
    ),
    params=(
        queries_param(1_000),
        docs_param(11),
        Param("n_features", "int", 245, 4, 5_000, 5, log=True, help="Number of features."),
        noise_param(0.7, "Standard deviation of the judges' error; the relevance itself varies by 1."),
    ),
    generate=generate,
    top_grade=4.0,
    paper="MPBoost (CIKM 2009), §5",
)
