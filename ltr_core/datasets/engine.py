"""A search engine's log, judged in part: FRank's unlabelled pages and QBRank's three sets L1, L2, L3.

Paper 003, §4.4: judges grade some pages of a query; 20 of its unlabelled pages are added as grade 0 (32 pages
per query, 619 features). Some unlabelled pages are in truth highly relevant.
Paper 002, §4: features are of the query (constant within it), of the document, or of both. L1: 2,000 queries
whose documents share one grade, 10 documents each: a few ideal results, or all of them bad. L2: 1,300 queries
and L3: 1,400, 31 documents each, grades 0 … 4. Train on L2 or L1 ∪ L2, test on L3.

Decision: papers 002 and 004 (on FRank's data) grade judged pages 0 … 4, paper 003 says 1 … 5; here 0 … 4.
"""

from __future__ import annotations

import numpy as np

from ..data import RankingData
from ..params import Param
from .parts.base import DataSet, cut_points, noise_param, queries_param, rng_for
from .parts.latent import as_share, as_tail, draw_target, draw_views

SHARES = np.array([0.30, 0.27, 0.23, 0.13, 0.07])
PARTS = ("L1", "L2", "L3")
_PART_SHARES = {"L1": 2_000 / 4_700, "L2": 1_300 / 4_700, "L3": 1_400 / 4_700}
_FACTORS, _QUERY_FACTORS, _REFERENCE = 16, 8, 8_192


def generate(
    seed: int,
    part: str,
    n_queries: int,
    n_judged: int,
    n_unlabelled: int,
    n_features: int,
    noise: float,
    l1_noise: float,
) -> RankingData:
    """Draw the set; a part is the same whether it is asked for alone or with others."""
    world = _World(seed, n_features, noise)
    wanted = PARTS if part == "all" else part.split("+")
    ends = np.rint(np.cumsum([0.0, *(_PART_SHARES[name] for name in PARTS)]) * n_queries).astype(int)
    blocks = []
    for name, count in zip(PARTS, np.diff(ends), strict=True):
        if name in wanted:
            draw = rng_for("engine", seed, name)
            for q in range(count):
                if name == "L1":
                    blocks.append((f"{name}-{q + 1}", *world.draw_single_grade(draw, n_judged, l1_noise)))
                else:
                    blocks.append((f"{name}-{q + 1}", *world.draw_judged(draw, n_judged, n_unlabelled)))
    if not blocks:  # so few queries that the part has none
        blocks.append((f"{wanted[0]}-1", *world.draw_judged(rng_for("engine", seed, wanted[0]), n_judged, 0)))
    qid = np.concatenate([np.full(len(y), query, dtype="U12") for query, _, y, _ in blocks])
    ids = [f"{query}/{doc}" for query, _, _, docs in blocks for doc in docs]
    X = np.concatenate([X for _, X, _, _ in blocks])
    y = np.concatenate([y for _, _, y, _ in blocks])
    return RankingData(X, y, qid, world.names, ids, name="engine" if part == "all" else f"engine {part}")


class _World:
    """What all queries share: the features' views, the target, the judges' scale."""

    def __init__(self, seed: int, n_features: int, noise: float) -> None:
        draw = rng_for("engine", seed, "world")
        self.n_query, self.n_page = n_features // 8, n_features // 4
        self.n_features, self.noise = n_features, noise
        self.views = draw_views(draw, n_features, _FACTORS, _QUERY_FACTORS, self.n_query)
        # pages' own features see their quality, the last four factors; the query's do not shift them
        self.views.factor[: self.n_page] = _FACTORS - 4 + self.views.factor[: self.n_page] % 4
        self.views.other[: self.n_page] = _FACTORS - 4 + self.views.other[: self.n_page] % 4
        self.views.query_weight[: self.n_page] = 0.0
        self.target = draw_target(draw, _FACTORS, (0.55, 0.2, 0.25))
        relevance = self.target.values(draw.standard_normal((_REFERENCE, _FACTORS)))
        relevance += np.hypot(noise, 0.5) * draw.standard_normal(_REFERENCE)
        self.cuts = cut_points(relevance, SHARES)
        both = n_features - self.n_query - self.n_page
        self.names = [
            *(f"page {k + 1}" for k in range(self.n_page)),
            *(f"query-page {k + 1}" for k in range(both)),
            *(f"query {k + 1}" for k in range(self.n_query)),
        ]

    def _draw_query(self, draw: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the features, the true relevance and the judges' grades of a query's pages."""
        query = draw.standard_normal((1, _QUERY_FACTORS), dtype=np.float32)
        z = draw.standard_normal((n, _FACTORS), dtype=np.float32)
        raw = self.views.look(z, query, draw.standard_normal((n, self.n_features), dtype=np.float32))
        X = np.empty_like(raw)
        half = self.n_page // 2
        as_tail(raw[:, :half], X[:, :half])
        as_share(raw[:, half:], X[:, half:])
        relevance = self.target.values(z) + 0.5 * float(query[0, 0])
        judged = relevance + self.noise * draw.standard_normal(n)
        return X, relevance, np.searchsorted(self.cuts, judged).astype(np.float64)

    def draw_judged(self, draw: np.random.Generator, n_judged: int, n_unlabelled: int):
        """Return a query of L2 or L3: judged pages of all sorts, and unlabelled ones, mostly poor."""
        n = max(1, round(n_judged * (0.5 + draw.random())))
        X, relevance, y = self._draw_query(draw, n + 3 * n_unlabelled)
        # what nobody judged was mostly not worth showing: the poorer third, with exceptions
        poor = np.argsort(relevance[n:] + 0.7 * draw.standard_normal(3 * n_unlabelled), kind="stable")
        kept = np.r_[np.arange(n), n + poor[:n_unlabelled]]
        y[n:] = 0
        docs = [f"judged-{k + 1}" for k in range(n)] + [f"unlabelled-{k + 1}" for k in range(n_unlabelled)]
        order = draw.permutation(len(kept))  # the order of the rows is not to tell who was judged
        return X[kept[order]], y[kept[order]], [docs[k] for k in order]

    def draw_single_grade(self, draw: np.random.Generator, n_judged: int, noise: float):
        """Return a query of L1, picked with an error: a few ideal results, or a bad case with all pages."""
        ideal = draw.random() < 0.5
        n = max(2, round(n_judged * (0.4 if ideal else 1.2)))
        X, relevance, _ = self._draw_query(draw, 8 * n)
        order = np.argsort(relevance + noise * draw.standard_normal(8 * n), kind="stable")
        kept = np.sort(order[-n:] if ideal else order[: 3 * n : 3])
        return X[kept], np.full(n, 4.0 if ideal else 0.0), [f"judged-{k + 1}" for k in range(n)]


ENGINE = DataSet(
    name="engine",
    label="Search engine",
    summary="Partly judged web search: unlabelled pages count as grade 0, some queries have a single grade.",
    description=(
        "In the shape of two commercial sets. As in FRank's, each query has some judged pages and 20 "
        "unlabelled ones that count as grade 0 though a few are relevant. As in QBRank's, features are of "
        "the query, the page or both, and part L1 has queries whose pages share one grade, which give no "
        "pairs but say what is ideal and what is bad; L2 is for training, L3 for testing (set the unlabelled "
        "pages to 0 for fully judged queries). At its default error L1 teaches GBT nearly all that L2 does, "
        "unlike in QBRank's figure, where it is the poorest teacher: take a larger one. The papers have "
        "some 20,000 and 5,000 queries, FRank's 619 features; the defaults are a tenth of QBRank's queries "
        "and 120 features, views of hidden factors."
    ),
    params=(
        Param(
            "part", "choice", "all", choices=("all", "L1", "L2", "L3", "L1+L2"),
            help="Which of QBRank's parts: L1 single-grade queries, L2 for training, L3 for testing.",
        ),
        queries_param(470),
        Param("n_judged", "int", 12, 1, 1_000, 1, log=True, help="Judged pages of a query, on average."),
        Param("n_unlabelled", "int", 20, 0, 1_000, 1, help="Unlabelled pages of each query, grade 0."),
        Param("n_features", "int", 120, 8, 2_000, 5, log=True, help="Number of features."),
        noise_param(0.6, "Standard deviation of the judges' error; the relevance itself varies by 1."),
        Param(
            "l1_noise", "float", 0.7, 0.0, 100.0, 0.1,
            help="Error with which L1's ideal and bad pages are picked: the larger, the less L1 teaches.",
        ),
    ),
    generate=generate,
    top_grade=4.0,
    paper="FRank (SIGIR 2007), §4.4; General boosting (NIPS 2007), §4",
)  # fmt: skip
