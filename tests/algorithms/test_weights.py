"""Weights of queries: a query of weight 2 counts as one that is there twice."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr

DATA = ltr.datasets.make("cubic", n_queries=20, n_docs=8, n_features=5, n_grades=3)
WEIGHTS = 1 + np.arange(DATA.n_queries) % 3  # none is 0: both see the same range of each feature
WEIGHING = [name for name, algorithm in ltr.ALGORITHMS.items() if algorithm.weighs_queries]


def made(name):
    algorithm = ltr.ALGORITHMS[name]
    values = {algorithm.rounds_param: 6}
    if any(p.name == "min_leaf" for p in algorithm.params):
        values["min_leaf"] = 1  # documents are counted, not weighed
    return algorithm(**values)


def repeated():
    """The data with each query as often as it weighs."""
    parts = [(q, copy) for q, weight in enumerate(WEIGHTS) for copy in range(weight)]
    rows = [np.arange(DATA.offsets[q], DATA.offsets[q + 1]) for q, _ in parts]
    qid = np.repeat(np.arange(len(parts)), [len(own) for own in rows])
    return ltr.RankingData(DATA.X[np.concatenate(rows)], DATA.y[np.concatenate(rows)], qid)


@pytest.mark.parametrize("name", WEIGHING)
def test_a_weight_is_how_often_a_query_is_there(name):
    twins = repeated()
    plain, weighed, often = (made(name) for _ in range(3))
    weighed.fit(DATA, sample_weight=WEIGHTS)
    often.fit(twins)
    np.testing.assert_allclose(weighed.predict(DATA.X), often.predict(DATA.X), rtol=1e-9, atol=1e-12)
    assert not np.allclose(plain.fit(DATA).predict(DATA.X), weighed.predict(DATA.X), rtol=1e-3)


@pytest.mark.parametrize("name", WEIGHING)
def test_weights_of_rows_in_any_order_and_scale(name):
    shuffled = np.random.default_rng(0).permutation(DATA.n_docs)
    rows = np.repeat(WEIGHTS, np.diff(DATA.offsets))
    one = made(name).fit(DATA, sample_weight=rows)
    X, y, qid = DATA.X[shuffled], DATA.y[shuffled], DATA.qid[shuffled]
    other = made(name).fit(X, y, qid=qid, sample_weight=7.0 * rows[shuffled])
    np.testing.assert_allclose(one.predict(DATA.X), other.predict(DATA.X), rtol=1e-9, atol=1e-12)
    same = made(name).fit(DATA, sample_weight=np.full(DATA.n_queries, 0.1))
    np.testing.assert_allclose(same.predict(DATA.X), made(name).fit(DATA).predict(DATA.X), rtol=1e-9)


@pytest.mark.parametrize(
    "weights, words",
    [
        (np.arange(DATA.n_docs), "differs within a query"),
        ([1.0, 2.0], "2 numbers for 160 rows in 20 queries"),
        (-np.ones(DATA.n_queries), "negative"),
        (np.zeros(DATA.n_queries), "all are 0"),
    ],
)
def test_weights_that_are_none_are_refused(weights, words):
    with pytest.raises(ltr.DataError, match=words):
        ltr.GBT(n_trees=2).fit(DATA, sample_weight=weights)


def test_methods_without_weights_say_so():
    with pytest.raises(ltr.ParameterError, match="RankSVM has no weights of queries: AdaRank, FRank") as told:
        ltr.RankSVM().fit(DATA, sample_weight=WEIGHTS)
    assert all(name in str(told.value) for name in WEIGHING) and len(WEIGHING) == 4
