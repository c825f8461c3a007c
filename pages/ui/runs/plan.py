"""What a session asks for, and what has to be trained for it: plain data, worked out without the session.

A run is a group of trainings: one on the split that is chosen, or one on every fold, or one from each of
several seeds. Each is an ordinary training of its own, in the store as any other.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ltr_core.measures import Measure

from ..style.theme import LIGHT, Palette
from ..style.words import run_names
from .catalog import Entry
from .specs import DataSpec, Recipe, RunSpec, Workspace, recipe_of

N_SEEDS = {"seeds3": 3, "seeds5": 5}
_SEEDS = 2**32


@dataclass(frozen=True)
class Wanted:
    """What a session asks for; `repeat` is the kind of repetition, `colours` are those of its theme."""

    entry: Entry = field(hash=False)  # it holds dicts; the data's spec tells it from others
    data: DataSpec
    measure: Measure
    workspace: Workspace
    repeat: str = "one"
    score_at: str = "best"
    colours: Palette = LIGHT


@dataclass(frozen=True)
class PlannedRun:
    """A run of the workspace: its own spec, on the data that are chosen, and those of all its trainings.

    Without repetition these are its own alone. `key` is the key of the job that trains them.
    """

    slot: int
    name: str
    recipe: Recipe
    is_baseline: bool
    spec: RunSpec
    specs: tuple[RunSpec, ...]
    key: str


@dataclass(frozen=True)
class Plan:
    """What a session asks for, the kind of repetition in force, its runs, and the keys of their jobs."""

    wanted: Wanted
    repeat: str
    runs: tuple[PlannedRun, ...]
    keys: frozenset[str]


@lru_cache(maxsize=64)
def plan(wanted: Wanted) -> Plan:
    """Return what is to be trained; the same plan for the same wishes: most reruns of a page change none."""
    repeat = wanted.repeat if wanted.repeat in choices(wanted.entry) else "one"
    space = wanted.workspace
    runs = []
    for (slot, recipe), name in zip(space.slots, run_names([r for _, r in space.slots]), strict=True):
        spec = spec_of(wanted.data, recipe, wanted.measure)
        specs = specs_of(spec, wanted.entry, repeat)
        runs.append(PlannedRun(slot, name, recipe, slot == space.baseline, spec, specs, key_of(specs)))
    keys = frozenset(key for run in runs for key in (run.spec.key, run.key))
    return Plan(wanted, repeat, tuple(runs), keys)


def choices(entry: Entry) -> list[str]:
    """Return the kinds of repetition that a data set allows."""
    return ["one", *(["folds"] if len(_folds(entry)) > 1 else []), *N_SEEDS]


def spec_of(data: DataSpec, recipe: Recipe, measure: Measure) -> RunSpec:
    """Return the spec of a recipe's run: early stopping depends on the measure, nothing else does."""
    return RunSpec(data, recipe, repr(measure) if dict(recipe.params).get("early_stopping") else "")


def specs_of(spec: RunSpec, entry: Entry, repeat: str) -> tuple[RunSpec, ...]:
    """Return the specs of a run's trainings."""
    if repeat == "one":
        return (spec,)
    if spec.recipe.is_given and repeat in N_SEEDS:
        return (spec,) * N_SEEDS[repeat]
    if repeat == "folds":
        return tuple(replace(spec, data=replace(spec.data, fold=fold)) for fold in _folds(entry))
    own, given = spec.recipe.values()["random_state"], dict(spec.recipe.params)
    seeds = [(own + i) % _SEEDS for i in range(N_SEEDS[repeat])]
    recipes = [recipe_of(spec.recipe.algorithm, {**given, "random_state": seed}) for seed in seeds]
    return tuple(replace(spec, recipe=recipe) for recipe in recipes)


def key_of(specs: tuple[RunSpec, ...]) -> str:
    """Return the key of the job that trains these."""
    if len(specs) == 1:
        return specs[0].key
    text = " ".join(spec.key for spec in specs)
    return "all-" + hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def _folds(entry: Entry) -> tuple[str, ...]:
    return tuple(fold for fold in entry.folds if fold != "split")
