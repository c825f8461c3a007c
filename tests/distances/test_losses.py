"""Pair losses: values known by hand, slopes and curvatures against finite differences."""

import numpy as np
import pytest

import ltr_core as ltr
from tests import naive

SMOOTH = ("exponential", "fidelity", "cross_entropy", "squared", "squared_hinge")


@pytest.mark.parametrize("p_star", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("name", SMOOTH)
def test_slope_and_curvature_are_the_derivatives(name, p_star):
    loss, h = ltr.LOSSES[name], 1e-5
    m = np.array([-3.2, -1.4, -0.2, 0.0, 0.4, 0.9, 1.3, 2.9])
    slope = (loss(m + h, p_star) - loss(m - h, p_star)) / (2 * h)
    curvature = (loss.slope(m + h, p_star) - loss.slope(m - h, p_star)) / (2 * h)
    np.testing.assert_allclose(loss.slope(m, p_star), slope, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(loss.curvature(m, p_star), curvature, rtol=1e-7, atol=1e-8)


def test_values_known_by_hand():
    loss = ltr.LOSSES
    m = np.array([-1.0, 0.0, 0.5, 2.0])
    np.testing.assert_allclose(loss["hinge"](m), [2, 1, 0.5, 0])
    np.testing.assert_allclose(loss["hinge"].slope(m), [-1, -1, -1, 0])
    np.testing.assert_allclose(loss["squared_hinge"](m), [4, 1, 0.25, 0])
    np.testing.assert_allclose(loss["zero_one"](m), [1, 1, 0, 0])
    np.testing.assert_allclose(loss["cross_entropy"](m), np.log1p(np.exp(-m)))
    np.testing.assert_allclose(loss["exponential"](m, distance=2.0), np.exp(-2 * m))
    np.testing.assert_allclose(loss["exponential"].slope(m, distance=2.0), -2 * np.exp(-2 * m))
    assert loss["cross_entropy"](0.0, 0.5) == pytest.approx(np.log(2))  # its least value is not 0 …
    assert loss["fidelity"](0.0, 0.5) == 0.0  # … and fidelity's is


@pytest.mark.parametrize("p_star", [0.0, 0.25, 0.5, 1.0])
def test_fidelity_is_the_papers_formula_at_any_margin(p_star):
    loss = ltr.LOSSES["fidelity"]
    for margin in (-700.0, -40.0, -1.0, 0.0, 0.7, 20.0, 700.0):
        assert loss(margin, p_star) == pytest.approx(naive.fidelity(margin, p_star), rel=1e-9, abs=1e-15)
        weight = naive.fidelity_weight(margin, p_star)  # Eq. 4: twice the negative slope
        assert loss.slope(margin, p_star) == pytest.approx(-weight / 2, rel=1e-9, abs=1e-300)
        assert np.isfinite(loss.curvature(margin, p_star))
    values = loss(np.linspace(-700, 700, 99), p_star)
    assert values.min() >= 0.0 and values.max() <= 1.0


def test_cross_entropy_holds_at_any_margin():
    loss = ltr.LOSSES["cross_entropy"]
    assert loss(np.array([-1000.0, 1000.0])).tolist() == [1000.0, 0.0]
    assert loss.slope(np.array([-1000.0, 1000.0])).tolist() == [-1.0, 0.0]


@pytest.mark.parametrize("name", list(ltr.LOSSES))
def test_entries_are_complete_and_fall_with_the_margin(name):
    loss = ltr.LOSSES[name]
    assert loss.label and loss.formula and loss.used_by and loss.description.endswith(".")
    values = loss(np.linspace(-4, 0.99, 50))
    assert (np.diff(values) <= 0).all()
    assert loss.bounded == (values[0] <= 1.0)


def test_what_cannot_be_a_probability_is_refused():
    with pytest.raises(ltr.ParameterError, match="p_star"):
        ltr.LOSSES["fidelity"](0.0, 1.2)
    with pytest.raises(ltr.ParameterError, match="distance"):
        ltr.LOSSES["exponential"](0.0, distance=np.nan)
