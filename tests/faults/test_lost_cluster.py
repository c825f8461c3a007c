"""A cluster that is gone in the middle of a sweep: one sentence, and what was finished stays."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

import ltr_core as ltr
from ltr_core.sweeps import SweepLost
from ltr_core.sweeps.running import sweeping
from ltr_core.sweeps.running.workers import Threads
from pages.ui.runs.status import Status
from pages.ui.sweep.specs import Axis
from tests.dashboard import text_of
from tests.pages.test_sweep import START, await_estimate, finish, open_sweep, sweeps_of, table_of
from tests.sweeps.test_sweep import FOLDS

pytestmark = pytest.mark.slow

SPACE = {"lam": [0.2, 0.5, 1.0, 2.0]}
GONE = "The scheduler at tcp://127.0.0.1:1 has ended, or cannot be reached any more"


class Gone(Threads):
    """Threads that end after two fits, as the workers of a scheduler that was killed."""

    def __init__(self, executor, parts, n_workers):
        super().__init__(parts, None, 1)
        self.given: list[Future] = []

    def submit(self, chain):
        self.given.append(super().submit(chain) if len(self.given) < 2 else Future())
        return self.given[-1]

    @property
    def lost(self):
        return GONE if len(self.given) > 2 and all(future.done() for future in self.given[:2]) else ""


@pytest.fixture
def gone(monkeypatch):
    monkeypatch.setattr(sweeping, "make_place", Gone)


def test_the_library_says_so_and_gives_what_was_finished(gone, monkeypatch, tmp_path):
    path, how = tmp_path / "s.jsonl", {"fixed": {"n_rounds": 5}}
    with pytest.raises(SweepLost, match=f"{GONE}. 2 of the fits are finished. Give the sweep a file") as told:
        ltr.sweep("MPBoost", SPACE, FOLDS[0], **how)
    assert told.value.sweep.n_trained == 2 and isinstance(told.value, ltr.DataError)
    with pytest.raises(SweepLost, match="2 of the fits are finished and kept in s.jsonl. Start the same"):
        ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, **how)
    assert ltr.load_sweep(path).n_trained == 2
    monkeypatch.undo()
    heard: list = []
    again = ltr.sweep("MPBoost", SPACE, FOLDS[0], store=path, on_fit=heard.append, **how)
    assert len(heard) == 2 and again.curves.equals(ltr.sweep("MPBoost", SPACE, FOLDS[0], **how).curves)


def test_the_page_says_so_shows_what_was_finished_and_goes_on(gone, monkeypatch):
    app = await_estimate(open_sweep(START, (Axis("lam", 0.35, 3.5, 5, True),)))
    app.button("start-sweep").click().run()
    finish(app)
    (job,) = sweeps_of(app)
    assert job.status == Status.FAILED and text_of(app).count(GONE) == 1
    assert len(table_of(app)) == 2 and app.button("start-sweep").label == "Continue"
    monkeypatch.undo()
    app.button("start-sweep").click().run()
    finish(app)
    assert len(table_of(app)) == 5 and GONE not in text_of(app)
