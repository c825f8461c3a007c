"""Whether a server stays as it is: memory, threads, processes and open files over many trainings and reruns.

    python -m tests.benchmarks.soak --trainings 1000 --reruns 5000

A fresh server and a few people who never tire: each opens links to five new runs, waits for them, and goes
from page to page. Ten times on the way, when nothing is under way, the figures are taken; they are flat when
the second half has no more threads, processes and files than the first had at most, and a tenth more memory.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.load.tab import Tab
from tests.benchmarks.load.watch import usage, wait_until_idle
from tests.live import Server, serve

_PEOPLE = 4
_LOOKS = 10
_SET = "data.cubic..cubic-n_queries.30..cubic-n_docs.8..cubic-n_features.5"
RUNS = 5  # of a link
NO_RUNS = urlencode({"s": f"{_SET}..runs.none"})
_AIR = 1.1  # how much more memory the second half may have
_ROW = "{:6d} trainings {:6d} reruns {:6d} stored {:7.0f} MB {:4d} threads {:3d} processes {:5d} files"
_SPARE = 6  # threads and files: a page that is just being drawn has some


def figures(group: int) -> tuple[float, int, int, int]:
    """Return MB, threads, processes and open files of a group of processes."""
    now, files = usage(group), 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and os.getpgid(int(folder.name)) == group:
                files += len(os.listdir(folder / "fd"))
        except OSError:  # it has just ended
            continue
    return now.memory / 1e6, now.threads, now.processes, files


async def train_new(tab: Tab, seeds: Iterator[int], n: int) -> int:
    """Have a tab open a link to new runs, wait for them, and return how many reruns that took."""
    runs = [f"r{i}.MPBoost.n_rounds.3.random_state.{next(seeds)}" for i in range(n)]
    link = urlencode({"s": "..".join((_SET, *runs)), "via": "link"})
    await tab.click(page=tab.pages["compare"], link=link)
    reruns = 1
    while tab.is_polling:  # they are under way; a page that is just drawn anew has no timers yet
        await asyncio.sleep(0.2)
        if not tab.is_polling:
            await tab.click()
            reruns += 1
    return reruns


async def soak(server: Server, folder: Path, trainings: int, reruns: int) -> list[tuple]:
    """Train and click, and return what was seen on the way."""
    group, seeds, seen = server.process.pid, iter(range(1, 2**31)), []
    tabs = [Tab(server.url, patience=3600) for _ in range(_PEOPLE)]
    for tab in tabs:
        await tab.open("compare", NO_RUNS)
    await wait_until_idle(group, at_least=14.0, at_most=300)
    done = [0, 0]

    async def one(tab: Tab, n_trainings: int, n_reruns: int) -> None:
        while n_trainings > 0 or n_reruns > 0:
            if n_trainings > 0:
                n = min(RUNS, n_trainings)
                n_clicks = await train_new(tab, seeds, n)
                n_trainings, n_reruns = n_trainings - n, n_reruns - n_clicks
                done[:] = done[0] + n, done[1] + n_clicks
            for path in ("rankings", "compare", "shapes", "compare")[: max(0, n_reruns)]:
                await tab.click(page=tab.pages[path])
                n_reruns -= 1
                done[1] += 1

    asked = trainings, reruns
    for number in range(_LOOKS):
        left = [(n - before) // (_LOOKS - number) for n, before in zip(asked, done, strict=True)]
        shares = [[n // _PEOPLE + (person < n % _PEOPLE) for n in left] for person in range(_PEOPLE)]
        await asyncio.gather(*(one(tab, *share) for tab, share in zip(tabs, shares, strict=True)))
        stored = sum(1 for _ in folder.glob("runs-*/*.json"))
        seen.append((*done, stored, *figures(group)))
        print(_ROW.format(*seen[-1]), flush=True)
    for tab in tabs:
        await tab.close()
    return seen


def is_flat(seen: list[tuple]) -> bool:
    """Whether the second half is as the first was at most."""
    half = len(seen) // 2
    before, after = seen[1:half], seen[half:]
    allowed = [max(row[3] for row in before) * _AIR]
    allowed += [max(row[n] for row in before) + _SPARE for n in (4, 5, 6)]
    return all(row[n + 3] <= most for row in after for n, most in enumerate(allowed))


def main(arguments: list[str] | None = None) -> int:
    """Run it and say whether the figures are flat."""
    parser = argparse.ArgumentParser(prog="soak", description=__doc__.splitlines()[0])
    parser.add_argument("--trainings", type=int, default=1000)
    parser.add_argument("--reruns", type=int, default=5000)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, serve(Path(folder)) as server:
        seen = asyncio.run(soak(server, Path(folder), given.trainings, given.reruns))
        alive = server.alive
    flat = alive and is_flat(seen)
    print("flat" if flat else "not flat" if alive else "the server has died")
    return int(not flat)


if __name__ == "__main__":
    sys.exit(main())
