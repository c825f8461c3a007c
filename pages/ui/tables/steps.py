"""Boosting on a handful of documents, laid open: lists, curves and the details of each round.

Every number comes from `ltr_core`: the model's own scores, its history, `round_details`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core import ALGORITHMS, RankingData
from ltr_core.datasets import DATASETS
from ltr_core.engines.stumps.ranker import StumpRanker
from ltr_core.engines.stumps.rounds import RoundDetails, round_details
from ltr_core.measures import Measure

from ..runs.services import services
from ..runs.specs import Settings, settings

N_ANEW = 20  # draws of the same queries that nobody learns from


@dataclass(frozen=True)
class Setup:
    """What is learnt from what: everything that the rounds depend on."""

    algorithm: str = "MPBoost"
    params: Settings = ()
    learn: str = "one"
    query: int = 1
    n_rounds: int = 30
    noise: float = 0.06
    seed: int = 0
    few: str = ""  # the fingerprint of other data than Tiny's


@dataclass(frozen=True, eq=False)
class Few:
    """A few queries of other data than Tiny, with a few `of` all features, and queries nobody learns from."""

    data: RankingData
    fresh: RankingData
    of: int


def setup_of(
    algorithm: str,
    params: Mapping[str, Any],
    learn: str,
    query: int,
    n_rounds: int,
    noise: float,
    seed: int,
    few: Few | None = None,
) -> Setup:
    """Return a setup with its parameters checked.

    A parameter that the page does not offer is as the paper has it: a calibrated distance has a mean of 1.
    """
    cls = ALGORITHMS[algorithm]
    papers = {p.name: p.unnamed for p in cls.params if p.was}
    checked = settings(cls.all_params(), {**papers, **params}, cls.label or algorithm)
    if few is None:
        return Setup(algorithm, checked, learn, query, n_rounds, noise, seed)
    mark = f"{few.data.fingerprint} {few.fresh.fingerprint}"
    return Setup(algorithm, checked, learn, query, n_rounds, few=mark)  # nothing is drawn


@dataclass(frozen=True, eq=False)
class Stage:
    """A training laid open.

    Attributes
    ----------
    data : RankingData
        What is learnt from: one query, or all.
    rows : slice
        The rows of the query on screen.
    lists : DataFrame
        For each round and document of that query: iteration, doc (a letter, the best grade first), row, name,
        grade, score, rank, shift (ranks won since the round before).
    curves : DataFrame
        iteration, panel ("loss" or "measure"), name, value, slot.
    """

    setup: Setup
    measure: Measure
    data: RankingData
    rows: slice
    model: StumpRanker
    lists: pd.DataFrame
    curves: pd.DataFrame
    _details: dict[int, RoundDetails] = field(default_factory=dict)

    @property
    def n_rounds(self) -> int:
        """How many rounds there are."""
        return self.model.n_iter_

    def details(self, t: int) -> RoundDetails:
        """Return a round laid open, from round 1 on."""
        if t not in self._details:
            self._details[t] = round_details(self.model, self.data, t)
        return self._details[t]

    def at(self, t: int) -> pd.DataFrame:
        """Return the list after round t, the first document first."""
        return self.lists[self.lists["iteration"] == t].sort_values("rank")

    def value(self, name: str, t: int) -> float:
        """Return a curve's value after round t."""
        rows = self.curves[(self.curves["name"] == name) & (self.curves["iteration"] == t)]
        return float(rows["value"].iloc[0])

    def curve(self, name: str) -> np.ndarray:
        """Return a curve from round 0 on."""
        return self.curves.loc[self.curves["name"] == name, "value"].to_numpy()


LEARNT, UNSEEN, MISORDER = "learnt from", "drawn anew", "misordered pairs"
FRESH = "on validation"  # in the place of what is drawn anew, where nothing is drawn


def loss_name(algorithm: str) -> str:
    """Return what the loss is called: where Theorem 1 holds, it is the bound."""
    cls = ALGORITHMS[algorithm]
    return "loss = Π Z" if issubclass(cls, StumpRanker) and cls.bounded else "loss"


def stage_of(setup: Setup, measure: Measure | str, few: Few | None = None) -> Stage:
    """Return a training laid open; the same one is trained once. `few` is what the setup was made with."""
    chosen = ltr.measure(measure)
    return services().memo.make(("stage", setup, chosen), lambda: _build(setup, chosen, few))


def _build(setup: Setup, measure: Measure, few: Few | None) -> Stage:
    everything = few.data if few else DATASETS["tiny"].make(setup.seed, noise=setup.noise)
    data = everything.select(_queries(setup, everything.n_queries))
    number = setup.query if setup.learn == "all" else 0
    rows = slice(int(data.offsets[number]), int(data.offsets[number + 1]))
    anew = few.fresh if few else drawn_anew(setup)
    model = ALGORITHMS[setup.algorithm](n_rounds=setup.n_rounds, **dict(setup.params))
    assert isinstance(model, StumpRanker)
    model.fit(data, eval_set={"anew": anew}, measures=(measure,))
    scores = np.array([s for s in model.staged_predict(data)])
    lists = _lists(data, rows, scores[:, rows])
    curves = _curves(model, data, measure, scores, FRESH if few else UNSEEN)
    return Stage(setup, measure, data, rows, model, lists, curves)


def _queries(setup: Setup, n_queries: int) -> list[int]:
    """Return the queries that are learnt from."""
    return list(range(n_queries)) if setup.learn == "all" else [setup.query]


def drawn_anew(setup: Setup) -> RankingData:
    """Return the queries learnt from with their pages' values drawn again and again: "query, draw i"."""
    queries = _queries(setup, DATASETS["tiny"].make().n_queries)
    seeds = range(setup.seed + 1, setup.seed + 1 + N_ANEW)
    draws = [DATASETS["tiny"].make(seed, noise=setup.noise).select(queries) for seed in seeds]
    qid = np.concatenate([[f"{q}, draw {i}" for q in draw.qid] for i, draw in enumerate(draws)])
    return RankingData(np.concatenate([d.X for d in draws]), np.concatenate([d.y for d in draws]), qid)


def _lists(data: RankingData, rows: slice, scores: np.ndarray) -> pd.DataFrame:
    grades = data.y[rows]
    n_rounds, n = len(scores) - 1, len(grades)
    assert data.doc_ids is not None  # the pages that are stepped through have names
    letters = np.empty(n, dtype=object)
    letters[np.argsort(-grades, kind="stable")] = list(ascii_uppercase[:n])
    ranks = np.empty((n_rounds + 1, n), dtype=np.int64)
    for t in range(n_rounds + 1):
        ranks[t, np.argsort(-scores[t], kind="stable")] = np.arange(1, n + 1)
    shifts = np.vstack([np.zeros(n, dtype=np.int64), -np.diff(ranks, axis=0)])
    own = {"doc": letters, "row": np.arange(rows.start, rows.stop), "name": data.doc_ids[rows].astype(object)}
    same = {name: np.tile(values, n_rounds + 1) for name, values in {**own, "grade": grades}.items()}
    changing = {"score": scores.ravel(), "rank": ranks.ravel(), "shift": shifts.ravel()}
    return pd.DataFrame({"iteration": np.repeat(np.arange(n_rounds + 1), n), **same, **changing})


def _curves(
    model: StumpRanker, data: RankingData, measure: Measure, scores: np.ndarray, fresh: str
) -> pd.DataFrame:
    history = model.history_.set_index(["split", "measure"]).sort_index()
    misorder = np.array([ltr.misorder(data.y, s, data.qid) for s in scores])

    def told(split: str, what: str) -> np.ndarray:
        return history.loc[(split, what), "value"].to_numpy()

    parts = [
        ("loss", loss_name(type(model).__name__), told("train", "loss"), 0),
        ("loss", MISORDER, misorder, 2),
        ("measure", LEARNT, told("train", measure.name), 4),
        ("measure", fresh, told("anew", measure.name), 1),
    ]
    frames = [
        pd.DataFrame({"iteration": range(len(y)), "panel": panel, "name": name, "value": y, "slot": slot})
        for panel, name, y, slot in parts
    ]
    return pd.concat(frames, ignore_index=True)


def pair_shares(stage: Stage, details: RoundDetails, after: bool) -> pd.DataFrame:
    """Return the pairs of the query on screen with their share of all weight, in percent.

    Columns better, worse (rows), page, over (letters), distance, margin, weight, share, side.
    """
    pairs = details.pairs
    weight = pairs["weight_after" if after else "weight"]
    inside = (pairs["better"] >= stage.rows.start) & (pairs["better"] < stage.rows.stop)
    letters = stage.at(0).set_index("row")["doc"]
    kept = pairs.loc[inside, ["better", "worse", "distance", "margin", "side"]]
    return kept.assign(
        page=letters[kept["better"]].to_numpy(),
        over=letters[kept["worse"]].to_numpy(),
        weight=weight[inside],
        share=100.0 * weight[inside] / weight.abs().sum(),
    )


def document_rows(stage: Stage, t: int) -> pd.DataFrame:
    """Return what round t does to each page of the query on screen, in the order after it.

    Columns rank, shift, doc, name, grade, value (of the stump's feature), before, added, after.
    """
    details, rows = stage.details(t), stage.at(t)
    at = rows["row"].to_numpy()
    before, after = details.scores_before[at], details.scores_after[at]
    value = stage.data.X[at, int(details.chosen["feature"])].astype(np.float64)
    return rows[["rank", "shift", "doc", "name", "grade"]].assign(
        value=value, before=before, added=after - before, after=after
    )
