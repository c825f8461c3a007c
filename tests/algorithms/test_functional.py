"""The general boosting method with risks of a user's own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

import ltr_core as ltr
from ltr_core.algorithms.trees.functional import RISKS
from tests import naive
from tests.algorithms.test_gbt import graded


def squared(scores, y):
    difference = scores - y
    value = 0.5 * np.mean(difference**2)
    slope = difference / len(y)
    bound = np.full(len(y), 1 / len(y))
    return value, slope, bound


SHAPE = dict(n_trees=25, n_leaves=7, learning_rate=0.2, min_leaf=4)


def test_a_risk_of_ten_lines_is_gbt():
    train, test = graded(0, 200), graded(1, 80)
    gbt = ltr.GBT(target="grade", **SHAPE).fit(train, eval_set={"test": test})
    for line_search in (True, False):
        model = ltr.FunctionalBoosting(risk=squared, start="mean", line_search=line_search, **SHAPE)
        model.fit(train, eval_set={"test": test})
        for a, b in zip(model.staged_predict(test), gbt.staged_predict(test), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10)
        losses = (m.history_.query("measure == 'loss'")["value"].to_numpy() for m in (model, gbt))
        np.testing.assert_allclose(2 * next(losses), next(losses), rtol=1e-10)


def test_the_example_of_the_docstring_runs():
    text = ltr.FunctionalBoosting.__module__
    source = __import__(text, fromlist=["x"]).__doc__.split("GBT in ten lines:")[1].split("Theorem 1")[0]
    names = {"np": np, "ltr": ltr, "train": graded(2, 150)}
    exec(__import__("textwrap").dedent(source), names)
    np.testing.assert_allclose(names["model"].predict(names["train"]), names["same"].predict(names["train"]))


def test_weighted_risk_equals_the_oracle_tree_by_tree():
    """A pairwise logistic risk, its bound ½ for each pair that a document is in, without line search."""
    data = graded(3, 80)
    pairs = naive.preferences(data.y, data.qid, 1.0)

    def logistic(scores, data):
        value, slope, bound = 0.0, np.zeros(len(scores)), np.zeros(len(scores))
        for i, j, _ in pairs:
            wrong = 1 / (1 + np.exp(scores[i] - scores[j]))
            value -= np.log(1 - wrong)
            slope[i] -= wrong
            slope[j] += wrong
            bound[[i, j]] += 0.5
        return value, slope, bound

    model = ltr.FunctionalBoosting(
        risk=logistic, line_search=False, n_trees=5, n_leaves=5, learning_rate=0.5, min_leaf=3
    )
    model.fit(data, measures=())
    h = np.zeros(data.n_docs)
    for stage in list(model.staged_predict(data))[1:]:
        _, slope, bound = logistic(h, data)
        tree = naive.grow_tree(data.X, -slope, bound, 5, 3)
        for leaf in naive.tree_leaves(tree):
            leaf["value"] = 0.5 * sum(-slope[i] for i in leaf["rows"]) / sum(bound[i] for i in leaf["rows"])
        h = h + [naive.tree_predict(tree, x.astype(float)) for x in data.X]
        np.testing.assert_allclose(stage, h, rtol=1e-9, atol=1e-12)
    assert (np.diff(model.history_["value"]) < 0).all()


@pytest.mark.parametrize("name", RISKS)
def test_named_risks_have_their_slope_and_are_bounded(name):
    data = graded(4, 60)
    given = {"squared": (), "huber": (), "softmax": (data.offsets,)}[name]
    rng = np.random.default_rng(0)
    h = rng.normal(0, 1.5, data.n_docs)
    value, slope, bound = RISKS[name](h, data.y, *given)
    for i in range(0, data.n_docs, 7):
        step = np.zeros(data.n_docs)
        step[i] = 1e-5
        higher, lower = (RISKS[name](h + s * step, data.y, *given)[0] for s in (1, -1))
        assert (higher - lower) / 2e-5 == pytest.approx(slope[i], rel=1e-5, abs=1e-9)
    for _ in range(20):
        g = 1e-3 * rng.normal(0, 1, data.n_docs)
        assert RISKS[name](h + g, data.y, *given)[0] <= value + slope @ g + 0.5 * (bound * g * g).sum() * 1.01


@pytest.mark.parametrize("name", RISKS)
def test_line_search_leaves_no_slope_along_the_tree(name):
    data = graded(5, 150)
    model = ltr.FunctionalBoosting(risk=name, n_trees=1, learning_rate=1.0).fit(data, measures=())
    start, end = model.staged_predict(data)
    given = (data.y, data.offsets) if name == "softmax" else (data.y,)
    before, after = (abs(RISKS[name](h, *given)[1] @ (end - start)) for h in (start, end))
    assert after <= 1e-9 * before


def test_a_risk_gets_what_it_names_and_nothing_else():
    data = graded(6, 80)
    seen = {}

    def risk(h, *, qid, X, data, offsets, y, weight=3.0):
        seen.update(qid=qid, X=X, data=data, offsets=offsets, y=y)
        return squared(h, y)

    ltr.FunctionalBoosting(risk=risk, n_trees=2).fit(data)
    assert seen["data"] is data and all(seen[n] is getattr(data, n) for n in ("qid", "X", "offsets", "y"))
    with pytest.raises(ltr.ParameterError, match="'labels'"):
        ltr.FunctionalBoosting(risk=lambda h, labels: 0).fit(data)

    class Huge:
        def __call__(self, scores, y):
            return squared(scores, 2 * y)

    assert ltr.FunctionalBoosting(risk=Huge(), n_trees=2).fit(data).n_iter_ == 2


@pytest.mark.parametrize(
    "returned, words",
    [
        ((1.0, np.ones(3), 1.0), "shape"),
        ((1.0, 2.0), "returns"),
        ((np.nan, np.ones(50), 1.0), "finite"),
        ((1.0, np.full(50, np.inf), 1.0), "finite"),
        ((1.0, np.ones(50), 0.0), "bound"),
        ((1.0, np.ones(50), -np.ones(50)), "bound"),
        ((1.0, np.ones(50), np.ones((50, 50))), "shape"),
        (None, "returns"),
    ],
)
def test_unusable_risks_are_refused(returned, words):
    with pytest.raises(ltr.ParameterError, match=words):
        ltr.FunctionalBoosting(risk=lambda h, y: returned).fit(graded(7, 50))


def test_a_saved_model_predicts_and_asks_for_its_risk(tmp_path):
    data = graded(8, 100)
    model = ltr.FunctionalBoosting(risk=squared, n_trees=5).fit(data)
    assert clone(model).risk is squared
    model.save(tmp_path / "m.json")
    loaded = ltr.load_model(tmp_path / "m.json")
    assert np.array_equal(loaded.predict(data), model.predict(data))
    with pytest.raises(ltr.ParameterError, match=r"set_params\(risk=…\)"):
        loaded.fit(data)
    again = loaded.set_params(risk=squared).fit(data)
    assert np.array_equal(again.predict(data), model.predict(data))
    with pytest.raises(ltr.ParameterError, match="risk = 'cubed'.*or a function"):
        ltr.FunctionalBoosting(risk="cubed").fit(data)


def stepped(data, s, n_trees, n_leaves, min_leaf):
    """Theorem 1's method on half the mean squared difference from the grades: scores after each round."""
    h, stages = np.zeros(data.n_docs), [np.zeros(data.n_docs)]
    n = data.n_docs
    for _ in range(n_trees):
        pull = data.y - h
        tree = naive.grow_tree(data.X, pull / n, np.full(n, 1 / n), n_leaves, min_leaf)
        for leaf in naive.tree_leaves(tree):
            leaf["value"] = sum(pull[i] for i in leaf["rows"]) / len(leaf["rows"])
        g = np.array([naive.tree_predict(tree, x.astype(float)) for x in data.X])
        moved = h + s * s * g / np.sqrt(np.mean(g**2))
        if np.mean((data.y - moved) ** 2) > np.mean((data.y - h) ** 2):
            break
        h = moved
        stages.append(h)
    return stages


def test_fixed_steps_equal_the_oracle_and_end_where_they_would_rise():
    data = graded(5, 90)
    shape = dict(n_leaves=4, min_leaf=4)
    model = ltr.FunctionalBoosting(fixed_step=0.7, n_trees=12, learning_rate=0.05, **shape).fit(data)
    stages = stepped(data, 0.7, 12, 4, 4)
    np.testing.assert_allclose(list(model.staged_predict(data)), stages, rtol=1e-9, atol=1e-12)
    assert model.n_iter_ == len(stages) - 1 < 12 and model.stopped_ == "no gain"


def test_both_sides_of_theorem_1():
    data, s = graded(6, 150), 0.3
    shape = dict(n_leaves=8, min_leaf=3)
    model = ltr.FunctionalBoosting(fixed_step=s, n_trees=80, **shape).fit(data, measures=())
    target = ltr.FunctionalBoosting(n_trees=60, learning_rate=0.3, **shape).fit(data, measures=())
    sides = model.theorem_1(data, target)
    risks = model.history_.query("measure == 'loss'")["value"]
    np.testing.assert_allclose(sides["risk"], risks, rtol=1e-9)
    assert (np.diff(sides["risk"]) <= 0).all()
    stages = list(target.staged_predict(data))
    norm = sum(np.sqrt(np.mean((b - a) ** 2)) for a, b in zip(stages[:-1], stages[1:], strict=True))
    wanted = 0.5 * np.mean((data.y - stages[-1]) ** 2)
    gap = risks.iloc[0] - wanted
    for k in (0, 1, 5, len(sides) - 2):  # R(h_{k+1}), with b as sums of s⁴ and a_j = (j + 1) s²
        length = norm + (k + 1) * s**2
        least = min((j + 1) * s**4 * (norm + (j + 1) * s**2) / length + (k - j) * s**4 for j in range(k + 1))
        right = wanted + norm / length * gap + least
        assert sides["bound"][k + 1] == pytest.approx(right, rel=1e-9)
        assert sides["risk"][k + 1] <= right
    limit = wanted + 2 * s * np.sqrt(gap * norm) + s**4
    late = sides.dropna()
    assert (late["iteration"] > np.sqrt(norm * gap) / s**3).all() and (late["limit"] == limit).all()
    with pytest.raises(ltr.ParameterError, match="Train with fixed_step"):
        target.theorem_1(data, target)
