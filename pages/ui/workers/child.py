"""What a worker process does: one function after another, told by the server over a line of their own.

A thread listens: for what to do next, for Stop, for how many others are at work, and for the end of the line,
which is the end of the server. What the function tells on its way is sent in bundles, ten a second.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ltr_core.stopping import StopFlag, Stopped
from ltr_core.threads import process_gives_way, short_turns, trains_beside

from .passing import Parts, receive

_BUNDLE_SECONDS = 0.1


class Child:
    """This process's end of the line."""

    def __init__(self, line: Connection) -> None:
        self.line, self.sending = line, threading.Lock()
        self.tasks: queue.SimpleQueue[tuple[Callable[..., Any], tuple, list[int], StopFlag]] = (
            queue.SimpleQueue()
        )
        self.parts: dict[int, Parts] = {}
        self.told: list[Any] = []
        self.flag = StopFlag()

    def listen(self) -> None:
        """Hear what the server says, and send what has been told."""
        try:
            while True:
                if self.line.poll(_BUNDLE_SECONDS):
                    self._take(*self.line.recv())
                self.send_told()
        except Exception as error:
            if not isinstance(error, (EOFError, OSError)):  # else the server has ended
                traceback.print_exc()
            os.kill(os.getpid(), signal.SIGTERM)  # who waits for an answer is told that it is lost

    def _take(self, what: str, *given: Any) -> None:
        if what == "do":
            self.flag = StopFlag()
            self.tasks.put((*given, self.flag))
        elif what == "stop":
            self.flag.set()
        elif what == "beside":
            trains_beside(*given)
        elif what == "hold":
            number, handles = given
            self.parts[number] = receive(handles)
        else:
            self.parts.pop(given[0], None)

    def tell(self, what: Any) -> None:
        """Note what is to be sent with the next bundle."""
        with self.sending:
            self.told.append(what)

    def send_told(self) -> None:
        """Send the bundle."""
        with self.sending:
            if self.told:
                bundle, self.told = self.told, []
                self.line.send(("told", bundle))

    def work(self) -> None:
        """Do one thing after another."""
        while True:
            function, args, numbers, flag = self.tasks.get()
            try:
                answer = "done", function([self.parts[n] for n in numbers], *args, self.tell, flag)
            except Stopped:
                answer = "stopped", None
            except ValueError as error:  # a sentence
                answer = "wrong", str(error)
            except Exception:
                answer = "broken", traceback.format_exc()
            self.send_told()
            with self.sending:
                self.line.send(answer)


def main(number: int) -> None:
    """Serve the line with this file number until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's, and ends this by ending the line
    process_gives_way()
    short_turns()
    child = Child(Connection(number))
    threading.Thread(target=child.listen, name="listening", daemon=True).start()
    child.work()


if __name__ == "__main__":
    main(int(sys.argv[1]))
