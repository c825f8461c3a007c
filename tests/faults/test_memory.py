"""A server that trains all day: what it keeps of each training is a model and its curves, and no more."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path

import pytest

from tests.benchmarks.load.tab import Tab
from tests.benchmarks.load.watch import own_bytes, wait_until_idle
from tests.benchmarks.soak import NO_RUNS, RUNS, train_new
from tests.live import PATIENCE, Server, serve

pytestmark = pytest.mark.slow

_EARLY, _LATE, _MORE = 20, 100, 1.2  # trainings, and how much more memory after the last of them
_PEOPLE = 2

# What is garbage is a question of when the collector last passed: here it passes before each look.
_COLLECTS = """
import ctypes, pathlib, threading, time

def collect(asked=pathlib.Path({asked!r})):
    while True:
        time.sleep(0.1)
        if asked.exists():
            from ltr_core.threads import freeze_anew
            freeze_anew()
            ctypes.CDLL(None).malloc_trim(0)
            asked.unlink()

threading.Thread(target=collect, daemon=True).start()
"""


async def _look(server: Server, asked: Path) -> int:
    """Return the memory of the server and its workers once garbage is collected."""
    asked.touch()
    while asked.exists():
        assert server.alive
        await asyncio.sleep(0.1)
    return own_bytes(server.process.pid)


async def _after_trainings(server: Server, folder: Path) -> list[int]:
    """Return the memory after the early and after the late trainings."""
    tabs = [Tab(server.url, patience=PATIENCE / 1000) for _ in range(_PEOPLE)]
    for tab in tabs:
        await tab.open("compare", NO_RUNS)
    await wait_until_idle(server.process.pid, at_least=3.0, at_most=300.0)  # the kernels are loaded
    seeds, seen, trained = count(1), [], 0
    for wanted in (_EARLY, _LATE):
        while trained < wanted:
            await asyncio.gather(*(train_new(tab, seeds, RUNS) for tab in tabs))
            trained += RUNS * _PEOPLE
        assert sum(1 for _ in folder.glob("runs-*/*.json")) == wanted
        seen.append(await _look(server, folder / "collect"))
    for tab in tabs:
        await tab.close()
    return seen


def test_memory_after_a_hundred_trainings_is_about_that_after_twenty(tmp_path):
    with serve(tmp_path, _COLLECTS.format(asked=str(tmp_path / "collect"))) as server:
        early, late = asyncio.run(_after_trainings(server, tmp_path))
    told = f"{early / 1e6:.0f} MB after {_EARLY} trainings, {late / 1e6:.0f} MB after {_LATE}"
    assert late <= _MORE * early, told
