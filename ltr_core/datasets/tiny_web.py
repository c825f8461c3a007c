"""A small synthetic web whose pages can be read, with FRank's 14 features really computed from it.

Paper 003, §4.3: pages of .gov, queries of TREC's topic distillation, 14 features: BM25, a title/body score,
PageRank, HostRank, ten of relevance propagation. Here the web is made (`web_world`), the features are
computed from its words and links (`web_features`), and a judge who knows the hidden topics grades:

    relevance = 1.5 · how much of the page is on the query's topic + 0.4 · the page's quality
                + 1.2 · how much of the query the page is about, its words weighted by their qtf + noise

cut into grades 0 … 4 at 45/25/16/9/5 % of the judged pages. With ``judges="binary"`` they are relevant or
not, as at TREC, and rarely so: of each query the most relevant pages, from one to 8.6 % of the judged ones
(TREC: 1 to 86 of about 1,000), few more often than many. Queries are one to three nouns of a topic; how
often a word stands in the statement from which the query came is its qtf, 1 to 3. The judged pages of a query
are pooled as at TREC: in turn the best of BM25, title/body, a sitemap and two hyperlink models, and pages of
the topic that no model put forward, until there are enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..data import RankingData
from ..errors import ParameterError
from ..params import Param
from .parts import web_features, web_world
from .parts.base import DataSet, cut_points, docs_param, noise_param, queries_param, rng_for
from .parts.web_features import NAMES
from .parts.web_words import TOPICS

SHARES = np.array([0.45, 0.25, 0.16, 0.09, 0.05])
MOST_RELEVANT = 0.086  # of a query's pages
_POOLED = [NAMES.index(name) for name in (
    "BM25", "title/body score", "sitemap term, subtree", "hyperlink score, weighted in-link",
    "hyperlink term, weighted out-link",
)]  # fmt: skip


class Query(NamedTuple):
    """A query: its words, how often each stands in the statement behind it, and the topic it means."""

    words: tuple[str, ...]
    frequencies: tuple[int, ...]
    topic: int

    @property
    def text(self) -> str:
        """Return the words as one would type them."""
        return " ".join(self.words)


def generate(
    seed: int,
    n_pages: int,
    n_queries: int,
    n_docs: int,
    k1: float,
    k3: float,
    b: float,
    noise: float,
    judges: str,
) -> RankingData:
    """Build the web, draw the queries, compute the features, judge."""
    if n_docs > n_pages:
        raise ParameterError(
            f"tiny-web: n_docs = {n_docs} with n_pages = {n_pages}. Take at most as many documents as pages."
        )
    world = web_world.build(seed, n_pages)
    queries = _draw_queries(seed, n_queries)
    draw = rng_for("tiny-web", seed, "judges")
    X, relevance, pages = [], [], []
    for query, features in _features(world, queries, (k1, k3, b)):
        pool = draw.permutation(_pool(features, world.main == query.topic, n_docs, draw))
        X.append(features[pool])
        relevance.append(_relevance(world, query, pool) + noise * draw.standard_normal(n_docs))
        pages.append(pool)
    if judges == "binary":
        y = _judge_rarely(rng_for("tiny-web", seed, "rare"), relevance)
    else:
        judged = np.concatenate(relevance)
        y = np.searchsorted(cut_points(judged, SHARES), judged).astype(np.float64)
    qid = np.repeat([query.text for query in queries], n_docs)
    urls = [world.urls[page] for page in np.concatenate(pages)]
    return RankingData(np.round(np.concatenate(X), 4), y, qid, NAMES, urls, name="tiny-web")


def _judge_rarely(draw: np.random.Generator, relevance: list[np.ndarray]) -> np.ndarray:
    """Return 1 for the most relevant pages of each query and 0 for the others."""
    grades = []
    for judged in relevance:
        most = max(1.0, MOST_RELEVANT * len(judged))
        n_relevant = min(len(judged), round(np.exp(draw.uniform(0.0, np.log(most)))))
        order = np.argsort(-judged, kind="stable")
        grades.append(np.isin(np.arange(len(judged)), order[:n_relevant]).astype(np.float64))
    return np.concatenate(grades)


def pages(seed: int = 0, **size) -> pd.DataFrame:
    """Return the pages of the web that ``make("tiny-web", seed, **size)`` is about.

    Returns
    -------
    DataFrame
        One row a page: doc_id (its address, as in `RankingData.doc_ids`), host, title, text.
    """
    world = web_world.build(seed, TINY_WEB.checked(size)["n_pages"])
    hosts = [world.host_names[h] for h in world.host]
    return pd.DataFrame({"doc_id": world.urls, "host": hosts, "title": world.titles, "text": world.texts})


def queries(seed: int = 0, **size) -> pd.DataFrame:
    """Return the words of each query, their frequency in the statement behind it, and the topic it means."""
    drawn = _draw_queries(seed, TINY_WEB.checked(size)["n_queries"])
    rows = [
        (query.text, word, frequency, TOPICS[query.topic].name)
        for query in drawn
        for word, frequency in zip(query.words, query.frequencies, strict=True)
    ]
    return pd.DataFrame(rows, columns=["query", "word", "frequency", "topic"])


def _relevance(world: web_world.World, query: Query, pages: np.ndarray) -> np.ndarray:
    """Return what an unerring judge thinks of some pages."""
    on_topic = np.where(world.main[pages] == query.topic, world.share[pages], 0.0)
    on_topic += np.where(world.second[pages] == query.topic, 1 - world.share[pages], 0.0)
    weight = dict(zip(query.words, query.frequencies, strict=True))
    about = np.array([sum(weight.get(word, 0) for word in world.about[page]) for page in pages])
    about = about * (world.main[pages] == query.topic) / sum(query.frequencies)
    return 1.5 * on_topic + 1.2 * about + 0.4 * world.quality[pages]


def _draw_queries(seed: int, n_queries: int) -> list[Query]:
    draw = rng_for("tiny-web", seed, "queries")
    drawn: dict[str, Query] = {}
    while len(drawn) < n_queries:
        topic = len(drawn) % len(TOPICS)
        nouns = TOPICS[topic].nouns
        chosen = draw.permutation(len(nouns))[: draw.choice([1, 2, 3], p=[0.2, 0.5, 0.3])]
        frequencies = tuple(int(f) for f in draw.integers(1, 4, len(chosen)))
        query = Query(tuple(nouns[k] for k in chosen), frequencies, topic)
        drawn.setdefault(query.text, query)
    return list(drawn.values())


def _features(world: web_world.World, queries: list[Query], constants: tuple[float, float, float]):
    """Yield each query with the features of all pages."""
    titles, title_lengths = web_features.count_words(world.titles)
    bodies, body_lengths = web_features.count_words(world.texts)
    nothing = np.zeros(world.n_pages)
    lengths = title_lengths + body_lengths
    weighted_lengths = web_features.TITLE_WEIGHT * title_lengths + body_lengths
    spread = web_features.Propagation(world)
    hyperlink = (spread.weighted_in, spread.weighted_out, spread.uniform_out)
    sitemap = (spread.children, spread.subtree)
    # scaled to a mean of 1: 1 / 2,000 is no number to look at
    rank = web_features.page_rank(world.links, np.ones(len(world.links)), world.n_pages) * world.n_pages
    host = web_features.host_rank(world) * len(world.host_names)
    words: dict[str, list[np.ndarray]] = {}  # a word's frequency and what the ten models make of it
    for query in queries:
        for word in query.words:
            if word not in words:
                tf = titles.get(word, nothing) + bodies.get(word, nothing)
                weighted = web_features.TITLE_WEIGHT * titles.get(word, nothing) + bodies.get(word, nothing)
                words[word] = [tf, weighted, *(model(tf) for model in hyperlink + sitemap)]
        kinds = [np.stack(kind) for kind in zip(*(words[word] for word in query.words), strict=True)]
        qtf = np.array(query.frequencies, dtype=np.float64)
        holding = (kinds[0] > 0).sum(axis=1)

        def score(frequencies, lengths, qtf=qtf, holding=holding):
            return web_features.bm25(frequencies, qtf, holding, lengths, *constants)

        text = score(kinds[0], lengths)
        terms = [score(kind, lengths) for kind in kinds[2:]]
        own = [text, score(kinds[1], weighted_lengths), rank, host]
        links, tree = ([model(text) for model in models] for models in (hyperlink, sitemap))
        yield query, np.stack([*own, *links, *terms[:3], *tree, *terms[3:]], axis=1)


def _pool(features: np.ndarray, on_topic: np.ndarray, n: int, draw: np.random.Generator) -> np.ndarray:
    """Return n pages: in turn the best not yet taken of each pooled feature, and two of the topic."""
    lists = np.argsort(-features[:, _POOLED], axis=0, kind="stable")
    chance = draw.random((len(features), 2))
    by_chance = np.argsort(chance - on_topic[:, None], axis=0, kind="stable")
    in_turn = np.concatenate([lists, by_chance], axis=1).ravel()
    _, first = np.unique(in_turn, return_index=True)
    return in_turn[np.sort(first)[:n]]


TINY_WEB = DataSet(
    name="tiny-web",
    label="Tiny web",
    summary="A made-up web with pages to read; FRank's 14 features computed from its words and links.",
    description=(
        "As FRank's TREC set: 14 features, BM25, a title/body score (for MSRA1000), PageRank, HostRank and "
        "ten of relevance propagation, all really computed. Unlike it the web has 2,000 pages instead of a "
        "million; its text is filled into sentence patterns from the words of twelve topics, which share "
        "some words; grades 0 to 4 come from the hidden topics and qualities, with noise, where TREC's "
        "judges said relevant or not: so do binary judges here, who find 1 to 8.6 % of a query's pages "
        "relevant (TREC: 1 to 86 of about 1,000). Documents are addresses and queries are words: they can be "
        "read."
    ),
    params=(
        Param("n_pages", "int", 2_000, 50, 20_000, 100, log=True, help="Pages of the web."),
        queries_param(60, high=2_000),
        docs_param(30, high=1_000),
        Param("k1", "float", 1.2, 0.0, 10.0, 0.1, help="BM25: how slowly repeated words stop to count."),
        Param("k3", "float", 7.0, 0.0, 1_000.0, 1.0, help="BM25: the same for words repeated in the topic."),
        Param("b", "float", 0.75, 0.0, 1.0, 0.05, help="BM25: how much long pages are discounted."),
        noise_param(
            0.5, "Standard deviation of the judges' error; the relevance itself varies by about 0.8."
        ),
        Param(
            "judges",
            "choice",
            "graded",
            choices=("graded", "binary"),
            help="Grades 0 to 4, or relevant and not, as TREC's: 1 to 8.6 % of a query's pages are.",
        ),
    ),
    generate=generate,
    top_grade=4.0,
    paper="FRank (SIGIR 2007), §4.3",
)
