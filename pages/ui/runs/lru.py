"""A small shared cache that forgets what was used longest ago. Threads may use it together.

Worker threads need the data and must not call Streamlit: its caches cannot hold them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class Lru:
    """Holds at most `entries` values that together weigh at most `budget`."""

    def __init__(self, entries: int, budget: float = float("inf")) -> None:
        self.entries, self.budget = entries, budget
        self._held: OrderedDict[Hashable, tuple[Any, float]] = OrderedDict()
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
            self._held[key] = (value, weight)
            self._held.move_to_end(key)
            while len(self._held) > 1 and (
                len(self._held) > self.entries or sum(w for _, w in self._held.values()) > self.budget
            ):
                self._held.popitem(last=False)
        return value

    def drop(self, key: Hashable) -> None:
        """Forget a value."""
        with self._lock:
            self._held.pop(key, None)

    def make(
        self, key: Hashable, build: Callable[[], Any], weigh: Callable[[Any], float] | None = None
    ) -> Any:
        """Return a value, built once however many threads ask for it at a time."""
        value = self.get(key)
        if value is not None:
            return value
        with self._lock:
            lock = self._making.setdefault(key, threading.Lock())
        with lock:
            value = self.get(key)
            if value is None:
                value = build()
                self.put(key, value, weigh(value) if weigh else 0.0)
        with self._lock:
            self._making.pop(key, None)
        return value

    def __len__(self) -> int:
        return len(self._held)
