"""`save`: what is written is read back to the last bit."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ltr_core as ltr
from ltr_core.data.writing import letor as writing

SUFFIXES = [
    ".txt",
    ".dat",
    ".txt.gz",
    ".letor.bz2",
    ".svm.zst",
    ".csv",
    ".tsv",
    ".csv.gz",
    ".parquet",
    ".parquet.zst",
    "",
]


def make(**more):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3)).astype(np.float32) * 10.0 ** rng.integers(-40, 38, (30, 3))
    rest = {"qid": np.arange(30) // 4 * 5 - 3, "doc_ids": [f"doc-{i}" for i in range(30)], **more}
    return ltr.RankingData(X, rng.integers(0, 5, 30), **rest)


def assert_same(loaded, data):
    assert loaded.X.tobytes() == data.X.tobytes()
    assert loaded.fingerprint == data.fingerprint
    assert loaded.qid.tolist() == data.qid.tolist()
    assert (loaded.doc_ids is None) == (data.doc_ids is None)
    assert data.doc_ids is None or loaded.doc_ids.tolist() == data.doc_ids.tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "doc_ids", [None, ["a", "x y", "", "ü€", *map(str, range(26))]], ids=["none", "some"]
)
def test_saved_and_loaded_is_the_same(tmp_path, suffix, doc_ids):
    data = make(doc_ids=doc_ids)
    path = tmp_path / f"set{suffix}"
    ltr.save(data, path)
    assert_same(ltr.load(path), data)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@settings(max_examples=60, deadline=None)
@given(
    X=hnp.arrays(
        np.float32,
        (6, 2),
        elements=st.floats(width=32, allow_nan=False, allow_infinity=False, allow_subnormal=True),
    ),
    y=hnp.arrays(np.float64, 6, elements=st.just(0.0) | st.floats(1e-300, 1e300)),
)
def test_any_numbers_survive_text(X, y):
    data = ltr.RankingData(X, y, [1, 1, 2, 2, 2, 3])
    pieces = b"".join(writing.letor_pieces(data, "x.txt"))
    assert_same(ltr.load(pieces, name="x.txt"), data)


def test_a_shortest_text_that_rounds_twice_is_not_used():
    # The one float32 whose shortest decimal, read as a double and then rounded, ends up next door.
    value = np.float32(7.038530691851209e-26)
    assert str(value) == "7.038531e-26" and np.float32(float(str(value))) != value
    data = ltr.RankingData([[value], [-value]], [0, 1], [1, 1])
    assert_same(ltr.load(b"".join(writing.letor_pieces(data, "x.txt")), name="x.txt"), data)


def test_texts_are_as_short_as_they_can_be():
    bits = np.random.default_rng(1).integers(0, 0x7F800000, 20_000).astype(np.uint32)
    packed = writing._pack_floats(bits.view(np.float32))
    raw, ends = packed.text.tobytes().decode(), packed.offsets
    texts = [raw[ends[i] : ends[i + 1]] for i in range(len(bits))]
    with np.errstate(under="ignore"):
        assert (np.array([np.float32(float(text)) for text in texts]).view(np.uint32) == bits).all()
    digits = [text.split("e")[0].replace(".", "").strip("0") for text in texts]
    shortest = [np.format_float_scientific(v).split("e")[0].replace(".", "") for v in bits.view(np.float32)]
    assert digits == [text.strip("0") for text in shortest]


def test_what_the_text_looks_like(tmp_path):
    data = ltr.RankingData(
        np.array([[0.1, -0.0], [1e-7, 16777216.0]]), [2, 0.5], [10, 10], doc_ids=["GX1", "two words"]
    )
    ltr.save(data, tmp_path / "x.txt")
    first, second = (tmp_path / "x.txt").read_text().splitlines()
    assert first == "2 qid:10 1:0.1 2:-0 #docid = GX1"
    assert second.startswith("0.5 qid:10 1:1e-7 2:16777216 #docid = ")


def test_features_counted_from_zero_stay_so(tmp_path):
    data = make(feature_names=["f0", "f1", "f2"])
    ltr.save(data, tmp_path / "x.txt")
    assert_same(ltr.load(tmp_path / "x.txt"), data)


def test_query_ids_that_are_texts_are_numbered_in_text_and_kept_in_tables(tmp_path):
    data = make(qid=np.array([f"query {i // 4}" for i in range(30)]))
    ltr.save(data, tmp_path / "x.csv")
    assert_same(ltr.load(tmp_path / "x.csv"), data)
    ltr.save(data, tmp_path / "x.txt")
    loaded = ltr.load(tmp_path / "x.txt")
    assert loaded.fingerprint == data.fingerprint and loaded.query_ids.tolist() == list(range(1, 9))
    assert "# qid 3 is query 2\n" in (tmp_path / "x.txt").read_text()


def test_names_of_features_survive_in_tables(tmp_path):
    data = make(feature_names=["bm25", "a, b", 'say "x"'])
    for suffix in (".csv", ".tsv", ".parquet"):
        ltr.save(data, tmp_path / f"x{suffix}")
        assert_same(ltr.load(tmp_path / f"x{suffix}"), data)


def test_the_same_data_give_the_same_bytes(tmp_path):
    for suffix in SUFFIXES:
        for name in ("a", "b"):
            (tmp_path / name).mkdir(exist_ok=True)
            ltr.save(make(), tmp_path / name / f"x{suffix}")
        assert (tmp_path / "a" / f"x{suffix}").read_bytes() == (tmp_path / "b" / f"x{suffix}").read_bytes()


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ltr.DataError, match="line end or a quotation mark"):
        ltr.save(make(doc_ids=['a"b', *map(str, range(29))]), tmp_path / "x.txt")
    with pytest.raises(ltr.DataError, match="“label” would be taken"):
        ltr.save(make(feature_names=["a", "label", "c"]), tmp_path / "x.csv")
    with pytest.raises(ltr.DataError, match="no such folder"):
        ltr.save(make(), tmp_path / "none" / "x.txt")
    with pytest.raises(ltr.DataError, match="this is a folder"):
        ltr.save(make(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.txt"
    ltr.save(make(), path)
    before = path.read_bytes()

    def fail(*_):
        yield b"half"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "letor_pieces", fail)
    with pytest.raises(ltr.DataError, match="No space left"):
        ltr.save(make(), path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["x.txt"]


def test_mq2008_survives(letor_dir, tmp_path):
    data = ltr.load(letor_dir / "MQ2008" / "Fold1" / "vali.txt")
    for suffix in (".txt", ".parquet"):
        ltr.save(data, tmp_path / f"x{suffix}")
        assert_same(ltr.load(tmp_path / f"x{suffix}"), data)
