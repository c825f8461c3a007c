"""What makes the first page quick: the order of things, and who gives way to whom."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

import ltr_core
from pages.ui.runs import warm
from pages.ui.runs.jobs import Runner
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


def test_a_server_loads_the_first_page_before_anybody_asks_for_it():
    program = (
        "import sys; from streamlit import runtime; from pages.ui.app import ahead; ahead.wait();"
        "runtime.exists = lambda: True; ahead.begin(); ahead.wait(); assert not ahead.is_under_way();"
        "assert {'pages.ui.app.frame', 'pages.ui.compare.pictures', 'ltr_core'} <= set(sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0 and "cannot be loaded" not in told.stderr, told.stderr
    assert "ahead.begin()" in (ROOT / "pages/ui/app/server.py").read_text(encoding="utf-8")
