"""What a sweep asks, checked before anything is trained: its points, its fits, how they are searched."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...algorithms import Ranker
from ...errors import ParameterError
from ...measures import Measure
from ...rankers import EARLY_STOPPING
from ...rankers.arguments import as_measures
from .pruning import check_pruner
from .samplers import SAMPLERS, Sampler, check_sampler
from .space import Space, as_space, config_key

_ALL = 1 << 30


@dataclass(frozen=True)
class Question:
    """What a sweep asks of whatever data; `describe` makes and checks it.

    Attributes
    ----------
    space : Space
        What is swept, and what stays.
    sampler, n_trials, pruner
        How it is searched: names of `SAMPLERS` and `PRUNERS`; a grid has no number of trials.
    measures : tuple of Measure
        The first one is compared, the others are noted.
    seeds : tuple of int
        The random states of each point.
    seed : int
        Of the cut and of the sampler.
    batch : int
        How many trials are proposed at a time where something looks back on earlier ones.
    score_at : {"last", "best"}
        At which round of a training a point is judged.
    """

    space: Space
    sampler: str
    n_trials: int | None
    pruner: str | None
    measures: tuple[Measure, ...]
    seeds: tuple[int, ...]
    seed: int
    batch: int
    score_at: str = "last"

    @property
    def looks_back(self) -> bool:
        """Whether what is tried, or given up, depends on earlier points."""
        return self.pruner is not None or SAMPLERS[self.sampler].looks_back

    @property
    def at_a_time(self) -> int:
        """How many trials are proposed at a time."""
        return self.batch if self.looks_back else _ALL

    @property
    def n_points(self) -> int:
        """How many points there are, without making them."""
        n_trials = self.n_trials
        if n_trials is None:
            n_trials = math.prod(len(values) for values in self.space.lists().values())
        return n_trials * max(1, len(self.space.rounds))

    def propose(self) -> Sampler:
        """Return the sampler at its beginning."""
        up = self.measures[0].higher_is_better
        return SAMPLERS[self.sampler](self.space, self.n_trials, up, self.seed)

    def configs(self) -> list[dict[str, Any]]:
        """Return the parameters of each trial's training, as far as they are known before any is done."""
        return [self.space.config(params) for params in self.propose().ask(self.n_trials or _ALL)]

    def n_fits(self, n_cuts: int) -> int:
        """Return how many trainings answer for all points: those that differ in nothing count once."""
        return len({config_key(config) for config in self.configs()}) * n_cuts * len(self.seeds)

    def plain(self, folds: list[list[str | None]]) -> dict[str, Any]:
        """Return it as it is written into a file, with the fingerprints of the data of each fold."""
        names = ("name", "options", "higher_is_better")
        return {
            **self.space.plain(),
            "sampler": self.sampler,
            "n_trials": self.n_trials,
            "pruner": self.pruner,
            "measures": [{name: getattr(measure, name) for name in names} for measure in self.measures],
            "seeds": list(self.seeds),
            "seed": self.seed,
            "folds": folds,
            "batch": self.batch if self.looks_back else None,
            **({"score_at": self.score_at} if self.score_at != "last" else {}),  # older files say nothing
        }


def describe(
    algorithm: str | type[Ranker],
    space: Mapping[str, Any],
    sampler: str = "grid",
    n_trials: int | None = None,
    pruner: str | None = None,
    *,
    measure: str | Measure = "ndcg@10",
    measures: Sequence[str | Measure] = (),
    fixed: Mapping[str, Any] | None = None,
    seeds: int | Iterable[int] = 1,
    seed: int = 0,
    batch: int = 8,
    score_at: str | None = None,
) -> Question:
    """Say what a sweep asks, or what is wrong with it; the parameters are those of `sweep`."""
    measured = as_measures([measure, *measures])
    drawn = sampler not in SAMPLERS or SAMPLERS[sampler].draws
    checked = as_space(algorithm, space, fixed, drawn)
    pruner = check_pruner(pruner, checked.algorithm.rounds_param, checked.algorithm.__name__)
    n_trials = check_sampler(sampler, checked, n_trials)
    random_states = _as_seeds(seeds)
    if batch != int(batch) or batch < 1:
        raise ParameterError(f"batch = {batch!r}: propose at least one trial at a time.")
    if score_at is None:  # as a model predicts: with its best round where training stops early
        stops = {**dict(fixed or {}), **space}.get(EARLY_STOPPING.name) is not None
        score_at = "best" if stops else "last"
    if score_at not in ("last", "best"):
        raise ParameterError(f'score_at = {score_at!r} cannot be used. Take "last" or "best".')
    asked = checked, sampler, n_trials, pruner, tuple(measured), random_states, seed, int(batch), score_at
    return Question(*asked)


def _as_seeds(seeds: int | Iterable[int]) -> tuple[int, ...]:
    given = tuple(range(seeds)) if isinstance(seeds, int) and not isinstance(seeds, bool) else seeds
    try:
        checked = tuple(dict.fromkeys(int(s) for s in given))  # type: ignore[union-attr]
    except (TypeError, ValueError):
        checked = ()
    if not checked or min(checked) < 0:
        raise ParameterError(f"seeds = {seeds!r} cannot be used. Give how many, or a list such as (0, 1, 2).")
    return checked
