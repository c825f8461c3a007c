"""What a sweep would take, before it starts: see `probe` for how it is seen."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ...algorithms import Ranker
from ...errors import ParameterError
from ...measures import Measure
from ..records.fit import Task
from ..search.question import Question, describe
from ..search.space import config_key
from .parts import Fold, as_folds
from .probe import Pace, Probe
from .work import Chain
from .workers import Place, make_place

_MOST_TOGETHER = 4  # fits that are measured beside one another: a question takes no larger machine whole
_MOST_POINTS = 17  # that are looked at
_HELD_UP = 1.25  # from here on others hold the fits up: perhaps for a moment, so it is looked again
_PAUSE = 0.3  # seconds before that
_LOOKS = 5  # at most
_WORTH = 2.0  # seconds that looking again may take of even the shortest sweep: its page is just being drawn


@dataclass(frozen=True)
class Estimate:
    """How much a sweep is.

    `n_points` points need `n_fits` trainings of about `seconds_per_fit`: about `seconds` in all on
    `n_workers`.

    Attributes
    ----------
    seconds_before : float
        What of `seconds` goes into what is loaded and prepared once, not into fits.
    slowed : float
        By how many times other work on the machine slows the fits down, as it was when they were measured; it
        is in the seconds. Near 1 where there is none.
    is_most : bool
        Whether fits may stop early, and it takes less then.
    """

    n_points: int
    n_fits: int
    seconds_per_fit: float
    n_workers: int
    seconds_before: float = 0.0
    slowed: float = 1.0
    is_most: bool = False

    @property
    def seconds(self) -> float:
        """About how long the sweep takes."""
        return self.seconds_of(self.n_fits)

    def seconds_of(self, n_fits: int) -> float:
        """Return about how long so many of the fits take."""
        return self.seconds_before + self.seconds_per_fit * -(-n_fits // self.n_workers)


def estimate_sweep(
    algorithm: str | type[Ranker],
    space: Mapping[str, Any],
    data: Any,
    sampler: str = "grid",
    n_trials: int | None = None,
    folds: int | Sequence[Any] | None = None,
    executor: Any = None,
    *,
    measure: str | Measure = "ndcg@10",
    fixed: Mapping[str, Any] | None = None,
    n_seeds: int = 1,
    seed: int = 0,
    n_workers: int | None = None,
    score_at: str | None = None,
    patience: float = 1.0,
) -> Estimate:
    """Measure fits for about `patience` seconds and say what the sweep would take.

    The first, the last and the middle point, and more of those between while there is time, several at once
    where the sweep would run them: fits beside one another are slower than one alone. Points differ in what
    they cost, by their rounds above all. Where others hold the fits up it is looked again whether that stays,
    for some two seconds more, and what it mostly was is in the estimate.

    The other parameters are those of `sweep`. Pruning is not foreseen: a sweep with a pruner takes less. A
    `ParameterError` has the sentence where no point that is measured can be trained.
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
    n_fits, parts = question.n_fits(len(cuts)), {p.fingerprint: p for p in (cuts[0].train, cuts[0].valid)}
    with closing(make_place(executor, parts, n_workers)) as place:
        probe = Probe(
            tuple(_chains(question, configs, cuts[0], n_fits > 1 and place.n_workers > 1)), patience
        )
        together = max(1, min(place.n_workers, n_fits, _MOST_TOGETHER))
        return _measure(question.n_points, n_fits, len(cuts), place, probe, together)


def _chains(
    question: Question, configs: list[dict[str, Any]], cut: Fold, serial: bool
) -> list[tuple[int, Chain]]:
    """Return what is looked at, in order: the ends, the middle, and what halves the gaps that are left."""
    different = list({config_key(config): config for config in configs}.values())
    task = Task(0, question.seeds[0], cut.train.fingerprint, cut.valid.fingerprint)
    name, rounds, score_at = question.space.algorithm.__name__, question.space.rounds, question.score_at
    last, order = len(different) - 1, [0]
    parts = 1
    while last and parts <= _MOST_POINTS:
        order += [round(last * i / parts) for i in range(1, parts + 1)]
        parts *= 2
    return [
        (at, Chain(name, different[at], (task,), question.measures, rounds, None, serial, score_at))
        for at in [*dict.fromkeys(order)][:_MOST_POINTS]
    ]


def _measure(n_points: int, n_fits: int, n_cuts: int, place: Place, probe: Probe, together: int) -> Estimate:
    """Look, and where something holds the fits up look again whether it stays: what it mostly was counts."""
    started = time.perf_counter()
    paces, around = _look(place, probe, together)
    if all(len(pace.errors) == len(pace.fits) for pace in paces):
        raise ParameterError(paces[0].errors[0])
    known = _estimate(paces, around, n_points, n_fits, n_cuts, place)
    again, slowed = replace(probe, chains=probe.chains[:1], patience=probe.patience / 4), [known.slowed]
    while _is_open(slowed) and time.perf_counter() - started < max(known.seconds, _WORTH):
        time.sleep(_PAUSE)
        slowed.append(_slowed(_look(place, again, together)[0]))
    mostly = float(np.median(slowed))
    return replace(known, seconds_per_fit=known.seconds_per_fit * mostly / known.slowed, slowed=mostly)


def _is_open(slowed: list[float]) -> bool:
    """Whether further looks can say something else of what mostly holds the fits up."""
    free = sum(one < _HELD_UP for one in slowed)
    return slowed[0] >= _HELD_UP and free <= _LOOKS // 2 and len(slowed) < _LOOKS


def _look(place: Place, probe: Probe, together: int) -> tuple[list[Pace], float]:
    """Return what is seen in several workers at once, and what was spent around it by the clock."""
    asked = time.perf_counter()
    try:
        waiting: list[Future[Pace]] = [place.submit(probe) for _ in range(together)]
        paces = [future.result() for future in waiting]
    except BaseException:
        place.cancel()
        raise
    return paces, max(0.0, time.perf_counter() - asked - max(pace.inside for pace in paces))


def _slowed(paces: list[Pace]) -> float:
    """Return by how much all together are slowed: who is held up leaves the fits to the others."""
    return len(paces) / sum(1 / pace.slowed for pace in paces)


def _estimate(
    paces: list[Pace], around: float, n_points: int, n_fits: int, n_cuts: int, place: Place
) -> Estimate:
    looked = pd.DataFrame([fit for pace in paces for fit in pace.fits], columns=["place", "seconds"])
    each = looked.groupby("place")["seconds"].mean()
    # Points between those that were seen are taken to lie on a line between them.
    fit = float(np.mean(np.interp(np.arange(each.index[-1] + 1), each.index, each)))
    loading, slowed = float(np.mean([pace.loading for pace in paces])), _slowed(paces)
    before = (n_cuts - 1) * loading if place.keeps else 0.0
    each_time = 0.0 if place.keeps else around + loading
    is_most = any(pace.is_most for pace in paces)
    return Estimate(n_points, n_fits, fit * slowed + each_time, place.n_workers, before, slowed, is_most)
