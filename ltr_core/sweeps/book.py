"""The book of a sweep: its trials, what is missing of them, what came of them, which is the best so far.

A trial is what a sampler proposes: values of all swept parameters but the number of rounds. With the rounds
swept it stands for as many points as there are numbers of rounds. Trials that differ in nothing that has an
effect share their fits.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms import Ranker
from ..measures import Measure
from .parts import Fold
from .proposals import Proposer
from .pruning import Past, Rule, past_of
from .result import Sweep
from .space import Space
from .store import Store, config_key
from .work import Job, Outcome, Task


@dataclass(frozen=True)
class Trial:
    """A proposal: its number, the swept values, and the parameters it is trained with."""

    number: int
    params: dict[str, Any]
    config: dict[str, Any]
    key: str


class Book:
    """All that is known of a sweep."""

    def __init__(
        self,
        space: Space,
        measures: Sequence[Measure],
        cuts: Sequence[Fold],
        seeds: Sequence[int],
        pruner: str | None,
        store: Store,
    ) -> None:
        self.space, self.measures, self.pruner, self.store = space, tuple(measures), pruner, store
        self.tasks = tuple(
            Task(fold, seed, cut.train.fingerprint, cut.valid.fingerprint)
            for fold, cut in enumerate(cuts)
            for seed in seeds
        )
        self.trials: list[Trial] = []
        self.leader: tuple[float, int, Trial] | None = None  # sign · value, −number, the trial
        self.models: dict[str, dict[tuple[int, int], Ranker]] = {}
        self.sign = 1.0 if measures[0].higher_is_better else -1.0

    @property
    def n_fits(self) -> int:
        """How many fits a trial has."""
        return len(self.tasks)

    # Proposals and jobs -----------------------------------------------------------------------------------

    def propose(self, proposer: Proposer, n: int) -> list[Trial]:
        """Return up to n new trials."""
        new = []
        for params in proposer.ask(n):
            config = self.space.config(params)
            trial = Trial(len(self.trials), params, config, config_key(config))
            self.trials.append(trial)
            new.append(trial)
            for number, rounds in self._points(trial):
                name = self.space.rounds_name
                self.store.add_point(number, {**params, **({name: rounds} if name else {})}, trial.key)
        return new

    def _points(self, trial: Trial) -> list[tuple[int, int | None]]:
        each = self.space.rounds or (None,)
        return [(trial.number * len(each) + i, rounds) for i, rounds in enumerate(each)]

    def jobs(self, trials: Sequence[Trial], again: bool = False) -> list[tuple[str, Job]]:
        """Return the jobs that are missing of a batch of trials, or all of them."""
        rule = None if again else self._rule(trials)
        found = []
        for key, trial in {t.key: t for t in reversed(trials)}.items():
            if not again and self.is_complete(trial):
                continue
            tasks = [t for t in self.tasks if again or rule or self._outcome(trial, t) is None]
            groups = [tuple(tasks)] if rule else [(task,) for task in tasks]
            found += [(trial.number, key, self._job(trial, group, rule)) for group in groups]
        return [(key, job) for _, key, job in sorted(found, key=lambda f: (f[0], f[2].tasks[0].fold))]

    def _job(self, trial: Trial, tasks: tuple[Task, ...], rule: Rule | None) -> Job:
        name = self.space.algorithm.__name__
        return Job(name, trial.config, tasks, self.measures, self.space.rounds, rule)

    def _rule(self, trials: Sequence[Trial]) -> Rule | None:
        if self.pruner is None or not trials:
            return None
        n_rounds = max(self.space.n_rounds(trial.config) for trial in trials)
        rule = Rule(self.pruner, self.sign > 0, self.n_fits, n_rounds, ())
        past = tuple(
            self._past(rule, t) for t in self.trials[: trials[0].number] if self.status(t) != "failed"
        )
        return dataclasses.replace(rule, past=past)

    def _past(self, rule: Rule, trial: Trial) -> Past:
        outcomes = self._outcomes(trial)
        curves = [o.curves["valid"][self.measures[0].name] for o in outcomes if o.curves]
        return past_of(rule, curves, self.status(trial) == "done", outcomes[-1].rungs)

    # Outcomes ---------------------------------------------------------------------------------------------

    def take(self, key: str, outcome: Outcome, again: bool = False) -> None:
        """Take in a finished fit; `again`: only its model, the rest is known."""
        if outcome.status == "cancelled":
            return
        if outcome.model is not None and outcome.status == "done":
            self.models.setdefault(key, {})[outcome.task.fold, outcome.task.seed] = outcome.model
        outcome.model = None
        if not again:
            self.store.add(key, outcome)

    def _outcome(self, trial: Trial, task: Task) -> Outcome | None:
        return self.store.get(trial.key, task.fold, task.seed)

    def _outcomes(self, trial: Trial) -> list[Outcome]:
        return [found for task in self.tasks if (found := self._outcome(trial, task)) is not None]

    def is_complete(self, trial: Trial) -> bool:
        """Whether nothing of a trial is missing; a pruned one has less than all fits."""
        found = self._outcomes(trial)
        ended = self.pruner is not None and any(o.status != "done" for o in found)
        return ended or len(found) == self.n_fits

    def status(self, trial: Trial) -> str:
        """Return "done", "pruned" or "failed"."""
        found = {outcome.status for outcome in self._outcomes(trial)}
        return "failed" if "failed" in found else "pruned" if "pruned" in found else "done"

    def value(self, trial: Trial) -> float | None:
        """Return a trial's mean validation value, at its best number of rounds; None if it has none."""
        curves = [o.curve("valid", self.measures[0].name) for o in self._outcomes(trial) if o.curves]
        if not curves or self.status(trial) == "failed":
            return None
        ends = self.space.rounds if self.status(trial) == "done" else ()
        at = [[curve[min(n, len(curve) - 1)] for curve in curves] for n in ends or (1 << 60,)]
        best = max((self.sign * float(np.mean(values)) for values in at), default=math.nan)
        return None if math.isnan(best) else self.sign * best

    def close(self, trial: Trial) -> float | None:
        """Return a finished trial's value; keep its models if it is the best so far."""
        value = self.value(trial)
        if value is not None and self.status(trial) == "done":
            rank = (self.sign * value, -trial.number, trial)
            if self.leader is None or rank[:2] > self.leader[:2]:
                self.leader = rank
        kept = {self.leader[2].key} if self.leader else set()
        open_keys = {t.key for t in self.trials if not self.is_complete(t)}
        self.models = {key: found for key, found in self.models.items() if key in kept | open_keys}
        return value

    def verdict(self, trial: Trial) -> tuple[float | None, bool]:
        """Return what the sampler is told: the value, and whether the trial came to its end."""
        return self.value(trial), self.status(trial) == "done"

    def best(self) -> tuple[float | None, dict[str, Any] | None]:
        """Return the best trial's value and parameters so far."""
        if self.leader is None:
            return None, None
        return self.sign * self.leader[0], self.leader[2].params

    def params_of(self, key: str) -> dict[str, Any]:
        """Return the swept values of the first trial with these parameters."""
        return next(trial.params for trial in self.trials if trial.key == key)

    # The end ----------------------------------------------------------------------------------------------

    def trial_of(self, point: int) -> Trial:
        """Return the trial that a point belongs to."""
        return self.trials[point // max(1, len(self.space.rounds))]

    def models_of(self, point: int) -> dict[tuple[int, int], Ranker]:
        """Return a point's models by fold and seed, if all of them are at hand."""
        found = self.models.get(self.trial_of(point).key, {})
        return found if len(found) == self.n_fits else {}

    def result(self, stopped: str) -> Sweep:
        """Return what there is."""
        return Sweep(self.store.header, self.store.points, self.store.outcomes, stopped)
