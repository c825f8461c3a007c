"""Trainings and sweeps under way: threads, a queue, progress, Stop. Knows neither Streamlit nor learning.

As many workers as cores, and one for short trainings. A job belongs to the sessions that asked for it; the
same key asked for twice is one job, and it is cancelled when its last owner leaves. A closed tab leaves after
a grace period, so that a reload or a shaky connection finds its job still running. Pages read a job's plain
fields while its worker writes them.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ltr_core.stopping import StopFlag, Stopped, stoppable
from ltr_core.threads import give_way

from ..style.sentences import on_screen
from .process.room import Room
from .status import UNDER_WAY, Status

_LOG = logging.getLogger(__name__)

# By split, measure and number of the training: iterations and values.
Curves = dict[tuple[str, str, int], tuple[list[int], list[float]]]
Work = Callable[["Job"], Any]

TRAINING, SWEEP = "training", "sweep"
POLL_SECONDS = 0.4  # how often a page looks at a training
_POLLING = 2  # sessions with jobs under way that may poll at that pace; more of them poll more slowly
_SLOWEST_POLL = 4.0
_SHORT = 3e7  # the size up to which a training, over in some seconds, has a lane beside the others
_ROOM_SECONDS = 0.5  # between two looks at whether there is memory: nobody tells
_SWEEPS = 2  # at a time, beside the trainings: nobody's training waits for another's sweep


@dataclass(eq=False)
class Job:
    """One piece of work and how far it is.

    `curves` are those so far; `result` is there when done, and when stopped holds what was finished by then;
    `error` is a sentence. A job holds one training or several, one after another. A sweep is many in one: it
    counts fits, not rounds, and `told` is what it says of itself meanwhile.
    """

    key: str
    label: str
    n_rounds: int
    work: Work = field(repr=False)
    status: Status = Status.WAITING
    iteration: int = 0
    curves: Curves = field(default_factory=dict, repr=False)
    owners: set[str] = field(default_factory=set)
    started: float = 0.0
    ended: float = 0.0
    result: Any = field(default=None, repr=False)
    error: str = ""
    cancelled: StopFlag = field(default_factory=StopFlag, repr=False)
    kind: str = TRAINING
    size: float = math.inf
    told: Any = field(default=None, repr=False)
    lacks_room: bool = False  # whether it waits for memory
    lane: float = 0.0  # the size up to which the worker that does it takes jobs

    @property
    def is_over(self) -> bool:
        """Whether it has come to an end, whatever the end."""
        return self.status not in UNDER_WAY

    @property
    def progress(self) -> float:
        """How much is done, from 0 to 1."""
        return min(1.0, self.iteration / max(1, self.n_rounds))

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at the pace so far; None while that is a guess."""
        if self.status != Status.RUNNING or self.iteration < 2:
            return None
        spent = time.monotonic() - self.started
        return spent / self.iteration * (self.n_rounds - self.iteration)

    def on_round(self, info: Any, number: int = 0, before: int = 0) -> bool:
        """Take in a `RoundInfo` of a training, with so many rounds `before` it; False when it is to end."""
        for (split, measure), value in info.values.items():
            iterations, values = self.curves.setdefault((split, measure, number), ([], []))
            values.append(value)
            iterations.append(info.iteration)
        self.iteration = before + info.iteration
        return not self.cancelled.is_set()


class Runner:
    """Runs jobs, the sessions taking turns."""

    def __init__(self, workers: int | None = None, grace: float = 8.0, room: Room | None = None) -> None:
        self.workers, self.grace, self.room = workers or os.cpu_count() or 1, grace, room or Room()
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}  # waiting and running ones, in order of arrival
        self._gone: dict[str, float] = {}  # when the grace of a session without a tab is over
        self._starts = 0
        self._served: dict[str, int] = {}  # at which start a session was served last
        for number in range(self.workers):
            # Daemons: Ctrl-C ends the server without waiting for a training.
            threading.Thread(
                target=self._serve, args=(TRAINING,), name=f"training-{number}", daemon=True
            ).start()
        for number in range(_SWEEPS):
            threading.Thread(target=self._serve, args=(SWEEP,), name=f"sweep-{number}", daemon=True).start()
        threading.Thread(target=self._serve, args=(TRAINING, _SHORT), name="short", daemon=True).start()
        threading.Thread(target=self._wait_out, name="leaving", daemon=True).start()

    def submit(
        self,
        key: str,
        label: str,
        n_rounds: int,
        work: Work,
        owner: str,
        kind: str = TRAINING,
        size: float = math.inf,
    ) -> Job:
        """Ask for a piece of work; the same key under way already is joined.

        `size` is a training's number of rounds times its feature values; the small ones have a lane of their
        own, so that large ones do not hold everybody up.
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.cancelled.is_set():
                job = self._jobs[key] = Job(key, label, n_rounds, work, kind=kind, size=size)
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

    @property
    def poll_seconds(self) -> float:
        """How long a page waits between two looks at what is under way.

        A look takes the server some 0.02 s: twenty sessions at a pace that suits one keep it from all else.
        """
        return min(_SLOWEST_POLL, POLL_SECONDS * max(1.0, self.n_owners / _POLLING))

    def place(self, job: Job) -> int:
        """Return a waiting job's place in the queue, from 1."""
        with self._changed:
            queue = self._queue(job.kind)
            return queue.index(job) + 1 if job in queue else 0

    def seconds_until(self, job: Job) -> float | None:
        """Return when a waiting job will start at the pace of those under way; None while that is a guess."""
        with self._changed:
            queue = self._queue(job.kind)
            if job not in queue:
                return None
            running = (one for one in self._jobs.values() if one.kind == job.kind and one.lane >= job.size)
            left = [one.seconds_left for one in running if one.status == Status.RUNNING]
            place = queue.index(job)
        known = sorted(seconds for seconds in left if seconds is not None)
        return known[place] if place < len(known) == len(left) else None

    def leave(self, key: str, owner: str) -> Job | None:
        """Give a job up; it is cancelled when nobody else wants it. Returns what its owner keeps of it."""
        with self._changed:
            job = self._jobs.get(key)
            if job is None or owner not in job.owners:
                return None
            job.owners.discard(owner)
            if job.owners:
                part = Job(key, job.label, job.n_rounds, job.work, Status.STOPPED, job.iteration)
                part.kind, part.told = job.kind, job.told
                part.curves = {name: curve(job, *name) for name in list(job.curves)}
                part.started, part.ended = job.started, time.monotonic()
                return part
            job.cancelled.set()
            if job.status == Status.WAITING:
                job.status = Status.STOPPED
                self._jobs.pop(key)
            return job

    def await_end(self, job: Job, seconds: float) -> None:
        """Wait for a job to come to its end, so long at most."""
        with self._changed:
            self._changed.wait_for(lambda: job.is_over, seconds)

    def keep(self, owner: str, keys: Iterable[str]) -> None:
        """Give up all jobs of a session but these."""
        wanted = set(keys)
        for job in self.of(owner):
            if job.key not in wanted:
                self.leave(job.key, owner)

    def left(self, owner: str) -> None:
        """Note that a session's tab is gone: its jobs end unless it is back in time."""
        with self._changed:
            self._gone[owner] = time.monotonic() + self.grace
            self._changed.notify_all()

    def arrived(self, owner: str) -> None:
        """Note that a session is there (again)."""
        with self._changed:
            self._gone.pop(owner, None)

    def _wait_out(self) -> None:
        """End the jobs of sessions whose grace is over; one thread for all of them."""
        while True:
            with self._changed:
                now = time.monotonic()
                over = [owner for owner, end in self._gone.items() if end <= now]
                for owner in over:
                    del self._gone[owner]
                    self._served.pop(owner, None)
                if not over:
                    soonest = min(self._gone.values(), default=math.inf)
                    self._changed.wait(soonest - now if math.isfinite(soonest) else None)
            for owner in over:
                self.keep(owner, ())

    def _queue(self, kind: str) -> list[Job]:
        """Return the waiting jobs of a kind in the order they will start: sessions take turns."""
        turns: Counter[str] = Counter()
        order: list[tuple[int, int, int, Job]] = []
        for number, job in enumerate(j for j in self._jobs.values() if j.kind == kind):
            turn = min((turns[owner] for owner in job.owners), default=0)
            turns.update(job.owners)
            if job.status == Status.WAITING:
                served = min((self._served.get(owner, 0) for owner in job.owners), default=0)
                order.append((turn, served, number, job))
        return [entry[3] for entry in sorted(order, key=lambda entry: entry[:3])]

    def _serve(self, kind: str, most: float = math.inf) -> None:
        give_way()
        while True:
            job = self._begin(kind, most)
            status, error = Status.DONE, ""
            try:
                self.room.make()
                with stoppable(job.cancelled):
                    job.result = job.work(job)
            except Stopped:
                pass  # before there was anything to keep
            except ValueError as problem:  # DataError and ParameterError are sentences
                status, error = Status.FAILED, on_screen(problem)
            except Exception:
                _LOG.exception("%s failed", job.label)
                status, error = Status.FAILED, "Something went wrong here; the server's log has the details."
            with self._changed:
                job.ended, job.error = time.monotonic(), error
                stopped = job.cancelled.is_set() and status != Status.FAILED
                job.status = Status.STOPPED if stopped else status
                if self._jobs.get(job.key) is job:
                    self._jobs.pop(job.key)
                self._changed.notify_all()  # of those that wait for its memory

    def _begin(self, kind: str, most: float) -> Job:
        """Wait for a job of a kind up to a size, and for its memory; return it as one that runs."""
        with self._changed:
            while True:
                queue = [job for job in self._queue(kind) if job.size <= most]
                if not queue:
                    self._changed.wait()
                    continue
                job, running = queue[0], any(job.status == Status.RUNNING for job in self._jobs.values())
                job.lacks_room = self.room.is_awaited(running)
                if not job.lacks_room:
                    break
                self._changed.wait(_ROOM_SECONDS)
            job.status, job.started, job.lane = Status.RUNNING, time.monotonic(), most
            self._starts += 1
            self._served.update(dict.fromkeys(job.owners, self._starts))
            return job


def curve(job: Job, split: str, measure: str, number: int = 0) -> tuple[list[int], list[float]]:
    """Return a training's curve so far: iterations and values. Safe while its worker appends."""
    iterations, values = job.curves.get((split, measure, number), ([], []))
    done = iterations[:]  # values are appended first: there are at least as many
    return done, values[: len(done)]
