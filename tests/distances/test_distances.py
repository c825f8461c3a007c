"""Directed distances: the formulas, calibration, the requirements and who breaks them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.distances import PairGrades, fit_distance
from ltr_core.distances.formulas import magnitude
from tests import naive

FORMULAS = {"binary": "scale", "ldd": "alpha", "logdd": "lam", "logitdd": "beta"}


def test_the_numbers_of_the_papers_figure_2():
    t = np.array([-2.0, 0.0, 1.0, 4.0])
    np.testing.assert_allclose(ltr.distance("ldd", t, alpha=0.2), [-0.4, 0, 0.2, 0.8])
    np.testing.assert_allclose(ltr.distance("logdd", t, lam=3.0), [-np.log(7), 0, np.log(4), np.log(13)])
    e = np.exp
    np.testing.assert_allclose(
        ltr.distance("logitdd", t, beta=0.5), [-1 / (1 + e(-1)), 0, 1 / (1 + e(-0.5)), 1 / (1 + e(-2))]
    )
    assert ltr.distance("binary", t).tolist() == [-1, 0, 1, 1]


@given(st.sampled_from([*FORMULAS]), st.floats(0.01, 50), st.floats(0, 100, allow_subnormal=False))
def test_antisymmetric_with_the_sign_of_the_gap(name, value, t):
    given_value = {FORMULAS[name]: value}
    there, back = ltr.distance(name, t, **given_value), ltr.distance(name, -t, **given_value)
    assert there == -back and np.sign(there) == np.sign(t)
    if t > 0:
        assert there == pytest.approx(naive.pair_distance(name, t, 0.0, value), rel=1e-12)


def test_without_a_parameter_a_gap_of_one_has_distance_one():
    assert float(ltr.distance("ldd", 1)) == 1.0
    assert float(ltr.distance("logdd", 1)) == pytest.approx(1.0)
    assert float(ltr.distance("logitdd", 1)) == pytest.approx(1 / (1 + np.exp(-1)))


def test_a_table_takes_two_grades_or_differences_from_grade_0():
    table = np.array([[0, -1, -4], [1, 0, -2], [4, 2, 0]])
    assert ltr.distance("table", ([2, 0, 1], [1, 2, 1]), table=table).tolist() == [2, -4, 0]
    assert ltr.distance("table", [2, -1, 0], table=table).tolist() == [4, -1, 0]
    with pytest.raises(ltr.DataError, match="grade 3 has no row"):
        ltr.distance("table", 3, table=table)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["ldd", "logdd"]), st.sampled_from([2, 5, 0]))
def test_calibration_makes_the_mean_one(seed, name, grades):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, grades, 30) * 1.0 if grades else rng.random(30) * 4
    y[0], y[1] = 0.0, 1.0
    qid = np.r_[0, 0, np.sort(rng.integers(0, 4, 28))]
    report = ltr.check_distance(name, ltr.RankingData(np.zeros((30, 1)), y, qid))
    assert report.value == pytest.approx(naive.calibrated(name, y, qid), rel=1e-9)
    gaps = np.array([y[i] - y[j] for i, j in naive.pairs_of(y, qid)])
    sizes = ltr.distance(name, gaps, **{FORMULAS[name]: report.value})
    assert report.mean == pytest.approx(1.0, rel=1e-12) == sizes.mean()
    assert (report.low, report.high) == pytest.approx((sizes.min(), sizes.max()), rel=1e-12)
    assert report.about_one and report.sign_holds


def test_calibration_with_more_grades_than_are_counted_by_grade():
    rng = np.random.default_rng(0)
    y, qid = rng.random(400) * 4, np.arange(400) // 100
    offsets = np.array([0, 100, 200, 300, 400])
    pairs = PairGrades(y, offsets)
    assert pairs.counts is None and pairs.n_pairs == len(naive.pairs_of(y, qid))
    fitted, report = fit_distance("logdd", pairs)
    gaps = np.array([y[i] - y[j] for i, j in naive.pairs_of(y, qid)])
    assert np.log1p(fitted.value * gaps).mean() == pytest.approx(1.0, rel=1e-12)
    assert pairs.gap_range() == pytest.approx((gaps.min(), gaps.max()), rel=1e-9)
    assert report.larger_gap_larger_distance


@pytest.mark.parametrize("value", [1e-12, 1e-3, 0.7, 1e6, 1e40])
@pytest.mark.parametrize("name", ["binary", "ldd", "logdd", "logitdd"])
def test_the_mean_over_pairs_of_many_grades(name, value):
    """Whether their logarithms are taken one by one or eight together."""
    y, offsets = np.random.default_rng(0).uniform(0, 4, 150), np.array([0, 3, 61, 150])
    y[5:20] = 1.0
    gaps = np.concatenate(
        [
            np.abs(y[a:b, None] - y[a:b])[np.tril_indices(b - a, -1)]
            for a, b in zip(offsets[:-1], offsets[1:], strict=True)
        ]
    )
    expected = magnitude(name, gaps[gaps > 0], value).mean()
    assert PairGrades(y, offsets).mean(name, value) == pytest.approx(expected, rel=1e-12)


def test_logitdd_is_not_calibrated_and_says_how_far_from_one_it_is():
    report = ltr.check_distance("logitdd", [0, 1, 2])
    assert report.value == 1.0 and report.mean < 1.0 and report.about_one


def test_binary_breaks_requirement_4_and_names_the_pairs():
    report = ltr.check_distance("binary", [0, 1, 2])
    assert report.sign_holds and not report.larger_gap_larger_distance
    assert "2 over 0 (gap 2)" in report.violations[0] and "gap 1" in report.violations[0]
    assert ltr.check_distance("binary", [0, 1, 1]).larger_gap_larger_distance  # one gap only


def test_saturated_logitdd_breaks_requirement_4_in_floating_point():
    assert not ltr.check_distance("logitdd", [0, 1, 2], beta=100.0).larger_gap_larger_distance


def test_gaps_that_differ_by_rounding_are_one_gap():
    assert ltr.check_distance("logdd", np.arange(11) / 10).larger_gap_larger_distance


def test_a_table_that_breaks_requirement_3_is_reported_and_refused_in_training():
    table = [[0, 1, -2], [-1, 0, -1], [2, 1, 0]]
    report = ltr.check_distance("table", [0, 1, 2], table=table)
    assert not report.sign_holds and "grade 1 over grade 0 has the distance -1" in report.violations[0]
    with pytest.raises(ltr.ParameterError, match=r"Requirement \(3\): grade 1 over grade 0"):
        fit_distance("table", PairGrades(np.arange(3.0), np.array([0, 3])), table=table)
    assert ltr.check_distance("table", [0, 2], table=table).sign_holds  # on the grades at hand


def test_rows_of_a_table_are_grades_or_the_distinct_grades_in_order():
    pairs = PairGrades(np.array([0.0, 2.0, 3.5]), np.array([0, 3]))
    fitted, _ = fit_distance("table", pairs, table=[[0, -1, -3], [1, 0, -2], [3, 2, 0]])
    assert fitted.between(np.array([3.5, 2.0]), np.array([0.0, 3.5])).tolist() == [3, -2]
    with pytest.raises(ltr.DataError, match="grade 1 has no row"):
        fitted.between(np.array([1.0]), np.array([0.0]))
    five = [[a - b for b in range(5)] for a in range(5)]
    fitted, _ = fit_distance("table", PairGrades(np.array([0.0, 4.0]), np.array([0, 2])), table=five)
    assert fitted.between(np.array([4.0, 3.0]), np.array([0.0, 2.0])).tolist() == [4, 1]
    with pytest.raises(ltr.ParameterError, match="2 rows, and the grades are 0, 2, 3.5"):
        fit_distance("table", pairs, table=[[0, -1], [1, 0]])


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, "much"])
def test_unusable_parameters_get_a_sentence(value):
    with pytest.raises(ltr.ParameterError, match="lam = .* Take a number above 0"):
        ltr.distance("logdd", 1.0, lam=value)


def test_unknown_names_pairless_and_negative_grades_get_a_sentence():
    with pytest.raises(ltr.ParameterError, match="There is no distance 'cubic'"):
        ltr.distance("cubic", 1.0)
    with pytest.raises(ltr.DataError, match="there is no pair"):
        ltr.check_distance("ldd", [1, 1])
    with pytest.raises(ltr.DataError, match="negative"):
        ltr.check_distance("ldd", [-1, 1])
    with pytest.raises(ltr.ParameterError, match="needs a table"):
        ltr.distance("table", 1)
