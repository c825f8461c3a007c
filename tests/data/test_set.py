"""`RankingData`: grouping, selection, counts, fingerprints, refusals."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.data import describe


@settings(max_examples=60, deadline=None)
@given(qid=st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_rows_of_a_query_come_together_in_their_order(qid):
    n = len(qid)
    data = ltr.RankingData(
        np.arange(n)[:, None], np.arange(n), np.array(qid), doc_ids=[str(i) for i in range(n)]
    )
    expected = [i for q in dict.fromkeys(qid) for i in range(n) if qid[i] == q]
    assert data.order.tolist() == expected
    assert data.X[:, 0].tolist() == data.y.tolist() == expected
    assert data.doc_ids.tolist() == [str(i) for i in expected]
    assert data.query_ids.tolist() == list(dict.fromkeys(qid))
    sizes = [qid.count(q) for q in dict.fromkeys(qid)]
    assert data.offsets.tolist() == [0, *np.cumsum(sizes).tolist()]


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_pairs_are_those_of_distinct_grade(rows):
    qid, y = map(np.array, zip(*rows, strict=True))
    data = ltr.RankingData(np.ones((len(y), 1)), y, qid)
    pairs = sum(qid[i] == qid[j] and y[i] > y[j] for i in range(len(y)) for j in range(len(y)))
    assert data.n_pairs == pairs


def test_text_query_ids_keep_their_order():
    data = ltr.RankingData([[1.0], [2.0], [3.0]], [0, 1, 2], ["zoo", "ant", "zoo"])
    assert data.query_ids.tolist() == ["zoo", "ant"]
    assert data.y.tolist() == [0, 2, 1]


@pytest.mark.parametrize("kind", ["Int64", "string", "category", "object", "datetime64[ns]"])
def test_query_ids_of_any_kind_of_column(kind):
    qid = pd.Series([3, 1, 3]).astype(kind)
    data = ltr.RankingData([[1.0], [2.0], [3.0]], [0, 1, 2], qid)
    assert data.y.tolist() == [0, 2, 1] and data.offsets.tolist() == [0, 2, 3]


def test_arrays_cannot_be_written_to():
    data = ltr.RankingData([[1.0]], [1], [1])
    for array in (data.X, data.y, data.qid, data.offsets):
        with pytest.raises(ValueError):
            array[0] = 5


def test_selected_queries_carry_everything():
    data = ltr.RankingData(
        np.arange(12).reshape(6, 2), np.arange(6), [1, 1, 2, 2, 2, 3], ["a", "b"], list("uvwxyz"), "all"
    )
    part = data.select([2, 1])
    assert part.qid.tolist() == [3, 2, 2, 2]
    assert part.y.tolist() == [5, 2, 3, 4]
    assert part.doc_ids.tolist() == list("zwxy")
    assert part.order.tolist() == [5, 2, 3, 4]
    assert part.offsets.tolist() == [0, 1, 4]
    assert part.feature_names == ("a", "b") and part.name == "all"


def test_fingerprint_tells_data_apart():
    rows = dict(X=np.eye(3), y=np.array([0, 1, 2]), qid=np.array([1, 1, 2]))
    base = ltr.RankingData(**rows).fingerprint
    assert ltr.RankingData(**rows).fingerprint == base
    assert ltr.RankingData(**rows, name="x", doc_ids=["a", "b", "c"]).fingerprint == base
    assert ltr.RankingData(**{**rows, "X": np.eye(3) * 2}).fingerprint != base
    assert ltr.RankingData(**{**rows, "y": np.array([0, 1, 1])}).fingerprint != base
    assert ltr.RankingData(**{**rows, "qid": np.array([1, 2, 2])}).fingerprint != base
    assert ltr.RankingData(**rows, feature_names=["p", "q", "r"]).fingerprint != base
    assert ltr.RankingData(**{**rows, "y": np.array([-0.0, 1, 2])}).fingerprint == base


def test_data_frames_give_their_column_names():
    data = ltr.RankingData(pd.DataFrame({"bm25": [1.0, 2.0], "age": [3, 4]}), [0, 1], [1, 1])
    assert data.feature_names == ("bm25", "age")


def test_data_survive_a_journey_to_another_process():
    text = b"1 qid:1 1:2 #docid = a\n0 qid:1 1:1 #docid = b\n"
    data = pickle.loads(pickle.dumps(ltr.load(text, name="x.txt")))
    assert data.doc_ids.tolist() == ["a", "b"] and data.y.tolist() == [1, 0]


def test_features_can_be_exchanged():
    data = ltr.RankingData(np.eye(2), [0, 1], [1, 1], doc_ids=["a", "b"])
    wide = data.with_features(np.ones((2, 3)), ["p", "q", "r"])
    assert wide.n_features == 3 and wide.doc_ids.tolist() == ["a", "b"]
    with pytest.raises(ltr.DataError, match="3 rows of features for 2 documents"):
        data.with_features(np.ones((3, 1)))


@pytest.mark.parametrize(
    ("X", "y", "qid", "more", "words"),
    [
        ([[1.0], [np.nan]], [0, 1], [1, 1], {}, "feature 1 of document 2 is NaN"),
        ([[1.0], [1e39]], [0, 1], [1, 1], {}, "feature 1 of document 2 is 1e"),
        ([[1.0], [2.0]], [0, -1], [1, 1], {}, "grade of document 2 is -1"),
        ([[1.0], [2.0]], [0, np.inf], [1, 1], {}, "grade of document 2 is inf"),
        ([[1.0], [2.0]], [0], [1, 1], {}, "grades have shape"),
        ([[1.0], [2.0]], [0, 1], [1], {}, "qid has shape"),
        ([[1.0], [2.0]], [0, 1], [1, np.nan], {}, "query id of document 2 is missing"),
        ([[1.0], [2.0]], [0, 1], ["a", None], {}, "query id of document 2 is missing"),
        ([[1.0], [2.0]], [0, 1], pd.array([pd.NA, 1], "Int64"), {}, "query id of document 1 is missing"),
        ([[1.0], [2.0]], [0, 1], np.array([{}, ()], object), {}, "neither numbers nor texts"),
        ([[1.0], [2.0]], [0, 1], [[1], [2]], {}, "qid has shape"),
        ([1.0, 2.0], [0, 1], [1, 1], {}, "dimension"),
        ([["a"], ["b"]], [0, 1], [1, 1], {}, "not numbers"),
        (np.empty((0, 1)), [], [], {}, "no document"),
        (np.empty((2, 0)), [0, 1], [1, 1], {}, "no feature"),
        ([[1.0, 2.0]], [0], [1], {"feature_names": ["a", "a"]}, "two features are called “a”"),
        ([[1.0, 2.0]], [0], [1], {"feature_names": ["a"]}, "1 feature names for 2 features"),
        ([[1.0, 2.0]], [0], [1], {"doc_ids": ["a", "b"]}, "2 doc ids for 1 documents"),
    ],
)
def test_what_cannot_be_used_is_said(X, y, qid, more, words):
    with pytest.raises(ltr.DataError, match=words):
        ltr.RankingData(X, y, qid, **more)


def test_description_counts():
    data = ltr.RankingData(
        [[1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [3.0, 5.0]], [0, 2, 1, 1], [7, 7, 8, 8], ["a", "b"]
    )
    facts = describe(data)
    assert (facts["queries"], facts["documents"], facts["features"], facts["pairs"]) == (2, 4, 2, 1)
    assert facts["grades"] == [(0.0, 1), (1.0, 2), (2.0, 1)]
    assert facts["documents_per_query"] == {"min": 2, "median": 2.0, "max": 2}
    assert facts["queries_without_pairs"] == 1
    assert facts["constant_features"] == ["b"]
    assert facts["doc_ids"] is False


def test_description_of_continuous_grades_gives_their_range():
    data = ltr.RankingData(np.arange(50)[:, None], np.arange(50) / 7, np.zeros(50, int))
    facts = describe(data)
    assert facts["grades"] is None and facts["distinct_grades"] == 50
    assert (facts["lowest_grade"], facts["highest_grade"]) == (0.0, 7.0)


def _marked(kind: str):
    """Features with a gap that is marked beside the numbers, not by NaN."""
    values = np.arange(8.0, dtype=np.float32).reshape(4, 2)
    if kind == "masked":
        return np.ma.masked_array(values, values == 3.0)
    frame = pd.DataFrame(values, columns=["a", "b"])
    return frame.mask(frame == 3.0).convert_dtypes(dtype_backend=kind)


@pytest.mark.parametrize("kind", ["masked", "numpy_nullable", "pyarrow"])
def test_a_gap_that_is_marked_beside_the_numbers_is_a_gap(kind):
    X, y, qid = _marked(kind), [0, 1, 0, 1], [1, 1, 1, 1]
    column = "feature 2" if kind == "masked" else "“b”"
    with pytest.raises(ltr.DataError, match=f"{column} of document 2 is NaN"):
        ltr.RankingData(X, y, qid)
    assert ltr.RankingData(X, y, qid, missing="zero").X[1, 1] == 0.0
    assert ltr.RankingData(X, y, qid, missing="query_min").X[1, 1] == 1.0


@pytest.mark.parametrize(
    "what", [["x", "y"], pd.to_datetime([1, 2]), pd.Series(["x", "y"], dtype="category")]
)
def test_a_column_without_numbers_is_named(what):
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": what})
    with pytest.raises(ltr.DataError, match="the column “b” holds no numbers"):
        ltr.RankingData(frame, [0, 1], [1, 1])


def test_a_table_of_arrow_has_the_names_of_its_columns():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert ltr.RankingData(table, [0, 1], [1, 1]).feature_names == ("a", "b")
    wrong = pa.table({"a": [1.0, 2.0], "b": ["x", "y"]})
    with pytest.raises(ltr.DataError, match="the column “b” holds no numbers"):
        ltr.RankingData(wrong, [0, 1], [1, 1])


def test_no_part_of_a_number_is_dropped_in_silence():
    with pytest.raises(ltr.DataError, match="the grades are not numbers"):
        ltr.RankingData([[1.0], [2.0]], np.array([1 + 1j, 0]), [1, 1])
    with pytest.raises(ltr.DataError, match="these are times"):
        ltr.RankingData(np.array([["2020-01-01"]], "datetime64[D]"), [0], [1])
    with pytest.raises(ltr.DataError, match="64 bits"):
        ltr.RankingData([[1.0], [2.0]], [1, 0], [2**70, 2**70])
