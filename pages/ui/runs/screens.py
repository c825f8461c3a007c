"""What is on screen: data, measure, and the runs of the workspace as far as they are trained.

`reconcile` makes it from a plan: what is missing is started, what is under way is joined, and what is no
longer wanted is given up. It knows neither the session nor Streamlit.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ltr_core import DataError
from ltr_core.datasets import DATA_FOLDER
from ltr_core.measures import Measure

from ..style.sentences import on_screen
from ..style.theme import LIGHT, Palette, Stroke, stroke
from .catalog import Entry, Splits
from .jobs import Job
from .plan import Plan, PlannedRun
from .specs import DataSpec, RunSpec
from .status import UNDER_WAY, Status
from .store import Training
from .training import n_rounds_of, work_for

if TYPE_CHECKING:
    from .services import Services

_MAX_KEPT = 40  # stopped and failed jobs that a session remembers
_BYTES = 5e5  # of a training in memory, at a guess


@dataclass(frozen=True)
class Run(PlannedRun):
    """A run on screen: what was planned, and how far it is.

    `status` is that of its own training, on the data that are chosen, when the page was drawn; `own` is there
    when it is done, or stopped with something to show. `trainings` are those of all its specs when all are
    there: without repetition its own. `job` is this session's job for its own, `rest` the one for the others;
    without a job it had been trained before it was asked for.
    """

    status: Status = Status.WAITING
    own: Training | None = None
    trainings: tuple[Training, ...] = ()
    job: Job | None = None
    rest: Job | None = None

    @property
    def trained(self) -> Training:
        """Its own training, of a run that has one."""
        assert self.own is not None, f"{self.name} is not trained"
        return self.own

    @cached_property
    def stamp(self) -> tuple[tuple[str, int], ...]:
        """What tells its trainings from others; one that was stopped has fewer rounds than its spec says."""
        return tuple((training.key, training.model.n_iter_) for training in self.trainings)

    @property
    def from_store(self) -> bool:
        """Whether all of it had been trained before it was asked for."""
        return not self.recipe.is_given and (self.job if len(self.specs) == 1 else self.rest) is None

    @property
    def is_under_way(self) -> bool:
        """Whether any training of it has not come to an end."""
        return self.status in UNDER_WAY or (self.rest is not None and not self.rest.is_over)

    @property
    def standing(self) -> Status:
        """Where all of its trainings stand together."""
        if len(self.specs) == 1:
            return self.status
        if self.status != Status.DONE or self.trainings:
            return Status.ALONE if self.status == Status.STOPPED else self.status
        rest = Status.DONE if self.rest is None else self.rest.status
        ends = {Status.STOPPED: Status.REST, Status.FAILED: Status.REST, Status.DONE: Status.WAITING}
        return ends.get(rest, rest)

    @property
    def once(self) -> Run:
        """The same run without its repetitions."""
        own = () if self.own is None else (self.own,)
        return replace(self, specs=(self.spec,), key=self.spec.key, trainings=own, rest=None)


@dataclass(frozen=True)
class Screen:
    """Everything the pages show, and what they need to compute it."""

    entry: Entry
    data: DataSpec
    splits: Splits | None
    problem: str
    measure: Measure
    score_at: str
    runs: tuple[Run, ...]
    colours: Palette = LIGHT
    repeat: str = "one"
    is_gone: bool = False  # whether the files are no longer there: what was read of them stays on screen

    @cached_property
    def finished(self) -> list[Run]:
        """Runs whose own training has something to show, the baseline first."""
        return _baseline_first([run for run in self.runs if run.own is not None])

    @cached_property
    def complete(self) -> list[Run]:
        """Runs with all their trainings, the baseline first."""
        return _baseline_first([run for run in self.runs if run.trainings])

    @cached_property
    def shipped(self) -> list[Run]:
        """Runs that came with this version, and have not been trained here yet."""
        return [run for run in self.runs if run.own is not None and run.own.is_shipped]

    @property
    def under_way(self) -> list[Run]:
        """Runs of which a training has not come to an end."""
        return [run for run in self.runs if run.is_under_way]

    @cached_property
    def baseline(self) -> Run | None:
        """The run that the others are compared with."""
        return next((run for run in self.runs if run.is_baseline), None)

    @cached_property
    def lens(self) -> tuple[str, str]:
        """How trainings are looked at: the measure in full, and which round is compared."""
        return repr(self.measure), self.score_at

    @cached_property
    def stamp(self) -> tuple[Hashable, ...]:
        """What tells the tables of this screen from another's: lens, repetitions, colours, its runs."""
        runs = [(r.slot, r.name, r.is_baseline, r.standing, r.from_store, r.stamp) for r in self.runs]
        return self.lens, self.means, self.word, self.colours, self.data, *runs

    @cached_property
    def looks(self) -> dict[int, Stroke]:
        """How each run is drawn, by its slot."""
        return {run.slot: stroke(run.slot, run.is_baseline, self.colours) for run in self.runs}

    @cached_property
    def means(self) -> str:
        """Of what each run's numbers are means, as in "5 folds"; empty where a run is trained once."""
        if self.repeat == "one" or self.splits is None:
            return ""
        return f"{max((len(run.specs) for run in self.runs), default=0)} {self.word}s"

    @property
    def word(self) -> str:
        """What each training of a run is one of."""
        return "fold" if self.repeat == "folds" else "seed"

    @property
    def once(self) -> Screen:
        """The same without repetitions: what the pages but Compare show."""
        if self.repeat == "one":
            return self
        return replace(self, repeat="one", runs=tuple(run.once for run in self.runs))


def _baseline_first(runs: list[Run]) -> list[Run]:
    return [run for run in runs if run.is_baseline] + [run for run in runs if not run.is_baseline]


@dataclass
class Desk:
    """What one session trains with: the shared services, its own jobs by key, and its name among owners.

    `beside` are the keys of jobs that it wants beside those of the plan, and `rankings` the files of those
    that were brought along.
    """

    services: Services
    jobs: dict[str, Job]
    owner: str
    beside: Collection[str] = ()
    rankings: Mapping[str, Path] = field(default_factory=dict)


def reconcile(plan: Plan, desk: Desk, splits: Splits | None, problem: str = "") -> Screen:
    """Bring what is trained in line with a plan, and return what there is; nothing starts without `splits`.

    What a session has stopped, and what has failed, is not started again unasked: its job is remembered.
    """
    wanted = plan.wanted
    own = [_own(run, plan, desk) if splits is not None else _as_run(run, Status.IDLE) for run in plan.runs]
    _give_up_all_but({*plan.keys, *desk.beside}, desk)
    runs = tuple(
        run if len(run.specs) == 1 or run.recipe.is_given else _repeated(run, plan, desk) for run in own
    )
    told = (wanted.entry, wanted.data, splits, problem, wanted.measure, wanted.score_at)
    return Screen(*told, runs, wanted.colours, plan.repeat)


def _own(planned: PlannedRun, plan: Plan, desk: Desk) -> Run:
    """Return a run with its own training, started if need be.

    One that came with this version is trained, too, but not while the first page is drawn.
    """
    if planned.recipe.is_given:
        return _given(planned, plan, desk)
    key = planned.spec.key
    training, job = desk.services.store.get(planned.spec), desk.jobs.get(key)
    if job is None and (training is None or training.is_shipped and desk.services.ready.is_set()):
        job = desk.jobs[key] = _start((planned.spec,), key, planned.name, planned, plan, desk)
    if training is not None:
        return _as_run(planned, Status.DONE, training, job)
    assert job is not None  # what is not trained has one by now
    status = job.status  # once: its worker may change it meanwhile
    if status in UNDER_WAY and job.cancelled.is_set():
        status = Status.STOPPED
    part = job.result[-1] if job.result and status not in UNDER_WAY else None
    return _as_run(planned, status, part, job)


def _given(planned: PlannedRun, plan: Plan, desk: Desk) -> Run:
    """Return a run that was brought along: it is measured here and now, and nothing trains."""
    run = _as_run(planned, Status.DONE)
    told = planned.recipe.values()
    try:
        path = desk.rankings.get(told["file"])
        if path is None:
            raise DataError(f"the file of “{told['name']}” is not here", "bring it along once more")
        own, *rest = (
            desk.services.measured(spec, plan.wanted.entry, path, plan.wanted.measure, _lies_in_data(path))
            for spec in (planned.spec, *planned.specs)
        )
    except DataError as error:
        job = Job(planned.key, planned.name, 0, lambda _: None, Status.FAILED, error=_sentence(error))
        return replace(run, status=Status.FAILED, job=job)
    return replace(run, own=own, trainings=tuple(rest))


def _lies_in_data(path: Path) -> bool:
    return path.is_relative_to(DATA_FOLDER)


def _sentence(error: DataError) -> str:
    sentence = on_screen(error)
    return sentence[:1].upper() + sentence[1:]


def _as_run(
    planned: PlannedRun, status: Status, training: Training | None = None, job: Job | None = None
) -> Run:
    trainings = (training,) if training is not None and len(planned.specs) == 1 else ()
    return Run(**vars(planned), status=status, own=training, trainings=trainings, job=job)


def _repeated(run: Run, plan: Plan, desk: Desk) -> Run:
    """Return a run with its repetitions; those missing start when its own, maybe one of them, is done."""
    trainings, job = trainings_of(run.specs, run.key, desk.services), desk.jobs.get(run.key)
    if run.status == Status.DONE and not trainings and (job is None or job.status == Status.DONE):
        missing = tuple(spec for spec in run.specs if desk.services.store.get(spec) is None)
        label = f"{run.name}, {'folds' if plan.repeat == 'folds' else 'seeds'}"
        job = desk.jobs[run.key] = _start(missing, run.key, label, run, plan, desk)
    return replace(run, trainings=trainings if run.own is not None else (), rest=job)


def trainings_of(specs: tuple[RunSpec, ...], key: str, services: Services) -> tuple[Training, ...]:
    """Return the trainings of all specs; none while one is missing."""
    held = services.memo.get(("repetitions", key))
    if held is None:
        stored = (services.store.get(spec) for spec in specs)
        held = tuple(training for training in stored if training is not None)
        if len(held) < len(specs):
            return ()
        # Held together: the store's memory has room for a few runs only.
        services.memo.put(("repetitions", key), held, _BYTES * len(held))
    return held


def _start(specs: tuple[RunSpec, ...], key: str, label: str, run: PlannedRun, plan: Plan, desk: Desk) -> Job:
    shared, wanted = desk.services, plan.wanted
    data = partial(shared.splits, entry=wanted.entry)
    n_rounds = n_rounds_of(run.recipe, lambda: data(run.spec.data))
    work = work_for(specs, data, wanted.measure, shared.store, n_rounds, shared.crew)
    known = shared.data.get(run.spec.data)
    size = math.inf if known is None else float(n_rounds * len(specs) * known.n_cells)
    return shared.runner.submit(key, label, n_rounds * len(specs), work, desk.owner, size=size)


def _give_up_all_but(wanted: set[str], desk: Desk) -> None:
    """Cancel and forget what is under way for runs no longer on screen; keep what was stopped."""
    desk.services.runner.keep(desk.owner, wanted)
    for key in [key for key in desk.jobs if key not in wanted]:
        if desk.jobs[key].status in (*UNDER_WAY, Status.DONE) or len(desk.jobs) > _MAX_KEPT:
            del desk.jobs[key]
