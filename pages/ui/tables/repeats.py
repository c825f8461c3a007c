"""Runs on every fold or from several seeds: mean curves with their deviation, and a test over all queries.

A run's value is the mean over folds (or seeds), as LETOR reports it, each at its own round compared;
deviations are standard deviations of a sample (n − 1). A training that ended early keeps its last value, so
that curves are equally long. The test is paired by query: over the test queries of all folds together, or,
from several seeds, over each query's mean. Only runs whose repetitions are all trained take part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.evaluation.evaluating import compare_values
from ltr_core.evaluation.significance import say

from ..runs import plan
from ..runs.jobs import curve as job_curve
from ..runs.plan import Group
from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from . import results
from .results import DEPTHS


@dataclass(frozen=True)
class Outcome:
    """What a run's repetitions came to: one value for each of them."""

    best: np.ndarray  # on validation
    at: np.ndarray
    last: np.ndarray  # on validation
    compared: np.ndarray
    test: np.ndarray
    rounds: np.ndarray
    per_query: np.ndarray  # of all folds' test queries; of each query's mean over the seeds


@dataclass(frozen=True)
class Repeated:
    """The runs of the workspace, each repeated."""

    screen: Screen
    groups: dict[int, Group]

    @property
    def n(self) -> int:
        """How often each run is trained."""
        return max((len(group.specs) for group in self.groups.values()), default=0)

    @property
    def word(self) -> str:
        """What is repeated."""
        return "folds" if self.screen.repeat == "folds" else "seeds"

    @property
    def runs(self) -> list[Run]:
        """Runs with all repetitions, the baseline first."""
        return [run for run in self.screen.finished if self.groups[run.slot].runs]

    @property
    def under_way(self) -> list[Run]:
        """Runs whose repetitions are being trained, or wait for it."""
        return [x for x in self.screen.runs if self.groups[x.slot].is_under_way or x in self.screen.under_way]


def read(screen: Screen) -> Repeated | None:
    """Return how far the repetitions are; None where runs are trained once."""
    if screen.repeat == "one" or screen.splits is None:
        return None
    return Repeated(screen, {run.slot: plan.group(run.repeats) for run in screen.runs})


def stack(seen: Repeated, run: Run, what: str, split: str) -> np.ndarray:
    """Return a run's curves, "loss" or "measure", a row for each repetition, all of one length."""
    screen, group = seen.screen, seen.groups[run.slot]

    def compute() -> np.ndarray:
        rows = [
            results.loss_curve(training, split)
            if what == "loss"
            else results.measure_curve(
                screen if training.watched == repr(screen.measure) else _at(screen, training), training, split
            )
            for training in group.runs
        ]
        length = max(map(len, rows))
        return np.array([np.pad(row, (0, length - len(row)), mode="edge") for row in rows])

    return _memo(seen, group, ("stack", what, split), compute)


def curves(seen: Repeated, what: str, split: str, relative: bool = False) -> pd.DataFrame:
    """Return mean curves: slot, run, split, iteration, value, deviation, and a column for each repetition."""
    parts = []
    for run in seen.runs:
        for name in ("train", "valid", "test") if split == "all" else (split,):
            rows = stack(seen, run, what, name)
            if relative and rows.shape[1] and rows[:, 0].all():
                rows = rows / rows[:, :1]
            told = {"slot": run.slot, "run": run.name, "split": name, "iteration": np.arange(rows.shape[1])}
            own = {f"{seen.word[:-1]} {i + 1}": row for i, row in enumerate(rows)}
            parts.append(
                pd.DataFrame({**told, "value": rows.mean(0), "deviation": rows.std(0, ddof=1), **own})
            )
    columns = ["slot", "run", "split", "iteration", "value", "deviation"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def live_curves(seen: Repeated, what: str, split: str) -> pd.DataFrame:
    """Return the curves so far: means of what is trained, and every training that grows, by iteration."""
    split = "test" if split == "all" and what != "loss" else "train" if split == "all" else split
    name = "loss" if what == "loss" else seen.screen.measure.name
    columns: dict[str, pd.Series] = {}
    for run in seen.screen.runs:
        group = seen.groups[run.slot]
        if group.runs and run.training is not None:
            columns[run.name] = pd.Series(stack(seen, run, what, split).mean(0))
            continue
        told = [(group.job, f"{split} {i}", f", {seen.word[:-1]} {i + 1}") for i in range(len(group.specs))]
        for job, key, more in [(run.job, split, ""), *told]:
            x, y = job_curve(job, key, name) if job is not None else ([], [])
            if x:
                columns[run.name + more] = pd.Series(y, index=x, dtype=float)
    return results.thin(pd.DataFrame(columns))


def outcome(seen: Repeated, run: Run) -> Outcome:
    """Return what a run's repetitions came to."""
    screen, group = seen.screen, seen.groups[run.slot]

    def compute() -> Outcome:
        rows, queries = [], []
        for training in group.runs:
            part = _at(screen, training)
            valid, test = (results.measure_curve(part, training, split) for split in ("valid", "test"))
            top, chosen = results.best_iteration(part, training), results.chosen_iteration(part, training)
            rows.append((valid[top], top, valid[-1], chosen, test[chosen], training.model.n_iter_))
            data, scores = results.splits_of(part).test, results.scores(part, training, "test", chosen)
            queries.append(screen.measure.per_query(data.y, scores, data.offsets))
        together = np.concatenate(queries) if seen.word == "folds" else np.mean(queries, axis=0)
        best, at, last, compared, test, rounds = map(np.array, zip(*rows, strict=True))
        return Outcome(best, at, last, compared, test, rounds, together)

    return _memo(seen, group, ("outcome", screen.score_at), compute)


def comparison(seen: Repeated) -> pd.DataFrame:
    """Return `ltr_core`'s comparison with the baseline over all queries, by slot; empty without one.

    `difference` is that of the runs' values: folds of unequal size count alike in it.
    """
    runs, measure = seen.runs, seen.screen.measure
    if len(runs) < 2 or not runs[0].is_baseline:
        return pd.DataFrame()
    found = {run.name: outcome(seen, run) for run in runs}
    base = runs[0].name

    def compute() -> pd.DataFrame:
        table = compare_values({name: one.per_query for name, one in found.items()}, measure, base)
        table["mean"] = [found[run.name].test.mean() for run in runs[1:]]
        table["difference"] = table["mean"] - found[base].test.mean()
        table["sentence"] = [
            say(
                str(row.Index),
                base,
                measure.label,
                row.difference,
                row.wins,
                row.n_queries,
                row.p_holm,
                measure.higher_is_better,
                row.ties,
                len(runs) > 2,
            )
            for row in table.itertuples()
        ]
        table.index = pd.Index([run.slot for run in runs[1:]], name="slot")
        return table

    keys = tuple((run.name, seen.groups[run.slot].key) for run in runs)
    return services().memo.make(("compare all", keys, measure, seen.screen.score_at), compute)


def run_table(seen: Repeated) -> pd.DataFrame:
    """Return a row for each run, as `results.run_table`: means, and `deviation` of the value on test.

    Rounds are given as texts, "9–21", where they differ between repetitions.
    """
    compared, rows = comparison(seen), []
    for run in seen.screen.runs:
        row: dict[str, Any] = {"slot": run.slot, "run": run.name, "state": _state(seen, run)}
        if run in seen.runs:
            one, group = outcome(seen, run), seen.groups[run.slot]
            row |= {
                "best": one.best.mean(),
                "at": _span(one.at),
                "last": one.last.mean(),
                "test": one.test.mean(),
                "deviation": one.test.std(ddof=1),
                "compared": _span(one.compared),
                "seconds": sum(training.seconds for training in group.runs),
                "rounds": _span(one.rounds),
                "ended": "",
                "from_store": group.job is None,
            }
            row |= {f"{seen.word[:-1]} {i + 1}": value for i, value in enumerate(one.test)}
        rows.append(row | results.compared_cells(compared, run.slot))
    return pd.DataFrame(rows).reindex(columns=[*results.COLUMNS, "deviation", *_own(rows, seen)])


def by_depth(seen: Repeated) -> pd.DataFrame:
    """Return the measure at depths 1 … 10 on test: slot, run, k, value (a mean) and deviation."""
    rows = []
    for run in seen.runs:
        group = seen.groups[run.slot]
        values = _memo(seen, group, ("depths", seen.screen.score_at), partial(_depths, seen.screen, group))
        for k, value, deviation in zip(DEPTHS, values.mean(0), values.std(0, ddof=1), strict=True):
            rows.append((run.slot, run.name, k, value, deviation))
    return pd.DataFrame(rows, columns=["slot", "run", "k", "value", "deviation"])


def best_points(seen: Repeated) -> pd.DataFrame:
    """Return the round compared of each repetition: slot, run, iteration."""
    rows = [(x.slot, x.name, int(at)) for x in seen.runs for at in sorted({*outcome(seen, x).compared})]
    return pd.DataFrame(rows, columns=["slot", "run", "iteration"])


def unmoved(seen: Repeated) -> list[str]:
    """Return the names of the runs that come out the same from every seed."""
    return [x.name for x in seen.runs if not np.ptp(stack(seen, x, "measure", "test"), axis=0).any()]


def _depths(screen: Screen, group: Group) -> np.ndarray:
    return np.array([results.depth_values(_at(screen, training), training) for training in group.runs])


def _at(screen: Screen, training: Training) -> Screen:
    """Return the view with the data that a repetition was trained on."""
    return replace(
        screen, data=training.spec.data, splits=services().splits(training.spec.data, screen.entry)
    )


def _memo(seen: Repeated, group: Group, what: tuple, compute: Callable[[], Any]) -> Any:
    return services().memo.make(("repeated", group.key, seen.screen.measure, *what), compute)


def _state(seen: Repeated, run: Run) -> str:
    group = seen.groups[run.slot]
    if run.state != "done" or group.runs:
        return "alone" if run.state == "stopped" else run.state
    states = {"cancelled": "rest", "failed": "rest", "done": "waiting"}
    return "waiting" if group.job is None else states.get(group.job.state, group.job.state)


def _span(numbers: np.ndarray) -> str:
    low, high = int(numbers.min()), int(numbers.max())
    return str(low) if low == high else f"{low}–{high}"


def _own(rows: list[dict[str, Any]], seen: Repeated) -> list[str]:
    return [f"{seen.word[:-1]} {i + 1}" for i in range(seen.n)] if rows else []
