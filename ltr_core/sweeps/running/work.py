"""What a worker does: train an algorithm at one point, on one fold after another, and say what came of it.

A place runs `Work`, and nothing else runs elsewhere. A failure of a fit is an answer like any other: a
sentence, not an exception.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ... import stopping, threads
from ...algorithms import ALGORITHMS, Ranker, RoundInfo
from ...data import RankingData
from ...measures import Measure
from ..records.fit import Fit, FitStatus, Task, compared_round, pack_values
from ..search.pruning import Judge, Rule

Flag = Callable[[], bool]  # whether the sweep has been cancelled
Parts = Callable[[str], RankingData]  # data by fingerprint


class Work(Protocol):
    """What a place runs: on the data of its tasks, until it is done or cancelled."""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Whose data it needs."""
        ...

    def run(self, parts: Parts, cancelled: Flag) -> Any:
        """Do it, in a worker."""
        ...


@dataclass(frozen=True)
class Chain:
    """The fits of one point that are run one after another; with a rule, until it prunes the point."""

    algorithm: str
    config: dict[str, Any]
    tasks: tuple[Task, ...]
    measures: tuple[Measure, ...]  # the first one is what the sweep is about
    rounds: tuple[int, ...]  # where queries are looked at one by one
    rule: Rule | None = None
    serial: bool = True
    score_at: str = "last"

    def run(self, parts: Parts, cancelled: Flag) -> list[Fit]:
        """Run the fits; ends early when one is pruned, fails or is cancelled."""
        judge = None if self.rule is None else Judge(self.rule)
        fits = []
        with self.on_its_cores(), stopping.stoppable(cancelled):
            for task in self.tasks:
                fit = fit_of(self, task, parts, cancelled, judge)
                fits.append(fit)
                if fit.status != FitStatus.DONE:
                    break
                if judge is not None:
                    judge.next_fit(fit.curves["valid"][self.measures[0].name][-1])
        if judge is not None:
            fits[-1].rungs = judge.rungs()
        return fits

    def on_its_cores(self) -> AbstractContextManager[None]:
        """Return the block in which its fits run: on one core beside others, on all where it is alone."""
        return threads.serial_only() if self.serial else nullcontext()


class LostData(Exception):
    """The data are not on this worker: the chain is run again."""


def fit_of(chain: Chain, task: Task, parts: Parts, cancelled: Flag, judge: Judge | None = None) -> Fit:
    """Return what comes of a task; `cancelled` is asked once a round."""
    started = time.perf_counter()
    fit = Fit(task)
    name = chain.measures[0].name

    def on_round(info: RoundInfo) -> bool | None:
        if cancelled():
            fit.status = FitStatus.CANCELLED
            return False
        if judge is not None and judge.prunes(info.iteration, info.n_rounds, info.values["valid", name]):
            fit.status = FitStatus.PRUNED
            return False
        return None

    train, valid = parts(task.train), parts(task.valid)
    try:
        model = ALGORITHMS[chain.algorithm](**chain.config, random_state=task.seed)
        sets, measures = {"valid": valid}, chain.measures
        model.fit(train, eval_set=sets, measures=measures, on_round=on_round, in_full=chain.rounds)
    except stopping.Stopped:
        fit.status = FitStatus.CANCELLED
    except Exception as error:
        # `ltr_core.errors` has sentences, and numpy on odd data: the others are mistakes of ours.
        name_of_it = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        fit.status, fit.error = FitStatus.FAILED, name_of_it + " ".join(str(error).split())
    else:
        fit.n_iter, fit.stopped = model.n_iter_, model.stopped_
        fit.curves = _curves(model)
        fit.model = model
        if model.stopped_ == "cancelled" and fit.status == FitStatus.DONE:  # within a round
            fit.status = FitStatus.CANCELLED
        if fit.status == FitStatus.DONE:
            with stopping.unstoppable():
                fit.queries = _by_query(model, valid, chain)
    fit.seconds = time.perf_counter() - started
    return fit


def _curves(model: Ranker) -> dict[str, dict[str, list[float]]]:
    """Return the curves by split and measure, with NaN where nothing was taken."""
    curves: dict[str, dict[str, list[float]]] = {}
    for (split, measure), rows in model.history_.groupby(["split", "measure"], sort=False):
        curve = np.full(model.n_iter_ + 1, np.nan)
        curve[rows["iteration"]] = rows["value"]
        curves.setdefault(split, {})[measure] = curve.tolist()
    return curves


def curve_of(model: Ranker, measure: Measure) -> np.ndarray:
    """Return a measure on validation after each round: it is taken at all of them."""
    history = model.history_
    return history["value"][(history["split"] == "valid") & (history["measure"] == measure.name)].to_numpy()


def _by_query(model: Ranker, valid: RankingData, chain: Chain) -> dict[int, str]:
    bound = chain.measures[0].on(valid)
    wanted = chain.rounds or (model.n_iter_,)
    curve, up = curve_of(model, chain.measures[0]), chain.measures[0].higher_is_better
    at = {n: compared_round(curve, n, chain.score_at, up) for n in wanted}
    scores: Mapping[int, np.ndarray] = {i: model.predict(valid, iteration=i) for i in set(at.values())}
    return {n: pack_values(bound.per_query(scores[i])) for n, i in at.items()}
