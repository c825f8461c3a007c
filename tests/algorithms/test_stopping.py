"""Training ends where it is told to, within a round too, and keeps what was finished."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import stopping
from ltr_core.engines.network.pair_loss import PAIR_LOSS
from ltr_core.engines.stumps import exponential
from ltr_core.engines.stumps.fidelity.pairs import FidelityPairs
from ltr_core.engines.stumps.layout import PairLayout
from ltr_core.stopping import StopFlag, Stopped
from tests.algorithms.test_contracts import NAMES, TRAIN, VALID, algorithms, make

MEASURES = ("ndcg@5", "map")


def train(name: str, flag: StopFlag) -> ltr.rankers.Ranker:
    data = ltr.RankingData(TRAIN.X, TRAIN.y, TRAIN.qid)  # anew: nothing is binned yet
    return make(name, 3).fit(data, eval_set={"valid": VALID}, measures=MEASURES, should_stop=flag)


OURS = [name for name in NAMES if not ltr.ALGORITHMS[name].peer]  # a library's rounds have no looks of ours


@pytest.mark.parametrize("name", OURS)
def test_told_at_any_look_it_keeps_the_rounds_that_are_finished(name, monkeypatch):
    """The flag is set at one look after another, from the first to the last of a training."""
    seen, plain = [0, 0], stopping.look

    def look():
        seen[0] += 1
        if seen[0] == seen[1]:
            flag.set()
        plain()

    monkeypatch.setattr(stopping, "look", look)
    flag = StopFlag()
    whole = train(name, flag)
    assert whole.stopped_ != "cancelled" and seen[0] > 5
    rounds = set()
    for at in sorted({*np.linspace(1, seen[0], 14).astype(int).tolist()}):
        flag, seen[:] = StopFlag(), [0, at]
        try:
            model = train(name, flag)
        except Stopped:
            rounds.add(None)
            continue
        rounds.add(model.n_iter_)
        assert model.stopped_ == "cancelled"
        early = whole.history_[whole.history_["iteration"] <= model.n_iter_]
        assert model.history_.equals(early)
        stages = zip(model.staged_predict(VALID), whole.staged_predict(VALID), strict=False)
        assert all(np.array_equal(one, other) for one, other in stages)
        assert np.array_equal(model.predict(VALID), whole.predict(VALID, iteration=model.n_iter_))
        assert np.isfinite(model.feature_importances_).all()
    assert None in rounds and 0 in rounds and max(n for n in rounds if n is not None) < max(2, whole.n_iter_)


@algorithms
def test_told_before_the_start_there_is_no_model(name):
    flag = StopFlag()
    flag.set()
    with pytest.raises(Stopped):
        train(name, flag)


def test_a_function_is_asked_while_it_trains():
    """It is asked by a thread of its own; the training, which would take hours, ends."""
    rounds = []
    model = make("MPBoost", 100_000, max_bins=2)
    X = np.random.default_rng(0).normal(size=(400, 30))
    data = ltr.RankingData(X, np.arange(400) % 3, np.arange(400) // 20)
    model.fit(data, on_round=lambda info: rounds.append(info.iteration), should_stop=lambda: len(rounds) > 3)
    assert model.stopped_ == "cancelled" and 3 < model.n_iter_ < 100_000
    assert len(rounds) == model.n_iter_ == len(model.rounds_)


def test_rounds_in_full_are_those_that_were_finished():
    flag = StopFlag()

    def on_round(info):
        if info.iteration == 4:
            flag.set()

    model = make("MPBoost", 9).fit(TRAIN, on_round=on_round, in_full=(2,), should_stop=flag)
    assert (model.n_iter_, model.stopped_) == (4, "cancelled")
    assert set(model.history_["iteration"]) == {2}


def test_blocks_nest_and_end():
    outer, inner = StopFlag(), StopFlag()
    with stopping.stoppable(outer):
        with stopping.stoppable(inner):
            assert stopping.cell() is inner.cell
            outer.set()
            with pytest.raises(Stopped):
                stopping.look()
            with stopping.unstoppable():
                stopping.look()
        assert stopping.cell() is outer.cell
        outer.clear()
        stopping.look()
    outer.set()
    stopping.look()
    assert stopping.cell()[0] == 0


def test_a_flag_is_of_one_thread():
    flag, ends = StopFlag(), []
    flag.set()
    with stopping.stoppable(flag):
        thread = threading.Thread(target=lambda: ends.append(stopping.look()))
        thread.start()
        thread.join()
    assert ends == [None]


# Within one query -------------------------------------------------------------------------------------------


def told() -> StopFlag:
    flag = StopFlag()
    flag.set()
    return flag


@pytest.mark.parametrize("loss", [PAIR_LOSS, ltr.LambdaRank.loss], ids=["RankNet", "LambdaRank"])
@pytest.mark.parametrize("reach", [1.0, 1000.0])  # scores so far apart that they are gone through otherwise
def test_a_pair_loss_ends_within_a_query(loss, reach):
    scores, grades = reach * np.linspace(-1.0, 1.0, 50), np.arange(50.0) % 4
    assert loss(scores, grades, 0, 10.0)[1].any()
    with stopping.stoppable(told()):
        assert not loss(scores, grades, 0, 10.0)[1].any()


def test_the_pairs_of_stump_boosters_end_within_a_query():
    data = ltr.RankingData(np.zeros((40, 1)), np.linspace(0.0, 4.0, 40), np.zeros(40))
    layout = PairLayout(data.y, data.offsets)
    distance = ltr.MPBoost()._settle(layout.grades, ltr.MPBoost().checked_params())
    for begin in (
        lambda: exponential.weigh(layout, distance, np.ones_like),
        lambda: FidelityPairs(data, 1.0, True).loss(),
    ):
        begin()
        with stopping.stoppable(told()), pytest.raises(Stopped):
            begin()
