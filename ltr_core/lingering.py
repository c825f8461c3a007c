"""Looking out for a while before sleeping.

A thread that sleeps begins 30 to 40 µs after it is woken, more than many a part of shared work takes: on two
cores a call of another thread cost 70 µs where nobody lingered, and costs 14 where both do. So who waits for
a part looks at a number in memory, as often as `LOOKS` says, some 0.2 ms, and sleeps on its lock only then.
Between two looks it yields: where more threads want to run than there are cores it is in nobody's way.

It looks without the interpreter, and what the other one waits for is written without it too: who sees a
number change finds the interpreter free, and need not sleep for that either. The numbers are a hint: what is
handed over is handed over under the locks of `threads`.
"""

from __future__ import annotations

import os

import numba
import numpy as np
from numba import njit, types

LOOKS = 500
_SETTLING = 8  # looks in which the caller goes from waking its helpers to its own part, some 3 µs

CAN = hasattr(os, "sched_yield") and not numba.config.DISABLE_JIT
_yield = types.ExternalFunction("sched_yield", types.int32())


@njit(nogil=True, cache=True)
def _linger(cell, number, looks, settling, own, out):
    """Write a number of one's own, then look out for another's; return whether it came."""
    out[0] = own
    for _ in range(looks):
        if cell[0] >= number:
            for _ in range(settling):
                _yield()
            return True
        _yield()
    return False


def warmup() -> None:
    """Have the kernel compiled."""
    Cell().look_for(0)


class Cell:
    """A number that one thread writes and another looks out for."""

    def __init__(self) -> None:
        self._number = np.zeros(8, np.int64)  # a line of the cache of its own
        self._nothing = np.zeros(8, np.int64)

    def write(self, number: int) -> None:
        """Write it."""
        self._number[0] = number

    def look_for(self, number: int) -> None:
        """Return when it has come to the number, or after a while."""
        if CAN:
            _linger(self._number, number, LOOKS, 0, 0, self._nothing)

    def answer(self, own: int, other: Cell, number: int) -> None:
        """Write it without the interpreter; return when the other one has come to a number, or after a while.

        What waits for the other one is begun a little later: its writer needs the interpreter first.
        """
        if CAN:
            _linger(other._number, number, LOOKS, _SETTLING, own, self._number)
