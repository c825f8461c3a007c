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
from ..runs.services import services
from ..runs.store import Run
from ..runs.view import Line, View
from ..style.words import verdict

DEPTHS = tuple(range(1, 11))
COLUMNS = [
    "slot", "run", "state", "best", "at", "last", "test", "compared", "difference", "p", "better", "tied",
    "n_queries", "sentence", "seconds", "rounds", "ended", "from_store",
]  # fmt: skip
_LIVE_POINTS = 300  # of a growing curve; the finished one has every round


def curves(view: View, what: str, split: str, relative: bool = False) -> pd.DataFrame:
    """Return a curve for each run: columns slot, run, split, iteration, value.

    `what` is "loss", or "measure" for the chosen one; `split` a split's name or "all"; with `relative` values
    are divided by the untrained model's.
    """
    splits = ("train", "valid", "test") if split == "all" else (split,)
    parts = []
    for line in view.finished:
        for name in splits:
            values = (
                loss_curve(line.trained, name) if what == "loss" else measure_curve(view, line.trained, name)
            )
            if relative and len(values) and values[0]:
                values = values / values[0]
            parts.append(_tidy(line, name, np.arange(len(values)), values))
    return pd.concat(parts, ignore_index=True) if parts else _tidy(None, "", [], [])


def live_curves(view: View, what: str, split: str) -> pd.DataFrame:
    """Return the curves so far, one column for each run, finished ones included, by iteration."""
    split = "test" if split == "all" and what != "loss" else "train" if split == "all" else split
    columns: dict[str, pd.Series] = {}
    for line in view.lines:
        if line.run is not None:
            values = (
                loss_curve(line.trained, split)
                if what == "loss"
                else measure_curve(view, line.trained, split)
            )
            columns[line.name] = pd.Series(values)
        elif line.job is not None:
            x, y = job_curve(line.job, split, "loss" if what == "loss" else view.measure.name)
            columns[line.name] = pd.Series(y, index=x, dtype=float)
    return thin(pd.DataFrame(columns))


def thin(frame: pd.DataFrame) -> pd.DataFrame:
    """Return some of the rows of growing curves."""
    return frame.iloc[:: max(1, len(frame) // _LIVE_POINTS)]


def loss_curve(run: Run, split: str) -> np.ndarray:
    """Return the loss after each iteration, the untrained model's first."""
    return _history(run, split, "loss")


def measure_curve(view: View, run: Run, split: str) -> np.ndarray:
    """Return the chosen measure after each iteration, the untrained model's first."""
    measure = view.measure
    if run.watched == repr(measure):
        return _history(run, split, measure.name)
    data = splits_of(view)[split]

    def compute() -> np.ndarray:
        bound = measure.bind(data.y, data.offsets)
        return np.array([bound.mean(scores) for scores in run.model.staged_predict(data)])

    return services().memo.make(
        ("curve", run.key, run.model.n_iter_, split, measure), compute, lambda a: a.nbytes
    )


def scores(view: View, run: Run, split: str, iteration: int) -> np.ndarray:
    """Return a run's scores on a split after an iteration."""
    data = splits_of(view)[split]
    return services().memo.make(
        ("scores", run.key, split, iteration),
        lambda: run.model.predict(data, iteration=iteration),
        lambda a: a.nbytes,
    )


def chosen_iteration(view: View, run: Run) -> int:
    """Return the iteration that is compared on test: the best on validation, or the last."""
    return run.model.n_iter_ if view.score_at == "last" else best_iteration(view, run)


def best_iteration(view: View, run: Run) -> int:
    """Return the first iteration with the best value of the measure on validation."""
    values = measure_curve(view, run, "valid")
    signed = values if view.measure.higher_is_better else -values
    return int(np.nanargmax(signed)) if np.isfinite(signed).any() else run.model.n_iter_


def best_points(view: View) -> pd.DataFrame:
    """Return the rounds to mark: columns slot, run, iteration, and hollow.

    Each run's round compared; where that is the last, its best one on validation as well, hollow.
    """
    rows = []
    for line in view.finished:
        at, best = chosen_iteration(view, line.trained), best_iteration(view, line.trained)
        rows += [(line.slot, line.name, best, True)] if best != at else []
        rows += [(line.slot, line.name, at, False)]
    return pd.DataFrame(rows, columns=["slot", "run", "iteration", "hollow"])


def comparison(view: View) -> pd.DataFrame:
    """Return `ltr.compare` of the finished runs with the baseline on test, by slot; empty without one."""
    lines = [x for x in view.finished if x.run is not None]
    if len(lines) < 2 or not lines[0].is_baseline:
        return pd.DataFrame()
    at = [(x.slot, x.name, x.trained.key, chosen_iteration(view, x.trained)) for x in lines]
    test = splits_of(view).test

    def compute() -> pd.DataFrame:
        systems = {x.name: scores(view, x.trained, "test", a[3]) for x, a in zip(lines, at, strict=True)}
        table = ltr.compare(systems, test, view.measure, baseline=lines[0].name)
        table.index = pd.Index([x.slot for x in lines[1:]], name="slot")
        return table

    return services().memo.make(("compare", view.measure, *at), compute)


@dataclass(frozen=True)
class Headline:
    """The sentence that reads a comparison, what to make of it, and the run it is about."""

    sentence: str
    verdict: str
    slot: int


def headline(view: View) -> Headline | None:
    """Return the sentence on the best run beside the baseline; None while there is nothing to compare."""
    return read_headline(comparison(view), view.measure)


def read_headline(compared: pd.DataFrame, measure: Measure) -> Headline | None:
    """Return the sentence on the best run of a comparison; None without one."""
    if compared.empty:
        return None
    value = compared["mean"] if measure.higher_is_better else -compared["mean"]
    slot = value.idxmax() if value.notna().any() else compared.index[0]
    best = compared.loc[slot]
    return Headline(str(best["sentence"]), verdict(float(best["p_holm"]), int(best["n_queries"])), int(slot))


def run_table(view: View) -> pd.DataFrame:
    """Return a row for each run of the workspace, finished or not.

    Columns: slot, run, state, best (on validation) and at which round, last (on validation), test and the
    round compared, difference, p, better, tied, n_queries, sentence, seconds, rounds, ended, from_store.
    """
    compared = comparison(view)
    rows = []
    for line in view.lines:
        row: dict[str, Any] = {"slot": line.slot, "run": line.name, "state": line.state}
        if line.run is not None:
            valid = measure_curve(view, line.trained, "valid")
            best, compared_at = best_iteration(view, line.trained), chosen_iteration(view, line.trained)
            row |= {
                "best": valid[best],
                "at": best,
                "last": valid[-1],
                "compared": compared_at,
                "test": measure_curve(view, line.trained, "test")[compared_at],
                "seconds": line.trained.seconds,
                "rounds": line.trained.model.n_iter_,
                "ended": line.trained.model.stopped_,
                "from_store": line.from_store,
            }
        rows.append(row | compared_cells(compared, line.slot))
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


def by_depth(view: View) -> pd.DataFrame:
    """Return the measure at depths 1 … 10 on test (NDCG where it has no depth): slot, run, k, value."""
    rows = []
    for line in view.finished:
        values = depth_values(view, line.trained)
        rows += [(line.slot, line.name, k, value) for k, value in zip(DEPTHS, values, strict=True)]
    return pd.DataFrame(rows, columns=["slot", "run", "k", "value"])


def depth_values(view: View, run: Run) -> list[float]:
    """Return a run's measure at depths 1 … 10 on test, at the round compared."""
    base, at = depth_measure(view.measure), chosen_iteration(view, run)

    def compute() -> list[float]:
        test, given = splits_of(view).test, scores(view, run, "test", at)
        return [type(base)(**{**base.options, "k": k}).mean(test.y, given, test.offsets) for k in DEPTHS]

    return services().memo.make(("depths", run.key, at, base), compute)


def depth_measure(measure: Measure) -> Measure:
    """Return the measure itself where it looks at the first k documents, and NDCG where it does not."""
    return measure if "k" in measure.options else ltr.measure("ndcg@10")


def _history(run: Run, split: str, name: str) -> np.ndarray:
    return run.curves.get((split, name), np.empty(0))


def splits_of(view: View) -> Splits:
    """Return the data of what is on screen."""
    assert view.splits is not None  # there are no runs without data
    return view.splits


def _tidy(line: Line | None, split: str, x: Any, y: Any) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "slot": np.full(len(x), -1 if line is None else line.slot, dtype=int),
            "run": pd.Series([line.name if line else ""] * len(x), dtype=str),
            "split": pd.Series([split] * len(x), dtype=str),
            "iteration": np.asarray(x, dtype=int),
            "value": np.asarray(y, dtype=float),
        }
    )
