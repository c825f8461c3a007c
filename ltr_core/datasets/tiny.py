"""A set made to be looked at: 6 queries × 8 documents × 3 features with names that mean something.

Every page is of a kind (an official site, a guide, a portal everybody links to, spam that repeats the query
in its title, …) that has typical feature values; what a page is worth depends on what the query is after: a
site, an explanation, or news. So no single feature ranks every query, and every query has a surprise: a
classic that never uses the query's words, a popular page that is useless, a perfect title that is spam.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from .parts.base import DataSet, noise_param, rng_for

FEATURES = ("title match", "link popularity", "freshness")

# kind of page: its typical title match, link popularity and freshness
_KINDS = {
    "official": (0.85, 0.75, 0.55),
    "guide": (0.75, 0.55, 0.45),
    "classic": (0.10, 0.85, 0.05),
    "news": (0.55, 0.60, 0.95),
    "forum": (0.60, 0.25, 0.70),
    "blog": (0.45, 0.15, 0.80),
    "portal": (0.20, 0.95, 0.90),
    "spam": (0.98, 0.05, 0.98),
}

# what a query is after: the grade of each kind, in the order of _KINDS
_GRADES = {
    "site": (4, 2, 1, 1, 1, 0, 0, 0),
    "explanation": (2, 4, 3, 0, 1, 1, 0, 0),
    "news": (2, 0, 0, 4, 1, 2, 1, 0),
}

# query, what it is after, and its pages in the order of _KINDS
_QUERIES = (
    ("lighthouse museum", "site",
     ("lighthouse-museum.org", "coast-walks.org/lights", "pharos-1902.txt", "harbour-times/keeper",
      "sea-forum/lamps", "my-summer/day-3", "all-links.com", "museum-museum-cheap.biz")),
    ("train timetable", "site",
     ("national-rail.org", "rail-travel-howto", "bradshaw-1863.txt", "daily-post/new-timetable",
      "railfans/late-again", "commuter-diary", "all-links.com", "train-train-train.biz")),
    ("sourdough starter", "explanation",
     ("bakers-guild.org", "sourdough-step-by-step", "bread-and-yeast-1911.txt", "food-weekly/flour-prices",
      "bread-forum/sleepy-starter", "rye-and-me", "all-links.com", "starter-sourdough-buy.biz")),
    ("gradient boosting", "explanation",
     ("boosting-library.org", "boosting-explained", "greedy-function-1999.txt", "tech-today/startup",
      "stats-forum/overfitting", "my-first-model", "all-links.com", "boost-your-gradient.biz")),
    ("comet tonight", "news",
     ("observatory.org", "how-comets-work", "halley-1705.txt", "evening-star/comet-at-dusk",
      "sky-forum/clouds", "backyard-telescope", "all-links.com", "comet-tonight-tickets.biz")),
    ("city marathon", "news",
     ("city-marathon.org", "training-for-42k", "pheidippides.txt", "city-news/winner", "runners/blisters",
      "slow-runner", "all-links.com", "marathon-city-shoes.biz")),
)  # fmt: skip


def generate(seed: int, noise: float) -> RankingData:
    """Draw the set: the pages' values vary around their kind's."""
    centers = np.array(list(_KINDS.values()))
    draw = rng_for("tiny", seed)
    X = np.concatenate([centers + noise * draw.standard_normal(centers.shape) for _ in _QUERIES])
    order = np.concatenate([draw.permutation(len(centers)) + q * len(centers) for q in range(len(_QUERIES))])
    y = np.array([grade for _, after, _ in _QUERIES for grade in _GRADES[after]], dtype=np.float64)
    qid = np.array([query for query, _, pages in _QUERIES for _ in pages])
    pages = np.array([page for _, _, pages in _QUERIES for page in pages])
    X = np.round(np.clip(X, 0, 1), 2)  # two digits: a person is to read them
    return RankingData(X[order], y[order], qid[order], FEATURES, pages[order], name="tiny")


TINY = DataSet(
    name="tiny",
    label="Tiny",
    summary="6 queries × 8 pages × 3 readable features, small enough to follow every document.",
    description=(
        "Made to be looked at. Pages are of eight kinds with typical values; what a page is worth depends on "
        "whether its query is after a site, an explanation or news. In every query something surprises: a "
        "classic without the query's words, a portal that all link to, spam with a perfect title."
    ),
    params=(noise_param(0.06, "How far a page's values stray from those of its kind."),),
    generate=generate,
    top_grade=4.0,
)
