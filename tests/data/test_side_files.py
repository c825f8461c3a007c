"""Names of features and texts of queries beside the data; damage there costs a sentence, not the data."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data import is_side_file, read_beside, recognise_features
from ltr_core.data.known_features import KNOWN

LINES = "2 qid:7 1:0.5 2:1 3:2 #docid = a\n0 qid:8 1:0.2 2:0 3:1 #docid = b\n"


@pytest.fixture
def folder(tmp_path):
    for name in ("train.txt", "vali.txt", "test.txt"):
        (tmp_path / name).write_text(LINES)
    return tmp_path


def beside(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("_", ".")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_beside(folder, ltr.load(folder / "train.txt"))


@pytest.mark.parametrize(
    ("file", "text", "names"),
    [
        ("features_txt", "# mine\nBM25\nPage Rank\n\nage, in days\n", ("BM25", "Page Rank", "age, in days")),
        ("features_txt", "3\tage\n1: BM25\r\n2 Page Rank\n", ("BM25", "Page Rank", "age")),
        ("features_txt", "\ufeff1.BM25\n3) age\n", ("BM25", "f2", "age")),
        ("features_csv", 'id,name,note\n2,"Page, Rank",x\n1,BM25,\n3,age,y\n', ("BM25", "Page, Rank", "age")),
        ("features_csv", "name\nBM25\nPage Rank\nage\n", ("BM25", "Page Rank", "age")),
        ("features_json", json.dumps(["BM25", "Page Rank", "age"]), ("BM25", "Page Rank", "age")),
        ("features_json", json.dumps({"f1": "BM25", "3": "age"}), ("BM25", "f2", "age")),
    ],
)
def test_names_are_read(folder, file, text, names):
    told = beside(folder, **{file: text})
    assert told.names == names and told.source == f"from {file.replace('_', '.')}" and not told.problems


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("features_txt", "BM25\n", "features.txt: it has 1 names for 3 features"),
        ("features_txt", "1 BM25\n9 age\n", "names feature 9, and the data have 1 to 3"),
        ("features_txt", "a\na\nb\n", "two features are called “a”"),
        ("features_txt", "1 a\n1 b\n2 c\n", "two lines have the same number"),
        ("features_txt", "", "there is no name in it"),
        ("features_txt", b"a\n\xff\xfe\nb", "features.txt, line 2: this is not UTF-8 text"),
        ("features_json", '["a", 3]', "there are no names in it"),
        ("features_json", '{"a"', "this is no JSON"),
        ("features_json", "[" * 100_000, "this is no JSON"),
        ("queries_tsv", b"7\t\xff", "queries.tsv, line 1: this is not UTF-8 text"),
        ("docs_tsv", "a\ttitle\nb\n", "docs.tsv, line 2: 1 line has no id and text"),
    ],
)
def test_damage_is_a_sentence(folder, file, text, said):
    told = beside(folder, **{file: text})
    (problem,) = told.problems
    assert said in problem and problem.endswith(".") and told.names is None


def test_texts_of_queries_and_documents(folder):
    told = beside(
        folder, queries_tsv="qid\ttext\n7\tgreen tea\r\n8\tblack\ttea\n", docs_tsv="a\tTea\tA leaf.\nb\tPot\n"
    )
    assert told.queries == {"7": "green tea", "8": "black tea"} and not told.problems
    assert told.docs == {"a": ("Tea", "A leaf."), "b": ("Pot", "")}
    assert beside(folder, docs_tsv="a\thttp://x\tTea\tA leaf.\n").docs == {"a": ("Tea", "A leaf.")}


def test_a_single_file_has_its_own(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(LINES)
    (tmp_path / "features.txt").write_text("x\ny\nz\n")
    assert read_beside(path, ltr.load(path)).names == ("x", "y", "z")
    (tmp_path / "mine.features.txt").write_text("a\nb\nc\n")
    assert read_beside(path, ltr.load(path)).names == ("a", "b", "c")
    assert is_side_file(tmp_path / "mine.features.txt") and not is_side_file(path)
    assert [entry.name for entry in ltr.datasets.found(tmp_path)] == ["mine.txt"]


def test_columns_keep_their_names(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("grade,qid,f1,f2\n1,1,0,1\n")
    (tmp_path / "t.features.txt").write_text("a\nb\n")
    told = read_beside(path, ltr.load(path))
    assert told.names is None and not told.problems


@pytest.mark.parametrize("known", KNOWN, ids=lambda one: one.label)
def test_known_sets_are_recognised_by_their_shape(known):
    def made(d, top, names=None):
        y = np.r_[np.arange(top + 1), 0]
        return ltr.RankingData(np.ones((len(y), d)), y, np.zeros(len(y)), feature_names=names)

    d = len(known.names)
    assert len(set(known.names)) == d and recognise_features(made(d, known.top)) == known
    assert recognise_features(made(d, known.top + 1)) is None
    assert recognise_features(made(d + 200, known.top)) is None
    assert recognise_features(made(d, known.top, [f"x{i}" for i in range(d)])) is None


def test_mq2008_has_letors_names(letor_dir):
    train = ltr.load(letor_dir / "MQ2008" / "Fold1" / "train.txt")
    told = read_beside(letor_dir / "MQ2008", train)
    assert told.names[20] == "BM25 of body" and told.names[45] == "child pages" and "LETOR 4.0" in told.source
    # What the names say holds in the data: the IDF of a stream is one number for a query.
    for k in range(5, 10):
        for start, end in zip(train.offsets[:-1], train.offsets[1:], strict=True):
            assert np.ptp(train.X[start:end, k]) == 0
    assert read_beside(letor_dir / "lightgbm", ltr.load(letor_dir / "lightgbm" / "rank.test")).names is None
