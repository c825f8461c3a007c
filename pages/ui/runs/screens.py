"""What is on screen in this run of the app: data, measure, and a line for each run of the workspace.

Building it starts the trainings that are missing and gives up those that are no longer wanted.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from ltr_core import DataError, ParameterError
from ltr_core.measures import Measure

from ..app import site
from ..session import state
from ..style.theme import Palette, Stroke, palette, stroke
from ..style.words import run_names
from . import catalog
from . import plan as compare_plan
from .catalog import Entry, Splits
from .jobs import Job
from .services import services
from .specs import DataSpec, Recipe, RunSpec
from .store import Training
from .training import n_rounds_of, work_for

_MAX_KEPT = 40  # stopped and failed jobs that a session remembers


@dataclass(frozen=True)
class Run:
    """A run on screen.

    `state` is "done", "waiting", "running", "stopped", "failed" or "idle" (no data), when the page was drawn;
    `run` is there when it is done, or stopped with something to show; `from_store` says that it had been
    trained before it was asked for.
    """

    slot: int
    name: str
    recipe: Recipe
    spec: RunSpec
    is_baseline: bool
    look: Stroke
    state: str = "waiting"
    training: Training | None = None
    job: Job | None = None
    from_store: bool = False
    repeats: tuple[RunSpec, ...] = ()

    @property
    def trained(self) -> Training:
        """The run of a line that has one."""
        assert self.training is not None, f"{self.name} is not trained"
        return self.training


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
    colours: Palette
    repeat: str = "one"

    @property
    def finished(self) -> list[Run]:
        """Lines with something to show, the baseline first."""
        return sorted((x for x in self.runs if x.training is not None), key=lambda x: not x.is_baseline)

    @property
    def under_way(self) -> list[Run]:
        """Lines whose training has not come to an end."""
        return [x for x in self.runs if x.state in ("waiting", "running")]

    @property
    def baseline(self) -> Run | None:
        """The line that the others are compared with."""
        return next((x for x in self.runs if x.is_baseline), None)


def build() -> Screen:
    """Read the session, start what is missing, and keep the result for the page."""
    entry, data = _data()
    splits, problem = None, ""
    try:
        if services().peek(data):
            splits = services().splits(data, entry)
        else:
            with st.spinner(f"Reading {entry.label} …"):
                splits = services().splits(data, entry)
    except (DataError, ParameterError) as error:
        problem = str(error)
    measure = state.chosen_measure()
    runs = tuple(_lines(entry, data, measure, trains=splits is not None))
    repeat = compare_plan.kind_of(entry)
    wanted = {run.spec.key for run in runs} | state.asked_beside()
    if repeat != "one":
        wanted |= {compare_plan.job_key(run.repeats) for run in runs}
    _give_up_all_but(wanted)
    for run in runs:
        if repeat != "one" and run.state == "done":  # its own run first: it may be one of them
            compare_plan.start(run.spec, run.repeats, run.name, entry, measure)
    colours = palette(getattr(st.context.theme, "type", None))
    screen = Screen(entry, data, splits, problem, measure, state.get("score_at"), runs, colours, repeat)
    st.session_state[state.SCREEN] = screen
    st.session_state[state.FRAMED] = True
    return screen


def current() -> Screen:
    """Return what `build` has built in this run of the app; a page asks once, at its top."""
    if not st.session_state.pop(state.FRAMED, False):
        site.enter()
    return last()


def last() -> Screen:
    """Return what was built last: for fragments, which run without the frame."""
    return st.session_state[state.SCREEN]


def entries() -> dict[str, Entry]:
    """Return the data sets that this session can pick."""
    return catalog.entries(state.uploads())


def _data() -> tuple[Entry, DataSpec]:
    entry = entries()[state.get("data")]
    return entry, spec_for(entry)


def spec_for(entry: Entry) -> DataSpec:
    """Return the spec of a data set as this session sets it: size, seed, cut, gaps."""
    size = state.values_of(entry.name, entry.params) if entry.params else {"missing": state.get("missing")}
    seed = state.get(state.key(entry.name, "seed")) if entry.params else 0
    return catalog.spec_of(entry, size, seed, state.get("fold"), state.get("shuffle"))


def spec_of(data: DataSpec, recipe: Recipe, measure: Measure) -> RunSpec:
    """Return the spec of a recipe's run: early stopping depends on the measure, nothing else does."""
    return RunSpec(data, recipe, repr(measure) if dict(recipe.params).get("early_stopping") else "")


def _lines(entry: Entry, data: DataSpec, measure: Measure, trains: bool) -> list[Run]:
    space = state.workspace()
    colours = palette(getattr(st.context.theme, "type", None))
    runs = []
    names = run_names([recipe for _, recipe in space.slots])
    for (slot, recipe), name in zip(space.slots, names, strict=True):
        spec = spec_of(data, recipe, measure)
        found = _find(spec, name, entry, measure) if trains else ("idle", None, None, False)
        is_baseline = slot == space.baseline
        look = stroke(slot, is_baseline, colours)
        repeats = compare_plan.specs_of(spec, entry, compare_plan.kind_of(entry))
        runs.append(Run(slot, name, recipe, spec, is_baseline, look, *found, repeats))
    return runs


def _give_up_all_but(wanted: set[str]) -> None:
    """Cancel and forget what is under way for runs no longer on screen; keep what was stopped."""
    services().runner.keep(state.owner(), wanted)
    mine = state.jobs()
    for key in [key for key, job in mine.items() if key not in wanted]:
        if mine[key].state in ("waiting", "running", "done") or len(mine) > _MAX_KEPT:
            state.forget_job(key)


def _find(
    spec: RunSpec, name: str, entry: Entry, measure: Measure
) -> tuple[str, Training | None, Job | None, bool]:
    """Return a line's state, run, job and whether it is from the store; a training is started if need be."""
    shared, mine = services(), state.jobs()
    training, job = shared.store.get(spec), mine.get(spec.key)
    if training is not None:
        return "done", training, None, job is None
    if job is None:
        n_rounds = n_rounds_of(spec.recipe, lambda: shared.splits(spec.data, entry))
        work = work_for(spec, lambda: shared.splits(spec.data, entry), measure, shared.store)
        job = mine[spec.key] = shared.runner.submit(spec.key, name, n_rounds, work, state.owner())
    doing = _state_of(job)
    return doing, None if doing in ("waiting", "running") else job.result, job, False


def _state_of(job: Job) -> str:
    screen = job.state  # once: its worker may change it meanwhile
    if screen in ("done", "failed"):
        return screen
    return "stopped" if screen == "cancelled" or job.cancelled.is_set() else screen
