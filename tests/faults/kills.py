"""kill −9 at random moments: what was finished is kept, nothing half is taken for whole, and all goes on.

    python -m tests.faults.kills --kills 50 [--seed 0] [--only server worker scheduler sweep train]

Each story starts what is to be killed, waits until some of its work is done, and a little more, kills it,
and checks. It raises an AssertionError where something does not hold, and else says what was done by then.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import ltr_core as ltr
from pages.ui.runs.history import History
from pages.ui.runs.specs import RunSpec
from pages.ui.runs.store import Store
from tests.benchmarks.load.tab import Tab
from tests.live import ROOT, Server, serve

_PATIENCE = 300.0
_LAMS = (0.1, 0.2, 0.4, 0.8, 1.2, 1.6, 2.0, 3.0)
_RUNS = 6


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < deadline, f"waited too long until {what}"
        time.sleep(0.01)


# The command line -------------------------------------------------------------------------------------------


def start(*words: str) -> subprocess.Popen:
    """Start the command line."""
    command = [sys.executable, "-m", "ltr_core", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def end(process: subprocess.Popen) -> tuple[int, str]:
    """Wait for the end of the command line; return its code and what it said."""
    _, said = process.communicate(timeout=_PATIENCE)
    assert "Traceback" not in said, said
    return process.returncode, said


def train(folder: Path, draw: random.Random) -> str:
    """Kill a training that writes over an older model."""
    path = folder / "m.json"
    words = ("train", "mpboost", "--data", "tiny", "--out", str(path), "--quiet")
    ltr.MPBoost(n_rounds=3).fit(ltr.datasets.make("tiny")).save(path)
    process = start(*words, "--n-rounds", "3000")
    time.sleep(draw.uniform(0.0, 3.0))
    process.kill()
    end(process)
    done = ltr.load_model(path).n_iter_
    assert done in (3, 3000), f"a model of {done} rounds"
    assert end(start(*words, "--n-rounds", "30")) == (0, "")
    assert ltr.load_model(path).n_iter_ == 30
    assert [p.name for p in folder.iterdir() if not p.name.startswith(".")] == ["m.json"]
    return "the new model" if done == 3000 else "the old model"


def sweep_words(path: Path) -> list[str]:
    """Return the words of the sweep that the stories kill."""
    lams = ",".join(map(str, _LAMS))
    fixed = ["--fixed", "n_rounds=150", "--seeds", "3", "--quiet"]
    return ["sweep", "mpboost", "--data", "tiny", "--vary", f"lam={lams}", "--store", str(path), *fixed]


@cache
def wanted() -> ltr.Sweep:
    """Return the same sweep, undisturbed."""
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        path = Path(folder) / "s.jsonl"
        assert end(start(*sweep_words(path)))[0] == 0
        return ltr.load_sweep(path)


def n_lines(path: Path) -> int:
    """Return how many whole lines a file has."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def goes_on(path: Path, n_before: int) -> str:
    """Check a sweep's file, and that the sweep goes on from there to the same end."""
    assert n_lines(path) >= n_before, "a line is gone"
    n_had = ltr.load_sweep(path).n_trained if n_lines(path) else 0
    whole = path.read_bytes()[: path.read_bytes().rfind(b"\n") + 1] if n_had else b""
    assert end(start(*sweep_words(path)))[0] == 0
    assert path.read_bytes().startswith(whole), "what was finished was done again"
    again = ltr.load_sweep(path)
    assert again.chosen == wanted().chosen and again.curves.equals(wanted().curves)
    return f"{n_had} of {again.n_trained} fits, then all"


def sweep(folder: Path, draw: random.Random) -> str:
    """Kill a sweep that writes to a file."""
    path = folder / "s.jsonl"
    process, n = start(*sweep_words(path)), draw.randrange(len(_LAMS) * 4)
    until(lambda: n_lines(path) >= n or process.poll() is not None, f"{n} lines are there")
    time.sleep(draw.uniform(0.0, 0.2))
    n_before = n_lines(path)
    process.kill()
    end(process)
    return goes_on(path, n_before)


def scheduler(folder: Path, draw: random.Random) -> str:
    """Kill the scheduler that a sweep runs on."""
    from tests.sweeps.test_cluster import Processes

    path, cluster = folder / "s.jsonl", Processes(folder)
    try:
        cluster.add_worker()
        until(lambda: "Registered to" in (folder / "worker0.log").read_text(), "the worker is there")
        process, n = start(*sweep_words(path), "--scheduler", cluster.address), draw.randrange(len(_LAMS) * 4)
        until(lambda: n_lines(path) >= n or process.poll() is not None, f"{n} lines are there")
        time.sleep(draw.uniform(0.0, 0.2))
        n_before = n_lines(path)
        cluster.scheduler.kill()
        code, said = end(process)
        told = "has ended, or cannot be reached" in said or "No scheduler answers" in said
        assert code == 0 or (code == 2 and told), f"{code}: {said}"
        return goes_on(path, n_before)
    finally:
        cluster.stop()


# The server -------------------------------------------------------------------------------------------------


def stored(folder: Path) -> dict[str, float]:
    """Return the files of the run store with their times, after a look at each."""
    files = {path.name: path.stat().st_mtime for path in folder.glob("runs-*/*.json")}
    store = Store(folder)
    for past in History(folder).runs():
        spec = RunSpec(past.data, past.recipe)
        if f"{spec.key}.json" in files:
            assert store.get(spec) is not None, f"{spec.key} is damaged"
    assert not store.history.dropped
    return files


def n_stored(folder: Path) -> int:
    """Return how many runs are stored."""
    return sum(1 for _ in folder.glob("runs-*/*.json"))


def visit(server: Server, link: str, stay: Callable[[], bool]) -> None:
    """Open a link as a browser does, and stay until something holds."""

    async def there() -> None:
        tab, deadline = Tab(server.url, patience=_PATIENCE), time.monotonic() + _PATIENCE
        try:
            await tab.open("compare", urlencode({"s": link}))
            while not stay() and time.monotonic() < deadline:
                await asyncio.sleep(0.02)
            assert not tab.n_exceptions
        finally:
            await tab.close()

    asyncio.run(there())


def link_of(draw: random.Random) -> str:
    """Return a link to runs that nobody has trained."""
    data = "data.cubic..cubic-n_queries.100..cubic-n_docs.20"
    seeds = [draw.randrange(2**31) for _ in range(_RUNS)]
    return "..".join(
        [data, *(f"r{i}.RankNet.epochs.150.random_state.{seed}" for i, seed in enumerate(seeds))]
    )


def workers_of(server: Server) -> list[int]:
    """Return the processes that a server has started and that live."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(") ")[2].split()
        except OSError:  # it has just ended, or is none
            continue
        if fields[2] == str(server.process.pid) and fields[0] != "Z" and entry.name != fields[2]:
            found.append(int(entry.name))
    return found


def server(folder: Path, draw: random.Random) -> str:
    """Kill a server whose runs are under way, and start another one on the same folder."""
    link, temporary, n = link_of(draw), folder / "tmp", draw.randrange(_RUNS)
    temporary.mkdir()
    with serve(folder, TMPDIR=str(temporary)) as first:
        visit(first, link, lambda: n_stored(folder) >= n)
        time.sleep(draw.uniform(0.0, 0.5))
        before = stored(folder)
        first.process.kill()
        first.process.wait()
        until(lambda: not workers_of(first), "the workers have ended")
    kept, left = stored(folder), list(temporary.glob("rankscope-*/.lock"))
    assert before.items() <= kept.items(), "a finished run is gone"
    with serve(folder, TMPDIR=str(temporary)) as second:
        visit(second, link, lambda: n_stored(folder) == _RUNS)
        assert n_stored(folder) == _RUNS, "not all are trained after the start"
        assert kept.items() <= stored(folder).items(), "what was finished was trained again"
        assert not any(lock.parent.exists() for lock in left), "the folder of the first is not swept away"
        assert second.alive
    return f"{len(kept)} of {_RUNS} runs, then all"


def worker(folder: Path, draw: random.Random) -> str:
    """Kill a worker process whose run is under way: the server and the other runs go on."""
    link, n = link_of(draw), draw.randrange(_RUNS)
    with serve(folder) as running:
        killed: list[dict[str, float]] = []

        def kill_and_go_on() -> bool:
            if not killed and n_stored(folder) >= n and (there := workers_of(running)):
                time.sleep(draw.uniform(0.0, 0.3))
                killed.append(stored(folder))
                with suppress(ProcessLookupError):  # it had just ended
                    os.kill(draw.choice(there), signal.SIGKILL)
            return bool(killed) and n_stored(folder) >= _RUNS - 1  # one has failed, or none

        visit(running, link, kill_and_go_on)
        kept = stored(folder)
        assert killed[0].items() <= kept.items() and running.alive
        visit(running, link, lambda: n_stored(folder) == _RUNS)  # another visitor: what failed is trained
        assert n_stored(folder) == _RUNS and kept.items() <= stored(folder).items() and running.alive
    return f"{len(killed[0])} of {_RUNS} runs, then all"


STORIES = {"server": server, "worker": worker, "scheduler": scheduler, "sweep": sweep, "train": train}


def main(arguments: list[str] | None = None) -> int:
    """Tell the stories in turn and print what came of each."""
    parser = argparse.ArgumentParser(prog="kills", description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=STORIES, default=list(STORIES))
    given = parser.parse_args(arguments)
    draw, wrong = random.Random(given.seed), 0
    for number in range(given.kills):
        name = given.only[number % len(given.only)]
        with tempfile.TemporaryDirectory(prefix="kills-", ignore_cleanup_errors=True) as folder:
            started = time.monotonic()
            try:
                told = STORIES[name](Path(folder), draw)
            except AssertionError as error:
                told, wrong = f"WRONG: {error}", wrong + 1
        print(f"{number + 1:3d} {name:9s} {time.monotonic() - started:5.1f} s  {told}", flush=True)
    print(f"{given.kills} kills, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
