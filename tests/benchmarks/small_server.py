"""A server in a control group: three people come at once, each with three runs that nobody has trained.

    python -m tests.benchmarks.small_server 1024 [--cold]

The number is the megabytes that the group may take; `--cold` begins with an empty kernel cache. It tells what
the server and its processes had at most, and what the system ended. A group is made in this process's own,
which takes the rights to do so (root, as a rule); of control groups the first version is known here.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from tests.benchmarks.load.tab import Tab
from tests.live import Server, serve

_GROUPS = Path("/sys/fs/cgroup/memory")
_SETS = (
    "data.cubic..cubic-n_queries.100..cubic-n_docs.20",
    "data.cubic..cubic-n_queries.150..cubic-n_docs.20",
    "data.tiny-web..tiny-web-n_queries.60",
)
_RUNS = (
    ("MPBoost.n_rounds.60", "RankBoost.n_rounds.60", "LambdaMART.n_trees.30"),
    ("FRank.n_rounds.60", "MPBoost.n_rounds.80", "McRank.n_trees.30"),
    ("RankNet.epochs.60", "LambdaMART.n_trees.40", "RankBoost.n_rounds.90"),
)
_PATIENCE = 300.0
_AFTER = 75.0  # seconds that are watched after the last run: what compiles goes on


class Group:
    """A control group with a limit."""

    def __init__(self, n_bytes: int) -> None:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        own = next(line.split(":", 2)[2] for line in lines if ":memory:" in line)
        self.folder = _GROUPS / own.strip("/") / f"small-server-{os.getpid()}"
        self.folder.mkdir()
        (self.folder / "memory.limit_in_bytes").write_text(str(n_bytes))

    def told(self, file: str, name: str) -> int:
        """Return a number that the group tells."""
        words = (line.split() for line in (self.folder / file).read_text().splitlines())
        return next((int(value) for key, value in words if key == name), 0)

    def end(self) -> None:
        """Take the group away; its processes may be ending."""
        for _ in range(100):
            try:
                self.folder.rmdir()
                return
            except OSError:
                time.sleep(0.1)


@contextmanager
def _grouped(n_bytes: int) -> Iterator[Group]:
    group = Group(n_bytes)
    try:
        yield group
    finally:
        group.end()


async def _come(server: Server, number: int) -> Tab:
    runs = (f"r{slot}.{run}.random_state.{10 * number + slot}" for slot, run in enumerate(_RUNS[number]))
    tab = Tab(server.url, patience=_PATIENCE)
    await tab.open("compare", urlencode({"s": "..".join((_SETS[number], *runs))}))
    return tab


async def _watch(server: Server, group: Group, folder: Path) -> int:
    began, over, most, told = time.monotonic(), 0.0, 0, ""
    people = [asyncio.create_task(_come(server, number)) for number in range(len(_SETS))]
    while server.alive and time.monotonic() - began < _PATIENCE:
        await asyncio.sleep(0.5)
        most = max(most, group.told("memory.stat", "total_rss"))
        kills, n_runs = group.told("memory.oom_control", "oom_kill"), len(list(folder.glob("runs-*/*.json")))
        told = (
            f"{time.monotonic() - began:.0f} s: {n_runs} runs, {most / 1e6:.0f} MB at most, "
            f"{kills} processes ended for memory, the server {'goes on' if server.alive else 'has ended'}"
        )
        if n_runs >= sum(map(len, _RUNS)):
            over = over or time.monotonic()
        if over and time.monotonic() - over > _AFTER:
            break
    print(told)
    for person in people:
        if person.done() and not person.exception():
            await person.result().close()
        person.cancel()
    return int(not (over and server.alive))


def main() -> int:
    """Serve, come and watch."""
    parser = argparse.ArgumentParser(prog="small_server", description=__doc__.splitlines()[0])
    parser.add_argument("megabytes", type=int)
    parser.add_argument("--cold", action="store_true", help="with an empty kernel cache")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="small-") as place, _grouped(given.megabytes << 20) as group:
        join = f"import os; open({str(group.folder / 'cgroup.procs')!r}, 'w').write(str(os.getpid()))"
        kept = {"NUMBA_CACHE_DIR": f"{place}/kernels"} if given.cold else {}
        runs = Path(place) / "runs"
        with serve(runs, first=join, RANKSCOPE_WORKERS="", RANKSCOPE_DATA=f"{place}/data", **kept) as server:
            return asyncio.run(_watch(server, group, runs))


if __name__ == "__main__":
    sys.exit(main())
