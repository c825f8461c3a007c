"""Splits and folds by query, and LETOR's folders."""

import gzip
import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ltr_core as ltr
from ltr_core.data import find_folds


def make(n_queries, seed=0, texts=False):
    """A set of queries of 1 to 4 documents, whose rows are in random order."""
    rng = np.random.default_rng(seed)
    qid = rng.permutation(np.repeat(np.arange(n_queries) * 7 % 1009, rng.integers(1, 5, n_queries)))
    X = np.stack([qid, rng.random(len(qid))], axis=1)
    return ltr.RankingData(X, rng.integers(0, 3, len(qid)), qid.astype(str) if texts else qid, name="made")


def queries_of(part):
    return set(part.query_ids.tolist())


@settings(max_examples=50, deadline=None)
@given(
    n=st.integers(3, 60), seed=st.integers(0, 5), sizes=st.lists(st.integers(1, 9), min_size=1, max_size=3)
)
def test_split_gives_each_query_to_one_part(n, seed, sizes):
    data = make(n)
    fractions = [size / sum(sizes) for size in sizes]
    parts = ltr.split(data, fractions, seed=seed)
    assert len(parts) == len(fractions)
    assert sorted(q for part in parts for q in part.query_ids) == sorted(data.query_ids)
    assert sum(part.n_docs for part in parts) == data.n_docs
    for part, fraction in zip(parts, fractions, strict=True):
        assert part.n_queries >= 1
        assert abs(part.n_queries - fraction * n) < max(len(parts), 2)
        assert (part.X[:, 0] == part.qid).all()


def test_split_is_random_by_seed_and_named():
    data = make(50)
    train, valid, test = ltr.split(data)
    assert (train.n_queries, valid.n_queries, test.n_queries) == (30, 10, 10)
    assert [part.name for part in (train, valid, test)] == ["made train", "made valid", "made test"]
    assert [p.fingerprint for p in ltr.split(data, seed=0)] == [p.fingerprint for p in (train, valid, test)]
    assert queries_of(ltr.split(data, seed=1)[0]) != queries_of(train)


@pytest.mark.parametrize("texts", [False, True])
def test_order_of_queries_in_a_file_changes_nothing(texts):
    data = make(40, texts=texts)
    other = data.select(np.random.default_rng(5).permutation(data.n_queries))
    for ours, theirs in zip(ltr.split(data), ltr.split(other), strict=True):
        assert ours.fingerprint == theirs.fingerprint
    for ours, theirs in zip(ltr.folds(data), ltr.folds(other), strict=True):
        assert [part.fingerprint for part in ours] == [part.fingerprint for part in theirs]


@pytest.mark.parametrize(
    "fractions", [(), (0.5, 0.6), (0.5, 0.2), (1.5, -0.5), (1.0, 0.0), (float("nan"), 1.0)]
)
def test_fractions_must_add_up(fractions):
    with pytest.raises(ltr.ParameterError, match="Fractions"):
        ltr.split(make(10), fractions)


def test_too_few_queries_for_a_split():
    with pytest.raises(ltr.DataError, match="2 queries cannot be split into 3 parts"):
        ltr.split(make(2))
    assert [p.n_queries for p in ltr.split(make(3), (0.98, 0.01, 0.01))] == [1, 1, 1]


@settings(max_examples=30, deadline=None)
@given(n=st.integers(3, 7), more=st.integers(0, 20), seed=st.integers(0, 3))
def test_folds_test_and_validate_on_each_query_once(n, more, seed):
    data = make(n + more)
    made = ltr.folds(data, n, seed=seed)
    assert len(made) == n
    everything = sorted(data.query_ids)
    assert sorted(q for _, _, test in made for q in test.query_ids) == everything
    assert sorted(q for _, valid, _ in made for q in valid.query_ids) == everything
    for train, valid, test in made:
        assert sorted([*train.query_ids, *valid.query_ids, *test.query_ids]) == everything
        assert abs(valid.n_queries - test.n_queries) <= 1
        assert train.n_queries >= (n - 2) * (data.n_queries // n)
    # As in LETOR, the next fold's validation part is this one's test part.
    assert queries_of(made[1][1]) == queries_of(made[0][2])


def test_number_of_folds():
    assert len(ltr.folds(make(20))) == 5
    with pytest.raises(ltr.DataError, match="4 queries do not make 5 folds"):
        ltr.folds(make(4))
    for n in (0, 1, 2, 2.5):
        with pytest.raises(ltr.ParameterError, match="3 or more"):
            ltr.folds(make(20), n)


NAMES = [
    ("train.txt", "vali.txt", "test.txt"),
    ("train.txt", "valid.txt", "test.txt"),
    ("trainingset.txt", "validationset.txt", "testset.txt"),
    ("Trainingset.TXT", "VALIDATIONSET.TXT", "TestSet.txt"),
    ("train.dat", "vali.svm", "test.letor"),
]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("form", ["Fold{}", "fold_{}", "FOLD {}"])
def test_folders_of_folds(tmp_path, names, form):
    for i in (1, 2, 10):
        folder = tmp_path / form.format(i)
        folder.mkdir()
        for k, name in enumerate(names):
            (folder / name).write_text(f"{k} qid:{i} 1:{i} {k + 2}:1\n")
        (folder / "README.md").write_text("words")
        (folder / "train.query").write_text("1")
    (tmp_path / "notes.txt").write_text("words")
    loaded = ltr.load_folds(tmp_path)
    assert [train.X[0, 0] for train, _, _ in loaded] == [1, 2, 10]
    for fold in loaded:
        assert [part.y[0] for part in fold] == [0, 1, 2]
        assert [part.n_features for part in fold] == [4, 4, 4]
    assert loaded[0][1].name == f"{tmp_path.name} {form.format(1)} valid"
    assert [fold[0].X[0, 0] for fold in ltr.load_folds(tmp_path, only=[3, 1])] == [10, 1]
    assert len(ltr.load_folds(tmp_path, only=2)) == 1
    with pytest.raises(ltr.DataError, match="no fold 4"):
        ltr.load_folds(tmp_path, only=4)


def test_a_folder_with_the_files_is_one_fold(tmp_path):
    for k, name in enumerate(("train.txt.gz", "vali.txt.gz", "test.txt.gz")):
        (tmp_path / name).write_bytes(gzip.compress(b"%d qid:1 1:1\n" % k))
    ((train, valid, test),) = ltr.load_folds(tmp_path)
    assert (train.y[0], valid.y[0], test.y[0]) == (0, 1, 2)
    assert train.name == f"{tmp_path.name} train"


def test_sparse_parts_get_the_same_features(tmp_path):
    texts = ("1 qid:1 0:5 2:1\n", "1 qid:1 1:2\n", "1 qid:1 4:3\n")
    for name, text in zip(("train.txt", "vali.txt", "test.txt"), texts, strict=True):
        (tmp_path / name).write_text(text)
    ((train, valid, test),) = ltr.load_folds(tmp_path)
    names = ("f0", "f1", "f2", "f3", "f4")
    assert train.feature_names == valid.feature_names == test.feature_names == names
    assert train.X.tolist() == [[5, 0, 1, 0, 0]]
    assert valid.X.tolist() == [[0, 2, 0, 0, 0]]
    assert test.X.tolist() == [[0, 0, 0, 0, 3]]


def test_folds_of_tables_must_have_the_same_columns(tmp_path):
    for name in ("train.csv", "vali.csv", "test.csv"):
        (tmp_path / name).write_text("grade,qid,bm25\n1,1,2\n")
    ((train, _, _),) = ltr.load_folds(tmp_path)
    assert train.feature_names == ("bm25",)
    (tmp_path / "vali.csv").write_text("grade,qid,age\n1,1,2\n")
    with pytest.raises(ltr.DataError, match="not those of train.csv"):
        ltr.load_folds(tmp_path)


def test_what_a_folder_lacks_is_said(tmp_path):
    with pytest.raises(ltr.DataError, match="no such folder"):
        ltr.load_folds(tmp_path / "none")
    (tmp_path / "train.txt").write_text("1 qid:1 1:1\n")
    with pytest.raises(ltr.DataError, match="a file, not a folder"):
        ltr.load_folds(tmp_path / "train.txt")
    with pytest.raises(ltr.DataError, match="no test file.*test.txt"):
        ltr.load_folds(tmp_path)
    shutil.copy(tmp_path / "train.txt", tmp_path / "test.txt")
    with pytest.raises(ltr.DataError, match="no valid file.*vali.txt.*valid=.cut."):
        ltr.load_folds(tmp_path)
    with pytest.raises(ltr.ParameterError, match="'file' or 'cut'"):
        ltr.load_folds(tmp_path, valid="none")
    shutil.copy(tmp_path / "train.txt", tmp_path / "vali.txt")
    assert find_folds(tmp_path)[0].valid == tmp_path / "vali.txt"
    (tmp_path / "valid.txt").write_text("x")
    with pytest.raises(ltr.DataError, match="vali.txt, valid.txt could all be the valid file"):
        ltr.load_folds(tmp_path)
    (tmp_path / "valid.txt").unlink()
    (tmp_path / "test.txt").write_text("1 qid:1 1:x\n")
    with pytest.raises(ltr.DataError, match="test.txt, line 1, column 11"):
        ltr.load_folds(tmp_path)


def test_validation_is_cut_from_training_where_there_is_no_file(tmp_path):
    """A quarter of the training queries by the seed; a fold that has its file keeps it; test is untouched."""
    lines = "".join(f"{i % 3} qid:{i // 2} 1:{i} #docid = d{i}\n" for i in range(40))
    for fold in ("Fold1", "Fold2"):
        (tmp_path / fold).mkdir()
        (tmp_path / fold / "rank.train").write_text(lines)
        (tmp_path / fold / "rank.test").write_text("1 qid:99 3:1\n")
        (tmp_path / fold / "rank.train.query").write_text("2\n" * 20)
    (tmp_path / "Fold2" / "rank.vali").write_text("1 qid:98 1:1\n")
    assert [fold.valid is None for fold in find_folds(tmp_path)] == [True, False]
    (train, valid, test), second = ltr.load_folds(tmp_path, valid="cut", seed=3)
    assert (train.n_queries, valid.n_queries, test.n_queries) == (15, 5, 1)
    assert queries_of(train) | queries_of(valid) == set(range(20)) and train.n_features == 3
    whole = ltr.load(tmp_path / "Fold1" / "rank.train")
    for part, expected in zip((train, valid), ltr.split(whole, (0.75, 0.25), seed=3), strict=True):
        assert part.query_ids.tolist() == expected.query_ids.tolist()
        assert part.doc_ids.tolist() == expected.doc_ids.tolist()
        assert part.order.tolist() == expected.order.tolist()
    assert [part.name.removeprefix(f"{tmp_path.name} Fold1 ") for part in (train, valid, test)] == [
        "train",
        "valid",
        "test",
    ]
    assert [part.n_queries for part in second] == [20, 1, 1]
    assert queries_of(ltr.load_folds(tmp_path, valid="cut", seed=4)[0][1]) != queries_of(valid)


def test_lightgbms_example_has_no_validation_file(letor_dir):
    train, valid, test = ltr.load_folds(letor_dir / "lightgbm", valid="cut")[0]
    assert (train.n_queries, valid.n_queries, test.n_queries) == (151, 50, 50)


def test_missing_values_in_folds(tmp_path):
    for name in ("train.txt", "vali.txt", "test.txt"):
        (tmp_path / name).write_text("1 qid:1 1:NULL\n0 qid:1 1:4\n")
    with pytest.raises(ltr.DataError, match="missing"):
        ltr.load_folds(tmp_path)
    assert ltr.load_folds(tmp_path, missing="query_min")[0][0].X.tolist() == [[4], [4]]


def test_mq2008_folds(letor_dir):
    loaded = ltr.load_folds(letor_dir / "MQ2008")
    assert len(loaded) == 5
    tests = [q for _, _, test in loaded for q in test.query_ids]
    assert len(tests) == len(set(tests)) == 784
    for train, valid, test in loaded:
        assert train.n_docs + valid.n_docs + test.n_docs == 15_211
        assert train.n_features == valid.n_features == test.n_features == 46
