"""The worker processes, seen from the server: who is free, who knows which data, who was lost.

A thread of the server hands a function to a process and waits, which holds nobody up: Python's lock is the
pages' alone. What the function tells comes back over the line; Stop goes there; who does not stop in time is
ended. A process that dies takes its job with it and nothing else.

A process keeps its data, with their bins, for the next job that asks for them: of large ones a start, the
files and the bins cost more than a short training. What was asked for longest ago makes room for others, and
large data that wait for nobody are let go where memory is short.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path
from shutil import rmtree
from typing import Any, Protocol

from ltr_core.stopping import Stopped

from .passing import Parts, folder_of, hand_over

_LOG = logging.getLogger(__name__)
_ROOT = Path(__file__).resolve().parents[3]
_LOOK = 0.1  # seconds between two looks at whether to stop
_PATIENCE = 15.0  # seconds that a process may take to stop
_MOST_HELD = 12  # sets of data that a process keeps: a sweep's folds, and some
_HEAVY = 64 << 20  # bytes of features: with so many a process is kept only where there is memory to spare


class Lost(ValueError):
    """A process that ended before its work did, in a sentence."""


class Flag(Protocol):
    """What says that work is to end."""

    def is_set(self) -> bool:
        """Whether it is to end."""
        ...


class Worker:
    """One process and the line to it."""

    def __init__(self) -> None:
        self.line, theirs = Pipe()
        number = theirs.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.child", str(number)],
            cwd=_ROOT,
            pass_fds=[number],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        self._sending = threading.Lock()
        self.held: dict[int, float] = {}  # its data, by number, with their bytes; what was used last is last

    def end(self) -> None:
        """End the process, at once."""
        self.line.close()
        self.process.kill()
        self.process.wait()

    def say(self, *what: Any) -> None:
        """Send a message; to a process that is gone there is nothing to say."""
        with self._sending, suppress(OSError):
            self.line.send(what)

    @property
    def weight(self) -> float:
        """Bytes of features that it holds."""
        return sum(self.held.values())

    def hold(self, sets: Mapping[int, Parts], most: float) -> None:
        """See to it that the process has sets of data; others make room, down to `most` bytes in all."""
        new = [number for number in sets if number not in self.held]
        own = {number: float(sum(data.X.nbytes for data in parts)) for number, parts in sets.items()}
        for number in own:  # what is asked for now is dropped last
            self.held.pop(number, None)
        room = most - sum(own.values())
        while self.held and (len(self.held) + len(own) > _MOST_HELD or self.weight > room):
            self.drop(next(iter(self.held)))
        for number in new:
            self.say("hold", number, hand_over(sets[number], number))
        self.held |= own

    def drop(self, number: int) -> None:
        """Have the process forget a set of data."""
        del self.held[number]
        self.say("drop", number)

    def answer(self, hear: Callable[[Any], Any], stop: Flag) -> Any:
        """Wait for the answer, hearing what is told meanwhile."""
        since = 0.0
        while True:
            if stop.is_set():
                if not since:
                    since = time.monotonic()
                    self.say("stop")
                elif time.monotonic() - since > _PATIENCE:
                    raise Lost("It did not stop in time and was ended.")
            try:
                if not self.line.poll(_LOOK):
                    continue
                what, given = self.line.recv()
            except (EOFError, OSError):
                raise Lost(
                    f"The process that did the work has ended ({self._why()}). What was finished is kept, "
                    "and the server goes on: try again, with less data if it ran out of memory."
                ) from None
            if what == "told":
                for one in given:
                    hear(one)
            elif what == "done":
                return given
            elif what == "stopped":
                raise Stopped
            elif what == "wrong":
                raise ValueError(given)
            else:
                raise RuntimeError(f"in a worker process:\n{given}")

    def _why(self) -> str:
        code = self.process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class Crew:
    """The worker processes; as many as work is asked for at a time, and some that wait.

    Those that wait may hold `budget` bytes of features together while `has_room`, and little otherwise.
    """

    def __init__(
        self,
        n_kept: int | None = None,
        budget: float = 0.0,
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:
        self.n_kept = n_kept or os.cpu_count() or 1
        self._budget, self._has_room = budget, has_room
        self._lock = threading.Lock()
        self._free: list[Worker] = []
        self._busy: list[Worker] = []
        self._numbers: dict[Hashable, int] = {}  # of the data
        self._wanted: Counter[int] = Counter()  # by how many runs under way
        self._next = 0
        self._closed = False

    def run(
        self,
        function: Callable[..., Any],
        data: Mapping[Hashable, Parts],
        args: Sequence[Any],
        hear: Callable[[Any], Any],
        stop: Flag,
    ) -> Any:
        """Have a process call ``function(sets, *args, tell, flag)`` and return what that returns.

        Parameters
        ----------
        function : callable
            Of a module, by its name.
        data : mapping
            The sets of data it gets, in order, by what tells them apart.
        hear : callable
            Called with whatever the function tells.
        stop : flag
            Ends the work: the function's own flag is set then.
        """
        numbers = self._want(data)
        worker = self._take(numbers)
        keep = False  # an error of `hear`, say, leaves it at work
        try:
            worker.hold(dict(zip(numbers, data.values(), strict=True)), self._most)
            worker.say("do", function, tuple(args), numbers)
            answer = worker.answer(hear, stop)
            keep = True
        except (ValueError, RuntimeError, Stopped) as error:
            keep = not isinstance(error, Lost)
            raise
        finally:
            self._give(worker, keep)
            self._tidy(numbers)
        return answer

    @property
    def _most(self) -> float:
        """Bytes of features that one process is kept with."""
        return max(_HEAVY, self._budget / self.n_kept)

    def keeps(self, n_bytes: float) -> bool:
        """Whether processes with so many bytes of features are kept beyond their job, and what they hold."""
        return n_bytes <= _HEAVY or (n_bytes <= self._most and self._has_room())

    def let_go(self) -> None:
        """Give back what those that wait hold: with large data they end, and their memory is back at once."""
        with self._lock:
            heavy = [worker for worker in self._free if worker.weight > _HEAVY]
            self._free = [worker for worker in self._free if worker not in heavy]
            for worker in self._free:
                for number in list(worker.held):
                    worker.drop(number)
        for worker in heavy:
            worker.end()
        self._tidy(())

    def prepare(self) -> None:
        """Start the processes that wait for work."""
        for _ in range(self.n_kept - len(self._free) - len(self._busy)):
            worker = Worker()
            with self._lock:
                self._free.append(worker)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._closed = True
            workers, self._free = [*self._free, *self._busy], []
        for worker in workers:
            worker.end()

    def _want(self, keys: Iterable[Hashable]) -> list[int]:
        """Return the numbers of sets of data, which stay while they are wanted."""
        with self._lock:
            for key in keys:
                if key not in self._numbers:
                    self._numbers[key] = self._next
                    self._next += 1
            numbers = [self._numbers[key] for key in keys]
            self._wanted.update(numbers)
        return numbers

    def _take(self, numbers: Sequence[int]) -> Worker:
        """Return a process that is free, one that has the data, else one that has little; or a new one."""
        with self._lock:
            self._free = [worker for worker in self._free if worker.process.poll() is None]
            self._free.sort(
                key=lambda worker: (sum(worker.held.get(n, 0.0) for n in numbers), -worker.weight)
            )
            worker = self._free.pop() if self._free else None
        worker = worker or Worker()
        with self._lock:
            self._busy.append(worker)
            self._tell_how_many()
        return worker

    def _give(self, worker: Worker, keep: bool) -> None:
        light = self.keeps(worker.weight)
        with self._lock:
            self._busy.remove(worker)
            keep = keep and light and not self._closed and len(self._free) < self.n_kept
            if keep:
                self._free.append(worker)
            self._tell_how_many()
        if not keep:
            worker.end()

    def _tell_how_many(self) -> None:
        """Tell each process at work how many others are: work is shared out by those that are alone."""
        for worker in self._busy:
            worker.say("beside", len(self._busy) - 1)

    def _tidy(self, numbers: Iterable[int]) -> None:
        """Forget the data that no process has and nobody wants, and delete their files."""
        with self._lock:
            self._wanted.subtract(numbers)
            held = {number for worker in [*self._free, *self._busy] for number in list(worker.held)}
            held |= {number for number, runs in self._wanted.items() if runs}
            gone = {key: number for key, number in self._numbers.items() if number not in held}
            for key, number in gone.items():
                del self._numbers[key], self._wanted[number]
        for number in gone.values():
            rmtree(folder_of(number), ignore_errors=True)
