"""All folds of a comparison, one by one: each with its own data and, of every run, its own model."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from ..runs.screens import Run, Screen
from ..runs.status import Status
from .curves import splits_of
from .queries import differences, sorted_worst_first


def folds_of(screen: Screen) -> list[Screen]:
    """Return the screen of each fold, with the runs that are trained on all of them; none without folds."""
    if screen.repeat != "folds" or not screen.complete:
        return []
    return [_fold(screen, number) for number in range(len(screen.complete[0].specs))]


def _fold(screen: Screen, number: int) -> Screen:
    runs = []
    for run in screen.runs:
        if run.trainings:
            spec, own = run.specs[number], run.trainings[number]
            once = replace(run, spec=spec, specs=(spec,), key=spec.key, own=own, trainings=(own,), rest=None)
            runs.append(replace(once, status=Status.DONE))
    first = screen.complete[0].trainings[number]
    data, splits = first.spec.data, splits_of(screen, first)
    return replace(screen, data=data, splits=splits, runs=tuple(runs), repeat="one")


def pooled_differences(folds: list[Screen], run: Run, base: Run | None) -> pd.DataFrame:
    """Return the test queries of all folds, worst first, each by its own fold's models.

    Columns as `queries.differences` gives them, and fold, the place of its fold. Ids that several folds have
    tell their fold.
    """
    parts = []
    for number, fold in enumerate(folds):
        runs = {one.slot: one for one in fold.runs}
        other = None if base is None else runs[base.slot]
        parts.append(differences(fold, runs[run.slot], other, "test").assign(fold=number))
    frame = pd.concat(parts, ignore_index=True)
    twice = frame["query"].duplicated(keep=False)
    told = [f"{query} (fold {fold + 1})" for query, fold in zip(frame["query"], frame["fold"], strict=True)]
    frame["query"] = frame["query"].where(~twice, told)
    return sorted_worst_first(frame, folds[0].measure)
