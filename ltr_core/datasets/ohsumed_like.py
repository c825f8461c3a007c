"""A set in the shape of OHSUMED (LETOR 3.0), on which paper 000 reports.

Paper 000, §5: 106 queries, 16,140 documents (152 per query), 45 features, grades 0, 1, 2, which LETOR has in
proportions of about 70, 16 and 14 %. LETOR's 45 features are 15 statistics of the query's words in three
fields. Here the words are replaced by a hidden match of title and abstract with the query.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from .parts.base import DataSet, cut_points, docs_param, noise_param, queries_param, rng_for
from .parts.latent import draw_sizes

SHARES = np.array([0.70, 0.16, 0.14])
FIELDS = ("title", "abstract", "title + abstract")
STATISTICS = (
    "term frequency", "log term frequency", "normalised frequency", "log normalised frequency",
    "idf", "log idf", "collection idf", "tf·idf", "log tf·idf", "BM25", "log BM25",
    "LMIR.ABS", "LMIR.DIR", "LMIR.JM", "length",
)  # fmt: skip
PER_QUERY = ("idf", "log idf", "collection idf")  # say nothing about a single document


def generate(seed: int, n_queries: int, n_docs: int, noise: float) -> RankingData:
    """Draw the set."""
    draw = rng_for("ohsumed-like", seed)
    sizes = draw_sizes(draw, n_queries, n_docs)
    query = np.repeat(np.arange(n_queries), sizes)
    n = len(query)
    topic, trust = draw.standard_normal((2, n))  # what the judge sees; the words show it only in part
    matches = [0.55 * topic + 0.85 * draw.standard_normal(n), 0.70 * topic + 0.70 * draw.standard_normal(n)]
    matches.append(0.4 * matches[0] + 0.6 * matches[1])
    lengths = [2 + 5 * draw.random(n), 20 + 60 * draw.random(n) * draw.random(n)]
    lengths.append(lengths[0] + lengths[1])
    rarity = 1 + 3 * draw.random((n_queries, 1)) + 0.5 * draw.random((n_queries, 3))  # idf in each field

    middling = 1.0 - np.abs(lengths[1] - 40) / 20  # a page that says nothing, or everything, is no answer
    both = np.minimum(matches[0], matches[1])
    relevance = topic + 0.5 * both + 0.35 * middling + 0.25 * trust
    relevance += 0.5 * draw.standard_normal(n_queries)[query] + noise * draw.standard_normal(n)
    y = np.searchsorted(cut_points(relevance, SHARES), relevance).astype(np.float64)

    columns = []
    for field in range(3):
        columns += _statistics(matches[field], lengths[field], rarity[query, field], draw)
    names = [f"{statistic}, {field}" for field in FIELDS for statistic in STATISTICS]
    X = np.round(np.stack(columns, axis=1), 4)
    return RankingData(X, y, query + 1, names, name="ohsumed-like")


def _statistics(match: np.ndarray, length: np.ndarray, rarity: np.ndarray, draw: np.random.Generator) -> list:
    """Return one field's 15 statistics, in the order of `STATISTICS`."""
    expected = 1.2 + 1.5 * match + 0.02 * length + 0.7 * draw.standard_normal(len(match))
    count = np.floor(np.maximum(0.0, expected))
    rate = count / length
    spread = draw.standard_normal((3, len(match)))
    bm25 = rarity * 2.2 * count / (1.2 * (0.25 + 0.75 * length / length.mean()) + count)
    smooth = [np.log(0.1 + rate * (1 + 0.2 * k)) * rarity + 0.5 * spread[k] for k in range(3)]
    counted = [count, np.log1p(count), rate, np.log1p(10 * rate)]
    weighted = [count * rarity, np.log1p(count * rarity), bm25, np.log1p(bm25)]
    return [*counted, rarity, np.log(rarity), 1 / rarity, *weighted, *smooth, length]


OHSUMED_LIKE = DataSet(
    name="ohsumed-like",
    label="OHSUMED-like",
    summary="106 queries with some 152 documents each, 45 text statistics, grades 0/1/2 at 70/16/14 %.",
    description=(
        "In the shape of OHSUMED as LETOR 3.0 has it: as many queries, features and grades, as many "
        "documents to within a percent, grades in the same proportions; 15 statistics of three fields, "
        "strongly correlated, nine of them constant within a query. Unlike the original there is no text: a "
        "hidden match of title and abstract with the query makes the statistics, and the judges see more "
        "than the statistics show, and err."
    ),
    params=(
        queries_param(106),
        docs_param(152),
        noise_param(2.4, "Standard deviation of the judges' error; relevance itself varies by about 1.5."),
    ),
    generate=generate,
    top_grade=2.0,
    paper="MPBoost (CIKM 2009), §5",
)
