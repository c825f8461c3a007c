"""A set as a table and from one, gaps in arrays, and grades in the place of query ids."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr

X = np.arange(12.0).reshape(6, 2)
GRADES, QUERIES = [2, 0, 1, 1, 0, 2], list("bababa")
DATA = ltr.RankingData(X, GRADES, QUERIES, ["x", "y"], list("stuvwz"), "named")


def test_a_set_goes_to_a_table_in_the_order_given_and_back():
    frame = DATA.to_frame()
    assert list(frame.columns) == ["grade", "qid", "docid", "x", "y"]
    assert frame["qid"].tolist() == QUERIES and frame["docid"].tolist() == list("stuvwz")
    assert (frame[["x", "y"]].to_numpy() == X).all() and frame["grade"].tolist() == GRADES
    again = ltr.RankingData.from_frame(frame, name="named")
    assert again.fingerprint == DATA.fingerprint and again.named
    assert (again.doc_ids == DATA.doc_ids).all() and (again.order == DATA.order).all()
    assert ltr.RankingData.from_frame(frame.rename(columns={"grade": "label", "qid": "query"})).n_docs == 6


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda f: f.drop(columns="qid"), "no column with the query id"),
        (lambda f: f.assign(label=1), "could both be the grade"),
        (lambda f: f.assign(x=list("abcdef")), "“x” holds no numbers"),
        (lambda f: f[["grade", "qid"]], "no feature column"),
        (lambda f: f.assign(x=np.nan), "“x” of document 1 is NaN"),
    ],
)
def test_a_table_that_is_none_says_why(change, words):
    with pytest.raises(ltr.DataError, match=words):
        ltr.RankingData.from_frame(change(DATA.to_frame()))


def test_columns_can_be_ignored():
    frame = DATA.to_frame().assign(title="words")
    assert ltr.RankingData.from_frame(frame, ignore=["title"]).feature_names == ("x", "y")
    with pytest.raises(ltr.DataError, match="no column “titel”"):
        ltr.RankingData.from_frame(frame, ignore="titel")


@pytest.mark.parametrize("missing, least", [("zero", 0), ("query_min", 6)])
def test_gaps_are_filled_as_those_of_files_are(missing, least, tmp_path):
    gaps, y, qid = np.array([[1, np.nan], [np.nan, 4], [5, 6]]), [0, 1, 2], [7, 8, 7]
    wanted = [[1, least], [0, 4], [5, 6]]  # query 8 has no value of the first feature at all
    data = ltr.RankingData(gaps, y, qid, missing=missing)
    assert data.given(data.X).tolist() == wanted
    assert np.isnan(gaps).sum() == 2, "the caller's array is left alone"
    frame = pd.DataFrame(gaps, columns=["f1", "f2"]).assign(grade=y, qid=qid)
    assert ltr.RankingData.from_frame(frame, missing=missing).fingerprint == data.fingerprint
    frame.to_csv(tmp_path / "x.csv", index=False)
    assert (ltr.load(tmp_path / "x.csv", missing=missing).X == data.X).all()


def test_gaps_are_refused_unless_asked_for_and_infinity_always():
    with pytest.raises(ltr.DataError, match="missing="):
        ltr.RankingData([[np.nan]], [1], [1])
    with pytest.raises(ltr.DataError, match="is inf"):
        ltr.RankingData([[np.nan], [np.inf]], [1, 1], [1, 1], missing="zero")
    with pytest.raises(ltr.ParameterError, match="missing = 'mean'"):
        ltr.RankingData([[1.0]], [1], [1], missing="mean")


def test_swapped_grades_and_query_ids_are_noticed():
    data = ltr.datasets.make("cubic", n_queries=40, n_docs=10, n_features=3)
    with pytest.warns(UserWarning, match="Are y and qid swapped.*40 values"):
        ltr.RankingData(data.X, 10_000.0 + data.qid, data.y)
    with pytest.warns(UserWarning, match="swapped"):
        ltr.MPBoost(n_rounds=1).fit(data.X, data.qid, qid=data.y)
    ltr.RankingData(data.X, data.y, data.qid)  # a warning would be an error
    rng = np.random.default_rng(0)
    shuffled = rng.permutation(data.n_docs)
    ltr.RankingData(data.X[shuffled], data.y[shuffled], data.qid[shuffled])


def test_html_says_what_a_set_holds():
    html = ltr.RankingData(X, DATA.y, DATA.qid, name="<mine>")._repr_html_()
    assert "&lt;mine&gt;" in html and "6 (3 to 3 a query)" in html and "0, 1, 2" in html
