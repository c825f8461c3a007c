"""What happens while kernels are compiled: a first training would else be silent for seconds, and longer.

A sentence says so. What the kernel cache has is loaded in milliseconds, and nothing is said.
``RANKSCOPE_QUIET=1`` says nothing.

Meanwhile garbage waits, and numba leaves out what nobody calls: of the 6.6 s that a first MPBoost compiles, a
tenth was looking through what had been loaded, and another tenth were functions for C.

Numba lets its compiler make vectors of loops only. A kernel may have those of what stands side by side too
(`side_by_side`): not every kernel, for where nothing is written so it does harm (FRank's sweep takes 13.8 ms
with it, 8.5 without).
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numba  # the whole before a part: another thread may be loading it
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


class SideBySide(event.Listener):
    """Has vectors made of what stands side by side in the kernels that are written so."""

    def __init__(self) -> None:
        self.kernels = set[str]()
        self._outside: list[int] = []

    def on_start(self, what: Any) -> None:
        """Switch it on for such a kernel; others, anybody's, have what was set. Callees come within."""
        self._outside.append(numba.config.SLP_VECTORIZE)
        written_so = _name_of(what.data["dispatcher"]) in self.kernels
        numba.config.SLP_VECTORIZE = 1 if written_so else self._outside[0]

    def on_end(self, what: Any) -> None:
        """Leave it as it was."""
        numba.config.SLP_VECTORIZE = self._outside.pop()


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
        module = kernel.py_func.__module__ or ""  # what somebody made with exec may have none
        if inner or module.startswith(f"{__package__}."):
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


def side_by_side(*kernels: Dispatcher) -> None:
    """Have vectors made of what stands side by side in these kernels; not in those that they call."""
    SIDE_BY_SIDE.kernels.update(_name_of(kernel) for kernel in kernels if isinstance(kernel, Dispatcher))


def _name_of(kernel: Dispatcher) -> str:
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"


def say() -> None:
    """Say it, unless nobody wants to hear it."""
    if os.environ.get("RANKSCOPE_QUIET", "") in ("", "0"):
        sys.stderr.write(f"{SENTENCE}\n")
        sys.stderr.flush()


TOLD, LEAN, SIDE_BY_SIDE = Told(), Lean(), SideBySide()


event.register("numba:compile", TOLD)
event.register("numba:compile", LEAN)
event.register("numba:compile", SIDE_BY_SIDE)
