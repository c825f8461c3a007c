"""What makes the first page quick: the order of things, and who gives way to whom."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time

import pytest

import ltr_core
from pages.ui.runs import warm
from pages.ui.runs.jobs import Runner
from tests import live
from tests.benchmarks.load.tab import Tab
from tests.dashboard import ROOT


@pytest.mark.parametrize("cold", [False, True])
def test_cached_kernels_are_loaded_after_the_first_page_and_missing_ones_are_waited_for(monkeypatch, cold):
    up, seen = warm.WarmUp(), []
    monkeypatch.setattr(warm, "is_cold", lambda: cold)
    monkeypatch.setattr(warm, "_FIRST_PAGE_SECONDS", 0.0)
    monkeypatch.setattr(up, "_fill_cache", lambda: seen.append("filled"))
    monkeypatch.setattr(ltr_core, "warmup", lambda note: seen.append(up.over))
    up.run()
    assert seen == (["filled", False] if cold else [True]) and up.over


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no rank of their own here")
def test_trainings_give_way_to_the_threads_that_draw():
    def rank() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    job = Runner(workers=1).submit("x", "x", 1, lambda job: rank(), "somebody")
    deadline = time.monotonic() + 60
    while not job.is_over:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert job.status == "done" and job.result > rank()


def test_a_server_loads_the_first_page_before_anybody_asks_for_it_and_then_the_others():
    program = (
        "import sys; from streamlit import runtime; from pages.ui.app import ahead;"
        "runtime.exists = lambda: True; ahead.begin(); ahead.load(); assert ahead.is_over();"
        "assert {'pages.ui.app.frame', 'pages.ui.compare.pictures', 'ltr_core'} <= set(sys.modules);"
        "late = {'pages.ui.rankings.case', 'pages.ui.papers.card', 'pages.ui.sweep.form'};"
        "assert not late & set(sys.modules); ahead._BREATH = 0.0; ahead.stands(); ahead._LOADER.join(60);"
        "assert late <= set(sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0 and "cannot be loaded" not in told.stderr, told.stderr
    assert "ahead.begin()" in (ROOT / "pages/ui/app/server.py").read_text(encoding="utf-8")


# Says when a thread begins to load numba, and holds up the one that loads ahead.
WATCH = """
import sys, threading, time
from pages.ui.app import ahead
class Watch:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "numba":
            print("numba by", threading.current_thread().name, flush=True)
sys.meta_path.insert(0, Watch)
load = ahead.load
def load_late():
    if threading.current_thread().name == "ahead":
        with ahead._LOADING:
            time.sleep(2)
            print("no longer held up", flush=True)
    load()
ahead.load = load_late
"""


def test_one_thread_loads_numba_however_early_a_visitor_comes_by_a_link(tmp_path):
    """Two at a time may wait for one another for good: one of thirty servers did."""

    async def come() -> None:
        tabs = [Tab(server.url, patience=live.PATIENCE / 1000) for _ in range(2)]
        await asyncio.gather(*(tab.open("compare", "s=data.tiny") for tab in tabs))
        for tab in tabs:
            await tab.close()
            assert not tab.n_exceptions

    with live.serve(tmp_path, first=WATCH) as server:
        asyncio.run(come())
        told = server.log.read_text().splitlines()
    threads = [line for line in told if line.startswith("numba by")]
    assert len(set(threads)) == 1 and told.index("no longer held up") < told.index(threads[0]), told
