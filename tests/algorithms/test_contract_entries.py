"""What every measure, distance, loss and data set of the registries promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.datasets import DATASETS

measures = pytest.mark.parametrize("name", ltr.MEASURES)
BY_SIZE_OF_SCORES = {"precision_percent"}  # ranks pairs by |Δ|: more than the order of the scores counts
WHOLE_RANGE = {"dcg": (0, math.inf), "tau": (-1, 1)}

queries = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-3, 3)), min_size=1, max_size=7), min_size=1, max_size=4
)


def arrays(lists):
    """Return grades, scores and query ids of a list of queries of (grade, score)."""
    rows = [(grade, score, q) for q, documents in enumerate(lists) for grade, score in documents]
    y, scores, qid = map(np.array, zip(*rows, strict=True))
    return y.astype(float), scores.astype(float), qid


def value(name, y, scores, qid):
    """Return the measure's value of each query, and of the whole set."""
    data = ltr.RankingData(scores[:, None], y, qid)
    bound = ltr.measure(name).bind(data.y, data.offsets)
    return np.r_[bound.per_query(scores[data.order]), bound.mean(scores[data.order])]


@pytest.mark.parametrize(
    "registry",
    [ltr.MEASURES, ltr.DISTANCES, ltr.LOSSES, DATASETS],
    ids=["measure", "distance", "loss", "set"],
)
def test_entries_say_what_they_are(registry):
    assert registry
    for name, entry in registry.items():
        words = getattr(entry, "summary", "") or entry.description
        assert entry.label and words.endswith(".") and len(words) < 200, name
        for param in getattr(entry, "params", ()):
            assert param.help.endswith("."), f"{name}.{param.name}"
            assert param.check(param.default) == param.default


@measures
@settings(max_examples=30, deadline=None)
@given(lists=queries)
def test_measures_stay_in_range(name, lists):
    low, high = WHOLE_RANGE.get(name, (0, 1))
    found = value(name, *arrays(lists))
    assert ((found >= low - 1e-12) & (found <= high + 1e-12) | np.isnan(found)).all()


@measures
@settings(max_examples=30, deadline=None)
@given(lists=queries, seed=st.integers(0, 100))
def test_measures_see_neither_the_order_of_rows_nor_the_scale_of_scores(name, lists, seed):
    y, scores, qid = arrays(lists)
    before = value(name, y, scores, qid)
    if name not in BY_SIZE_OF_SCORES:
        np.testing.assert_allclose(value(name, y, np.exp(scores) - 5, qid), before, atol=1e-12)
    shuffled = np.random.default_rng(seed).permutation(len(y))
    after = value(name, y[shuffled], scores[shuffled], qid[shuffled])
    _, first = np.unique(qid[shuffled], return_index=True)
    place = np.argsort(np.argsort(first))  # queries stand in the order of their first row
    np.testing.assert_allclose(np.r_[after[:-1][place], after[-1]], before, atol=1e-12)


@measures
def test_measures_prefer_the_right_order(name):
    y, qid = np.array([3.0, 2, 1, 0, 0, 1, 0]), np.array([1, 1, 1, 1, 2, 2, 2])
    short = f"{name}@1" if name in ("p", "recall") else name  # ten documents are all of them, in any order
    good, bad = value(short, y, y, qid)[-1], value(short, y, -y, qid)[-1]
    assert good > bad if ltr.MEASURES[name].higher_is_better else good < bad


@measures
def test_measures_take_one_document_and_equal_grades(name):
    y = np.array([1.0, 0, 0, 2, 2])
    found = value(name, y, np.array([1.0, 2, 1, 3, 1]), np.array([1, 2, 2, 3, 3]))
    assert len(found) == 4 and not np.isinf(found).any()


@pytest.mark.parametrize("name", [name for name in ltr.DISTANCES if name != "table"])
def test_distances_are_directed_and_grow(name):
    t = np.linspace(0.1, 4, 40)
    plus, minus = ltr.distance(name, t), ltr.distance(name, -t)
    assert (plus > 0).all() and np.array_equal(plus, -minus)
    assert ltr.distance(name, np.zeros(1))[0] == 0
    steps = np.diff(plus)
    assert (steps == 0).all() if name == "binary" else (steps > 0).all()


@pytest.mark.parametrize("p_star", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("name", ltr.LOSSES)
def test_slopes_and_curvatures_are_derivatives(name, p_star):
    loss = ltr.LOSSES[name]
    margin = np.linspace(-3, 3, 61) + 0.0123  # off the kinks
    step = 1e-5
    for derivative, function in ((loss.slope, loss), (loss.curvature, loss.slope)):
        found = (function(margin + step, p_star=p_star) - function(margin - step, p_star=p_star)) / (2 * step)
        np.testing.assert_allclose(derivative(margin, p_star=p_star), found, atol=1e-7, rtol=1e-6)


@pytest.mark.parametrize("name", ltr.LOSSES)
def test_losses_hold_for_any_margin(name):
    margin = np.array([-700.0, -40, 0, 40, 700])
    loss = ltr.LOSSES[name]
    for values in (loss(margin), loss.slope(margin), loss.curvature(margin)):
        assert np.isfinite(values).all()
    assert (loss(margin) >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", DATASETS)
def test_data_sets_can_be_trained_on(name):
    """At the smallest size that a form offers."""
    small = {p.name: max(int(p.low), 6) for p in DATASETS[name].params if p.name in ("n_queries", "n_docs")}
    data = ltr.datasets.make(name, seed=1, **small)
    again = ltr.datasets.make(name, seed=1, **small)
    assert data.fingerprint == again.fingerprint and data.name
    parts = ltr.split(data, DATASETS[name].split, seed=0)
    assert sum(part.n_queries for part in parts) == data.n_queries and min(part.n_queries for part in parts)
    assert np.isfinite(ltr.MPBoost(n_rounds=2).fit(data).predict(data)).all()
