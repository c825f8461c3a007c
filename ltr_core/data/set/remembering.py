"""What is worked out from a data set and kept on it, so that repeated trainings share it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

from .ranking_data import RankingData

_T = TypeVar("_T")


class Memo:
    """Some of what was worked out, the last used last. It stays behind when the data are pickled."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.entries: dict[Hashable, object] = {}

    def __reduce__(self):
        return Memo, ()


_LOCK = threading.Lock()


def remembered(data: RankingData, name: str, key: Hashable, make: Callable[[], _T], most: int) -> _T:
    """Return what `make` gave for the key, now or before: the `most` last used are kept under the name."""
    with _LOCK:
        memo = data.__dict__.setdefault(name, Memo())
    with memo.lock:
        found = memo.entries.pop(key) if key in memo.entries else make()
        memo.entries[key] = found
        while len(memo.entries) > most:
            del memo.entries[next(iter(memo.entries))]
    return found
