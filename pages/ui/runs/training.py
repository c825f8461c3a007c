"""What is done for a run, one training after another, here or in a worker process: no Streamlit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numba  # noqa: F401 - the whole before a part: another thread may be loading it
from numba.core import event

from ltr_core import ALGORITHMS, StopFlag, Stopped
from ltr_core.algorithms import Ranker
from ltr_core.measures import Measure

from ..workers.crew import Crew
from ..workers.passing import Parts
from .catalog import Splits
from .jobs import Job
from .specs import DataSpec, Recipe, RunSpec
from .store import Store, Training

# The first run on a machine and the tenth can be compared: what numba compiles, or loads from its cache, in
# the thread that first needs it is no part of a training's own time.
_EVENT = "numba:compiler_lock"  # whoever compiles or loads a kernel holds this lock


class _Compiling(threading.local, event.Listener):
    """How long each thread has compiled; one compilation may need another."""

    depth, since, spent = 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        if not self.depth:
            self.since = time.thread_time()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if not self.depth:
            self.spent += time.thread_time() - self.since


_COMPILING = _Compiling()
event.register(_EVENT, _COMPILING)


def own_seconds() -> float:
    """Return the time that this thread has had on a core, compiling left out; differences count."""
    return time.thread_time() - _COMPILING.spent


def work_for(
    specs: Sequence[RunSpec],
    data: Callable[[DataSpec], Splits],
    watch: Measure,
    store: Store,
    n_rounds: int,
    crew: Crew | None = None,
) -> Callable[[Job], tuple[Training, ...]]:
    """Return the work of training one spec after another.

    What is finished goes to the store. Stop ends the work: the training it meets is the last of the result,
    if it has finished a round, and does not. `data` is called by the worker, `watch` is followed by round and
    watched by early stopping, `n_rounds` is what a training takes at most. The job's curves are kept apart by
    the number of the spec. `crew` trains, or without one this thread does.
    """

    def work(job: Job) -> tuple[Training, ...]:
        trainings: list[Training] = []
        for number, spec in enumerate(specs):
            on_round = partial(job.on_round, number=number, before=number * n_rounds)
            try:
                parts = data(spec.data)
                given = (parts.train, parts.valid, parts.test)
                if crew is None:
                    model, took = train([given], spec.recipe, watch, on_round, job.cancelled)
                else:
                    args = spec.recipe, watch
                    model, took = crew.run(train, {spec.data: given}, args, on_round, job.cancelled)
            except Stopped:
                break
            training = Training(spec, model, took[0], repr(watch), took[1])
            part = model.stopped_ == "cancelled"
            trainings.append(training if part else store.put(training))
            if part or job.cancelled.is_set():
                break
        return tuple(trainings)

    return work


def train(
    sets: Sequence[Parts],
    recipe: Recipe,
    watch: Measure,
    tell: Callable[[Any], Any],
    flag: StopFlag,
) -> tuple[Ranker, tuple[float, float]]:
    """Train on a set of data; return the model and what it took, on the wall and by itself."""
    (train, valid, test), *_ = sets
    model = ALGORITHMS[recipe.algorithm](**dict(recipe.params))

    def on_round(info: Any) -> bool:
        return tell(info) is not False and not flag.is_set()

    started, own = time.perf_counter(), own_seconds()
    sets_beside = {"valid": valid, "test": test}
    model.fit(train, eval_set=sets_beside, measures=(watch,), on_round=on_round, should_stop=flag)
    return model, (time.perf_counter() - started, own_seconds() - own)


def n_rounds_of(recipe: Recipe, splits: Callable[[], Splits]) -> int:
    """Return how many rounds a training takes at most; the data are only asked where it depends on them."""
    rounds = ALGORITHMS[recipe.algorithm].rounds_param
    wanted = recipe.values()[rounds] if rounds else 1
    return splits().train.n_features if wanted is None else wanted  # None: a round for each feature
