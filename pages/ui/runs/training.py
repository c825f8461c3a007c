"""What a worker thread does for a run, or for several one after another: plain Python, no Streamlit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ltr_core import ALGORITHMS
from ltr_core.measures import Measure

from .catalog import Splits
from .jobs import Job
from .specs import Recipe, RunSpec
from .store import Store, Training


def work_for(
    spec: RunSpec, data: Callable[[], Splits], watch: Measure, store: Store
) -> Callable[[Job], Training]:
    """Return the work of training a spec: what is finished goes to the store, what is cancelled does not.

    `data` is called by the worker, `watch` is followed by round and watched by early stopping.
    """

    def work(job: Job) -> Training:
        training = _train(spec, data(), watch, job.on_round)
        return training if training.model.stopped_ == "cancelled" else store.put(training)

    return work


def work_for_all(
    specs: Sequence[RunSpec], data: Callable[[RunSpec], Splits], watch: Measure, store: Store, n_rounds: int
) -> Callable[[Job], tuple[Training, ...]]:
    """Return the work of training one spec after another: each that is finished goes to the store.

    The job's curves are kept apart by the number of the spec, as in ("test 2", "ndcg@10").
    """

    def work(job: Job) -> tuple[Training, ...]:
        done: list[Training] = []
        for number, spec in enumerate(specs):
            if job.cancelled.is_set():
                break

            def on_round(info: Any, number: int = number) -> bool:
                for (split, name), value in info.values.items():
                    iterations, values = job.curves.setdefault((f"{split} {number}", name), ([], []))
                    values.append(value)
                    iterations.append(info.iteration)
                job.iteration = number * n_rounds + info.iteration
                return not job.cancelled.is_set()

            training = _train(spec, data(spec), watch, on_round)
            if training.model.stopped_ == "cancelled":
                break
            done.append(store.put(training))
        return tuple(done)

    return work


def n_rounds_of(recipe: Recipe, splits: Callable[[], Splits]) -> int:
    """Return how many rounds a training takes at most; the data are only asked where it depends on them."""
    rounds = ALGORITHMS[recipe.algorithm].rounds_param
    wanted = recipe.values()[rounds] if rounds else 1
    return splits().train.n_features if wanted is None else wanted  # None: a round for each feature


def _train(spec: RunSpec, parts: Splits, watch: Measure, on_round: Callable[[Any], bool]) -> Training:
    model = ALGORITHMS[spec.recipe.algorithm](**dict(spec.recipe.params))
    started = time.perf_counter()
    model.fit(
        parts.train,
        eval_set={"valid": parts.valid, "test": parts.test},
        measures=(watch,),
        on_round=on_round,
    )
    return Training(spec, model, time.perf_counter() - started, repr(watch))
