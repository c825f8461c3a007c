"""Sweeps on a real Dask scheduler with two real worker processes on loopback, one of them killed."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.sweeps import connect
from tests.sweeps.test_sweep import FOLDS

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parents[2]
SPACE = {"ddf": ["ldd", "logdd"], "lam": [0.2, 0.5, 1.0, 2.0]}


def _is_whole(file: Path) -> bool:
    try:
        return bool(json.loads(file.read_text()))
    except (FileNotFoundError, json.JSONDecodeError):
        return False


class Processes:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.workers: list[subprocess.Popen] = []
        file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)
        )
        deadline = time.monotonic() + 300
        while not _is_whole(file) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.address = json.loads(file.read_text())["address"]

    def _start(self, name: str, module: str, *arguments: str) -> subprocess.Popen:
        with (self.folder / f"{name}.log").open("w") as log:
            command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
            return subprocess.Popen(command, env=self.env, stdout=log, stderr=log, cwd=self.folder)

    def add_worker(self) -> subprocess.Popen:
        """Start a worker without a nanny: killed, it stays dead."""
        name = f"worker{len(self.workers)}"
        worker = self._start(
            name,
            "dask_worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--name",
            name,
            "--local-directory",
            str(self.folder),
        )
        self.workers.append(worker)
        return worker

    def stop(self) -> None:
        """End every process."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    running = Processes(tmp_path_factory.mktemp("cluster"))
    yield running
    running.stop()


@pytest.fixture
def cluster(processes):
    """The address of a scheduler with two workers."""
    while sum(worker.poll() is None for worker in processes.workers) < 2:
        processes.add_worker()
    with distributed.Client(processes.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=300)
    return processes


@pytest.fixture(scope="module")
def wanted():
    return ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25})


def same(a: ltr.Sweep, b: ltr.Sweep) -> bool:
    pd.testing.assert_frame_equal(a.table, b.table, check_exact=True)
    pd.testing.assert_frame_equal(a.curves, b.curves, check_exact=True)
    pd.testing.assert_frame_equal(a.test, b.test, check_exact=True)
    return a.chosen == b.chosen


def test_the_same_table_as_in_this_process(cluster, wanted):
    assert same(wanted, ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25}, executor=cluster.address))
    with distributed.Client(cluster.address, set_as_default=False) as client:
        for executor in (client, client.get_executor()):
            assert same(wanted, ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25}, executor=executor))
        assert client.status == "running", "a client of the caller's is left open"


def test_pruned_the_same_as_in_this_process(cluster):
    kwargs = {"sampler": "tpe", "n_trials": 10, "pruner": "median", "batch": 5, "fixed": {"n_rounds": 20}}
    space = {"ddf": ["ldd", "logdd"], "lam": (0.1, 9.0)}
    here = ltr.sweep("MPBoost", space, FOLDS, **kwargs)
    assert same(here, ltr.sweep("MPBoost", space, FOLDS, executor=cluster.address, **kwargs))


def test_a_worker_killed_in_the_middle_changes_nothing_but_the_time(cluster, wanted):
    heard = []

    def kill_one(progress):
        heard.append(progress)
        if progress.done_fits == 3:
            os.kill(cluster.workers[-1].pid, signal.SIGKILL)
            cluster.workers[-1].wait()

    result = ltr.sweep(
        "MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25}, executor=cluster.address, on_fit=kill_one
    )
    assert cluster.workers[-1].poll() is not None and len(heard) == wanted.table["fit"].nunique()
    assert same(wanted, result)


def test_a_worker_that_joins_later_has_the_data(cluster, wanted):
    os.kill(cluster.workers[-1].pid, signal.SIGKILL)
    cluster.workers[-1].wait()
    with distributed.Client(cluster.address, set_as_default=False) as client:

        def replace(progress):
            if progress.done_fits == 1:
                cluster.add_worker()
                client.wait_for_workers(2, timeout=300)
            if progress.done_fits == 4:
                first = next(w for w in cluster.workers if w.poll() is None)
                os.kill(first.pid, signal.SIGKILL)
                first.wait()

        result = ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25}, executor=client, on_fit=replace)
    assert same(wanted, result)


def test_data_go_to_a_worker_once(cluster):
    with distributed.Client(cluster.address, set_as_default=False) as client:
        before = sum("Starting Worker plugin rankscope" in line for line in logs(cluster))
        ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 25}, executor=client)
        deadline = time.monotonic() + 300
        while held(client) and time.monotonic() < deadline:
            time.sleep(0.05)
        after = sum("Starting Worker plugin rankscope" in line for line in logs(cluster))
        sets = {part.fingerprint for fold in FOLDS for part in fold[:2]}
        assert after - before == 2 * len(sets), "each set once to each of two workers, whatever the fits"
        assert held(client) == 0, "and dropped when the sweep ends"


def logs(cluster) -> list[str]:
    return [line for file in cluster.folder.glob("worker*.log") for line in file.read_text().splitlines()]


def held(client) -> int:
    return sum(client.run(_held).values())


def _held() -> int:
    from ltr_core.sweeps.running import cluster

    return len(cluster._parts)


def test_cancel_ends_fits_on_the_cluster(cluster):
    event = threading.Event()
    threading.Timer(1.5, event.set).start()
    with distributed.Client(cluster.address, set_as_default=False) as client:
        result = ltr.sweep(
            "RankNet",
            {"l2": [0.0, 0.1, 0.2]},
            FOLDS[0],
            fixed={"epochs": 10_000, "hidden": 512},
            executor=client,
            cancel=event,
        )
        assert result.stopped == "cancelled" and not len(result.table)
        deadline = time.monotonic() + 300
        while any(client.call_stack().values()) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(client.call_stack().values()), "the workers are idle again"


def test_a_failing_trial_comes_back_as_a_row(cluster):
    flat = ltr.RankingData(FOLDS[0][0].X, [1] * FOLDS[0][0].n_docs, FOLDS[0][0].qid)
    failed = ltr.sweep("RankNet", {"l2": [0.0, 0.1]}, (flat, FOLDS[0][1]), executor=cluster.address)
    assert (failed.table["status"] == "failed").all() and failed.chosen is None
    assert failed.table["error"].str.contains("different grades").all()


def test_no_scheduler_is_a_sentence():
    with socket.socket() as taken:  # and nobody listens: no other test's scheduler can come there
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(ltr.ParameterError, match=f"No scheduler answers at tcp://127.0.0.1:{port}"):
            connect(f"tcp://127.0.0.1:{port}", timeout=1)
    for nonsense in ("nowhere", "tcp://", "ftp://127.0.0.1:1", ""):
        with pytest.raises(ltr.ParameterError, match="No scheduler answers"):
            connect(nonsense, timeout=1)


def test_a_client_whose_thread_begins_late_is_started_anew(cluster, monkeypatch):
    """`distributed` asserts that its thread begins within ten seconds; a machine may stand for longer."""
    started, late = distributed.Client, [True]

    def start(*args, **options):
        assert not late.pop()
        return started(*args, **options)

    monkeypatch.setattr(distributed, "Client", start)
    late[:] = [False, True]
    with connect(cluster.address) as executor:
        assert executor.submit(sum, (2, 3)).result() == 5
    late[:] = [True, True]
    with pytest.raises(ltr.ParameterError, match="No scheduler answers"):
        connect(cluster.address)


def test_no_client_is_collected_while_another_starts(cluster, monkeypatch):
    """One that is wants the lock that the other holds: both would wait for good."""
    started, collects = distributed.Client, []

    def start(*args, **options):
        collects.append(gc.isenabled())
        return started(*args, **options)

    monkeypatch.setattr(distributed, "Client", start)
    with connect(cluster.address) as executor:
        assert executor.submit(sum, (2, 3)).result() == 5
    with pytest.raises(ltr.ParameterError, match="No scheduler answers"):
        connect("nowhere", timeout=1)
    assert collects == [False, False] and gc.isenabled()


def test_a_scheduler_without_workers_is_a_sentence(tmp_path):
    lonely = Processes(tmp_path)
    try:
        with pytest.raises(ltr.ParameterError, match="has no workers"):
            ltr.sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 2}, executor=lonely.address)
    finally:
        lonely.stop()
