"""The job runner: queue, sharing, stopping, and sessions that go away."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from ltr_core import stopping
from pages.ui.runs.jobs import Runner, curve
from pages.ui.runs.status import Status


def info(iteration):
    return SimpleNamespace(iteration=iteration, values={("train", "loss"): 1 / iteration})


def wait_for(condition, seconds=300):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen"
        time.sleep(0.005)


class Work:
    """Work that goes on, round by round, until it is told to end."""

    def __init__(self, rounds=10**6):
        self.rounds, self.go, self.times = rounds, threading.Event(), 0

    def __call__(self, job):
        self.times += 1
        for i in range(1, self.rounds + 1):
            if not job.on_round(info(i)):
                return "part"
            if self.go.is_set():
                return "whole"
            time.sleep(0.002)
        return "whole"


@pytest.fixture
def runner():
    made = Runner(workers=1, grace=0.2)
    yield made
    for job in list(made._jobs.values()):
        job.cancelled.set()


def test_work_that_never_ends_a_round_stops_where_it_looks(runner):
    begun = threading.Event()

    def work(job):
        while True:
            begun.set()
            stopping.look()

    job = runner.submit("a", "A", 5, work, "me")
    assert begun.wait(300)
    assert runner.leave("a", "me") is job
    wait_for(lambda: job.is_over)
    assert (job.status, job.result, job.error) == (Status.STOPPED, None, "")


def test_work_is_done_and_its_curve_kept(runner):
    work = Work(rounds=5)
    job = runner.submit("a", "A", 5, work, "me")
    wait_for(lambda: job.is_over)
    assert (job.status, job.result, job.progress) == (Status.DONE, "whole", 1.0)
    assert curve(job, "train", "loss") == ([1, 2, 3, 4, 5], [1 / i for i in range(1, 6)])
    assert curve(job, "test", "loss") == ([], [])
    assert runner.of("me") == [] and runner.find("a") is None


def test_the_same_key_is_one_job(runner):
    work = Work()
    first = runner.submit("a", "A", 9, work, "me")
    second = runner.submit("a", "A", 9, work, "you")
    assert first is second and first.owners == {"me", "you"}
    work.go.set()
    wait_for(lambda: first.is_over)
    assert work.times == 1


def test_waiting_jobs_have_a_place_and_sessions_take_turns(runner):
    works = {key: Work() for key in "abcd"}
    jobs = {}
    for key, owner in zip("abcd", ("me", "me", "me", "you"), strict=True):
        jobs[key] = runner.submit(key, key, 9, works[key], owner)
    wait_for(lambda: jobs["a"].status == Status.RUNNING)
    assert [runner.place(jobs[k]) for k in "abcd"] == [0, 2, 3, 1]
    works["a"].go.set()
    wait_for(lambda: jobs["d"].status == Status.RUNNING)
    assert [runner.place(jobs[k]) for k in "bc"] == [1, 2]


def test_stop_keeps_what_there_is(runner):
    job = runner.submit("a", "A", 9, Work(), "me")
    wait_for(lambda: job.iteration > 3)
    assert runner.leave("a", "me") is job
    wait_for(lambda: job.is_over, 1)
    assert (
        job.status == Status.STOPPED
        and job.result == "part"
        and len(curve(job, "train", "loss")[0]) == job.iteration
    )


def test_one_can_wait_for_the_end_of_a_job_that_is_stopped(runner):
    job = runner.submit("a", "A", 9, Work(), "me")
    runner.await_end(job, 0.01)
    assert not job.is_over
    runner.leave("a", "me")
    runner.await_end(job, 300)
    assert job.status == Status.STOPPED


def test_stopping_a_waiting_job_takes_it_off_the_queue(runner):
    runner.submit("a", "A", 9, Work(), "me")
    job = runner.submit("b", "B", 9, work := Work(), "me")
    assert runner.leave("b", "me") is job and job.status == Status.STOPPED
    assert [j.key for j in runner.of("me")] == ["a"]
    runner.leave("a", "me")
    last = runner.submit("c", "C", 1, Work(rounds=1), "me")
    wait_for(lambda: last.is_over)
    assert work.times == 0


def test_a_shared_job_goes_on_for_the_others(runner):
    work = Work()
    job = runner.submit("a", "A", 9, work, "me")
    runner.submit("a", "A", 9, work, "you")
    wait_for(lambda: job.iteration > 2)
    mine = runner.leave("a", "me")
    assert mine is not job and mine.status == Status.STOPPED and mine.iteration > 2
    rounds = len(curve(mine, "train", "loss")[0])
    wait_for(lambda: job.iteration > mine.iteration + 2)
    assert job.status == Status.RUNNING and len(curve(mine, "train", "loss")[0]) == rounds
    work.go.set()
    wait_for(lambda: job.status == Status.DONE)
    assert runner.leave("a", "me") is None


def test_a_stopped_job_can_be_asked_for_again_at_once(runner):
    job = runner.submit("a", "A", 9, Work(), "me")
    wait_for(lambda: job.status == Status.RUNNING)
    runner.leave("a", "me")
    again = runner.submit("a", "A", 9, work := Work(), "me")
    assert again is not job
    work.go.set()
    wait_for(lambda: again.status == Status.DONE)


def test_what_is_no_longer_wanted_is_given_up(runner):
    jobs = [runner.submit(key, key, 9, Work(), "me") for key in "abc"]
    wait_for(lambda: jobs[0].status == Status.RUNNING)
    runner.keep("me", ["c"])
    wait_for(lambda: jobs[2].status == Status.RUNNING)
    assert [job.status for job in jobs[:2]] == [Status.STOPPED, Status.STOPPED]


def test_a_closed_tab_ends_its_jobs_after_the_grace_period(runner):
    job = runner.submit("a", "A", 9, Work(), "me")
    wait_for(lambda: job.status == Status.RUNNING)
    runner.left("me")
    assert not job.cancelled.is_set()
    wait_for(lambda: job.status == Status.STOPPED)


def test_a_tab_that_comes_back_in_time_keeps_its_jobs(runner):
    job = runner.submit("a", "A", 9, work := Work(), "me")
    runner.left("me")
    runner.left("me")
    runner.arrived("me")
    time.sleep(2 * runner.grace)
    assert not job.cancelled.is_set()
    work.go.set()
    wait_for(lambda: job.status == Status.DONE)


def test_a_reload_joins_the_job_under_way(runner):
    """The reloaded page is a new session: it asks for the same key before the old one's grace is over."""
    job = runner.submit("a", "A", 9, work := Work(), "old")
    runner.left("old")
    assert runner.submit("a", "A", 9, work, "new") is job
    wait_for(lambda: work.times == 1 and job.owners == {"new"})
    assert not job.cancelled.is_set()


def test_a_sentence_is_shown_and_a_bug_is_not(runner, caplog):
    def bad_parameter(_):
        raise ValueError("Take another one.")

    def bug(_):
        raise KeyError("secret")

    first, second = runner.submit("a", "A", 9, bad_parameter, "me"), runner.submit("b", "B", 9, bug, "me")
    wait_for(lambda: second.is_over)
    assert (first.status, first.error) == (Status.FAILED, "Take another one.")
    assert second.status == Status.FAILED and "secret" not in second.error and "log" in second.error
    assert "secret" in caplog.text
    third = runner.submit("c", "C", 1, Work(rounds=1), "me")  # the worker has survived both
    wait_for(lambda: third.status == Status.DONE)


def test_at_most_as_many_at_a_time_as_there_are_workers():
    runner = Runner(workers=2)
    running, most, lock, both = [0], [0], threading.Lock(), threading.Barrier(2)

    def work(_):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        both.wait()
        with lock:
            running[0] -= 1

    jobs = [runner.submit(str(i), "", 1, work, "me") for i in range(8)]
    wait_for(lambda: all(job.is_over for job in jobs))
    assert most[0] == 2


def test_time_left_is_told_once_it_can_be_known(runner):
    job = runner.submit("a", "A", 1000, Work(), "me")
    assert job.seconds_left is None
    wait_for(lambda: job.iteration > 5)
    assert 0 < job.seconds_left < 1000


def test_two_large_jobs_do_not_hold_up_a_small_one():
    runner = Runner(workers=2)
    large = [runner.submit(key, key, 9, Work(), "me", size=1e12) for key in "ab"]
    wait_for(lambda: all(job.status == Status.RUNNING for job in large))
    third = runner.submit("c", "C", 9, Work(), "you", size=1e12)
    small = [runner.submit(f"s{i}", "S", 3, Work(rounds=3), "you", size=1e5) for i in range(3)]
    wait_for(lambda: all(job.status == Status.DONE for job in small))
    assert third.status == Status.WAITING and not any(job.is_over for job in large)
    for job in (*large, third):
        job.cancelled.set()


def test_a_waiting_job_knows_when_its_turn_comes_if_those_before_it_do(runner):
    first = runner.submit("a", "A", 10**6, Work(), "me")
    second, third = (runner.submit(key, key, 9, Work(), "me") for key in "bc")
    wait_for(lambda: first.iteration > 2)
    until = runner.seconds_until(second)
    assert until is not None and until > 0 and first.seconds_left is not None
    assert runner.seconds_until(third) is None, "how long the second takes nobody knows"
    assert runner.seconds_until(first) is None, "it waits no more"
    small = runner.submit("d", "D", 9, Work(), "you", size=1.0)  # in a lane of its own
    wait_for(lambda: small.iteration > 2)
    assert small.lane < second.size
    after = runner.seconds_until(second)
    assert after is not None and after > (small.seconds_left or 0.0), "that lane is none for it"
