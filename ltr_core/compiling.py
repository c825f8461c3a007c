"""What happens while kernels are compiled: a first training would else be silent for seconds, and longer.

A sentence says so. What the kernel cache has is loaded in milliseconds, and nothing is said.
``RANKSCOPE_QUIET=1`` says nothing.

Meanwhile garbage waits, and numba leaves out what nobody calls: of the 6.6 s that a first MPBoost compiles, a
tenth was looking through what had been loaded, and another tenth were functions for C.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numba  # noqa: F401 - the whole before a part: another thread may be loading it
from numba.core import event
from numba.core.dispatcher import Dispatcher

from . import threads

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


class Lean(event.Listener):
    """Lets the garbage collector wait, and numba leave out the functions through which C would call."""

    def __init__(self) -> None:
        self._depth, self._collects = 0, False

    def on_start(self, what: Any) -> None:
        """Stop collecting; a kernel that is called by address has said that it wants its function for C."""
        if not self._depth:
            self._collects = threads.stop_collecting()
        self._depth += 1
        kernel = what.data["dispatcher"]
        inner = kernel.targetoptions.get("no_cpython_wrapper")  # of numba's own, as the parts of np.empty
        if inner or kernel.py_func.__module__.startswith(f"{__package__}."):
            kernel.targetoptions.setdefault("no_cfunc_wrapper", True)

    def on_end(self, what: Any) -> None:
        """Collect as before."""
        self._depth -= 1
        if not self._depth and self._collects:
            threads.collect_again()


def keep_address(kernel: Dispatcher) -> None:
    """Let numba make a kernel's function for C too: it is called by its address."""
    if isinstance(kernel, Dispatcher):  # plain Python, where nothing is compiled, has no such function
        kernel.targetoptions["no_cfunc_wrapper"] = False


def say() -> None:
    """Say it, unless nobody wants to hear it."""
    if os.environ.get("RANKSCOPE_QUIET", "") in ("", "0"):
        sys.stderr.write(f"{SENTENCE}\n")
        sys.stderr.flush()


TOLD, LEAN = Told(), Lean()


event.register("numba:compile", TOLD)
event.register("numba:compile", LEAN)
