"""AdaRank: equal to a plain restatement."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.algorithms.features.adarank import AdaRank
from tests import naive

MEASURES = {
    "ndcg@10": lambda y, s: naive.query_ndcg(y, s, k=10),
    "ndcg@3": lambda y, s: naive.query_ndcg(y, s, k=3),
    "map": naive.query_average_precision,
}


def _data(seed, ties=False, d=4):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, 7)
    qid = np.repeat(np.arange(7), sizes)
    X = rng.integers(0, 4, (len(qid), d)) if ties else rng.normal(size=(len(qid), d))
    y = np.clip(np.round(X[:, 0] - X[:, 1] / 2 + rng.normal(0, 1, len(qid))), 0, 3)
    y[:2] = [2, 0]
    return ltr.RankingData(X, y, qid)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("directions", ["both", "descending"])
@pytest.mark.parametrize("seed", range(4))
def test_training_equals_the_oracle(name, directions, seed):
    data = _data(seed, ties=seed == 3)
    model = AdaRank(measure=name, directions=directions, n_rounds=8, max_repeats=2).fit(data)
    rounds = naive.adarank(data.X, data.y, data.qid, MEASURES[name], directions, 8, 2)
    assert model.n_iter_ == len(rounds)
    stages = list(model.staged_predict(data))
    for t, (feature, sign, alpha, scores) in enumerate(rounds):
        assert model.rounds_[t] == (feature, pytest.approx(sign * alpha, rel=1e-9))
        np.testing.assert_allclose(stages[t + 1], scores, rtol=1e-9, atol=1e-12)
    loss = model.history_.query("measure == 'loss'")["value"].to_numpy()
    for t, (_, _, _, scores) in enumerate(rounds):
        E = [
            MEASURES[name](list(data.y[a:b]), list(scores[a:b]))
            for a, b in zip(data.offsets[:-1], data.offsets[1:], strict=True)
        ]
        assert loss[t + 1] == pytest.approx(np.exp(-np.array(E)).mean(), rel=1e-9)


def test_a_feature_is_not_taken_more_often_in_a_row_than_allowed():
    data = ltr.datasets.make("cubic", n_queries=40, n_features=5)
    for most in (1, 3):
        taken = [feature for feature, _ in AdaRank(n_rounds=30, max_repeats=most).fit(data).rounds_]
        longest = max(len(run) for run in _runs(taken))
        assert longest <= most
        assert most == 1 or longest > 1


def _runs(items):
    runs = [[items[0]]]
    for item in items[1:]:
        if item == runs[-1][-1]:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def test_descending_uses_high_values_only():
    data = ltr.datasets.make("cubic", n_queries=40, n_features=5)
    model = AdaRank(directions="descending", n_rounds=20).fit(data)
    assert (np.array([weight for _, weight in model.rounds_]) > 0).all()
    assert (AdaRank(n_rounds=20).fit(data).weights_ < 0).any()


def test_features_are_scaled_by_the_training_range():
    data = _data(0)
    model = AdaRank(n_rounds=5).fit(data)
    wider = AdaRank(n_rounds=5).fit(data.X * [1, 1000, 1, 1] + [0, 5, 0, 0], data.y, qid=data.qid)
    np.testing.assert_allclose(
        wider.predict(data.X * [1, 1000, 1, 1] + [0, 5, 0, 0]), model.predict(data), rtol=1e-4, atol=1e-5
    )


def test_data_without_a_relevant_document_end_training_at_once():
    model = AdaRank().fit([[1.0], [2.0], [3.0]], [0, 0, 0], qid=[1, 1, 1])
    assert (model.n_iter_, model.stopped_) == (0, "no gain")
