"""Which points are tried: a sampler is a class, and a line in `SAMPLERS`.

A batch is proposed before any of its values is known and told in the order of its points: the points of a
sweep depend on the seed, not on which worker was faster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

from ...errors import ParameterError
from .pruning import quiet_optuna
from .space import Range, Space, Values


class Sampler(ABC):
    """Proposes points, batch by batch.

    `help` says in the middle of a sentence what it proposes. One that `draws` is told how many points; one
    that `looks_back` on the values of earlier points is asked for a batch at a time.
    """

    label: ClassVar[str]
    help: ClassVar[str]
    draws: ClassVar[bool] = True
    looks_back: ClassVar[bool] = False

    def __init__(self, space: Space, n_trials: int | None, higher_is_better: bool, seed: int) -> None:
        self.space = space

    @abstractmethod
    def ask(self, n: int) -> list[dict[str, Any]]:
        """Return up to n points; none when there are no more."""

    @abstractmethod
    def tell(self, results: Sequence[tuple[float | None, bool]]) -> None:
        """Take in the last batch's values in its order (None: there is none), and whether each is final."""


class Grid(Sampler):
    """Every combination."""

    label, help, draws = "Grid", "every combination", False

    def __init__(self, space: Space, n_trials: int | None, higher_is_better: bool, seed: int) -> None:
        self.left = space.grid()

    def ask(self, n: int) -> list[dict[str, Any]]:
        return list(islice(self.left, n))

    def tell(self, results: Sequence[tuple[float | None, bool]]) -> None:
        """Nothing is learnt from them."""


class _Drawn(Sampler):
    """One of Optuna's samplers."""

    optuna_name: ClassVar[str]

    def __init__(self, space: Space, n_trials: int | None, higher_is_better: bool, seed: int) -> None:
        self.optuna = quiet_optuna()
        self.space, self.left = space, n_trials or 0
        sampler = getattr(self.optuna.samplers, self.optuna_name)(seed=seed)
        direction = "maximize" if higher_is_better else "minimize"
        self.study = self.optuna.create_study(direction=direction, sampler=sampler)
        self.asked: list[Any] = []

    def ask(self, n: int) -> list[dict[str, Any]]:
        n = min(n, self.left)
        self.left -= n
        self.asked = [self.study.ask() for _ in range(n)]
        return [{name: self._suggest(t, name, a) for name, a in self.space.axes.items()} for t in self.asked]

    def tell(self, results: Sequence[tuple[float | None, bool]]) -> None:
        state = self.optuna.trial.TrialState
        for trial, (value, complete) in zip(self.asked, results, strict=True):
            if value is None:
                self.study.tell(trial, state=state.FAIL)
            elif complete:
                self.study.tell(trial, value)
            else:
                # A pruned point counts with the last value it reported.
                trial.report(value, 0)
                self.study.tell(trial, state=state.PRUNED)

    def _suggest(self, trial: Any, name: str, axis: Values | Range) -> Any:
        if isinstance(axis, Values):
            # By place in the list: Optuna compares values with ==, and 1 == True == 1.0.
            return axis.values[trial.suggest_categorical(name, tuple(range(len(axis.values))))]
        suggest = trial.suggest_int if axis.whole else trial.suggest_float
        return suggest(name, axis.low, axis.high, log=axis.log)


class Random(_Drawn):
    """Random points."""

    label, help, optuna_name = "Random", "random points", "RandomSampler"


class TPE(_Drawn):
    """Optuna's tree-structured Parzen estimator."""

    label, optuna_name, looks_back = "TPE", "TPESampler", True
    help = "points proposed by what the earlier ones have shown (Optuna's TPE)"


SAMPLERS: dict[str, type[Sampler]] = {"grid": Grid, "random": Random, "tpe": TPE}


def check_sampler(sampler: str, space: Space, n_trials: int | None) -> int | None:
    """Return how many points are to be drawn, or say what does not fit the sampler."""
    if sampler not in SAMPLERS:
        raise ParameterError(f"There is no sampler {sampler!r}. Take one of {', '.join(SAMPLERS)}.")
    if not SAMPLERS[sampler].draws:
        if n_trials is not None:
            raise ParameterError("A grid tries every point: leave n_trials out, or take sampler='random'.")
        space.lists()
        return None
    if n_trials is None or isinstance(n_trials, bool) or n_trials != int(n_trials) or n_trials < 1:
        raise ParameterError(f"n_trials = {n_trials!r}: say how many points sampler={sampler!r} shall try.")
    if not space.axes:
        raise ParameterError(
            f"Only {space.rounds_name} is swept, and one training answers for all its values. "
            "Take sampler='grid'."
        )
    return int(n_trials)
