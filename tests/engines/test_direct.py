"""Pairs weighed one by one, against plain loops over them."""

from __future__ import annotations

import numpy as np
import pytest

from ltr_core.distances import FittedDistance
from ltr_core.engines.stumps import direct, direct_kernels
from ltr_core.engines.stumps.layout import PairLayout
from tests import naive

DISTANCES = {"binary": 1.0, "ldd": 0.7, "logdd": 2.5, "logitdd": 1.3}


def in_place(kernel, x, *extra):
    """Return what a kernel makes of numbers, put in their place."""
    out, bits = x.copy(), np.empty(len(x), dtype=np.int64)
    kernel(len(x), bits, bits.view(np.float64), *extra, out)
    return out


def test_exponentials_are_the_library_s():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=500) * scale for scale in (1e-9, 1e-3, 1.0, 30.0, 300.0)])
    x = x[np.abs(x) < 700.0]
    np.testing.assert_allclose(in_place(direct_kernels._raise, x), np.exp(x), rtol=5e-16)
    far = in_place(direct_kernels._raise, np.array([0.0, -0.0, -800.0, -1e9, 800.0, 1e9]))
    np.testing.assert_array_equal(far, [1.0, 1.0, 0.0, 0.0, np.inf, np.inf])


def test_logarithms_are_the_library_s():
    rng = np.random.default_rng(0)
    z = np.abs(
        np.concatenate([rng.normal(size=500) * scale for scale in (1e-300, 1e-9, 0.1, 1.0, 1e3, 1e12)])
    )
    found = in_place(direct_kernels._take_logarithms, z, np.empty(len(z)))
    np.testing.assert_allclose(found, np.log1p(z), rtol=5e-16)
    assert in_place(direct_kernels._take_logarithms, np.zeros(1), np.empty(1))[0] == 0.0


@pytest.fixture
def case():
    """A query of more pairs than are taken together, one of a few, and one with equal grades."""
    rng = np.random.default_rng(3)
    sizes = (70, 9, 12)
    y = np.concatenate([rng.random(sizes[0]) * 4, rng.random(sizes[1]) * 4, rng.integers(0, 9, sizes[2]) / 2])
    bins = rng.integers(0, 6, (3, len(y))).astype(np.uint8)
    return y, np.r_[0, np.cumsum(sizes)], bins, rng.normal(size=len(y))


@pytest.mark.parametrize("power", [0, 2])
@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("name", list(DISTANCES))
def test_a_step_and_a_sweep_are_sums_over_pairs(name, keeps, power, case, monkeypatch):
    y, offsets, bins, scores = case
    monkeypatch.setattr(direct, "_KEPT_BYTES", 1 << 20 if keeps else 0)
    layout = PairLayout(y, offsets)
    distance = FittedDistance(name, DISTANCES[name], np.zeros(1))
    weights = direct.DirectWeights(layout, distance, lambda d: d**power)
    assert (len(weights._kept.weights) > 0) == keeps
    weights.start_over(scores[layout.rows])
    laid, cut, value = np.ascontiguousarray(bins[:, layout.rows]), 2, -0.4
    N, D, log_z = weights.advance(laid[1], cut, value)

    query = np.searchsorted(offsets, np.arange(len(y)), side="right")
    i, j = np.nonzero((query[:, None] == query) & (y[:, None] > y))
    gaps = zip(y[i], y[j], strict=True)
    d = np.array([naive.pair_distance(name, better, worse, DISTANCES[name]) for better, worse in gaps])
    before = np.exp(-d * (scores[i] - scores[j]))
    above = bins > cut
    side = above[1, i].astype(float) - above[1, j]
    total = before.sum()
    np.testing.assert_allclose(N, (side * before * d).sum() / total, rtol=1e-12)
    np.testing.assert_allclose(D, (abs(side) * before * d**power).sum() / total, rtol=1e-12)
    moved = scores + value * above[1]
    after = np.exp(-d * (moved[i] - moved[j]))
    np.testing.assert_allclose(log_z, np.log(after.sum() / total), rtol=1e-11)
    assert weights.misorder() == np.mean(moved[i] <= moved[j])

    pulls = np.zeros(len(y))
    np.add.at(pulls, i, after * d)
    np.add.at(pulls, j, -after * d)
    unit = np.exp(weights.shift)
    np.testing.assert_allclose(weights._p * unit, pulls[layout.rows], atol=1e-12 * abs(pulls).max())
    gone = np.where(side * value > 0, (before - after) * d**power, 0.0)
    lost = np.zeros(len(y))
    np.add.at(lost, i, gone)
    np.add.at(lost, j, gone)
    np.testing.assert_allclose(weights._lost * unit, lost[layout.rows], atol=1e-12 * abs(pulls).max())

    chosen = np.array([0, 2])
    sums = weights.sweep(laid, chosen, 6)
    changes = sums.changes.sum(axis=0) * sums.unit * unit
    for f, k in enumerate(chosen):
        for b in range(5):
            apart = (bins[k, i] > b) != (bins[k, j] > b)
            mass = (after * d**power)[apart].sum()
            np.testing.assert_allclose(changes[f, : b + 1].sum(), mass, rtol=1e-11, atol=1e-12)
