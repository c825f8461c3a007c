"""What a worker thread does for a run: plain Python, no Streamlit."""

from __future__ import annotations

import time
from collections.abc import Callable

from ltr_core import ALGORITHMS
from ltr_core.measures import Measure

from .catalog import Splits
from .jobs import Job
from .specs import RunSpec
from .store import Run, Store


def work_for(spec: RunSpec, data: Callable[[], Splits], watch: Measure, store: Store) -> Callable[[Job], Run]:
    """Return the work of training a spec: what is finished goes to the store, what is cancelled does not.

    `data` is called by the worker, `watch` is followed by round and watched by early stopping.
    """

    def work(job: Job) -> Run:
        model = ALGORITHMS[spec.recipe.algorithm](**dict(spec.recipe.params))
        parts = data()
        started = time.perf_counter()
        model.fit(
            parts.train,
            eval_set={"valid": parts.valid, "test": parts.test},
            measures=(watch,),
            on_round=job.on_round,
        )
        run = Run(spec, model, time.perf_counter() - started, repr(watch))
        return run if model.stopped_ == "cancelled" else store.put(run)

    return work
