"""How much memory is free."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def free_bytes() -> int | None:
    """Return how much memory is free, for this process's group too; None where that cannot be known."""
    found = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found += [1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError):
        group = Path("/sys/fs/cgroup")
        used = int((group / "memory.current").read_text())
        found.append(int((group / "memory.max").read_text()) - used)  # "max" is no number: no limit
    if not found:
        with suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min(found, default=None)
