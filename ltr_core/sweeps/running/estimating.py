"""What a sweep would take, before it starts: measured on the first rounds of one fit."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...algorithms import Ranker, RoundInfo
from ...errors import ParameterError
from ...measures import Measure
from ..search.question import describe
from .parts import Fold, as_folds
from .workers import n_cores


@dataclass(frozen=True)
class Estimate:
    """How much a sweep is.

    `n_points` points need `n_fits` trainings of about `seconds_per_fit`: about `seconds` in all on
    `n_workers`.
    """

    n_points: int
    n_fits: int
    seconds_per_fit: float
    n_workers: int

    @property
    def seconds(self) -> float:
        """About how long the sweep takes."""
        return self.seconds_per_fit * -(-self.n_fits // self.n_workers)


def estimate_sweep(
    algorithm: str | type[Ranker],
    space: Mapping[str, Any],
    data: Any,
    sampler: str = "grid",
    n_trials: int | None = None,
    folds: int | Sequence[Any] | None = None,
    *,
    measure: str | Measure = "ndcg@10",
    fixed: Mapping[str, Any] | None = None,
    n_seeds: int = 1,
    seed: int = 0,
    n_workers: int | None = None,
    patience: float = 1.0,
) -> Estimate:
    """Measure one fit for at most about `patience` seconds and say what the sweep would take.

    The other parameters are those of `sweep`. Pruning is not foreseen: a sweep with a pruner takes less.
    """
    question = describe(
        algorithm, space, sampler, n_trials, measure=measure, fixed=fixed, seeds=n_seeds, seed=seed
    )
    cuts, configs = as_folds(data, folds, seed), question.configs()
    if not configs:
        raise ParameterError("The space has no point. Give each parameter at least one value.")
    middle = question.space.algorithm(**configs[len(configs) // 2])
    seconds = _seconds_of_one(middle, cuts[0], question.measures, patience)
    n_fits = question.n_fits(len(cuts))
    return Estimate(question.n_points, n_fits, seconds, n_workers or n_cores())


def _seconds_of_one(model: Ranker, fold: Fold, measures: Sequence[Measure], patience: float) -> float:
    ends: list[float] = []
    started = time.perf_counter()

    def on_round(info: RoundInfo) -> bool:
        ends.append(time.perf_counter() - started)
        return ends[-1] < patience

    model.fit(fold.train, eval_set={"valid": fold.valid}, measures=measures, on_round=on_round, in_full=())
    spent = time.perf_counter() - started
    if model.stopped_ != "cancelled" or not ends:
        return spent
    n_rounds = model.checked_params()[model.rounds_param] if model.rounds_param else 1
    # The first round bears the preparation: the others' pace is what goes on.
    pace = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else ends[0]
    return ends[0] + pace * (n_rounds - 1)
