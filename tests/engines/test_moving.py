"""Trees that go on from the one before, against trees from pulls packed anew."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import bin_features
from ltr_core.engines.trees import GrowingSpace, TreeGrower, packing
from tests import naive


def problem(seed: int, n: int = 600, d: int = 5, levels: int = 7):
    """Features of few values, and a pull that depends on two of them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, d)).astype(np.float32)
    X[:, 2] = 1.0  # one bin: it has no histogram
    return X, rng.normal(0, 1, n) + np.where(X[:, 0] > 3, X[:, 1], -1.0)


def full_pass(space: GrowingSpace) -> list[np.ndarray]:
    """Return the root's histograms, feature by feature, from the packed numbers."""
    sums = []
    for k in space.features:
        own = np.zeros(space.n_bins[k], np.int64)
        np.add.at(own, space.bins[k], space.packed[:, 0])
        sums.append(own)
    return sums


def grow_on(space: GrowingSpace, pull: np.ndarray, min_leaf: int, n_trees: int, rate: float = 0.3):
    """Grow trees one from the other; yield each root's grower, then bring pulls forward."""
    for _ in range(n_trees):
        tree = TreeGrower(space, pull, None, min_leaf)
        yield tree
        tree.grow()
        total, size = tree.leaf_sums(pull, None).T
        values = rate * total / size
        fallen = np.zeros(len(pull))
        tree.add_to(values, fallen)
        pull -= fallen
        tree.hand_on(values)


@pytest.mark.parametrize("twins", [threads.serial_only, threads.parallel_always])
@pytest.mark.parametrize("n_leaves, min_leaf", [(2, 1), (7, 1), (12, 3), (9, 70), (40, 25)])
def test_a_root_that_went_on_is_what_a_pass_over_the_documents_finds(n_leaves, min_leaf, twins):
    """With 70 documents a leaf there are siblings that nobody has searched."""
    X, pull = problem(n_leaves)
    space = GrowingSpace(bin_features(X), n_leaves, False, hands_on=True)
    with twins():
        for m, tree in enumerate(grow_on(space, pull, min_leaf, 6)):
            assert tree._packing.moves == m
            for k, own in zip(space.features, full_pass(space), strict=True):
                assert np.array_equal(space.histograms[0][space.starts[k] :][: space.n_bins[k], 0], own)
            mask = (1 << tree._packing.shift) - 1
            assert ((space.packed & mask) == 1).all(), "each document counts once"
            quanta = (space.packed[:, 0] >> tree._packing.shift) - pull * tree._packing.pull_scale
            assert np.abs(quanta).max() <= (m + 1) / 2 + 1e-3


def test_nothing_is_handed_on_where_it_is_not_said_or_not_worth_it():
    X, pull = problem(1)
    for values in ({"weighted": True}, {"keep": False}, {"hands_on": False}):
        space = GrowingSpace(bin_features(X), 6, **{"weighted": False, "hands_on": True, **values})
        tree = TreeGrower(space, pull, np.ones(len(pull)) if space.weighted else None).grow()
        tree.hand_on(np.zeros(len(tree.leaves)))
        assert space.before is None
    assert GrowingSpace(bin_features(X), 6, False).hands_on  # 29 bins in all
    assert not GrowingSpace(bin_features(X[:60]), 6, False).hands_on
    space = GrowingSpace(bin_features(X), 6, False)
    first, _ = grow_on(space, pull, 1, 2)
    assert first._packing.moves == 0
    TreeGrower(space, pull)  # ended before it handed anything on
    assert TreeGrower(space, pull)._packing.moves == 0


def test_pulls_are_packed_anew_before_rounding_is_felt():
    X, pull = problem(2)
    space, moves = GrowingSpace(bin_features(X), 8, False), []
    for tree in grow_on(space, pull, 1, 40, rate=1.0):  # what is left is lost in rounding, as pulls are not
        moves.append(tree._packing.moves)
        exact = pull * tree._packing.pull_scale
        drift = np.abs((space.packed[:, 0] >> tree._packing.shift) - exact).max()
        assert drift <= max(0.51, 2.0**-20 * np.abs(exact).mean())
    assert max(moves) > 3
    start = packing.pack(pull, None, space.packed)
    assert start.bears(1) and not start.moved(2**start.bits).bears(0)  # sums would not fit
    assert start.moved(int(start.size)).bears(0) and not start.moved(1_000).bears(0)
    unit = 1.0 / start.pull_scale
    assert start.steps(np.array([2.0 ** (start.bits - 3) * unit, -3.4 * unit])).tolist()[1] == -3
    assert start.steps(np.array([1.0, -(2.0 ** (start.bits - 2)) * unit])) is None


# Whole trainings --------------------------------------------------------------------------------------------


def graded(seed: int, n: int, levels: int, d: int = 6) -> ltr.RankingData:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, d)).astype(np.float32)
    y = np.clip(np.round(4 * X[:, 0] / levels - X[:, 1] * X[:, 0] / levels**2 + rng.normal(0, 0.7, n)), 0, 4)
    return ltr.RankingData(X, y, np.sort(rng.integers(0, n // 20, n)))


SETS = {
    "few values": partial(graded, 0, 3_000, 9),
    "cubic": partial(ltr.datasets.make, "cubic", n_queries=300, n_docs=40, n_features=12, seed=3),
    "web1-like": partial(ltr.datasets.make, "web1-like", n_queries=400, n_features=15, seed=4),
}
MODELS = {
    "GBT": ltr.GBT(max_bins=64, n_trees=60),
    "GBT, whole steps": ltr.GBT(max_bins=64, n_trees=30, learning_rate=1.0, n_leaves=24, min_leaf=1),
    "GBT, few large leaves": ltr.GBT(max_bins=32, n_trees=30, n_leaves=30, min_leaf=400, target="grade"),
    "GBT, signs": ltr.GBT(max_bins=64, n_trees=20).set_params(monotone={"f1": 1, "f2": -1}),
    "squared": ltr.FunctionalBoosting(risk="squared", max_bins=64, n_trees=20),
    "squared, fixed step": ltr.FunctionalBoosting(risk="squared", max_bins=64, n_trees=20, fixed_step=0.3),
    "QBRank, labels only": ltr.QBRank(preference_weight=0.0, max_bins=64, n_trees=20, n_leaves=8),
}


@pytest.fixture
def moves(monkeypatch):
    """How often the pulls of each tree had been moved."""
    seen, begin = [], TreeGrower.__init__

    def noted(self, *args):
        begin(self, *args)
        seen.append(self._packing.moves)

    monkeypatch.setattr(TreeGrower, "__init__", noted)
    return seen


def trained(model, data, **values):
    return type(model)(**model.get_params()).fit(data, measures=(), **values)


def same_models(one, other) -> None:
    """Check that all but the gains, which are sums of rounded pulls, are the same to the last bit."""
    for name, part in one.forest_.state().items():
        if name == "gain":
            np.testing.assert_allclose(part, other.forest_.state()[name], rtol=1e-5, atol=1e-9)
        else:
            assert np.array_equal(part, other.forest_.state()[name]), name


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("data", SETS)
def test_trees_are_those_of_pulls_packed_anew(data, name, moves, monkeypatch):
    data, model = SETS[data](), MODELS[name]
    with threads.serial_only():
        one = trained(model, data)
    assert max(moves) >= 3
    with threads.parallel_always():
        other = trained(model, data)
    assert all(np.array_equal(part, other.forest_.state()[k]) for k, part in one.forest_.state().items())
    moves.clear()
    monkeypatch.setattr(TreeGrower, "hand_on", lambda self, values: None)
    same_models(one, trained(model, data))
    assert not any(moves)


def test_training_goes_on_from_a_model_and_from_weights_as_before(moves, monkeypatch):
    data = SETS["few values"]()
    begun = trained(ltr.GBT(n_trees=5), data)
    weight = np.random.default_rng(0).random(data.n_queries) + 0.5
    moves.clear()
    longer = trained(ltr.GBT(n_trees=7), data, init_model=begun)
    assert moves == list(range(7))
    moves.clear()
    weighed = trained(ltr.GBT(n_trees=7), data, sample_weight=weight)
    assert not any(moves), "a weighed pull does not fall by a leaf's value"
    monkeypatch.setattr(TreeGrower, "hand_on", lambda self, values: None)
    same_models(longer, trained(ltr.GBT(n_trees=7), data, init_model=begun))
    same_models(weighed, trained(ltr.GBT(n_trees=7), data, sample_weight=weight))


@pytest.mark.parametrize("min_leaf, learning_rate", [(1, 0.1), (3, 0.5), (25, 1.0)])
def test_equals_the_oracle(min_leaf, learning_rate, moves):
    train, test = graded(5, 300, 3, 5), graded(6, 60, 3, 5)
    shape = dict(n_trees=12, n_leaves=5, learning_rate=learning_rate, min_leaf=min_leaf)
    stages, losses = naive.gbt(train.X, train.y, test.X, "gain", **shape)
    model = ltr.GBT(target="gain", **shape).fit(train, measures=())
    assert max(moves) > 2
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.history_.query("measure == 'loss'")["value"], losses, rtol=1e-9)
