"""A sweep's fits in worker processes: a place for them as `ltr_core.sweeps` knows places.

A thread waits for each process. Folds go there once and stay; Stop goes there, too; what was lost with a
process is done once more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ltr_core.data import RankingData
from ltr_core.stopping import StopFlag
from ltr_core.sweeps.running.work import Work
from ltr_core.sweeps.running.workers import Place, PlaceMaker, n_cores

from .crew import Crew, Lost
from .passing import Parts


class CrewMaker(PlaceMaker):
    """Makes the place of a sweep among the worker processes."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew

    def place(self, parts: dict[str, RankingData]) -> Place:
        """Return the place for a sweep on these data."""
        return CrewPlace(self.crew, parts)


class CrewPlace(Place):
    """Work in worker processes."""

    retries = 1  # a process that ran out of memory would again

    def __init__(self, crew: Crew, parts: dict[str, RankingData]) -> None:
        self.crew, self.parts, self.flag = crew, parts, StopFlag()
        self.n_workers = n_cores()
        self.keeps = crew.keeps(sum(data.X.nbytes for data in parts.values()))
        self.waiting = ThreadPoolExecutor(self.n_workers, thread_name_prefix="sweep")

    def submit(self, work: Work) -> Future[Any]:
        return self.waiting.submit(self._run, work)

    def _run(self, work: Work) -> Any:
        cuts: dict[Hashable, Parts] = {
            ("sweep", *cut): (self.parts[cut[0]], self.parts[cut[1]]) for cut in dict.fromkeys(_cuts(work))
        }
        return self.crew.run(done, cuts, (work,), lambda _: None, self.flag)

    def cancel(self) -> None:
        self.flag.set()

    def recover(self, error: BaseException) -> bool:
        return isinstance(error, Lost)

    def close(self) -> None:
        self.waiting.shutdown(wait=True, cancel_futures=True)


def _cuts(work: Work) -> list[tuple[str, str]]:
    return [(task.train, task.valid) for task in work.tasks]


def done(sets: list[Parts], work: Work, tell: Callable[[Any], Any], flag: StopFlag) -> Any:
    """Do work in a worker process; `sets` are its cuts, each once, in order."""
    parts: dict[str, RankingData] = {}
    for names, cut in zip(dict.fromkeys(_cuts(work)), sets, strict=True):
        parts.update(zip(names, cut, strict=True))
    return work.run(parts.__getitem__, flag)
