"""What a sweep would take: what is counted, what fits need, what others on the machine have to do with it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future

import pytest

import ltr_core as ltr
from ltr_core.sweeps.running import estimating
from ltr_core.sweeps.running.probe import Pace
from ltr_core.sweeps.running.workers import Place
from tests.sweeps.test_sweep import DATA, FOLDS

SPACE = {"lam": [0.5, 1.0, 2.0]}


class Told(Place):
    """A place that gives paces told beforehand, the last one again and again."""

    def __init__(self, *paces, keeps=True, n_workers=1):
        self.paces, self.asked, self.keeps, self.n_workers = list(paces), [], keeps, n_workers

    def submit(self, work):
        self.asked.append(work)
        future = Future()
        future.set_result(self.paces.pop(0) if len(self.paces) > 1 else self.paces[0])
        return future


def estimate(monkeypatch, place, space=SPACE, data=None, **how):
    monkeypatch.setattr(estimating, "_PAUSE", 0.0)
    monkeypatch.setattr(estimating, "make_place", lambda *given: place)
    return ltr.estimate_sweep("MPBoost", space, data or [FOLDS[0]], **how)


def pace(slowed=1.0, seconds=100.0, **more):
    return Pace(fits=[(0, seconds)], of_thread=1.0, on_clock=slowed, **more)


def test_an_estimate_counts_points_and_fits():
    space = {"ddf": ["binary", "logdd"], "lam": [0.5, 1.0, 2.0], "n_rounds": [5, 10]}
    known = ltr.estimate_sweep("MPBoost", space, DATA, folds=3, n_seeds=2, n_workers=2)
    assert (known.n_points, known.n_fits, known.n_workers) == (12, 4 * 3 * 2, 2)
    assert known.seconds == pytest.approx(known.seconds_before + 12 * known.seconds_per_fit)
    assert known.seconds_per_fit > 0 <= known.seconds_before and not known.is_most
    long = ltr.estimate_sweep(
        "RankNet", {"l2": (0, 1)}, DATA, "random", 10, fixed={"epochs": 10_000}, patience=0.2
    )
    assert long.n_fits == 10
    one = ltr.estimate_sweep("MPBoost", {"lam": [1.0]}, DATA, n_workers=8, score_at="best")
    assert one.n_fits == 1 and one.seconds > 0


def test_fits_are_measured_beside_one_another_as_the_sweep_runs_them(monkeypatch):
    met, fit = threading.Barrier(2, timeout=60), ltr.MPBoost.fit

    def beside(self, *given, **named):
        met.wait()  # raises where no other fit is measured meanwhile
        return fit(self, *given, **named)

    monkeypatch.setattr(ltr.MPBoost, "fit", beside)
    monkeypatch.setattr(estimating, "_HELD_UP", float("inf"))
    # As many fits on both: after these three nothing is looked at again, however quick they were.
    monkeypatch.setattr("ltr_core.sweeps.running.probe._ENOUGH", 0.0)
    assert ltr.estimate_sweep("MPBoost", {**SPACE, "n_rounds": [5]}, DATA, n_workers=2).seconds > 0
    assert not met.broken


@pytest.mark.parametrize(
    ("slowed", "mostly"),
    [
        ([1.1], 1.1),
        ([9.0, 1.0], 1.0),  # a page was being drawn: it passes
        ([9.0, 8.0, 1.0, 1.1, 1.2], 1.2),
        ([8.0], 8.0),  # others hold the cores, and stay
        ([9.0, 1.0, 7.0, 8.0, 1.0], 7.0),
    ],
)
def test_what_holds_fits_up_counts_only_where_it_stays(monkeypatch, slowed, mostly):
    """The first words of an estimate may be measured while the page that asks is being drawn."""
    known = estimate(monkeypatch, Told(*map(pace, slowed)))
    assert known.slowed == pytest.approx(mostly) and known.seconds == pytest.approx(300 * mostly)


def test_what_passes_is_waited_for_even_where_the_sweep_is_short(monkeypatch):
    seen = pace(9.0, seconds=1e-6), pace(1.0, seconds=1e-6)
    assert estimate(monkeypatch, Told(*seen)).slowed == 1.0


def test_fits_are_left_to_the_worker_that_is_not_held_up(monkeypatch):
    place = Told(pace(1.0), pace(10.0), pace(1.0), pace(10.0), pace(1.0), pace(10.0), n_workers=2)
    assert estimate(monkeypatch, place).slowed == pytest.approx(2 / 1.1)


def test_points_between_those_that_were_seen_lie_between_them(monkeypatch):
    seen = Pace(fits=[(0, 1.0), (4, 9.0), (2, 2.0)], of_thread=1.0, on_clock=1.0)
    known = estimate(monkeypatch, Told(seen), {"lam": [0.2, 0.5, 1.0, 2.0, 3.0]})
    assert known.seconds_per_fit == pytest.approx((1 + 1.5 + 2 + 5.5 + 9) / 5)
    places = [place for place, _ in estimating._chains(*_asked(33))]
    assert places[:5] == [0, 32, 16, 8, 24] and len(places) == len(set(places)) == 17


def _asked(n):
    question = ltr.sweeps.describe("MPBoost", {"lam": [0.1 + i for i in range(n)]})
    return question, question.configs(), estimating.as_folds([FOLDS[0]], None, 0)[0], True


def test_what_is_loaded_once_is_counted_once_or_with_every_process(monkeypatch):
    seen = pace(seconds=1.0, loading=0.5)
    known = estimate(monkeypatch, Told(seen), data=FOLDS)
    assert (known.seconds_per_fit, known.seconds_before) == (1.0, 2 * 0.5)  # the first fold is there by then
    known = estimate(monkeypatch, Told(seen, keeps=False), data=FOLDS)
    assert known.seconds_per_fit >= 1.5 and not known.seconds_before


def test_what_a_first_fit_loads_is_no_part_of_the_others(monkeypatch):
    fit, begun = ltr.MPBoost.fit, []

    def loading(self, *given, **named):
        begun.append(time.thread_time())
        while len(begun) == 1 and time.thread_time() - begun[0] < 0.3:
            pass
        return fit(self, *given, **named)

    monkeypatch.setattr(ltr.MPBoost, "fit", loading)
    known = ltr.estimate_sweep("MPBoost", SPACE, FOLDS, fixed={"n_rounds": 5}, n_workers=1)
    assert known.seconds_before > 0.5 and known.seconds_per_fit / known.slowed < 0.3


def test_a_fit_takes_what_its_thread_needs_however_long_it_waits(monkeypatch):
    fit = ltr.MPBoost.fit

    def waiting(self, *given, on_round, **named):
        def hear(info):
            time.sleep(0.05)
            return on_round(info)

        return fit(self, *given, on_round=hear, **named)

    monkeypatch.setattr(ltr.MPBoost, "fit", waiting)
    monkeypatch.setattr(estimating, "_LOOKS", 1)
    known = ltr.estimate_sweep("MPBoost", SPACE, FOLDS[0], fixed={"n_rounds": 5}, n_workers=1, patience=0.1)
    assert known.slowed > 2


def test_fits_that_may_stop_early_take_at_most_that(monkeypatch):
    fixed = {"early_stopping": 1_000, "n_rounds": 5_000}
    assert ltr.estimate_sweep("MPBoost", SPACE, DATA, fixed=fixed, n_workers=1, patience=0.01).is_most


def test_points_that_fail_take_what_they_take_unless_all_do(monkeypatch):
    monkeypatch.setattr(estimating, "_HELD_UP", 0.0)  # looks again, at the first point
    space = {"ddf": ["table", "logdd"], "n_rounds": [3]}
    assert ltr.estimate_sweep("MPBoost", space, DATA).n_fits == 2
    with pytest.raises(ltr.ParameterError, match="needs a table"):
        ltr.estimate_sweep("MPBoost", {"ddf": ["table"]}, DATA)
