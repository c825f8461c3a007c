"""What is drawn while something trains: as little as possible, and less often the more sessions train."""

from __future__ import annotations

import time

import pytest

from pages.ui.runs.services import services


@pytest.mark.parametrize(
    ("sessions", "seconds"), [(0, 0.4), (1, 0.4), (2, 0.4), (4, 0.8), (10, 2.0), (60, 4.0)]
)
def test_the_more_sessions_train_the_slower_each_polls(monkeypatch, sessions, seconds):
    monkeypatch.setattr(type(services().runner), "n_owners", sessions)
    assert services().runner.poll_seconds == pytest.approx(seconds)


def test_owners_are_counted_once(restart):
    restart()
    runner = services().runner
    going = [True]

    def work(job):
        while going:
            time.sleep(0.01)

    try:
        for number in range(3):
            runner.submit(f"a{number}", "", 1, work, "one")
        runner.submit("a0", "", 1, work, "two")
        assert runner.n_owners == 2
    finally:
        going.clear()
