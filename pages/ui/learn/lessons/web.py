"""What the lessons are about: queries of the tiny web, their pages by title, and fresh queries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ltr_core import RankingData
from ltr_core.datasets import DATASETS, tiny_web

from ...runs.services import services
from ...tables.steps import Few, Stage, setup_of, stage_of

QUERIES, PAGES = 6, 8  # of a lesson: few enough to follow
_ALL = 160  # queries; the others are those nobody learns from
_FIRST = 17  # the draw that lessons begin with: each shows there what it is about, which others need not
# as a lesson calls three of the set's features
FEATURES = {
    "words match": "BM25",
    "link popularity": "PageRank",
    "pages below match": "sitemap score, subtree",
}
FEATURES_TOLD = (
    "**words match**: how well the page's words fit the query (BM25). **link popularity**: how many pages "
    "link to it, popular ones counting more (PageRank). **pages below match**: how well it fits together "
    "with the pages below it on its site (sitemap score)."
)


def everything() -> RankingData:
    """Return the tiny web's queries, all pages judged, each page by its title."""

    def make() -> RankingData:
        data = DATASETS["tiny-web"].make(n_queries=_ALL)
        assert data.doc_ids is not None  # the set's pages have addresses
        pages = tiny_web.pages()
        titles = dict(zip(pages["doc_id"], pages["title"], strict=True))
        names = [titles[address] for address in data.doc_ids]
        return RankingData(data.X, data.y, data.qid, data.feature_names, names, name=data.name)

    return services().memo.make(("the lessons' web",), make)


def chance(draw: int) -> np.random.Generator:
    """Return what other numbers are drawn with."""
    return np.random.default_rng(_FIRST + draw)


def few(draw: int, n_queries: int = QUERIES, every_feature: bool = False) -> Few:
    """Return some queries to learn from, of each a few pages, and all others, which are fresh.

    A class has as many of these as students: what is fresh is called by its place, its pages by nothing.
    """

    def cut() -> Few:
        data = everything()
        mixed = chance(draw).permutation(data.n_queries)
        learnt, fresh = np.sort(mixed[:n_queries]), np.sort(mixed[n_queries:])
        rows = np.concatenate([_spread(data, query) for query in learnt])
        places = np.repeat(np.arange(data.n_queries), np.diff(data.offsets))
        others = np.flatnonzero(np.isin(places, fresh))
        X, names = _values(data, others, every_feature)
        unread = RankingData(X, data.y[others], places[others], names)
        return Few(_part(data, rows, every_feature), unread, data.n_features)

    return services().memo.make(
        ("a lesson's queries", draw, n_queries, every_feature), cut, lambda few: float(few.fresh.X.nbytes)
    )


def one(query: int) -> RankingData:
    """Return a few pages of one query."""
    data = everything()
    return _part(data, _spread(data, query), every_feature=False)


def stage(params: Mapping[str, Any], given: Few, n_rounds: int, measure: str, shown: int) -> Stage:
    """Return MPBoost's rounds on all queries of a lesson, with the lists of one of them."""
    return stage_of(setup_of("MPBoost", params, "all", shown, n_rounds, 0.0, 0, given), measure, given)


def halves(draw: int) -> tuple[RankingData, RankingData]:
    """Return half of all queries to learn from, and the other half; other draws are other halves."""
    data = everything()
    order = chance(draw).permutation(data.n_queries)
    first, second = (np.sort(half) for half in np.split(order, [data.n_queries // 2]))
    return data.select(first), data.select(second)


def _part(data: RankingData, rows: np.ndarray, every_feature: bool) -> RankingData:
    """Return some rows, each with its title."""
    assert data.doc_ids is not None
    X, names = _values(data, rows, every_feature)
    return RankingData(X, data.y[rows], data.qid[rows], names, data.doc_ids[rows])


def _values(data: RankingData, rows: np.ndarray, every_feature: bool) -> tuple[np.ndarray, list[str]]:
    """Return values and names of the lessons' features, or of all; two digits: a person is to read them."""
    known = [str(name) for name in data.feature_names]
    columns = list(range(len(known))) if every_feature else [known.index(name) for name in FEATURES.values()]
    names = known if every_feature else list(FEATURES)
    return np.round(data.X[rows][:, columns].astype(np.float64), 2), names


def _spread(data: RankingData, query: int) -> np.ndarray:
    """Return some rows of a query, from its best grade to its worst, no two pages of the same title."""
    assert data.doc_ids is not None
    first, end = int(data.offsets[query]), int(data.offsets[query + 1])
    order = first + np.argsort(-data.y[first:end], kind="stable")
    _, own = np.unique(data.doc_ids[order], return_index=True)
    order = order[np.sort(own)]
    return np.sort(order[np.linspace(0, len(order) - 1, PAGES).round().astype(int)])
