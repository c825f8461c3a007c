"""Outputs whose pulls add up to 0: the last root from the others', against a pass over its documents."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import bin_features
from ltr_core.engines.boosting.trainer import BoostingTrainer
from ltr_core.engines.trees import Balance, GrowingSpace, TreeGrower


def problem(seed: int, n_outputs: int, n: int = 1_500):
    """Features of few values, and what softmax leaves of classes."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n, 5)).astype(np.float32)
    X[:, 3] = 2.0  # one bin: it has no histogram
    p = np.exp(rng.normal(0, 1, (n_outputs, n)))
    p /= p.sum(axis=0)
    return X, (rng.integers(0, n_outputs, n) == np.arange(n_outputs)[:, None]) - p


@pytest.mark.parametrize("twins", [threads.serial_only, threads.parallel_always])
@pytest.mark.parametrize("n_outputs", [2, 3, 5])
def test_the_last_root_is_what_a_pass_over_its_documents_finds(n_outputs, twins):
    X, pulls = problem(n_outputs, n_outputs)
    last, balance, packed = n_outputs - 1, Balance(pulls), 0
    space = GrowingSpace(bin_features(X), 7, False)
    early = TreeGrower(GrowingSpace(bin_features(X), 7, False), pulls[last], None, 5, balance, last).grow()
    assert not balance.knows(last), "on another thread it may come first"
    with twins():
        for k in range(last):
            tree = TreeGrower(space, pulls[k], None, 5, balance, k)
            packed = packed + (space.packed[:, 0] >> tree._packing.shift)
        assert balance.knows(last) and not any(balance.knows(k) for k in range(last))
        tree = TreeGrower(space, pulls[last], None, 5, balance, last)
    assert np.array_equal(space.packed[:, 0] >> tree._packing.shift, -packed)
    assert ((space.packed & ((1 << tree._packing.shift) - 1)) == 1).all()
    assert np.abs(packed + pulls[last] * tree._packing.pull_scale).max() <= last / 2 + 0.01
    for k in space.features:
        own = np.zeros(space.n_bins[k], np.int64)
        np.add.at(own, space.bins[k], space.packed[:, 0])
        assert np.array_equal(space.histograms[0][space.starts[k] :][: space.n_bins[k], 0], own)
    tree.grow()
    alone = TreeGrower(GrowingSpace(bin_features(X), 7, False), pulls[last], None, 5).grow()
    zeros = np.zeros(len(tree.leaves))
    for name, part in vars(tree.tree(zeros)).items():
        assert np.array_equal(part, getattr(early.tree(zeros), name)), name
        np.testing.assert_allclose(part, getattr(alone.tree(zeros), name), rtol=1e-7)


SETS = {
    "few values": {"name": "cubic", "n_queries": 100, "n_docs": 30, "n_features": 8, "n_grades": 5},
    "three grades": {"name": "cubic", "n_queries": 60, "n_docs": 40, "n_features": 9, "n_grades": 3},
}


@pytest.mark.parametrize("data", SETS)
@pytest.mark.parametrize(
    "values", [{}, {"start": "prior", "n_leaves": 4}, {"min_leaf": 1, "learning_rate": 1.0}]
)
def test_trees_are_those_of_outputs_packed_alone(data, values, monkeypatch):
    made, known, knows = ltr.datasets.make(seed=5, **SETS[data]), [], Balance.knows
    model = ltr.McRank(n_trees=12, max_bins=24, **values)

    def noted(self, k):
        known.append(knows(self, k))
        return known[-1]

    monkeypatch.setattr(Balance, "knows", noted)
    models = []
    for twins in (threads.serial_only, threads.parallel_always):
        with twins():
            models.append(type(model)(**model.get_params()).fit(made, measures=()))
        assert sum(known) > 3 * len(models)
    seen = len(known)
    monkeypatch.setattr(BoostingTrainer, "_balanced", lambda self: None)
    models.append(type(model)(**model.get_params()).fit(made, measures=()))
    assert len(known) == seen
    one, two, alone = (m.forest_.state() for m in models)
    for name, part in one.items():
        assert np.array_equal(part, two[name]), name
        if name == "gain":
            np.testing.assert_allclose(part, alone[name], rtol=1e-6, atol=1e-12)
        else:
            assert np.array_equal(part, alone[name]), name


@pytest.mark.parametrize("values", [{"splits": "newton"}, {"classes": "in turn"}, {"mode": "ordinal"}])
def test_pulls_that_are_weighed_or_come_in_turn_are_not_balanced(values, monkeypatch):
    made = ltr.datasets.make(seed=5, **SETS["few values"])
    monkeypatch.setattr(Balance, "__init__", None)
    assert ltr.McRank(n_trees=2, max_bins=24, **values).fit(made, measures=()).n_iter_ == 2
