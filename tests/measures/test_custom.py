"""Measures that are a person's own functions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

import ltr_core as ltr

DATA = ltr.datasets.make("cubic", n_queries=20, n_docs=8, n_features=4)
TRAIN, VALID = ltr.split(DATA, (0.5, 0.5), seed=0)


def linear_ndcg(y, scores):
    """NDCG as scikit-learn has it."""
    return ndcg_score([y], [scores], k=10)


def worst_place(y, scores):
    return 1 + np.argmax(y[np.argsort(-scores)])


worst_place.higher_is_better = False


def test_a_function_measures_as_the_measure_that_it_restates():
    scores = DATA.X[:, 0]
    table = ltr.evaluate(scores, DATA, [linear_ndcg, "ndcg@10"], gain="grade")
    np.testing.assert_allclose(table["linear_ndcg"], table["ndcg@10"], atol=1e-12)
    assert table.attrs["mean"]["linear_ndcg"] == table["linear_ndcg"].mean()
    assert ltr.measure(linear_ndcg).describe() == "NDCG as scikit-learn has it."
    found = ltr.compare({"a": scores, "b": DATA.y}, DATA, worst_place)
    assert found.measure == "worst_place" and found["wins"].item() == (found.differences["b"] < 0).sum() > 0


def test_it_is_followed_and_stops_training_in_its_own_direction():
    model = ltr.MPBoost(n_rounds=30, early_stopping=3)
    model.fit(TRAIN, eval_set={"valid": VALID}, measures=[worst_place])
    curve = model.history_.query("split == 'valid' and measure == 'worst_place'")["value"].to_numpy()
    assert model.best_iteration_ == curve.argmin() and curve.min() < curve[0]


def test_what_is_no_number_is_refused():
    with pytest.raises(ltr.ParameterError, match="The measure broken gives a NoneType"):
        ltr.evaluate(DATA.y, DATA, broken)
    with pytest.raises(ltr.ParameterError, match="has no options"):
        ltr.measure(linear_ndcg, k=3)
    assert np.isnan(ltr.evaluate(DATA.y, DATA, left_out)["left_out"]).all()


def broken(y, scores):
    return None


def left_out(y, scores):
    return np.nan
