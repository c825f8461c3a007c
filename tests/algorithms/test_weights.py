"""Weights of queries: a query of weight 2 counts as one that is there twice, its loss in a network."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data.set.ordering import by_content
from ltr_core.engines.network.kernels import _mix_bits, n_decayed
from tests import naive

DATA = ltr.datasets.make("cubic", n_queries=20, n_docs=8, n_features=5, n_grades=3)
WEIGHTS = 1 + np.arange(DATA.n_queries) % 3  # none is 0: both see the same range of each feature
WEIGHING = [name for name, algorithm in ltr.ALGORITHMS.items() if algorithm.weighs_queries]
NETWORKS = [name for name in WEIGHING if ltr.ALGORITHMS[name].family == "gradient"]


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


@pytest.mark.parametrize("name", [name for name in WEIGHING if name not in NETWORKS])
def test_a_weight_is_how_often_a_query_is_there(name):
    twins = repeated()
    plain, weighed, often = (made(name) for _ in range(3))
    weighed.fit(DATA, sample_weight=WEIGHTS)
    often.fit(twins)
    np.testing.assert_allclose(weighed.predict(DATA.X), often.predict(DATA.X), rtol=1e-9, atol=1e-12)
    assert not np.allclose(plain.fit(DATA).predict(DATA.X), weighed.predict(DATA.X), rtol=1e-3)


@pytest.mark.parametrize("hidden", [0, 3])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_takes_the_slope_of_the_weighted_loss(name, hidden):
    """Followed step by step in plain numpy: the weight is a factor of the query's loss, 0 leaves it out."""
    weights = np.where(np.arange(DATA.n_queries) % 5 == 3, 0.0, WEIGHTS)
    given = {"hidden": hidden, "step_size": 0.02, "l2": 0.01, "random_state": 4}
    model = ltr.ALGORITHMS[name](epochs=2, **given).fit(DATA, sample_weight=7.0 * weights)
    path = weighted_path(model, weights / weights.mean(), hidden)
    np.testing.assert_allclose(model.weights_, path, rtol=1e-4, atol=1e-6)
    plain = ltr.ALGORITHMS[name](epochs=2, **given).fit(DATA)
    assert not np.allclose(plain.weights_[1:], model.weights_[1:], rtol=1e-2)


def weighted_path(model, weights, hidden):
    """Return a network's weights after each epoch: slopes are the model's, the rest plain numpy."""
    data = by_content(DATA) if model.by_rows else DATA
    Z, rng = naive.standardise(data.X), np.random.default_rng(4)
    starts, ends = data.offsets[:-1], data.offsets[1:]
    low, high = np.minimum.reduceat(data.y, starts), np.maximum.reduceat(data.y, starts)
    taught = np.flatnonzero(model._taught(low, high, ends - starts) & (weights > 0))
    if hidden:  # the first weights are drawn before the order of the queries
        rng.uniform(-1.0, 1.0, (data.n_features, hidden))
        rng.uniform(-1.0, 1.0, hidden)
    first = model.weights_[0]
    decayed = np.arange(len(first)) < n_decayed(data.n_features, hidden)
    free = np.arange(len(first)) < len(first) - (model.start_bias is None)
    visits = []
    for _ in range(model.n_iter_):
        order = rng.permutation(taught)
        seed = rng.integers(2**64, dtype=np.uint64)
        visits += [(q, int(_mix_bits(seed ^ np.uint64(q)))) for q in order]

    def gradient(w, t):
        q, ties = visits[t - 1]
        rows = slice(starts[q], ends[q])
        scores = naive.network_scores(Z[rows], w, hidden)
        slope = model.loss(scores, data.y[rows], ties, getattr(model, "k", 0.0))[1] * weights[q]
        change = naive.finite_differences(lambda v: slope @ naive.network_scores(Z[rows], v, hidden), w)
        return change + 0.01 * np.where(decayed, w, 0.0)

    steps = naive.adam_steps(gradient, first, len(visits), 0.02, free)
    return steps[:: len(taught)]


@pytest.mark.parametrize("name", WEIGHING)
def test_weights_of_rows_in_any_order_and_scale(name):
    last = DATA.offsets[1:] - 1  # first: networks visit queries in an order drawn from that of the file
    others = np.setdiff1d(np.arange(DATA.n_docs), last)
    shuffled = np.r_[last, np.random.default_rng(0).permutation(others)]
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
    assert "networks" in str(told.value) and set(NETWORKS) >= {
        "RankNet",
        "LambdaRank",
        "ListNet",
        "ListMLE",
        "RankCosine",
    }
    assert all(name in str(told.value) for name in WEIGHING if name not in NETWORKS)
