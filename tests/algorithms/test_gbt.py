"""GBT against its oracle; what least squares promises."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive


def graded(seed: int, n: int = 120, d: int = 4, levels: int = 40) -> ltr.RankingData:
    """Documents on a grid of values (each has a bin of its own), grades that depend on two of them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, d)).astype(np.float32) / 4
    y = np.clip(np.round(X[:, 0] / 3 - X[:, 1] * X[:, 0] / 40 + rng.normal(0, 0.7, n)), 0, 4)
    return ltr.RankingData(X, y, np.sort(rng.integers(0, n // 8, n)))


@pytest.mark.parametrize("target", ["gain", "grade"])
@pytest.mark.parametrize(
    "seed, n_leaves, learning_rate, min_leaf",
    [(0, 8, 0.1, 5), (1, 4, 0.5, 1), (2, 16, 1.0, 3), (3, 2, 0.3, 5)],
)
def test_equals_the_oracle(target, seed, n_leaves, learning_rate, min_leaf):
    train, test = graded(seed), graded(seed + 100, 60)
    shape = dict(n_trees=12, n_leaves=n_leaves, learning_rate=learning_rate, min_leaf=min_leaf)
    stages, losses = naive.gbt(train.X, train.y, test.X, target, **shape)
    model = ltr.GBT(target=target, **shape).fit(train, measures=())
    assert model.n_iter_ == len(stages) - 1
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-9, atol=1e-12)
    loss = model.history_.query("measure == 'loss'")["value"]
    np.testing.assert_allclose(loss, losses, rtol=1e-9)


def test_starts_at_the_mean_and_never_loses():
    data = graded(3)
    model = ltr.GBT(target="grade", n_trees=30, learning_rate=1.0).fit(data, measures=())
    assert next(model.staged_predict(data)) == pytest.approx(np.full(data.n_docs, data.y.mean()))
    loss = model.history_["value"].to_numpy()
    assert (np.diff(loss) < 0).all()


def test_ends_when_nothing_is_left_to_fit():
    X = np.arange(8.0)[:, None]
    y = [0, 0, 1, 1, 3, 3, 2, 2]
    model = ltr.GBT(target="grade", learning_rate=1.0, min_leaf=1).fit(X, y, qid=np.zeros(8))
    assert (model.stopped_, model.n_iter_) == ("no gain", 1)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-12)


def test_training_scores_are_the_prediction_to_the_last_bit():
    data = graded(4, n=400)
    model = ltr.GBT(n_trees=20).fit(data, eval_set={"again": data}, measures=("ndcg@10", "mrr"))
    train, again = (model.history_.query("split == @s")["value"].to_numpy() for s in ("train", "again"))
    assert np.array_equal(train, again)
    assert ltr.ndcg(data.y, model.predict(data), data.qid, k=10) == pytest.approx(train[-2])


def test_gains_out_of_range_are_refused_with_a_way_out():
    X, y = np.arange(12.0)[:, None], np.r_[np.zeros(6), np.full(6, 1000.0)]
    with pytest.raises(ltr.DataError, match="target"):
        ltr.GBT(min_leaf=1).fit(X, y, qid=np.zeros(12))
    assert np.isfinite(ltr.GBT(target="grade", min_leaf=1).fit(X, y, qid=np.zeros(12)).predict(X)).all()


def test_trees_can_be_read():
    data = graded(5)
    model = ltr.GBT(n_trees=3, n_leaves=3).fit(data)
    text = model.print_tree(0)
    assert text.splitlines()[0].startswith("f1 ≤ ") and "120 documents, gain" in text
    assert len(text.splitlines()) == 5 and text.count("yes: ") == text.count("no: ") == 2
    with pytest.raises(ltr.ParameterError, match="3"):
        model.print_tree(3)
