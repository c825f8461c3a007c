"""When a point is given up: Optuna's pruners, asked every few rounds where the training runs.

A pruner is a function that makes it, and a line in `PRUNERS`.

The fits of a point run one after another; what is reported is the mean so far, the finished fits' last
values and the current one's, at steps that count rounds over all fits. A point is compared with those of
earlier batches only, so that what is pruned does not depend on which worker was faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import ParameterError, import_extra

_REPORTS = 50  # how many times a fit reports at most


@dataclass(frozen=True)
class Past:
    """An earlier point: what it reported by step, whether it came to its end, and its rungs."""

    reported: dict[int, float]
    complete: bool
    rungs: dict[str, float]


@dataclass(frozen=True)
class Rule:
    """A pruner with all that it looks back on."""

    pruner: str
    higher_is_better: bool
    n_fits: int
    n_rounds: int
    past: tuple[Past, ...]

    @property
    def every(self) -> int:
        """Every how many rounds a fit reports."""
        return max(1, self.n_rounds // _REPORTS)


@dataclass(frozen=True)
class Pruner:
    """One of Optuna's pruners; `help` says in the middle of a sentence which points it gives up."""

    label: str
    help: str
    make: Callable[[Any, Rule], Any]  # from Optuna and the rule


def _median(optuna: Any, rule: Rule) -> Any:
    return optuna.pruners.MedianPruner(n_startup_trials=4, n_warmup_steps=max(1, rule.n_rounds // 10))


def _halving(optuna: Any, rule: Rule) -> Any:
    least = max(1, rule.n_fits * rule.n_rounds // 27)
    return optuna.pruners.SuccessiveHalvingPruner(min_resource=least, reduction_factor=3)


PRUNERS = {
    "median": Pruner("Median", "those below the median of the earlier ones", _median),
    "halving": Pruner("Halving", "all but the best third at each stage (successive halving)", _halving),
}


def check_pruner(pruner: str | None, rounds_param: str | None, owner: str) -> str | None:
    """Refuse a pruner that does not exist or has nothing to look at."""
    if pruner is None or pruner == "none":
        return None
    if pruner not in PRUNERS:
        raise ParameterError(f"There is no pruner {pruner!r}. Take one of {', '.join(PRUNERS)}, or None.")
    if rounds_param is None:
        raise ParameterError(f"{owner} is trained in one step: there is nothing to prune. Take pruner=None.")
    return pruner


class Judge:
    """Optuna's pruner for one point."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.finished: list[float] = []
        optuna = quiet_optuna()
        direction = "maximize" if rule.higher_is_better else "minimize"
        self.study = optuna.create_study(direction=direction, pruner=PRUNERS[rule.pruner].make(optuna, rule))
        state = optuna.trial.TrialState
        for past in rule.past:
            if past.reported:
                ended = state.COMPLETE if past.complete else state.PRUNED
                given = {"intermediate_values": past.reported, "system_attrs": past.rungs}
                last = list(past.reported.values())[-1]
                self.study.add_trial(optuna.trial.create_trial(state=ended, value=last, **given))
        self.trial = self.study.ask()

    def prunes(self, iteration: int, n_rounds: int, value: float) -> bool:
        """Take in a round's value and say whether the point is given up."""
        if iteration % self.rule.every and iteration != n_rounds:
            return False
        step = len(self.finished) * self.rule.n_rounds + iteration
        self.trial.report((sum(self.finished) + value) / (len(self.finished) + 1), step)
        return self.trial.should_prune()

    def next_fit(self, last: float) -> None:
        """Go on to the point's next fit; `last` is where this one ended."""
        self.finished.append(last)

    def rungs(self) -> dict[str, float]:
        """Return what successive halving has noted on the point."""
        kept = self.study.get_trials(deepcopy=False)[-1].system_attrs
        return {name: value for name, value in kept.items() if name.startswith("completed_rung_")}


def past_of(rule: Rule, curves: list[list[float]], complete: bool, rungs: dict[str, float]) -> Past:
    """Return an earlier point from its fits' curves, as a judge would have seen it."""
    reported, finished = {}, 0.0
    for fit, curve in enumerate(curves):
        for iteration in range(1, len(curve)):
            if iteration % rule.every == 0 or iteration == rule.n_rounds:
                reported[fit * rule.n_rounds + iteration] = (finished + curve[iteration]) / (fit + 1)
        finished += curve[-1]
    return Past(reported, complete, rungs)


def quiet_optuna() -> Any:
    """Import Optuna, which would otherwise tell the terminal of every study."""
    optuna = import_extra("optuna", "search", "A sweep that draws points or gives some up")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
