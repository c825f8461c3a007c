"""Who may launch parallel kernels, decided in one place.

Two Python threads inside a ``parallel=True`` kernel abort the whole process on numba's workqueue layer.
So a parallel kernel is launched only by the holder of one process-wide lock, held for one round. Who finds
the lock taken runs the serial twin: the results are the same to the last bit, and nobody waits.

OpenMP's threads are told to sleep, not to spin, while they wait for one another. With anything else running
on the machine spinning threads keep the core from the one they wait for: 50 trees on 100,000 documents took
3.5 to 7 s instead of 0.35.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when numba loads OpenMP, at the first launch

import numba  # noqa: E402

_LOCK = threading.Lock()
_LOCAL = threading.local()
_COUNTING = threading.Lock()
_trainings = 0  # under way
_ONE_ONLY = threading.Event()  # set while `serial_elsewhere` runs


@contextmanager
def may_run_parallel(cells: int = 1 << 62, threshold: int = 20_000) -> Iterator[bool]:
    """Yield whether parallel kernels may be launched inside the block, and keep others from it if so.

    `cells` is the work of the smallest kernel in the block; below `threshold` the launch costs more than
    it brings. Blocks nest: inside a block that holds the lock the answer stays the same.
    """
    forced = getattr(_LOCAL, "forced", False)
    large = cells >= threshold and not _ONE_ONLY.is_set() and _trainings < numba.get_num_threads()
    wanted = (forced or large) and not getattr(_LOCAL, "serial", False)
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


@contextmanager
def one_training() -> Iterator[None]:
    """Count a training: where there are as many as cores, each stays on its own.

    A parallel kernel waits for its slowest part, and that one for a core that another training has.
    """
    global _trainings
    with _COUNTING:
        _trainings += 1
    try:
        yield
    finally:
        with _COUNTING:
            _trainings -= 1


@contextmanager
def serial_only() -> Iterator[None]:
    """Run everything inside the block, on this Python thread, without parallel kernels."""
    before = getattr(_LOCAL, "serial", False)
    _LOCAL.serial = True
    try:
        yield
    finally:
        _LOCAL.serial = before


@contextmanager
def parallel_always() -> Iterator[None]:
    """Run the parallel twins inside the block however few the rows: warm-up and tests reach them all so.

    Waits for the lock instead of going on in one thread.
    """
    before = getattr(_LOCAL, "forced", False)
    _LOCAL.forced = True
    try:
        yield
    finally:
        _LOCAL.forced = before


@contextmanager
def serial_elsewhere() -> Iterator[None]:
    """Give all other threads the serial twins while the block runs.

    Warm-up runs in it: the first page then waits for half the compilation, and not for that of the parallel
    twins, which takes the longer.
    """
    _ONE_ONLY.set()
    try:
        yield
    finally:
        _ONE_ONLY.clear()
