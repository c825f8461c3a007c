"""Trainings and sweeps under way: threads, a queue, progress, Stop. Knows neither Streamlit nor learning.

As many workers as cores. A job belongs to the sessions that asked for it; the same key asked for twice is
one job, and it is cancelled when its last owner leaves. A closed tab leaves after a grace period, so that a
reload or a shaky connection finds its job still running. Pages read a job's plain fields while its worker
writes them.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

_LOG = logging.getLogger(__name__)

Curves = dict[tuple[str, str], tuple[list[int], list[float]]]  # (split, measure): iterations and values
Work = Callable[["Job"], Any]

TRAINING, SWEEP = "training", "sweep"
_NICE = 10  # how far trainings give way to the pages
_SWEEPS = 2  # at a time, beside the trainings: nobody's training waits for another's sweep


@dataclass(eq=False)
class Job:
    """One piece of work and how far it is.

    `state` is "waiting", "running", "done", "cancelled" or "failed"; `curves` are those so far; `result` is
    there when done, and when cancelled holds what was finished by then; `error` is a sentence. A sweep is
    many trainings in one: it counts fits, not rounds, and `told` is what it says of itself meanwhile.
    """

    key: str
    label: str
    n_rounds: int
    work: Work = field(repr=False)
    state: str = "waiting"
    iteration: int = 0
    curves: Curves = field(default_factory=dict, repr=False)
    owners: set[str] = field(default_factory=set)
    started: float = 0.0
    ended: float = 0.0
    result: Any = field(default=None, repr=False)
    error: str = ""
    cancelled: threading.Event = field(default_factory=threading.Event, repr=False)
    kind: str = TRAINING
    told: Any = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether it has come to an end, whatever the end."""
        return self.state not in ("waiting", "running")

    @property
    def progress(self) -> float:
        """How much is done, from 0 to 1."""
        return min(1.0, self.iteration / max(1, self.n_rounds))

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the pace so far; None while that is a guess."""
        if self.state != "running" or self.iteration < 2:
            return None
        spent = time.monotonic() - self.started
        return spent / self.iteration * (self.n_rounds - self.iteration)

    def on_round(self, info: Any) -> bool:
        """Take in a `RoundInfo`; False when the training is to end."""
        for name, value in info.values.items():
            iterations, values = self.curves.setdefault(name, ([], []))
            values.append(value)
            iterations.append(info.iteration)
        self.iteration = info.iteration
        return not self.cancelled.is_set()


class Runner:
    """Runs jobs, the sessions taking turns."""

    def __init__(self, workers: int | None = None, grace: float = 8.0) -> None:
        self.workers, self.grace = workers or os.cpu_count() or 1, grace
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}  # waiting and running ones, in order of arrival
        self._gone: dict[str, threading.Timer] = {}
        self._starts = 0
        self._served: dict[str, int] = {}  # at which start a session was served last
        for number in range(self.workers):
            # Daemons: Ctrl-C ends the server without waiting for a training.
            threading.Thread(
                target=self._serve, args=(TRAINING,), name=f"training-{number}", daemon=True
            ).start()
        for number in range(_SWEEPS):
            threading.Thread(target=self._serve, args=(SWEEP,), name=f"sweep-{number}", daemon=True).start()

    def submit(
        self, key: str, label: str, n_rounds: int, work: Work, owner: str, kind: str = TRAINING
    ) -> Job:
        """Ask for a piece of work; the same key under way already is joined."""
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.cancelled.is_set():
                job = self._jobs[key] = Job(key, label, n_rounds, work, kind=kind)
            job.owners.add(owner)
            self._changed.notify_all()
            return job

    def find(self, key: str) -> Job | None:
        """Return the job under way for a key."""
        return self._jobs.get(key)

    def of(self, owner: str) -> list[Job]:
        """Return a session's jobs under way, in order of arrival."""
        with self._changed:
            return [job for job in self._jobs.values() if owner in job.owners]

    @property
    def n_owners(self) -> int:
        """How many sessions have jobs under way."""
        with self._changed:
            return len({owner for job in self._jobs.values() for owner in job.owners})

    def place(self, job: Job) -> int:
        """Return a waiting job's place in the queue, from 1."""
        with self._changed:
            queue = self._queue(job.kind)
            return queue.index(job) + 1 if job in queue else 0

    def leave(self, key: str, owner: str) -> Job | None:
        """Give a job up; it is cancelled when nobody else wants it. Returns what its owner keeps of it."""
        with self._changed:
            job = self._jobs.get(key)
            if job is None or owner not in job.owners:
                return None
            job.owners.discard(owner)
            if job.owners:
                part = Job(key, job.label, job.n_rounds, job.work, "cancelled", job.iteration)
                part.kind, part.told = job.kind, job.told
                part.curves = {name: curve(job, *name) for name in list(job.curves)}
                part.started, part.ended = job.started, time.monotonic()
                return part
            job.cancelled.set()
            if job.state == "waiting":
                job.state = "cancelled"
                self._jobs.pop(key)
            return job

    def keep(self, owner: str, keys: Iterable[str]) -> None:
        """Give up all jobs of a session but these."""
        wanted = set(keys)
        for job in self.of(owner):
            if job.key not in wanted:
                self.leave(job.key, owner)

    def left(self, owner: str) -> None:
        """Note that a session's tab is gone: its jobs end unless it is back in time."""
        with self._changed:
            timer = threading.Timer(self.grace, self._abandon, (owner,))
            timer.daemon = True
            self._gone[owner] = timer
        timer.start()

    def arrived(self, owner: str) -> None:
        """Note that a session is there (again)."""
        with self._changed:
            timer = self._gone.pop(owner, None)
        if timer is not None:
            timer.cancel()

    def _abandon(self, owner: str) -> None:
        with self._changed:
            if self._gone.pop(owner, None) is None:
                return
            self._served.pop(owner, None)
        self.keep(owner, ())

    def _queue(self, kind: str) -> list[Job]:
        """Return the waiting jobs of a kind in the order they will start: sessions take turns."""
        turns: Counter[str] = Counter()
        order: list[tuple[int, int, int, Job]] = []
        for number, job in enumerate(j for j in self._jobs.values() if j.kind == kind):
            turn = min((turns[owner] for owner in job.owners), default=0)
            turns.update(job.owners)
            if job.state == "waiting":
                served = min((self._served.get(owner, 0) for owner in job.owners), default=0)
                order.append((turn, served, number, job))
        return [entry[3] for entry in sorted(order, key=lambda entry: entry[:3])]

    def _serve(self, kind: str) -> None:
        _give_way()
        while True:
            with self._changed:
                while not (queue := self._queue(kind)):
                    self._changed.wait()
                job = queue[0]
                job.state, job.started = "running", time.monotonic()
                self._starts += 1
                self._served.update(dict.fromkeys(job.owners, self._starts))
            state, error = "done", ""
            try:
                job.result = job.work(job)
            except ValueError as problem:  # DataError and ParameterError are sentences
                state, error = "failed", str(problem)
            except Exception:
                _LOG.exception("%s failed", job.label)
                state, error = "failed", "Something went wrong here; the server's log has the details."
            with self._changed:
                job.ended, job.error = time.monotonic(), error
                job.state = "cancelled" if job.cancelled.is_set() and state != "failed" else state
                if self._jobs.get(job.key) is job:
                    self._jobs.pop(job.key)


def _give_way() -> None:
    """Let this thread, and those it starts, come after the ones that draw pages: Linux ranks threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def curve(job: Job, split: str, measure: str) -> tuple[list[int], list[float]]:
    """Return a job's curve so far: iterations and values. Safe while its worker appends."""
    iterations, values = job.curves.get((split, measure), ([], []))
    done = iterations[:]  # values are appended first: there are at least as many
    return done, values[: len(done)]
