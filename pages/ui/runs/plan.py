"""Which trainings make a run repeated: one on every fold, or one from each of several seeds.

Each is an ordinary run of its own, in the store as any other. A run's missing ones are one job.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from ltr_core.measures import Measure

from ..session import state
from .catalog import Entry
from .jobs import Job
from .services import services
from .specs import RunSpec, recipe_of
from .store import Training
from .training import n_rounds_of, work_for_all

N_SEEDS = {"seeds3": 3, "seeds5": 5}
_SEEDS = 2**32
_BYTES = 5e5  # of a run in memory, at a guess


@dataclass(frozen=True)
class Group:
    """A run's repetitions: their specs, the trained ones when all are, and the job that trains them."""

    specs: tuple[RunSpec, ...]
    runs: tuple[Training, ...] = ()
    job: Job | None = None

    @property
    def key(self) -> str:
        """The key of its job."""
        return job_key(self.specs)

    @property
    def n_done(self) -> int:
        """How many are trained."""
        return len(self.runs) or sum(services().store.get(spec) is not None for spec in self.specs)

    @property
    def is_under_way(self) -> bool:
        """Whether its job has not come to an end."""
        return self.job is not None and not self.job.is_over


def choices(entry: Entry) -> list[str]:
    """Return the kinds of repetition that a data set allows."""
    return ["one", *(["folds"] if len(_folds(entry)) > 1 else []), *N_SEEDS]


def kind_of(entry: Entry) -> str:
    """Return the kind that is chosen; once where the data set does not allow it."""
    wanted = state.get("repeat")
    return wanted if wanted in choices(entry) else "one"


def specs_of(spec: RunSpec, entry: Entry, kind: str) -> tuple[RunSpec, ...]:
    """Return the specs of a run's repetitions; one alone, its own, where there are none."""
    if kind == "folds":
        return tuple(replace(spec, data=replace(spec.data, fold=fold)) for fold in _folds(entry))
    if kind == "one":
        return (spec,)
    own = spec.recipe.values()["random_state"]
    seeds = [(own + i) % _SEEDS for i in range(N_SEEDS[kind])]
    recipes = [
        recipe_of(spec.recipe.algorithm, {**dict(spec.recipe.params), "random_state": seed}) for seed in seeds
    ]
    return tuple(replace(spec, recipe=recipe) for recipe in recipes)


def group(specs: tuple[RunSpec, ...]) -> Group:
    """Return how far a run's repetitions are."""
    shared, key = services(), job_key(specs)
    runs = shared.memo.get(("repetitions", key))
    if runs is None:
        found = [shared.store.get(spec) for spec in specs]
        runs = tuple(training for training in found if training is not None)
        if len(runs) == len(specs):  # held together: the store's memory has room for a few runs only
            shared.memo.put(("repetitions", key), runs, _BYTES * len(runs))
        else:
            runs = ()
    return Group(specs, runs, state.jobs().get(key))


def start(own: RunSpec, specs: tuple[RunSpec, ...], name: str, entry: Entry, measure: Measure) -> None:
    """Train what is missing of a run's repetitions, unless that was stopped, or failed."""
    shared, screen = services(), group(specs)
    if screen.runs or (screen.job is not None and screen.job.state != "done"):
        return
    missing = [spec for spec in specs if shared.store.get(spec) is None]
    rounds = n_rounds_of(own.recipe, lambda: shared.splits(own.data, entry))
    work = work_for_all(missing, lambda s: shared.splits(s.data, entry), measure, shared.store, rounds)
    label = f"{name}, {'folds' if specs[0].data != specs[-1].data else 'seeds'}"
    state.jobs()[screen.key] = shared.runner.submit(
        screen.key, label, rounds * len(missing), work, state.owner()
    )


def job_key(specs: tuple[RunSpec, ...]) -> str:
    """Return the key of the job that trains these."""
    text = " ".join(spec.key for spec in specs)
    return "all-" + hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


def _folds(entry: Entry) -> tuple[str, ...]:
    return tuple(fold for fold in entry.folds if fold != "split")
