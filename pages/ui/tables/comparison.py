"""Runs beside the baseline: the paired test over the test queries, its sentence, and the run table.

The test is paired by query: over the test queries of all folds together, or, from several seeds, over each
query's mean. Only runs with all their trainings take part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ltr_core.evaluation.evaluating import compare_values
from ltr_core.evaluation.significance import say

from ..runs.screens import Run, Screen
from ..runs.services import services
from ..style.words import stopped_name, verdict
from .curves import kept, splits_of
from .outcomes import chosen_iteration, outcome, scores

_DRAWN = 100_000  # random signs: a p of a half is known to ± 0.003
COLUMNS = [
    "slot", "run", "state", "best", "at", "last", "test", "compared", "difference", "p", "better", "tied",
    "n_queries", "sentence", "p_random", "p_error", "seconds", "wall", "rounds", "ended", "from_store",
]  # fmt: skip
_COMPARED = {"difference": "difference", "p": "p_holm", "better": "wins", "tied": "ties"}
_COMPARED |= {name: name for name in ("n_queries", "sentence", "p_random", "p_error")}


def comparison(screen: Screen) -> pd.DataFrame:
    """Return `ltr_core`'s comparison of the runs with the baseline on test, by slot; empty without one.

    Of several trainings `difference` is that of the runs' values: folds of unequal size count alike in it.
    """
    runs, measure = screen.complete, screen.measure
    if len(runs) < 2 or not runs[0].is_baseline:
        return pd.DataFrame()

    def compute() -> pd.DataFrame:
        base, others = runs[0], runs[1:]
        names = _as_trained(runs)
        values = {name: _per_query(screen, run) for name, run in zip(names, runs, strict=True)}
        table = compare_values(values, measure, names[0], _DRAWN)
        table["p_error"] = 1.96 * (table["p_random"] * (1.0 - table["p_random"]) / _DRAWN) ** 0.5
        if screen.means:
            table["mean"] = [outcome(screen, run).test.mean() for run in others]
            table["difference"] = table["mean"] - outcome(screen, base).test.mean()
            label, up, several = measure.label, measure.higher_is_better, len(others) > 1
            columns = (table[c] for c in ("difference", "wins", "n_queries", "p_holm", "ties", "needed"))
            table["sentence"] = [
                say(str(name), names[0], label, delta, wins, n, p, up, ties, several, needed)
                for name, delta, wins, n, p, ties, needed in zip(table.index, *columns, strict=True)
            ]
        table.index = pd.Index([run.slot for run in others], name="slot")
        return table

    key = ("compare", screen.lens, screen.repeat, tuple((run.slot, run.name, run.stamp) for run in runs))
    return services().memo.make(key, compute)


def _as_trained(runs: list[Run]) -> list[str]:
    """Return the runs' names; one that was stopped is called by what it had, not by what was wished for."""
    names = [as_trained(run) for run in runs]
    return names if len(set(names)) == len(names) else [run.name for run in runs]


def as_trained(run: Run) -> str:
    """Return a run's name; of one that was stopped with the rounds that it had."""
    if len(run.trainings) == 1 and run.trainings[0].model.stopped_ == "cancelled":
        return stopped_name(run.name, run.recipe, run.trainings[0].model.n_iter_)
    return run.name


def _per_query(screen: Screen, run: Run) -> np.ndarray:
    """Return the measure of all folds' test queries, or of each query its mean over the seeds."""
    values = []
    for training in run.trainings:
        test, at = splits_of(screen, training).test, chosen_iteration(screen, training)
        values.append(screen.measure.per_query(test.y, scores(screen, training, "test", at), test.offsets))
    return np.concatenate(values) if screen.repeat == "folds" else np.mean(values, axis=0)


@dataclass(frozen=True)
class Reading:
    """The sentence that reads a comparison, what to make of it, and the run it is about."""

    sentence: str
    verdict: str
    slot: int


def read(screen: Screen) -> Reading | None:
    """Return the sentence on the best run beside the baseline; None while there is nothing to compare."""
    compared = comparison(screen)
    if compared.empty:
        return None
    value = compared["mean"] if screen.measure.higher_is_better else -compared["mean"]
    slot = value.idxmax() if value.notna().any() else compared.index[0]
    best = compared.loc[slot]
    return Reading(str(best["sentence"]), verdict(float(best["p_holm"]), int(best["n_queries"])), int(slot))


def headlined(screen: Screen) -> int | None:
    """Return the slot of the run that the headline names; None while it names none."""
    reading = read(screen)
    return None if reading is None else reading.slot


@kept
def run_table(screen: Screen) -> pd.DataFrame:
    """Return a row for each run of the workspace, finished or not.

    Columns: slot, run, state, best (on validation) and at which round, last (on validation), test and the
    round compared, difference, p, better, tied, n_queries, sentence, p_random (of the randomisation test,
    without Holm's correction) and how far it may be off, p_error, seconds (of the training's own thread),
    wall, rounds, ended, from_store.

    Where runs are trained several times the values are means, and there are the `deviation` of the value on
    test and a column for each training; rounds are given as texts, "9–21", where they differ.
    """
    compared = comparison(screen)
    columns, rows = list(COLUMNS), []
    if screen.means:
        n = max((len(run.specs) for run in screen.runs), default=0)
        columns += ["deviation", *(f"{screen.word} {i + 1}" for i in range(n))]
    for run in screen.runs:
        row: dict[str, Any] = {"slot": run.slot, "run": run.name, "state": run.standing.value}
        if run.trainings:
            row |= _came_to(screen, run)
        if run.slot in compared.index:
            row |= {name: compared.loc[run.slot, column] for name, column in _COMPARED.items()}
        rows.append(row)
    return pd.DataFrame(rows, columns=columns)


def _came_to(screen: Screen, run: Run) -> dict[str, Any]:
    one, trainings = outcome(screen, run), run.trainings
    cells = {
        "best": one.best.mean(),
        "at": _span(screen, one.at),
        "last": one.last.mean(),
        "test": one.test.mean(),
        "compared": _span(screen, one.compared),
        "seconds": np.nan if run.recipe.is_given else sum(one.comparable_seconds for one in trainings),
        "wall": np.nan if run.recipe.is_given else sum(one.seconds for one in trainings),
        "rounds": _span(screen, np.array([training.model.n_iter_ for training in trainings])),
        "ended": "" if screen.means else trainings[0].model.stopped_,
        "from_store": run.from_store,
    }
    if screen.means:
        cells["deviation"] = one.test.std(ddof=1)
        cells |= {f"{screen.word} {i + 1}": value for i, value in enumerate(one.test)}
    return cells


def _span(screen: Screen, rounds: np.ndarray) -> Any:
    """Return the round of one training as a number, those of several as a text."""
    low, high = int(rounds.min()), int(rounds.max())
    if not screen.means:
        return low
    return str(low) if low == high else f"{low}–{high}"
