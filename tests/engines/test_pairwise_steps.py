"""Rounds laid open: equal to the papers' formulas worked out pair by pair, and to what training kept."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.engines.stumps.rounds import round_details
from tests import naive


@pytest.fixture(scope="module")
def tiny():
    return ltr.datasets.make("tiny")


def _plain(data):
    return [[float(v) for v in x] for x in data.X], list(data.y), list(data.qid)


def _stumps(model, rounds):
    return [
        (int(k), float(theta), float(value))
        for k, theta, value in zip(
            model.stump_features_[:rounds],
            model.stump_thresholds_[:rounds],
            model.stump_values_[:rounds],
            strict=True,
        )
    ]


def _by_pair(details, column="weight"):
    pairs = details.pairs
    keys = zip(pairs["better"].tolist(), pairs["worse"].tolist(), strict=True)
    return dict(zip(keys, pairs[column], strict=True))


def _by_candidate(details, *columns):
    rows = details.candidates
    keys = zip(rows["feature"].tolist(), rows["threshold"].tolist(), strict=True)
    return dict(zip(keys, rows[list(columns)].to_numpy().tolist(), strict=True))


def _same(ours, theirs, rel=1e-9):
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, rel=rel, abs=1e-12), key


TABLE = [
    [0, -1, -1.5, -3, -4],
    [1, 0, -1, -2, -3],
    [1.5, 1, 0, -1, -2],
    [3, 2, 1, 0, -1.2],
    [4, 3, 2, 1.2, 0],
]


@pytest.mark.parametrize(
    "settings",
    [
        {"ddf": "logdd"},
        {"ddf": "binary"},
        {"ddf": "ldd", "alpha": 0.3, "step": "newton"},
        {"ddf": "logitdd", "beta": 0.5},
        {"ddf": "table", "ddf_table": TABLE},
    ],
)
@pytest.mark.parametrize("t", [1, 4])
def test_mpboost_rounds_are_the_papers(tiny, settings, t):
    model = ltr.MPBoost(n_rounds=5, **settings).fit(tiny)
    details = round_details(model, tiny, t)
    value = settings.get("alpha") or settings.get("beta")
    weights, found = naive.mpboost_round(
        *_plain(tiny),
        _stumps(model, t - 1),
        settings["ddf"],
        value,
        settings.get("ddf_table"),
        settings.get("step", "paper"),
    )
    _same(_by_pair(details), weights)
    _same(_by_candidate(details, "n", "d", "value", "gain"), found)


@pytest.mark.parametrize("variant", ["r", "z"])
@pytest.mark.parametrize("t", [1, 4])
def test_rankboost_rounds_are_the_papers(tiny, variant, t):
    model = ltr.RankBoost(variant=variant, n_rounds=5).fit(tiny)
    details = round_details(model, tiny, t)
    weights, found = naive.rankboost_round(*_plain(tiny), _stumps(model, t - 1), variant)
    _same(_by_pair(details), weights)
    _same(_by_candidate(details, "n", "d", "value", "gain"), found)


@pytest.mark.parametrize(
    "settings", [{}, {"tied_pairs": True}, {"p_star": 0.8, "tied_pairs": True, "smoothing": 1e-2}]
)
@pytest.mark.parametrize("t", [1, 4])
def test_frank_rounds_are_the_papers(tiny, settings, t):
    model = ltr.FRank(n_rounds=5, **settings).fit(tiny)
    details = round_details(model, tiny, t)
    weights, found = naive.frank_round(*_plain(tiny), _stumps(model, t - 1), **settings)
    _same(_by_pair(details), weights)
    _same(_by_candidate(details, "plus", "minus", "value", "loss"), found)


@pytest.mark.parametrize("shrinkage", [1.0, 0.3])
@pytest.mark.parametrize("name", ["MPBoost", "RankBoost", "FRank"])
def test_a_round_is_the_one_that_training_kept(tiny, name, shrinkage):
    """Its stump is the best candidate, its scores are the model's, its losses the history's."""
    model = ltr.ALGORITHMS[name](n_rounds=12, shrinkage=shrinkage).fit(tiny)
    losses = model.history_.query("split == 'train' and measure == 'loss'")["value"].tolist()
    staged = list(model.staged_predict(tiny))
    product = losses[0]
    for t in range(1, model.n_iter_ + 1):
        details = round_details(model, tiny, t)
        assert details.chosen["gain"] == pytest.approx(details.candidates["gain"].max(), rel=1e-9)
        assert details.chosen["value"] == pytest.approx(model.stump_values_[t - 1], rel=1e-8)
        assert details.candidates["chosen"].sum() == 1
        np.testing.assert_allclose(details.scores_before, staged[t - 1], atol=1e-12)
        np.testing.assert_allclose(details.scores_after, staged[t], atol=1e-12)
        assert [details.loss_before, details.loss_after] == pytest.approx(losses[t - 1 : t + 1], rel=1e-9)
        product *= details.z
    assert product == pytest.approx(losses[-1], rel=1e-9)


def test_weights_after_a_round_are_those_before_the_next(tiny):
    model = ltr.MPBoost(n_rounds=3).fit(tiny)
    first, second = (round_details(model, tiny, t) for t in (1, 2))
    np.testing.assert_allclose(first.pairs["weight_after"], second.pairs["weight"], rtol=1e-12)
    assert first.pairs["weight"].sum() == pytest.approx(1.0)
    moved = first.pairs["side"] != 0
    assert (first.pairs["weight_after"][moved] != first.pairs["weight"][moved]).all()


def test_what_cannot_be_laid_open_is_refused(tiny):
    model = ltr.MPBoost(n_rounds=3).fit(tiny)
    for t in (0, 4):
        with pytest.raises(ltr.ParameterError, match="rounds 1 to 3"):
            round_details(model, tiny, t)
    with pytest.raises(ltr.ParameterError, match="does not boost stumps"):
        round_details(ltr.GBT(n_trees=2).fit(tiny), tiny, 1)
    with pytest.raises(ltr.DataError, match="fewer documents"):
        large = ltr.datasets.make("cubic", n_queries=40, n_docs=30, n_features=10)
        round_details(ltr.MPBoost(n_rounds=1).fit(large), large, 1)
    with pytest.raises(ltr.DataError, match="trained on"):
        round_details(model, tiny.with_features(tiny.X + 0.5), 1)
