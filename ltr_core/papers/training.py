"""Systems trained on cuts of data, side by side on this machine's cores, and what they come to by query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import numba
import numpy as np
import pandas as pd

from .. import datasets
from ..algorithms import ALGORITHMS, Ranker
from ..data import RankingData, folds
from ..evaluation.verdicts import interval
from ..measures import Measure, measure
from ..params import Param
from ..threads import give_way
from .exhibit import System
from .progress import Progress

Cut = tuple[RankingData, RankingData, RankingData]  # training, validation, test
Trained = dict[tuple[str, int], Ranker]  # by system and number of the cut

DEPTHS = tuple(range(1, 11))
SEED = Param("seed", "int", 0, 0, 10_000, 1, help="The first seed: of the data, of the cut, of the training.")


def seeds_param(default: int = 1, most: int = 20) -> Param:
    """Return the parameter that counts seeds."""
    told = "How many seeds, each with data of its own; their queries count together."
    return Param("seeds", "int", default, 1, most, 1, help=told)


def queries_param(default: int, most: int = 5_000) -> Param:
    """Return the parameter that counts queries."""
    told = "Queries of the generated set, for training, validation and test together."
    return Param("n_queries", "int", default, 10, most, 10, help=told)


def rounds_param(default: int, most: int = 1_000) -> Param:
    """Return the parameter that counts rounds."""
    return Param("n_rounds", "int", default, 10, most, 10, help="Rounds of each training.")


def cuts_of(name: str, size: Mapping[str, Any], seed: int, seeds: int = 1, n_folds: int = 5) -> list[Cut]:
    """Return the folds of a generated set, for each seed one after the other."""
    cuts: list[Cut] = []
    for one in range(seed, seed + seeds):
        cuts += folds(datasets.make(name, one, **size), n_folds, seed=one)
    return cuts


def n_rounds_of(system: System) -> int:
    """Return how many rounds a system trains."""
    cls = ALGORITHMS[system.algorithm]
    params = {p.name: p.default for p in cls.all_params()} | dict(system.params)
    return int(params[cls.rounds_param] or 1) if cls.rounds_param else 1


def train(
    systems: Sequence[System],
    cuts: Sequence[Cut],
    progress: Progress,
    watch: Measure | str = "ndcg@5",
    in_full: Iterable[int] | None = (),
) -> Trained:
    """Train every system on every cut, following `watch` on validation, and return the models.

    The round of `predict(…, iteration="best")` is the best one on validation. `in_full` as for `Ranker.fit`:
    without further word, losses are taken at the last round only.
    """
    jobs = [(system, number) for system in systems for number in range(len(cuts))]
    models = train_each([(system, cuts[number]) for system, number in jobs], progress, watch, in_full)
    return {(system.name, number): model for (system, number), model in zip(jobs, models, strict=True)}


def train_each(
    jobs: Sequence[tuple[System, Cut]],
    progress: Progress,
    watch: Measure | str = "ndcg@5",
    in_full: Iterable[int] | None = (),
) -> list[Ranker]:
    """Train systems, each on a cut of its own, and return the models in their order."""
    progress.expect(sum(n_rounds_of(system) for system, _ in jobs))
    rounds = None if in_full is None else set(in_full)

    def fit(system: System, cut: Cut) -> Ranker:
        training, valid, _ = cut
        model = ALGORITHMS[system.algorithm](**system.params)
        model.fit(
            training,
            eval_set={"valid": valid},
            measures=[watch],
            on_round=progress.on_round,
            in_full=rounds,
            should_stop=progress.cancelled,
        )
        progress.advance(max(0, n_rounds_of(system) - model.n_iter_))  # those it did not need
        return model

    return side_by_side([partial(fit, *job) for job in jobs])


def side_by_side(work: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do several things on as many threads as there are cores; the first error ends all and is raised."""
    with ThreadPoolExecutor(numba.get_num_threads(), initializer=give_way) as threads:
        futures = [threads.submit(one) for one in work]
        _, left = wait(futures, return_when=FIRST_EXCEPTION)
        for future in left:
            future.cancel()
        failed = [f for f in futures if f.done() and not f.cancelled() and f.exception() is not None]
        for future in failed:
            future.result()
    return [future.result() for future in futures]


def per_query(
    trained: Trained, name: str, cuts: Sequence[Cut], measured: Measure, at: int | str | None = "best"
) -> np.ndarray:
    """Return a measure of every test query, all cuts one after the other."""
    values = []
    for number, (_, _, test) in enumerate(cuts):
        scores = trained[name, number].predict(test, iteration=at)
        values.append(measured.per_query(test.y, scores, test.offsets))
    return np.concatenate(values)


def by_depth(
    trained: Trained, name: str, cuts: Sequence[Cut], at: int | str | None = "best", **options: Any
) -> np.ndarray:
    """Return NDCG@1 … @10 of every test query: queries × depths."""
    measures = [measure(f"ndcg@{k}", **options) for k in DEPTHS]
    parts = []
    for number, (_, _, test) in enumerate(cuts):
        scores = trained[name, number].predict(test, iteration=at)
        parts.append([m.per_query(test.y, scores, test.offsets) for m in measures])
    return np.concatenate([np.array(part).T for part in parts])


def by_round(
    trained: Trained, name: str, cuts: Sequence[Cut], measured: Measure, rounds: Iterable[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a measure on test at rounds: of every query, and the mean over the cuts with its standard error.

    A model that has ended by then counts with its last round.
    """
    wanted, curves = sorted(set(rounds)), []
    for number, (_, _, test) in enumerate(cuts):
        bound, own = measured.on(test), {}
        for t, scores in enumerate(trained[name, number].staged_predict(test)):
            if t in wanted:
                own[t] = bound.per_query(scores)
            last = t
        if wanted[-1] > last:
            end = bound.per_query(scores)
            own |= {t: end for t in wanted if t > last}
        curves.append(np.array([own[t] for t in wanted]))
    means = np.array([curve.mean(axis=1) for curve in curves])
    error = (
        means.std(axis=0, ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.full(len(wanted), np.nan)
    )
    return np.concatenate(curves, axis=1), means.mean(axis=0), error


def best_on_validation(model: Ranker, name: str) -> float:
    """Return the best value of a measure on validation."""
    history = model.history_
    return float(history.loc[(history["split"] == "valid") & (history["measure"] == name), "value"].max())


def depth_frame(values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Return NDCG@1 … @10 of systems, as `by_depth` gives them, as lines to draw."""
    rows = [
        {"series": name, "x": k, "value": float(np.nanmean(own[:, k - 1]))}
        for name, own in values.items()
        for k in DEPTHS
    ]
    return pd.DataFrame(rows)


def difference_frame(values: Mapping[str, np.ndarray], baseline: str, scale: float = 1.0) -> pd.DataFrame:
    """Return mean differences per query to a baseline, with 95 % intervals, as bars to draw."""
    rows = []
    for name, own in values.items():
        if name != baseline:
            low, high = interval(scale * (own - values[baseline]))
            mean = scale * float(np.nanmean(own - values[baseline]))
            rows.append({"series": name, "value": mean, "low": low, "high": high})
    return pd.DataFrame(rows)


def counts_of(data: RankingData) -> dict[str, Any]:
    """Return what papers say of a data set: queries, documents, features, grades, pairs."""
    grades = np.unique(data.y)
    words = ", ".join(f"{g:g}" for g in grades) if len(grades) < 8 else f"{grades[0]:g} … {grades[-1]:g}"
    return {
        "queries": data.n_queries,
        "documents": data.n_docs,
        "features": data.n_features,
        "grades": words,
        "pairs": data.n_pairs,
    }


def pairs_of(data: RankingData) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of all pairs of a query with distinct grades, the preferred first."""
    better, worse = [], []
    for start, end in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        own = data.y[start:end]
        i, j = np.nonzero(own[:, None] > own[None, :])
        better.append(i + start)
        worse.append(j + start)
    return np.concatenate(better), np.concatenate(worse)
