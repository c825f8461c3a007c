"""What trainings came to: the rounds to look at, and the values of the measure there.

A run's value is the mean over its trainings, as LETOR reports it, each at its own round compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core.measures import Measure

from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from .curves import kept, means, measure_curve, splits_of

DEPTHS = tuple(range(1, 11))


@dataclass(frozen=True)
class Outcome:
    """What a run's trainings came to: one value for each of them."""

    best: np.ndarray  # on validation
    at: np.ndarray  # the round of the best
    last: np.ndarray  # on validation
    compared: np.ndarray  # the round compared
    test: np.ndarray  # at the round compared


def outcome(screen: Screen, run: Run) -> Outcome:
    """Return what a run's trainings came to."""

    def compute() -> Outcome:
        rows = []
        for training in run.trainings:
            valid, test = (measure_curve(screen, training, split) for split in ("valid", "test"))
            at, compared = best_iteration(screen, training), chosen_iteration(screen, training)
            rows.append((valid[at], at, valid[-1], compared, test[compared]))
        return Outcome(*map(np.array, zip(*rows, strict=True)))

    return services().memo.make(("outcome", run.stamp, screen.lens), compute)


def scores(screen: Screen, training: Training, split: str, iteration: int) -> np.ndarray:
    """Return a training's scores on a split after an iteration."""

    def compute() -> np.ndarray:
        return training.model.predict(splits_of(screen, training)[split], iteration=iteration)

    return services().memo.make(("scores", training.key, split, iteration), compute, lambda a: a.nbytes)


def chosen_iteration(screen: Screen, training: Training) -> int:
    """Return the iteration that is compared on test: the best on validation, or the last."""
    return training.model.n_iter_ if screen.score_at == "last" else best_iteration(screen, training)


def best_iteration(screen: Screen, training: Training) -> int:
    """Return the first iteration with the best value of the measure on validation."""
    values = measure_curve(screen, training, "valid")
    signed = values if screen.measure.higher_is_better else -values
    return int(np.nanargmax(signed)) if np.isfinite(signed).any() else training.model.n_iter_


@kept
def best_points(screen: Screen) -> pd.DataFrame:
    """Return the rounds to mark: columns slot, run, iteration, and hollow.

    Each training's round compared; of a run that is trained once also its best one on validation, hollow,
    where that is another.
    """
    rows = []
    for run in screen.complete:
        one = outcome(screen, run)
        marks = [(int(at), False) for at in sorted({*one.compared})]
        if not screen.means and one.at[0] != one.compared[0]:
            marks.insert(0, (int(one.at[0]), True))
        rows += [(run.slot, run.name, *mark) for mark in marks]
    return pd.DataFrame(rows, columns=["slot", "run", "iteration", "hollow"])


@kept
def by_depth(screen: Screen) -> pd.DataFrame:
    """Return the measure at depths 1 … 10 on test (NDCG where it has no depth): slot, run, k, value.

    Where runs are trained several times, values are means, and there is their deviation.
    """
    columns = ["slot", "run", "k", "value", *(["deviation"] if screen.means else [])]
    rows: list[tuple] = []
    for run in screen.complete:
        rounds = outcome(screen, run).compared
        each = np.array([_at_depths(screen, *one) for one in zip(run.trainings, rounds, strict=True)])
        rows += [
            (run.slot, run.name, *row) for row in zip(DEPTHS, *means(screen, each).values(), strict=True)
        ]
    return pd.DataFrame(rows, columns=columns)


def _at_depths(screen: Screen, training: Training, at: int) -> list[float]:
    """Return a training's measure at depths 1 … 10 on test, at a round."""
    base = depth_measure(screen.measure)

    def compute() -> list[float]:
        test, given = splits_of(screen, training).test, scores(screen, training, "test", at)
        return [type(base)(**{**base.options, "k": k}).mean(test.y, given, test.offsets) for k in DEPTHS]

    return services().memo.make(("depths", training.key, at, base), compute)


def depth_measure(measure: Measure) -> Measure:
    """Return the measure itself where it looks at the first k documents, and NDCG where it does not."""
    return measure if "k" in measure.options else ltr.measure("ndcg@10")
