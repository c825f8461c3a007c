"""What a sweep is, as plain data: the algorithm, what varies over which values, the search, the data.

Hashable; its key names its file. Nothing here knows a session.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ltr_core import ALGORITHMS, Param, ParameterError
from ltr_core.measures import Measure
from ltr_core.sweeps.proposals import make_proposer
from ltr_core.sweeps.pruning import check_pruner
from ltr_core.sweeps.space import Space, as_space

from ..runs.specs import DataSpec, Recipe, can_vary, plain

MOST_FITS = 10_000  # more than that is for the command line
MOST_VALUES = 200  # of one parameter in a grid
_VALUES = 7  # of a range, unless said otherwise
_DIGITS = 3  # of the values inside a range: people read them
_AROUND = {"int": 4.0, "float": 10.0}  # by which factor a range goes to either side of a value
_STEPS = 10  # how many of a form's steps, where the range is not in factors


@dataclass(frozen=True)
class Axis:
    """A parameter that varies: a range of numbers with how many values a grid takes, or a list of choices."""

    name: str
    low: float | None = None
    high: float | None = None
    n: int = _VALUES
    log: bool = False
    choices: tuple = ()

    @property
    def is_range(self) -> bool:
        """Whether it is a range of numbers."""
        return self.low is not None


@dataclass(frozen=True)
class SweepSpec:
    """Everything that a sweep depends on. `recipe` holds the algorithm and what stays; `seeds` the seeds."""

    data: DataSpec
    folds: tuple[str, ...]  # of the data set; empty: the split at hand
    recipe: Recipe
    axes: tuple[Axis, ...]
    sampler: str
    n_trials: int
    pruner: str
    seeds: tuple[int, ...]
    measure: Measure

    @property
    def key(self) -> str:
        """A hash of the spec: equal specs have equal keys, on every machine."""
        what = {
            "data": plain(self.data),
            "folds": self.folds,
            **plain(self.recipe),
            "space": self.space(),
            "sampler": self.sampler,
            "n_trials": self.n_trials,
            "pruner": self.pruner,
            "seeds": self.seeds,
            "measure": repr(self.measure),
        }
        text = json.dumps(what, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    @property
    def cuts(self) -> tuple[DataSpec, ...]:
        """The data of each fold, or of the split at hand."""
        return tuple(DataSpec(**{**vars(self.data), "fold": f}) for f in self.folds) or (self.data,)

    def space(self) -> dict[str, Any]:
        """Return the space as `ltr.sweep` takes it."""
        known = params_of(self.recipe.algorithm)
        rounds = ALGORITHMS[self.recipe.algorithm].rounds_param
        return {
            axis.name: list(values_of(axis, known[axis.name]))
            if self.sampler == "grid" or axis.name == rounds or not axis.is_range
            else {"low": axis.low, "high": axis.high, "log": axis.log}
            for axis in self.axes
        }

    def arguments(self) -> dict[str, Any]:
        """Return what `ltr.sweep` takes beside the data."""
        return {
            "algorithm": self.recipe.algorithm,
            "space": self.space(),
            "sampler": self.sampler,
            "n_trials": None if self.sampler == "grid" else self.n_trials,
            "fixed": dict(self.recipe.params),
            "measure": self.measure,
        }

    @property
    def n_points(self) -> int:
        """How many points there are, without making them."""
        rounds = ALGORITHMS[self.recipe.algorithm].rounds_param
        space = self.space()
        sizes = {name: len(values) for name, values in space.items() if isinstance(values, list)}
        of_rounds = sizes.get(rounds or "", 1)
        return math.prod(sizes.values()) if self.sampler == "grid" else self.n_trials * of_rounds

    def check(self) -> Space:
        """Return the space checked, or raise a `ParameterError` with its sentence."""
        return _check(self)


def params_of(algorithm: str) -> dict[str, Param]:
    """Return an algorithm's parameters by name."""
    return {p.name: p for p in ALGORITHMS[algorithm].all_params()}


def values_of(axis: Axis, param: Param) -> tuple:
    """Return the values that a grid takes of an axis: both ends as they are, what is between rounded."""
    if not axis.is_range:
        return axis.choices
    low, high = float(axis.low or 0.0), float(axis.high or 0.0)
    if not (math.isfinite(low) and math.isfinite(high)) or axis.n < 2:
        return (low,)
    spaced = (np.geomspace if axis.log and low > 0 else np.linspace)(low, high, min(axis.n, MOST_VALUES))
    if param.kind == "int":
        return tuple(sorted({round(v) for v in spaced.tolist()}))
    inner = [float(f"{v:.{_DIGITS}g}") for v in spaced.tolist()[1:-1]]
    return tuple(dict.fromkeys([low, *(v for v in inner if low < v < high), high]))


def axis_around(param: Param, value: Any) -> Axis:
    """Return what a parameter varies over at first: around a value, within its range."""
    if param.kind in ("choice", "bool"):
        choices = (False, True) if param.kind == "bool" else param.choices
        return Axis(param.name, choices=tuple(c for c in choices if c != "table"))
    least = -math.inf if param.low is None else param.low
    most = math.inf if param.high is None else param.high
    centre = float(value if value is not None else param.default if param.default is not None else 1.0)
    if param.log and centre > 0:
        low, high = centre / _AROUND[param.kind], centre * _AROUND[param.kind]
    else:
        step = param.step or 0.1
        whole = most - least <= 2.5 * _STEPS * step
        low, high = (least, most) if whole else (centre - _STEPS * step, centre + _STEPS * step)
    low, high = max(low, least), min(high, most)
    kind = (lambda v: float(round(v))) if param.kind == "int" else (lambda v: float(f"{v:.6g}"))
    return Axis(param.name, kind(low), kind(high), _VALUES, param.log and low > 0)


def encode_axes(axes: tuple[Axis, ...]) -> str:
    """Write axes as a text for the link."""
    plain_axes = {
        axis.name: [axis.low, axis.high, axis.n, int(axis.log)] if axis.is_range else list(axis.choices)
        for axis in axes
    }
    words = {
        name: {"in": v} if not axis.is_range else v
        for (name, v), axis in zip(plain_axes.items(), axes, strict=True)
    }
    return json.dumps(words, separators=(",", ":")) if words else ""


def decode_axes(text: str, algorithm: str) -> tuple[Axis, ...]:
    """Read axes; what does not belong to the algorithm, or makes no sense, is left out."""
    known, found = can_vary(algorithm), []
    try:
        given = json.loads(text) if text else {}
        for name, words in given.items() if isinstance(given, dict) else ():
            if name not in known:
                continue
            numeric = known[name].kind in ("int", "float")
            if isinstance(words, dict) and not numeric:
                offered = (False, True) if known[name].kind == "bool" else known[name].choices
                found.append(Axis(name, choices=tuple(c for c in offered if c in words["in"])))
            elif isinstance(words, list) and numeric:
                low, high, n, log = words
                found.append(Axis(name, float(low), float(high), int(n), bool(log)))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return ()
    return tuple(found)


def _check(spec: SweepSpec) -> Space:
    cls = ALGORITHMS[spec.recipe.algorithm]
    label, known = cls.label or cls.__name__, params_of(spec.recipe.algorithm)
    if not spec.axes:
        raise ParameterError("Nothing varies yet. Pick at least one parameter under “Vary”.")
    for axis in spec.axes:
        if axis.is_range:  # the library's own words on ranges
            given = {"low": axis.low, "high": axis.high, "n": axis.n, "log": axis.log}
            as_space(cls, {axis.name: given}, drawn=True)
            if axis.log and not (axis.low or 0) > 0:
                raise ParameterError(f"{label}: even factors of {axis.name} need a lower end above 0.")
    n_fits = spec.n_points * len(spec.cuts) * len(spec.seeds)
    if n_fits > MOST_FITS:
        raise ParameterError(
            f"That is {n_fits:,} fits, and the page takes at most {MOST_FITS:,}. Take fewer values "
            "or points, or the command line: python -m ltr_core sweep."
        )
    space = as_space(cls, spec.space(), dict(spec.recipe.params), spec.sampler != "grid")
    trials = None if spec.sampler == "grid" else spec.n_trials
    make_proposer(space, spec.sampler, trials, spec.measure.higher_is_better, 0)
    check_pruner(spec.pruner, cls.rounds_param, label)
    varied = {axis.name: set(values_of(axis, known[axis.name])) for axis in spec.axes}
    stay = spec.recipe.values()
    for name in varied:
        idle = [n for n, allowed in known[name].when.items() if not varied.get(n, {stay[n]}) & set(allowed)]
        if idle:
            allowed = ", ".join(str(v) for v in known[name].when[idle[0]])
            raise ParameterError(
                f"{label}: {name} has an effect only where {idle[0]} is {allowed}. Vary {idle[0]} too, or "
                "change it under “What stays”."
            )
    return space


def recipe_without(recipe: Recipe, names: tuple[str, ...]) -> tuple[Recipe, int]:
    """Return a recipe without what varies and without its seed, and the seed."""
    # As they are: what has no effect beside the defaults may have one beside a swept value.
    kept = tuple((n, v) for n, v in recipe.params if n not in (*names, "random_state"))
    return Recipe(recipe.algorithm, kept), int(dict(recipe.params).get("random_state", 0))
