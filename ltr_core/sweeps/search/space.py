"""The space of a sweep: which parameters take which values.

A parameter's part of the space is a list of values, or a range: ``{"low": …, "high": …, "n": …, "log":
…}``, of which a grid takes n values and a sampler draws. For a sampler ``(low, high)`` is short for a
range. Steps are even, or even in the logarithm where the parameter's `Param` says so.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algorithms import ALGORITHMS, Ranker
from ...errors import ParameterError
from ...params import Param

ROUNDS_SHOWN = 20  # of a range of rounds: one training answers for all of them


@dataclass(frozen=True)
class Values:
    """A list of values."""

    values: tuple

    def plain(self) -> Any:
        """Return it as it is written into a file."""
        return list(self.values)

    def listed(self, name: str) -> tuple:
        """Return what a grid takes of it."""
        return self.values

    def meets(self, allowed: tuple) -> bool:
        """Whether it takes one of the values that another parameter needs."""
        return any(value in allowed for value in self.values)


@dataclass(frozen=True)
class Range:
    """A range of numbers, both ends included; `n` says how many of them a grid takes."""

    low: float
    high: float
    n: int | None
    log: bool
    whole: bool

    def plain(self) -> Any:
        """Return it as it is written into a file."""
        return {"low": self.low, "high": self.high, "n": self.n, "log": self.log}

    def points(self, n: int) -> tuple:
        """Return n values, or as many different whole ones as there are."""
        return spaced(self.low, self.high, n, self.log, self.whole)

    def listed(self, name: str) -> tuple:
        """Return what a grid takes of it, or say that it has not been told how many."""
        if self.n is None:
            raise ParameterError(
                f"A grid needs to know which values of {name} to take between {self.low:g} and "
                f"{self.high:g}. Give n, a list, or sampler='random'."
            )
        return self.points(self.n)

    def meets(self, allowed: tuple) -> bool:
        """Whether it takes one of the values that another parameter needs."""
        return any(isinstance(v, int | float) and self.low <= v <= self.high for v in allowed)


def spaced(low: float, high: float, n: int, log: bool, whole: bool, digits: int | None = None) -> tuple:
    """Return n values from low to high, in even steps or even factors; or as many different whole ones.

    Both ends stay as they are. With `digits` the values between are rounded to so many, for people to read.
    """
    values = (np.geomspace if log and low > 0 else np.linspace)(low, high, n)
    if whole:
        return tuple(sorted({int(v) for v in np.round(values)}))
    if digits is None:
        return tuple(float(v) for v in np.clip(values, low, high))
    inner = (float(f"{v:.{digits}g}") for v in values[1:-1])
    return tuple(dict.fromkeys([low, *(v for v in inner if low < v < high), high]))


@dataclass(frozen=True)
class Space:
    """What is swept, and what stays.

    Attributes
    ----------
    algorithm : type of Ranker
        What is trained.
    axes : dict
        The swept parameters but the number of rounds, by name.
    fixed : dict
        Parameters that stay, where they are not at their defaults.
    rounds_name : str or None
        The parameter that counts rounds, if it is swept: a training with the most rounds has all others in
        it.
    rounds : tuple of int
        Its values, smallest first; empty when it is not swept.
    """

    algorithm: type[Ranker]
    axes: dict[str, Values | Range]
    fixed: dict[str, Any]
    rounds_name: str | None
    rounds: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """The swept parameters."""
        return [*self.axes, *([self.rounds_name] if self.rounds_name else [])]

    def lists(self) -> dict[str, tuple]:
        """Return the values that a grid takes of each axis."""
        return {name: axis.listed(name) for name, axis in self.axes.items()}

    def grid(self) -> Iterator[dict[str, Any]]:
        """Yield every combination but of rounds, the last axis fastest."""
        lists = self.lists()
        for combination in itertools.product(*lists.values()):
            yield dict(zip(lists, combination, strict=True))

    def idle(self) -> dict[str, tuple[str, tuple]]:
        """Return the swept parameters without an effect anywhere, and which other would have to be what."""
        params = params_of(self.algorithm)
        axes = {**self.axes, **({self.rounds_name: Values(self.rounds)} if self.rounds_name else {})}
        needs = [(name, other, allowed) for name in axes for other, allowed in params[name].when.items()]
        idle: dict[str, tuple[str, tuple]] = {}
        for name, other, allowed in needs:
            stays = Values((self.fixed.get(other, params[other].default),))
            if not axes.get(other, stays).meets(allowed):
                idle.setdefault(name, (other, allowed))
        return idle

    def config(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of the training that answers for a point.

        A parameter without an effect beside the others goes to its default: points that differ only in it
        share a training. What is at its default is not named, unless a file of before would mean another one.
        """
        params = params_of(self.algorithm)
        config = {**{name: p.default for name, p in params.items() if p.was}, **self.fixed, **values}
        if self.rounds_name:
            config[self.rounds_name] = self.rounds[-1]
        everything = {name: config.get(name, p.default) for name, p in params.items()}
        return {
            name: value
            for name, value in config.items()
            if params[name].applies(everything) and value != params[name].unnamed
        }

    def n_rounds(self, config: Mapping[str, Any]) -> int:
        """Return how many rounds a training has at most."""
        name = self.algorithm.rounds_param
        if name is None:
            return 1
        return int(config.get(name, params_of(self.algorithm)[name].default))

    def plain(self) -> dict[str, Any]:
        """Return it as it is written into a file."""
        axes = {name: axis.plain() for name, axis in self.axes.items()}
        if self.rounds_name:
            axes[self.rounds_name] = list(self.rounds)
        return {"algorithm": self.algorithm.__name__, "space": axes, "fixed": self.fixed}


def as_space(
    algorithm: str | type[Ranker],
    space: Mapping[str, Any],
    fixed: Mapping[str, Any] | None = None,
    drawn: bool = False,
) -> Space:
    """Check a space against the algorithm's parameters; `drawn`: a pair of numbers is a range."""
    cls = _as_algorithm(algorithm)
    if not isinstance(space, Mapping) or not space:
        raise ParameterError(
            "The space is empty: there is nothing to sweep. Give at least one parameter with its values, "
            "such as {'learning_rate': [0.05, 0.1]}."
        )
    params = params_of(cls)
    for name in [*space, *(fixed or {})]:
        if name not in params:
            raise ParameterError(f"{cls.__name__} has no parameter {name!r}. It has {', '.join(params)}.")
    if "random_state" in space or "random_state" in (fixed or {}):
        raise ParameterError("random_state is not part of the space: give seeds=(0, 1, …) for several seeds.")
    both = sorted(set(space) & set(fixed or {}))
    if both:
        raise ParameterError(f"{both[0]} is both swept and fixed. Leave it out of one of them.")
    kept = {name: params[name].check(value, cls.__name__) for name, value in (fixed or {}).items()}
    axes = {name: _as_axis(params[name], given, cls.__name__, drawn) for name, given in space.items()}
    rounds_name = cls.rounds_param if cls.rounds_param in axes else None
    rounds: tuple[int, ...] = ()
    if rounds_name:
        axis = axes.pop(rounds_name)
        listed = axis.values if isinstance(axis, Values) else axis.points(axis.n or ROUNDS_SHOWN)
        rounds = tuple(sorted(listed))
    return Space(cls, axes, kept, rounds_name, rounds)


def params_of(algorithm: str | type[Ranker]) -> dict[str, Param]:
    """Return an algorithm's parameters by name."""
    return {p.name: p for p in _as_algorithm(algorithm).all_params()}


def can_vary(algorithm: str | type[Ranker]) -> dict[str, Param]:
    """Return the parameters that a form can vary: numbers and choices, but for the seed and where to stop."""
    kinds, others = ("int", "float", "choice", "bool"), ("random_state", "early_stopping")
    return {n: p for n, p in params_of(algorithm).items() if p.kind in kinds and n not in others}


def config_key(config: Mapping[str, Any]) -> str:
    """Return the text that stands for a training's parameters."""
    return json.dumps(config, sort_keys=True, default=as_plain)


def as_plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not go into a sweep's file")


def _as_algorithm(algorithm: str | type[Ranker]) -> type[Ranker]:
    if isinstance(algorithm, type) and issubclass(algorithm, Ranker):
        algorithm = algorithm.__name__
    if algorithm not in ALGORITHMS:
        raise ParameterError(f"There is no algorithm {algorithm!r}. Take one of {', '.join(ALGORITHMS)}.")
    return ALGORITHMS[algorithm]


def _as_axis(param: Param, given: Any, owner: str, drawn: bool) -> Values | Range:
    if drawn and isinstance(given, tuple) and len(given) == 2 and param.kind in ("int", "float"):
        given = {"low": given[0], "high": given[1]}
    if isinstance(given, Mapping):
        return _as_range(param, given, owner)
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, Sequence) or isinstance(given, str):
        given = [given]
    if not given:
        raise ParameterError(f"{owner}: {param.name} has no values to sweep. Take {param.expected()}.")
    checked = []
    for value in given:
        value = param.check(value, owner)
        if value not in checked:
            checked.append(value)
    return Values(tuple(checked))


def _as_range(param: Param, given: Mapping[str, Any], owner: str) -> Range:
    unknown = set(given) - {"low", "high", "n", "log"}
    if param.kind not in ("int", "float") or unknown or not {"low", "high"} <= set(given):
        raise ParameterError(
            f"{owner}: {dict(given)!r} is no range of {param.name}. "
            "Give a list of values, or for a number low and high and, for a grid, n."
        )
    low, high = param.check(given["low"], owner), param.check(given["high"], owner)
    if not low < high:
        raise ParameterError(
            f"{owner}: the range of {param.name} goes from {low:g} to {high:g}. Give low < high."
        )
    n = given.get("n")
    if n is not None and (isinstance(n, bool) or n != int(n) or not 2 <= n <= 10_000):
        raise ParameterError(f"{owner}: n = {n!r} values of {param.name} cannot be taken. Give 2 or more.")
    log = bool(given.get("log", param.log)) and low > 0
    return Range(low, high, None if n is None else int(n), log, param.kind == "int")
