"""Stumps that may only rise or only fall in a feature; and what a rule leaves alone, of trees too."""

from __future__ import annotations

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.engines.stumps.rounds import round_details

DATA = ltr.datasets.make("cubic", n_queries=25, n_docs=8, n_features=4)
WAYS = {"f1": 1, "f2": -1, "f4": 1}
STUMPS = {
    "MPBoost": ltr.MPBoost(n_rounds=25),
    "MPBoost newton": ltr.MPBoost(n_rounds=25, step="newton"),
    "RankBoost r": ltr.RankBoost(n_rounds=25),
    "RankBoost z": ltr.RankBoost(n_rounds=25, variant="z"),
    "FRank": ltr.FRank(n_rounds=25),
}
SHAPE = {"n_trees": 20, "n_leaves": 8, "min_leaf": 2}
TREES = {
    "GBT": ltr.GBT(**SHAPE),
    "McRank ordinal": ltr.McRank(mode="ordinal", **SHAPE),
    "McRank ordinal newton": ltr.McRank(mode="ordinal", splits="newton", **SHAPE),
    "LambdaMART": ltr.LambdaMART(**SHAPE),
    "QBRank": ltr.QBRank(**SHAPE),
    "FunctionalBoosting": ltr.FunctionalBoosting(**SHAPE),
    "FunctionalBoosting softmax": ltr.FunctionalBoosting(risk="softmax", **SHAPE),
    "FunctionalBoosting fixed": ltr.FunctionalBoosting(fixed_step=0.2, **SHAPE),
}
MODELS = STUMPS | TREES


def fresh(name, **more):
    model = MODELS[name]
    return type(model)(**{**model.get_params(), **more})


@pytest.mark.parametrize("name", STUMPS)
def test_each_round_takes_the_best_stump_that_is_allowed(name):
    """Against the table of all candidates, whose gains come from every pair by itself."""
    model = fresh(name, monotone=WAYS).fit(DATA)
    ways = np.array([WAYS.get(feature, 0) for feature in DATA.feature_names])
    bent = 0
    for t in range(1, model.n_iter_ + 1):
        table = round_details(model, DATA, t).candidates
        allowed = table[(table["value"] * ways[table["feature"]] >= 0) & np.isfinite(table["gain"])]
        (chosen,) = np.flatnonzero(allowed["chosen"])
        assert allowed["gain"].iloc[chosen] >= allowed["gain"].max() * (1 - 1e-6)
        bent += table["gain"].max() > allowed["gain"].max() * (1 + 1e-6)
    assert bent > 0, "the rule forbids something"


@pytest.mark.parametrize("name", STUMPS)
def test_scores_rise_and_fall_as_they_are_told(name):
    model = fresh(name, monotone=WAYS).fit(DATA)
    for feature, way in WAYS.items():
        assert (np.diff(model.shape_function(feature)[1]) * way >= 0).all()
    plain = fresh(name).fit(DATA)
    assert not all((np.diff(plain.shape_function(f)[1]) * way >= 0).all() for f, way in WAYS.items())
    more = DATA.X.copy()
    more[:, 0] += 0.3
    assert (model.predict(more) >= model.predict(DATA.X)).all()


@pytest.mark.parametrize("name", MODELS)
def test_a_rule_that_forbids_nothing_changes_nothing(name, tmp_path):
    model = fresh(name, monotone={"f3": 0}).fit(DATA)
    assert (model.predict(DATA) == fresh(name).fit(DATA).predict(DATA)).all()
    bound = fresh(name, monotone=WAYS).fit(DATA)
    bound.save(tmp_path / "m.json")
    again = ltr.load_model(tmp_path / "m.json")
    assert again.monotone == WAYS and (again.predict(DATA) == bound.predict(DATA)).all()


@pytest.mark.parametrize(
    "rule, words", [({"g1": 1}, "no feature 'g1'"), ({"f1": 2}, "f1 = 2"), ([1, 0], "a dict")]
)
def test_a_rule_that_is_none_is_refused(rule, words):
    with pytest.raises(ltr.ParameterError, match=words):
        ltr.MPBoost(monotone=rule).fit(DATA)
