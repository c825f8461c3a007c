"""Looking out for a while before sleeping.

A thread that sleeps begins 30 to 40 µs after it is woken, more than many a part of shared work takes: on two
cores a call of another thread cost 70 µs where nobody lingered, and costs 14 where both do. So who waits for
a part looks at a number in memory, as often as `LOOKS` says, some 0.2 ms, and sleeps on its lock only then.

Between two looks it yields. Where that takes long somebody else wants the core, and who sleeps is served
sooner than who yields: then nobody lingers for a while.

It looks without the interpreter, and what the other one waits for is written without it too: who sees a
number change finds the interpreter free, and need not sleep for that either. The numbers are a hint: what is
handed over is handed over under the locks of `threads`.
"""

from __future__ import annotations

import os
import sys
import time

import numba
import numpy as np
from numba import njit, types

LOOKS = 500
_SETTLING = 18  # looks in which the caller goes from waking its helpers to its own part, some 7 µs
LONG = 400_000  # nanoseconds of a yield in which somebody else ran; else it takes 400, seldom 100,000
_PAUSES = 0.05, 3.2  # seconds without lingering after such a one, twice as long each time, at most

CAN = hasattr(os, "sched_yield") and sys.maxsize > 2**32 and not numba.config.DISABLE_JIT
_CLOCK = getattr(time, "CLOCK_MONOTONIC", 1)
_yield = types.ExternalFunction("sched_yield", types.int32())
_read_clock = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.intp))

_sleep_until, _pause = 0.0, _PAUSES[0]


@njit(nogil=True, cache=True)
def _linger(cell, number, looks, long, settling, own, clock, room, out):
    """Write a number of one's own, then look out for another's; return whether somebody else wants the core.

    `room` is for what the clock says, seconds and nanoseconds.
    """
    out[0] = own
    _read_clock(np.int32(clock), room.ctypes.data)
    before = room[0] * 1_000_000_000 + room[1]
    for _ in range(looks):
        if cell[0] >= number:
            for _ in range(settling):
                _yield()
            return False
        _yield()
        _read_clock(np.int32(clock), room.ctypes.data)
        now = room[0] * 1_000_000_000 + room[1]
        if now - before > long:
            return True
        before = now
    return False


def warmup() -> None:
    """Have the kernel compiled."""
    _look(Cell(), 0, 0, 0, Cell())


class Cell:
    """A number that one thread writes and another looks out for."""

    def __init__(self) -> None:
        self.number = np.zeros(8, np.int64)  # a line of the cache of its own
        self.room = np.zeros(8, np.int64)

    def write(self, number: int) -> None:
        """Write it."""
        self.number[0] = number

    def look_for(self, number: int, own: Cell) -> None:
        """Return when it has come to the number, or after a while; `own` is another that nobody looks at."""
        _look(self, number, 0, 0, own)

    def answer(self, written: int, other: Cell, number: int) -> None:
        """Write it without the interpreter; return when the other one has come to a number, or after a while.

        What waits for the other one is begun a little later: its writer needs the interpreter first.
        """
        _look(other, number, _SETTLING, written, self)


def _look(cell: Cell, number: int, settling: int, written: int, own: Cell) -> None:
    """Write one's own cell and look out for the other, if lingering helps now."""
    global _sleep_until, _pause
    if not CAN or time.perf_counter() < _sleep_until:
        own.write(written)
        return
    looks = (cell.number, number, LOOKS, LONG)
    if _linger(*looks, settling, written, _CLOCK, own.room, own.number):
        _sleep_until, _pause = time.perf_counter() + _pause, min(2.0 * _pause, _PAUSES[1])
    else:
        _pause = max(0.9 * _pause, _PAUSES[0])
