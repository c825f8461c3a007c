"""Query by query: differences to the baseline, lists beside the ideal order, a score taken apart.

Lists are in the order of their scores; equal scores stay in file order, as a measure with `ties="file"`
counts them. All numbers are `ltr_core`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from ltr_core import ParameterError, RankingData
from ltr_core.evaluation.significance import TIE
from ltr_core.measures import Measure

from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from . import outcomes

IDEAL = -1  # the ideal order's place among the slots


def data_of(screen: Screen, split: str) -> RankingData:
    """Return the documents of a split."""
    assert screen.splits is not None  # there are no runs without data
    return screen.splits[split]


def with_scores(screen: Screen, split: str) -> Screen:
    """Return the screen without the rankings that were brought along and say nothing of a split."""

    def has(run: Run) -> bool:
        if run.own is None or not run.recipe.is_given:
            return True
        return not np.isnan(outcomes.scores(screen, run.own, split, 0)).any()

    return replace(screen, runs=tuple(filter(has, screen.runs)))


# All queries ------------------------------------------------------------------------------------------------


def differences(screen: Screen, run: Run, base: Run | None, split: str) -> pd.DataFrame:
    """Return a run's measure beside the baseline's for each query, worst first, at the rounds compared."""
    runs = [x.trained for x in (run, base) if x is not None]
    at = [outcomes.chosen_iteration(screen, training) for training in runs]
    data = data_of(screen, split)

    def compute() -> pd.DataFrame:
        given = [outcomes.scores(screen, training, split, t) for training, t in zip(runs, at, strict=True)]
        return worst_first(data, screen.measure, given[0], given[1] if base is not None else None)

    key = ("query differences", split, screen.measure, *((r.key, t) for r, t in zip(runs, at, strict=True)))
    return services().memo.make(key, compute, lambda frame: 100.0 * len(frame))


def worst_first(
    data: RankingData, measure: Measure, scores: np.ndarray, baseline: np.ndarray | None = None
) -> pd.DataFrame:
    """Return a row for each query, the worst first.

    Columns: query (its id), position (in the data), n_docs, value, baseline, difference (value - baseline, or
    the value itself without a baseline), outcome ("win", "tie", "loss", or "left out" of the measure).
    """
    bound = measure.on(data)
    value = bound.per_query(scores)
    base = np.zeros(data.n_queries) if baseline is None else bound.per_query(baseline)
    gain = (value - base) * (1 if measure.higher_is_better else -1)
    outcome = np.select([np.isnan(gain), gain > TIE, gain < -TIE], ["left out", "win", "loss"], default="tie")
    frame = pd.DataFrame(
        {
            "query": [str(q) for q in data.query_ids],
            "position": np.arange(data.n_queries),
            "n_docs": np.diff(data.offsets),
            "value": value,
            "baseline": base,
            "difference": value - base,
            "outcome": outcome,
        }
    )
    return sorted_worst_first(frame, measure)


def sorted_worst_first(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return rows of queries, the worst difference first; what is left out comes last."""
    gain = frame["difference"].to_numpy() * (1 if measure.higher_is_better else -1)
    order = np.lexsort((np.arange(len(gain)), np.where(np.isnan(gain), np.inf, gain)))
    return frame.iloc[order].reset_index(drop=True)


def counts(frame: pd.DataFrame) -> dict[str, int]:
    """Return how many queries are won, tied, lost, and left out by the measure's definition."""
    outcomes = frame["outcome"].value_counts()
    return {name: int(outcomes.get(name, 0)) for name in ("win", "tie", "loss", "left out")}


# One query --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    """One list: whose it is, at which round, the measure on this query, and the documents in order.

    `value` is the measure as defined; `as_listed` counts equal scores in the order on screen. `rows` has
    rank, doc (place in the query's file order, from 0), grade, score, tied, shift (ranks won).
    """

    slot: int
    name: str
    iteration: int | None
    n_iter: int
    value: float
    as_listed: float
    rows: pd.DataFrame


def query_lists(screen: Screen, split: str, position: int, at: int | None, against: str) -> list[Listed]:
    """Return the ideal order and each run's list of one query, the baseline first.

    `at` is a round, or None for each run's own round compared; `against` "baseline" or "ideal".
    """
    data = data_of(screen, split)
    one = data.select([position])
    rows = slice(data.offsets[position], data.offsets[position + 1])
    scored: list[tuple[Run | None, int | None, np.ndarray]] = [(None, None, one.y)]
    for run in screen.finished:
        t = round_of(screen, run.trained, at)
        scores = outcomes.scores(screen, run.trained, split, t)[rows]
        scored.append((run, None if run.recipe.is_given else t, scores))
    has_base = len(scored) > 1 and scored[1][0] is not None and scored[1][0].is_baseline
    reference = ranks_of(scored[1][2] if against == "baseline" and has_base else one.y)
    return [
        Listed(
            IDEAL if run is None else run.slot,
            "Ideal order" if run is None else run.name,
            t,
            0 if run is None else run.trained.model.n_iter_,
            value_of(screen.measure, one, scores),
            value_of(in_order(screen.measure), one, scores),
            ranked(one.y, scores, reference),
        )
        for run, t, scores in scored
    ]


def round_of(screen: Screen, training: Training, at: int | None) -> int:
    """Return the round at which a run's list is shown: the one asked for, or its last if sooner."""
    return outcomes.chosen_iteration(screen, training) if at is None else min(at, training.model.n_iter_)


def ranked(grades: np.ndarray, scores: np.ndarray, reference: np.ndarray) -> pd.DataFrame:
    """Return documents in the order of their scores: rank, doc, grade, score, tied, shift."""
    ranks = ranks_of(scores)
    order = np.argsort(ranks)
    _, same, n = np.unique(scores, return_inverse=True, return_counts=True)
    return pd.DataFrame(
        {
            "rank": ranks[order],
            "doc": order,
            "grade": grades[order],
            "score": scores[order],
            "tied": n[same][order] > 1,
            "shift": (reference - ranks)[order],
        }
    )


def ranks_of(scores: np.ndarray) -> np.ndarray:
    """Return each document's rank, the highest score's first; equal scores stay in file order."""
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks


def value_of(measure: Measure, one: RankingData, scores: np.ndarray) -> float:
    """Return a measure on a single query."""
    return float(measure.per_query(one.y, scores, one.offsets)[0])


def in_order(measure: Measure) -> Measure:
    """Return a measure that counts equal scores in file order, where it can."""
    return type(measure)(**{**measure.options, "ties": "file"}) if "ties" in measure.options else measure


def both_ranks(left: Listed, right: Listed) -> pd.DataFrame:
    """Return each document's rank in two lists: doc, grade, left, right, shift; in the right list's order."""
    here = right.rows[["doc", "grade", "rank"]].rename(columns={"rank": "right"})
    both = here.merge(left.rows[["doc", "rank"]].rename(columns={"rank": "left"}), on="doc")
    return both.assign(shift=both["left"] - both["right"])


def documents(one: RankingData, lists: Sequence[Listed], names: Sequence[str]) -> pd.DataFrame:
    """Return a row for each document of a query: name, grade, rank in each run's list, and all features."""
    frame = pd.DataFrame({"document": list(names), "grade": one.y})
    for listed in lists:
        if listed.slot != IDEAL:
            frame[f"rank, {listed.name}"] = listed.rows.set_index("doc")["rank"].sort_index().to_numpy()
    features = pd.DataFrame(np.asarray(one.X), columns=list(one.feature_names))
    return pd.concat([frame, features], axis=1)


# One score --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """A document's score taken apart by feature: base + contributions = score.

    `rows` has feature, value, contribution, mean (the contribution's, over the documents of the query), the
    largest first; None where the model is no sum over features. `iteration` is the round it is about.
    """

    iteration: int
    base: float
    score: float
    rows: pd.DataFrame | None


def by_feature(training: Training, one: RankingData, doc: int, iteration: int) -> Split:
    """Split a document's score after an iteration by feature; where only the last is kept, the last."""
    try:
        model = training.ranker.at(iteration)
    except ParameterError:
        model, iteration = training.ranker.at("last"), training.model.n_iter_
    score = float(training.model.predict(one, iteration=iteration)[doc])
    if not model.additive:
        return Split(iteration, 0.0, score, None)
    parts = model.explain(one)
    rows = pd.DataFrame(
        {
            "feature": list(one.feature_names),
            "value": one.X[doc].astype(float),
            "contribution": parts[doc],
            "mean": parts.mean(axis=0),
        }
    )
    rows = rows.iloc[np.argsort(-np.abs(parts[doc]), kind="stable")].reset_index(drop=True)
    return Split(iteration, float(model.base_), score, rows)


def by_round(
    training: Training, split: str, one: RankingData, position: int, doc: int, iteration: int
) -> pd.DataFrame:
    """Return what each round up to an iteration added to a document's score: iteration, added, score, by.

    `by` is the feature and threshold of the round's stump, where rounds are stumps. Iteration 0 adds what the
    untrained model says.
    """
    curve = services().memo.make(
        ("staged document", training.key, training.model.n_iter_, split, position, doc),
        lambda: np.array([scores[doc] for scores in training.model.staged_predict(one)]),
        lambda a: a.nbytes,
    )
    scores = curve[: iteration + 1]
    return pd.DataFrame(
        {
            "iteration": np.arange(len(scores)),
            "added": np.diff(scores, prepend=0.0),
            "score": scores,
            "by": _stumps(training, one)[: len(scores)],
        }
    )


def _stumps(training: Training, one: RankingData) -> list[str]:
    rounds = getattr(training.model, "rounds_", None)
    if not isinstance(rounds, pd.DataFrame) or not {"feature", "threshold"} <= set(rounds.columns):
        return [""] * (training.model.n_iter_ + 1)
    pairs = zip(rounds["feature"], rounds["threshold"], strict=True)
    return ["", *(f"{one.feature_names[int(k)]} > {threshold:.6g}" for k, threshold in pairs)]
