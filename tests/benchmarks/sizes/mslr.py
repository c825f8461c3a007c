"""A made-up set in the shape of MSLR-WEB30K, as LETOR text to train, to validate and to test.

    python -m tests.benchmarks.sizes.mslr FOLDER [SHARE]

31,531 queries of 1 to 1,251 documents, 3.77 million in all; grades 0 to 4 at 51.4, 32.5, 13.4, 1.9 and 0.8 %;
136 features in MSLR's order. Each query has one to six words; how often each of them stands in a document's
body, anchors, title, URL and in all of it is drawn, the more the better the document, and the features are
computed from that. So they are what MSLR's are: small whole numbers and few distinct values in some columns,
as many values as documents in others, features that are the same for a whole query, and constants in none.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.special import ndtri

import ltr_core as ltr

N_QUERIES, N_DOCS, MOST_DOCS = 31_531, 3_771_125, 1_251
SHARES = {"train": 0.6, "vali": 0.2, "test": 0.2}  # as MSLR's folds are cut
GRADES = (0.514, 0.325, 0.134, 0.019, 0.008)
FREQUENCIES = (3.0, 0.3, 0.25, 0.2)  # of a query's word in body, anchors, title, URL
LENGTHS = (600.0, 20.0, 8.0, 9.0)  # of these, in words
MOST_WORDS = 6
_DOCS_AT_A_TIME = 100_000


def draw_sizes(n_queries: int, rng: np.random.Generator) -> np.ndarray:
    """Return how many documents each query has: some 120, seldom few or many."""
    sizes = rng.lognormal(np.log(100.0), 0.62, n_queries)
    sizes *= N_DOCS / N_QUERIES / sizes.mean()
    return np.clip(sizes, 1, MOST_DOCS).astype(np.int64)


def draw_grades(worth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return grades that follow standard normal worths, with noise, at MSLR's shares."""
    judged = (worth + 0.8 * rng.standard_normal(len(worth))) / np.hypot(1.0, 0.8)
    return np.searchsorted(ndtri(np.cumsum(GRADES)[:-1]), judged).astype(np.float64)


def draw_features(worth: np.ndarray, query: np.ndarray, n_queries: int, rng) -> np.ndarray:
    """Return the features of documents, `query` numbering theirs from 0."""
    n = len(worth)
    n_words = rng.choice(np.arange(1, MOST_WORDS + 1), n_queries, p=(0.1, 0.3, 0.3, 0.15, 0.1, 0.05))
    idf = np.round(rng.uniform(1.0, 12.0, (n_queries, MOST_WORDS)), 6)
    has = (np.arange(MOST_WORDS) < n_words[:, None])[query][:, None]
    idf = idf[query][:, None]
    tf = np.empty((n, 5, MOST_WORDS))
    lengths = np.empty((n, 5))
    for stream, (often, length) in enumerate(zip(FREQUENCIES, LENGTHS, strict=True)):
        rate = often * np.exp(0.4 * worth[:, None] + 0.8 * rng.standard_normal((n, MOST_WORDS)))
        tf[:, stream] = rng.poisson(rate)
        lengths[:, stream] = np.floor(length * np.exp(0.7 * rng.standard_normal(n)))
    tf[:, 4], lengths[:, 4] = tf[:, :4].sum(axis=1), lengths[:, :4].sum(axis=1)
    tf *= has
    lengths = np.maximum(lengths, tf.sum(axis=2))
    words, long = n_words[query][:, None], np.maximum(lengths, 1.0)[:, :, None]
    covered = (tf > 0).sum(axis=2)
    saturated = tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * long / long.mean(axis=0)))
    share = tf / long
    parts = [covered, covered / words, lengths, np.broadcast_to((idf * has).sum(axis=2), (n, 5))]
    for counts in (tf, share, tf * idf):
        parts += _statistics(counts, has, words)
    norm = np.sqrt((tf**2).sum(axis=2) * (idf**2 * has).sum(axis=2))
    parts += [covered == words, (tf * idf).sum(axis=2) / np.maximum(norm, 1.0), (saturated * idf).sum(axis=2)]
    for smoothed in (0.5 * share + 1e-3, (tf + 2.0) / (long + 2000.0), 0.1 * share + 9e-4):
        parts.append((np.log(smoothed) * has).sum(axis=2))
    return np.hstack([*parts, _of_pages(worth, rng)]).round(6).astype(np.float32)


def _statistics(counts: np.ndarray, has: np.ndarray, words: np.ndarray) -> list[np.ndarray]:
    """Return sum, least, largest, mean and variance over a query's words."""
    total = counts.sum(axis=2)
    mean = total / words
    least = np.where(has, counts, np.inf).min(axis=2)
    variance = (((counts - mean[:, :, None]) ** 2) * has).sum(axis=2) / words
    return [total, least, counts.max(axis=2), mean, variance]


def _of_pages(worth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return slashes and length of the URL, links, ranks of page and site, two qualities, three of clicks."""
    n = len(worth)
    ranks = np.exp(np.outer(worth, (0.0, 0.3, 0.1, 0.1, 0.2)) + rng.standard_normal((n, 5)))
    clicked = rng.random((n, 3)) < (0.05, 0.15, 0.15)
    clicks = np.floor(clicked * np.exp(2.0 + worth[:, None] + rng.standard_normal((n, 3))))
    clicks[:, 2] *= rng.random(n).round(3)
    ranks *= (30, 20, 40, 3000, 8000)
    columns = [rng.poisson(2.5, n), *np.floor(np.minimum(ranks, 65_535)).T, *rng.integers(0, 256, (2, n))]
    return np.column_stack([*columns, clicks])


def make(n_queries: int, seed: int, first_query: int = 1) -> ltr.RankingData:
    """Return a set of so many queries, numbered from one on in steps of 15 as MSLR's are."""
    rng = np.random.default_rng(seed)
    sizes = draw_sizes(n_queries, rng)
    query = np.repeat(np.arange(n_queries), sizes)
    worth = 0.5 * rng.standard_normal(n_queries)[query] + np.sqrt(0.75) * rng.standard_normal(len(query))
    X = np.empty((len(query), 136), dtype=np.float32)
    ends = np.cumsum(sizes)
    first, done = 0, 0
    while done < n_queries:
        last = max(done + 1, int(np.searchsorted(ends, first + _DOCS_AT_A_TIME, "right")))
        rows = slice(first, int(ends[last - 1]))
        X[rows] = draw_features(worth[rows], query[rows] - done, last - done, rng)
        first, done = rows.stop, last
    return ltr.RankingData(X, draw_grades(worth, rng), 15 * (query + first_query) + 1)


def write(folder: Path, share: float = 1.0) -> None:
    """Write the three files of a share of the set."""
    folder.mkdir(parents=True, exist_ok=True)
    first = 1
    for seed, (role, part) in enumerate(SHARES.items()):
        n_queries = round(N_QUERIES * share * part)
        data = make(n_queries, seed, first)
        ltr.save(data, folder / f"{role}.txt")
        first += n_queries
        print(f"{role}: {data!r}, {(folder / f'{role}.txt').stat().st_size / 1e6:,.0f} MB", flush=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]), *map(float, sys.argv[2:3]))
