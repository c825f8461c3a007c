"""No page ever shows Streamlit's own error box: a part that fails is a sentence, and the rest is alive."""

from __future__ import annotations

from importlib import import_module

import pytest

from pages.ui.app.site import PAGES
from pages.ui.kit import net
from tests.dashboard import ROOT, SMALL, open_app

ALL = [name for name, _, _ in PAGES]


def failing(*given, **named):
    raise RuntimeError("as a test wants it")


@pytest.mark.slow
@pytest.mark.parametrize("page", ALL)
def test_each_part_may_fail_and_the_rest_is_alive(page, monkeypatch, caplog):
    link = SMALL + "..learn.4" if page == "learn" else SMALL
    app = open_app(link, page if page != "overview" else None)
    whole, seen = len(app.main.children), 0
    parts = [part for part in net.parts_of(ROOT / "pages" / f"{page}.py") if part[1] != "current"]
    assert parts and not app.error
    for room, name in parts:
        with monkeypatch.context() as patch:
            patch.setattr(import_module(room), name, failing)
            app.run()
        assert not app.exception, name
        told = [error.value for error in app.error]
        assert set(told) <= {net.SENTENCE} and len(app.sidebar.get("html")) > 3, name
        seen += bool(told)
    app.run()
    assert not app.error and len(app.main.children) == whole
    assert seen >= len(parts) / 3  # the others are not on the page as it stands, or give no picture
    assert "as a test wants it" in caplog.text
    caplog.clear()


def test_a_failing_fragment_and_a_failing_frame_are_sentences(monkeypatch, caplog):
    from pages.ui.app import frame, jobs_panel

    for room, name in ((jobs_panel, "_panel"), (frame, "_draw_workspace")):
        with monkeypatch.context() as patch:
            patch.setattr(room, name, failing)
            app = open_app_quietly()
        assert not app.exception and any(error.value == net.SENTENCE for error in app.error), name
    caplog.clear()


def open_app_quietly():
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=900)
    app.query_params["s"] = SMALL
    return app.run()


def test_what_needs_a_lost_part_is_left_out(caplog):
    lost = net.LOST
    assert net.caught(failing_if)(lost.anything) is lost
    with net.caught(failing)() as inner:
        assert inner is lost
    caplog.clear()


def failing_if(value):
    raise AssertionError("it was asked for")
