"""Stopping: how work that takes long is told to end, wherever it is.

Whoever starts work says inside which flag it runs (`stoppable`). The work looks at it between its pieces
(`look`), and a kernel in which one call can take longer than half a second takes the flag's memory (`cell`),
looks at it row by row and returns early; what it wrote is thrown away by the `look` after it. So work on
billions of pairs ends at once, and work that is not told to end gives the same bits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

_ASKED_EVERY = 0.1  # seconds between two questions to a function that says whether to end


class Stopped(Exception):
    """Work was told to end before it had anything to give."""


class StopFlag(threading.Event):
    """An event that kernels can see too."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = np.zeros(1, np.uint8)

    def set(self) -> None:
        """Tell the work to end."""
        self.cell[0] = 1
        super().set()

    def __call__(self) -> bool:
        """Say whether the work is to end."""
        return self.is_set()

    def clear(self) -> None:
        """Let work run again."""
        self.cell[0] = 0
        super().clear()


Asked = threading.Event | Callable[[], bool] | None

_NEVER = np.zeros(1, np.uint8)
_HERE = threading.local()


@contextmanager
def stoppable(asked: Asked) -> Iterator[None]:
    """Let the work inside the block, on this thread, end when it is told to, by raising `Stopped`.

    A function is asked ten times a second by a thread of its own. Blocks nest: the work ends when any of
    them is told to; kernels look at the innermost flag.
    """
    if asked is None:
        yield
        return
    outer, over = flags(), threading.Event()
    flag = asked if isinstance(asked, StopFlag) else StopFlag()
    if not isinstance(asked, StopFlag):
        question = asked.is_set if isinstance(asked, threading.Event) else asked
        watch = threading.Thread(target=_watch, args=(question, flag, over), name="stopping", daemon=True)
        watch.start()
    _HERE.flags = (*outer, flag)
    try:
        yield
    finally:
        _HERE.flags = outer
        over.set()


@contextmanager
def unstoppable() -> Iterator[None]:
    """Let the work inside the block run to its end, whatever it is told meanwhile."""
    with under(()):
        yield


def flags() -> tuple[StopFlag, ...]:
    """Return what the work of this thread looks at, for another that takes a part of it (`under`)."""
    return getattr(_HERE, "flags", ())


@contextmanager
def under(theirs: tuple[StopFlag, ...]) -> Iterator[None]:
    """Let the work inside the block end when that of the thread with these flags is told to."""
    outer, _HERE.flags = flags(), theirs
    try:
        yield
    finally:
        _HERE.flags = outer


def look() -> None:
    """End the work of this thread here if it was told to."""
    for flag in flags():
        if flag.cell[0]:
            raise Stopped


def cell() -> np.ndarray:
    """Return what kernels look at: a number that is 0 until the work is to end."""
    here = flags()
    return here[-1].cell if here else _NEVER


def _watch(asked: Callable[[], bool], flag: StopFlag, over: threading.Event) -> None:
    while not over.wait(_ASKED_EVERY):
        if asked():
            flag.set()
            return
