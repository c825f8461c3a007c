"""Who may share out work among threads: one holder at a time, whatever the threads ask for."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import threading
import time

import numba
import pytest

from ltr_core import lingering, threads
from ltr_core.threads import (
    may_run_parallel,
    one_training,
    parallel_always,
    serial_only,
    short_turns,
    turns_are_short,
)
from tests.sources import ROOT, SHIPPED, calls_in, imports_of, name_of, none_of, place, tree_of


def ask(cells=10**9) -> bool:
    """Return what a thread is told that asks now."""
    with may_run_parallel(cells) as answer:
        return answer


def ask_elsewhere(cells=10**9) -> bool:
    """Return what another thread is told."""
    told = []
    other = threading.Thread(target=lambda: told.append(ask(cells)))
    other.start()
    other.join()
    return told[0]


@pytest.fixture(autouse=True)
def two_threads():
    before = numba.get_num_threads()
    numba.set_num_threads(2)
    yield
    numba.set_num_threads(before)


def test_large_work_runs_parallel_and_small_work_does_not():
    assert ask() and ask_elsewhere()
    assert not ask(cells=10)


def test_only_one_holds_at_a_time():
    with may_run_parallel() as mine:
        assert mine and not ask_elsewhere()
    assert ask_elsewhere()


def test_as_many_trainings_as_cores_stay_each_on_its_own():
    with one_training():
        assert ask()
        with one_training():
            assert not ask() and not ask_elsewhere()
            with parallel_always():
                assert ask()
        assert ask_elsewhere()
    with pytest.raises(KeyError), one_training(), one_training():
        raise KeyError
    assert ask()


def test_blocks_nest():
    with may_run_parallel() as outer:
        assert outer and ask() and not ask(cells=10)
        assert not ask_elsewhere()
        with serial_only():
            assert not ask()
    with may_run_parallel(cells=10) as outer:
        assert not outer and ask()


def test_the_lock_is_given_back_after_an_error():
    with pytest.raises(KeyError), may_run_parallel():
        raise KeyError
    assert ask_elsewhere()


def test_serial_only_is_for_its_own_thread():
    with serial_only():
        assert not ask() and ask_elsewhere()
        with serial_only():
            pass
        assert not ask()
    assert ask()


def test_parallel_always_leaves_the_size_aside():
    with parallel_always():
        assert ask(cells=1) and not ask_elsewhere(cells=1)
        with serial_only():
            assert not ask()
    assert not ask(cells=1)


def test_parallel_always_waits_for_the_lock():
    holding, told = threading.Event(), []

    def hold():
        with may_run_parallel():
            holding.set()
            release.wait()

    def want():
        with parallel_always():
            told.append(ask())

    release = threading.Event()
    holder, waiter = threading.Thread(target=hold), threading.Thread(target=want)
    holder.start()
    holding.wait()
    waiter.start()
    waiter.join(timeout=0.1)
    assert told == []
    release.set()
    waiter.join()
    holder.join()
    assert told == [True]


def test_turns_are_short_while_anybody_wants_them_so():
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.004)
    try:
        with turns_are_short():
            with turns_are_short():
                pass
            assert sys.getswitchinterval() == pytest.approx(0.0005)
        assert sys.getswitchinterval() == pytest.approx(0.004)
    finally:
        sys.setswitchinterval(before)


def note_part(first, last, parts, others=None):
    parts.append((first, last, threading.current_thread()))
    if others is not None:
        others.wait(60)


def share(limits, **sizes):
    parts = []
    threads.share_out(note_part, limits, parts, **{"cells": 10**6, "threshold": 10, **sizes})
    return sorted(part[:2] for part in parts), {part[2] for part in parts}


def test_work_is_shared_out_in_runs_between_the_limits():
    numba.set_num_threads(2)
    parts, limits = [], [0, 10, 11, 30, 70]
    threads.share_out(note_part, limits, parts, threading.Barrier(2), cells=10**6, threshold=10)
    assert sorted(part[:2] for part in parts) == [(0, 11), (11, 70)]
    takers = {part[2] for part in parts}
    assert len(takers) == 2 and threading.current_thread() in takers
    assert share(range(8))[0] == [(0, 3), (3, 7)]
    assert share([0, 5])[0] == [(0, 5)], "one run is not cut"
    assert share([0])[0] == [], "nothing is no part"


def test_what_is_small_or_kept_to_one_thread_is_one_part():
    assert share(range(8), threshold=10**7)[0] == [(0, 7)]
    with serial_only():
        assert share(range(8))[0] == [(0, 7)]
    with parallel_always():
        assert share(range(8), cells=1)[0] == [(0, 3), (3, 7)]


def test_while_another_thread_shares_out_the_whole_is_one_part():
    told = []
    with may_run_parallel() as mine:
        other = threading.Thread(target=lambda: told.append(share(range(8))[0]))
        other.start()
        other.join()
        assert mine and told == [[(0, 7)]]
        assert share(range(8))[0] == [(0, 3), (3, 7)], "who holds the lock shares out"


def test_an_error_in_a_part_is_everybodys():
    def fail(first, last):
        if first == 0:
            raise ValueError("the first part")

    with pytest.raises(ValueError, match="the first part"):
        threads.share_out(fail, range(8), cells=10**6, threshold=10)
    assert not threads._LOCK.locked()


def test_a_part_that_nobody_has_begun_is_the_callers(monkeypatch):
    monkeypatch.setattr(threads._Helper, "wake", lambda helper, waiting: None)  # it sleeps on
    assert share(range(8)) == ([(0, 3), (3, 7)], {threading.current_thread()})


def test_a_thread_that_wakes_late_finds_nothing_and_takes_the_next_part(monkeypatch):
    helper = threads._Helper()
    monkeypatch.setattr(threads, "_helpers", lambda n: [helper])
    for _ in range(50):
        helper.wake([])
        parts = []
        threads.share_out(note_part, range(8), parts, threading.Barrier(2), cells=10**6, threshold=10)
        assert sorted(part[:2] for part in parts) == [(0, 3), (3, 7)]
        assert len({part[2] for part in parts}) == 2


def test_an_error_waits_for_the_other_parts():
    done, begun = [], threading.Barrier(2)

    def fail_or_finish(first, last):
        begun.wait(60)
        if first:
            raise ValueError("the caller's own part")
        time.sleep(0.2)
        done.append(first)

    with pytest.raises(ValueError, match="own part"):
        threads.share_out(fail_or_finish, range(8), cells=10**6, threshold=10)
    assert done == [0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_forked_process_has_threads_of_its_own():
    program = """
import os, numba
from ltr_core import threads
numba.set_num_threads(2)
def share():
    parts = []
    with threads.parallel_always():
        threads.share_out(lambda a, b, out: out.append((a, b)), range(8), parts, cells=1, threshold=1)
    return sorted(parts)
assert share() == [(0, 3), (3, 7)]
child = os.fork()
if not child:
    os._exit(0 if share() == [(0, 3), (3, 7)] else 1)
assert os.waitpid(child, 0)[1] == 0
"""
    env = {**os.environ, "NUMBA_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=ROOT, env=env)


@pytest.mark.parametrize("looks", [0, 5_000])
def test_threads_meet_whether_they_look_out_or_sleep(looks, monkeypatch):
    monkeypatch.setattr(lingering, "LOOKS", looks)
    for _ in range(200):
        parts = []
        threads.share_out(note_part, range(8), parts, threading.Barrier(2), cells=10**6, threshold=10)
        assert sorted(part[:2] for part in parts) == [(0, 3), (3, 7)]
        assert len({part[2] for part in parts}) == 2


def test_without_a_way_to_yield_threads_sleep_at_once(monkeypatch):
    monkeypatch.setattr(lingering, "CAN", False)
    monkeypatch.setattr(lingering, "_linger", None)
    helper = threads._Helper()
    monkeypatch.setattr(threads, "_helpers", lambda n: [helper])
    assert share(range(8))[0] == [(0, 3), (3, 7)]


@pytest.fixture
def two_cells(monkeypatch):
    if not lingering.CAN:
        pytest.skip("nothing here yields")
    monkeypatch.setattr(lingering, "_sleep_until", 0.0)
    monkeypatch.setattr(lingering, "_pause", lingering._PAUSES[0])
    monkeypatch.setattr(lingering, "LOOKS", 10**9)
    return lingering.Cell(), lingering.Cell()


def test_who_looks_out_sees_the_number_come(two_cells):
    called, ended = two_cells
    told, never = [], 10**15
    held = (10**9, never, 3, 7, lingering._CLOCK, ended.room, ended.number)
    looks = threading.Thread(target=lambda: told.append(lingering._linger(called.number, 1, *held)))
    looks.start()
    while ended.number[0] != 7:  # one's own number is written first
        time.sleep(0.001)
    called.write(1)
    looks.join()
    assert told == [False], "nobody else wanted the core"


def test_who_is_in_somebodys_way_sleeps_and_so_do_all_for_a_while(two_cells, monkeypatch):
    monkeypatch.setattr(lingering, "LONG", -1)  # every yield takes longer
    called, ended = two_cells
    ended.answer(3, called, 1)
    assert lingering._sleep_until > 0.0 and lingering._pause > lingering._PAUSES[0]
    monkeypatch.setattr(lingering, "LONG", 10**15)
    monkeypatch.setattr(lingering, "_sleep_until", time.perf_counter() + 3600)
    ended.answer(4, called, 2)  # a look would take minutes
    assert ended.number[0] == 4, "who does not look writes all the same"


def test_one_thread_is_never_parallel():
    numba.set_num_threads(1)
    with parallel_always():
        assert not ask()


@pytest.mark.parametrize("path", [path for path in SHIPPED if path.name != "threads.py"], ids=name_of)
def test_the_policy_stands_in_one_module(path):
    """Ranks, turns, collector, OpenMP and locks of kernels: who wants them calls `ltr_core.threads`."""
    wrong = {
        "gc.freeze",
        "gc.disable",
        "os.nice",
        "os.setpriority",
        "sys.setswitchinterval",
        "set_num_threads",
    }
    for name, call in calls_in(tree_of(path)):
        assert not name.endswith(tuple(wrong)), f"{place(path, call)}: {name}"
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not node.value.startswith(("OMP_", "NUMBA_NUM")), f"{place(path, node)}: {node.value}"


def test_short_turns_and_a_lower_rank():
    before = sys.getswitchinterval()
    try:
        short_turns()
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    finally:
        sys.setswitchinterval(before)


def test_parts_of_numba_are_imported_after_the_whole():
    def is_first(path):
        modules = [module for module, _, _ in imports_of(path) if module.partition(".")[0] == "numba"]
        return bool(modules) and modules[0] != "numba"

    none_of(name_of(path) for path in SHIPPED if is_first(path))


# A thread loads numba and has come to a part of it; another one loads a module that needs numba.
TWO_THREADS = """
import faulthandler, sys, threading, time
from importlib import import_module
faulthandler.dump_traceback_later(300, exit=True)
half = threading.Event()
class Slow:
    def find_spec(name, path=None, target=None):
        if name == "numba.core.config" and threading.current_thread().name == "first":
            half.set()
            time.sleep(0.5)
sys.meta_path.insert(0, Slow)
first = threading.Thread(target=import_module, args=("numba",), name="first")
first.start()
half.wait()
import_module(sys.argv[1])
first.join()
import numba
assert numba.njit(lambda x: x + 1)(1) == 2
"""


@pytest.mark.parametrize(
    "module", ["ltr_core.compiling", "ltr_core.engines.network.query_loss", "pages.ui.runs.training"]
)
def test_numba_may_be_loaded_by_two_threads(module):
    """Of programs whose threads used the library for the first time at once one in four waited for good."""
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS, module], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
