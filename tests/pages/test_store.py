"""The run store: the same bits come back, and nothing that happens to a file is fatal."""

from __future__ import annotations

import json
import os
import time

import numba
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import ltr_core as ltr
from pages.ui.runs import store as store_module
from pages.ui.runs.lru import Lru
from pages.ui.runs.presets import START
from pages.ui.runs.services import services
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs.store import SHIPPED, Store, Training
from pages.ui.runs.training import own_seconds
from tests.dashboard import ROOT, jobs, open_app, settle, text_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def run():
    data = ltr.datasets.make("tiny")
    model = ltr.MPBoost(n_rounds=6).fit(data, eval_set={"valid": data})
    return Training(
        RunSpec(DataSpec("tiny"), recipe_of("MPBoost", {"n_rounds": 6})), model, 0.25, "measure('ndcg@10')"
    )


def entries(store):
    return list(store.folder.iterdir()) if store.folder.exists() else []


def test_a_run_comes_back_from_memory_and_from_disk(run, tmp_path):
    store = Store(tmp_path)
    assert store.get(run.spec) is None
    store.put(run)
    assert store.get(run.spec) is run
    again = Store(tmp_path).get(run.spec)
    assert again is not run and again.seconds == run.seconds and again.watched == run.watched
    data = ltr.datasets.make("tiny")
    assert np.array_equal(again.model.predict(data), run.model.predict(data))
    assert again.model.history_.equals(run.model.history_)
    assert [path.name for path in entries(store)] == [f"{run.key}.json"]  # no temporary file is left


def damage(path, how):
    content = path.read_bytes()
    head, _, body = content.partition(b"\n")
    path.write_bytes(
        {
            "empty": b"",
            "cut": content[: len(content) // 2],
            "one digit": content.replace(b'"n_iter": 6', b'"n_iter": 5'),
            "no head": body,
            "other words": b"hello\n" + body,
            "binary": bytes(range(256)) * 10,
            "another algorithm": rehead(head, body.replace(b'"MPBoost"', b'"GBT"')),
            "no state": rehead(head, json.dumps({**json.loads(body), "state": {}}).encode()),
            "deep": rehead(head, b"[" * 200_000),
        }[how]
    )


def rehead(head, body):
    import hashlib

    rest = head.split(b" ", 1)[1]
    return hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b" " + rest + b"\n" + body


@pytest.mark.parametrize(
    "how",
    [
        "empty",
        "cut",
        "one digit",
        "no head",
        "other words",
        "binary",
        "another algorithm",
        "no state",
        "deep",
    ],
)
def test_a_damaged_entry_is_dropped(run, tmp_path, how):
    Store(tmp_path).put(run)
    (path,) = entries(Store(tmp_path))
    damage(path, how)
    store = Store(tmp_path)
    assert store.get(run.spec) is None
    assert not path.exists()
    store.put(run)
    assert Store(tmp_path).get(run.spec) is not None


def test_another_version_of_the_core_is_not_looked_at(run, tmp_path, monkeypatch):
    Store(tmp_path).put(run)
    monkeypatch.setattr("pages.ui.runs.store.core_version", lambda: "another")
    assert Store(tmp_path).get(run.spec) is None


def test_nothing_of_an_upload_is_written(run, tmp_path):
    store = Store(tmp_path)
    spec = RunSpec(DataSpec("upload/x", stamp="upload upload/x"), run.spec.recipe)
    store.put(Training(spec, run.model, 0.1, run.watched))
    assert store.get(spec) is not None and not entries(store)


def test_what_was_stored_and_not_noted_when_a_server_was_killed_is_noted_at_the_next_start(
    run, tmp_path, monkeypatch
):
    killed, put = Store(tmp_path), Store._write
    monkeypatch.setattr(killed.history, "_settle", lambda waiting: None)
    monkeypatch.setattr(killed, "_write", lambda training: None)
    killed.put(run)  # before it was stored
    assert not Store(tmp_path).history.runs()
    put(killed, run)  # after
    assert [past.key for past in Store(tmp_path).history.runs()] == [run.key]
    killed.put(run)
    (waiting,) = killed.history.runs_folder.glob(".*.waiting")
    next(tmp_path.glob("runs-*/*.json")).unlink()
    os.utime(waiting, (0, 0))  # nobody stores it any more
    Store(tmp_path)
    assert not waiting.exists()


def test_a_disk_that_cannot_be_written_is_no_reason_to_fail(run, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    store = Store(blocked)
    store.put(run)
    assert store.get(run.spec) is run


def test_the_oldest_entries_go_beyond_the_budget(run, tmp_path, monkeypatch):
    store = Store(tmp_path)
    specs = [RunSpec(DataSpec("tiny", seed=seed), run.spec.recipe) for seed in range(4)]
    for age, spec in enumerate(specs):
        store.put(Training(spec, run.model, 0.1, run.watched))
        os.utime(store.folder / f"{spec.key}.json", (1e9 + age, 1e9 + age))
    size = (store.folder / f"{specs[0].key}.json").stat().st_size
    monkeypatch.setattr("pages.ui.runs.store._MAX_BYTES", int(2.5 * size))
    fresh = Store(tmp_path)
    assert [fresh.get(spec) is not None for spec in specs] == [False, False, True, True]


def test_the_shared_cache_keeps_to_its_number_and_its_weight():
    cache = Lru(3, 10.0)
    for key, weight in (("a", 4.0), ("b", 4.0), ("a", 1.0), ("c", 4.0)):
        cache.put(key, key.upper(), weight)
    assert [cache.get(key) for key in "abc"] == ["A", "B", "C"]  # replaced: a weighs 1 now
    cache.get("a")
    cache.put("d", "D")
    assert len(cache) == 3 and cache.get("b") is None  # used longest ago
    assert cache.make("e", lambda: "E", lambda _: 99.0) == "E"
    assert len(cache) == 1 and cache.get("e") == "E"  # alone it may be too heavy
    cache.put("f", "F", 1.0)
    assert cache.get("e") is None and cache.get("f") == "F"


def test_times_are_the_threads_own_and_old_entries_still_load(run, tmp_path):
    store = Store(tmp_path)
    store.put(Training(run.spec, run.model, 44.0, run.watched, own=1.5))
    again = Store(tmp_path).get(run.spec)
    assert (again.seconds, again.comparable_seconds) == (44.0, 1.5)
    path = entries(store)[0]
    path.write_bytes(path.read_bytes().replace(b" 44.0/1.5 ", b" 44.0 ", 1))  # as it was written before
    old = Store(tmp_path).get(run.spec)
    assert old.own is None and old.comparable_seconds == 44.0 and old.watched == run.watched


def test_compiling_and_waiting_are_no_part_of_a_trainings_time():
    started, own = time.perf_counter(), own_seconds()
    time.sleep(0.2)
    fresh = numba.njit(lambda x: x + 1)
    before = time.thread_time()
    assert fresh(1) == 2
    compiled = time.thread_time() - before
    spent = own_seconds() - own
    assert spent < time.perf_counter() - started - 0.2 - 0.9 * compiled + 0.01
    sum(range(200_000))  # work
    assert own_seconds() - own > spent


def test_what_comes_with_this_version_is_shown_at_once_and_compared_with_what_is_trained_here(
    restart, tmp_path
):
    restart(tmp_path / "fresh")
    spec_keys = {path.stem for path in SHIPPED.glob("*.json")}
    assert len(spec_keys) == len(START.runs)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=900).run()
    first = app.session_state["_screen"]
    assert {run.key for run in first.runs} == spec_keys == {run.key for run in first.finished}
    came = {run.key: run.trained for run in first.finished}
    assert all(training.is_shipped for training in came.values()) and "came with this version" in text_of(app)
    assert not jobs(app)  # the page goes first
    services().ready.set()
    settle(app.run())
    app.run()
    now = app.session_state["_screen"]
    for run in now.finished:
        assert not run.trained.is_shipped
        for name, values in run.trained.curves.items():  # an edited formula: `python -m tests.shipped`
            np.testing.assert_allclose(came[run.key].curves[name], values, rtol=1e-9, atol=1e-12)
    assert set(services().store.compared) == spec_keys
    assert "Trained here by now" in text_of(app)
    again = open_app()  # another visitor has not seen them
    assert "Trained here by now" not in text_of(again)


def test_a_damaged_run_of_this_version_is_trained_and_not_deleted(restart, tmp_path, monkeypatch):
    folder = tmp_path / "shipped"
    folder.mkdir()
    for path in SHIPPED.glob("*.json"):
        (folder / path.name).write_bytes(path.read_bytes()[:-5])
    monkeypatch.setattr(store_module, "SHIPPED", folder)
    restart(tmp_path / "fresh")
    app = open_app()
    assert not app.exception and all(
        not run.trained.is_shipped for run in app.session_state["_screen"].finished
    )
    assert len(list(folder.glob("*.json"))) == len(START.runs)
