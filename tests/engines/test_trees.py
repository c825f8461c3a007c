"""The tree engine, split by split, against plain loops."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import bin_features
from ltr_core.engines.trees import (
    Forest,
    GrowingSpace,
    TreeGrower,
    add_binned,
    contributions,
    expected,
    partition,
    tree_text,
    whole_weights,
)
from ltr_core.engines.trees.packing import pack
from ltr_core.engines.trees.splitting import Node, Table, _fill_histograms, _find_best
from ltr_core.rankers.model_file import State
from tests import naive

WEIGHTS = ("none", "any", "whole")


def problem(seed: int, n: int = 80, d: int = 3, levels: int = 12, weights: str = "none"):
    """Features on a grid, a pull, and weights with zeros among them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, d)).astype(np.float32)
    weight = None if weights == "none" else 0.7 * rng.integers(0, 4, n)
    if weights == "any":
        weight = weight * rng.random(n)
    pull = rng.normal(0, 1, n) + np.where(X[:, 0] > levels / 2, 1.0, -0.5)
    return X, pull * (1.0 if weight is None else weight), weight


def grown(X, pull, weight, n_leaves=8, min_leaf=3, keep=None):
    """Grow a tree and give its leaves the weighted means."""
    whole = None if weight is None else whole_weights(weight)
    space = GrowingSpace(bin_features(X), n_leaves, weight is not None, keep, whole=whole)
    grower = TreeGrower(space, pull, weight, min_leaf).grow()
    total, bound = grower.leaf_sums(pull, weight).T
    return grower, grower.tree(np.divide(total, bound, out=np.zeros_like(total), where=bound > 0))


def same_tree(a, b) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))


def follow(tree, node, x):
    """Return the leaf that a document falls into."""
    while tree.feature[node] >= 0:
        above = x[tree.feature[node]] > tree.threshold[node]
        node = tree.right[node] if above else tree.left[node]
    return node


# One tree ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(4))
def test_grows_the_oracle_s_tree(seed, weights):
    """Features are summed four at a time; three are what is left over."""
    X, pull, weight = problem(seed, d=3 + 4 * (seed % 2), weights=weights)
    _, tree = grown(X, pull, weight)
    plain = np.ones(len(X)) if weight is None else weight
    todo = [(0, naive.grow_tree(X, pull, plain, 8, 3))]
    assert tree.n_leaves == len(naive.tree_leaves(todo[0][1])) > 4
    while todo:
        node, ref = todo.pop()
        assert tree.n_docs[node] == len(ref["rows"])
        if "left" not in ref:
            assert tree.feature[node] == -1
            continue
        assert (tree.feature[node], tree.threshold[node]) == (ref["feature"], ref["threshold"])
        assert tree.gain[node] == pytest.approx(ref["gain"], rel=1e-9)
        todo += [(tree.left[node], ref["left"]), (tree.right[node], ref["right"])]


def test_can_be_stepped_and_takes_the_best_leaf_first():
    X, pull, _ = problem(7, n=300)
    space = GrowingSpace(bin_features(X), 6, False)
    grower = TreeGrower(space, pull, None, 5)
    gains = []
    while True:
        best = max(leaf.gain for leaf in grower.leaves)
        before = {leaf.node for leaf in grower.leaves}
        if not grower.split_next():
            break
        gains.append(best)
        split = [leaf for leaf in grower.leaves if leaf.node not in before]
        assert len(split) == 2 and all(leaf.stop - leaf.start >= 5 for leaf in split)
    tree = grower.tree(np.zeros(len(grower.leaves)))
    assert len(grower.leaves) == 6 and len(gains) == 5
    # Nodes are numbered as they were made: pairs of children in the order of the splits.
    parents = sorted(np.flatnonzero(tree.feature >= 0), key=lambda node: tree.left[node])
    scale = tree.gain[parents[0]] / gains[0]
    np.testing.assert_allclose(tree.gain[parents], np.array(gains) * scale)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_histogram_of_a_node_is_the_sum_of_its_children_s(weights):
    X, pull, weight = problem(8, n=200, weights=weights)
    whole = whole_weights(weight) if weights == "whole" else None
    space = GrowingSpace(bin_features(X), 5, weights != "none", whole=whole)
    grower = TreeGrower(space, pull, weight, 2)
    before = space.histograms[0].copy()
    assert grower.split_next()
    assert np.array_equal(space.histograms[0] + space.histograms[1], before)
    for leaf in grower.leaves:
        rows = space.rows[leaf.start : leaf.stop]
        assert (np.diff(rows.astype(int)) > 0).all(), "ids stay ascending"
        for k in range(3):
            part = space.histograms[leaf.slot][space.starts[k] :][: space.n_bins[k]]
            for b in range(space.n_bins[k]):
                inside = rows[space.bins[k, rows] == b]
                assert np.array_equal(part[b], space.packed[inside].sum(axis=0))


@pytest.mark.parametrize("n", [1, 2, 601])
@pytest.mark.parametrize("share", [1.0, 0.4])
@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("n_crowded", [0, 1, 2, 9])
def test_histograms_are_sums_by_bin_however_crowded_features_are(n_crowded, width, share, n):
    rng, d = np.random.default_rng(n), 9
    bins = rng.integers(0, 256, (d, n)).astype(np.uint8)
    bins[rng.random((d, n)) < 0.6] = 255
    packed = rng.integers(-(1 << 50), 1 << 50, (n, width))
    none = np.empty(0, np.uint32)
    rows = none if share == 1.0 else np.flatnonzero(rng.random(n) < share).astype(np.uint32)
    n_bins, crowded = np.full(d, 256), np.arange(d) < n_crowded
    held = (n_bins, crowded, 256 * np.arange(d), np.zeros(d, np.int64))
    table = Table(np.array([0, d]), np.arange(d), bins, *held)
    inside = np.arange(n) if share == 1.0 else rows
    out = np.full((256 * d, width), 7)
    node = Node(rows if len(rows) else none, packed[inside], none, 20, 1, (1, 1))
    _fill_histograms(table.features, table, node, out)
    for k in range(d):
        wanted = [packed[inside][bins[k, inside] == b].sum(axis=0) for b in range(256)]
        assert (out[256 * k : 256 * (k + 1)] == wanted).all()


def test_ties_go_to_the_lowest_feature_and_threshold():
    x = np.repeat([0.0, 1.0, 2.0, 3.0], 5)
    # Features 1 and 2 are mirrors, 3 is 1 again; cutting 1 and 2 anywhere else is worse or as good.
    X = np.c_[np.zeros(20), x, 3 - x, x].astype(np.float32)
    pull = np.where(x < 2, 0.1, -0.1)
    _, tree = grown(X, pull, None, 2, 1)
    assert (tree.feature[0], tree.threshold[0]) == (1, 1.0)
    # Two cuts of the same gain: after the first and before the last value.
    pull = np.where((x == 0) | (x == 3), 1.0, -1.0)
    _, tree = grown(X[:, 1:2], pull, None, 2, 1)
    assert tree.threshold[0] == 0.0


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-40, 40)), min_size=1, max_size=40))
def test_a_gain_replaces_one_before_it_if_it_is_clearly_larger(parts):
    """Equal, equal but for rounding, a little apart, clearly apart."""
    gains = [base * (1.0 + step * 5e-11) for base, step in parts]
    best, largest = -1, 0.0
    for b, gain in enumerate(gains):
        if gain > largest * (1.0 + 1e-10):
            best, largest = b, gain
    room = np.array([*gains, np.nan])
    assert _find_best(len(gains), room, room.view(np.int64)) == best


def test_no_split_without_gain_or_without_room():
    X, pull, _ = problem(9, n=20)
    for pull_, min_leaf in ((np.zeros(20), 1), (np.full(20, 0.1), 1), (pull, 11)):
        _, tree = grown(X, pull_, None, 8, min_leaf)
        assert tree.n_nodes == 1
    _, tree = grown(np.zeros((20, 2)), pull, None)
    assert tree.n_nodes == 1


def test_documents_without_weight_gain_nothing_but_count():
    X = np.arange(12.0, dtype=np.float32)[:, None]
    weight = np.r_[np.zeros(4), np.ones(8)]
    pull = weight * np.r_[np.zeros(4), 0.0, 0, 0, 0, 1, 1, 1, 1]
    _, tree = grown(X, pull, weight, 8, 1)
    assert tree.threshold[0] == 7.0 and tree.n_leaves == 2
    _, tree = grown(X, pull, weight, 8, 5)
    assert tree.threshold[0] == 6.0 and tree.n_docs[tree.right[0]] == 5


# One tree, many ways ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("max_bins", [256, 2_000])
def test_same_bits_in_parallel_and_without_kept_histograms(weights, max_bins, monkeypatch):
    monkeypatch.setattr(partition, "_PARALLEL_FROM", 200)
    monkeypatch.setattr(partition, "_GATHER_FROM", 100)
    rng = np.random.default_rng(1)
    X = rng.random((1_500, 7)).astype(np.float32)
    weight = {"none": None, "any": rng.random(1_500), "whole": rng.integers(0, 9, 1_500) / 4}[weights]
    whole = whole_weights(weight) if weights == "whole" else None
    pull = X[:, 0] - X[:, 1] * X[:, 2] + rng.normal(0, 0.1, 1_500)
    trees = []
    for keep in (True, False):
        for twins in (threads.serial_only, threads.parallel_always):
            with twins():
                binned = bin_features(X, max_bins)
                space = GrowingSpace(binned, 12, weight is not None, keep, whole=whole)
                grower = TreeGrower(space, pull, weight, 4).grow()
                sums = grower.leaf_sums(pull, weight)
                scores = np.zeros(1_500)
                grower.add_to(sums[:, 0], scores)
                trees.append((grower.tree(sums[:, 0]), scores))
    assert (space.bins.dtype == np.uint8) == (max_bins == 256)
    assert trees[0][0].n_leaves == 12
    for tree, scores in trees[1:]:
        assert same_tree(tree, trees[0][0]) and np.array_equal(scores, trees[0][1])


@pytest.mark.parametrize("seed", range(20))
def test_whole_weights_hold_no_counts_and_leaves_hold_as_many_documents_as_they_must(seed):
    """Documents that weigh little and much: what a side weighs does not say how many are there."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 30, (90, 5)).astype(np.float32)
    weight = np.where(rng.random(90) < 0.5, rng.integers(0, 3, 90), 40) * 0.1
    pull = weight * (
        rng.normal(0, 0.3, 90) + np.where(X[:, 0] > 26, 2.0, 0.0) - np.where(X[:, 1] < 3, 2.0, 0.0)
    )
    assert whole_weights(weight).ends == (0, 40)
    for keep in (True, False):
        _, tree = grown(X, pull, weight, 8, 7, keep)
        todo, seen = [(0, naive.grow_tree(X, pull, weight, 8, 7))], 0
        while todo:
            node, ref = todo.pop()
            seen += 1
            assert tree.n_docs[node] == len(ref["rows"]) >= 7
            if "left" in ref:
                assert (tree.feature[node], tree.threshold[node]) == (ref["feature"], ref["threshold"])
                todo += [(tree.left[node], ref["left"]), (tree.right[node], ref["right"])]
        assert seen == tree.n_nodes > 4


def test_which_weights_are_whole():
    assert whole_weights(0.3 * np.arange(50) + 0.7).numbers.tolist() == [7 + 3 * i for i in range(50)]
    assert whole_weights(np.array([2.0, 0.0, 5.0])).numbers.tolist() == [2, 0, 5]
    assert whole_weights(np.arange(9.0) / 4).unit == 0.25
    assert whole_weights(np.array([1.0, np.pi])) is None
    far = np.ones(100)
    far[-1] = 1.0 + 1e-9
    assert whole_weights(far) is None, "not only the first are looked at"
    assert whole_weights(np.array([1.0, 2.0**54])) is None
    assert whole_weights(np.full(1_000, 2.0**20)).total == 1_000 << 20


def test_whole_weights_serve_where_pulls_are_fine_and_sides_rarely_have_to_be_counted():
    even = whole_weights(np.full(1_000, 2.0**20))  # 30 bits of all, and 10 of documents
    assert even.serve(10, 400), "a side's weight says how many documents there are"
    assert not whole_weights(np.full(1_000, 2.0**24)).serve(10, 1)
    assert not whole_weights(np.zeros(9)).serve(2, 1)
    uneven = whole_weights(np.r_[np.full(9_999, 2.0), 3.0])
    assert uneven.serve(10, 13) and not uneven.serve(10, 14) and not uneven.serve(11, 13)
    light = np.r_[1.0, np.full(999, 2.0**20)]  # of whose pull a document of mean weight would leave 22 bits
    assert not whole_weights(light).serve(2, 1) and whole_weights(light[1:]).serve(2, 1)
    assert whole_weights(np.r_[0.0, light[1:]]).serve(2, 1), "what weighs nothing pulls nothing"


def test_very_many_bins_are_not_kept():
    values = np.arange(70_000, dtype=np.float32)[:, None]
    assert not GrowingSpace(bin_features(np.tile(values, 12), 65_536), 64, False).keeps
    assert GrowingSpace(bin_features(values, 256), 64, False).keeps


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.booleans(),
    st.floats(1e-200, 1e200, allow_subnormal=False),
)
def test_packing_keeps_sums_counts_and_signs(values, weighted, unit):
    pull = np.array(values) * unit
    weight = np.abs(pull) if weighted else None
    out = np.empty((len(pull), 1 + weighted), np.int64)
    packing = pack(pull, weight, out)
    mask = (1 << packing.shift) - 1
    total = out.sum(axis=0)
    counted = total[-1]
    quanta = total[0] if weighted else total[0] >> packing.shift
    size = np.abs(pull).sum() + 1e-250  # what is smaller counts as nothing
    assert counted & mask == len(pull)
    assert abs(quanta / packing.pull_scale - pull.sum()) <= 1e-10 * size
    assert abs(int(quanta)) <= 2**53
    if weighted:
        assert abs((counted >> packing.shift) / packing.weight_scale - weight.sum()) <= 1e-10 * size
    mirrored = np.empty_like(out)
    pack(-pull, weight, mirrored)
    single = (out[:, 0], mirrored[:, 0]) if weighted else (out >> packing.shift, mirrored >> packing.shift)
    assert np.array_equal(single[0], -single[1])


# Forests ----------------------------------------------------------------------------------------------------


def forest_of(n_outputs: int):
    """A forest of trees on different pulls of the same documents."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 30, (150, 4)).astype(np.float32)
    trees = [grown(X, rng.normal(0, 1, 150) + X[:, t % 4], None)[1] for t in range(6)]
    return X, trees, Forest.of(trees, n_outputs)


@pytest.mark.parametrize("n_outputs", [1, 2, 3])
def test_forest_predicts_what_its_trees_say(n_outputs):
    X, trees, forest = forest_of(n_outputs)
    new = np.random.default_rng(3).uniform(-2, 32, (40, 4)).astype(np.float32)
    out = np.zeros((n_outputs, 40))
    forest.add(new, 0, forest.n_rounds, out)
    expected_scores = np.zeros((n_outputs, 40))
    for t, tree in enumerate(trees):
        expected_scores[t % n_outputs] += [tree.value[follow(tree, 0, x)] for x in new]
    assert np.array_equal(out, expected_scores)
    with threads.parallel_always():
        again = np.zeros((n_outputs, 40))
        forest.add(new, 0, forest.n_rounds, again)
        assert np.array_equal(again, out)
    staged = [h.copy() for h in forest.staged(new, np.zeros((n_outputs, 40)))]
    assert len(staged) == forest.n_rounds + 1 and np.array_equal(staged[-1], out)


def test_binned_documents_take_the_same_paths():
    X, trees, forest = forest_of(1)
    new = np.random.default_rng(4).uniform(-2, 32, (90, 4)).astype(np.float32)
    bins = bin_features(X).transform(new)
    for twins in (threads.serial_only, threads.parallel_always):
        binned, plain = np.zeros(90), np.zeros((1, 90))
        with twins():
            for tree in trees:
                add_binned(tree, bins, binned)
        forest.add(new, 0, 6, plain)
        assert np.array_equal(binned, plain[0])


def test_inner_nodes_expect_the_mean_of_their_documents():
    X, trees, _ = forest_of(1)
    for tree in trees:
        for node in range(tree.n_nodes):
            inside = [i for i in range(len(X)) if passes(tree, X[i], node)]
            assert len(inside) == tree.n_docs[node]
            mean = np.mean([tree.value[follow(tree, 0, X[i])] for i in inside])
            assert tree.value[node] == pytest.approx(mean)


def passes(tree, x, wanted) -> bool:
    node = 0
    while node != wanted and tree.feature[node] >= 0:
        above = x[tree.feature[node]] > tree.threshold[node]
        node = tree.right[node] if above else tree.left[node]
    return node == wanted


@pytest.mark.parametrize("twins", [threads.serial_only, threads.parallel_always])
def test_contributions_follow_the_path(twins):
    X, trees, forest = forest_of(2)
    with twins():
        parts = contributions(forest, X)
    reference = np.zeros_like(parts)
    for t, tree in enumerate(trees):
        for i, x in enumerate(X):
            node = 0
            while tree.feature[node] >= 0:
                k = tree.feature[node]
                child = tree.right[node] if x[k] > tree.threshold[node] else tree.left[node]
                reference[t % 2, i, k] += tree.value[child] - tree.value[node]
                node = child
    assert np.array_equal(parts, reference)
    out = np.zeros((2, len(X)))
    forest.add(X, 0, 3, out)
    np.testing.assert_allclose(parts.sum(axis=2) + expected(forest)[:, None], out, atol=1e-12)


def test_importances_are_shares_of_the_gain():
    X, trees, forest = forest_of(1)
    gains = np.zeros(4)
    for tree in trees:
        for k, gain in zip(tree.feature, tree.gain, strict=True):
            gains[k] += gain if k >= 0 else 0
    np.testing.assert_allclose(forest.importances(4), gains / gains.sum())
    assert not Forest.of([]).importances(4).any()


def test_text_has_a_line_for_each_node():
    _, trees, forest = forest_of(1)
    lines = tree_text(forest, 2, ["a", "b", "c", "d"]).splitlines()
    assert len(lines) == trees[2].n_nodes
    name = "abcd"[trees[2].feature[0]]
    assert lines[0] == f"{name} ≤ {trees[2].threshold[0]:.6g}   150 documents, gain {trees[2].gain[0]:.3g}"
    leaf = follow(trees[2], 0, np.full(4, -np.inf))
    first = next(line for line in lines if "yes: " in line and " ≤ " not in line)
    assert first.lstrip("│├└ ").startswith(f"yes: {trees[2].value[leaf]:+.4g}   {trees[2].n_docs[leaf]} ")


def test_a_file_cannot_make_a_walk_endless():
    _, _, forest = forest_of(2)
    good = {name: np.asarray(part).tolist() for name, part in forest.state().items()}

    def read(**changes):
        return Forest.from_state(State({**good, **changes}, "m.json"), 4, 2, 3)

    assert np.array_equal(read().left, forest.left)
    inner = next(i for i, k in enumerate(good["feature"]) if k >= 0)
    behind_end = [*good["right"][:inner], len(good["right"]) - 1, *good["right"][inner + 1 :]]
    for wrong in (
        {"left": [0] * len(good["left"])},
        {"right": behind_end},
        {"feature": [4] * len(good["feature"])},
        {"roots": good["roots"][:-1]},
        {"roots": good["roots"][::-1]},
        {"roots": [0] * len(good["roots"])},
        {"value": good["value"][:-1]},
    ):
        with pytest.raises(ltr.DataError, match="m.json"):
            read(**wrong)


@pytest.mark.parametrize("name", ["GBT", "McRank"])
def test_all_nodes_as_a_table_predict_as_the_model(name):
    data = ltr.datasets.make("cubic", n_queries=10, n_docs=8, n_features=4, n_grades=3)
    model = ltr.ALGORITHMS[name](n_trees=3, min_leaf=1).fit(data)
    table = model.to_frame()
    outputs = np.repeat(model.start_[:, None], data.n_docs, axis=1)
    for (_, output), nodes in table.groupby(["tree", "output"]):
        nodes = nodes.set_index("node")
        for i, row in enumerate(data.X.astype(float)):
            node = 0
            while nodes.loc[node, "left"] >= 0:
                above = (
                    row[model.feature_names_.index(nodes.loc[node, "feature"])] > nodes.loc[node, "threshold"]
                )
                node = nodes.loc[node, "right" if above else "left"]
            assert nodes.loc[node, ["feature", "threshold"]].isna().all()
            outputs[output, i] += nodes.loc[node, "value"]
    np.testing.assert_allclose(model._ranking_scores(outputs), model.predict(data), rtol=1e-12)
    assert table["round"].tolist() == (table["tree"] // model.n_outputs_ + 1).tolist()


def test_a_tree_for_graphviz_has_the_nodes_and_arrows_of_its_text():
    data = ltr.datasets.make("cubic", n_queries=10, n_docs=8, n_features=2)
    model = ltr.GBT(n_trees=2, n_leaves=4, min_leaf=1).fit(data.with_names(['a "b"', "c"]))
    dot, nodes = model.to_dot(1), model.to_frame().query("tree == 1")
    assert dot.startswith("digraph tree_1 {") and dot.endswith("}\n")
    assert dot.count("[label=") - dot.count("->") == len(nodes)
    arrows = {tuple(map(int, pair)) for pair in re.findall(r"n(\d+) -> n(\d+)", dot)}
    assert arrows == {(n, c) for n, *both in nodes[["node", "left", "right"]].values for c in both if c >= 0}
    assert '\\"b\\"' in dot or "c ≤" in dot
    with pytest.raises(ltr.ParameterError, match="no tree 2"):
        model.to_dot(2)
