"""The features of LETOR's and Microsoft's sets by name: their files have numbers only.

A set is recognised by the number of its features, numbered from 1, and by its grades: LETOR 4.0 (46:
MQ2007, MQ2008), LETOR 3.0 (45: OHSUMED; 64: .gov), LETOR 2.0 (25: OHSUMED), MSLR-WEB10K and 30K (136). The
names are short forms of those in the sets' own feature lists; TF counts a query's words, DL is a length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .set.ranking_data import RankingData

_STREAMS = ("body", "anchor", "title", "URL", "page")
_MODELS = ("TF", "IDF", "TF·IDF", "DL", "BM25", "LMIR.ABS", "LMIR.DIR", "LMIR.JM")
_WEB = tuple(f"{model} of {stream}" for model in _MODELS for stream in _STREAMS)
_WORDS = (
    "TF",
    "log TF",
    "TF/length",
    "log TF/length",
    "IDF",
    "log IDF",
    "ICF",
    "log TF/length·IDF",
    "TF·IDF",
    "log TF/length·ICF",
)
_SCORES = ("BM25", "log BM25", "LMIR.DIR", "LMIR.JM", "LMIR.ABS")
_MOMENTS = ("sum", "min", "max", "mean", "variance")
_MSLR = (
    "covered terms",
    "covered ratio",
    "stream length",
    "IDF",
    *(f"TF {how}" for how in _MOMENTS),
    *(f"TF/length {how}" for how in _MOMENTS),
    *(f"TF·IDF {how}" for how in _MOMENTS),
    "boolean",
    "vector space",
    "BM25",
    "LMIR.ABS",
    "LMIR.DIR",
    "LMIR.JM",
)

LETOR4 = (*_WEB, "PageRank", "inlinks", "outlinks", "slashes in URL", "length of URL", "child pages")
GOV = (
    *_WEB,
    "sitemap terms",
    "sitemap score",
    "link score (weighted in)",
    "link score (weighted out)",
    "link score (uniform out)",
    "link feature (weighted in)",
    "link feature (weighted out)",
    "link feature (uniform out)",
    "HITS authority",
    "HITS hub",
    "PageRank",
    "HostRank",
    "topical PageRank",
    "topical HITS authority",
    "topical HITS hub",
    "inlinks",
    "outlinks",
    "slashes in URL",
    "length of URL",
    "child pages",
    *(f"{model} of extracted title" for model in ("BM25", "LMIR.ABS", "LMIR.DIR", "LMIR.JM")),
)
OHSUMED3 = tuple(
    f"{what} of {where}"
    for where in ("title", "abstract", "title + abstract")
    for what in (*_WORDS, *_SCORES)
)
OHSUMED2 = (
    *(f"{what} of {where}" for where in ("title", "abstract") for what in _WORDS),
    *(f"{what} of title + abstract" for what in _SCORES),
)
MSLR = (
    *(f"{what} of {stream}" for what in _MSLR for stream in _STREAMS),
    "slashes in URL",
    "length of URL",
    "inlinks",
    "outlinks",
    "PageRank",
    "SiteRank",
    "quality score",
    "quality score 2",
    "query-URL clicks",
    "URL clicks",
    "URL dwell time",
)


@dataclass(frozen=True)
class Known:
    """A collection whose features are known: what to call it, its features, its highest grade."""

    label: str
    names: tuple[str, ...]
    top: int


KNOWN = (
    Known("LETOR 4.0 (MQ2007, MQ2008)", LETOR4, 2),
    Known("LETOR 3.0, OHSUMED", OHSUMED3, 2),
    Known("LETOR 3.0, .gov", GOV, 1),
    Known("LETOR 2.0, OHSUMED", OHSUMED2, 2),
    Known("MSLR-WEB10K and 30K", MSLR, 4),
)


def recognise_features(data: RankingData) -> Known | None:
    """Return the collection whose features these seem to be: as many, numbered from 1, and its grades."""
    numbered = tuple(f"f{k + 1}" for k in range(data.n_features))
    if data.feature_names != numbered:
        return None
    grades = np.unique(data.y)
    whole = bool((grades == np.round(grades)).all())
    fitting = [one for one in KNOWN if len(one.names) == data.n_features and grades[-1] <= one.top]
    return fitting[0] if fitting and whole else None
