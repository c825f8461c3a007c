"""What has to be trained, and what becomes of it: plan and reconcile without a session or threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import ltr_core as ltr
from pages.ui.runs import catalog
from pages.ui.runs.catalog import Entry
from pages.ui.runs.jobs import Job
from pages.ui.runs.lru import Lru
from pages.ui.runs.plan import Wanted, key_of, plan, spec_of
from pages.ui.runs.screens import Desk, reconcile
from pages.ui.runs.specs import recipe_of, workspace_of
from pages.ui.runs.status import Status
from pages.ui.runs.store import Store
from pages.ui.tables.curves import live_curves, rounds_ahead

MEASURE = ltr.measure("ndcg@3")
RECIPES = (recipe_of("MPBoost", {"n_rounds": 3}), recipe_of("GBT", {"n_trees": 2, "random_state": 2**32 - 1}))


@pytest.fixture(scope="module")
def entry():
    return catalog.entries()["tiny"]


def wanted(entry: Entry, repeat="one", recipes=RECIPES, measure=MEASURE, baseline=0) -> Wanted:
    data = catalog.spec_of(entry, {}, 0, "split", 0)
    return Wanted(entry, data, measure, workspace_of(*recipes, baseline=baseline), repeat)


class Fake:
    """A runner that notes what it is asked for; a test does the work when it wants to."""

    def __init__(self) -> None:
        self.jobs: dict[str, Job] = {}
        self.kept: set[str] = set()

    def submit(self, key, label, n_rounds, work, owner, size):
        return self.jobs.setdefault(key, Job(key, label, n_rounds, work))

    def keep(self, owner, keys):
        self.kept = set(keys)

    def work(self) -> list[str]:
        """Do what waits, and return the labels."""
        waiting = [job for job in self.jobs.values() if job.status == Status.WAITING]
        for job in waiting:
            job.result, job.status = job.work(job), Status.DONE
        self.jobs = {}
        return [job.label for job in waiting]


@pytest.fixture
def desk(tmp_path, entry):
    data = Lru(20)
    shared = SimpleNamespace(store=Store(tmp_path), runner=Fake(), memo=Lru(20), crew=None, data=data)
    shared.splits = lambda spec, entry: data.make(spec, lambda: catalog.load(spec, entry))
    return Desk(shared, {}, "me")


def screen_of(asked, desk):
    return reconcile(plan(asked), desk, desk.services.splits(asked.data, asked.entry))


# Plan -------------------------------------------------------------------------------------------------------


def test_a_run_on_one_split_is_one_training(entry):
    planned = plan(wanted(entry))
    assert [run.specs for run in planned.runs] == [(run.spec,) for run in planned.runs]
    assert planned.keys == {run.spec.key for run in planned.runs} == {run.key for run in planned.runs}
    assert [run.slot for run in planned.runs if run.is_baseline] == [0]


def test_folds_are_a_training_on_each_and_one_job(entry):
    for run in (planned := plan(wanted(entry, "folds"))).runs:
        assert [spec.data.fold for spec in run.specs] == ["1", "2", "3", "4", "5"]
        assert {spec.recipe for spec in run.specs} == {run.recipe} and run.spec not in run.specs
        assert run.key == key_of(run.specs) and run.key.startswith("all-")
        assert {run.key, run.spec.key} < planned.keys


def test_seeds_follow_the_runs_own(entry):
    first, second = plan(wanted(entry, "seeds3")).runs
    seeds = [[spec.recipe.values()["random_state"] for spec in run.specs] for run in (first, second)]
    assert seeds == [[0, 1, 2], [2**32 - 1, 0, 1]]
    assert first.specs[0] == first.spec and {spec.data for spec in first.specs} == {first.spec.data}


def test_what_a_data_set_does_not_allow_is_trained_once():
    data = catalog.entries()["tiny"]
    alone = Entry("x", "x", "", ("1",), data.source)
    assert plan(wanted(alone, "folds")).repeat == "one"


def test_a_measure_is_part_of_a_spec_where_early_stopping_looks_at_it(entry):
    stops = recipe_of("MPBoost", {"early_stopping": 2})
    data, other = wanted(entry).data, ltr.measure("map")
    assert spec_of(data, stops, MEASURE) != spec_of(data, stops, other)
    assert spec_of(data, RECIPES[0], MEASURE) == spec_of(data, RECIPES[0], other)


def test_the_same_wishes_are_the_same_plan(entry):
    assert plan(wanted(entry)) is plan(wanted(catalog.entries()["tiny"]))
    assert plan(wanted(entry, baseline=1)) is not plan(wanted(entry))


# Reconcile --------------------------------------------------------------------------------------------------


def test_what_is_missing_is_started_once_and_found_again(entry, desk):
    asked = wanted(entry)
    first = screen_of(asked, desk)
    assert [run.status for run in first.runs] == [Status.WAITING] * 2 and len(first.under_way) == 2
    assert set(desk.services.runner.jobs) == set(desk.jobs) == plan(asked).keys == desk.services.runner.kept
    assert [run.job for run in screen_of(asked, desk).runs] == [run.job for run in first.runs]
    assert desk.services.runner.work() == [run.name for run in first.runs]
    done = screen_of(asked, desk)
    assert [run.status for run in done.runs] == [Status.DONE] * 2 and not done.under_way
    assert all(run.trainings == (run.own,) and not run.from_store for run in done.runs)
    again = screen_of(asked, Desk(desk.services, {}, "you"))
    assert all(run.from_store and run.job is None for run in again.runs) and not desk.services.runner.jobs


def test_the_others_are_started_when_a_runs_own_is_done_and_only_those_missing(entry, desk):
    asked = wanted(entry, "seeds3", RECIPES[:1])
    (run,) = screen_of(asked, desk).runs
    assert run.rest is None and list(desk.jobs) == [run.spec.key]
    desk.services.runner.work()
    (run,) = (screen := screen_of(asked, desk)).runs
    assert run.status == Status.DONE and run.standing == Status.WAITING and not run.trainings
    assert run.rest.key == run.key and run.rest.n_rounds == 2 * 3  # its own is one of the three seeds
    assert screen.under_way == [run] and screen.finished == [run] and not screen.complete
    assert screen.once.runs[0].trainings == (run.own,) and not screen.once.under_way and not screen.once.means
    desk.services.runner.work()
    (run,) = (screen := screen_of(asked, desk)).runs
    assert [training.spec for training in run.trainings] == list(run.specs)
    assert run.trainings[0] is run.own and run.standing == Status.DONE and not run.from_store
    assert screen.complete == [run] and screen.means == "3 seeds"


@pytest.mark.parametrize("ended, error", [(Status.STOPPED, ""), (Status.FAILED, "Take another one.")])
def test_what_was_stopped_or_failed_is_not_started_again_unasked(entry, desk, ended, error):
    asked = wanted(entry, "folds", RECIPES[:1])
    screen_of(asked, desk)
    (job,) = desk.jobs.values()
    job.status, job.error, desk.services.runner.jobs = ended, error, {}
    (run,) = screen_of(asked, desk).runs
    assert run.status == ended and run.job is job and run.own is None and not desk.services.runner.jobs
    assert run.standing == (Status.ALONE if ended == Status.STOPPED else ended)
    desk.jobs.clear()  # as "Train again" does
    screen_of(asked, desk)
    desk.services.runner.work()
    rest = screen_of(asked, desk).runs[0].rest
    rest.status, desk.services.runner.jobs = ended, {}
    (run,) = screen_of(asked, desk).runs
    assert run.rest is rest and run.standing == Status.REST and not desk.services.runner.jobs


def test_a_part_that_was_stopped_is_shown(entry, desk):
    asked = wanted(entry, recipes=RECIPES[:1])
    screen_of(asked, desk)
    (job,) = desk.jobs.values()
    told = job.on_round

    def stop_after(info, **where):  # before a round is over nothing is left
        told(info, **where)
        job.cancelled.set()

    job.on_round = stop_after
    job.result, job.status = job.work(job), Status.STOPPED
    (run,) = (screen := screen_of(asked, desk)).runs
    assert run.status == Status.STOPPED and run.own.model.n_iter_ == 1 and screen.complete == [run]
    assert desk.services.store.get(run.spec) is None


def test_what_is_no_longer_wanted_is_given_up_and_what_was_stopped_is_remembered(entry, desk):
    screen_of(wanted(entry), desk)
    first, second = desk.jobs
    desk.jobs[second].status = Status.STOPPED
    desk.beside = {"beside"}
    desk.jobs["beside"] = Job("beside", "", 1, lambda job: None)
    screen_of(wanted(entry, recipes=()), desk)
    assert set(desk.jobs) == {second, "beside"} and desk.services.runner.kept == {"beside"}


def test_what_grows_is_a_line_for_each_run(entry, desk):
    asked = wanted(entry, "seeds3", RECIPES[:1])
    info = SimpleNamespace(iteration=1, values={("train", "loss"): 0.5})
    (run,) = screen_of(asked, desk).runs
    assert live_curves(screen_of(asked, desk), "loss", "train").empty
    run.job.on_round(info)
    growing = live_curves(screen_of(asked, desk), "loss", "all")
    assert growing[["slot", "run", "split", "iteration", "value"]].to_numpy().tolist() == [
        [run.slot, run.name, "train", 1, 0.5]
    ]
    assert rounds_ahead(screen_of(asked, desk)) == run.job.n_rounds
    desk.services.runner.work()
    (run,) = screen_of(asked, desk).runs
    assert not run.rest.cancelled.is_set() and run.rest.on_round(info, number=1, before=3)
    growing = live_curves(screen_of(asked, desk), "loss", "train")
    assert growing[["run", "iteration", "value"]].to_numpy().tolist() == [[run.name, 1, 0.5]]
    assert run.rest.iteration == 4


def test_nothing_is_started_without_data(entry, desk):
    asked = wanted(entry, "folds")
    screen = reconcile(plan(asked), desk, None, "There are none.")
    assert [run.status for run in screen.runs] == [Status.IDLE] * 2 and not desk.jobs
    assert screen.problem == "There are none." and not screen.means and screen.repeat == "folds"


def test_neither_knows_streamlit():
    code = (
        "import sys; sys.modules['streamlit'] = None\n"
        "import pages.ui.runs.plan, pages.ui.runs.screens, pages.ui.runs.jobs"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root, timeout=120)
