"""What a worker thread does for a run, one training after another: plain Python, no Streamlit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ltr_core import ALGORITHMS
from ltr_core.measures import Measure

from .catalog import Splits
from .jobs import Job
from .specs import DataSpec, Recipe, RunSpec
from .store import Store, Training


def work_for(
    specs: Sequence[RunSpec], data: Callable[[DataSpec], Splits], watch: Measure, store: Store, n_rounds: int
) -> Callable[[Job], tuple[Training, ...]]:
    """Return the work of training one spec after another.

    What is finished goes to the store. Stop ends the work: the training it meets is the last of the result
    and does not. `data` is called by the worker, `watch` is followed by round and watched by early stopping,
    `n_rounds` is what a training takes at most. The job's curves are kept apart by the number of the spec.
    """

    def work(job: Job) -> tuple[Training, ...]:
        trainings: list[Training] = []
        for number, spec in enumerate(specs):
            on_round = partial(job.on_round, number=number, before=number * n_rounds)
            training = _train(spec, data(spec.data), watch, on_round)
            part = training.model.stopped_ == "cancelled"
            trainings.append(training if part else store.put(training))
            if part or job.cancelled.is_set():
                break
        return tuple(trainings)

    return work


def n_rounds_of(recipe: Recipe, splits: Callable[[], Splits]) -> int:
    """Return how many rounds a training takes at most; the data are only asked where it depends on them."""
    rounds = ALGORITHMS[recipe.algorithm].rounds_param
    wanted = recipe.values()[rounds] if rounds else 1
    return splits().train.n_features if wanted is None else wanted  # None: a round for each feature


def _train(spec: RunSpec, parts: Splits, watch: Measure, on_round: Callable[[Any], bool]) -> Training:
    model = ALGORITHMS[spec.recipe.algorithm](**dict(spec.recipe.params))
    started = time.perf_counter()
    others = {"valid": parts.valid, "test": parts.test}
    model.fit(parts.train, eval_set=others, measures=(watch,), on_round=on_round)
    return Training(spec, model, time.perf_counter() - started, repr(watch))
