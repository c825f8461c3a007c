"""scikit-learn's own checks of an estimator, on every algorithm, with all rows as one query by default."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import check_estimator

import ltr_core as ltr
from ltr_core.data.set import checking

OURS = [name for name, algorithm in ltr.ALGORITHMS.items() if not algorithm.peer]

# What is declined, and why. These are refused as they should be, by a ValueError, but in the words of this
# project, where the checks look for scikit-learn's.
OWN_WORDS = {
    "check_dtype_object": "a dict among the features: a DataError, which is a ValueError and no TypeError",
    "check_estimators_empty_data_messages": "“there is no feature”, not “0 feature(s) … while a minimum of”",
    "check_fit2d_predict1d": "“the features have 1 dimension(s). Give a matrix”, not “Reshape your data”",
    "check_n_features_in_after_fitting": "“the data have 1 features, the model was trained on 4”",
    "check_fit2d_1sample": "one document makes no pair: the sentence asks for documents of distinct grades",
}
DECLINED = {name: OWN_WORDS for name in OURS}
QUERY = {
    "check_methods_subset_invariance": "scores are places in a query's list: half of it is another list",
}
CLASSES = {
    f"check_estimator_sparse_{form}": "predict_proba is taken for a classifier's: a ranker lacks its tags"
    for form in ("array", "matrix")
}
DECLINED |= {name: {**OWN_WORDS, **QUERY} for name in OURS if ltr.ALGORITHMS[name].needs_qid}
DECLINED["McRank"] = {**OWN_WORDS, **CLASSES}


def _with_one_query(name):
    """Return an algorithm to which rows without queries are one query; it can be pickled."""
    base = ltr.ALGORITHMS[name]

    def fit(self, X, y=None, qid=None):
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        return base.fit(self, X, y, qid=_queries(X) if qid is None else qid)

    def predict(self, X, qid=None):
        return base.predict(self, X, qid=_queries(X) if qid is None and base.needs_qid else qid)

    of = {"fit": fit, "predict": predict, "__init__": base.__init__, "__module__": __name__}
    return type(f"OneQuery{name}", (base,), of)


def _queries(X):
    return np.zeros(X.shape[0] if hasattr(X, "shape") else len(X), dtype=int)


ONE_QUERY = {name: _with_one_query(name) for name in OURS}
vars(sys.modules[__name__]).update({cls.__name__: cls for cls in ONE_QUERY.values()})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OURS)
def test_all_checks_but_those_declined_hold(name):
    cls = ONE_QUERY[name]
    few = {cls.rounds_param: 3} if cls.rounds_param else {}
    found = check_estimator(cls(**few), on_skip=None, on_fail=None, expected_failed_checks=DECLINED[name])
    failed = {one["check_name"]: one["exception"] for one in found if one["status"] == "failed"}
    assert not failed, failed
    assert len(found) > 35


@pytest.mark.filterwarnings("ignore")
def test_each_reason_declines_something():
    """None of the list is out of date: every check on it fails for some algorithm."""
    failing = set()
    for name in ("MPBoost", "McRank", "MHR"):
        cls = ONE_QUERY[name]
        few = {cls.rounds_param: 3} if cls.rounds_param else {}
        found = check_estimator(cls(**few), on_skip=None, on_fail=None, expected_failed_checks=DECLINED[name])
        failing |= {one["check_name"] for one in found if one["status"] == "xfail"}
    assert failing == {*OWN_WORDS, *QUERY, *CLASSES}


def test_sparse_features_train_and_predict_as_dense_ones(monkeypatch):
    data = ltr.datasets.make("cubic", n_queries=20, n_docs=8, n_features=4)
    dense = np.where(np.abs(data.X) > 0.5, data.X, 0.0)
    for form in (scipy.sparse.csr_matrix, scipy.sparse.coo_array):
        sparse = form(dense)
        one = ltr.MPBoost(n_rounds=5).fit(sparse, data.y, qid=data.qid)
        other = ltr.MPBoost(n_rounds=5).fit(dense, data.y, qid=data.qid)
        assert (one.predict(sparse) == other.predict(dense)).all()
    monkeypatch.setattr("ltr_core.rankers.base._ROWS_AT_A_TIME", 7)
    monkeypatch.setattr(checking, "free_bytes", lambda: 7 * 4 * 4)
    assert (one.predict(sparse) == other.predict(dense)).all(), "a few rows at a time are dense"
    with pytest.raises(ltr.DataError, match="sparse features take .* GB as the dense matrix"):
        ltr.MPBoost().fit(sparse, data.y, qid=data.qid)


def test_complex_features_are_refused():
    with pytest.raises(ltr.DataError, match="complex"):
        ltr.RankingData(np.array([[1 + 2j]]), [1], [1])
