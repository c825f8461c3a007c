"""The trainer of boosted trees: trees of several outputs beside one another on several threads."""

from __future__ import annotations

import threading

import numba
import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import stopping, threads
from ltr_core.engines.boosting.trainer import BoostingTrainer

DATA = ltr.datasets.make("cubic", n_queries=40, n_docs=20, n_features=6, n_grades=5, seed=2)
MODELS = {
    "classes": {},
    "newton": {"splits": "newton"},
    "ordinal": {"mode": "ordinal", "monotone": {"f1": 1}},
    "in turn": {"classes": "in turn"},
}


def model(name: str) -> ltr.McRank:
    values = dict(MODELS[name])
    monotone = values.pop("monotone", None)
    return ltr.McRank(n_trees=4, max_bins=64, **values).set_params(monotone=monotone)


@pytest.fixture
def growers(monkeypatch):
    """Which thread grew which output."""
    seen, grow = {}, BoostingTrainer._grow

    def noted(self, k, place):
        seen.setdefault(k, set()).add((threading.get_ident(), place))
        return grow(self, k, place)

    monkeypatch.setattr(BoostingTrainer, "_grow", noted)
    return seen


@pytest.mark.parametrize("name", MODELS)
def test_outputs_apart_are_the_same_to_the_last_bit(name, growers):
    with threads.serial_only():
        one = model(name).fit(DATA)
    assert {place for pairs in growers.values() for _, place in pairs} == {0}
    growers.clear()
    with threads.parallel_always():
        other = model(name).fit(DATA)
    for key, part in one.forest_.state().items():
        assert np.array_equal(part, other.forest_.state()[key]), key
    assert one.history_.equals(other.history_)
    places = {k: {place for _, place in pairs} for k, pairs in growers.items()}
    n, n_threads = one.n_outputs_, numba.get_num_threads()
    each = 0 if name == "in turn" else n // n_threads
    for k in range(n):  # what is left over is grown by all threads together
        assert places[k] == {k // each * each if each and k < each * n_threads else 0}


needs_two = pytest.mark.skipif(not 2 <= numba.get_num_threads() <= 5, reason="no class for each thread")


@needs_two
def test_an_error_on_any_thread_is_raised(monkeypatch):
    for wrong in (0, 2, 4):

        def failing(self, k, place, grow=BoostingTrainer._grow, wrong=wrong):
            if k == wrong:
                raise KeyError(wrong)
            return grow(self, k, place)

        with monkeypatch.context() as patch, threads.parallel_always():
            patch.setattr(BoostingTrainer, "_grow", failing)
            with pytest.raises(KeyError):
                model("classes").fit(DATA)


@needs_two
def test_told_to_end_every_thread_ends_within_its_tree(monkeypatch):
    flag, meet, ended = stopping.StopFlag(), threading.Barrier(numba.get_num_threads(), timeout=60), []
    grow, met = BoostingTrainer._grow, set()

    def together(self, k, place):
        if threading.get_ident() not in met:
            met.add(threading.get_ident())
            meet.wait()  # all have begun
            flag.set()
        try:
            return grow(self, k, place)
        except stopping.Stopped:
            ended.append(threading.get_ident())
            raise

    with threads.parallel_always():
        trained = model("classes").fit(DATA)
        monkeypatch.setattr(BoostingTrainer, "_grow", together)
        with stopping.stoppable(flag):
            trained.fit(DATA)
    assert trained.stopped_ == "cancelled" and trained.n_iter_ == 0
    assert set(ended) == met and len(ended) == numba.get_num_threads()
