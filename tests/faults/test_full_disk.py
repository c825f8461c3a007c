"""A disk that is full after so many bytes, for everything that is written: a sentence, and nothing half."""

from __future__ import annotations

import io
import resource
import signal
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ltr_core as ltr
from ltr_core.cli import output
from ltr_core.papers import Result
from pages.ui.papers import results
from pages.ui.runs.history import History
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs.store import Store, Training
from pages.ui.session import files
from pages.ui.workers import passing
from tests.sweeps.test_sweep import FOLDS

DATA = ltr.datasets.make("cubic", seed=1, n_queries=20)
SPECS = [RunSpec(DataSpec("cubic", seed=n), recipe_of("MPBoost", {"n_rounds": 3})) for n in (1, 2)]


@contextmanager
def full_after(n_bytes: int):
    """Let every file be full after so many bytes, for whoever writes: what does not fit is not written."""
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN  # Python's own choice: an OSError instead
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="module")
def model():
    return ltr.MPBoost(n_rounds=3).fit(DATA, eval_set={"valid": DATA, "test": DATA})


def trained(model, spec=SPECS[0]):
    return Training(spec, model, 0.25, "measure('ndcg@10')")


def left_in(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


WRITERS = {
    "m.json": lambda path, model: model.save(path),
    "x.csv": lambda path, _: output.write_csv(str(path), pd.DataFrame({"a": np.arange(5000)})),
    **{
        f"d{suffix}": lambda path, _: ltr.save(DATA, path)
        for suffix in (".txt", ".txt.gz", ".txt.bz2", ".txt.zst", ".csv", ".parquet", ".csv.zst")
    },
    "upload.txt": lambda path, _: files.keep(io.BytesIO(b"1 qid:1 1:1\n" * 500), path.parent, path.name),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_is_whole_or_as_it_was(name, model, tmp_path):
    write, path = WRITERS[name], tmp_path / name
    write(path, model)
    whole = path.stat().st_size
    for before in (b"what was there", None):
        for n_bytes in sorted({0, 1, 100, whole // 2, whole - 1}):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)
            with pytest.raises(ltr.DataError, match=r"written|no place") as told, full_after(n_bytes):
                write(path, model)
            assert name in str(told.value) and "large" in str(told.value)
            assert left_in(tmp_path) == ({} if before is None else {name: before})
    with full_after(whole):
        write(path, model)
    assert path.stat().st_size == whole


@pytest.mark.parametrize("n_bytes", [0, 1, 300, 700])
def test_the_run_store_and_the_history_go_on_in_memory(n_bytes, model, tmp_path):
    store = Store(tmp_path)
    store.put(trained(model))
    kept = left_in(tmp_path)
    with full_after(n_bytes):
        store.put(trained(model, SPECS[1]))
        assert "large" in store.problem
        with pytest.raises(ltr.DataError, match="The workspace cannot be kept .* Make room"):
            store.history.save("mine", "x" * 4000)
        with pytest.raises(ltr.DataError, match="What was said of the run cannot be kept"):
            store.history.mark(SPECS[0].key, note="x" * 400, name="y" * 400)
    now = {name: content for name, content in left_in(tmp_path).items() if SPECS[1].key not in name}
    assert {**now, **kept} == {**now} and not any(name.endswith(".tmp") for name in now)
    assert store.get(SPECS[1]) is not None and Store(tmp_path).get(SPECS[1]) is None
    store.put(trained(model, SPECS[1]))
    assert not store.problem and Store(tmp_path).get(SPECS[1]) is not None
    assert {past.key for past in History(tmp_path).runs()} == {spec.key for spec in SPECS}


def test_a_sweep_keeps_what_was_finished_and_goes_on_from_there(tmp_path):
    path, space = tmp_path / "s.jsonl", {"lam": [0.2, 0.5, 1.0, 2.0]}
    how = {"fixed": {"n_rounds": 5}, "n_workers": 1}
    wanted = ltr.sweep("MPBoost", space, FOLDS[0], store=path, **how)
    lines = path.read_bytes().splitlines(keepends=True)
    for n_lines, more in ((0, 10), (1, 0), (3, 50), (7, 300)):
        path.unlink()
        n_bytes, said = sum(map(len, lines[:n_lines])) + more, "the sweep cannot be kept there .*large"
        with pytest.raises(ltr.DataError, match=said), full_after(n_bytes):
            ltr.sweep("MPBoost", space, FOLDS[0], store=path, **how)
        held = path.read_bytes()
        assert held.count(b"\n") >= n_lines - 1 and held[-1:] in (b"", b"\n"), "whole lines"
        again = ltr.sweep("MPBoost", space, FOLDS[0], store=path, **how)
        assert again.chosen == wanted.chosen and again.curves.equals(wanted.curves)


def test_data_go_to_workers_without_files(tmp_path, monkeypatch):
    monkeypatch.setattr(passing, "_SMALL", 0)
    monkeypatch.setattr(passing, "folder_of", lambda _: tmp_path / "data-1")
    for n_bytes in (0, 100, DATA.X.nbytes):
        with full_after(n_bytes):
            handles = passing.hand_over((DATA,), 1)
        (there,) = passing.receive(handles)
        assert np.array_equal(there.X, DATA.X) and there.fingerprint == DATA.fingerprint
        assert not list(tmp_path.rglob("*.tmp"))


def test_an_exhibits_result_is_kept_in_memory(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(results, "_path", lambda key: tmp_path / f"{key}.json")
    monkeypatch.setattr(results, "_prune", lambda but: None)
    held = results.Held(Result((), ()), 1.5)
    with full_after(10):
        results._write("one", held)
    assert "kept in memory only" in caplog.text and not left_in(tmp_path)
    results._write("one", held)
    assert results._read("one") == held
