"""McRank against its oracle: probabilities, scores, losses, and Lemma 1."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive
from tests.algorithms.test_gbt import graded

SHAPE = dict(n_trees=6, n_leaves=5, learning_rate=0.2, min_leaf=4)


def some_grades(seed: int, n: int, grades) -> ltr.RankingData:
    """The data of the GBT tests with grades taken from a list."""
    data = graded(seed, n)
    return ltr.RankingData(data.X, np.asarray(grades)[(data.y % len(grades)).astype(int)], data.qid)


def curve(model, measure, split="train"):
    return model.history_.query("measure == @measure and split == @split")["value"].to_numpy()


@pytest.mark.parametrize("mode", ["classification", "ordinal"])
@pytest.mark.parametrize("score", ["relevance", "gain"])
@pytest.mark.parametrize("grades", [(0, 1, 2, 3, 4), (0, 2.5, 3), (1, 4)], ids=str)
def test_equals_the_oracle(mode, score, grades):
    train, test = some_grades(0, 110, grades), some_grades(1, 50, grades)
    stages, losses = naive.mcrank(train.X, train.y, test.X, mode, score, **SHAPE)
    model = ltr.McRank(mode=mode, expected=score, **SHAPE).fit(train, measures=())
    assert model.n_iter_ == len(stages) - 1 == 6
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curve(model, "loss"), losses, rtol=1e-9)


@pytest.mark.parametrize("mode", ["classification", "ordinal"])
@pytest.mark.parametrize("splits, start", [("newton", "zero"), ("residual", "prior"), ("newton", "prior")])
@pytest.mark.parametrize("grades", [(0, 1, 3), (1, 4)], ids=str)
def test_weighted_splits_and_a_start_from_the_shares(mode, splits, start, grades):
    train, test = some_grades(10, 90, grades), some_grades(11, 40, grades)
    values = dict(mode=mode, splits=splits, start=start, **SHAPE)
    stages, losses = naive.mcrank(train.X, train.y, test.X, score="relevance", **values)
    model = ltr.McRank(**values).fit(train, measures=())
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(curve(model, "loss"), losses, rtol=1e-9)
    shares = [np.mean(train.y == g) for g in grades]
    first = model.predict_proba(test, iteration=0)[0]
    assert np.allclose(first, shares) == (start == "prior")


@pytest.mark.parametrize("grades", [(0, 1, 2, 3, 4), (1, 4)], ids=str)
def test_classes_in_turn_equal_the_algorithm_as_printed(grades):
    train, test = some_grades(5, 110, grades), some_grades(6, 50, grades)
    stages, losses = naive.mcrank(
        train.X, train.y, test.X, "classification", "relevance", in_turn=True, **SHAPE
    )
    model = ltr.McRank(classes="in turn", **SHAPE).fit(train, measures=())
    np.testing.assert_allclose(list(model.staged_predict(test)), stages, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curve(model, "loss"), losses, rtol=1e-9)
    together = ltr.McRank(**SHAPE).fit(train, measures=())
    assert not np.allclose(model.predict(test), together.predict(test), rtol=1e-4)
    ordinal, same = (
        ltr.McRank(mode="ordinal", **SHAPE, **how).fit(train) for how in ({}, {"classes": "in turn"})
    )
    assert np.array_equal(ordinal.predict(test), same.predict(test))


@pytest.mark.parametrize("L", [1, 3, 10, None])
def test_lemma_1_with_a_truncation_level(L):
    train, other = some_grades(7, 100, (0, 1, 3)), some_grades(8, 60, (0, 1, 2, 3))
    model = ltr.McRank(**SHAPE).fit(train, eval_set={"other": other}, measures=())
    for data in (train, other):
        sides = model.lemma_1(data, truncation=L)
        assert sides["iteration"].tolist() == list(range(7))
        for t, (error, bound) in enumerate(zip(sides["dcg_error"], sides["dcg_bound"], strict=True)):
            guess = model.grades_[np.argmax(model.predict_proba(data, iteration=t).round(9), axis=1)].tolist()
            assert error == pytest.approx(
                naive.true_dcg_error(data.y, guess, data.qid, L or np.inf), abs=1e-9
            )
            assert bound == pytest.approx(naive.dcg_error_bound(data.y, guess, data.qid, L))
            assert error <= bound
    if L is None:
        np.testing.assert_allclose(sides["dcg_bound"], curve(model, "dcg_bound", "other"), rtol=1e-12)


@pytest.mark.parametrize("mode", ["classification", "ordinal"])
def test_probabilities_and_both_sides_of_the_lemma(mode):
    train, valid = some_grades(2, 100, (0, 1, 3)), some_grades(3, 60, (0, 1, 3))
    model = ltr.McRank(mode=mode, **SHAPE).fit(train, eval_set={"valid": valid}, measures=())
    assert model.grades_.tolist() == [0, 1, 3]
    p, p_valid, grades = naive.mcrank_probabilities(train.X, train.y, valid.X, mode, **SHAPE)
    for split, data, stages in (("train", train, p), ("valid", valid, p_valid)):
        columns = [curve(model, m, split) for m in ("dcg_error", "dcg_bound", "classification_error", "nll")]
        for m, (error, bound, wrong, nll) in enumerate(zip(*columns, strict=True)):
            np.testing.assert_allclose(model.predict_proba(data, iteration=m), stages[m], atol=1e-10)
            # Equal probabilities at the start: the lowest grade.
            guess = [
                grades[max(range(3), key=lambda k, row=row: (round(row[k], 9), -k))] for row in stages[m]
            ]
            assert error == pytest.approx(naive.true_dcg_error(data.y, guess, data.qid), abs=1e-9)
            assert bound == pytest.approx(naive.dcg_error_bound(data.y, guess, data.qid))
            assert 0 <= error <= bound
            assert wrong == pytest.approx(np.mean(np.array(guess) != data.y))
            own = [max(row[grades.index(r)], 1e-15) for row, r in zip(stages[m], data.y, strict=True)]
            assert nll == pytest.approx(-np.mean(np.log(own)), rel=1e-7)


def test_ordinal_is_classification_with_two_grades():
    data = some_grades(4, 300, (0, 2))
    one, other = (ltr.McRank(mode=mode).fit(data) for mode in ("classification", "ordinal"))
    assert all(
        np.array_equal(a, b)
        for a, b in zip(one.staged_predict(data), other.staged_predict(data), strict=True)
    )
    assert one.history_.equals(other.history_)


def test_probabilities_add_up_and_give_the_score():
    data = graded(5, 300)
    for mode in ("classification", "ordinal"):
        for score, worth in (("relevance", lambda g: g), ("gain", lambda g: 2**g - 1)):
            model = ltr.McRank(mode=mode, expected=score, n_trees=15).fit(data, measures=())
            p = model.predict_proba(data)
            np.testing.assert_allclose(p.sum(axis=1), 1.0)
            np.testing.assert_allclose(p @ worth(model.grades_), model.predict(data))
            if mode == "classification":
                assert (p > 0).all()
    shuffled = np.random.default_rng(0).permutation(data.n_docs)
    again = model.predict_proba(data.X[shuffled], qid=data.qid[shuffled])
    assert np.array_equal(again, p[shuffled])


@pytest.mark.parametrize("mode", ["classification", "ordinal"])
def test_explain_adds_up_where_probabilities_saturate(mode):
    data = graded(6, 250)
    model = ltr.McRank(mode=mode, n_trees=150, learning_rate=1.0, min_leaf=1).fit(data, measures=())
    assert model.predict_proba(data).max() > 0.999
    parts = model.explain(data)
    np.testing.assert_allclose(parts.sum(axis=1) + model.base_, model.predict(data), atol=1e-9)


def test_many_grades_are_refused_and_others_named():
    X = np.arange(80.0)[:, None]
    with pytest.raises(ltr.DataError, match="GBT, QBRank or MPBoost"):
        ltr.McRank().fit(X, np.arange(80) / 2, qid=np.zeros(80))
    model = ltr.McRank(min_leaf=1).fit(X[:64], np.arange(64) // 2, qid=np.zeros(64))
    assert len(model.grades_) == 32


def test_one_grade_alone_and_unseen_grades():
    data = graded(7, 60)
    alone = ltr.McRank().fit(data.X, np.full(60, 3.0), qid=data.qid)
    assert (alone.stopped_, alone.n_iter_) == ("no gain", 0) and (alone.predict(data) == 3.0).all()
    for mode in ("classification", "ordinal"):
        train = some_grades(8, 90, (0, 2))
        model = ltr.McRank(mode=mode).fit(train, eval_set={"valid": some_grades(9, 60, (0, 1, 4))})
        assert np.isfinite(model.history_["value"]).all()
        error, bound = (curve(model, m, "valid") for m in ("dcg_error", "dcg_bound"))
        assert (error <= bound).all()
