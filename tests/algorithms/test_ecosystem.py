"""What other libraries' users expect: `score` and searches, `group`, sets in lists, names that changed."""

from __future__ import annotations

import json

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

import ltr_core as ltr
from tests.algorithms.test_contracts import NAMES, TRAIN, VALID, make

MIXED = np.random.default_rng(0).permutation(TRAIN.n_docs)
X, Y, QID = TRAIN.X[MIXED], TRAIN.y[MIXED], TRAIN.qid[MIXED]
SIZES = np.diff(TRAIN.offsets)


@pytest.mark.parametrize("name", NAMES)
def test_score_is_ndcg_at_10(name):
    model = make(name).fit(X, Y, QID)
    wanted = ltr.ndcg(Y, model.predict(X, qid=QID), QID, k=10)
    assert model.score(X, Y, qid=QID) == wanted == model.score(ltr.RankingData(X, Y, QID))


def test_score_without_queries_says_that_it_takes_all_rows_as_one():
    model = make("MPBoost").fit(X, Y, QID)
    with pytest.warns(UserWarning, match="MPBoost.score without qid counts all rows as one query"):
        assert model.score(X, Y) == ltr.ndcg(Y, model.predict(X), np.zeros(len(Y)), k=10)


def test_a_grid_search_passes_the_queries_on():
    grid = {"n_rounds": [2, 8], "ddf": ["binary", "logdd"]}
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(ltr.MPBoost(), grid, cv=GroupKFold(3), error_score="raise")
        search.fit(X, Y, qid=QID, groups=QID)
        scores = cross_val_score(
            clone(search.best_estimator_), X, Y, params={"qid": QID, "groups": QID}, cv=GroupKFold(3)
        )
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) == pytest.approx(scores.mean())
    by_hand = []
    for train, test in GroupKFold(3).split(X, Y, QID):
        model = ltr.MPBoost(**search.best_params_).fit(X[train], Y[train], QID[train])
        by_hand.append(ltr.ndcg(Y[test], model.predict(X[test]), QID[test], k=10))
    assert scores.tolist() == by_hand


def test_sizes_in_place_of_ids():
    want = make("GBT").fit(TRAIN, eval_set={"valid": VALID})
    sizes = np.diff(VALID.offsets)
    pairs = [(VALID.X, VALID.y)]
    for model in (
        make("GBT").fit(TRAIN.X, TRAIN.y, group=SIZES, eval_set=pairs, eval_group=[sizes]),
        make("GBT").fit(TRAIN.X, TRAIN.y, group=SIZES.tolist(), eval_set=pairs, eval_qid=[VALID.qid]),
        make("GBT").fit(TRAIN.X, TRAIN.y, TRAIN.qid, eval_set=[(VALID.X, VALID.y, VALID.qid)]),
        make("GBT").fit(TRAIN.X, TRAIN.y, TRAIN.qid, eval_set=[VALID]),
    ):
        assert model.history_.equals(want.history_)
    two = make("GBT").fit(TRAIN, eval_set=[VALID, TRAIN])
    assert set(two.history_["split"]) == {"train", "valid_1", "valid_2"}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"group": SIZES[:-1]}, "13 sizes that add up to 63 for 69 documents"),
        ({"group": SIZES + 0.5}, "sizes that add up to"),
        ({"group": SIZES, "qid": QID}, "qid and group say the same"),
        ({"qid": QID, "eval_set": [(X, Y)]}, "Set 1 of eval_set has no queries"),
        (
            {"qid": QID, "eval_set": {"valid": VALID}, "eval_group": [SIZES]},
            "go with an eval_set that is a list",
        ),
        ({"qid": QID, "eval_set": 3}, "give a mapping such as"),
    ],
)
def test_what_does_not_fit_is_a_sentence(more, words):
    with pytest.raises(ValueError, match=words):
        make("GBT").fit(X, Y, **more)


def test_what_was_called_score_is_called_expected(tmp_path):
    model = ltr.McRank(score="gain", n_trees=3).fit(TRAIN)
    assert model.get_params()["expected"] == "gain" and callable(model.score)
    model.save(tmp_path / "m.json")
    content = json.loads((tmp_path / "m.json").read_text())
    del content["checksum"]
    content["params"]["score"] = content["params"].pop("expected")
    (tmp_path / "m.json").write_text(json.dumps(content))
    old = ltr.load_model(tmp_path / "m.json")
    assert old.expected == "gain" and np.array_equal(old.predict(VALID), model.predict(VALID))
    from pages.ui.runs.specs import recipe_of

    assert recipe_of("McRank", {"score": "gain"}) == recipe_of("McRank", {"expected": "gain"})


def test_a_model_shows_itself_in_a_notebook():
    data = ltr.datasets.make("cubic", n_queries=12, n_docs=6, n_features=3)
    model = ltr.MPBoost(lam=0.5, n_rounds=30, early_stopping=2)
    assert "lam=0.5" in model._repr_html_() and "not trained yet" in model._repr_html_()
    html = model.fit(data, eval_set={"<mine>": data})._repr_html_()
    assert "&lt;mine&gt;" in html and "ndcg@10" in html and f"{model.n_iter_} iteration" in html
    best = model.history_.query("iteration == @model.iteration_ and split == 'train' and measure == 'loss'")
    assert f"loss {best['value'].item():.4f}" in html
    share = model.feature_importances_.max()
    assert f"{model.feature_names_[model.feature_importances_.argmax()]} {share:.0%}" in html
    assert "all at their defaults" in ltr.RankSVM().fit(data)._repr_html_()
