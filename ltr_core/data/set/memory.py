"""How much memory there is, and how much of it is free: the machine's, or less where a group has a limit."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_MACHINE, _GROUP, _OWN = Path("/proc/meminfo"), Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
_MINE = Path("/proc/self/statm")


class _Told(NamedTuple):
    """Where a version of Linux's control groups tells a group's limit and use."""

    begin: str  # of the line that names this process's group
    folder: str
    limit: str
    used: str
    idle: str  # in memory.stat: what is held of files nobody has read again


_VERSIONS = (
    _Told("0::", "", "memory.max", "memory.current", "inactive_file"),
    _Told(":memory:", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def free_bytes() -> int | None:
    """Return how much memory is free, for this process's group too; None where that cannot be known."""
    found = _of_machine("MemAvailable") + [limit - used for limit, used in _of_groups()]
    return min(found or _of_system(), default=None)


def total_bytes() -> int | None:
    """Return how much memory there is, for this process's group at most; None where that cannot be known."""
    found = _of_machine("MemTotal") + [limit for limit, _ in _of_groups()]
    return min(found or _of_system(), default=None)


def own_bytes() -> int:
    """Return how much memory this process has; 0 where that cannot be known."""
    with suppress(OSError, ValueError, AttributeError):
        return int(_MINE.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _of_machine(what: str) -> list[int]:
    with suppress(OSError, ValueError, IndexError):
        lines = _MACHINE.read_text().splitlines()
        return [1024 * int(line.split()[1]) for line in lines if line.startswith(f"{what}:")]
    return []


def _of_groups() -> list[tuple[int, int]]:
    """Return limit and use of this process's group and those above it; what is idle is no use."""
    found = []
    for told in _VERSIONS:
        for folder in _folders(told):
            with suppress(OSError, ValueError):  # "max" is no number: no limit
                limit, used = (int((folder / file).read_text()) for file in (told.limit, told.used))
                found.append((limit, used - _idle(folder, told)))
    return found


def _folders(told: _Told) -> Iterator[Path]:
    """Yield the folders of this process's group and those above it; in a container its own is on top."""
    top, own = _GROUP / told.folder, ""
    with suppress(OSError):
        for line in _OWN.read_text().splitlines():
            if told.begin in line:
                own = line.partition(told.begin)[2].strip("/")
    folder = top / own
    while folder != top and top in folder.parents:
        yield folder
        folder = folder.parent
    yield top


def _idle(folder: Path, told: _Told) -> int:
    with suppress(OSError, ValueError):
        lines = (folder / "memory.stat").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.split()[:1] == [told.idle])
    return 0


def _of_system() -> list[int]:
    with suppress(OSError, ValueError, AttributeError):
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return []
