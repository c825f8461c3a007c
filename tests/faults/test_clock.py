"""A clock that is set back, or forward and back: what came later stays later, and nothing waits for it."""

from __future__ import annotations

import os
import time

import pytest

import ltr_core as ltr
from ltr_core import files
from pages.ui.runs import jobs
from pages.ui.runs import store as store_module
from pages.ui.runs.history import History
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs.store import Store, Training
from pages.ui.workers import scratch

DAY = 86_400.0


@pytest.fixture
def clock(monkeypatch):
    """A function that sets the clock of the day, which `time.time` tells."""
    real, moved = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: real() + moved[0])
    return lambda seconds: moved.__setitem__(0, seconds)


@pytest.fixture(scope="module")
def runs():
    data = ltr.datasets.make("tiny")
    model = ltr.MPBoost(n_rounds=3).fit(data, eval_set={"valid": data, "test": data})
    recipe = recipe_of("MPBoost", {"n_rounds": 3})
    return [
        Training(RunSpec(DataSpec("tiny", seed=n), recipe), model, 0.1, "measure('ndcg@10')")
        for n in range(6)
    ]


def test_runs_and_workspaces_keep_their_order(clock, runs, tmp_path, monkeypatch):
    monkeypatch.setattr("pages.ui.runs.history._MOST", 4)
    history = History(tmp_path)
    for number, (run, seconds) in enumerate(zip(runs, (0, DAY, -DAY, -2 * DAY, 0, -DAY), strict=True)):
        clock(seconds)
        history.add(run)
        history.save(f"space {number}", "link")
        assert history.runs()[0].key == run.key and list(history.spaces())[0] == f"space {number}"
        assert abs(history.runs()[0].when - time.time()) < 3600, "when it was is said as the clock said it"
    assert [past.key for past in History(tmp_path).runs()] == [run.key for run in runs[:1:-1]]
    assert list(History(tmp_path).spaces()) == [f"space {n}" for n in range(5, -1, -1)]


def test_a_run_that_is_just_stored_is_never_the_oldest(runs, tmp_path, monkeypatch):
    store = Store(tmp_path)
    for run in runs[:3]:
        store.put(run)
        later = time.time() + DAY  # the clock was a day ahead
        os.utime(store.folder / f"{run.key}.json", (later, later))
    size = (store.folder / f"{runs[0].key}.json").stat().st_size
    monkeypatch.setattr(store_module, "_MAX_BYTES", int(2.5 * size))
    store._puts = 15  # the next one prunes
    store.put(runs[3])
    assert Store(tmp_path).get(runs[3].spec) is not None
    assert sum(Store(tmp_path).get(run.spec) is not None for run in runs[:3]) == 1


def test_temporary_files_and_folders_of_the_living_stay(clock, tmp_path, monkeypatch):
    own = scratch.scratch()
    young, old = tmp_path / ".young.tmp", tmp_path / ".old.tmp"
    for path in (young, old):
        path.write_text("half")
    os.utime(old, (time.time() - DAY / 2,) * 2)
    for seconds in (-DAY, 0.0):
        clock(seconds)
        files.tidy(tmp_path)
        scratch.sweep()
        assert own.is_dir() and young.exists() and old.exists() == (seconds < 0)
    clock(DAY)
    scratch.sweep()
    assert own.is_dir(), "a lock says that its server lives, whatever the clock says"


def test_what_waits_does_not_look_at_the_clock(clock):
    runner = jobs.Runner(workers=1, grace=0.05)

    def work(job):
        clock(-DAY)
        job.iteration = 5
        told.append(job.seconds_left)
        job.cancelled.wait()

    told: list = []
    job = runner.submit("a", "A", 10, work, "me")
    clock(DAY)
    runner.left("me")  # its grace is over in a moment, and not in a day
    assert job.cancelled.wait(300)
    while not job.is_over:
        time.sleep(0.01)
    assert 0 <= told[0] < 3600 and 0 <= job.ended - job.started < 3600
