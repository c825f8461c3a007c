"""The collection of garbage: by a clock, not after every run of a page; what is long-lived stays frozen."""

from __future__ import annotations

import gc
import threading
import tomllib
import weakref
from pathlib import Path

import pytest

from pages.ui.runs.process import collecting
from tests import live


class Knot:
    """Something that only a collection gets rid of."""

    def __init__(self) -> None:
        self.self = self


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(autouse=True)
def thaw():
    """Leave nothing frozen that was not."""
    enabled = gc.isenabled()
    gc.disable()  # only what the test asks for is collected
    yield
    if enabled:
        gc.enable()


def tie_knot() -> weakref.ref:
    return weakref.ref(Knot())


def test_streamlit_does_not_collect_after_every_run():
    settings = tomllib.loads((live.ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False


def test_a_quiet_moment_is_used(clock):
    quiet = False
    subject = collecting.Collecting(clock, lambda: quiet)
    knot = tie_knot()
    clock.now = 15
    assert subject.look() == "" and knot() is not None, "somebody draws, and there is time"
    quiet = True
    assert subject.look() == "new" and knot() is None
    clock.now = 16
    assert subject.look() == "", "it has just been done"


def test_what_never_is_quiet_is_collected_all_the_same(clock):
    subject = collecting.Collecting(clock, lambda: False)
    knot = tie_knot()
    clock.now = 31
    assert subject.look() == "new" and knot() is None


def test_what_became_garbage_while_frozen_is_collected_in_the_end(clock):
    subject = collecting.Collecting(clock, lambda: True)
    held = Knot()
    knot = weakref.ref(held)
    gc.freeze()
    del held
    clock.now = 60
    assert subject.look() == "new" and knot() is not None, "collections pass over it"
    clock.now = 130
    assert subject.look() == "all" and knot() is None
    assert gc.get_freeze_count() > 0, "what is left is frozen anew"


def test_nobody_draws_but_for_threads_that_run_a_page():
    assert collecting.nobody_draws()
    go = threading.Event()
    thread = threading.Thread(target=go.wait, name="ScriptRunner.scriptThread", daemon=True)
    thread.start()
    try:
        assert not collecting.nobody_draws()
    finally:
        go.set()
        thread.join()


def test_streamlits_threads_are_called_that():
    """The name by which a quiet moment is known is Streamlit's own."""
    from streamlit.runtime.scriptrunner import script_runner

    source = Path(script_runner.__file__).read_text(encoding="utf-8")
    assert f'name="{collecting._DRAWING}' in source


def test_one_clock_for_the_process():
    assert collecting.start() is collecting.start()
    assert sum(thread.name == "collecting" for thread in threading.enumerate()) == 1
