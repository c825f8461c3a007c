"""How all that runs at a time shares the machine: the whole policy stands here, the others call it.

**One shares out at a time.** Large work is cut into parts, and threads take them (`share_out`). Who may do
so holds one process-wide lock for a round (`may_run_parallel`). Who finds the lock taken works alone: the
results are the same to the last bit, and nobody waits. Where there are as many trainings as cores each stays
on its own (`one_training`); a block can be kept to its thread (`serial_only`: trials of a sweep beside one
another), or be made to share out whatever it does (`parallel_always`).

**No kernel is numba's own kind of parallel.** Two Python threads inside a ``parallel=True`` kernel abort the
whole process on numba's workqueue layer, and such a kernel is its serial one compiled four times over, in 0.3
to 3 s. A part is a call of the one kernel there is, on another thread: nothing more has to be compiled.

**Waiting threads sleep.** Ours look out for 0.2 ms, yielding to whoever wants to run (`lingering`), then they
wait for a lock. OpenMP's, those of other libraries too, are told to sleep, not to spin, while they wait for
one another: with anything else running on the machine spinning threads keep the core from the one they wait
for. The environment is set below, before numba is imported.

**Pages come first.** The threads that train, and the process that fills the kernel cache, have a lower
rank than the threads that draw (`give_way`, `process_gives_way`). Where memory runs out the system ends
such a process, not the server.

**Short turns.** A training's kernels let the interpreter go and ask for it again, some twenty times a
round; at Python's own 5 ms each while a page is being drawn, sixty short rounds would take seconds
(`short_turns`). The fits of a sweep in threads hold one another up the same way, for a tenth of the sweep
(`turns_are_short`).

**What is loaded stays.** Collecting garbage among all modules and kernels holds the interpreter for 0.1 s
each time, from pages and trainings alike: collections pass over them (`freeze_loaded`), and all is looked
through and frozen anew from time to time (`freeze_anew`). When that is, a clock of the dashboard's own says:
Streamlit's collection after every run and poll is off.

**Garbage waits while kernels compile.** Numba makes so many objects that the collector would look through
everything loaded again and again: a tenth of the time (`stop_collecting`).

**Warm-up compiles beside the work.** Compiling holds the interpreter much of the time, so where the kernel
cache is empty another process fills it.

All of it is of one process. The workers of the dashboard, of a process pool or of a cluster have a lock and a
count of their own by importing this module; what is scheduled among them is the executor's, and data reach
each of them once. The dashboard tells its workers how many of them train (`trains_beside`).
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when somebody loads OpenMP

import numba  # noqa: E402
from numba.misc.appdirs import AppDirs  # noqa: E402

from .lingering import Cell  # noqa: E402

_NICE = 10  # how far trainings and warm-up give way to the pages
_UNKNOWN = 1 << 62  # cells of a block that holds others
_SWITCH_SECONDS = 0.0005  # of a turn with the interpreter

_LOCK = threading.Lock()
_LOCAL = threading.local()
_COUNTING = threading.Lock()
_trainings = 0  # under way
_beside = 0  # the same in other processes that share the machine
_short_turns, _turns_before = 0, 0.0  # blocks that want short turns, and how long turns are without them


@contextmanager
def may_run_parallel(cells: int = _UNKNOWN, threshold: int = 20_000) -> Iterator[bool]:
    """Yield whether the block may share out its work among threads, and keep others from it if so.

    `cells` is the work of the smallest kernel in the block; below `threshold` calling a second thread costs
    more than it brings. Blocks nest: inside a block that holds the lock the answer stays the same.
    """
    forced, wanted = getattr(_LOCAL, "forced", False), _wants_parallel(cells, threshold)
    if getattr(_LOCAL, "holds", False):
        yield wanted
        return
    wanted = wanted and numba.get_num_threads() > 1
    if not (wanted and _LOCK.acquire(blocking=forced)):
        yield False
        return
    _LOCAL.holds = True
    try:
        yield True
    finally:
        _LOCAL.holds = False
        _LOCK.release()


def _wants_parallel(cells: int, threshold: int) -> bool:
    """Return whether work of this size is to be shared out, if others leave it to this thread."""
    if getattr(_LOCAL, "serial", False):
        return False
    large = cells >= threshold and _trainings + _beside < numba.get_num_threads()
    return large or getattr(_LOCAL, "forced", False)


def share_out(
    kernel: Callable[..., Any], limits: Sequence[int] | np.ndarray, *args: Any, cells: int, threshold: int
) -> None:
    """Call ``kernel(first, last, *args)`` for all that lies between the limits, a part of it on each thread.

    The kernel lets the interpreter go. Parts are runs of what is between two limits; with less than
    `threshold` cells, or where `may_run_parallel` says no, the whole is one part. A part that no other thread
    has begun when the caller is done with its own is the caller's too: who waits for the interpreter holds
    nobody up.
    """
    runs = len(limits) - 1
    if runs < 2 or not _wants_parallel(cells, threshold):  # nearly always in a sweep: nothing is asked for
        if runs > 0:
            kernel(int(limits[0]), int(limits[-1]), *args)
        return
    if getattr(_LOCAL, "holds", False):  # in most rounds
        _share(kernel, limits, args)
        return
    with may_run_parallel(cells, threshold) as parallel:
        if parallel:
            _share(kernel, limits, args)
        else:
            kernel(int(limits[0]), int(limits[-1]), *args)


def _share(kernel: Callable[..., Any], limits: Sequence[int] | np.ndarray, args: tuple[Any, ...]) -> None:
    """Call a kernel in as many parts as there are threads; this one holds the lock."""
    runs = len(limits) - 1
    n = min(numba.get_num_threads(), runs)
    ends = [int(limits[runs * part // n]) for part in range(n + 1)]
    if n < 2:
        kernel(*ends, *args)
        return
    parts = [_Part(kernel, *own, *args) for own in zip(ends[:-1], ends[1:], strict=True)]
    waiting, helpers = parts.copy(), _helpers(n - 1)
    try:
        for helper in helpers:
            helper.wake(waiting)
        _take_all(waiting, _Part.do)
    finally:
        _take_all(waiting, _Part.leave)
        for helper in helpers:
            if any(part.done.locked() for part in parts):
                helper.look_for_end()
        for part in parts:  # nobody writes any more when the lock is given back, whatever went wrong
            part.done.acquire()
    for part in parts:
        if part.error is not None:
            raise part.error


class _Part:
    """A part of what is shared out: done once, by whoever takes it first."""

    __slots__ = ("_args", "_kernel", "done", "error")

    def __init__(self, kernel: Callable[..., Any], *args: Any) -> None:
        self._kernel, self._args = kernel, args
        self.done = threading.Lock()
        self.error: BaseException | None = None
        self.done.acquire()

    def do(self) -> None:
        """Call the kernel, and keep its error for the caller."""
        try:
            self._kernel(*self._args)
        except BaseException as error:
            self.error = error
        finally:
            self.done.release()

    def leave(self) -> None:
        """Have it done by nobody."""
        self.done.release()


def _take_all(waiting: list[_Part], do: Callable[[_Part], None]) -> None:
    """Take parts until none waits: others take from the same list."""
    while waiting:
        try:
            part = waiting.pop()
        except IndexError:  # another was quicker
            return
        do(part)


class _Helper:
    """A thread that takes parts when it is woken.

    Two parts of 20 µs take 33 µs so, 82 where threads sleep at once. Of 20 µs in two parts the least was 32
    with threads that sleep, 66 with a pool and its futures, 53 in numba's parallel loop.
    """

    def __init__(self) -> None:
        self._waiting: list[_Part] = []
        self._asleep = threading.Lock()
        self._asleep.acquire()
        self._calls, self._called, self._ended, self._nothing = 0, Cell(), Cell(), Cell()
        self._ended.look_for(0, self._nothing)  # compiled before two threads want it at a time
        threading.Thread(target=self._run, name="ltr_core-part", daemon=True).start()

    def wake(self, waiting: list[_Part]) -> None:
        """Have it take what waits; only the holder of the one lock calls this."""
        self._waiting = waiting
        if self._asleep.locked():  # else it has not come to what it was woken for before
            self._asleep.release()
        self._calls += 1
        self._called.write(self._calls)

    def look_for_end(self) -> None:
        """Return when it has taken what it was woken for, or after a while."""
        self._ended.look_for(self._calls, self._nothing)

    def _run(self) -> None:
        while True:
            self._asleep.acquire()
            calls = self._calls
            _take_all(self._waiting, _Part.do)
            self._ended.answer(calls, self._called, calls + 1)


_HELPERS: list[_Helper] = []


def _helpers(n: int) -> list[_Helper]:
    """Return threads that take parts: as many as are wanted beside the one that asks."""
    while len(_HELPERS) < n:
        _HELPERS.append(_Helper())
    return _HELPERS[:n]


if hasattr(os, "register_at_fork"):  # a forked process has none of them
    os.register_at_fork(after_in_child=_HELPERS.clear)


def kernel_cache() -> Path:
    """Return the folder below which numba keeps kernels: beside the package if it may write there."""
    given, package = numba.config.CACHE_DIR, Path(__file__).resolve().parent
    if given or os.access(package, os.W_OK):
        return Path(given) if given else package
    return Path(AppDirs(appname="numba", appauthor=False).user_cache_dir)


@contextmanager
def one_training() -> Iterator[None]:
    """Count a training: where there are as many as cores, each stays on its own.

    Who shares out waits for the slowest part, and that one for a core that another training has.
    """
    global _trainings
    with _COUNTING:
        _trainings += 1
    try:
        yield
    finally:
        with _COUNTING:
            _trainings -= 1


def trains_beside(n: int) -> None:
    """Note how many other processes train on this machine, as far as somebody counts them."""
    global _beside
    _beside = n


@contextmanager
def serial_only() -> Iterator[None]:
    """Run everything inside the block on this Python thread alone."""
    before = getattr(_LOCAL, "serial", False)
    _LOCAL.serial = True
    try:
        yield
    finally:
        _LOCAL.serial = before


@contextmanager
def parallel_always() -> Iterator[None]:
    """Share out what is inside the block however little it is: tests reach the parts so.

    Waits for the lock instead of going on in one thread.
    """
    before = getattr(_LOCAL, "forced", False)
    _LOCAL.forced = True
    try:
        yield
    finally:
        _LOCAL.forced = before


def give_way() -> None:
    """Let this thread, and those it starts, come after the ones that draw pages: Linux ranks threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def process_gives_way() -> None:
    """Let this whole process come after the others, and be the first to go where memory runs out."""
    os.nice(_NICE)
    with suppress(OSError):  # another system than Linux
        Path("/proc/self/oom_score_adj").write_text("1000")


def short_turns() -> None:
    """Let threads take the interpreter from one another after half a millisecond."""
    sys.setswitchinterval(_SWITCH_SECONDS)


@contextmanager
def turns_are_short() -> Iterator[None]:
    """Have short turns while the block, or another thread's, runs; then as long ones as before."""
    global _short_turns, _turns_before
    with _COUNTING:
        if not _short_turns:
            _turns_before = sys.getswitchinterval()
            short_turns()
        _short_turns += 1
    try:
        yield
    finally:
        with _COUNTING:
            _short_turns -= 1
            if not _short_turns:
                sys.setswitchinterval(_turns_before)


def stop_collecting() -> bool:
    """Let garbage wait; return whether it did not before."""
    collected = gc.isenabled()
    gc.disable()
    return collected


def collect_again() -> None:
    """Let garbage wait no longer."""
    gc.enable()


def freeze_loaded() -> None:
    """Let the garbage collector pass over all there is by now."""
    gc.freeze()


def freeze_anew() -> None:
    """Collect everything, what is frozen too, and freeze what is left: later collections pass over it."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
