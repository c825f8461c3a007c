"""Figures of features and grades, against plain numpy."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data import describe_features, grade_counts, histogram_by_grade, query_sizes
from ltr_core.data.set import feature_table as module


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 5)).astype(np.float32)
    X[:, 1], X[:, 2] = 7.0, rng.integers(0, 3, 200)
    y = np.clip(np.round(X[:, 0] + 1), 0, 4)
    return ltr.RankingData(X, y, np.repeat(np.arange(25), 8))


@pytest.mark.parametrize("at_once", [7, 2_000_000])
def test_features(data, monkeypatch, at_once):
    monkeypatch.setattr(module, "_VALUES_AT_ONCE", at_once)
    table = describe_features(data)
    assert list(table["feature"]) == list(data.feature_names)
    X = data.X.astype(float)
    np.testing.assert_allclose(table["mean"], X.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(table["deviation"], X.std(axis=0), atol=1e-9)
    assert list(table["low"]) == list(X.min(axis=0)) and list(table["high"]) == list(X.max(axis=0))
    np.testing.assert_allclose(table["zeros"], (X == 0).mean(axis=0))
    assert list(table["constant"]) == [False, True, False, False, False]
    for k in (0, 2, 3, 4):
        assert table["correlation"][k] == pytest.approx(np.corrcoef(X[:, k], data.y)[0, 1], abs=1e-12)
    assert np.isnan(table["correlation"][1])


def test_equal_grades_have_no_correlation():
    data = ltr.RankingData(np.arange(6.0).reshape(6, 1), np.ones(6), np.zeros(6))
    assert describe_features(data)["correlation"].isna().all()


def test_histograms_count_every_document_once(data):
    for k in range(data.n_features):
        frame = histogram_by_grade(data, k, 10)
        for grade, rows in frame.groupby("grade"):
            assert rows["documents"].sum() == (data.y == float(grade)).sum()
            assert rows["share"].sum() == pytest.approx(1.0)
    assert len(histogram_by_grade(data, 1)) == len(np.unique(data.y))  # a constant has one interval


def test_continuous_grades_are_put_into_groups():
    y = np.linspace(0.0, 3.0, 100)
    data = ltr.RankingData(np.arange(100.0).reshape(100, 1), y, np.zeros(100))
    frame = histogram_by_grade(data, 0, 4)
    counts = frame.groupby("grade", sort=False)["documents"].sum()
    assert len(counts) == 5 and counts.sum() == 100 and counts.max() <= 21
    assert grade_counts(data)["documents"].sum() == 100 and len(grade_counts(data)) == 30


def test_lengths_of_lists():
    sizes = [1, 1, 4, 100]
    data = ltr.RankingData(np.zeros((106, 1)), np.ones(106), np.repeat(np.arange(4), sizes))
    frame = query_sizes(data, 10)
    assert frame["queries"].sum() == 4 and frame["queries"].iloc[0] == 3 and frame["queries"].iloc[-1] == 1
    assert (frame["high"] - frame["low"]).nunique() == 1 and frame["high"].iloc[-1] >= 100
    assert len(query_sizes(ltr.datasets.make("tiny"))) == 1
