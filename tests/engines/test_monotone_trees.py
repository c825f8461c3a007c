"""Trees whose scores may only rise or only fall in a feature."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.engines.binning.bins import bin_features
from ltr_core.engines.trees import GrowingSpace, TreeGrower
from tests import naive
from tests.engines.test_monotone import DATA, SHAPE, TREES, WAYS, fresh


def worst_step(model, ways):
    """By how much a score goes the wrong way, at most, from any document along any feature that has a way."""
    worst = 0.0
    for feature, way in ways.items():
        k = DATA.feature_names.index(feature)
        values = np.unique(DATA.X[:, k])
        values = np.r_[values[0] - 1, values, values[-1] + 1]
        rows = np.repeat(DATA.X, len(values), axis=0)
        rows[:, k] = np.tile(values, DATA.n_docs)
        scores = model.predict(rows).reshape(DATA.n_docs, len(values))
        worst = max(worst, -(np.diff(scores, axis=1) * way).min())
    return worst


@pytest.mark.parametrize("name", TREES)
def test_scores_rise_and_fall_as_they_are_told(name):
    """From every document, at every value of the feature; McRank's go through exponentials, which round."""
    model = fresh(name, monotone=WAYS).fit(DATA)
    assert model.n_iter_ > 5 and set(model.to_frame()["feature"].dropna()) & set(WAYS)
    assert worst_step(model, WAYS) <= (1e-12 if "McRank" in name else 0.0)
    assert worst_step(fresh(name).fit(DATA), WAYS) > 1e-3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_grows_the_oracle_s_tree_and_bounds_its_leaves(seed, weighted):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (120, 5)).astype(np.float32)
    weight = rng.integers(0, 4, 120) * rng.random(120) if weighted else None
    plain = np.ones(120) if weight is None else weight
    pull = plain * (rng.normal(0, 1, 120) + np.where(X[:, 0] > 4, 1.0, -0.5) * np.where(X[:, 1] > 4, -1, 1))
    signs = np.array([1, -1, 0, -1, 1])

    space = GrowingSpace(bin_features(X), 9, weighted, signs=signs)
    grower = TreeGrower(space, pull, weight, 2).grow()

    def means(sums):
        return np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=sums[:, 1] > 0)

    sums = grower.leaf_sums(pull, weight)
    tree = grower.tree(grower.in_order(sums, means))
    ref = naive.grow_tree(X, pull, plain, 9, 2, signs)
    naive.bound_leaves(ref, pull, plain, signs)
    free = naive.grow_tree(X, pull, plain, 9, 2)
    kept, todo = 0, [(0, ref, free)]
    while todo:
        node, one, other = todo.pop()
        assert tree.n_docs[node] == len(one["rows"])
        if "left" not in one:
            assert tree.feature[node] == -1 and tree.value[node] == pytest.approx(one["value"], abs=1e-9)
            continue
        assert (tree.feature[node], tree.threshold[node]) == (one["feature"], one["threshold"])
        if other is not None and one["feature"] == other.get("feature"):
            kept += 1
        todo += [
            (getattr(tree, side)[node], one[side], (other or {}).get(side)) for side in ("left", "right")
        ]
    assert kept < len(naive.tree_leaves(free)) - 1, "the signs forbid something"


def test_bounds_move_values_that_the_splits_allow():
    """A leaf's own mean may lie beyond that of a leaf on the other side of a split further up."""
    moved = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 9, (120, 3)).astype(np.float32)
        pull = rng.normal(0, 1, 120) + 0.2 * X[:, 0]
        grower = TreeGrower(GrowingSpace(bin_features(X), 9, False, signs=np.array([1, 0, 0])), pull).grow()
        sums = grower.leaf_sums(pull, None)
        moved += not np.array_equal(
            grower.in_order(sums, lambda s: s[:, 0] / s[:, 1]), sums[:, 0] / sums[:, 1]
        )
    assert moved > 0


def test_classes_follow_no_single_output():
    with pytest.raises(ltr.ParameterError, match="ordinal"):
        ltr.McRank(monotone=WAYS).fit(DATA)
    ltr.McRank(n_trees=2, monotone={"f1": 0}).fit(DATA)
    two = ltr.RankingData(DATA.X, DATA.y > 1, DATA.qid)
    assert worst_step(ltr.McRank(monotone=WAYS, **SHAPE).fit(two), WAYS) <= 1e-12


@pytest.mark.parametrize(
    "rule, words", [({"g1": 1}, "no feature 'g1'"), ({"f1": 2}, "f1 = 2"), ([1, 0], "a dict")]
)
def test_a_rule_that_is_none_is_refused(rule, words):
    with pytest.raises(ltr.ParameterError, match=words):
        ltr.GBT(monotone=rule).fit(DATA)
