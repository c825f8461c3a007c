"""Data sets found in a folder."""

from __future__ import annotations

import gzip

import pytest

import ltr_core as ltr
from ltr_core.datasets import found

LINE = "1 qid:1 1:0.5\n0 qid:1 1:0.25\n"


def _write(folder, *names, text=LINE):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _fold(*numbers, of="", names=("train.txt", "vali.txt", "test.txt")):
    return [f"{of}Fold{number}/{name}" for number in numbers for name in names]


def test_folders_folds_and_files_are_found(tmp_path):
    _write(tmp_path, *_fold(1, 2, 10, of="letor/"))
    _write(tmp_path, "split/trainingset.TXT", "split/validationset.txt", "split/testset.txt")
    _write(tmp_path, "one.csv", text="grade,qid,a\n1,1,2\n")
    _write(tmp_path, "two.letor")
    (tmp_path / "three.txt.gz").write_bytes(gzip.compress(LINE.encode()))
    _write(tmp_path, *_fold(1, of="deep/er/MQ/"))
    entries = {entry.name: entry for entry in found(tmp_path)}
    assert list(entries) == ["deep/er/MQ", "letor", "one.csv", "split", "three.txt.gz", "two.letor"]
    assert [entry.kind for entry in entries.values()] == ["folds", "folds", "file", "split", "file", "file"]
    assert [fold.name for fold in entries["letor"].folds] == ["Fold1", "Fold2", "Fold10"]
    assert all(entry.problem == "" and entry.summary.endswith(".") for entry in entries.values())
    assert entries["one.csv"].load().n_docs == 1
    assert entries["three.txt.gz"].load().n_docs == 2
    assert [part.n_docs for part in entries["split"].load_fold()] == [2, 2, 2]
    assert [part.n_docs for part in entries["letor"].load_fold(3)] == [2, 2, 2]


def test_what_is_not_data_is_passed_over(tmp_path):
    _write(tmp_path, ".cache/run.txt", *_fold(1, of=".cache/"), "_old/train.txt", "README.md", "README.txt")
    _write(tmp_path, "scores.json", "empty/notes/readme.txt", ".hidden.txt")
    assert found(tmp_path) == []
    assert found(tmp_path / "nowhere") == []


def test_files_of_a_found_folder_are_not_sets_of_their_own(tmp_path):
    _write(tmp_path, "a/train.txt", "a/vali.txt", "a/test.txt", "a/extra/train.txt")
    assert [entry.name for entry in found(tmp_path)] == ["a"]


def test_a_link_is_followed(tmp_path):
    _write(tmp_path, *_fold(1, 2, of="elsewhere/MQ2008/"))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine").symlink_to(tmp_path / "elsewhere" / "MQ2008")
    (entry,) = found(tmp_path / "data")
    assert (entry.name, entry.kind, len(entry.folds)) == ("mine", "folds", 2)


def test_a_folder_that_links_to_itself_ends(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    _write(tmp_path, "a.txt")
    assert "a.txt" in [entry.name for entry in found(tmp_path)]


@pytest.mark.parametrize("names", [_fold(1, of="set/")[:2], ["set/train.txt", "set/vali.txt"]])
def test_a_set_that_lacks_a_file_says_so(tmp_path, names):
    _write(tmp_path, *names)
    (entry,) = found(tmp_path)
    assert "no test file" in entry.problem
    assert entry.summary == entry.problem
    with pytest.raises(ltr.DataError):
        entry.load_fold()


def test_a_set_without_a_validation_file_is_one(tmp_path):
    two = "0 qid:1 1:1\n0 qid:2 1:1\n"
    _write(tmp_path, "set/train.txt", "set/test.txt", text=two)
    (entry,) = found(tmp_path)
    assert entry.lacks_valid and not entry.problem and "no file to validate with" in entry.summary
    with pytest.raises(ltr.DataError, match="no valid file"):
        entry.load_fold()
    assert [part.n_queries for part in entry.load_fold(valid="cut")] == [1, 1, 2]


def test_mq2008_is_found(letor_dir):
    entry = next(entry for entry in found(letor_dir) if entry.name == "MQ2008")
    assert [fold.name for fold in entry.folds] == [f"Fold{k}" for k in range(1, 6)]
