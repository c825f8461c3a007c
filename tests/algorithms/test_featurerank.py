"""FeatureRank: equal to the paper's definition, and what it promises beyond the contract."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.algorithms.features.featurerank import FeatureRank
from ltr_core.engines.hidden_order import WeakRanker, class_centers
from tests import naive


def _data(seed, n_queries=6, ties=False, grades=4, d=4):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 14, n_queries)
    qid = np.repeat(np.arange(n_queries), sizes)
    X = rng.integers(0, 6, (len(qid), d)) if ties else rng.normal(size=(len(qid), d))
    y = np.clip(np.round(np.abs(X[:, 0]) + rng.normal(0, 1, len(qid))), 0, grades - 1)
    y[:2] = [0, 1]
    return ltr.RankingData(X, y, np.r_[0, 0, qid[2:]] if len(qid) > 2 else [0, 0])


@pytest.mark.parametrize("center", ["normal", "prior", "middle", "posterior"])
@pytest.mark.parametrize("n_intervals", [2, 3, 8, 30])
def test_class_centers(center, n_intervals):
    for seed in range(4):
        data = _data(seed)
        for k in range(data.n_features):
            expected = naive.featurerank_centers(data.X[:, k], data.y, data.qid, n_intervals, center)
            found = class_centers(data, k, n_intervals, center)
            assert [None if np.isnan(c) else pytest.approx(c, abs=1e-12) for c in found] == expected


@pytest.mark.parametrize("center", ["prior", "middle", "posterior"])
def test_a_third_of_a_short_interval_averages_the_same_queries(center):
    """Lists of one to nine documents in three intervals: intervals of none to three documents."""
    qid = np.repeat(np.arange(1, 10), np.arange(1, 10))
    y = np.concatenate([np.arange(n)[::-1] for n in range(1, 10)])
    data = ltr.RankingData(np.ones((45, 1)), y, qid)  # a center is then 1 if every query has its share in it
    assert class_centers(data, 0, 3, center).tolist() == [1.0, 1.0, 1.0]
    pair = ltr.RankingData(np.array([[5.0], [2.0]]), [1, 0], [1, 1])
    assert np.isnan(class_centers(pair, 0, 3, center)).tolist() == [True, False, False]
    model = ltr.FeatureRank(n_intervals=30, center=center).fit(data)
    assert not np.isnan(model.centers_[0, -9:]).any()


centers = st.lists(
    st.one_of(st.none(), st.integers(-3, 3), st.floats(-3, 3, width=16)), min_size=2, max_size=7
)


@given(centers.filter(lambda c: any(v is not None for v in c)), st.integers(0, 10**6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_weak_ranker_is_the_papers(centers, seed, ties):
    data = _data(seed, n_queries=3, ties=ties)
    given_centers = np.array([np.nan if c is None else float(c) for c in centers])
    ranked = WeakRanker(1, given_centers).rank(data.X, data.offsets)
    expected = naive.featurerank_places(
        data.X[:, 1], data.qid, [None if c is None else float(c) for c in centers]
    )
    np.testing.assert_allclose(ranked, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "n_intervals, center", [(3, "normal"), (8, "normal"), (4, "prior"), (9, "posterior")]
)
def test_training_equals_the_oracle(seed, n_intervals, center):
    data = _data(seed, ties=seed % 2 == 1)
    if center == "posterior":  # its thirds need lists long enough to have documents
        data = _data(seed, n_queries=3, ties=seed % 2 == 1)
    rows = naive.rows_by_content(data.X, data.y, data.qid)
    data = ltr.RankingData(data.X[rows], data.y[rows], data.qid[rows])
    try:
        model = FeatureRank(n_intervals=n_intervals, center=center).fit(data)
    except ltr.DataError as error:
        assert "posterior" in str(error) and center == "posterior"
        return
    rounds = naive.featurerank(data.X, data.y, data.qid, n_intervals, center)
    stages = list(model.staged_predict(data))
    loss = model.history_.query("measure == 'loss'")["value"].to_numpy()
    concordance = model.history_.query("measure == 'concordance'")["value"].to_numpy()
    assert model.n_iter_ == len(rounds) == data.n_features
    for m, (_, beta, scores, T) in enumerate(rounds):
        assert model.betas_[m] == pytest.approx(beta, rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(stages[m + 1], scores, rtol=1e-9, atol=1e-12)
        assert loss[m + 1] == pytest.approx(T, abs=1e-12)
    np.testing.assert_allclose(concordance, 1 - loss)
    assert loss[0] == 0.5


def test_best_order_takes_the_features_that_agree_most_first():
    data = _data(3, n_queries=12, d=6)
    rows = naive.rows_by_content(data.X, data.y, data.qid)
    data = ltr.RankingData(data.X[rows], data.y[rows], data.qid[rows])
    model = FeatureRank(order="best", n_intervals=4).fit(data)
    T = []
    for k in range(data.n_features):
        h = naive.featurerank_places(
            data.X[:, k], data.qid, naive.featurerank_centers(data.X[:, k], data.y, data.qid, 4)
        )
        distances = naive.tau_distances(data.y, h, data.qid)
        T.append(sum(distances) / len(distances))
    assert list(model.features_) == sorted(range(6), key=lambda k: T[k])
    few = FeatureRank(order="best", n_intervals=4, n_features=2).fit(data)
    assert list(few.features_) == list(model.features_)[:2] and few.n_iter_ == 2
    again = naive.featurerank(data.X, data.y, data.qid, 4, features=list(model.features_))
    assert model.betas_ == pytest.approx([beta for _, beta, _, _ in again])


def test_finds_an_order_that_no_direction_shows():
    """Good documents stand in the middle of the feature: every linear ranking is wrong for half of them."""
    rng = np.random.default_rng(0)
    level = np.tile(np.arange(4), 40)
    X = (np.array([2.0, 3.0, 0.0, 1.0])[level] + rng.uniform(-0.3, 0.3, 160))[:, None]
    data = ltr.RankingData(X, level, np.repeat(np.arange(8), 20))
    model = FeatureRank(n_intervals=4).fit(data)
    assert ltr.kendall_tau(data.y, model.predict(data), data.qid) == pytest.approx(1.0)
    assert abs(ltr.kendall_tau(data.y, data.X[:, 0], data.qid)) < 0.5


def test_scores_are_places_so_a_monotone_change_of_a_query_changes_little_and_explain_takes_queries():
    data = _data(1, n_queries=8)
    model = FeatureRank(n_intervals=4).fit(data)
    order = np.random.default_rng(0).permutation(data.n_docs)
    parts = model.explain(data.X[order], qid=data.qid[order])
    np.testing.assert_allclose(parts, model.explain(data)[order])
    np.testing.assert_allclose(parts.sum(axis=1), model.predict(data)[order], atol=1e-12)
    with pytest.raises(ltr.ParameterError, match="qid"):
        model.explain(data.X)


def test_centers_of_a_file_must_be_there(tmp_path):
    model = FeatureRank(n_intervals=30).fit(_data(0))
    assert np.isnan(model.centers_).any()
    model.save(tmp_path / "m.json")
    loaded = ltr.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.centers_, model.centers_)


def test_without_distinct_grades_there_is_nothing_to_learn():
    with pytest.raises(ltr.DataError, match="two grades"):
        FeatureRank().fit([[1.0], [2.0]], [1, 1], qid=[1, 1])


@pytest.mark.slow
def test_long_lists_are_sorted_not_compared_pair_by_pair():
    """10,000 documents in one list: 50 million pairs would take minutes in Python and 400 MB in numpy."""
    data = ltr.datasets.make("mq2008-list-like", n_queries=1, n_docs=10_000)
    model = FeatureRank(n_features=3, n_intervals=16).fit(data)
    assert model.n_iter_ == 3
