"""FRank's sums over pairs in a query that is taken in columns, against whole matrices of pairs."""

from __future__ import annotations

import numpy as np
import pytest

from ltr_core import RankingData
from ltr_core.engines.stumps import screen
from ltr_core.engines.stumps.fidelity import bounds, weighing
from ltr_core.engines.stumps.fidelity.pairs import Added, FidelityPairs
from ltr_core.engines.stumps.fidelity.search import FidelitySearch

LENGTH = 1e-5  # of a step for finite differences


def loss_of(margin, p_star):
    """Eq. 2 of the paper."""
    sigma = 1.0 / (1.0 + np.exp(-margin))
    return 1.0 - np.sqrt(p_star * sigma) - np.sqrt((1.0 - p_star) * (1.0 - sigma))


def slopes_of(margin, p_star):
    """W of Eq. 4, and the loss's second derivative from W's differences: W is twice the negative slope."""

    def weight(x):
        up, down = np.sqrt(p_star * np.exp(x)), np.exp(x) * np.sqrt(1.0 - p_star)
        return (up - down) / (1.0 + np.exp(x)) ** 1.5

    return weight(margin), (weight(margin - LENGTH) - weight(margin + LENGTH)) / (4.0 * LENGTH)


@pytest.mark.compiled
@pytest.mark.parametrize(("p_star", "tied"), [(1.0, False), (0.9, True)])
def test_a_query_longer_than_the_room_is_summed_in_columns(p_star, tied):
    rng = np.random.default_rng(1)
    n = weighing._FEW + 150
    y, before = rng.integers(0, 4, n).astype(float), rng.normal(size=n)
    bins = rng.integers(0, 4, (1, n)).astype(np.uint8)
    pairs = FidelityPairs(RankingData(np.zeros((n, 1)), y, np.zeros(n)), p_star, tied)
    rows = pairs.layout.rows
    laid = np.ascontiguousarray(bins[:, rows])
    value, above = 0.4, laid[0] > 1
    pairs.scores[:] = before[rows] + value * above
    search = FidelitySearch(pairs, laid, np.array([4]), np.array([False]), 1e-4)
    loss = search.weigh(Added(above, value))

    y, before, after = y[rows], before[rows], pairs.scores
    better = y[:, None] > y
    wanted = np.where(better, p_star, 0.5)
    counted = better | (tied & (y[:, None] == y) & np.tri(n, k=-1, dtype=bool).T)
    share = pairs.terms.shares[0]
    margin = after[:, None] - after
    w, c = (share * np.where(counted, x, 0.0) for x in slopes_of(margin, wanted))
    assert loss == pytest.approx(share * loss_of(margin, wanted)[counted].sum(), rel=1e-11)
    assert search._total == pytest.approx(abs(w).sum(), rel=1e-11)
    np.testing.assert_allclose(search._docs[0], w.sum(axis=1) - w.sum(axis=0), atol=1e-12 * abs(w).sum())
    w_before, c_before = (
        share * np.where(counted, x, 0.0) for x in slopes_of(before[:, None] - before, wanted)
    )
    lost = np.maximum(0.0, abs(w_before) - abs(w))
    np.testing.assert_allclose(search._docs[2], lost.sum(axis=1) + lost.sum(axis=0), rtol=1e-9, atol=1e-15)
    flatter = np.maximum(0.0, c_before - c)
    np.testing.assert_allclose(
        search._docs[3], flatter.sum(axis=1) + flatter.sum(axis=0), rtol=1e-4, atol=1e-12
    )

    N, S, C, _ = search._sum(np.array([0]))[0].T
    for cut in range(3):
        side = (laid[0] > cut)[:, None].astype(float) - (laid[0] > cut)
        np.testing.assert_allclose(N[cut], (side * w).sum(), rtol=1e-9)
        np.testing.assert_allclose(S[cut], (abs(side) * abs(w)).sum(), rtol=1e-9)
        np.testing.assert_allclose(C[cut], (abs(side) * c).sum(), rtol=1e-5)


@pytest.mark.parametrize("n_docs", [1, 7, 8, 403])
def test_documents_are_packed_as_two_at_a_time_are(n_docs):
    """What has a sign keeps it, and what was lost is never too small."""
    rng = np.random.default_rng(n_docs)
    docs = rng.normal(size=(4, n_docs))
    docs[2:] = np.abs(docs[2:])
    sizes, numbers = np.empty(4), np.empty((2, n_docs), dtype=np.int64)
    bounds._sum_sizes(docs, sizes)
    np.testing.assert_allclose(sizes, np.abs(docs).sum(axis=1), rtol=1e-13)
    units = 1.01 * sizes / [screen.HIGH, screen.HIGH, screen.LOW, screen.LOW]
    bounds._pack_docs(docs, units, numbers)
    for k, own in enumerate(numbers):
        assert np.array_equal(own, screen.pack(docs[k], units[k], docs[k + 2], units[k + 2]))
