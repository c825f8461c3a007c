"""QBRank against an oracle that lists every pair; its two ends; its line search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.engines.boosting.line_search import only_minimum, smallest_minimum
from ltr_core.engines.boosting.preferences import Labels, Preferences, in_one_grade
from tests import naive
from tests.algorithms.test_gbt import graded

SHAPE = dict(n_trees=6, n_leaves=6, learning_rate=0.3, min_leaf=3)


def mixed(seed: int, n: int = 90) -> ltr.RankingData:
    """Graded data in which some queries have a single grade."""
    data = graded(seed, n)
    y = data.y.copy()
    for q in range(0, data.n_queries, 3):
        y[data.offsets[q] : data.offsets[q + 1]] = q % 4
    return ltr.RankingData(data.X, y, data.qid)


@pytest.mark.parametrize(
    "w, margin, labelled, line_search",
    [
        (0.5, "grade", "all", True),
        (0.5, "grade", "single", True),
        (0.3, 1.0, "all", True),
        (0.8, 0.25, "single", False),
        (1.0, "grade", "all", True),
        (1.0, 2.0, "single", False),
        (0.0, "grade", "all", True),
        (0.0, "grade", "single", False),
    ],
)
def test_equals_the_oracle(w, margin, labelled, line_search):
    train, test = mixed(0), mixed(1, 40)
    given_ = dict(preference_weight=w, margin=margin, labelled=labelled, line_search=line_search)
    stages, losses = naive.qbrank(train.X, train.y, train.qid, test.X, **given_, **SHAPE)
    model = ltr.QBRank(**given_, **SHAPE).fit(train, measures=())
    assert model.n_iter_ == len(stages) - 1 == 6
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.history_["value"] * train.n_docs, losses, rtol=1e-9)


def test_without_preferences_it_is_gbt():
    train, test = graded(2, 400), graded(3, 100)
    gbt = ltr.GBT(target="grade", n_trees=40, n_leaves=12, learning_rate=0.1).fit(train, measures=())
    same = dict(preference_weight=0.0, n_trees=40, n_leaves=12, learning_rate=0.1)
    model = ltr.QBRank(start="mean", **same).fit(train, measures=())
    for a, b in zip(model.staged_predict(test), gbt.staged_predict(test), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    # From 0 the same trees are found, and what is left of the mean shrinks by the learning rate.
    model = ltr.QBRank(**same).fit(train, measures=())
    stages = zip(model.staged_predict(test), gbt.staged_predict(test), strict=True)
    for m, (a, b) in enumerate(stages):
        np.testing.assert_allclose(a, b - train.y.mean() * 0.9**m, rtol=1e-9, atol=1e-9)


def test_preferences_alone_look_at_nothing_but_order():
    data = mixed(4, 200)
    model = ltr.QBRank(preference_weight=1.0, margin=1.0, n_trees=10).fit(data)
    shifted = ltr.RankingData(data.X, data.y + 3.0, data.qid)
    assert np.array_equal(ltr.QBRank(**model.get_params()).fit(shifted).predict(data), model.predict(data))


def test_risk_falls_and_the_line_search_takes_it_further():
    data = mixed(5, 300)
    losses = {}
    for line_search in (True, False):
        model = ltr.QBRank(line_search=line_search, n_trees=30, learning_rate=1.0).fit(data, measures=())
        losses[line_search] = model.history_["value"].to_numpy()
        assert (np.diff(losses[line_search]) <= 1e-12).all()
    assert losses[True][1] < losses[False][1]


def test_nothing_to_learn_from_is_said():
    X, qid = np.arange(12.0)[:, None], np.repeat([0, 1], 6)
    with pytest.raises(ltr.DataError, match="preference_weight"):
        ltr.QBRank(preference_weight=1.0).fit(X, np.ones(12), qid=qid)
    with pytest.raises(ltr.DataError, match="labelled"):
        ltr.QBRank(preference_weight=0.0, labelled="single").fit(X, np.arange(12) % 3, qid=qid)
    assert ltr.QBRank(min_leaf=1).fit(X, np.repeat([0, 2], 6), qid=qid).stopped_ == "rounds"


@pytest.mark.parametrize("margin", [-1.0, np.nan, True, None, "far", 1e9])
def test_margins_that_mean_nothing_are_refused(margin):
    with pytest.raises(ltr.ParameterError, match="margin"):
        ltr.QBRank(margin=margin).fit(mixed(0))
    assert ltr.QBRank(margin=2).fit(mixed(0)).n_iter_ == 100


# Pairs without listing them ---------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 40) | st.just(300),  # beyond 64 to a query runs are merged
    st.integers(1, 6),
    st.sampled_from(["grade", 0.0, 0.75, 30.0]),
)
def test_pulls_values_and_bends_equal_sums_over_pairs(seed, n, levels, margin):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, levels, n).astype(float) if levels < 6 else np.round(rng.random(n) * 64) / 16
    data = ltr.RankingData(np.zeros((n, 1)), y, rng.integers(0, 3, n))
    h = np.round(rng.normal(0, 1.5, n) * 8) / 8  # exact in floats, and with ties
    g = rng.integers(-2, 3, n) * 0.5
    pairs = naive.preferences(data.y, data.qid, margin)
    violations = [(i, j, max(0.0, h[j] - h[i] + tau)) for i, j, tau in pairs]
    pull, in_pairs = np.zeros(n), np.zeros(n, int)
    for i, j, v in violations:
        pull[i] += v
        pull[j] -= v
        in_pairs[[i, j]] += 1
    preferences = Preferences(data, margin)
    out = np.empty(n)
    for _ in range(2):  # the second time from the order that the first one left
        value = preferences.pull(h, out)
        np.testing.assert_allclose(out, pull, atol=1e-10)
        assert value == pytest.approx(sum(v * v for *_, v in violations), abs=1e-9)
        slope, bend = preferences.bends(h, g)(0.0)
        assert preferences.bends(h - 0.5 * g, g)(0.5) == pytest.approx((slope, bend), abs=1e-9)
        assert slope == pytest.approx(sum(v * (g[j] - g[i]) for i, j, v in violations), abs=1e-9)
        assert bend == pytest.approx(sum((g[j] - g[i]) ** 2 for i, j, v in violations if v > 1e-12), abs=1e-9)
        h = h[::-1] + 0.0
        pairs_again = [(i, j, max(0.0, h[j] - h[i] + tau)) for i, j, tau in pairs]
        violations, pull = pairs_again, np.zeros(n)
        for i, j, v in violations:
            pull[i] += v
            pull[j] -= v
    assert np.array_equal(preferences.n_pairs_of, in_pairs)


# The line search --------------------------------------------------------------------------------------------


PLACES = st.just(0.0) | st.floats(1e-100, 5)  # below, slopes times 1e-13 are no numbers any more


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.01, 10), PLACES), min_size=1, max_size=8),
    st.lists(st.tuples(st.floats(0.01, 10), PLACES), max_size=8),
    st.booleans(),
)
def test_finds_where_the_slope_turns(rising, falling, second):
    """Σ a max(0, c - s)² falls, Σ a max(0, s - c)² rises: the least s with slope 0 lies between."""

    def derivatives(s):
        slope = sum(a * max(0.0, s - c) for a, c in rising) - sum(a * max(0.0, c - s) for a, c in falling)
        bend = sum(a for a, c in rising if s >= c) + sum(a for a, c in falling if s < c)
        return slope, (bend if second else None)

    first = derivatives(0.0)[0]
    found = smallest_minimum(derivatives)
    if first >= 0:
        assert found == 0.0
        return
    assert abs(derivatives(found)[0]) <= 1e-9 * abs(first)
    before = found * (1 - 1e-6) - 1e-9
    assert (
        derivatives(before)[0] < 0 or before < 0 or not second or derivatives(before)[0] > -1e-9 * abs(first)
    )


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.01, 10), st.floats(-3, 5)), min_size=1, max_size=8),
    st.floats(0.01, 2.0),
    st.floats(-2.0, 4.0),
)
def test_from_a_guess_the_same_minimum_is_found(hinges, a, b):
    """Σ a max(0, s - c)² and a (s - b)² beside them, which leaves one minimum, also where that is below 0."""

    def derivatives(s):
        slope = sum(w * max(0.0, s - c) for w, c in hinges) + a * (s - b)
        return slope, sum(w for w, c in hinges if s >= c) + a

    assert only_minimum(derivatives) == pytest.approx(smallest_minimum(derivatives), rel=1e-12, abs=1e-12)


def test_near_its_guess_a_minimum_is_found_in_few_looks():
    def looks(search):
        calls = []

        def derivatives(s):
            calls.append(s)
            places = np.arange(0.005, 3.0, 0.01)
            return float((0.01 * np.maximum(0.0, s - places)).sum() + 2.0 * (s - 1.3)), float(
                0.01 * (s >= places).sum() + 2.0
            )

        return search(derivatives), len(calls)

    (near, few), (found, more) = looks(only_minimum), looks(smallest_minimum)
    assert near == pytest.approx(found, rel=1e-13) and few < more


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.0, 1.0), st.sampled_from(["grade", 0.5]), st.integers(2, 30))
def test_the_risk_of_pairs_and_labels_falls_along_its_pull(seed, weight, margin, n):
    """Its value, its pull and its derivatives along a line, against sums over pairs and labels."""
    rng = np.random.default_rng(seed)
    data = ltr.RankingData(np.zeros((n, 1)), rng.integers(0, 4, n).astype(float), rng.integers(0, 3, n))
    labels = Labels(data.y, (1.0 - weight) * in_one_grade(data))
    for q in range(data.n_queries):
        own = slice(data.offsets[q], data.offsets[q + 1])
        assert (in_one_grade(data)[own] == (len(set(data.y[own])) == 1)).all()
    h, g = rng.normal(0, 1.5, (2, n))
    preferences, pull = Preferences(data, margin, weight, labels), np.empty(n)
    pairs = naive.preferences(data.y, data.qid, margin)

    def risk(at):
        hinges = sum(max(0.0, at[j] - at[i] + tau) ** 2 for i, j, tau in pairs)
        return weight / 2 * hinges + 0.5 * float((labels.weight * (data.y - at) ** 2).sum())

    assert preferences.pull(h, pull) == pytest.approx(2 * risk(h), rel=1e-9, abs=1e-12)
    np.testing.assert_allclose(pull, -naive.finite_differences(risk, h), rtol=1e-5, atol=1e-5)
    bends = preferences.bends(h, g)
    for s in (0.0, 0.7):
        preferences.pull(h, pull)
        preferences.bends(h, g)
        slope, bend = bends(s)
        steps = naive.finite_differences(lambda t: risk(h + t[0] * g), np.array([s]))
        assert slope == pytest.approx(steps[0], rel=1e-5, abs=1e-5)
        violated = [(i, j) for i, j, tau in pairs if h[j] - h[i] + tau + s * (g[j] - g[i]) > 0]
        of_pairs = weight * sum((g[j] - g[i]) ** 2 for i, j in violated)
        assert bend == pytest.approx(of_pairs + float(labels.weight @ g**2), rel=1e-9, abs=1e-12)


def test_of_an_interval_of_minima_the_lower_end():
    calls = []

    def derivatives(s):
        calls.append(s)
        return -3.0 * max(0.0, 0.5 - s) - max(0.0, 2.0 - s), 3.0 * (s < 0.5) + 1.0 * (s < 2.0)

    assert smallest_minimum(derivatives) == pytest.approx(2.0, rel=1e-12)
    assert len(calls) < 12
    assert smallest_minimum(lambda s: (-1.0, 0.0)) == 1.0
