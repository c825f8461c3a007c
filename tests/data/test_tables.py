"""CSV, TSV and Parquet."""

import bz2
import gzip
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.data.reading import table_text

CSV = b"grade,qid,docid,bm25,age\n2,1,a,0.5,1\n0,2,b,1,2\n1,1,c,-3e2,3\n"


def assert_as_expected(data):
    assert data.y.tolist() == [2, 1, 0]
    assert data.qid.tolist() == [1, 1, 2]
    assert data.order.tolist() == [0, 2, 1]
    assert data.X.tolist() == [[0.5, 1], [-300, 3], [1, 2]]
    assert data.feature_names == ("bm25", "age")
    assert data.doc_ids.tolist() == ["a", "c", "b"]


def as_parquet(frame):
    out = io.BytesIO()
    frame.to_parquet(out)
    return out.getvalue()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
def test_csv_and_tsv(end, start):
    text = start + CSV.replace(b"\n", end)
    assert_as_expected(ltr.load(text, name="x.csv"))
    assert_as_expected(ltr.load(text.rstrip(), name="x.csv"))
    assert_as_expected(ltr.load(text.replace(b",", b"\t"), name="x.tsv"))
    assert_as_expected(ltr.load(start + b"\n" + CSV.replace(b"\n", b"\n\n"), name="x.csv"))


@pytest.mark.parametrize("name", ["upload", "x.data", "y"])
def test_tables_under_another_name_are_recognised(name):
    assert_as_expected(ltr.load(CSV, name=name))
    assert_as_expected(ltr.load(CSV.replace(b",", b"\t"), name=name))
    assert_as_expected(ltr.load(as_parquet(pd.read_csv(io.BytesIO(CSV))), name=name))


def test_compressed_tables(tmp_path):
    packed = {
        "gz": gzip.compress(CSV),
        "bz2": bz2.compress(CSV),
        "zst": pa.compress(CSV, "zstd", asbytes=True),
    }
    for suffix, raw in packed.items():
        path = tmp_path / f"set.csv.{suffix}"
        path.write_bytes(raw)
        data = ltr.load(path)
        assert_as_expected(data)
        assert data.name == "set"
    assert_as_expected(ltr.load(gzip.compress(as_parquet(pd.read_csv(io.BytesIO(CSV)))), name="x.parquet.gz"))


@pytest.mark.parametrize("grade", ["grade", "label", "relevance", "Label"])
@pytest.mark.parametrize(
    ("qid", "doc"), [("qid", "docid"), ("query_id", "doc_id"), ("QUERY", "document"), ("qid", "docno")]
)
def test_names_of_columns(grade, qid, doc):
    header = f"{grade},{qid},{doc},bm25,age\n".encode()
    assert_as_expected(ltr.load(header + CSV.partition(b"\n")[2], name="x.csv"))


def test_columns_in_any_order_and_quoted():
    text = b'"age", bm25 ,"docid","qid","grade"\n"1",0.5,"a, ""b""",1,"2"\n 2 ,1,"two\nlines",2,0\n'
    data = ltr.load(text, name="x.csv")
    assert data.feature_names == ("age", "bm25") and data.X.tolist() == [[1, 0.5], [2, 1]]
    assert data.doc_ids.tolist() == ['a, "b"', "two\nlines"] and data.y.tolist() == [2, 0]


def test_query_ids_are_numbers_where_all_are():
    assert ltr.load(b"grade,qid,a\n1, 7,1\n1,7.0,1\n1,-3,1\n", name="x.csv").qid.tolist() == [7, 7, -3]
    data = ltr.load(b"grade,qid,a\n1,red shoes,1\n1,7,1\n0,red shoes,2\n", name="x.csv")
    assert data.qid.tolist() == ["red shoes", "red shoes", "7"]
    assert ltr.load(b"grade,qid,a\n1,1e3,1\n1,NA,1\n", name="x.csv").qid.tolist() == ["1e3", "NA"]


def test_columns_can_be_ignored():
    text = b"grade,qid,title,a\n1,1,big red,2\n"
    with pytest.raises(ltr.DataError, match="ignore"):
        ltr.load(text, name="x.csv")
    assert ltr.load(text, name="x.csv", ignore=["title"]).feature_names == ("a",)
    assert ltr.load(text, name="x.csv", ignore="title").feature_names == ("a",)
    with pytest.raises(
        ltr.DataError, match="no column “b” to ignore; choose|no column “b” to ignore. Choose"
    ):
        ltr.load(text, name="x.csv", ignore=["b"])
    frame = pd.DataFrame({"grade": [1], "qid": [1], "title": ["x"], "a": [1.0]})
    assert ltr.load(as_parquet(frame), ignore=["title"]).feature_names == ("a",)


@pytest.mark.parametrize("word", ["", "NULL", "null", "NaN", "nan", "NA", "n/a", "NuLl"])
def test_missing_cells(word):
    text = f"grade,qid,a,b\n1,1,{word},5\n1,1,3,{word}\n1,2,{word},{word}\n".encode()
    with pytest.raises(ltr.DataError, match="missing") as caught:
        ltr.load(text, name="x.csv")
    assert (caught.value.line, caught.value.column) == (2, "a")
    assert ltr.load(text, name="x.csv", missing="zero").X.tolist() == [[0, 5], [3, 0], [0, 0]]
    assert ltr.load(text, name="x.csv", missing="query_min").X.tolist() == [[3, 5], [3, 5], [0, 0]]


def test_missing_values_in_parquet():
    frame = pd.DataFrame({"grade": [1, 1, 1], "qid": [1, 1, 2], "a": [None, -3.0, None], "b": [5, 7, 8]})
    for raw in (as_parquet(frame), as_parquet(frame.astype({"a": "Float32"}))):
        assert ltr.load(raw, missing="zero").X[:, 0].tolist() == [0, -3, 0]
        assert ltr.load(raw, missing="query_min").X[:, 0].tolist() == [-3, -3, 0]


cells = st.one_of(
    st.floats(-1e30, 1e30).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from(
        ["+1", ".5", "5.", "1e-400", "1E5", " 7 ", '"8"', "-0.0", "16777217", "", "NaN", "inf", "x", "1e39"]
    ),
)


@settings(max_examples=120, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(["1", "2", "q", ""]), cells, cells), max_size=8
    ),
    missing=st.sampled_from(["error", "zero", "query_min"]),
)
def test_both_ways_of_reading_agree(rows, missing):
    text = "grade,qid,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)

    def read():
        try:
            data = ltr.load(text.encode(), name="x.csv", missing=missing)
            return data.fingerprint, data.qid.tolist(), data.X.tobytes()
        except ltr.DataError as error:
            return str(error)

    fast = read()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_text, "_read_fast", lambda *_: None)
        slow = read()
    assert fast == slow
    usable = [
        row for row in rows if row[1] and all(cell not in ("", "NaN", "inf", "x", "1e39") for cell in row)
    ]
    if rows and len(usable) == len(rows):
        values = [[np.float32(float(cell.strip('"'))) for cell in row[2:]] for row in rows]
        assert ltr.load(text.encode(), name="x.csv").n_docs == len(rows)
        data = ltr.load(text.encode(), name="x.csv")
        assert data.X.tobytes() == np.array(values, np.float32)[data.order].tobytes()


def test_kinds_of_parquet_columns():
    frame = pd.DataFrame(
        {
            "relevance": np.array([0, 3], np.int8),
            "query_id": np.array([5.0, 6.0]),
            "document": [10, 11],
            "flag": [True, False],
            "whole": np.array([2**60 + 1, -7], np.int64),
            "small": np.array([1, 255], np.uint8),
            "half": np.array([0.5, 2.0], np.float16),
        },
        index=[7, 9],
    )
    data = ltr.load(as_parquet(frame), name="x.parquet")
    assert data.feature_names == ("flag", "whole", "small", "half")
    assert data.X.tolist() == [[1, float(np.float32(2.0**60)), 1, 0.5], [0, -7, 255, 2]]
    assert data.qid.tolist() == [5, 6] and data.doc_ids.tolist() == ["10", "11"]
    texts = frame.assign(query_id=pd.Categorical(["b", "a"]))
    assert ltr.load(as_parquet(texts)).qid.tolist() == ["b", "a"]


def test_number_of_features_must_be_the_one_announced():
    assert ltr.load(CSV, name="x.csv", n_features=2).n_features == 2
    with pytest.raises(ltr.DataError, match="2 feature columns, 3 were announced"):
        ltr.load(CSV, name="x.csv", n_features=3)


def test_a_table_of_blank_lines_is_told_as_such():
    with pytest.raises(
        ltr.DataError, match="there are blank lines only. Load a file with its columns' names"
    ):
        ltr.load(b"\n\n", name="x.csv")
