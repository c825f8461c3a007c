"""What a sweep would take, before it starts: measured on the first rounds of one fit."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ... import threads
from ...algorithms import Ranker, RoundInfo
from ...errors import ParameterError
from ...measures import Measure
from ..search.question import Question, describe
from .parts import Fold, as_folds
from .workers import n_cores

_MOST_TOGETHER = 4  # fits that are measured beside one another: a question takes no larger machine whole


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
    score_at: str | None = None,
    patience: float = 1.0,
) -> Estimate:
    """Measure fits for at most about `patience` seconds and say what the sweep would take.

    The first, the middle and the last point, each on one thread, and several times at once, as the sweep runs
    it: fits beside one another are slower than one alone where others work on the machine. Points differ in
    what they cost, by their rounds above all.

    The other parameters are those of `sweep`. Pruning is not foreseen: a sweep with a pruner takes less.
    """
    question = describe(
        algorithm,
        space,
        sampler,
        n_trials,
        measure=measure,
        fixed=fixed,
        seeds=n_seeds,
        seed=seed,
        score_at=score_at,
    )
    cuts, configs = as_folds(data, folds, seed), question.configs()
    if not configs:
        raise ParameterError("The space has no point. Give each parameter at least one value.")
    picked = {0: configs[0], len(configs) // 2: configs[len(configs) // 2], len(configs) - 1: configs[-1]}
    each, n_fits, n_workers = patience / len(picked), question.n_fits(len(cuts)), n_workers or n_cores()
    together = max(1, min(n_workers, n_fits, _MOST_TOGETHER))
    seconds: list[float] = []
    with ThreadPoolExecutor(together, thread_name_prefix="estimate") as pool, threads.turns_are_short():
        for config in picked.values():
            with threads.serial_only():  # what is compiled for it is no part of the pace
                _fit(question, config, cuts[0], lambda info: False)
            seconds += pool.map(lambda _, c=config: _seconds_of(question, c, cuts[0], each), range(together))
    return Estimate(question.n_points, n_fits, float(np.mean(seconds)), n_workers)


def _fit(
    question: Question, config: Mapping[str, Any], fold: Fold, on_round: Callable[[RoundInfo], bool]
) -> Ranker:
    """Return a model that was trained as the sweep trains it, until `on_round` says no."""
    how: dict[str, Any] = {"eval_set": {"valid": fold.valid}, "measures": question.measures, "in_full": ()}
    return question.space.algorithm(**config).fit(fold.train, on_round=on_round, **how)


def _seconds_of(question: Question, config: Mapping[str, Any], fold: Fold, patience: float) -> float:
    """Return what a fit takes: measured, or from its pace until patience was out."""
    ends: list[float] = []
    with threads.serial_only():
        started = time.perf_counter()

        def on_round(info: RoundInfo) -> bool:
            ends.append(time.perf_counter() - started)
            return ends[-1] < patience

        model = _fit(question, config, fold, on_round)
        spent = time.perf_counter() - started
    if model.stopped_ != "cancelled" or not ends:
        return spent
    n_rounds = model.checked_params()[model.rounds_param] if model.rounds_param else 1
    # The first round bears the preparation: the others' pace is what goes on.
    pace = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else ends[0]
    return ends[0] + pace * ((fold.train.n_features if n_rounds is None else n_rounds) - 1)
