"""Fixtures that all tests share."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

# Before numba is imported: two threads even on one core, so that work is shared out and compared.
os.environ.setdefault("NUMBA_NUM_THREADS", str(max(2, os.cpu_count() or 1)))

# What is compiled in the middle of a test is not said on the test's own stderr.
os.environ.setdefault("RANKSCOPE_QUIET", "1")

import numba
import plotly.graph_objects as go
import pytest

from pages.ui.style.sketch import Sketch
from tests import live

# As it was before the collection of the tests, which compiles a few kernels itself; the same for all workers.
COLD = os.environ.setdefault("RANKSCOPE_COLD", str(int(not any(live.ROOT.glob("ltr_core/**/*.nbi"))))) == "1"

if "PYTEST_XDIST_WORKER" in os.environ:  # a worker dies of Ctrl-C, which the command line's tests press
    signal.signal(signal.SIGINT, signal.default_int_handler)

if numba.config.DISABLE_JIT:  # a kernel calls a loss by its address; as plain Python it calls the object
    from ltr_core.engines.network.query_loss import QueryLoss

    by_hand = QueryLoss.__call__
    QueryLoss.__call__ = lambda loss, *args: (loss.kernel if len(args) == 9 else by_hand.__get__(loss))(*args)


WAITING = ("browser", "cli", "faults", "pages", "sweeps")  # folders of tests that wait for others


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, and put what takes longest first: the workers end at about the same time.

    The warm-up is the very first: on a fresh clone it fills the kernel cache for all that follow. What waits
    for a browser, a server, a worker or a thread is run once more when it fails: a machine that stands still
    for some seconds fails it. What failed is said: see `pytest_terminal_summary`.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        if item.path.parent.name in WAITING or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    first = ("test_warmup.py", "test_legs.py")
    items.sort(
        key=lambda item: (
            first.index(item.path.name) if item.path.name in first else len(first),
            item.get_closest_marker("browser") is None,
        )
    )


def pytest_terminal_summary(terminalreporter) -> None:
    """Say what failed once and held when it was run once more, and how it failed: a race to be found."""
    for report in terminalreporter.getreports("rerun"):
        terminalreporter.section(f"RUN ONCE MORE: {report.nodeid}")
        terminalreporter.line(report.longreprtext)


MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Give `__main__` back: Streamlit's test runner puts app.py there, and a process pool would run it.

    As it was at the start: a fixture of a whole file may have opened the app before this one looks.
    """
    monkeypatch.setitem(sys.modules, "__main__", MAIN)


@pytest.fixture(autouse=True)
def checked_figures(monkeypatch):
    """Let plotly check every figure that is drawn: the dashboard hands it over as it is, which is faster."""
    finish = Sketch.finish

    def check(sketch: Sketch) -> go.Figure:
        figure = finish(sketch)
        assert json.loads(go.Figure(figure.to_dict()).to_json()) == json.loads(figure.to_json())
        return figure

    monkeypatch.setattr(Sketch, "finish", check)


@pytest.fixture(autouse=True)
def run_store(tmp_path_factory, monkeypatch):
    """One run store for the tests of the app: the project's own is left alone."""
    monkeypatch.setenv("RANKSCOPE_CACHE", str(tmp_path_factory.getbasetemp() / "runs"))


# Trainings of the app's own tests run in threads: they see what a test registers, and start at once.
os.environ.setdefault("RANKSCOPE_WORKERS", "threads")


@pytest.fixture(autouse=True)
def no_part_fails(caplog):
    """Fail a test in which a part of a page failed: there it is a sentence, and `app.exception` is empty."""
    yield
    told = [record for record in caplog.records if record.name == "pages.ui.kit.net"]
    assert not told, told[0].exc_info


@pytest.fixture
def restart(run_store, monkeypatch):
    """A function that makes the app forget what sessions share, as a server that starts anew, in a folder."""
    from pages.ui.runs.services import forget

    def anew(folder: Path | None = None) -> None:
        if folder is not None:
            monkeypatch.setenv("RANKSCOPE_CACHE", str(folder))
        forget()

    yield anew
    forget()  # the next test's runs go to the folder that all share


@pytest.fixture(scope="session")
def letor_dir() -> Path:
    """Real LETOR data: `MQ2008/Fold1…5` and `lightgbm/rank.train`; skips where there are none."""
    folder = Path(os.environ.get("RANKSCOPE_LETOR") or live.ROOT.parent / "shared" / "letor")
    if not (folder / "MQ2008").is_dir():
        pytest.skip("no LETOR data: set RANKSCOPE_LETOR to the folder that holds MQ2008")
    return folder


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium, one for each test file: Playwright holds this thread's event loop."""
    path = live.find_chromium()
    if path is None:
        (pytest.fail if live.browser_required() else pytest.skip)("no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=live.CHROMIUM_FLAGS)
        live.be_patient(chromium)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def live_server(tmp_path_factory):
    """The dashboard's running `Server`, one for each test file, with a run store of its own."""
    with live.serve(tmp_path_factory.mktemp("cache")) as running:
        yield running
    _, failed, told = running.log.read_text(errors="replace").partition("A part of a page failed")
    assert not failed, told


@pytest.fixture(scope="module")
def server(live_server) -> str:
    """The address of the running dashboard."""
    return live_server.url


@pytest.fixture
def page(browser):
    """A fresh page of 1366 × 900 in a private window."""
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    yield context.new_page()
    context.close()
