"""Memory that is short: what waits for it, what is refused, and what gives it back."""

from __future__ import annotations

import subprocess
import sys

import pytest
import streamlit as st

import ltr_core as ltr
from ltr_core import warming
from ltr_core.data.reading import options
from pages.ui.app import jobs_panel, limits
from pages.ui.runs import catalog
from pages.ui.runs.catalog import entries, load, spec_of
from pages.ui.runs.jobs import Runner
from pages.ui.runs.process import room
from pages.ui.runs.status import Status
from pages.ui.runs.warm import WarmUp
from tests.dashboard import ROOT
from tests.pages.test_jobs import Work, wait_for

MB = 1 << 20


@pytest.fixture
def machine(monkeypatch):
    """A server of 1 GB; the dict says how many bytes of it are free."""
    free = {"bytes": 512 * MB}
    monkeypatch.setattr(room, "total_bytes", lambda: 1024 * MB)
    monkeypatch.setattr(room, "free_bytes", lambda: free["bytes"])
    return free


def test_a_part_of_the_memory_stays_free(machine):
    assert room.has_room() and room.has_room(384 * MB) and not room.has_room(385 * MB)
    assert room.most_cells(10) == 10 and room.most_cells(10**9) == 384 * MB // 12
    machine["bytes"] = 100 * MB
    assert not room.has_room() and room.most_cells(10) == 0


def test_where_nobody_knows_what_is_free_there_is_room(monkeypatch):
    monkeypatch.setattr(room, "free_bytes", lambda: None)
    assert room.has_room(1e18) and room.most_cells(10) == 10


def test_a_training_waits_for_the_memory_that_another_has(machine):
    runner, work = Runner(workers=2, room=room.Room()), Work()
    first = runner.submit("a", "A", 9, work, "me")
    wait_for(lambda: first.status == Status.RUNNING)
    machine["bytes"] = 0
    second = runner.submit("b", "B", 9, Work(rounds=1), "you")
    wait_for(lambda: second.lacks_room)
    assert second.status == Status.WAITING
    assert jobs_panel._progress_text(second, runner, False) == "B: waiting for memory"
    machine["bytes"] = 512 * MB
    work.go.set()
    wait_for(lambda: second.is_over)
    assert second.status == Status.DONE and not second.lacks_room


def test_a_training_waits_for_what_compiles(machine):
    machine["bytes"], compiles = 0, [True]
    runner = Runner(workers=1, room=room.Room(others=lambda: bool(compiles)))
    job = runner.submit("a", "A", 9, Work(rounds=1), "me")
    wait_for(lambda: job.lacks_room)
    compiles.clear()
    machine["bytes"] = 512 * MB
    wait_for(lambda: job.status == Status.DONE)


def test_what_waits_only_to_be_quicker_goes_before_anybody_waits(machine):
    def let_go():
        machine["bytes"] = 512 * MB

    asked = room.Room(let_go=let_go)
    machine["bytes"] = 0
    assert not asked.is_awaited(running=True) and machine["bytes"]
    machine["bytes"] = 0
    assert room.Room().is_awaited(running=True)


def test_one_that_is_alone_is_given_what_can_be_made_again(machine):
    def give_back():
        machine["bytes"] = 300 * MB

    machine["bytes"] = 0
    job = Runner(workers=1, room=room.Room(give_back)).submit("a", "A", 9, Work(rounds=1), "me")
    wait_for(lambda: job.is_over)
    assert job.status == Status.DONE


def test_what_can_never_start_is_told_so_in_a_sentence(machine):
    machine["bytes"], work = 3 * MB, Work(rounds=1)
    job = Runner(workers=1, room=room.Room()).submit("a", "A", 9, work, "me")
    wait_for(lambda: job.is_over)
    assert (job.status, work.times) == (Status.FAILED, 0)
    assert job.error.startswith("The server has 3 MB of memory left, too little to work. Try again later")


def test_a_generated_set_is_no_larger_than_what_is_free(machine):
    entry = entries()["cubic"]
    size = {"n_queries": 20, "n_docs": 10, "n_features": 5}
    machine["bytes"] = 128 * MB + 12 * 999
    with pytest.raises(ltr.DataError, match="the server has memory for at most 0.0 million"):
        load(spec_of(entry, size, 0, "split", 0), entry)
    machine["bytes"] += 12
    assert load(spec_of(entry, size, 0, "split", 0), entry).train.n_features == 5


def test_an_upload_is_no_larger_than_what_is_free(machine, tmp_path, monkeypatch):
    path = tmp_path / "mine.txt"
    path.write_text("1 qid:1 1:1 2:3\n" * 6)
    assert catalog.load_upload(path, "error").n_docs == 6
    machine["bytes"] = 128 * MB + 12 * 11
    with pytest.raises(ltr.DataError, match=r"6 documents × 2 features|up to index 2 make a matrix of more"):
        catalog.load_upload(path, "error")
    monkeypatch.setattr(limits, "held_bytes", dict)
    monkeypatch.setattr(limits.ahead, "is_over", lambda: True)
    scope = {"method": "PUT", "path": "/_stcore/upload_file/me/1"}
    for size, status in ((1, None), (200 * MB, 507)):
        assert size < int(st.get_option("server.maxUploadSize")) * MB + MB
        machine["bytes"] = 512 * MB
        with limits.Uploads().coming(scope, {"content-length": str(size)}) as refused:
            assert (refused and refused[0]) == status, size


def test_a_file_is_no_larger_than_what_is_free_in_the_library_either(monkeypatch):
    text = b"grade,qid,a,b\n" + b"1,1,1,3\n" * 6
    monkeypatch.setattr(options, "free_bytes", lambda: 8 * 12)
    assert ltr.load(text, name="x.csv").n_docs == 6
    monkeypatch.setattr(options, "free_bytes", lambda: 8 * 12 - 1)
    with pytest.raises(ltr.DataError, match="more than 11 cells, the most that max_cells and the memory"):
        ltr.load(text, name="x.csv")


def test_what_compiles_ends_when_it_has_grown_and_the_next_goes_on(monkeypatch, capsys):
    taken = []
    steps = [(name, lambda name=name: taken.append(name)) for name in "abc"]
    monkeypatch.setattr(warming, "_steps", lambda: iter(steps))
    monkeypatch.setattr(warming, "_measure", lambda: taken.append("measures"))
    monkeypatch.setattr(warming.threads, "process_gives_way", lambda: None)
    monkeypatch.setattr(warming.data, "own_bytes", lambda: len(taken) * 10)
    with pytest.raises(SystemExit):
        warming.fill_cache(0, 15)
    assert taken == ["measures", "a"]
    assert capsys.readouterr().out.splitlines() == ["0 4 measures", "1 4 a", "2 4 b"]
    warming.fill_cache(2, 25)
    assert taken == ["measures", "a", "b", "c"] and capsys.readouterr().out.splitlines()[-1] == "4 4 "


@pytest.mark.parametrize(("told", "begins"), [([2, 3, 5], [0, 2, 3]), ([2, 2], [0, 2]), ([0], [0])])
def test_one_process_after_another_compiles_until_all_is_done_or_nothing_moves(monkeypatch, told, begins):
    up, seen, told = WarmUp(piece=1), [], iter(told)

    def fill(begin):
        seen.append(begin)
        up._note(next(told), 5, "")

    monkeypatch.setattr(up, "_fill_from", fill)
    up._fill_cache()
    assert seen == begins


@pytest.mark.skipif(sys.platform != "linux", reason="nobody asks other systems for it")
def test_where_memory_runs_out_the_server_is_not_the_first_to_go():
    program = (
        "from ltr_core.threads import process_gives_way; process_gives_way();"
        "print(open('/proc/self/oom_score_adj').read())"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert told.stdout.strip() == "1000", told.stderr
