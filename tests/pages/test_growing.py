"""What is drawn while something trains: as little as possible, and less often the more sessions train."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest

from pages.ui.charts.growing import describe_growing
from pages.ui.runs.services import services


def test_points_are_those_of_the_table_and_gaps_are_left_out():
    frame = pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.4, np.nan, np.nan]})
    points, spec = describe_growing(frame, ["#111111", "#222222"], "NDCG@5")
    assert points.to_numpy().tolist() == [[0, "A", 0.1], [1, "A", 0.2], [2, "A", 0.3], [0, "B", 0.4]]
    fields = [spec["encoding"][channel]["field"] for channel in ("x", "color", "y")]
    assert fields == list(points.columns)
    assert spec["encoding"]["color"]["scale"] == {"domain": ["A", "B"], "range": ["#111111", "#222222"]}
    assert spec["encoding"]["y"]["title"] == "NDCG@5"


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
