"""Memory for what is to begin: a training, a sweep, a set of data, an upload. Asked before, not told after.

A container that takes more than it may is ended by the system, with everybody's work. So a part stays free,
work waits while other work may give memory back, and what can never fit is refused with a sentence.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress

from ltr_core import DataError
from ltr_core.data import free_bytes, total_bytes

_SPARE = 256 << 20  # bytes that stay free: what a training compiles and a page draws in the meantime
_SHARE = 8  # at most this part of all there is
_CELL_BYTES = 12  # of a feature value while a set is made, cut into three and binned
_MB = 1 << 20


def free_beyond(needed: float = 0.0) -> float:
    """Return how many bytes are free when so many more are taken, and what stays free; negative: none are."""
    free, total = free_bytes(), total_bytes()
    if free is None or total is None:
        return float("inf")
    return free - min(_SPARE, total // _SHARE) - needed


def has_room(needed: float = 0.0) -> bool:
    """Whether something that takes so many bytes may begin."""
    return free_beyond(needed) >= 0


def most_cells(limit: int) -> int:
    """Return how many feature values a set may have here and now, `limit` at most."""
    return int(min(limit, max(0.0, free_beyond()) // _CELL_BYTES))


class Room:
    """What a runner asks before it starts a job.

    `give_back` forgets what can be made again; `others` says whether anything but jobs is at work, and will
    end; `let_go` ends what holds memory only to be quicker the next time.
    """

    def __init__(
        self,
        give_back: Callable[[], None] = lambda: None,
        others: Callable[[], bool] = lambda: False,
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        self._give_back, self._others, self._let_go = give_back, others, let_go

    def is_awaited(self, running: bool) -> bool:
        """Whether a job waits for the memory that others have; `running`: there are other jobs."""
        if has_room():
            return False
        self._let_go()
        return (running or self._others()) and not has_room()

    def make(self) -> None:
        """Give back what can be; a sentence where that is too little for a job alone."""
        if has_room():
            return
        self._give_back()
        gc.collect()
        with suppress(OSError, AttributeError):  # glibc keeps what was freed, until it is asked
            ctypes.CDLL(None).malloc_trim(0)
        if not has_room():
            raise DataError(
                f"The server has {max(0, free_bytes() or 0) // _MB:,} MB of memory left, too little to work",
                "try again later, or give the server more memory",
            )
