"""Going on from a model: as many rounds more, as if training had never ended."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.engines.boosting import TreeRanker
from ltr_core.engines.stumps.ranker import StumpRanker

DATA = ltr.datasets.make("cubic", n_queries=30, n_docs=8, n_features=5)
TRAIN, VALID, TEST = ltr.split(DATA, (0.5, 0.25, 0.25), seed=0)
BOOSTERS = [n for n, cls in ltr.ALGORITHMS.items() if issubclass(cls, (StumpRanker, TreeRanker))]


def made(name, n_rounds, **more):
    algorithm = ltr.ALGORITHMS[name]
    return algorithm(**{algorithm.rounds_param: n_rounds}, **more)


@pytest.mark.parametrize("name", BOOSTERS)
def test_two_trainings_in_a_row_are_one(name, tmp_path):
    whole = made(name, 9).fit(TRAIN, eval_set={"valid": VALID})
    made(name, 4).fit(TRAIN).save(tmp_path / "m.json")
    first = ltr.load_model(tmp_path / "m.json")
    second = made(name, 5).fit(TRAIN, eval_set={"valid": VALID}, init_model=first)
    assert second.n_iter_ == whole.n_iter_ and first.n_iter_ == 4, "the first model stays what it was"
    for one, other in zip(second.staged_predict(TEST), whole.staged_predict(TEST), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    assert second.history_["iteration"].min() == 4
    wanted = whole.history_.query("iteration >= 4").reset_index(drop=True)
    for column in ("iteration", "split", "measure"):
        assert (second.history_[column] == wanted[column]).all()
    np.testing.assert_allclose(second.history_["value"], wanted["value"], rtol=1e-9, atol=1e-12)
    assert second.best_iteration_ in range(4, 10)
    second.save(tmp_path / "both.json")
    again = ltr.load_model(tmp_path / "both.json")
    assert (again.predict(TEST) == second.predict(TEST)).all()
    np.testing.assert_allclose(second.at(4).predict(TEST), first.predict(TEST), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", ["MPBoost", "LambdaMART"])
def test_other_data_and_early_stopping(name):
    first = made(name, 5).fit(TRAIN)
    model = made(name, 40, early_stopping=3).fit(TEST, eval_set={"valid": VALID}, init_model=first)
    assert 5 <= model.iteration_ == model.best_iteration_ < model.n_iter_ <= 45
    np.testing.assert_allclose(model.predict(VALID, iteration=5), first.predict(VALID), rtol=1e-12)


def test_what_does_not_fit_is_refused():
    first = ltr.MPBoost(n_rounds=2).fit(TRAIN)
    with pytest.raises(ltr.ParameterError, match="init_model is of the kind MPBoost, and this one GBT"):
        ltr.GBT().fit(TRAIN, init_model=first)
    with pytest.raises(ltr.DataError, match="init_model was trained on"):
        ltr.MPBoost().fit(TRAIN.with_features(TRAIN.X[:, :3]), init_model=first)
    svm = ltr.RankSVM().fit(TRAIN)
    with pytest.raises(ltr.ParameterError, match="does not boost"):
        ltr.RankSVM().fit(TRAIN, init_model=svm)
