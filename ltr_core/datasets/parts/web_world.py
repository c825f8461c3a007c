"""The tiny web itself: hosts with topics, pages with titles and text, a tree of pages in each host, links.

Hidden behind a page are its topics (a main one, a second one, the share of the first), the few words it is
about, and its quality. What can be seen of them: the text, drawn from those words; the links, which prefer
pages of one's own topic and of quality; the title, which may promise what the text does not hold (spam).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .base import rng_for
from .web_words import COMMON, HOST_KINDS, SENTENCES, TITLES, TOPICS, Topic

_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiou])")


@dataclass
class World:
    """A generated web. The pages of a host are consecutive, its home page first, parents before children."""

    host_names: list[str]
    host: np.ndarray  # host of each page
    parent: np.ndarray  # page above it in its host's tree, -1 for a home page
    urls: list[str]
    titles: list[str]
    texts: list[str]
    links: np.ndarray  # (n_links, 2): from page, to page; none twice, none to itself
    main: np.ndarray  # hidden: main topic
    second: np.ndarray  # hidden: second topic
    share: np.ndarray  # hidden: how much of the page is on its main topic
    quality: np.ndarray  # hidden, standard normal
    spam: np.ndarray  # hidden: whether its title lies
    about: list[tuple[str, ...]]  # hidden: the nouns of its main topic that it is about

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return len(self.host)


@lru_cache(maxsize=1)  # who ranks pages reads them too
def build(seed: int, n_pages: int) -> World:
    """Build the web of one seed; the last one is kept, and not to be changed."""
    draw = rng_for("tiny-web", seed, "hosts")
    names, host, parent, host_topic, host_quality, spam_host = _draw_hosts(draw, n_pages)
    main = np.where(draw.random(n_pages) < 0.75, host_topic[host], draw.integers(0, len(TOPICS), n_pages))
    second = (main + draw.integers(1, len(TOPICS), n_pages)) % len(TOPICS)
    share = 0.35 + 0.6 * draw.random(n_pages)
    quality = 0.7 * host_quality[host] + 0.7 * draw.standard_normal(n_pages)
    spam = spam_host[host] & (draw.random(n_pages) < 0.7)
    links = _draw_links(rng_for("tiny-web", seed, "links"), host, parent, main, quality, spam)
    titles, texts, about = _write(rng_for("tiny-web", seed, "words"), main, second, share, quality, spam)
    urls = _name_pages(names, host, parent, titles)
    return World(names, host, parent, urls, titles, texts, links, main, second, share, quality, spam, about)


def _draw_hosts(draw: np.random.Generator, n_pages: int):
    """Return the hosts: names, their pages' trees, topics, qualities, whether they are spam."""
    names: list[str] = []
    host: list[int] = []
    parent: list[int] = []
    n_hosts = max(1, n_pages // 25)
    sizes = np.maximum(1, np.rint(n_pages * (w := draw.pareto(1.5, n_hosts) + 0.3) / w.sum())).astype(int)
    topics = draw.permutation(np.arange(n_hosts) % len(TOPICS))
    while sizes.sum() > n_pages:
        sizes[sizes.argmax()] -= 1
    sizes[sizes.argmax()] += n_pages - sizes.sum()
    for h in range(n_hosts):
        kind = HOST_KINDS[draw.integers(len(HOST_KINDS))]
        names.append(f"{TOPICS[topics[h]].name}-{kind}-{h + 1}.example")
        first = len(host)
        branches = 2 + round(sizes[h] ** (1 / 3))  # below each page: trees three or four levels deep
        for k in range(sizes[h]):
            host.append(h)
            parent.append(-1 if k == 0 else first + (k - 1) // branches)
    quality = draw.standard_normal(n_hosts)
    spam = draw.random(n_hosts) < 0.12
    return names, np.array(host), np.array(parent), topics, quality, spam


def _draw_links(draw: np.random.Generator, host, parent, main, quality, spam) -> np.ndarray:
    """Return the links: along the site tree, and to other hosts' pages of one's topic and of quality."""
    n = len(host)
    children = np.flatnonzero(parent >= 0)
    pairs = [np.stack([children, parent[children]], 1), np.stack([parent[children], children], 1)]
    # what pages link to: quality attracts, home pages attract most
    pull = np.exp(1.2 * np.clip(quality, -3, 3)) * np.where(parent < 0, 6.0, 1.0)
    pull[spam] *= 0.1
    by_topic = [np.flatnonzero(main == t) for t in range(len(TOPICS))]
    edges = [np.cumsum(pull[pages]) for pages in by_topic]
    everywhere = np.cumsum(pull)
    counts = draw.poisson(4.0, n)
    source = np.repeat(np.arange(n), counts)
    at_home, u = draw.random(len(source)) < 0.75, draw.random(len(source))
    target = np.searchsorted(everywhere, u * everywhere[-1])
    for t, pages in enumerate(by_topic):
        mine = at_home & (main[source] == t)
        target[mine] = pages[np.searchsorted(edges[t], u[mine] * edges[t][-1])] if len(pages) else 0
    lure = np.flatnonzero(spam)  # spam pages praise one another
    if len(lure):
        farm = spam[source]
        target[farm] = lure[(u[farm] * len(lure)).astype(int)]
    pairs.append(np.stack([source, target], 1))
    links = np.unique(np.concatenate(pairs), axis=0)
    return links[links[:, 0] != links[:, 1]]


def _write(draw: np.random.Generator, main, second, share, quality, spam):
    """Return titles, texts and the words that the pages are about."""
    titles, texts, about = [], [], []
    lengths = np.clip(np.rint(7 + 2.5 * draw.standard_normal(len(main))), 3, 14).astype(int)
    for page in range(len(main)):
        first, other = TOPICS[main[page]], TOPICS[second[page]]
        focus = draw.permutation(len(first.nouns))[: draw.integers(3, 7)]
        about.append(tuple(first.nouns[k] for k in focus))
        own = Topic("", about[page], first.verbs, first.adjectives)
        titles.append(_fill(TITLES, TOPICS[draw.integers(len(TOPICS))] if spam[page] else own, None, draw))
        keeps = 0.55 + 0.35 / (1 + np.exp(-quality[page]))  # the poorer the page, the less it keeps to them
        sentences = []
        for _ in range(lengths[page]):
            u = draw.random(3)
            of = COMMON if u[0] < 0.3 else other if u[1] > share[page] else own
            sentences.append(_fill(SENTENCES, of, None if u[2] < keeps else COMMON, draw))
        texts.append(" ".join(sentences))
    return titles, texts, about


def _fill(templates: tuple[str, ...], topic: Topic, other: Topic | None, draw: np.random.Generator) -> str:
    """Return one sentence or title; its second noun may come from another topic."""
    k = draw.integers(0, 1 << 30, 5)
    n = len(topic.nouns)
    text = templates[k[0] % len(templates)].format(
        noun=topic.nouns[k[1] % n],
        noun2=topic.nouns[(k[1] + 1 + k[2] % (n - 1)) % n]
        if other is None
        else other.nouns[k[2] % len(other.nouns)],
        verb=topic.verbs[k[3] % len(topic.verbs)],
        adjective=topic.adjectives[k[4] % len(topic.adjectives)],
    )
    text = text[0].upper() + text[1:]
    return _ARTICLE.sub(r"\1n ", text)


def _name_pages(names: list[str], host: np.ndarray, parent: np.ndarray, titles: list[str]) -> list[str]:
    """Return addresses that say where a page stands in its host and what its title is."""
    urls: list[str] = []
    for page, title in enumerate(titles):
        if parent[page] < 0:
            urls.append(f"{names[host[page]]}/")
            continue
        words = "".join(c if c.isalnum() else " " for c in title.lower()).split()
        short = "-".join(w for w in words if w not in ("the", "a", "and", "on", "an", "how", "why"))
        urls.append(f"{urls[parent[page]]}{short}-{page}/")
    return urls
