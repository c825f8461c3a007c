"""A small shared cache that forgets what was used longest ago. Threads may use it together.

Worker threads need the data and must not call Streamlit: its caches cannot hold them. With 600 values a get
takes 1 µs and a put 0.6; cachetools takes 2 and 1 to 4, has one limit where there are two here, and refuses a
value above the budget, which is kept here.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Lru:
    """Holds at most `entries` values that together weigh at most `budget`."""

    def __init__(self, entries: int, budget: float = float("inf")) -> None:
        self.entries, self.budget = entries, budget
        self._held: OrderedDict[Hashable, tuple[Any, float]] = OrderedDict()
        self._weight = 0.0
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """Return a value, or None."""
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return self._held[key][0]

    def put(self, key: Hashable, value: Any, weight: float = 0.0) -> Any:
        """Keep a value and return it; others make room."""
        with self._lock:
            self._forget(key)
            self._held[key] = (value, weight)
            self._weight += weight
            while len(self._held) > 1 and (len(self._held) > self.entries or self._weight > self.budget):
                self._forget(next(iter(self._held)))
        return value

    def _forget(self, key: Hashable) -> None:
        self._weight -= self._held.pop(key, (None, 0.0))[1]

    def drop(self, is_gone: Callable[[Hashable], bool]) -> None:
        """Forget what is kept under such keys."""
        with self._lock:
            for key in [key for key in self._held if is_gone(key)]:
                self._forget(key)

    def make(self, key: Hashable, build: Callable[[], T], weigh: Callable[[T], float] = lambda _: 0.0) -> T:
        """Return a value, built once however many threads ask for it at a time."""
        if (value := self.get(key)) is not None:
            return value
        with self._lock:
            lock = self._making.setdefault(key, threading.Lock())
        with lock:
            if (value := self.get(key)) is None:
                value = build()
                self.put(key, value, weigh(value))
        with self._lock:
            self._making.pop(key, None)
        return value

    def __len__(self) -> int:
        return len(self._held)
