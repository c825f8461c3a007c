"""The tiny web: its features equal the formulas, its pages are those of the data set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.datasets import tiny_web
from ltr_core.datasets.parts import web_features, web_world
from ltr_core.datasets.parts.web_words import TOPICS
from tests import naive

SIZE = {"n_pages": 120, "n_queries": 6, "n_docs": 25, "k1": 1.6, "k3": 3.0, "b": 0.6}
SEED = 5


@pytest.fixture(scope="module")
def web():
    return web_world.build(SEED, SIZE["n_pages"])


@pytest.fixture(scope="module")
def data():
    return ltr.datasets.make("tiny-web", SEED, **SIZE)


def _words(text):
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


def _queries():
    table = tiny_web.queries(SEED, **SIZE)
    return {
        query: dict(zip(part.word, part.frequency, strict=True)) for query, part in table.groupby("query")
    }


def _check(data, name, expected_by_query, places=4):
    column = data.feature_names.index(name)
    urls = tiny_web.pages(SEED, **SIZE).doc_id
    page = {url: k for k, url in enumerate(urls)}
    for query in data.query_ids:
        rows = data.qid == query
        expected = [expected_by_query[query][page[doc]] for doc in data.doc_ids[rows]]
        assert data.X[rows, column] == pytest.approx(expected, abs=0.6 * 10**-places, rel=1e-5), name


def test_bm25_and_the_title_body_score(web, data):
    texts = [_words(f"{title} {text}") for title, text in zip(web.titles, web.texts, strict=True)]
    weighted = [4 * _words(t) + _words(b) for t, b in zip(web.titles, web.texts, strict=True)]
    constants = SIZE["k1"], SIZE["k3"], SIZE["b"]
    for name, documents in (("BM25", texts), ("title/body score", weighted)):
        _check(
            data, name, {text: naive.bm25(documents, words, *constants) for text, words in _queries().items()}
        )


def test_page_rank_and_host_rank(web, data):
    links = {(int(i), int(j)): 1 for i, j in web.links}
    rank = [p * web.n_pages for p in naive.page_rank(web.n_pages, links)]
    between = {}
    for i, j in links:
        pair = (int(web.host[i]), int(web.host[j]))
        if pair[0] != pair[1]:
            between[pair] = between.get(pair, 0) + 1
    of_host = naive.page_rank(len(web.host_names), between)
    host = [of_host[h] * len(web.host_names) for h in web.host]
    _check(data, "PageRank", dict.fromkeys(data.query_ids, rank))
    _check(data, "HostRank", dict.fromkeys(data.query_ids, host))


@pytest.mark.parametrize(
    "name, model",
    [
        ("hyperlink {}, weighted in-link", "weighted_in"),
        ("hyperlink {}, weighted out-link", "weighted_out"),
        ("hyperlink {}, uniform out-link", "uniform_out"),
        ("sitemap {}, children", "children"),
        ("sitemap {}, subtree", "subtree"),
    ],
)
def test_relevance_propagation(web, data, name, model):
    links = [(int(i), int(j)) for i, j in web.links]
    texts = [_words(f"{title} {text}") for title, text in zip(web.titles, web.texts, strict=True)]
    constants = SIZE["k1"], SIZE["k3"], SIZE["b"]
    average = np.mean([len(words) for words in texts])
    scores, terms = {}, {}
    for text, query in _queries().items():
        scores[text] = naive.propagate(model, naive.bm25(texts, query, *constants), links, web.parent)
        terms[text] = np.zeros(web.n_pages)
        for word, qtf in query.items():
            tf = naive.propagate(model, [float(words.count(word)) for words in texts], links, web.parent)
            holding = sum(1 for words in texts if word in words)
            weight = np.log((web.n_pages - holding + 0.5) / (holding + 0.5))
            for page, f in enumerate(tf):
                K = SIZE["k1"] * (1 - SIZE["b"] + SIZE["b"] * len(texts[page]) / average)
                part = (SIZE["k1"] + 1) * f * (SIZE["k3"] + 1) * qtf / ((K + f) * (SIZE["k3"] + qtf))
                terms[text][page] += weight * part
    _check(data, name.format("score"), scores)
    _check(data, name.format("term"), terms)


@given(st.integers(2, 9), st.data())
@settings(max_examples=60, deadline=None)
def test_page_rank_of_any_graph(n, draw):
    pairs = draw.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), unique=True))
    links = {pair: draw.draw(st.integers(1, 5)) for pair in pairs}
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    rank = web_features.page_rank(edges, np.array([links[p] for p in pairs], dtype=float), n)
    assert rank.sum() == pytest.approx(1)
    assert rank == pytest.approx(naive.page_rank(n, links), abs=1e-9)


def test_the_pages_are_those_of_the_set(data, web):
    pages = tiny_web.pages(SEED, **SIZE)
    assert list(pages.columns) == ["doc_id", "host", "title", "text"]
    assert len(pages) == SIZE["n_pages"] and pages.doc_id.is_unique
    assert set(data.doc_ids) <= set(pages.doc_id)
    assert all(doc.startswith(host) for doc, host in zip(pages.doc_id, pages.host, strict=True))
    assert (pages.text.str.count(r"\.|:") >= 3).all() and (pages.title.str.len() > 4).all()
    assert not pages.text.str.contains(r"\b[Aa] [aeiou]", regex=True).any()
    assert not pages.text.str.contains("{", regex=False).any()


def test_each_query_has_distinct_documents_and_is_made_of_words(data):
    assert (np.diff(data.offsets) == 25).all()
    for query in data.query_ids:
        assert len(set(data.doc_ids[data.qid == query])) == 25
    table = tiny_web.queries(SEED, **SIZE)
    assert set(table["query"]) == set(data.query_ids)
    nouns = {topic.name: topic.nouns for topic in TOPICS}
    assert all(row.word in nouns[row.topic] and row.word in row.query.split() for row in table.itertuples())
    assert table.frequency.between(1, 3).all()


def test_the_web_is_a_web(web):
    assert (web.links[:, 0] != web.links[:, 1]).all()
    assert len({tuple(link) for link in web.links}) == len(web.links)
    inner = web.parent >= 0
    assert (web.parent[inner] < np.flatnonzero(inner)).all()
    assert (web.host[web.parent[inner]] == web.host[inner]).all()
    assert (~inner).sum() == len(web.host_names)


def test_quality_draws_links():
    web = web_world.build(0, 1_500)
    into = np.bincount(web.links[:, 1], minlength=web.n_pages)
    assert into[web.quality > 0.7].mean() > 1.5 * into[web.quality < -0.7].mean()


def test_text_and_links_each_say_something_about_the_grade():
    data = ltr.datasets.make("tiny-web")
    by_name = dict(zip(data.feature_names, data.X.T, strict=True))
    for name in ("BM25", "PageRank", "HostRank", "hyperlink score, weighted in-link"):
        assert 0.1 < np.corrcoef(by_name[name], data.y)[0, 1] < 0.6, name
    mixed = (
        0.8 * by_name["BM25"] / by_name["BM25"].std() + 0.2 * by_name["PageRank"] / by_name["PageRank"].std()
    )
    assert ltr.ndcg(data.y, mixed, data.qid) > ltr.ndcg(data.y, by_name["BM25"], data.qid)
