"""What a sweep would take, before it starts: measured on the first rounds of one fit."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..algorithms import Ranker, RoundInfo
from ..errors import ParameterError
from ..measures import Measure
from ..rankers.arguments import as_measures
from .parts import as_folds
from .proposals import make_proposer
from .space import as_space
from .store import config_key
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
    checked = as_space(algorithm, space, fixed, sampler != "grid")
    measured = as_measures([measure])
    proposer = make_proposer(checked, sampler, n_trials, measured[0].higher_is_better, seed)
    cuts = as_folds(data, folds, seed)
    trials = [checked.config(params) for params in proposer.ask(n_trials or 1_000_000)]
    if not trials:
        raise ParameterError("The space has no point. Give each parameter at least one value.")
    n_different = len({config_key(config) for config in trials})
    seconds = _seconds_of_one(checked.algorithm(**trials[len(trials) // 2]), cuts[0], measured, patience)
    return Estimate(
        n_points=len(trials) * max(1, len(checked.rounds)),
        n_fits=n_different * len(cuts) * n_seeds,
        seconds_per_fit=seconds,
        n_workers=n_workers or n_cores(),
    )


def _seconds_of_one(model: Ranker, fold: Any, measures: list[Measure], patience: float) -> float:
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
