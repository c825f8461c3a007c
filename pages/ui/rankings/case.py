"""Which query is on screen, which run against which baseline: the controls of Rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from ltr_core import RankingData

from ..kit import panel
from ..runs.screens import Run, Screen
from ..session import state
from ..session.bound import bound
from ..style.words import SPLIT_NAMES, signed
from ..tables.comparison import headlined
from ..tables.documents import Page, pages_of, query_text
from ..tables.folds import folds_of, pooled_differences
from ..tables.queries import Listed, data_of, differences, query_lists, with_scores

_STYLE = Path(__file__).parent / "rankings.css"
_TOP = 10  # documents of a list in sight, unless the measure counts more


@dataclass(frozen=True)
class Case:
    """The query on screen: the run compared, the baseline, all queries' differences, and this one's lists.

    `run` is the baseline itself, and `base` None, where there is nothing to compare with. `screen` is that of
    the query's own fold where the queries of all folds are shown, and `whole` that of all of them.
    """

    screen: Screen
    whole: Screen
    split: str
    run: Run
    base: Run | None
    queries: pd.DataFrame
    place: int
    one: RankingData
    pages: tuple[Page, ...]
    lists: tuple[Listed, ...]
    shown: int
    doc: int

    @property
    def query(self) -> str:
        """The query's id."""
        return str(self.queries["query"].iloc[self.place])

    @property
    def position(self) -> int:
        """The query's place in the data."""
        return int(self.queries["position"].iloc[self.place])

    @property
    def kind(self) -> str:
        """Which queries are shown."""
        pooled = f" of all {self.whole.means}" if self.whole.means else ""
        return SPLIT_NAMES[self.split] + pooled

    @property
    def label(self) -> str:
        """What is measured."""
        return self.screen.measure.label

    def of(self, slot: int) -> Listed:
        """Return the list of a slot."""
        return next(x for x in self.lists if x.slot == slot)


def choose(screen: Screen) -> Case | None:
    """Draw the controls and return what they say; None, and a word on it, while there is nothing to show."""
    st.html(_STYLE)
    if not screen.finished or screen.splits is None:
        coming = "The lists come as soon as a run is done."
        panel.no_run(bool(screen.under_way), screen.splits is not None, "rank-start", coming)
        return None
    folds = folds_of(screen)
    if not folds and state.get("rank_split") == "fold":
        state.put("rank_split", "test")
    split, names = state.get("rank_split"), _splits(screen, len(folds))
    pool = folds if split == "test" else []
    split = "test" if split == "fold" else split
    if split != "test":
        if not with_scores(screen, split).finished:
            state.put("rank_split", split := "test")
        screen = with_scores(screen, split)
    runs = screen.complete if pool else screen.finished
    base = screen.baseline if screen.baseline in runs else None
    others = [x for x in runs if x is not base]
    asked = _by_slot(others, state.get("rank_run")) or _by_slot(others, headlined(screen))
    run = asked or (others[0] if others else runs[0])
    base = base if run is not base else None
    queries = pooled_differences(pool, run, base) if pool else differences(screen, run, base, split)
    place = _place(queries)
    with (
        st.container(key="rank-controls"),
        st.grid("auto", min_column_width=230, gap="small", vertical_alignment="bottom"),
    ):
        ids, labels = list(queries["query"]), _query_labels(queries, base is not None, screen)
        bound(
            "rank_query",
            st.selectbox,
            "Query",
            ids,
            shows=ids[place],
            words=dict(zip(ids, labels, strict=True)),
            help="Worst first. A click on a bar below does the same.",
            forget=("rank_doc",),
        )
        if base is not None:
            called = {x.slot: x.name for x in others}
            told, slots = "The run that is compared with the baseline.", list(called)
            bound("rank_run", st.selectbox, "Compared run", slots, shows=run.slot, words=called, help=told)
        bound("rank_split", st.segmented_control, "Queries", list(names), words=names, required=True)
    shown = pool[int(queries["fold"].iloc[place])] if pool else screen.once
    return _case(shown, screen if pool else screen.once, split, run.slot, base, queries, place)


def _splits(screen: Screen, n_folds: int) -> dict[str, str]:
    """Return the choices of queries and what they are called."""
    of = {split: SPLIT_NAMES[split] for split in ("valid", "train")}
    if not n_folds:
        return {"test": SPLIT_NAMES["test"], **of}
    return {"test": f"all {n_folds} folds", "fold": f"fold {screen.data.fold}", **of}


def _case(
    screen: Screen, whole: Screen, split: str, slot: int, base: Run | None, queries: pd.DataFrame, place: int
) -> Case:
    runs = {x.slot: x for x in screen.finished}
    run, base = runs[slot], None if base is None else runs[base.slot]
    position = int(queries["position"].iloc[place])
    one = data_of(screen, split).select([position])
    lists = query_lists(screen, split, position, state.get("rank_round"), state.get("rank_against"))
    depth = screen.measure.options.get("k")
    shown = one.n_docs if state.get("rank_whole") else min(one.n_docs, max(_TOP, depth or _TOP))
    doc = state.get("rank_doc")
    if doc is None or doc > one.n_docs:
        doc = int(next(x for x in lists if x.slot == run.slot).rows["doc"].iloc[0]) + 1
    pages = tuple(pages_of(screen, one))
    return Case(screen, whole, split, run, base, queries, place, one, pages, tuple(lists), shown, doc - 1)


def _by_slot(runs: Sequence[Run], slot: int | None) -> Run | None:
    return next((x for x in runs if x.slot == slot), None)


def _place(queries: pd.DataFrame) -> int:
    """Return the place of the query asked for, or the worst one's."""
    wanted = queries.index[queries["query"] == state.get("rank_query")]
    return int(wanted[0]) if len(wanted) else 0


def _query_labels(queries: pd.DataFrame, against: bool, screen: Screen) -> list[str]:
    texts = queries["query"].map(partial(query_text, screen))
    told = queries["difference"].map(signed) if against else queries["value"].map("{:.4f}".format)
    return list(texts + "   " + told)
