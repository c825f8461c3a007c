"""The compilation of the kernels, in the background, from the start of the server.

Compiling holds Python's interpreter lock much of the time, a minute and more where nothing is in the kernel
cache, and pages would be slow to answer. So another process fills the cache, at low priority, and this one
only loads from it what it has not compiled for a training meanwhile.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import ltr_core
from ltr_core.threads import kernel_cache

_LOG = logging.getLogger(__name__)
_ROOT = Path(ltr_core.__file__).resolve().parent.parent

_FIRST_PAGE_SECONDS = 10.0
_WARM = 100  # kernels in the cache; a first training alone leaves some forty


@dataclass
class WarmUp:
    """How far the compilation is."""

    piece: int | None = None  # bytes that a process may grow by before another goes on; None: one does all
    done: int = 0
    total: int = 1
    what: str = ""
    over: bool = False

    def run(self) -> None:
        """Compile everything, and load it into this process."""
        try:
            if is_cold():
                self._fill_cache()
            else:  # nothing to wait for: the first page goes first, loading what it needs itself
                self.over = True
                time.sleep(_FIRST_PAGE_SECONDS)
            ltr_core.warmup(None if self.over or self.done else self._note)
        except Exception:
            _LOG.exception("The warm-up failed; kernels are compiled when they are first used")
        self.over = True

    def _note(self, done: int, total: int, what: str) -> None:
        self.done, self.total, self.what = done, total, what

    def _fill_cache(self) -> None:
        """Have it filled, by one process after another: what one has compiled is given back when it ends."""
        begin = -1
        while begin < self.done < self.total:  # else the last one has come to nothing
            begin = self.done
            self._fill_from(begin)

    def _fill_from(self, begin: int) -> None:
        program = f"from ltr_core.warming import fill_cache; fill_cache({begin}, {self.piece})"
        with subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        ) as process:
            for text in process.stdout or ():
                done, total, what = text.rstrip("\n").split(" ", 2)
                self._note(int(done), int(total), what)


def is_cold() -> bool:
    """Whether the kernel cache lacks most of what a warm-up leaves there."""
    return sum(1 for _ in kernel_cache().rglob("*.nbi")) < _WARM
