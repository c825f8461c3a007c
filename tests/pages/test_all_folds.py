"""Rankings and Inspect where runs are trained on all folds: every query by its own fold's models."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import ttest_rel

import ltr_core as ltr
from ltr_core.evaluation.significance import say_p
from pages.ui.tables.folds import folds_of
from tests.dashboard import open_app, text_of

SIZE = {"n_queries": 47, "n_docs": 8, "n_features": 5}  # folds of 10 and of 9 queries
DATA = "data.cubic..cubic-n_queries.47..cubic-n_docs.8..cubic-n_features.5..fold.2..ndcg-k.5"
RUNS = "r0.MPBoost.ddf.binary.n_rounds.6..r3.GBT.n_trees.5..repeat.folds"


@pytest.fixture(scope="module")
def values():
    """By query: NDCG@5 of both runs, each by the model of the fold that tests on it, at its best round."""
    told = {}
    for train, valid, test in ltr.folds(ltr.datasets.make("cubic", **SIZE), 5, seed=0):
        for slot, model in ((0, ltr.MPBoost(ddf="binary", n_rounds=6)), (3, ltr.GBT(n_trees=5))):
            model.fit(train, eval_set={"valid": valid}, measures=("ndcg@5",))
            scores = model.predict(test, iteration="best")
            each = ltr.ndcg(test.y, scores, test.qid, k=5, per_query=True)
            for query, value in zip(test.query_ids, each, strict=True):
                told.setdefault(str(query), {})[slot] = value
    return told


def open_page(page, more=""):
    app = open_app(f"{DATA}..{RUNS}{more}", page=page).run()  # the last fold may have ended while it drew
    assert not app.exception
    return app


def tally_of(app):
    (tally,) = [h.value for h in app.get("html") if 'class="tally"' in h.value]
    return tally.partition('class="tally"')[2]


def queries_of(app):
    return [option.partition("   ")[0] for option in app.selectbox("pick-rank_query").options]


def test_rankings_pool_the_test_queries_of_all_folds(values):
    app = open_page("rankings")
    gains = {query: one[3] - one[0] for query, one in values.items()}
    asked = queries_of(app)
    assert len(asked) == 47 and set(asked) == set(values)
    assert [gains[query] for query in asked] == pytest.approx(sorted(gains.values()), abs=1e-12)
    won, lost = (sum(sign * gain > 1e-12 for gain in gains.values()) for sign in (1, -1))
    assert list(map(int, re.findall(r"(\d+) (?:win|tie|loss|quer)", tally_of(app)))) == [
        won,
        47 - won - lost,
        lost,
        47,
    ]
    p = ttest_rel(*(np.array([one[slot] for one in values.values()]) for slot in (3, 0))).pvalue
    assert say_p(float(p)) in tally_of(app).replace("&lt;", "<")  # the headline's
    assert "47 test queries of 5 folds" in text_of(app)


def test_a_query_is_shown_with_its_own_folds_lists(values):
    app = open_page("rankings")
    folds = folds_of(app.session_state["_screen"])
    for number in (0, 4):
        query = str(folds[number].splits.test.query_ids[0])
        app.selectbox("pick-rank_query").set_value(query).run()
        assert not app.exception and f"of fold {number + 1}, by its models" in text_of(app)
        (lists,) = [h.value for h in app.get("html") if 'class="lists' in h.value]
        found = re.findall(r'data-slot="(\d)".*?class="value">.*?<b>([\d.]+)</b>', lists, re.DOTALL)
        assert {int(slot): float(value) for slot, value in found} == pytest.approx(values[query], abs=5e-5)


def test_one_fold_and_the_other_parts_are_still_there():
    app = open_page("rankings", "..rank_split.fold")
    assert len(queries_of(app)) == 10 and "10 test queries" in text_of(app)
    app = open_page("rankings", "..rank_split.valid")
    assert len(queries_of(app)) == 9 and "p = " not in tally_of(app)


def test_without_folds_the_word_for_one_fold_is_test():
    app = open_app(f"{DATA}..r0.MPBoost.n_rounds.3..rank_split.fold", page="rankings")
    assert not app.exception and app.session_state["rank_split"] == "test"


def test_inspect_shows_the_model_of_any_fold():
    app = open_page("_inspect")
    assert app.selectbox("pick-look_fold").value == "2"
    app.selectbox("pick-look_fold").set_value("5").run()
    assert not app.exception and "The model of fold 5 as it is" in text_of(app)
    assert "strokes: from the lowest to the highest of 5 folds" in text_of(app)
