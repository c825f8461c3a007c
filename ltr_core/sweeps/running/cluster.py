"""A Dask cluster as the place where fits run. Imported only when there is one.

Data reach a worker once, as a plugin: the scheduler hands it to every worker there is, and to those that come
later or in place of one that died. The worker keeps the set, with its binned features, until the sweep ends.
Work whose worker died is run again by the scheduler; what the scheduler gives up on is submitted anew.
"""

from __future__ import annotations

import threading
import time
import uuid
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any

import distributed

from ...data import RankingData
from ...errors import ParameterError
from ...threads import collect_again, stop_collecting
from .work import LostData, Work
from .workers import Place, pack, unpack

WORKER = "python -m dask worker"  # so started, it finds ltr_core in its own folder; `dask worker` does not
CONNECT = 10.0  # seconds in which a scheduler has to answer
_ASKED_EVERY = 0.5  # seconds between two looks at the flag
_LOST = ("KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError")

_lock = threading.Lock()
_parts: dict[str, RankingData] = {}  # a worker's own, by fingerprint
_users: dict[str, int] = {}  # by how many sweeps each is in use


class _Part(distributed.WorkerPlugin):
    """A set of data on its way to every worker."""

    def __init__(self, fingerprint: str, data: RankingData) -> None:
        self.fingerprint, self.packed = fingerprint, pack(data)

    def setup(self, worker: Any) -> None:
        """Keep the set on a worker."""
        with _lock:
            _users[self.fingerprint] = _users.get(self.fingerprint, 0) + 1
            if self.fingerprint not in _parts:
                _parts[self.fingerprint] = unpack(self.packed)
        self.packed = ()

    def teardown(self, worker: Any) -> None:
        """Drop the set when the last sweep has done with it."""
        with _lock:
            _users[self.fingerprint] -= 1
            if not _users[self.fingerprint]:
                del _users[self.fingerprint], _parts[self.fingerprint]


def _start_client(address: str, timeout: float) -> distributed.Client:
    """Start a client; anew where its thread begins too late, which distributed tells by an assertion.

    Garbage waits: an earlier client that is collected meanwhile wants the lock that this one holds, for good.
    """
    collects = stop_collecting()
    try:
        with suppress(AssertionError):
            return distributed.Client(address, timeout=timeout, set_as_default=False)
        return distributed.Client(address, timeout=timeout, set_as_default=False)
    except AssertionError:
        raise TimeoutError from None
    finally:
        if collects:
            collect_again()


def open_client(address: str, timeout: float) -> distributed.Client:
    """Return a client of the scheduler at an address, or say that none answers."""
    try:
        return _start_client(address, timeout)
    except (OSError, TimeoutError, ValueError, TypeError) as error:
        why = "" if isinstance(error, (OSError, TimeoutError)) else f" ({error})"
        raise ParameterError(
            f"No scheduler answers at {address}{why}. Start one with `python -m dask scheduler`, and workers "
            f"with `{WORKER} {address}`."
        ) from None


class Cluster(Place):
    """Work on a Dask cluster."""

    retries = 3
    patience = 5.0

    def __init__(self, executor: Any, parts: dict[str, RankingData]) -> None:
        self.own = isinstance(executor, str)
        client = open_client(executor, CONNECT) if isinstance(executor, str) else executor
        self.client: distributed.Client = getattr(client, "_client", client)
        self.address = self.client.scheduler.address
        self.executor = self.client.get_executor(pure=False)
        self.name = f"rankscope-{uuid.uuid4().hex}"
        self.given: list[str] = []
        self.n_workers = sum(self.client.nthreads().values())
        if not self.n_workers:
            self.close()
            raise ParameterError(
                f"The scheduler at {self.address} has no workers. Start some with `{WORKER} {self.address}`."
            )
        for fingerprint, data in parts.items():
            name = f"{self.name}-{fingerprint}"
            self.given.append(name)
            try:
                self.client.register_plugin(_Part(fingerprint, data), name=name)
            except Exception as error:
                with suppress(Exception):
                    self.close()
                if self.lost or isinstance(error, OSError):
                    raise ParameterError(f"{self._gone()}: nothing had begun yet.") from None
                raise ParameterError(
                    f"The workers cannot take the data ({' '.join(str(error).split())}). They need the same "
                    f"program: start them in its folder, with `{WORKER} {self.address}`."
                ) from None

    @property
    def lost(self) -> str:  # type: ignore[override]
        """Why nothing more can come: a client that finds no scheduler for some seconds closes itself."""
        if self.client.status not in ("closing", "closed"):
            return ""
        return self._gone()

    def _gone(self) -> str:
        return f"The scheduler at {self.address} has ended, or cannot be reached any more"

    def submit(self, work: Work) -> Future[Any]:
        return self.executor.submit(_run_here, work, self.name)

    def cancel(self) -> None:
        distributed.Event(self.name, client=self.client).set()

    def recover(self, error: BaseException) -> bool:
        return isinstance(error, (CancelledError, LostData)) or type(error).__name__ in _LOST

    def close(self) -> None:
        if self.lost:
            return
        for name in self.given:
            self.client.unregister_worker_plugin(name)
        if self.own:
            self.client.close()


def _run_here(work: Work, name: str) -> Any:
    """Do work on a worker."""
    event = distributed.Event(name, client=distributed.get_client())
    asked = [time.monotonic(), False]

    def cancelled() -> bool:
        if time.monotonic() - asked[0] > _ASKED_EVERY:
            asked[:] = [time.monotonic(), event.is_set()]
        return bool(asked[1])

    def part(fingerprint: str) -> RankingData:
        with _lock:
            if fingerprint not in _parts:
                raise LostData(fingerprint)
            return _parts[fingerprint]

    return work.run(part, cancelled)
