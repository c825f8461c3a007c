"""How far a long command is: a bar on a terminal, a line now and then elsewhere, always on stderr."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TextIO

from ..stopping import StopFlag

_BAR = 24  # characters
_REDRAWN = 0.1  # seconds between two drawings of the bar
_ENDING = (signal.SIGINT, signal.SIGTERM)
_TOLD = 5.0  # seconds between two lines where there is no terminal


class Meter:
    """A bar, or lines.

    Parameters
    ----------
    unit : str
        What is counted, such as "rounds".
    quiet : bool
        Whether to say nothing at all.
    stream : file, optional
        Where to; stderr without it.
    clock : callable
        The time in seconds.
    """

    def __init__(
        self,
        unit: str,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.unit, self.quiet, self.clock = unit, quiet, clock
        self.stream = stream or sys.stderr
        self.bar = self.stream.isatty()
        self.told = clock()
        self.drawn = 0  # how long the line on the screen is

    def update(self, done: int, total: int, text: str = "", left: float | None = None) -> None:
        """Say that so many of so many are done."""
        ended = done >= total
        now = self.clock()
        wait = 0.0 if ended else _REDRAWN if self.bar and self.drawn else 0.0 if self.bar else _TOLD
        if self.quiet or now - self.told < wait:
            return
        self.told = now
        words = [f"{done} of {total} {self.unit}", text]
        if left is not None and not ended:
            words.append(f"{say_seconds(left)} left")
        line = ", ".join(filter(None, words))
        if self.bar:
            full = min(_BAR, _BAR * done // max(total, 1))
            self._draw(f"[{'#' * full}{'-' * (_BAR - full)}] {line}")
        else:
            print(line, file=self.stream, flush=True)

    def _draw(self, line: str) -> None:
        line = line[: max(20, shutil.get_terminal_size().columns - 1)]
        print("\r" + line.ljust(self.drawn), end="", file=self.stream, flush=True)
        self.drawn = len(line)

    def close(self) -> None:
        """Leave the bar on its line, and what follows below it."""
        if self.drawn:
            print(file=self.stream, flush=True)
        self.drawn = 0


def tell(text: str, quiet: bool = False) -> None:
    """Say something that is not part of the result."""
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def say_seconds(seconds: float) -> str:
    """Write a length of time as a person would say it."""
    if seconds < 1:
        return f"{max(seconds, 0.01):.2f} s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Interrupt(StopFlag):
    """Set by the first Ctrl-C or SIGTERM; `code` is what the command then exits with."""

    code = 128 + signal.SIGINT


@contextlib.contextmanager
def interruptible() -> Iterator[Interrupt]:
    """Yield a flag that the first Ctrl-C or SIGTERM sets; the second one ends the command at once.

    Python itself would notice a signal only when the kernel that is running returns: a thread is told of it.
    """
    asked = Interrupt()
    told: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        press(number)
        with contextlib.suppress(OSError, ValueError):  # not print: the stream may be in the middle of one
            os.write(sys.stderr.fileno(), b"\nStopping; Ctrl-C again ends it at once.\n")

    def press(number: int) -> None:
        asked.code = 128 + number
        asked.set()

    def listen() -> None:
        while pressed := ours.recv(1):
            if pressed[0] in _ENDING:
                press(pressed[0])

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        listener = threading.Thread(target=listen, name="signals", daemon=True)
        listener.start()
        before = [(number, signal.signal(number, handle)) for number in _ENDING]
        outer = signal.set_wakeup_fd(theirs.fileno())
        try:
            yield asked
        finally:
            signal.set_wakeup_fd(outer)
            for number, handler in before:
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
            theirs.shutdown(socket.SHUT_RDWR)
            listener.join()
