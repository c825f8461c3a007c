"""The worker processes: what they are given, what comes back, and what becomes of those that die."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ltr_core as ltr
from ltr_core.data import kept_sets
from ltr_core.measures import NDCG
from ltr_core.sweeps.running.workers import n_cores
from pages.ui.runs.jobs import Runner
from pages.ui.runs.specs import DataSpec, RunSpec, recipe_of
from pages.ui.runs.status import Status
from pages.ui.runs.store import Store
from pages.ui.runs.training import train, work_for
from pages.ui.workers import crew as crew_module
from pages.ui.workers import passing, scratch
from pages.ui.workers.crew import Crew, Lost
from pages.ui.workers.sweeping import CrewMaker
from tests.live import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of its own are for POSIX"),
]


# What the processes are given to do: functions of a module, by name ----------------------------------------


def count_to(sets, n, tell, flag):
    for i in range(n):
        tell(i)
    return n


def until_told(sets, tell, flag):
    tell(os.getpid())
    flag.wait()
    return "stopped"


def deaf(sets, tell, flag):
    tell(os.getpid())
    threading.Event().wait()


def say_wrong(sets, tell, flag):
    raise ltr.ParameterError("Take another one.")


def break_down(sets, tell, flag):
    raise KeyError("secret")


def sums(sets, tell, flag):
    return [[float(data.X.sum()) for data in parts] for parts in sets], os.getpid()


@pytest.fixture(scope="module")
def crew():
    made = Crew(2)
    yield made
    made.close()


@pytest.fixture(scope="module")
def parts():
    return ltr.split(ltr.datasets.make("cubic", seed=1, n_queries=30), (0.6, 0.2, 0.2), seed=0)


def never() -> threading.Event:
    return threading.Event()


def nothing(_) -> None:
    pass


# Work and what comes of it ---------------------------------------------------------------------------------


def test_what_is_told_comes_back_in_order_before_the_answer(crew):
    heard = []
    assert crew.run(count_to, {}, (1000,), heard.append, never()) == 1000
    assert heard == list(range(1000))


class Undone:
    """What can be sent and not be made there again."""

    def __reduce__(self):
        return int, ("nothing",)


def test_what_a_process_cannot_take_ends_it_and_keeps_nobody_waiting(crew):
    with pytest.raises(Lost):
        crew.run(count_to, {}, (Undone(),), nothing, never())
    assert crew.run(count_to, {}, (3,), nothing, never()) == 3


@pytest.mark.parametrize("mapped", [False, True], ids=["over the line", "mapped"])
def test_a_model_of_a_process_is_the_same_to_the_last_bit(crew, parts, monkeypatch, mapped, tmp_path):
    monkeypatch.setattr(passing, "_SMALL", 0 if mapped else 1 << 40)
    recipe, measure, rounds = recipe_of("MPBoost", {"n_rounds": 15}), NDCG(), []
    model, _ = crew.run(train, {("bits", mapped): parts}, (recipe, measure), rounds.append, never())
    here, _ = train([parts], recipe, measure, nothing, never())
    model.save(tmp_path / "there.json")
    here.save(tmp_path / "here.json")
    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()
    assert [info.iteration for info in rounds] == list(range(1, 16))
    assert bool(list(scratch.scratch().glob("data-*"))) == mapped


def test_what_is_kept_beside_a_file_is_mapped_from_there(crew, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_sets, "_LARGE_FILE", 0)
    monkeypatch.setattr(kept_sets, "_LARGE", 0)
    path = tmp_path / "mine.txt"
    ltr.save(ltr.datasets.make("cubic", seed=0, n_queries=20), path)
    data = ltr.load(path)
    named = data.with_names([f"own {name}" for name in data.feature_names])
    (handle,) = passing.hand_over((named,), 1)
    (there,) = passing.receive([handle])
    assert handle[0] == data.kept == there.kept and there.feature_names == named.feature_names
    assert (there.X == data.X).all() and (there.y == data.y).all()
    model, _ = crew.run(
        train, {"kept": (named,) * 3}, (recipe_of("MPBoost", {"n_rounds": 5}), NDCG()), nothing, never()
    )
    assert any(".bins-" in file.name for file in data.kept.folder.iterdir()), "a worker's bins stay"
    data.kept.path("data").unlink()
    assert passing.hand_over((named,), 2)[0][0] is not data.kept


def test_files_go_with_the_last_process_that_has_them(parts, monkeypatch):
    monkeypatch.setattr(passing, "_SMALL", 0)
    monkeypatch.setattr(crew_module, "_HEAVY", 0)  # nobody keeps any
    before = set(scratch.scratch().iterdir())
    crew = Crew(1)
    answer, _ = crew.run(sums, {"one": parts, "two": parts[:1]}, (), nothing, never())
    crew.close()
    assert answer == [[float(data.X.sum()) for data in some] for some in (parts, parts[:1])]
    assert set(scratch.scratch().iterdir()) <= before


def test_a_full_disk_sends_data_over_the_line(crew, parts, monkeypatch, caplog):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(passing, "_SMALL", 0)
    monkeypatch.setattr(passing, "_write", full)
    answer, _ = crew.run(sums, {"full disk": parts}, (), nothing, never())
    assert answer == [[float(data.X.sum()) for data in parts]] and "without a file" in caplog.text


def test_whoever_has_the_data_is_asked_again(crew, parts):
    pids = {crew.run(sums, {"again": parts}, (), nothing, never())[1] for _ in range(4)}
    assert len(pids) == 1


# What is kept ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large():
    """A set of data above what a process keeps in any case."""
    X = np.zeros((crew_module._HEAVY // 200 + 1000, 50), np.float32)
    return (ltr.RankingData(X, np.arange(len(X)) % 3, np.arange(len(X)) // 100),)


def test_large_data_stay_with_their_process_for_the_next_job(large, parts):
    crew = Crew(2, budget=4.0 * large[0].X.nbytes)
    try:
        assert crew.keeps(large[0].X.nbytes)
        first = crew.run(sums, {"large": large}, (), nothing, never())[1]
        other = crew.run(sums, {"small": parts}, (), nothing, never())[1]
        again = [crew.run(sums, {"large": large}, (), nothing, never())[1] for _ in range(2)]
        assert again == [first] * 2 and other in (first, *(worker.process.pid for worker in crew._free))
    finally:
        crew.close()


def test_large_data_that_wait_are_let_go_where_memory_is_short(large, parts, monkeypatch):
    before, has_room = set(scratch.scratch().iterdir()), [True]
    crew = Crew(2, budget=4.0 * large[0].X.nbytes, has_room=lambda: has_room[0])
    try:
        first = crew.run(sums, {"large": large}, (), nothing, never())[1]
        crew.let_go()
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        small = crew.run(sums, {"small": parts}, (), nothing, never())[1]
        crew.let_go()
        (worker,) = crew._free
        assert worker.process.pid == small and not worker.held, "what holds little stays, without its data"
        has_room[0] = False
        assert not crew.keeps(large[0].X.nbytes) and crew.keeps(1.0)
        crew.run(sums, {"large": large}, (), nothing, never())
        assert not any(worker.held for worker in crew._free)
        assert set(scratch.scratch().iterdir()) <= before
    finally:
        crew.close()


def test_what_was_asked_for_longest_ago_makes_room(parts, monkeypatch):
    weight = sum(data.X.nbytes for data in parts)
    monkeypatch.setattr(crew_module, "_HEAVY", 2 * weight)
    crew = Crew(1)
    try:
        pids = {crew.run(sums, {name: parts}, (), nothing, never())[1] for name in "abacb"}
        (worker,) = crew._free
        assert pids == {worker.process.pid}
        assert [crew._numbers.get(name) in worker.held for name in "abc"] == [False, True, True]
    finally:
        crew.close()


def test_one_job_may_need_more_sets_than_a_process_keeps(crew, parts):
    wanted = {("fold", number): parts for number in range(crew_module._MOST_HELD + 1)}
    answer, _ = crew.run(sums, wanted, (), nothing, never())
    assert answer == [[float(data.X.sum()) for data in parts]] * len(wanted)


def test_a_sentence_is_a_sentence_and_a_bug_is_a_bug(crew):
    with pytest.raises(ValueError, match="Take another one") as told:
        crew.run(say_wrong, {}, (), nothing, never())
    assert not isinstance(told.value, Lost)
    with pytest.raises(RuntimeError, match="secret"):
        crew.run(break_down, {}, (), nothing, never())
    assert crew.run(count_to, {}, (3,), nothing, never()) == 3, "the processes have survived both"


# Stop and death --------------------------------------------------------------------------------------------


def test_stop_reaches_the_process(crew):
    stop = threading.Event()
    assert crew.run(until_told, {}, (), lambda _: stop.set(), stop) == "stopped"


def test_a_process_that_does_not_stop_is_ended(crew, monkeypatch):
    monkeypatch.setattr(crew_module, "_PATIENCE", 0.0)
    stop, pids = threading.Event(), []
    with pytest.raises(Lost, match="did not stop"):
        crew.run(deaf, {}, (), lambda pid: (pids.append(pid), stop.set()), stop)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_killed_process_ends_its_job_and_nothing_else(crew):
    with pytest.raises(Lost, match="signal 9"):
        crew.run(deaf, {}, (), lambda pid: os.kill(pid, signal.SIGKILL), never())
    assert crew.run(count_to, {}, (3,), nothing, never()) == 3


def test_a_training_whose_process_dies_says_so_and_keeps_what_was_finished(crew, parts, tmp_path):
    specs = [
        RunSpec(DataSpec("cubic"), recipe_of("MPBoost", {"n_rounds": 3, "random_state": s})) for s in (1, 2)
    ]
    store = Store(tmp_path)
    splits = type("Splits", (), dict(zip(("train", "valid", "test"), parts, strict=True)))

    class Second(Crew):
        def run(self, function, *given):
            return super().run(train if store.get(specs[0]) is None else deaf_train, *given)

    second = Second(1)
    runner = Runner(workers=1)
    work = work_for(specs, lambda _: splits, NDCG(), store, 3, second)
    job = runner.submit("a", "A", 6, work, "me")
    while not job.is_over:
        for worker in second._busy if store.get(specs[0]) else ():
            os.kill(worker.process.pid, signal.SIGKILL)
        time.sleep(0.01)
    second.close()
    assert job.status == Status.FAILED and "has ended (signal 9)" in job.error
    assert store.get(specs[0]) is not None and Store(tmp_path).get(specs[0]) is not None


def deaf_train(sets, recipe, watch, tell, flag):
    threading.Event().wait()


_SERVER = """
import sys
from pages.ui.workers.crew import Crew
from pages.ui.workers.scratch import scratch
from tests.pages.test_workers import deaf
import threading
crew = Crew(1)
print(scratch(), flush=True)
crew.run(deaf, {}, (), lambda pid: print(pid, flush=True), threading.Event())
"""


def test_a_server_that_is_killed_takes_its_processes_along_and_its_folder_is_swept():
    with subprocess.Popen(
        [sys.executable, "-c", _SERVER], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        folder, pid = (server.stdout.readline().strip() for _ in range(2))
        assert scratch.sweep() == 0 or os.path.isdir(folder), "a living server's folder stays"
        assert os.path.isdir(folder)
        server.kill()
    deadline = time.monotonic() + 300
    while is_alive(int(pid)):
        assert time.monotonic() < deadline, "the process outlives its server"
        time.sleep(0.05)
    assert os.path.isdir(folder)
    scratch.sweep()
    assert not os.path.exists(folder)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that nobody has buried yet does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2][0] != "Z"
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not os.path.isdir("/proc/self")


def test_many_at_once_each_get_their_own_answer():
    crew, answers = Crew(2), {}
    ask = [
        threading.Thread(
            target=lambda n=n: answers.update({n: crew.run(count_to, {}, (n,), nothing, never())})
        )
        for n in range(4)
    ]
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    crew.close()
    assert answers == {n: n for n in range(4)}
    assert not crew._free and not crew._busy


# Sweeps -----------------------------------------------------------------------------------------------------


def test_a_sweep_in_processes_is_the_same_to_the_last_bit_and_outlives_one_of_them(crew, parts):
    space, how = {"lam": [0.2, 1.0, 3.0]}, {"fixed": {"n_rounds": 12}, "seeds": 2}
    folds = [parts, (parts[1], parts[0], parts[2])]
    wanted, killed = ltr.sweep("MPBoost", space, folds, **how), []

    def kill_one(progress):
        while progress.done_fits == 1 and not crew._busy:  # the next ones begin
            time.sleep(0.01)
        for worker in [] if killed else crew._busy[:1]:
            killed.append(worker.process.pid)
            os.kill(worker.process.pid, signal.SIGKILL)

    found = ltr.sweep("MPBoost", space, folds, executor=CrewMaker(crew), on_fit=kill_one, **how)
    assert killed and found.chosen == wanted.chosen
    assert found.curves.equals(wanted.curves) and found.test.equals(wanted.test)


def test_a_pruned_sweep_over_five_folds_is_the_same_in_processes(crew):
    folds = ltr.folds(ltr.datasets.make("cubic", seed=1, n_queries=60), 5, seed=0)
    how = {"space": {"lam": [0.5, 2.0]}, "data": folds, "fixed": {"n_rounds": 6}, "pruner": "halving"}
    wanted, found = ltr.sweep("MPBoost", **how), ltr.sweep("MPBoost", executor=CrewMaker(crew), **how)
    assert set(found.table["status"]) <= {"done", "pruned"}, found.table["error"].tolist()
    assert found.chosen == wanted.chosen and found.curves.equals(wanted.curves)


def test_an_estimate_is_measured_where_the_sweep_runs_and_leaves_there_what_it_loaded(parts):
    own = Crew(2)
    try:
        how = {"space": {"lam": [0.5, 1.0, 2.0]}, "fixed": {"n_rounds": 5}, "executor": CrewMaker(own)}
        known = ltr.estimate_sweep("MPBoost", data=[parts] * 2, n_seeds=3, patience=0.2, **how)
        assert (known.n_points, known.n_fits, known.n_workers) == (3, 18, n_cores()) and known.seconds > 0
        ready = {worker.process.pid: dict(worker.held) for worker in own._free}
        ltr.sweep("MPBoost", data=parts, **how)
        assert {worker.process.pid: worker.held for worker in own._free} == ready and any(ready.values())
    finally:
        own.close()


def test_a_place_says_whether_its_processes_stay(crew, parts, monkeypatch):
    assert CrewMaker(crew).place({"a": parts[0]}).keeps
    monkeypatch.setattr(crew_module, "_HEAVY", 1)
    assert not CrewMaker(crew).place({"a": parts[0]}).keeps


def test_stop_ends_a_sweep_in_processes_within_a_fit(crew, parts):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    endless = {"fixed": {"epochs": 10_000, "hidden": 512}, "executor": CrewMaker(crew), "cancel": stop}
    found = ltr.sweep("RankNet", {"l2": [0.0, 0.1, 0.2]}, parts, **endless)
    assert found.stopped == "cancelled" and not len(found.table)
    assert crew.run(count_to, {}, (3,), nothing, never()) == 3


SMALL_MACHINES = [(1 << 30, None, False), (1 << 30, "processes", True)]
LARGE_MACHINES = [(2 << 30, None, True), (None, None, True), (16 << 30, "threads", False)]


@pytest.mark.parametrize(("total", "asked", "processes"), SMALL_MACHINES + LARGE_MACHINES)
def test_a_server_with_little_memory_keeps_to_one_process_and_holds_less(
    monkeypatch, total, asked, processes
):
    from pages.ui.runs import services

    monkeypatch.delenv("RANKSCOPE_WORKERS", raising=False)
    if asked:
        monkeypatch.setenv("RANKSCOPE_WORKERS", asked)
    monkeypatch.setattr(services, "total_bytes", lambda: total)
    assert services.has_processes() == processes
    if total == 1 << 30:
        assert services._data_budget() == total / 8
    else:
        assert services._data_budget() >= 1.5e9
