"""What the server costs while it is watched: processor time and memory of its processes, from /proc."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Usage:
    """Processor seconds and bytes of a group of processes, and how many threads and processes it has."""

    cpu: float = 0.0
    memory: int = 0
    threads: int = 0
    processes: int = 0


def usage(group: int) -> Usage:
    """Add up what the processes of a group have used; those that have ended count by their parent."""
    total = Usage()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(") ")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[2]) == group:
            total.cpu += sum(map(int, fields[11:15])) / _TICKS
            total.threads += int(fields[17])
            total.memory += int(fields[21]) * _PAGE
            total.processes += 1
    return total


def own_bytes(group: int) -> int:
    """Add up what the processes of a group have of memory; what several share is counted once."""
    total = 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and os.getpgid(int(folder.name)) == group:
                told = (folder / "smaps_rollup").read_text().splitlines()
                total += next(1024 * int(line.split()[1]) for line in told if line.startswith("Pss:"))
        except (OSError, StopIteration):  # it has just ended
            continue
    return total


class Watch:
    """Looks at a group of processes once a second, and at how late this program itself is."""

    def __init__(self, group: int) -> None:
        self.group = group
        self.started, self.before = time.monotonic(), usage(group)
        self.most_memory, self.most_threads, self.most_late = 0, 0, 0.0

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            found = usage(self.group)
            self.most_memory = max(self.most_memory, found.memory)
            self.most_threads = max(self.most_threads, found.threads)
            for _ in range(20):
                asked = time.perf_counter()
                await asyncio.sleep(0.05)
                self.most_late = max(self.most_late, time.perf_counter() - asked - 0.05)

    @property
    def cores(self) -> float:
        """How many cores were kept busy since the watch began."""
        return (usage(self.group).cpu - self.before.cpu) / (time.monotonic() - self.started)


async def wait_until_idle(group: int, at_least: float, at_most: float) -> None:
    """Wait until the processes do next to nothing for three seconds."""
    started, quiet = time.monotonic(), 0
    while time.monotonic() - started < at_most:
        before = usage(group).cpu
        await asyncio.sleep(1.0)
        quiet = quiet + 1 if usage(group).cpu - before < 0.1 else 0
        if quiet >= 3 and time.monotonic() - started > at_least:
            return
