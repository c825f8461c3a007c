"""Loss and measure by round: of one training, and of runs. Every number comes from `ltr_core`.

A run of several trainings has the mean of their curves, with the standard deviation of a sample (n − 1); a
training that ended early keeps its last value, so that its curves are equally long. What has to be computed
is kept in a shared cache by training, measure and split: a rerun of the page computes nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import pandas as pd

from ltr_core import RankingData

from ..runs.catalog import Splits
from ..runs.jobs import curve as job_curve
from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training

_LIVE_POINTS = 300  # of a growing curve; the finished one has every round
_NEAR = 20  # times the rounds done: an axis that ends so far off holds a line that can be seen
_MOST_STAGES = 8e6  # bytes of a training's scores after all of its rounds, where they are kept
_NO_VALUES = np.empty(0)
How = ParamSpec("How")
Made = TypeVar("Made")


def splits_of(screen: Screen, training: Training | None = None) -> Splits:
    """Return the data of what is on screen, or those that one of its trainings was done on."""
    if training is not None and training.spec.data != screen.data:
        return services().splits(training.spec.data, screen.entry)
    assert screen.splits is not None  # there are no runs without data
    return screen.splits


def kept(make: Callable[Concatenate[Screen, How], Made]) -> Callable[Concatenate[Screen, How], Made]:
    """Keep what a function makes of a screen while its trainings are the same; it is not to be changed."""

    @wraps(make)
    def look_up(screen: Screen, *how: How.args, **named: How.kwargs) -> Made:
        key = (make.__module__, make.__name__, screen.stamp, *how, *named.items())
        return services().memo.make(key, lambda: make(screen, *how, **named), _weigh)

    return look_up


def _weigh(made: Any) -> float:
    return 16.0 * made.size if isinstance(made, pd.DataFrame) else 1.0 * len(made)


def loss_curve(training: Training, split: str) -> np.ndarray:
    """Return the loss after each iteration, the untrained model's first."""
    return training.curves.get((split, "loss"), _NO_VALUES)


def measure_curve(screen: Screen, training: Training, split: str) -> np.ndarray:
    """Return the chosen measure after each iteration, the untrained model's first."""
    measure = screen.measure
    if training.watched == screen.lens[0]:
        return training.curves.get((split, measure.name), _NO_VALUES)

    def compute() -> np.ndarray:
        data = splits_of(screen, training)[split]
        bound, staged = measure.on(data), stages(training, data, split)
        return np.array([np.nan if np.isnan(scores).any() else bound.mean(scores) for scores in staged])

    key = ("curve", training.key, training.model.n_iter_, split, screen.lens[0])
    return services().memo.make(key, compute, lambda a: a.nbytes)


def stages(training: Training, data: RankingData, split: str) -> Iterable[np.ndarray]:
    """Return the scores after each iteration: two thirds of a curve's time, and any measure's the same.

    Those of a small set are kept, for another depth or another definition.
    """
    model = training.model
    if 8.0 * data.n_docs * (model.n_iter_ + 1) > _MOST_STAGES:
        return model.staged_predict(data)
    key = (training.key, model.n_iter_, split)
    return services().stages.make(key, lambda: np.array(list(model.staged_predict(data))), lambda a: a.nbytes)


def stack(screen: Screen, run: Run, what: str, split: str) -> np.ndarray:
    """Return a run's curves, "loss" or "measure", a row for each training, all of one length."""

    def compute() -> np.ndarray:
        loss = what == "loss"
        rows = [loss_curve(t, split) if loss else measure_curve(screen, t, split) for t in run.trainings]
        length = max(map(len, rows))
        return np.array([np.pad(row, (0, length - len(row)), mode="edge") for row in rows])

    return services().memo.make(
        ("stack", run.stamp, screen.lens[0], what, split), compute, lambda a: a.nbytes
    )


def mean_curve(screen: Screen, run: Run, what: str, split: str) -> np.ndarray:
    """Return the mean of a run's curves."""
    return stack(screen, run, what, split).mean(0)


def means(screen: Screen, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return the means of rows, one for each training, and their deviation where there are several."""
    several = {"deviation": rows.std(0, ddof=1)} if screen.means else {}
    return {"value": rows.mean(0), **several}


@kept
def curves(screen: Screen, what: str, split: str, relative: bool = False) -> pd.DataFrame:
    """Return a curve for each run: columns slot, run, split, iteration, value.

    Where runs are trained several times also deviation, and a column for each training. `what` is "loss", or
    "measure" for the chosen one; `split` a split's name or "all"; with `relative` values are divided by the
    untrained model's.
    """
    parts = []
    splits = ("train", "valid", "test") if split == "all" else (split,)
    longest = max((stack(screen, r, what, splits[0]).shape[1] for r in screen.complete), default=0)
    for run in screen.complete:
        for name in splits:
            rows = stack(screen, run, what, name)
            if run.recipe.is_given and rows.shape[1]:  # the same beside every round of the others
                rows = np.repeat(rows, longest, axis=1)
            if relative and rows.shape[1] and rows[:, 0].all():
                rows = rows / rows[:, :1]
            each = {f"{screen.word} {i + 1}": row for i, row in enumerate(rows)} if screen.means else {}
            parts.append(_tidy(run.slot, run.name, name, {**means(screen, rows), **each}))
    return (
        pd.concat(parts, ignore_index=True) if parts else _tidy(-1, "", "", means(screen, np.empty((2, 0))))
    )


def _tidy(slot: int, run: str, split: str, values: dict[str, Any]) -> pd.DataFrame:
    n = len(values["value"])
    told = {name: pd.Series([text] * n, dtype=str) for name, text in (("run", run), ("split", split))}
    return pd.DataFrame({"slot": np.full(n, slot), **told, "iteration": np.arange(n), **values})


def live_curves(screen: Screen, what: str, split: str, relative: bool = False) -> pd.DataFrame:
    """Return as `curves` what there is so far: of a run under way the mean of its trainings, thinned."""
    name = "loss" if what == "loss" else screen.measure.name
    parts = [curves(screen, what, split, relative)]
    for run in screen.runs:
        if run.trainings:
            continue
        jobs = [(run.job, 0)] if run.own is None or len(run.specs) == 1 else []
        jobs += [(run.rest, number) for number in range(len(run.specs))] if len(run.specs) > 1 else []
        for one in ("train", "valid", "test") if split == "all" else (split,):
            grown = [job_curve(job, one, name, number) for job, number in jobs if job is not None]
            rows = pd.DataFrame([pd.Series(y, index=x, dtype=float) for x, y in grown if x])
            if rows.empty:
                continue
            rows = rows.iloc[
                :, sorted({*range(0, rows.shape[1], rows.shape[1] // _LIVE_POINTS + 1), rows.shape[1] - 1})
            ]
            if relative and rows.iloc[:, 0].all():
                rows = rows.div(rows.iloc[:, 0], axis=0)
            deviation = {"deviation": rows.std().fillna(0.0).to_numpy()} if screen.means else {}
            tidy = _tidy(run.slot, run.name, one, {"value": rows.mean().to_numpy(), **deviation})
            parts.append(tidy.assign(iteration=rows.columns.to_numpy()))
    order = {run.slot: place for place, run in enumerate(screen.runs)}
    frame = pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)
    return frame.sort_values("slot", key=lambda slots: slots.map(order), kind="stable", ignore_index=True)


def rounds_ahead(screen: Screen) -> int:
    """Return where the axis of rounds ends while something trains: at what is to come, unless that is far."""
    ends = [0]
    for run in screen.runs:
        for job, n_trainings in ((run.job, 1), (run.rest, len(run.specs))):
            if job is not None and not job.is_over and not run.recipe.values()["early_stopping"]:
                wished, done = job.n_rounds // n_trainings, job.iteration
                ends.append(wished if _NEAR * done >= wished else min(wished, 10 * max(10, done)))
    return max(ends)


def unmoved(screen: Screen) -> list[str]:
    """Return the names of the runs that come out the same from every seed."""
    still = [
        run for run in screen.complete if not np.ptp(stack(screen, run, "measure", "test"), axis=0).any()
    ]
    return [run.name for run in still]
