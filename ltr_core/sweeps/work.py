"""What a worker does: train an algorithm at one point, on one fold after another, and say what came of it.

`run_job` is all that runs elsewhere. A failure is an answer like any other: a sentence, not an exception.
"""

from __future__ import annotations

import base64
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import threads
from ..algorithms import ALGORITHMS, Ranker, RoundInfo
from ..data import RankingData
from ..measures import Measure
from .pruning import Judge, Rule

Flag = Callable[[], bool]  # whether the sweep has been cancelled
Parts = Callable[[str], RankingData]  # data by fingerprint


@dataclass(frozen=True)
class Task:
    """One fit: the fold, its data by fingerprint, and the seed."""

    fold: int
    seed: int
    train: str
    valid: str


@dataclass(frozen=True)
class Job:
    """The fits of one point that are run one after another; with a rule, until it prunes the point."""

    algorithm: str
    config: dict[str, Any]
    tasks: tuple[Task, ...]
    measures: tuple[Measure, ...]  # the first one is what the sweep is about
    rounds: tuple[int, ...]  # where queries are looked at one by one
    rule: Rule | None = None
    serial: bool = True


@dataclass
class Outcome:
    """What came of one fit.

    `status` is "done", "pruned", "failed" (with the sentence in `error`) or "cancelled". `curves` has the
    values by split, measure and iteration; `queries` the first measure of each validation query, by round.
    """

    task: Task
    status: str = "done"
    error: str | None = None
    n_iter: int = 0
    stopped: str = ""
    seconds: float = 0.0
    curves: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    queries: dict[int, str] = field(default_factory=dict)
    rungs: dict[str, float] = field(default_factory=dict)
    model: Ranker | None = None

    def curve(self, split: str, measure: str) -> np.ndarray:
        """Return one curve, iteration 0 first."""
        return np.array(self.curves[split][measure], dtype=np.float64)


class LostData(Exception):
    """The data are not on this worker: the job is run again."""


def run_job(job: Job, parts: Parts, cancelled: Flag) -> list[Outcome]:
    """Run the fits of a job; ends early when one is pruned, fails or is cancelled."""
    judge = None if job.rule is None else Judge(job.rule)
    outcomes = []
    with threads.serial_only() if job.serial else nullcontext():
        for task in job.tasks:
            outcome = _fit(job, task, parts, cancelled, judge)
            outcomes.append(outcome)
            if outcome.status != "done":
                break
            if judge is not None:
                judge.next_fit(outcome.curves["valid"][job.measures[0].name][-1])
    if judge is not None:
        outcomes[-1].rungs = judge.rungs()
    return outcomes


def _fit(job: Job, task: Task, parts: Parts, cancelled: Flag, judge: Judge | None) -> Outcome:
    started = time.perf_counter()
    outcome = Outcome(task)
    name = job.measures[0].name

    def on_round(info: RoundInfo) -> bool | None:
        if cancelled():
            outcome.status = "cancelled"
            return False
        if judge is not None and judge.prunes(info.iteration, info.n_rounds, info.values["valid", name]):
            outcome.status = "pruned"
            return False
        return None

    train, valid = parts(task.train), parts(task.valid)
    try:
        model = ALGORITHMS[job.algorithm](**job.config, random_state=task.seed)
        model.fit(
            train,
            eval_set={"valid": valid},
            measures=job.measures,
            on_round=on_round,
            in_full=job.rounds or (),
        )
    except ValueError as error:  # the sentences of `ltr_core.errors`, and what numpy says of odd data
        outcome.status, outcome.error = "failed", " ".join(str(error).split())
    except Exception as error:
        outcome.status, outcome.error = "failed", f"{type(error).__name__}: {' '.join(str(error).split())}"
    else:
        outcome.n_iter, outcome.stopped = model.n_iter_, model.stopped_
        outcome.curves = _curves(model)
        outcome.model = model
        if outcome.status == "done":
            outcome.queries = _by_query(model, valid, job)
    outcome.seconds = time.perf_counter() - started
    return outcome


def _curves(model: Ranker) -> dict[str, dict[str, list[float]]]:
    """Return the curves by split and measure, with NaN where nothing was taken."""
    curves: dict[str, dict[str, list[float]]] = {}
    for (split, measure), rows in model.history_.groupby(["split", "measure"], sort=False):
        curve = np.full(model.n_iter_ + 1, np.nan)
        curve[rows["iteration"]] = rows["value"]
        curves.setdefault(split, {})[measure] = curve.tolist()
    return curves


def _by_query(model: Ranker, valid: RankingData, job: Job) -> dict[int, str]:
    bound = job.measures[0].bind(valid.y, valid.offsets)
    wanted = job.rounds or (model.n_iter_,)
    at = {n: min(n, model.n_iter_) for n in wanted}
    scores: Mapping[int, np.ndarray] = {i: model.predict(valid, iteration=i) for i in set(at.values())}
    return {n: pack_values(bound.per_query(scores[i])) for n, i in at.items()}


def pack_values(values: np.ndarray) -> str:
    """Return numbers as short text, to the same bits."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(values, dtype="<f8").tobytes())).decode()


def unpack_values(text: str) -> np.ndarray:
    """Return the numbers of `pack_values`."""
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<f8")
