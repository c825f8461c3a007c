"""What the documents of a query are called, and what can be read of them."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ltr_core import RankingData
from ltr_core.datasets import tiny_web

from ..runs.screens import Screen
from ..runs.services import services


@dataclass(frozen=True)
class Page:
    """A document: its id (or its place in the file), and title and text where there are any."""

    name: str
    title: str = ""
    text: str = ""

    @property
    def label(self) -> str:
        """The title, or the name where there is none."""
        return self.title or self.name


def pages_of(screen: Screen, one: RankingData) -> list[Page]:
    """Return the documents of one query, in file order."""
    if one.doc_ids is None:
        return [Page(f"#{i + 1}") for i in range(one.n_docs)]
    names = [str(name) for name in one.doc_ids]
    beside = screen.splits.beside.docs if screen.splits is not None else {}
    if beside:
        return [Page(name, *beside.get(name, ("", ""))) for name in names]
    known = _readable(screen)
    if known is None:
        return [Page(name) for name in names]
    read = known.reindex(names).fillna("")
    return [Page(*row) for row in zip(names, read["title"], read["text"], strict=True)]


def query_text(screen: Screen, query: str) -> str:
    """Return a query with its text, where that is known."""
    text = screen.splits.beside.queries.get(query, "") if screen.splits is not None else ""
    return f"{query}: {text}" if text else query


def _readable(screen: Screen) -> pd.DataFrame | None:
    """Return titles and texts by doc id, for data sets that have them."""
    if screen.data.name != "tiny-web":
        return None
    return services().memo.make(
        ("pages", screen.data.seed, screen.data.size),
        lambda: (
            tiny_web.pages(screen.data.seed, **dict(screen.data.size))
            .drop_duplicates("doc_id")
            .set_index("doc_id")
        ),
        lambda frame: float(frame.memory_usage(deep=True).sum()),
    )
