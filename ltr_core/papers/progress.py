"""How far an exhibit is, and whether it is to end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..stopping import Stopped


class Progress:
    """Counts rounds of training; threads may share it.

    Parameters
    ----------
    tell : callable, optional
        Called as ``tell(done, total)`` after each round.
    cancelled : callable, optional
        Whether to end: the next round then raises `Stopped`.
    """

    def __init__(
        self, tell: Callable[[int, int], None] | None = None, cancelled: Callable[[], bool] | None = None
    ) -> None:
        self.done = self.total = 0
        self.cancelled = cancelled
        self._tell, self._lock = tell, threading.Lock()

    def expect(self, rounds: int) -> None:
        """Say how many rounds are to come."""
        self.total += rounds

    def on_round(self, info: Any = None) -> None:
        """Count a round; a ranker's `on_round`."""
        self.advance()

    def advance(self, rounds: int = 1) -> None:
        """Count rounds, and end here if that is wanted."""
        with self._lock:
            self.done += rounds
            if self._tell is not None:
                self._tell(self.done, max(self.done, self.total))
        if self.cancelled is not None and self.cancelled():
            raise Stopped
