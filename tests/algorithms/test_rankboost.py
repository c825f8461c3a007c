"""RankBoost: equal to the oracle in both variants, the loss is the product of Z, long trainings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from tests import naive
from tests.algorithms.test_mpboost import curve, draw


def check_against_oracle(model, X, y, qid, rounds, variant, **how):
    stumps, losses, misorders = naive.rankboost(X.tolist(), y.tolist(), qid.tolist(), rounds, variant, **how)
    model.fit(X, y, qid=qid, measures=())
    assert [s[:2] for s in stumps] == list(zip(model.stump_features_, model.stump_thresholds_, strict=True))
    np.testing.assert_allclose(model.stump_values_, [s[2] for s in stumps], rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(curve(model, "loss"), losses, rtol=1e-9)
    np.testing.assert_allclose(curve(model, "misorder"), misorders, rtol=0, atol=1e-15)


@pytest.mark.parametrize("grades", [2, 4, 0], ids=["two", "graded", "continuous"])
@pytest.mark.parametrize("variant", ["r", "z"])
@pytest.mark.parametrize("seed", range(4))
def test_equal_to_the_oracle(variant, grades, seed):
    X, y, qid = draw(seed + 20, grades=grades)
    check_against_oracle(ltr.RankBoost(variant=variant, n_rounds=15), X, y, qid, 15, variant)


@pytest.mark.parametrize("variant", ["r", "z"])
def test_equal_to_the_oracle_with_shorter_steps(variant):
    X, y, qid = draw(25)
    model = ltr.RankBoost(variant, n_rounds=15, shrinkage=0.3)
    check_against_oracle(model, X, y, qid, 15, variant, shrinkage=0.3)


@pytest.mark.parametrize("variant", ["r", "z"])
def test_many_thresholds_and_bins_coarser_than_values(variant):
    rng = np.random.default_rng(1)
    X, y, qid = rng.normal(size=(60, 4)).astype(np.float32), rng.integers(0, 5, 60) * 1.0, np.arange(60) // 12
    check_against_oracle(ltr.RankBoost(variant, n_rounds=25), X.astype(float), y, qid, 25, variant)
    given = [(k, theta) for k in range(4) for theta in naive.bin_thresholds(X[:, k], 8)]
    coarse = ltr.RankBoost(variant, n_rounds=25, max_bins=8)
    check_against_oracle(coarse, X.astype(float), y, qid, 25, variant, given=given)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["r", "z"]), st.booleans())
def test_misorder_is_bounded_by_the_loss_which_is_the_product_of_z(seed, variant, graded):
    X, y, qid = draw(seed, n=30, queries=4, grades=3 if graded else 0)
    model = ltr.RankBoost(variant, n_rounds=15).fit(X, y, qid=qid, measures=())
    misorder, bound, loss = (curve(model, m) for m in ("misorder", "bound", "loss"))
    assert (misorder <= bound * (1 + 1e-12)).all()
    np.testing.assert_allclose(np.r_[1.0, np.cumprod(model.rounds_["z"])], loss, rtol=1e-9)
    np.testing.assert_allclose(bound, loss, rtol=1e-9)
    assert (np.diff(loss) <= 0).all()


@pytest.mark.parametrize("variant", ["r", "z"])
def test_ties_go_to_the_lowest_feature(variant):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, 40).astype(float)
    X = np.stack([np.zeros(40), -x, x, 3 * x + 1], axis=1)  # mirrored, itself, rescaled
    y, qid = rng.integers(0, 3, 40) * 1.0, np.arange(40) // 8
    model = ltr.RankBoost(variant, n_rounds=10).fit(X, y, qid=qid, measures=())
    assert set(model.stump_features_) == {1}


@pytest.mark.parametrize("variant, top", [("r", np.log((2 - 1e-10) / 1e-10) / 2), ("z", np.log(10001) / 2)])
def test_a_perfect_stump_has_a_finite_value(variant, top):
    X, y, qid = np.array([[0.0], [1.0]] * 4), [0, 1] * 4, [1, 1, 2, 2, 3, 3, 4, 4]
    model = ltr.RankBoost(variant, n_rounds=300).fit(X, y, qid=qid, measures=())
    assert model.stump_values_[0] == pytest.approx(top, rel=1e-6)
    assert model.n_iter_ == 300 and np.isfinite(model.stump_values_).all()
    assert curve(model, "loss")[-1] < 1e-300


def test_variant_is_checked():
    with pytest.raises(ltr.ParameterError, match="variant"):
        ltr.RankBoost("s").fit(np.arange(2.0)[:, None], [0, 1], qid=[1, 1])
