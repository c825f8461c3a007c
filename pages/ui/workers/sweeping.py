"""A sweep's fits in worker processes, a place for them as `ltr_core.sweeps` knows places; and its estimate.

A thread waits for each process. Folds go there once and stay; Stop goes there, too; what was lost with a
process is done once more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ltr_core.data import RankingData
from ltr_core.stopping import StopFlag
from ltr_core.sweeps import Estimate, estimate_sweep
from ltr_core.sweeps.records.fit import Fit
from ltr_core.sweeps.running.work import Chain, run_chain
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
    """Chains in worker processes."""

    retries = 1  # a process that ran out of memory would again

    def __init__(self, crew: Crew, parts: dict[str, RankingData]) -> None:
        self.crew, self.parts, self.flag = crew, parts, StopFlag()
        self.n_workers = n_cores()
        self.waiting = ThreadPoolExecutor(self.n_workers, thread_name_prefix="sweep")

    def submit(self, chain: Chain) -> Future[list[Fit]]:
        return self.waiting.submit(self._run, chain)

    def _run(self, chain: Chain) -> list[Fit]:
        cuts: dict[Hashable, Parts] = {
            ("sweep", *cut): (self.parts[cut[0]], self.parts[cut[1]]) for cut in dict.fromkeys(_cuts(chain))
        }
        return self.crew.run(fits_of, cuts, (chain,), lambda _: None, self.flag)

    def cancel(self) -> None:
        self.flag.set()

    def recover(self, error: BaseException) -> bool:
        return isinstance(error, Lost)

    def close(self) -> None:
        self.waiting.shutdown(wait=True, cancel_futures=True)


def _cuts(chain: Chain) -> list[tuple[str, str]]:
    return [(task.train, task.valid) for task in chain.tasks]


def fits_of(sets: list[Parts], chain: Chain, tell: Callable[[Any], Any], flag: StopFlag) -> list[Fit]:
    """Run a chain in a worker process; `sets` are its cuts, each once, in order."""
    parts: dict[str, RankingData] = {}
    for names, cut in zip(dict.fromkeys(_cuts(chain)), sets, strict=True):
        parts.update(zip(names, cut, strict=True))
    return run_chain(chain, parts.__getitem__, flag)


def estimate_of(
    sets: Sequence[Parts],
    arguments: Mapping[str, Any],
    n_cuts: int,
    n_seeds: int,
    patience: float,
    tell: Callable[[Any], Any],
    flag: StopFlag,
) -> Estimate:
    """Estimate a sweep here or in a worker process; the first set stands for all its cuts."""
    return estimate_sweep(**arguments, data=[sets[0]] * n_cuts, n_seeds=n_seeds, patience=patience)
