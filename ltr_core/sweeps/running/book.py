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

from ...algorithms import Ranker
from ..records.fit import WORST_FIRST, Fit, FitStatus, Task, compared_round
from ..records.record import Record
from ..records.result import Sweep
from ..search.pruning import Past, Rule, past_of
from ..search.question import Question
from ..search.samplers import Sampler
from ..search.space import config_key
from .parts import Fold
from .work import Chain


@dataclass(frozen=True)
class Trial:
    """A proposal: its number, the swept values, and the parameters it is trained with."""

    number: int
    params: dict[str, Any]
    config: dict[str, Any]
    key: str


class Book:
    """All that is known of a sweep."""

    def __init__(self, question: Question, cuts: Sequence[Fold], record: Record) -> None:
        self.question, self.space, self.record = question, question.space, record
        self.measures, self.pruner = question.measures, question.pruner
        self.tasks = tuple(
            Task(fold, seed, cut.train.fingerprint, cut.valid.fingerprint)
            for fold, cut in enumerate(cuts)
            for seed in question.seeds
        )
        self.trials: list[Trial] = []
        self.closed: set[int] = set()  # numbers of trials
        self.leader: tuple[float, int, Trial] | None = None  # sign · value, −number, the trial
        self.models: dict[str, dict[tuple[int, int], Ranker]] = {}
        self.sign = 1.0 if self.measures[0].higher_is_better else -1.0

    @property
    def n_fits(self) -> int:
        """How many fits a trial has."""
        return len(self.tasks)

    # Proposals and what is missing ------------------------------------------------------------------------

    def propose(self, sampler: Sampler, n: int) -> list[Trial]:
        """Return up to n new trials."""
        new, name = [], self.space.rounds_name
        for params in sampler.ask(n):
            config = self.space.config(params)
            trial = Trial(len(self.trials), params, config, config_key(config))
            self.trials.append(trial)
            new.append(trial)
            each = [{name: rounds} for rounds in self.space.rounds] if name else [{}]
            for place, more in enumerate(each):
                self.record.add_point(trial.number * len(each) + place, {**params, **more}, trial.key)
        return new

    def chains(self, trials: Sequence[Trial], again: bool = False) -> list[tuple[str, Chain]]:
        """Return what is missing of a batch of trials, or all of it, each chain with its trial's key."""
        rule = None if again else self._rule(trials)
        missing = []
        for key, trial in {t.key: t for t in reversed(trials)}.items():
            if not again and self.is_complete(trial):
                continue
            tasks = [t for t in self.tasks if again or rule or self.record.get(key, t) is None]
            for group in [tuple(tasks)] if rule else [(task,) for task in tasks]:
                missing.append((trial.number, key, self._chain(trial, group, rule)))
        return [
            (key, c) for _, key, c in sorted(missing, key=lambda entry: (entry[0], entry[2].tasks[0].fold))
        ]

    def _chain(self, trial: Trial, tasks: tuple[Task, ...], rule: Rule | None) -> Chain:
        name = self.space.algorithm.__name__
        return Chain(
            name, trial.config, tasks, self.measures, self.space.rounds, rule, score_at=self.question.score_at
        )

    def _rule(self, trials: Sequence[Trial]) -> Rule | None:
        if self.pruner is None or not trials:
            return None
        n_rounds = max(self.space.n_rounds(trial.config) for trial in trials)
        rule = Rule(self.pruner, self.sign > 0, self.n_fits, n_rounds, ())
        before = self.trials[: trials[0].number]
        earlier = [trial for trial in before if self.status(trial) != FitStatus.FAILED]
        return dataclasses.replace(rule, past=tuple(self._past(rule, trial) for trial in earlier))

    def _past(self, rule: Rule, trial: Trial) -> Past:
        fits = self._fits(trial)
        curves = [fit.curves["valid"][self.measures[0].name] for fit in fits if fit.curves]
        return past_of(rule, curves, self.status(trial) == FitStatus.DONE, fits[-1].rungs)

    # What came of them ------------------------------------------------------------------------------------

    def take(self, key: str, fit: Fit, again: bool = False) -> None:
        """Take in a finished fit; `again`: only its model, the rest is known."""
        if fit.status == FitStatus.CANCELLED:
            return
        if fit.model is not None and fit.status == FitStatus.DONE:
            self.models.setdefault(key, {})[fit.task.fold, fit.task.seed] = fit.model
        fit.model = None
        if not again:
            self.record.add(key, fit)

    def _fits(self, trial: Trial) -> list[Fit]:
        fits = (self.record.get(trial.key, task) for task in self.tasks)
        return [fit for fit in fits if fit is not None]

    def is_complete(self, trial: Trial) -> bool:
        """Whether nothing of a trial is missing; a pruned one has less than all fits."""
        fits = self._fits(trial)
        ended = self.pruner is not None and any(fit.status != FitStatus.DONE for fit in fits)
        return ended or len(fits) == self.n_fits

    def status(self, trial: Trial) -> FitStatus:
        """Return the worst of its fits' states."""
        each = {fit.status for fit in self._fits(trial)}
        return next((status for status in WORST_FIRST if status in each), FitStatus.DONE)

    def value(self, trial: Trial) -> float | None:
        """Return a trial's mean validation value, at its best number of rounds; None if it has none."""
        curves = [fit.curve("valid", self.measures[0].name) for fit in self._fits(trial) if fit.curves]
        if not curves or self.status(trial) == FitStatus.FAILED:
            return None
        ends = self.space.rounds if self.status(trial) == FitStatus.DONE else ()
        how = self.question.score_at, self.sign > 0
        at = [[curve[compared_round(curve, n, *how)] for curve in curves] for n in ends or (1 << 60,)]
        best = max((self.sign * float(np.mean(values)) for values in at), default=math.nan)
        return None if math.isnan(best) else self.sign * best

    def close(self, trial: Trial) -> float | None:
        """Return a finished trial's value; keep its models if it is the best so far."""
        value = self.value(trial)
        if value is not None and self.status(trial) == FitStatus.DONE:
            rank = (self.sign * value, -trial.number, trial)
            if self.leader is None or rank[:2] > self.leader[:2]:
                self.leader = rank
        kept = {self.leader[2].key} if self.leader else set()
        self.closed.add(trial.number)
        kept |= {t.key for t in self.trials if t.number not in self.closed}
        self.models = {key: models for key, models in self.models.items() if key in kept}
        return value

    def verdict(self, trial: Trial) -> tuple[float | None, bool]:
        """Return what the sampler is told: the value, and whether the trial came to its end."""
        return self.value(trial), self.status(trial) == FitStatus.DONE

    def best(self) -> tuple[float | None, dict[str, Any] | None]:
        """Return the best trial's value and parameters so far."""
        return (None, None) if self.leader is None else (self.sign * self.leader[0], self.leader[2].params)

    def params_of(self, key: str) -> dict[str, Any]:
        """Return the swept values of the first trial with these parameters."""
        return next(trial.params for trial in self.trials if trial.key == key)

    # The end ----------------------------------------------------------------------------------------------

    def trial_of(self, point: int) -> Trial:
        """Return the trial that a point belongs to."""
        return self.trials[point // max(1, len(self.space.rounds))]

    def models_of(self, point: int) -> dict[tuple[int, int], Ranker]:
        """Return a point's models by fold and seed, if all of them are at hand."""
        models = self.models.get(self.trial_of(point).key, {})
        return models if len(models) == self.n_fits else {}

    def result(self, stopped: FitStatus) -> Sweep:
        """Return what there is. Another thread may ask while it grows: both dicts are copied whole."""
        return Sweep(self.record, stopped)
