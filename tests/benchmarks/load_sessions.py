"""Many people at once: how long a click takes while so many read and so many of them train.

    python -m tests.benchmarks.load_sessions --readers 40 --trainers 20 --seconds 60 [--page compare] [--json]

A fresh server, and for each person a WebSocket that speaks Streamlit's protocol, polls included. `--readers`
are all who are there, `--trainers` those of them who train. With `--page` they stay on that page. Only this
machine is spoken to; the run store is a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.benchmarks.load.people import Click, Person, Trainer
from tests.benchmarks.load.report import lines, table
from tests.benchmarks.load.tab import Tab, TabError
from tests.benchmarks.load.watch import Watch, wait_until_idle
from tests.live import Server, serve

_MOST = {"readers": 400, "seconds": 3600}
_WARM_SECONDS = (
    14.0  # a server whose kernels are all in the cache loads them ten seconds after its first page
)
_START_SECONDS = 10.0  # over which people arrive


async def load(server: Server, folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Let the people come, click and go; return the figures."""
    group = server.process.pid  # the server is the head of a group of its own
    first = Tab(server.url, patience=300)
    opened = await first.open()
    await wait_until_idle(group, at_least=_WARM_SECONDS, at_most=300)
    await first.close()
    clicks: list[Click] = []
    begin = time.monotonic()
    draw = random.Random(given.seed)
    people = [
        (Trainer if number < given.trainers else Person)(
            server.url, draw.randrange(2**32), given.think, clicks, given.page
        )
        for number in range(given.readers)
    ]
    trained = _n_stored(folder)
    watch = Watch(group)
    looking = asyncio.create_task(watch.run())
    ramp = min(_START_SECONDS, given.seconds / 3)
    stays = [person.stay(draw.uniform(0, ramp), begin + given.seconds) for person in people]
    ends = await asyncio.gather(*stays, return_exceptions=True)
    cores = watch.cores
    looking.cancel()
    broken = [repr(end) for end in ends if isinstance(end, BaseException) and not isinstance(end, TabError)]
    return {
        "readers": given.readers,
        "trainers": given.trainers,
        "page": given.page,
        "seconds": given.seconds,
        "first_page": opened,
        "answers": lines(clicks),
        "errors": dict(Counter(click.error for click in clicks if click.error)),
        "broken": broken,
        "polls": sum(person.n_polls for person in people),
        "received": sum(person.n_bytes for person in people),
        "trainings": _n_stored(folder) - trained,
        "cores": cores,
        "cpu_per_click": cores * given.seconds / max(1, len(clicks)),
        "memory": watch.most_memory,
        "threads": watch.most_threads,
        "own_delay": watch.most_late,
        "load_average": os.getloadavg()[0],
        "server_alive": server.alive,
    }


def _n_stored(folder: Path) -> int:
    return sum(1 for _ in folder.glob("runs-*/*.json"))


def _say(found: dict[str, Any]) -> str:
    where = f" on {found['page']}" if found["page"] else ""
    told = [
        f"{found['readers']} people{where}, {found['trainers']} of them training, {found['seconds']:.0f} s",
        table(found["answers"]),
        f"server: {found['cores']:.2f} cores, {found['memory'] / 1e6:.0f} MB, {found['threads']} threads; "
        f"{found['cpu_per_click']:.2f} s of a core a click",
        f"{found['trainings']} trainings, {found['polls']} polls, {found['received'] / 1e6:.0f} MB sent",
        f"around: load average {found['load_average']:.1f}, "
        f"this program late by {found['own_delay']:.2f} s at most",
    ]
    told += [f"error ({n} ×): {error}" for error, n in found["errors"].items()]
    told += [f"broken: {error}" for error in found["broken"]]
    return "\n".join(told)


def main(arguments: list[str] | None = None) -> int:
    """Run the test and print what it found."""
    parser = argparse.ArgumentParser(prog="load_sessions", description=__doc__.splitlines()[0])
    parser.add_argument("--readers", type=int, default=40, help="people, all in all (40)")
    parser.add_argument("--trainers", type=int, default=20, help="how many of them train (20)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (60)")
    parser.add_argument("--page", help="the page all stay on, by its path; without it they hop")
    parser.add_argument("--think", type=float, nargs=2, default=(4.0, 8.0), metavar=("LOW", "HIGH"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    if not 1 <= given.readers <= _MOST["readers"] or not 1 <= given.seconds <= _MOST["seconds"]:
        parser.error(f"at most {_MOST['readers']} people and {_MOST['seconds']} seconds")
    with tempfile.TemporaryDirectory(prefix="load-") as folder, serve(Path(folder)) as server:
        found = asyncio.run(load(server, Path(folder), given))
        log = server.log.read_text(errors="replace")
    own = [line for line in log.splitlines() if "/pages/" in line or "/ltr_core/" in line]
    found["log_errors"] = len(own)  # a line that is cut leaves a traceback of the web server's, which is none
    if own:
        print(log[-4000:], file=sys.stderr)
    print(json.dumps(found, indent=1) if given.json else _say(found))
    wrong = found["answers"]["all"].get("errors", 0) + len(found["broken"]) + (not found["server_alive"])
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
