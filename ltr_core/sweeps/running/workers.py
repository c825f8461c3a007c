"""Where fits run: this machine's cores, any executor of `concurrent.futures`, or a Dask cluster.

A place takes work, such as a chain of fits, and gives futures. It also knows how data reach its workers: in
this process they are simply there (with their binned features), to other processes they are sent along, to a
cluster once each.
"""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from ...data import RankingData
from ...errors import ParameterError, import_extra
from ...stopping import StopFlag
from ...threads import turns_are_short
from .work import Work

Packed = tuple  # the arrays of a RankingData


class Place:
    """Somewhere to run work. `submit` may be called again with what was lost with its worker."""

    retries = 0  # how many times work whose worker was lost is run again
    patience: float | None = None  # seconds to wait for what runs after `cancel`; None: until it ends
    n_workers = 1
    keeps = True  # whether workers keep what they have loaded from one piece of work to the next
    lost = ""  # why nothing more can come of it; empty while something may

    def submit(self, work: Work) -> Future[Any]:
        """Start work, or put it into the queue; the future gives what it returns."""
        raise TypeError(f"{type(self).__name__} runs nothing")

    def cancel(self) -> None:
        """Tell what runs to end."""

    def recover(self, error: BaseException) -> bool:
        """Say whether work that ended with this error is to be run again, and make it possible."""
        return False

    def close(self) -> None:
        """Leave nothing running."""


class PlaceMaker:
    """What a program that has workers of its own gives as `executor`."""

    def place(self, parts: dict[str, RankingData]) -> Place:
        """Return the place for a sweep on these data, by fingerprint."""
        raise TypeError(f"{type(self).__name__} has no place")


class Threads(Place):
    """Threads of this process: kernels release the GIL, and data and binned features are shared."""

    def __init__(
        self, parts: dict[str, RankingData], executor: Executor | None, n_workers: int | None
    ) -> None:
        self.parts, self.flag = parts, StopFlag()
        self.own = executor is None
        self.n_workers = n_workers or n_cores()
        self.executor = executor or ThreadPoolExecutor(self.n_workers, thread_name_prefix="sweep")

    def submit(self, work: Work) -> Future[Any]:
        return self.executor.submit(self._run, work)

    def _run(self, work: Work) -> Any:
        with turns_are_short():
            return work.run(self.parts.__getitem__, self.flag)

    def cancel(self) -> None:
        self.flag.set()

    def close(self) -> None:
        if self.own:
            self.executor.shutdown(wait=True, cancel_futures=True)


class Processes(Place):
    """Any other executor: work takes its data along, and what has begun runs to its end."""

    patience = 0.0
    keeps = False

    def __init__(self, parts: dict[str, RankingData], executor: Executor) -> None:
        self.parts = {print_: pack(data) for print_, data in parts.items()}
        self.executor = executor
        self.n_workers = getattr(executor, "_max_workers", None) or n_cores()

    def submit(self, work: Work) -> Future[Any]:
        wanted = {name for task in work.tasks for name in (task.train, task.valid)}
        return self.executor.submit(_run_packed, work, {name: self.parts[name] for name in wanted})


def make_place(executor: Any, parts: dict[str, RankingData], n_workers: int | None) -> Place:
    """Return the place that an executor stands for.

    Parameters
    ----------
    executor : None, Executor, Dask client or address
        None: a thread pool of `n_workers`, as many as there are cores by default. A text is the address of
        a Dask scheduler.
    """
    if isinstance(executor, str) or type(executor).__module__.startswith("distributed"):
        return _cluster().Cluster(executor, parts)
    if isinstance(executor, PlaceMaker):
        return executor.place(parts)
    if executor is None or isinstance(executor, ThreadPoolExecutor):
        return Threads(parts, executor, n_workers)
    if not isinstance(executor, Executor):
        raise ParameterError(
            f"executor = {executor!r} runs nothing. Take None, an executor of concurrent.futures, or the "
            "address of a Dask scheduler such as 'tcp://127.0.0.1:8786'."
        )
    return Processes(parts, executor)


def connect(address: str, timeout: float = 5.0) -> Executor:
    """Return the executor of the Dask cluster whose scheduler is at `address`, or say that none answers.

    Parameters
    ----------
    address : str
        Such as ``tcp://127.0.0.1:8786``.
    timeout : float
        Seconds to wait for an answer.
    """
    return _cluster().open_client(address, timeout).get_executor()


def _cluster() -> Any:
    """Import what is about clusters: it takes half a second, and few need it."""
    import_extra("distributed", "cluster", "A cluster")
    from . import cluster

    return cluster


def n_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pack(data: RankingData) -> Packed:
    """Return the arrays of a set: what has been worked out of them stays behind."""
    about = (data.feature_names, data.name, data.named, data.top_grade)
    return data.X, data.y, data.qid, data.offsets, *about


def unpack(packed: Packed) -> RankingData:
    """Return the set of `pack`, its arrays read-only as everywhere."""
    X, y, qid, offsets, feature_names, name, named, top_grade = packed
    data = RankingData.from_parts(X, y, qid, offsets, None, feature_names, None, name, named)
    data.top_grade = top_grade
    return data


def _run_packed(work: Work, packed: dict[str, Packed]) -> Any:
    parts = {name: unpack(arrays) for name, arrays in packed.items()}
    return work.run(parts.__getitem__, lambda: False)
