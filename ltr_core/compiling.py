"""A sentence while kernels are compiled: a first training would else be silent for seconds.

What the kernel cache has is loaded in milliseconds, and nothing is said. ``RANKSCOPE_QUIET=1`` says nothing.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numba  # noqa: F401 - the whole before a part: another thread may be loading it
from numba.core import event

AFTER = 1.0  # seconds of compiling
SENTENCE = (
    "Compiling kernels, once on this machine: what comes first takes some seconds longer. "
    "ltr_core.warmup() compiles them all."
)


class Told(event.Listener):
    """Adds up what numba compiles, and says so once."""

    def __init__(self) -> None:
        self.seconds, self._depth, self._since, self._said = 0.0, 0, 0.0, False

    def on_start(self, what: Any) -> None:
        """Note the beginning; kernels that others call are compiled within them."""
        if not self._depth:
            self._since = time.perf_counter()
            if self.seconds >= AFTER and not self._said:
                self._said = True
                say()
        self._depth += 1

    def on_end(self, what: Any) -> None:
        """Note the end."""
        self._depth -= 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._since


def say() -> None:
    """Say it, unless nobody wants to hear it."""
    if os.environ.get("RANKSCOPE_QUIET", "") in ("", "0"):
        sys.stderr.write(f"{SENTENCE}\n")
        sys.stderr.flush()


TOLD = Told()


event.register("numba:compile", TOLD)
