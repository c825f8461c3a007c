"""Python's collection of cyclic garbage, by a clock of its own instead of after every run of a page.

Streamlit would collect everything after each run and each poll (`runner.postScriptGC`, which is off here):
with a dozen sessions half of the server's time. Python's own collections of what is young go on as ever; what
they leave is collected here, at a quiet moment or when it has waited long enough.

What is long-lived, the modules and kernels above all, is frozen: collections pass over it. What a session had
made by then is frozen with it and is garbage one day, so from time to time everything is thawed, looked
through and frozen anew.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from functools import cache

from ltr_core.threads import freeze_anew

_TICK = 1.0  # seconds between looks
_SOON, _LATE = 10.0, 30.0  # a collection waits so long for a quiet moment, and then for none
_THAW_SOON, _THAW_LATE = 120.0, 300.0  # the same for one of everything
_DRAWING = "ScriptRunner"  # how Streamlit's threads that run a page are named


class Collecting:
    """Collects when it is time."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, is_quiet: Callable[[], bool] | None = None
    ) -> None:
        self._clock, self._is_quiet = clock, is_quiet or nobody_draws
        self._collected = self._thawed = clock()

    def look(self) -> str:
        """Do what is due: "all", "new" or nothing; return what was done."""
        now = self._clock()
        if self._is_due(now - self._thawed, _THAW_SOON, _THAW_LATE):
            freeze_anew()
            self._thawed = self._collected = self._clock()
            return "all"
        if self._is_due(now - self._collected, _SOON, _LATE):
            gc.collect()
            self._collected = self._clock()
            return "new"
        return ""

    def _is_due(self, waited: float, soon: float, late: float) -> bool:
        return waited >= late or (waited >= soon and self._is_quiet())

    def run(self) -> None:
        """Look again and again."""
        while True:
            time.sleep(_TICK)
            self.look()


@cache
def start() -> threading.Thread:
    """Collect in the background from now on; once for the process, however often it is asked for."""
    thread = threading.Thread(target=Collecting().run, name="collecting", daemon=True)
    thread.start()
    return thread


def nobody_draws() -> bool:
    """Whether no page, and no part of one, is being run."""
    return not any(thread.name.startswith(_DRAWING) for thread in threading.enumerate())
