"""How much memory there is, and how much of it is free: the machine's, or less where a group has a limit."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_MACHINE, _GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")
_TOLD = (  # of a group's limit and use, by the version of Linux's control groups
    ("memory.max", "memory.current"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
)


def free_bytes() -> int | None:
    """Return how much memory is free, for this process's group too; None where that cannot be known."""
    found = _of_machine("MemAvailable") + [limit - used for limit, used in _of_group()]
    return min(found or _of_system(), default=None)


def total_bytes() -> int | None:
    """Return how much memory there is, for this process's group at most; None where that cannot be known."""
    found = _of_machine("MemTotal") + [limit for limit, _ in _of_group()]
    return min(found or _of_system(), default=None)


def _of_machine(what: str) -> list[int]:
    with suppress(OSError, ValueError, IndexError):
        lines = _MACHINE.read_text().splitlines()
        return [1024 * int(line.split()[1]) for line in lines if line.startswith(f"{what}:")]
    return []


def _of_group() -> list[tuple[int, int]]:
    found = []
    for files in _TOLD:
        with suppress(OSError, ValueError):  # "max" is no number: no limit
            limit, used = (int((_GROUP / file).read_text()) for file in files)
            found.append((limit, used))
    return found


def _of_system() -> list[int]:
    with suppress(OSError, ValueError, AttributeError):
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return []
