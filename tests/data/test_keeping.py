"""What was read from a large file is kept beside it, and used again unless either is not what it was."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data import is_kept, kept_sets, loading, open_kept
from ltr_core.data.keeping import arrays, content, kept
from ltr_core.engines.binning import bins
from tests.sources import ROOT

TEXT = "2 qid:7 1:0.5 2:1 # docid = a\n0 qid:9 1:1.5 2:3\n1 qid:7 1:-1 2:2 #docid = b\n1 qid:9 1:0.25 2:4\n"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file, every one being large, that was not changed a moment ago."""
    monkeypatch.setattr(kept_sets, "_LARGE_FILE", 0)
    monkeypatch.setattr(kept_sets, "_LARGE", 0)
    monkeypatch.setattr(content, "_SETTLED", -1)
    monkeypatch.delenv(kept.VARIABLE, raising=False)
    path = tmp_path / "train.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def reads(monkeypatch):
    """Which files were read, not mapped."""
    done = []
    read = loading._read
    monkeypatch.setattr(loading, "_read", lambda source, *rest: (done.append(source), read(source, *rest))[1])
    return done


def same(one, other):
    assert all((getattr(one, name) == getattr(other, name)).all() for name in ("X", "y", "qid", "offsets"))
    assert (one.order == other.order).all() and list(one.doc_ids) == list(other.doc_ids)
    assert (one.feature_names, one.name, one.named) == (other.feature_names, other.name, other.named)
    assert one.fingerprint == other.fingerprint
    return True


def things(file, ending="data"):
    return sorted((file.parent / kept.FOLDER).glob(f"*.{ending}"))


def test_a_file_is_read_once(file, reads, monkeypatch):
    first, again = ltr.load(file), ltr.load(file)
    assert len(reads) == 1 and same(first, again)
    monkeypatch.setenv(kept.VARIABLE, "off")
    assert same(again, ltr.load(file))
    assert not again.X.flags.writeable


def test_small_files_leave_nothing_beside_them(file, monkeypatch):
    monkeypatch.setattr(kept_sets, "_LARGE", 1000)
    ltr.load(file)
    assert [path.name for path in file.parent.iterdir()] == ["train.txt"]


def test_nothing_is_kept_where_it_is_switched_off(file, reads, monkeypatch):
    monkeypatch.setenv(kept.VARIABLE, "0")
    ltr.load(file), ltr.load(file)
    assert len(reads) == 2 and not (file.parent / kept.FOLDER).exists()


def test_another_folder_can_be_named(file, reads, monkeypatch, tmp_path):
    monkeypatch.setenv(kept.VARIABLE, str(tmp_path / "elsewhere"))
    ltr.load(file), ltr.load(file)
    assert len(reads) == 1 and not (file.parent / kept.FOLDER).exists()


def test_a_changed_file_of_the_same_size_and_date_is_read_anew(file, reads):
    ltr.load(file)
    before = file.stat()
    with open(file, "r+b") as stream:
        stream.write(b"3")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size and file.stat().st_mtime_ns == before.st_mtime_ns
    assert ltr.load(file).y[0] == 3 and len(reads) == 2
    assert len(things(file)) == 1, "what nobody can ask for any more is deleted"


def test_a_file_that_changed_a_moment_ago_is_hashed_again(file, reads, monkeypatch):
    monkeypatch.setattr(content, "_SETTLED", 10**12)
    hashed, hash_file = [], kept_sets.hash_file
    monkeypatch.setattr(kept_sets, "hash_file", lambda path: (hashed.append(path), hash_file(path))[1])
    ltr.load(file), ltr.load(file)
    assert len(hashed) == 2 and len(reads) == 1


def test_a_moved_file_is_known_by_its_content(file, reads):
    ltr.load(file)
    copy = file.with_name("copy")
    copy.mkdir()
    (file.parent / kept.FOLDER).rename(copy / kept.FOLDER)
    file.rename(copy / "other.txt")
    assert ltr.load(copy / "other.txt").name == "other" and len(reads) == 1
    (copy / "other.txt").rename(copy / "other.csv")
    with pytest.raises(ltr.DataError):
        ltr.load(copy / "other.csv")


def test_a_file_that_changes_while_it_is_read_is_not_kept(file, monkeypatch):
    read = loading._read

    def slow(*given):
        data = read(*given)
        file.write_text(TEXT.replace("2 qid:7", "4 qid:7"))
        return data

    monkeypatch.setattr(loading, "_read", slow)
    assert ltr.load(file).y[0] == 2
    assert not things(file)


def test_what_is_read_another_way_is_another(file, reads):
    names = [
        ltr.load(file, **how).name for how in ({}, {"name": "mine"}, {"n_features": 5}, {"missing": "zero"})
    ]
    assert names == ["train", "mine", "train", "train"]
    assert len(reads) == 3, "a name is no other way"
    assert ltr.load(file, n_features=5).n_features == 5 and len(reads) == 3
    with pytest.raises(ltr.DataError, match="cells"):
        ltr.load(file, max_cells=3)


def test_sizes_of_queries_in_a_file_beside_are_part_of_what_is_read(file, reads):
    file.write_text(TEXT.replace("qid:7", "").replace("qid:9", ""))
    for sizes in ("1\n3\n", "2\n2\n"):
        file.with_name("train.txt.query").write_text(sizes)
        assert np.diff(ltr.load(file).offsets).tolist() == [int(size) for size in sizes.split()]


@pytest.mark.parametrize("place", [0, 5, 40, 4090, 4096, 4100, -3, None])
def test_what_is_damaged_is_read_anew_and_kept_again(file, reads, place, caplog):
    sound = ltr.load(file)
    (thing,) = things(file)
    raw = bytearray(thing.read_bytes())
    if place is None:
        del raw[len(raw) // 2 + 100 :]
    else:
        raw[place] ^= 1
    thing.unlink()  # the bytes that are mapped stay as they are
    thing.write_bytes(raw)
    is_padding = place == -3
    assert same(sound, ltr.load(file)) and len(reads) == (1 if is_padding else 2)
    assert is_padding or "is read anew" in caplog.text
    assert same(sound, ltr.load(file)) and len(reads) == (1 if is_padding else 2)


@pytest.mark.parametrize(
    "name, value",
    [
        ("offsets", np.array([0, 9, 4])),
        ("offsets", np.array([0, 3, 3, 4])),
        ("y", np.zeros(3)),
        ("X", np.zeros((4, 3), np.float32)),
        ("order", np.array([0, 1, 2, 4])),
        ("id_offsets", np.arange(5) * 9),
    ],
)
def test_arrays_that_lead_beyond_one_another_are_not_believed(file, reads, name, value):
    ltr.load(file)
    (thing,) = things(file)
    facts, held = arrays.read_arrays(thing)
    held = {key: array.copy() for key, array in held.items()}
    arrays.write_arrays(thing, facts, {**held, name: value})
    ltr.load(file)
    assert len(reads) == 2


def test_a_folder_that_takes_no_files_is_read_every_time(file, reads, monkeypatch):
    def refuse(self, *args, **how):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert same(ltr.load(file), ltr.load(file)) and len(reads) == 2


def test_a_full_disk_is_left_alone(file, reads, monkeypatch):
    usage = kept.shutil.disk_usage(file.parent)
    monkeypatch.setattr(kept.shutil, "disk_usage", lambda path: usage._replace(free=10))
    ltr.load(file), ltr.load(file)
    assert len(reads) == 2 and not things(file)


def test_what_was_used_longest_ago_makes_room(file, reads, monkeypatch):
    others = [file.with_name(f"{name}.txt") for name in "abc"]
    for age, path in enumerate(others):
        path.write_text(TEXT.replace("0.5", f"0.{age + 1}"))
        ltr.load(path)
    for thing, age in zip(
        sorted(things(file), key=lambda path: path.stat().st_mtime_ns), (3, 1, 2), strict=True
    ):
        os.utime(thing, (1e9 - age, 1e9 - age))
    monkeypatch.setattr(kept, "MOST_BYTES", 2 * things(file)[0].stat().st_size)
    ltr.load(file)
    assert len(things(file)) == 2
    del reads[:]
    for path in (others[1], others[0]):
        ltr.load(path)
    assert reads == [others[0]]


def test_what_another_version_kept_is_neither_read_nor_left(file, reads, monkeypatch):
    ltr.load(file)
    (old,) = things(file)
    monkeypatch.setattr(kept, "_VERSION", "0123456789")
    ltr.load(file)
    assert len(reads) == 2 and len(things(file)) == 1 and not old.exists()


def test_bins_are_kept_with_the_data(file, monkeypatch):
    made = bins.binned(ltr.load(file))
    monkeypatch.setattr(bins, "bin_features", None)
    again = bins.binned(ltr.load(file))
    assert (again.bins == made.bins).all() and again.bins.dtype == made.bins.dtype
    assert (again.n_bins == made.n_bins).all()
    assert all((a == b).all() for a, b in zip(made.thresholds, again.thresholds, strict=True))
    with pytest.raises(TypeError):
        bins.binned(ltr.load(file), max_bins=2)


def test_damaged_bins_are_made_anew(file):
    made = bins.binned(ltr.load(file))
    (thing,) = (path for path in things(file, "*") if ".bins" in path.name)
    facts, held = arrays.read_arrays(thing)
    arrays.write_arrays(thing, facts, {**held, "bins": held["bins"] + np.uint8(200)})
    assert (bins.binned(ltr.load(file)).bins == made.bins).all()
    thing.write_bytes(thing.read_bytes()[:5000])
    assert (bins.binned(ltr.load(file)).bins == made.bins).all()


def test_names_and_parts_stay_beside_their_bins_and_what_is_cut_does_not(file):
    data = ltr.load(file)
    assert data.kept is not None and data.as_part().kept is data.with_names(["a", "b"]).kept is data.kept
    assert data.select([0]).kept is None and data.with_features(data.X + 1).kept is None
    assert is_kept(data.kept) and same(open_kept(data.kept), data)
    assert pickle.loads(pickle.dumps(data)).kept == data.kept
    things(file)[0].unlink()
    assert not is_kept(data.kept)
    with pytest.raises(OSError):
        open_kept(data.kept)


def test_models_are_the_same_whether_data_were_kept_or_not(file, monkeypatch):
    ltr.load(file)
    mapped = ltr.load(file)
    monkeypatch.setenv(kept.VARIABLE, "off")
    plain = ltr.load(file)
    assert plain.kept is None and mapped.kept is not None
    for cls in (ltr.MPBoost, ltr.LambdaMART):
        scores = [cls(random_state=0).fit(data).predict(data) for data in (mapped, plain)]
        assert (scores[0] == scores[1]).all()


_LOADS = """
import sys
from ltr_core.data import kept_sets
kept_sets._LARGE_FILE = kept_sets._LARGE = 0
import ltr_core as ltr
for _ in range(20):
    print(ltr.load(sys.argv[1]).fingerprint)
"""


def test_processes_that_keep_the_same_at_once_do_not_disturb_each_other(file):
    command = [sys.executable, "-c", _LOADS, str(file)]
    running = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    told = [process.communicate()[0].split() for process in running]
    assert [process.returncode for process in running] == [0, 0, 0]
    assert {word for words in told for word in words} == {
        ltr.load(TEXT.encode(), name="train.txt").fingerprint
    }
    assert len(things(file)) == 1 and not list((file.parent / kept.FOLDER).glob(".*"))
