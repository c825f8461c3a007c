"""ListNet's loss and slope against the paper's formula."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import ltr_core as ltr
from tests import naive
from tests.benchmarks.study_mq2008_network import chosen_on_validation


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            arrays(float, n, elements=st.floats(-20, 20)), arrays(float, n, elements=st.floats(0, 8))
        )
    )
)
def test_loss_and_slope_of_any_query(drawn):
    scores, grades = drawn
    loss, slope = ltr.ListNet.loss(scores, grades)
    assert loss == pytest.approx(naive.listnet_loss(scores, grades), rel=1e-10, abs=1e-12)
    expected = naive.finite_differences(lambda s: naive.listnet_loss(s, grades), scores)
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-7)


def test_large_grades_and_scores_do_not_overflow():
    loss, slope = ltr.ListNet.loss(np.array([-2e4, 0.0, 3e4]), np.array([1000, 2000, 0]))
    assert loss == pytest.approx(3e4) and slope == pytest.approx([0, -1, 1])


def test_the_grades_themselves_are_the_best_scores():
    grades = np.array([0.0, 2, 1, 4, 4])
    _, slope = ltr.ListNet.loss(grades + 7, grades)
    np.testing.assert_allclose(slope, 0, atol=1e-15)
    _, slope = ltr.ListNet.loss(np.array([1.0, 0.0]), np.array([2, 2]))
    assert slope[0] > 0 > slope[1], "equal grades ask for equal scores"


def test_history_is_the_mean_over_queries():
    rng = np.random.default_rng(0)
    data = ltr.RankingData(
        rng.normal(size=(31, 3)), rng.integers(0, 3, 31), np.r_[np.repeat(np.arange(6), 5), 9]
    )
    model = ltr.ListNet(epochs=3).fit(data)
    history = model.history_.query("measure == 'loss'")["value"].to_numpy()
    for value, scores in zip(history, model.staged_predict(data), strict=True):
        losses = [
            naive.listnet_loss(scores[data.qid == q], data.y[data.qid == q]) for q in np.unique(data.qid)
        ]
        assert value == pytest.approx(np.mean(losses), rel=1e-10)


@pytest.mark.letor
@pytest.mark.slow
def test_mq2008_is_near_the_published_row(letor_dir):
    """Mean of five folds, step size and epoch chosen on validation, as LETOR's ListNet."""
    published = {"ndcg@1": 0.3754, "ndcg@3": 0.4324, "ndcg@5": 0.4747, "map": 0.4775}
    values = []
    for train, valid, test in ltr.load_folds(letor_dir / "MQ2008"):
        model, epoch = chosen_on_validation("ListNet", train, valid, epochs=100, step_sizes=(0.001, 0.003))
        means = ltr.evaluate(
            model.predict(test, iteration=epoch), test, list(published), convention="letor"
        ).attrs["mean"]
        values.append([means[name] for name in published])
    for (name, value), ours in zip(published.items(), np.mean(values, axis=0), strict=True):
        assert abs(ours - value) < 0.015, name
