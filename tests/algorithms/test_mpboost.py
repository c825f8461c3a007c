"""MPBoost: equal to the oracle, Theorem 1, ties, long and wild trainings, what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from tests import naive

DDFS = ("binary", "ldd", "logdd", "logitdd")


def curve(model, measure, split="train"):
    h = model.history_
    return h[(h["split"] == split) & (h["measure"] == measure)]["value"].to_numpy()


def draw(seed, n=40, d=3, values=6, queries=6, grades=4):
    """Repeated values, queries of one document and of one grade, a constant feature; grades 0: continuous."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d)).astype(float)
    X[:, rng.integers(d)] = 2.0
    y = rng.integers(0, grades, n).astype(float) if grades else rng.random(n).round(3) * 3
    qid = np.sort(rng.integers(0, queries, n))
    y[qid == qid[n // 2]] = 1.0
    qid[-1] = 99
    return X, y, qid


def check_against_oracle(model, X, y, qid, rounds, **how):
    stumps, losses, misorders, bounds = naive.mpboost(X.tolist(), y.tolist(), qid.tolist(), rounds, **how)
    model.fit(X, y, qid=qid, measures=())
    assert [s[:2] for s in stumps] == list(zip(model.stump_features_, model.stump_thresholds_, strict=True))
    np.testing.assert_allclose(model.stump_values_, [s[2] for s in stumps], rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(curve(model, "loss"), losses, rtol=1e-9)
    np.testing.assert_allclose(curve(model, "misorder"), misorders, rtol=0, atol=1e-15)
    np.testing.assert_allclose(curve(model, "bound"), bounds, rtol=1e-9)
    np.testing.assert_allclose(
        model.predict(X), naive.scores_after(X.tolist(), stumps), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("grades", [2, 4, 0], ids=["two", "graded", "continuous"])
@pytest.mark.parametrize("step", ["paper", "newton"])
@pytest.mark.parametrize("ddf", DDFS)
@pytest.mark.parametrize("seed", range(3))
def test_equal_to_the_oracle(ddf, step, grades, seed):
    X, y, qid = draw(seed, grades=grades)
    check_against_oracle(ltr.MPBoost(ddf=ddf, step=step, n_rounds=12), X, y, qid, 12, ddf=ddf, step=step)


@pytest.mark.parametrize("step", ["paper", "newton"])
def test_equal_to_the_oracle_with_a_table(step):
    X, y, qid = draw(5, grades=3)
    table = [[0, -0.5, -2], [0.5, 0, -1.2], [2, 1.2, 0]]
    model = ltr.MPBoost(ddf="table", ddf_table=table, step=step, n_rounds=10)
    check_against_oracle(model, X, y, qid, 10, ddf="table", table=table, step=step)


@pytest.mark.parametrize("step", ["paper", "newton"])
@pytest.mark.parametrize("decimals", [1, 3], ids=["some grades", "continuous"])
def test_equal_to_the_oracle_between_the_rows_of_a_table(step, decimals):
    X, y, qid = draw(5, n=90, grades=0)
    y = (y * 0.66).round(decimals)
    table = [[0, -0.5, -2], [0.5, 0, -1.2], [2, 1.2, 0]]
    model = ltr.MPBoost(ddf="table", ddf_table=table, step=step, n_rounds=8)
    with pytest.warns(UserWarning, match=r"Requirement \(4\)"):
        check_against_oracle(model, X, y, qid, 8, ddf="table", table=table, step=step)
    d = [naive.pair_distance("table", y[i], y[j], table=table) for i, j in naive.pairs_of(y, qid)]
    report = model.distance_
    assert (report.mean, report.low, report.high) == pytest.approx((np.mean(d), min(d), max(d)), rel=1e-12)
    assert report.sign_holds and not report.larger_gap_larger_distance
    even = [[0, -1, -2], [1, 0, -1], [2, 1, 0]]
    model = ltr.MPBoost(ddf="table", ddf_table=even, step=step, n_rounds=8)
    check_against_oracle(model, X, y, qid, 8, ddf="ldd", value=1.0, step=step)
    assert model.distance_.larger_gap_larger_distance
    with pytest.raises(ltr.DataError, match="goes up to the highest grade"):
        model.fit(X, y, qid=qid, eval_set={"valid": (X, y + 1.0, qid)})


@pytest.mark.parametrize("grades", [4, 0], ids=["graded", "continuous"])
@pytest.mark.parametrize("step", ["paper", "newton"])
@pytest.mark.parametrize("how", [{"scale": 0.6}, {"scale": 2.5}, {"shrinkage": 0.2}], ids=str)
def test_equal_to_the_oracle_scaled_and_shrunk(how, step, grades):
    X, y, qid = draw(13, grades=grades)
    given = {"value": how.get("scale", 1.0), "shrinkage": how.get("shrinkage", 1.0)}
    model = ltr.MPBoost(ddf="binary", step=step, n_rounds=12, **how)
    check_against_oracle(model, X, y, qid, 12, ddf="binary", step=step, **given)
    assert model.distance_.mean == pytest.approx(how.get("scale", 1.0), rel=1e-12)


@pytest.mark.parametrize("grades", [4, 0], ids=["graded", "continuous"])
@pytest.mark.parametrize("c", [0.1, 0.6, 3.0])
def test_scaling_binary_by_c_is_shrinkage_by_its_square(c, grades):
    X, y, qid = draw(14, grades=grades)
    scaled, shrunk = (
        ltr.MPBoost(ddf="binary", n_rounds=30, **how).fit(X, y, qid=qid, measures=())
        for how in ({"scale": c}, {"shrinkage": c * c})
    )
    assert np.array_equal(scaled.stump_features_, shrunk.stump_features_)
    assert np.array_equal(scaled.stump_thresholds_, shrunk.stump_thresholds_)
    np.testing.assert_allclose(scaled.stump_values_ * c, shrunk.stump_values_, rtol=1e-9)
    for measure in ("loss", "misorder", "bound"):
        np.testing.assert_allclose(curve(scaled, measure), curve(shrunk, measure), rtol=1e-9)


@pytest.mark.parametrize("size", [0.2, 1.0, 2.0])
@pytest.mark.parametrize("grades", [4, 0], ids=["graded", "continuous"])
@pytest.mark.parametrize("ddf", ["ldd", "logdd"])
def test_calibrated_to_a_size(ddf, grades, size):
    X, y, qid = draw(16, grades=grades)
    model = ltr.MPBoost(ddf=ddf, size=size, n_rounds=8)
    check_against_oracle(model, X, y, qid, 8, ddf=ddf, size=size)
    assert model.distance_.mean == pytest.approx(size, rel=1e-12)


@pytest.mark.parametrize("value", [0.05, 0.5, 3.0])
def test_equal_to_the_oracle_with_a_given_parameter(value):
    X, y, qid = draw(6)
    check_against_oracle(
        ltr.MPBoost(ddf="ldd", alpha=value, n_rounds=15), X, y, qid, 15, ddf="ldd", value=value
    )


def test_many_thresholds_and_bins_coarser_than_values():
    rng = np.random.default_rng(1)
    X, y, qid = rng.normal(size=(60, 4)).astype(np.float32), rng.integers(0, 5, 60) * 1.0, np.arange(60) // 12
    model = ltr.MPBoost(n_rounds=25)
    check_against_oracle(model, X.astype(float), y, qid, 25)
    given = [(k, theta) for k in range(4) for theta in naive.bin_thresholds(X[:, k], 8)]
    coarse = ltr.MPBoost(n_rounds=25, max_bins=8)
    check_against_oracle(coarse, X.astype(float), y, qid, 25, given=given)


@pytest.mark.slow
def test_more_than_256_bins():
    rng = np.random.default_rng(2)
    X, y, qid = rng.random((600, 2)).astype(np.float32), rng.integers(0, 3, 600) * 1.0, np.arange(600) // 6
    fine, coarse = (ltr.MPBoost(n_rounds=5, max_bins=b).fit(X, y, qid=qid, measures=()) for b in (600, 256))
    stumps, losses, _, _ = naive.mpboost(X.tolist(), y.tolist(), qid.tolist(), 5)
    np.testing.assert_allclose(curve(fine, "loss"), losses, rtol=1e-9)
    assert curve(coarse, "loss")[-1] > losses[-1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(DDFS), st.sampled_from(["paper", "newton"]), st.booleans())
def test_theorem_1(seed, ddf, step, graded):
    X, y, qid = draw(seed, n=30, queries=4, grades=3 if graded else 0)
    model = ltr.MPBoost(ddf=ddf, step=step, n_rounds=15).fit(X, y, qid=qid, measures=())
    misorder, bound, loss = (curve(model, m) for m in ("misorder", "bound", "loss"))
    assert (misorder <= bound * (1 + 1e-12)).all()
    np.testing.assert_allclose(bound, loss, rtol=1e-9)
    np.testing.assert_allclose(np.r_[1.0, np.cumprod(model.rounds_["z"])], bound, rtol=1e-9)


def test_ties_go_to_the_lowest_feature_and_threshold():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, 40).astype(float)
    X = np.stack([np.zeros(40), -x, x, 3 * x + 1], axis=1)  # mirrored, itself, rescaled
    y, qid = rng.integers(0, 3, 40) * 1.0, np.arange(40) // 8
    model = ltr.MPBoost(n_rounds=10).fit(X, y, qid=qid, measures=())
    assert set(model.stump_features_) == {1}
    # Between -1 and 0 lie only documents of a query without pairs: both thresholds separate the same pairs.
    X = np.array([[-2.0], [-1.0], [3.0], [0.0], [0.0]])
    model = ltr.MPBoost(n_rounds=1).fit(X, [0, 0, 1, 2, 2], qid=[1, 1, 1, 2, 2], measures=())
    assert model.stump_thresholds_.tolist() == [-1.0]


@pytest.mark.parametrize("grades", [3, 0])
def test_a_separable_set_can_be_trained_for_ever(grades):
    rng = np.random.default_rng(3)
    x = rng.permutation(30).astype(float)
    y = np.floor(x / 10) if grades else x / 7
    model = ltr.MPBoost(size=1.0, n_rounds=1500).fit(x[:, None], y, qid=np.arange(30) // 10, measures=())
    loss = curve(model, "loss")
    assert model.n_iter_ == 1500 and np.isfinite(model.stump_values_).all()
    assert loss[-1] < (1e-200 if grades else 1e-3) and (np.diff(loss) <= 0).all()
    assert curve(model, "misorder")[-1] == 0.0


@pytest.mark.parametrize("grades", [3, 0])
def test_distances_far_above_one_overshoot_and_do_not_overflow(grades):
    X, y, qid = draw(4, grades=grades)
    model = ltr.MPBoost(ddf="ldd", alpha=300.0, n_rounds=5).fit(X, y, qid=qid, measures=())
    loss = curve(model, "loss")
    assert loss[1] > 1.0 and not np.isnan(loss).any()  # the paper's step: the loss rises
    assert model.distance_.mean > 2.0 and not model.distance_.about_one
    tamed = ltr.MPBoost(ddf="ldd", alpha=300.0, step="newton", n_rounds=5).fit(X, y, qid=qid, measures=())
    assert (np.diff(curve(tamed, "loss")) < 0).all()


def test_what_it_says_of_its_rounds():
    X, y, qid = draw(7)
    model = ltr.MPBoost(n_rounds=6).fit(X, y, qid=qid, measures=())
    rounds = model.rounds_
    assert list(rounds) == ["iteration", "feature", "threshold", "value", "gain", "n", "d", "z"]
    np.testing.assert_allclose(rounds["value"], rounds["n"] / rounds["d"], rtol=1e-12)
    np.testing.assert_allclose(rounds["gain"], rounds["n"] ** 2 / rounds["d"], rtol=1e-12)
    assert model.distance_.parameter == "lam"
    assert model.distance_.value == pytest.approx(naive.calibrated("logdd", y, qid, 0.6), rel=1e-12)
    assert model.distance_.mean == pytest.approx(0.6, rel=1e-12) and model.distance_.about_one


def test_evaluation_sets_have_the_loss_that_their_own_pairs_give():
    X, y, qid = draw(8)
    other = draw(9)
    single = (X[:5], np.ones(5), np.zeros(5))
    model = ltr.MPBoost(n_rounds=8).fit(
        X, y, qid=qid, eval_set={"same": (X, y, qid), "other": other, "none": single}, measures=()
    )
    np.testing.assert_allclose(curve(model, "loss", "same"), curve(model, "loss"), rtol=1e-12)
    assert np.array_equal(curve(model, "misorder", "same"), curve(model, "misorder"))
    pairs = naive.pairs_of(other[1], other[2])
    lam = model.distance_.value
    for scores, loss, wrong in zip(
        model.staged_predict(other[0]),
        curve(model, "loss", "other"),
        curve(model, "misorder", "other"),
        strict=True,
    ):
        d = [naive.pair_distance("logdd", other[1][i], other[1][j], lam) for i, j in pairs]
        expected = np.mean(
            [np.exp(-dij * (scores[i] - scores[j])) for dij, (i, j) in zip(d, pairs, strict=True)]
        )
        assert loss == pytest.approx(expected, rel=1e-12)
        assert wrong == naive.misorder_of(scores, pairs)
    assert np.isnan(curve(model, "loss", "none")).all()


def test_predictions_of_a_loaded_model_have_the_same_bits(tmp_path):
    X, y, qid = draw(10)
    model = ltr.MPBoost(ddf="ldd", n_rounds=20).fit(X, y, qid=qid, eval_set={"valid": draw(11)})
    model.save(tmp_path / "m.json")
    loaded = ltr.load_model(tmp_path / "m.json")
    fresh = np.random.default_rng(0).normal(size=(50, 3)) * 6
    assert np.array_equal(loaded.predict(fresh), model.predict(fresh))
    assert loaded.rounds_.equals(model.rounds_) and loaded.distance_ == model.distance_
    *_, last = model.staged_predict(fresh)
    assert np.array_equal(last, model.predict(fresh))


def test_a_round_without_gain_ends_training():
    model = ltr.MPBoost(n_rounds=5).fit(np.ones((6, 2)), [0, 1, 2, 0, 1, 2], qid=[1] * 6, measures=())
    assert (model.n_iter_, model.stopped_) == (0, "no gain")
    assert model.predict(np.ones((2, 2))).tolist() == [0.0, 0.0]
    # As many pairs for as against at every threshold.
    X = np.array([[0.0], [1.0], [1.0], [0.0]])
    model = ltr.MPBoost(n_rounds=5).fit(X, [0, 1, 0, 1], qid=[1, 1, 2, 2], measures=())
    assert (model.n_iter_, model.stopped_) == (0, "no gain")


def test_data_without_a_pair_are_refused_in_a_sentence():
    with pytest.raises(ltr.DataError, match="no query has two documents of distinct grades"):
        ltr.MPBoost().fit(np.ones((3, 1)), [0, 1, 2], qid=[1, 2, 3])


@pytest.mark.parametrize(
    "params, words",
    [
        ({"ddf": "cubic"}, "ddf"),
        ({"alpha": -1.0, "ddf": "ldd"}, "alpha"),
        ({"ddf": "table"}, "ddf_table"),
        ({"ddf": "table", "ddf_table": [[0, 1], [1, 0]]}, "antisymmetric"),
        ({"ddf": "table", "ddf_table": [[0, 1], [-1, 0]]}, r"Requirement \(3\)"),
        ({"ddf": "table", "ddf_table": np.zeros((5, 4))}, "shape"),
        ({"step": "long"}, "step"),
        ({"n_rounds": 0}, "n_rounds"),
        ({"max_bins": 1}, "max_bins"),
    ],
)
def test_unusable_parameters_get_a_sentence(params, words):
    with pytest.raises(ltr.ParameterError, match=words):
        ltr.MPBoost(**params).fit(np.arange(4.0)[:, None], [0, 1, 0, 1], qid=[1, 1, 2, 2])


def test_a_table_that_breaks_requirement_4_is_used_with_a_warning():
    table = [[0, -1, -1], [1, 0, -1], [1, 1, 0]]
    X, y, qid = draw(12, grades=3)
    with pytest.warns(UserWarning, match=r"Requirement \(4\)"):
        model = ltr.MPBoost(ddf="table", ddf_table=table, n_rounds=3).fit(X, y, qid=qid, measures=())
    binary = ltr.MPBoost(ddf="binary", n_rounds=3).fit(X, y, qid=qid, measures=())
    assert np.array_equal(model.stump_values_, binary.stump_values_)


def test_an_evaluation_set_left_alone_for_rounds_is_weighed_anew():
    """Continuous grades: pairs weighed one by one."""
    rng = np.random.default_rng(3)
    data, other = (
        ltr.RankingData(rng.normal(size=(60, 4)), rng.uniform(0, 3, 60), np.repeat(np.arange(6), 10))
        for _ in range(2)
    )
    each = ltr.MPBoost(n_rounds=9).fit(data, eval_set={"valid": other}).history_
    some = ltr.MPBoost(n_rounds=9).fit(data, eval_set={"valid": other}, in_full={4}).history_
    keys = ["iteration", "split", "measure"]
    both = some.merge(each, on=keys, suffixes=("", "_each"))
    assert len(both) == len(some) and set(both[both["measure"] == "misorder"]["iteration"]) == {4, 9}
    np.testing.assert_allclose(both["value"], both["value_each"], rtol=1e-11)


@pytest.mark.parametrize("ddf", ["binary", "logdd"])
def test_both_sides_of_equation_15(ddf):
    X, y, qid = draw(15)
    model = ltr.MPBoost(ddf=ddf, n_rounds=6).fit(X, y, qid=qid, measures=())
    sides = model.equation_15(ltr.RankingData(X, y, qid))
    np.testing.assert_allclose(sides["z"], model.rounds_["z"], rtol=1e-9)
    np.testing.assert_allclose(sides["approximation"], (sides["j_wse"] + 1) / 2, rtol=1e-12)
    pairs, scores = naive.pairs_of(y, qid), np.zeros(len(y))
    value = naive.calibrated(ddf, y, qid, 0.6)
    d = np.array([naive.pair_distance(ddf, y[i], y[j], value) for i, j in pairs])
    for t, row in enumerate(model.rounds_.itertuples()):
        w = np.exp(-d * [scores[i] - scores[j] for i, j in pairs])
        step = row.value * (X[:, int(row.feature)] > row.threshold)
        error = np.sum(w / w.sum() * (d - [step[i] - step[j] for i, j in pairs]) ** 2)
        assert sides["j_wse"][t] == pytest.approx(error, rel=1e-9)
        scores = scores + step
    if ddf == "binary":  # |dist| is 1: they agree to second order
        assert (np.abs(sides["z"] - sides["approximation"]) < np.abs(model.rounds_["value"]) ** 3).all()
