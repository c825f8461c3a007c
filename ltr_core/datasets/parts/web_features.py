"""FRank's 14 features, computed from the tiny web (paper 003, §4.2 and Table 1).

BM25     Σ_T ω (k1+1) tf (k3+1) qtf / ((K + tf)(k3 + qtf)),  K = k1 ((1 − b) + b dl/avdl), with the
         Robertson/Sparck Jones weight ω = ln((N − n + ½)/(n + ½)); the text is title and body together.
title/body  (for "MSRA1000") the same with each word of the title counted `TITLE_WEIGHT` times.
PageRank    p = (1 − c)/N + c (Σ_{i→p} p_i / out_i + what pages without links hold, spread evenly), c = 0.85.
HostRank    PageRank of the graph of hosts, a link weighted by the number of its pages' links; a page's is its
         host's.
Relevance propagation (Qin et al. 2005; Shakery and Zhai 2003): each page's own value s, and its neighbours':
    hyperlink, weighted in-link    h(p) ← α s(p) + (1 − α) Σ_{i→p} h(i) · s(p) / Σ_{i→j} s(j)
    hyperlink, weighted out-link   h(p) ← α s(p) + (1 − α) Σ_{p→j} h(j) · s(p) / Σ_{i→j} s(i)
    hyperlink, uniform out-link    h(p) ← α s(p) + (1 − α) mean_{p→j} h(j)
    sitemap, children              h(p) = α s(p) + (1 − α) mean_{children} s(c)
    sitemap, subtree               h(p) = α s(p) + (1 − α) mean_{children} h(c)
each once on the BM25 score ("score") and once on the frequency of each word, BM25 taken of the result
("term"). A mean over nothing and a weight with denominator 0 are 0. The hyperlink models run `STEPS` times.
"""

from __future__ import annotations

import numpy as np

from .web_world import World

NAMES = (
    "BM25", "title/body score", "PageRank", "HostRank",
    "hyperlink score, weighted in-link", "hyperlink score, weighted out-link",
    "hyperlink score, uniform out-link",
    "hyperlink term, weighted in-link", "hyperlink term, weighted out-link",
    "hyperlink term, uniform out-link",
    "sitemap score, children", "sitemap score, subtree",
    "sitemap term, children", "sitemap term, subtree",
)  # fmt: skip
TITLE_WEIGHT, ALPHA, STEPS, DAMPING = 4.0, 0.5, 8, 0.85


def count_words(texts: list[str]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return how often each word stands in each text, and the lengths of the texts in words."""
    counts: dict[str, np.ndarray] = {}
    lengths = np.zeros(len(texts))
    for page, text in enumerate(texts):
        words = "".join(c if c.isalnum() else " " for c in text.lower()).split()
        lengths[page] = len(words)
        for word in words:
            if word not in counts:
                counts[word] = np.zeros(len(texts))
            counts[word][page] += 1
    return counts, lengths


def bm25(
    frequencies: np.ndarray,
    qtf: np.ndarray,
    holding: np.ndarray,
    lengths: np.ndarray,
    k1: float,
    k3: float,
    b: float,
) -> np.ndarray:
    """Return the BM25 score of each page.

    `frequencies` (words × pages) are those of the query's words, `qtf` their frequencies in the query,
    `holding` the number of pages that hold each word.
    """
    weight = np.log((len(lengths) - holding + 0.5) / (holding + 0.5))
    K = k1 * ((1 - b) + b * lengths / lengths.mean())
    total = np.zeros(len(lengths))
    for tf, q, w in zip(frequencies, qtf, weight, strict=True):
        with np.errstate(invalid="ignore"):  # k1 = 0 makes 0/0 where a word is absent
            part = w * (k1 + 1) * tf * (k3 + 1) * q / ((K + tf) * (k3 + q))
        total += np.where(tf > 0, part, 0.0)
    return total


def page_rank(links: np.ndarray, weights: np.ndarray, n: int, tolerance: float = 1e-12) -> np.ndarray:
    """Return the PageRank of each node by power iteration; ranks sum to 1."""
    source, target = links[:, 0], links[:, 1]
    out = np.bincount(source, weights, n)
    share = weights / out[source]
    rank = np.full(n, 1 / n)
    for _ in range(1_000):
        held = rank[out == 0].sum() / n
        new = (1 - DAMPING) / n + DAMPING * (np.bincount(target, share * rank[source], n) + held)
        if np.abs(new - rank).sum() < tolerance:
            return new
        rank = new
    return rank


def host_rank(world: World) -> np.ndarray:
    """Return for each page the rank of its host."""
    between = world.host[world.links]
    between = between[between[:, 0] != between[:, 1]]
    links, weights = np.unique(between, axis=0, return_counts=True)
    return page_rank(links, weights.astype(np.float64), len(world.host_names))[world.host]


class Propagation:
    """The five ways by which a value spreads over the web's links and trees."""

    def __init__(self, world: World) -> None:
        self.n = world.n_pages
        self.source, self.target = world.links[:, 0], world.links[:, 1]
        self.out = np.bincount(self.source, minlength=self.n)
        self.parent = world.parent
        self.child = np.flatnonzero(world.parent >= 0)
        self.n_children = np.maximum(np.bincount(world.parent[self.child], minlength=self.n), 1)
        self.depth = np.zeros(self.n, dtype=int)
        for page in self.child:  # a parent precedes its children
            self.depth[page] = self.depth[world.parent[page]] + 1

    def weighted_in(self, s: np.ndarray) -> np.ndarray:
        """Spread along links, a page's links weighted by the values of their targets."""
        total = np.bincount(self.source, s[self.target], self.n)
        share = _ratio(s[self.target], total[self.source])
        return self._repeat(s, self.source, self.target, share)

    def weighted_out(self, s: np.ndarray) -> np.ndarray:
        """Spread against links, the links to a page weighted by the values of their sources."""
        total = np.bincount(self.target, s[self.source], self.n)
        share = _ratio(s[self.source], total[self.target])
        return self._repeat(s, self.target, self.source, share)

    def uniform_out(self, s: np.ndarray) -> np.ndarray:
        """Spread against links, each page taking the mean of what it links to."""
        return self._repeat(s, self.target, self.source, 1.0 / self.out[self.source])

    def children(self, s: np.ndarray) -> np.ndarray:
        """Take in the mean of the pages right below."""
        return self._take_in(s, s, self.child)

    def subtree(self, s: np.ndarray) -> np.ndarray:
        """Take in the pages below, from the leaves up."""
        h = ALPHA * s
        for depth in range(self.depth.max(initial=0), 0, -1):
            child = self.child[self.depth[self.child] == depth]
            parents = np.unique(self.parent[child])
            h[parents] = self._take_in(s, h, child)[parents]
        return h

    def _take_in(self, s: np.ndarray, below: np.ndarray, child: np.ndarray) -> np.ndarray:
        taken = np.bincount(self.parent[child], below[child], self.n) / self.n_children
        return ALPHA * s + (1 - ALPHA) * taken

    def _repeat(self, s: np.ndarray, giver: np.ndarray, taker: np.ndarray, share: np.ndarray) -> np.ndarray:
        h = s
        for _ in range(STEPS):
            h = ALPHA * s + (1 - ALPHA) * np.bincount(taker, share * h[giver], self.n)
        return h


def _ratio(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.zeros(len(a)), where=b > 0)
