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
from .store import Run
from .training import n_rounds_of, work_for

_MAX_KEPT = 40  # stopped and failed jobs that a session remembers


@dataclass(frozen=True)
class Line:
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
    run: Run | None = None
    job: Job | None = None
    from_store: bool = False
    repeats: tuple[RunSpec, ...] = ()

    @property
    def trained(self) -> Run:
        """The run of a line that has one."""
        assert self.run is not None, f"{self.name} is not trained"
        return self.run


@dataclass(frozen=True)
class View:
    """Everything the pages show, and what they need to compute it."""

    entry: Entry
    data: DataSpec
    splits: Splits | None
    problem: str
    measure: Measure
    score_at: str
    lines: tuple[Line, ...]
    colours: Palette
    repeat: str = "one"

    @property
    def finished(self) -> list[Line]:
        """Lines with something to show, the baseline first."""
        return sorted((x for x in self.lines if x.run is not None), key=lambda x: not x.is_baseline)

    @property
    def under_way(self) -> list[Line]:
        """Lines whose training has not come to an end."""
        return [x for x in self.lines if x.state in ("waiting", "running")]

    @property
    def baseline(self) -> Line | None:
        """The line that the others are compared with."""
        return next((x for x in self.lines if x.is_baseline), None)


def build() -> View:
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
    lines = tuple(_lines(entry, data, measure, trains=splits is not None))
    repeat = compare_plan.kind_of(entry)
    wanted = {line.spec.key for line in lines} | state.asked_beside()
    if repeat != "one":
        wanted |= {compare_plan.job_key(line.repeats) for line in lines}
    _give_up_all_but(wanted)
    for line in lines:
        if repeat != "one" and line.state == "done":  # its own run first: it may be one of them
            compare_plan.start(line.spec, line.repeats, line.name, entry, measure)
    colours = palette(getattr(st.context.theme, "type", None))
    view = View(entry, data, splits, problem, measure, state.get("score_at"), lines, colours, repeat)
    st.session_state[state.VIEW] = view
    st.session_state[state.FRAMED] = True
    return view


def current() -> View:
    """Return what `build` has built in this run of the app; a page asks once, at its top."""
    if not st.session_state.pop(state.FRAMED, False):
        site.enter()
    return last()


def last() -> View:
    """Return what was built last: for fragments, which run without the frame."""
    return st.session_state[state.VIEW]


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


def _lines(entry: Entry, data: DataSpec, measure: Measure, trains: bool) -> list[Line]:
    space = state.workspace()
    colours = palette(getattr(st.context.theme, "type", None))
    lines = []
    names = run_names([recipe for _, recipe in space.slots])
    for (slot, recipe), name in zip(space.slots, names, strict=True):
        spec = spec_of(data, recipe, measure)
        found = _find(spec, name, entry, measure) if trains else ("idle", None, None, False)
        is_baseline = slot == space.baseline
        look = stroke(slot, is_baseline, colours)
        repeats = compare_plan.specs_of(spec, entry, compare_plan.kind_of(entry))
        lines.append(Line(slot, name, recipe, spec, is_baseline, look, *found, repeats))
    return lines


def _give_up_all_but(wanted: set[str]) -> None:
    """Cancel and forget what is under way for runs no longer on screen; keep what was stopped."""
    wanted = wanted | state.sweeps().keys
    services().runner.keep(state.owner(), wanted)
    mine = state.jobs()
    for key in [key for key, job in mine.items() if key not in wanted]:
        if mine[key].state in ("waiting", "running", "done") or len(mine) > _MAX_KEPT:
            state.forget_job(key)


def _find(
    spec: RunSpec, name: str, entry: Entry, measure: Measure
) -> tuple[str, Run | None, Job | None, bool]:
    """Return a line's state, run, job and whether it is from the store; a training is started if need be."""
    shared, mine = services(), state.jobs()
    run, job = shared.store.get(spec), mine.get(spec.key)
    if run is not None:
        return "done", run, None, job is None
    if job is None:
        n_rounds = n_rounds_of(spec.recipe, lambda: shared.splits(spec.data, entry))
        work = work_for(spec, lambda: shared.splits(spec.data, entry), measure, shared.store)
        job = mine[spec.key] = shared.runner.submit(spec.key, name, n_rounds, work, state.owner())
    doing = _state_of(job)
    return doing, None if doing in ("waiting", "running") else job.result, job, False


def _state_of(job: Job) -> str:
    now = job.state  # once: its worker may change it meanwhile
    if now in ("done", "failed"):
        return now
    return "stopped" if now == "cancelled" or job.cancelled.is_set() else now
