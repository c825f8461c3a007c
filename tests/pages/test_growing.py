"""What is drawn while something trains: as little as possible, and less often the more sessions train."""

from __future__ import annotations

import asyncio
import os
import re
import time
from urllib.parse import urlencode

import pytest

from pages.ui.runs.services import services
from tests import live
from tests.benchmarks.load.tab import Tab
from tests.sources import SHIPPED, name_of, none_of

N_WORKERS = os.cpu_count() or 1
UNTIMED = "from pages.ui.runs.jobs import Job; Job.seconds_left = property(lambda job: None)"


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


def test_one_file_alone_sets_timers():
    timer = re.compile(r"run_every|auto_rerun|RerunData")
    found = [name_of(path) for path in SHIPPED if timer.search(path.read_text(encoding="utf-8"))]
    none_of(name for name in found if name != "pages/ui/kit/growing.py")
    assert found


class Watcher(Tab):
    """A tab that notes what has a timer, and what each run draws."""

    def __init__(self, url):
        super().__init__(url, patience=live.PATIENCE / 1000)
        self.timed, self.drawn = set(), []

    def _take_auto_rerun(self, message):
        super()._take_auto_rerun(message)
        self.timed.update(self._timers)
        assert len(self._timers) == 1

    def _take_new_session(self, message):
        super()._take_new_session(message)
        self.drawn.append(list(message.metadata.run.fragment_ids))

    @property
    def seconds(self):
        """How often it looks."""
        return next((seconds for seconds, _ in self._timers.values()), 0.0)

    @property
    def looks(self):
        """How many looks there were, and how many drew something."""
        return sum(self.timed >= set(ids) != set() for ids in self.drawn), sum(
            not self.timed & set(ids) and bool(ids) for ids in self.drawn
        )

    async def until(self, reached, what):
        """Wait for a state."""
        deadline = time.monotonic() + self.patience
        while not reached():
            assert time.monotonic() < deadline, what
            await asyncio.sleep(0.02)


async def opened(server, n_runs, n_rounds):
    """Open a tab with runs of more rounds than anybody waits for."""
    runs = [f"r{n}.MPBoost.n_rounds.{n_rounds + n}" for n in range(n_runs)]
    tab = Watcher(server.url)
    await tab.open("compare", urlencode({"s": "..".join(("data.cubic", *runs))}))
    return tab


@pytest.mark.slow
def test_a_page_has_one_timer_which_is_slow_while_nothing_moves(tmp_path):
    """One session's trainings take all workers; another's, which waits, does not move until they are gone."""

    async def look(server):
        busy = await opened(server, N_WORKERS, 99_000)
        await busy.until(lambda: busy.looks[1] > 2, "nothing grows")
        waiting = await opened(server, 1, 98_000)
        await waiting.until(lambda: waiting.seconds > 1.5, "it looks as often as if something moved")
        looks, draws = waiting.looks
        await waiting.until(lambda: waiting.looks[0] > looks + 1, "it does not look")
        assert waiting.looks[1] == draws  # a look that finds nothing new draws nothing
        await busy.close()
        await waiting.until(lambda: waiting.seconds < 1.0, "it does not look more often")
        await waiting.until(lambda: waiting.looks[1] > draws + 1, "nothing is drawn")
        assert len(busy.timed) == len(waiting.timed) == 1
        assert not busy.n_exceptions + waiting.n_exceptions
        await waiting.close()

    with live.serve(tmp_path, first=UNTIMED) as server:
        asyncio.run(look(server))
