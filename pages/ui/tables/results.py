"""From runs, data and a measure to tidy tables. Every number comes from `ltr_core`, no formula stands here.

Results are kept in a shared cache by run, measure and data: a rerun of the page computes nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core.measures import Measure

from ..runs.catalog import Splits
from ..runs.jobs import curve as job_curve
from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from ..style.words import verdict

DEPTHS = tuple(range(1, 11))
COLUMNS = [
    "slot", "run", "state", "best", "at", "last", "test", "compared", "difference", "p", "better", "tied",
    "n_queries", "sentence", "seconds", "rounds", "ended", "from_store",
]  # fmt: skip
_LIVE_POINTS = 300  # of a growing curve; the finished one has every round


def curves(screen: Screen, what: str, split: str, relative: bool = False) -> pd.DataFrame:
    """Return a curve for each run: columns slot, run, split, iteration, value.

    `what` is "loss", or "measure" for the chosen one; `split` a split's name or "all"; with `relative` values
    are divided by the untrained model's.
    """
    splits = ("train", "valid", "test") if split == "all" else (split,)
    parts = []
    for run in screen.finished:
        for name in splits:
            values = (
                loss_curve(run.trained, name) if what == "loss" else measure_curve(screen, run.trained, name)
            )
            if relative and len(values) and values[0]:
                values = values / values[0]
            parts.append(_tidy(run, name, np.arange(len(values)), values))
    return pd.concat(parts, ignore_index=True) if parts else _tidy(None, "", [], [])


def live_curves(screen: Screen, what: str, split: str) -> pd.DataFrame:
    """Return the curves so far, one column for each run, finished ones included, by iteration."""
    split = "test" if split == "all" and what != "loss" else "train" if split == "all" else split
    columns: dict[str, pd.Series] = {}
    for run in screen.runs:
        if run.training is not None:
            values = (
                loss_curve(run.trained, split)
                if what == "loss"
                else measure_curve(screen, run.trained, split)
            )
            columns[run.name] = pd.Series(values)
        elif run.job is not None:
            x, y = job_curve(run.job, split, "loss" if what == "loss" else screen.measure.name)
            columns[run.name] = pd.Series(y, index=x, dtype=float)
    return thin(pd.DataFrame(columns))


def thin(frame: pd.DataFrame) -> pd.DataFrame:
    """Return some of the rows of growing curves."""
    return frame.iloc[:: max(1, len(frame) // _LIVE_POINTS)]


def loss_curve(training: Training, split: str) -> np.ndarray:
    """Return the loss after each iteration, the untrained model's first."""
    return _history(training, split, "loss")


def measure_curve(screen: Screen, training: Training, split: str) -> np.ndarray:
    """Return the chosen measure after each iteration, the untrained model's first."""
    measure = screen.measure
    if training.watched == repr(measure):
        return _history(training, split, measure.name)
    data = splits_of(screen)[split]

    def compute() -> np.ndarray:
        bound = measure.bind(data.y, data.offsets)
        return np.array([bound.mean(scores) for scores in training.model.staged_predict(data)])

    return services().memo.make(
        ("curve", training.key, training.model.n_iter_, split, measure), compute, lambda a: a.nbytes
    )


def scores(screen: Screen, training: Training, split: str, iteration: int) -> np.ndarray:
    """Return a run's scores on a split after an iteration."""
    data = splits_of(screen)[split]
    return services().memo.make(
        ("scores", training.key, split, iteration),
        lambda: training.model.predict(data, iteration=iteration),
        lambda a: a.nbytes,
    )


def chosen_iteration(screen: Screen, training: Training) -> int:
    """Return the iteration that is compared on test: the best on validation, or the last."""
    return training.model.n_iter_ if screen.score_at == "last" else best_iteration(screen, training)


def best_iteration(screen: Screen, training: Training) -> int:
    """Return the first iteration with the best value of the measure on validation."""
    values = measure_curve(screen, training, "valid")
    signed = values if screen.measure.higher_is_better else -values
    return int(np.nanargmax(signed)) if np.isfinite(signed).any() else training.model.n_iter_


def best_points(screen: Screen) -> pd.DataFrame:
    """Return the rounds to mark: columns slot, run, iteration, and hollow.

    Each run's round compared; where that is the last, its best one on validation as well, hollow.
    """
    rows = []
    for run in screen.finished:
        at, best = chosen_iteration(screen, run.trained), best_iteration(screen, run.trained)
        rows += [(run.slot, run.name, best, True)] if best != at else []
        rows += [(run.slot, run.name, at, False)]
    return pd.DataFrame(rows, columns=["slot", "run", "iteration", "hollow"])


def comparison(screen: Screen) -> pd.DataFrame:
    """Return `ltr.compare` of the finished runs with the baseline on test, by slot; empty without one."""
    runs = [x for x in screen.finished if x.training is not None]
    if len(runs) < 2 or not runs[0].is_baseline:
        return pd.DataFrame()
    at = [(x.slot, x.name, x.trained.key, chosen_iteration(screen, x.trained)) for x in runs]
    test = splits_of(screen).test

    def compute() -> pd.DataFrame:
        systems = {x.name: scores(screen, x.trained, "test", a[3]) for x, a in zip(runs, at, strict=True)}
        table = ltr.compare(systems, test, screen.measure, baseline=runs[0].name)
        table.index = pd.Index([x.slot for x in runs[1:]], name="slot")
        return table

    return services().memo.make(("compare", screen.measure, *at), compute)


@dataclass(frozen=True)
class Headline:
    """The sentence that reads a comparison, what to make of it, and the run it is about."""

    sentence: str
    verdict: str
    slot: int


def headline(screen: Screen) -> Headline | None:
    """Return the sentence on the best run beside the baseline; None while there is nothing to compare."""
    return read_headline(comparison(screen), screen.measure)


def read_headline(compared: pd.DataFrame, measure: Measure) -> Headline | None:
    """Return the sentence on the best run of a comparison; None without one."""
    if compared.empty:
        return None
    value = compared["mean"] if measure.higher_is_better else -compared["mean"]
    slot = value.idxmax() if value.notna().any() else compared.index[0]
    best = compared.loc[slot]
    return Headline(str(best["sentence"]), verdict(float(best["p_holm"]), int(best["n_queries"])), int(slot))


def run_table(screen: Screen) -> pd.DataFrame:
    """Return a row for each run of the workspace, finished or not.

    Columns: slot, run, state, best (on validation) and at which round, last (on validation), test and the
    round compared, difference, p, better, tied, n_queries, sentence, seconds, rounds, ended, from_store.
    """
    compared = comparison(screen)
    rows = []
    for run in screen.runs:
        row: dict[str, Any] = {"slot": run.slot, "run": run.name, "state": run.state}
        if run.training is not None:
            valid = measure_curve(screen, run.trained, "valid")
            best, compared_at = best_iteration(screen, run.trained), chosen_iteration(screen, run.trained)
            row |= {
                "best": valid[best],
                "at": best,
                "last": valid[-1],
                "compared": compared_at,
                "test": measure_curve(screen, run.trained, "test")[compared_at],
                "seconds": run.trained.seconds,
                "rounds": run.trained.model.n_iter_,
                "ended": run.trained.model.stopped_,
                "from_store": run.from_store,
            }
        rows.append(row | compared_cells(compared, run.slot))
    return pd.DataFrame(rows, columns=COLUMNS)


def compared_cells(compared: pd.DataFrame, slot: int) -> dict[str, Any]:
    """Return what a comparison says of a run; nothing of the baseline."""
    if slot not in compared.index:
        return {}
    one = compared.loc[slot]
    return {
        "difference": one["difference"],
        "p": one["p_holm"],
        "better": one["wins"],
        "tied": one["ties"],
        "n_queries": one["n_queries"],
        "sentence": one["sentence"],
    }


def by_depth(screen: Screen) -> pd.DataFrame:
    """Return the measure at depths 1 … 10 on test (NDCG where it has no depth): slot, run, k, value."""
    rows = []
    for run in screen.finished:
        values = depth_values(screen, run.trained)
        rows += [(run.slot, run.name, k, value) for k, value in zip(DEPTHS, values, strict=True)]
    return pd.DataFrame(rows, columns=["slot", "run", "k", "value"])


def depth_values(screen: Screen, training: Training) -> list[float]:
    """Return a run's measure at depths 1 … 10 on test, at the round compared."""
    base, at = depth_measure(screen.measure), chosen_iteration(screen, training)

    def compute() -> list[float]:
        test, given = splits_of(screen).test, scores(screen, training, "test", at)
        return [type(base)(**{**base.options, "k": k}).mean(test.y, given, test.offsets) for k in DEPTHS]

    return services().memo.make(("depths", training.key, at, base), compute)


def depth_measure(measure: Measure) -> Measure:
    """Return the measure itself where it looks at the first k documents, and NDCG where it does not."""
    return measure if "k" in measure.options else ltr.measure("ndcg@10")


def _history(training: Training, split: str, name: str) -> np.ndarray:
    return training.curves.get((split, name), np.empty(0))


def splits_of(screen: Screen) -> Splits:
    """Return the data of what is on screen."""
    assert screen.splits is not None  # there are no runs without data
    return screen.splits


def _tidy(run: Run | None, split: str, x: Any, y: Any) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "slot": np.full(len(x), -1 if run is None else run.slot, dtype=int),
            "run": pd.Series([run.name if run else ""] * len(x), dtype=str),
            "split": pd.Series([split] * len(x), dtype=str),
            "iteration": np.asarray(x, dtype=int),
            "value": np.asarray(y, dtype=float),
        }
    )
