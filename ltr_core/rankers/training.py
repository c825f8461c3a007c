"""The round loop: it knows nothing of the algorithm it drives.

An algorithm hands over a `Trainer`: the state of one training, one step at a time. The loop measures, writes
the history, asks the caller whether to go on and decides when to end.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pandas as pd

from .. import stopping
from ..data import RankingData, places_in
from ..measures import Measure
from ..measures.parts.base import BoundMeasure
from ..threads import may_run_parallel, one_training


class Follower(Protocol):
    """The scores of one data set, in its order, brought forward round by round."""

    scores: np.ndarray

    def values(self) -> dict[str, float]:
        """Return "loss" and any other curve of the algorithm at the current scores."""

    def advance(self) -> None:
        """Take in the round that the trainer has just added."""


class Trainer(Protocol):
    """One training under way, and the scores of its data, in their order."""

    scores: np.ndarray

    def step(self) -> bool:
        """Add one round; False when there is nothing to add."""

    def values(self) -> dict[str, float]:
        """Return "loss" and any other curve of the algorithm at the current training scores."""

    def follow(self, data: RankingData) -> Follower:
        """Start following another data set (before the first step)."""


@dataclass(frozen=True)
class RoundInfo:
    """What `on_round` is told after each round."""

    iteration: int
    n_rounds: int
    values: Mapping[tuple[str, str], float]  # (split, measure) → value at this iteration
    seconds: float  # since training began


@dataclass
class Record:
    """What came of a training."""

    rows: list[tuple[int, str, str, float]] = field(default_factory=list)
    n_iter: int = 0
    stopped: str = "rounds"
    best_iteration: int | None = None
    cut_short: bool = False  # whether it ended within a round, of which the trainer may know more

    def history(self) -> pd.DataFrame:
        """Return the tidy history."""
        return pd.DataFrame(self.rows, columns=["iteration", "split", "measure", "value"])


class Best:
    """The best iteration so far, and how long ago it was."""

    def __init__(self, higher_is_better: bool) -> None:
        self.sign = 1.0 if higher_is_better else -1.0
        self.value, self.iteration = -np.inf, 0

    def see(self, iteration: int, value: float) -> None:
        """Take in a value; equal values leave the earlier iteration the best."""
        if self.sign * value > self.value:
            self.value, self.iteration = self.sign * value, iteration


def _bind(
    measures: Sequence[Measure], data: RankingData, given: RankingData
) -> tuple[list[tuple[str, BoundMeasure]], np.ndarray | None]:
    """Return the measures on the data as they were given, and where each of their rows is by now."""
    return [(m.name, m.on(given)) for m in measures], places_in(data, given)


def _measured(
    measures: Sequence[tuple[str, BoundMeasure]], who: Trainer | Follower, places: np.ndarray | None
) -> Iterator[tuple[str, float]]:
    if not measures:
        return
    scores = who.scores if places is None else who.scores[places]
    for name, measure in measures:
        stopping.look()
        yield name, float(measure.mean(scores))


@one_training()
def run_rounds(
    trainer: Trainer,
    n_rounds: int,
    data: RankingData,
    eval_sets: Mapping[str, RankingData],
    measures: Sequence[Measure],
    on_round: Callable[[RoundInfo], bool | None] | None = None,
    early_stopping: int | None = None,
    in_full: Collection[int] | None = None,
    whole_rounds: bool = False,
    given: Mapping[str, RankingData] | None = None,
    before: int = 0,
) -> Record:
    """Run up to `n_rounds` rounds and return the history and why it ended.

    Beside the iterations `in_full` and the last one, only the evaluation sets' measures are taken. Told to
    end it does so within a round, unless the trainer has `whole_rounds` only. `given` are the data before
    their rows were put in order: where equal scores keep the file's order, that is theirs. A trainer that
    goes on from a model has so many rounds `before` the first.
    """
    started, record, last = time.perf_counter(), Record(n_iter=before), before + n_rounds
    followers = {name: trainer.follow(d) for name, d in eval_sets.items()}
    splits: list[tuple[str, Trainer | Follower, RankingData]] = [("train", trainer, data)]
    splits += [(name, follower, eval_sets[name]) for name, follower in followers.items()]
    bound = [(name, who, *_bind(measures, d, (given or {}).get(name, d))) for name, who, d in splits]
    best = Best(measures[0].higher_is_better) if eval_sets and measures else None

    def note(iteration: int, whole: bool) -> dict[tuple[str, str], float]:
        values = {}
        for split, who, evaluators, places in bound if whole else bound[1:]:
            for name, value in who.values().items() if whole else ():
                values[split, name] = float(value)
            values |= {(split, name): value for name, value in _measured(evaluators, who, places)}
        record.rows += [(iteration, split, name, value) for (split, name), value in values.items()]
        if best is not None:
            best.see(iteration, values[splits[1][0], measures[0].name])
        return values

    with may_run_parallel():
        note(before, in_full is None or before in in_full)
    for iteration in range(before + 1, last + 1):
        try:
            stopping.look()
            with may_run_parallel(), stopping.unstoppable() if whole_rounds else nullcontext():
                if not trainer.step():
                    record.stopped = "no gain"
                    break
                for follower in followers.values():
                    stopping.look()
                    follower.advance()
                values = note(iteration, in_full is None or iteration in in_full)
        except stopping.Stopped:
            record.stopped, record.cut_short = "cancelled", True
            break
        record.n_iter = iteration
        seconds = time.perf_counter() - started
        if on_round is not None and on_round(RoundInfo(iteration, last, values, seconds)) is False:
            record.stopped = "cancelled"
            break
        if early_stopping and best is not None and iteration - best.iteration >= early_stopping:
            record.stopped = "early stop"
            break
    if in_full is not None and record.n_iter not in in_full and not record.cut_short:
        record.rows = [row for row in record.rows if row[0] < record.n_iter]
        note(record.n_iter, whole=True)
    record.best_iteration = None if best is None else best.iteration
    return record
