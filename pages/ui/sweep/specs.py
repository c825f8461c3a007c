"""What a sweep is, as plain data: the algorithm, what varies over which values, the search, the data.

Hashable; its key names its file. What is asked, and whether it can be, `ltr_core.sweeps` says. Nothing here
knows a session.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, replace
from typing import Any

from ltr_core import ALGORITHMS, Param, ParameterError
from ltr_core.measures import Measure
from ltr_core.sweeps import SAMPLERS, Question, can_vary, describe, params_of, spaced

from ..runs.specs import DataSpec, Recipe, plain
from ..style.words import choice_label, param_label

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
    score_at: str = "last"  # at which round a point is judged: as Compare does

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
            "score_at": self.score_at,
        }
        text = json.dumps(what, sort_keys=True, separators=(",", ":"), default=str)
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    @property
    def cuts(self) -> tuple[DataSpec, ...]:
        """The data of each fold, or of the split at hand."""
        return tuple(DataSpec(**{**vars(self.data), "fold": f}) for f in self.folds) or (self.data,)

    def space(self) -> dict[str, Any]:
        """Return the space as `ltr.sweep` takes it: values that people can read where it takes a list."""
        known, rounds = params_of(self.recipe.algorithm), ALGORITHMS[self.recipe.algorithm].rounds_param
        drawn = SAMPLERS[self.sampler].draws
        return {
            axis.name: {"low": axis.low, "high": axis.high, "log": axis.log}
            if drawn and axis.is_range and axis.name != rounds
            else list(values_of(axis, known[axis.name]))
            for axis in self.axes
        }

    def arguments(self) -> dict[str, Any]:
        """Return what `ltr.sweep` takes beside data, pruner and seeds."""
        return {
            "algorithm": self.recipe.algorithm,
            "space": self.space(),
            "sampler": self.sampler,
            "n_trials": self.n_trials if SAMPLERS[self.sampler].draws else None,
            "fixed": dict(self.recipe.params),
            "measure": self.measure,
            "score_at": self.score_at,
        }

    def question(self) -> Question:
        """Return what is asked, or raise a `ParameterError`."""
        return describe(**self.arguments(), pruner=self.pruner, seeds=self.seeds)

    def check(self) -> Question:
        """Return what is asked; a `ParameterError` has the sentence on what the page does not take."""
        cls = ALGORITHMS[self.recipe.algorithm]
        label = cls.label or cls.__name__
        if not self.axes:
            raise ParameterError("Nothing varies yet. Pick at least one parameter under “Vary”.")
        for axis in (axis for axis in self.axes if axis.is_range):  # the library's own words on ranges
            describe(cls, {axis.name: {"low": axis.low, "high": axis.high, "n": axis.n, "log": axis.log}})
            if axis.log and not (axis.low or 0) > 0:
                raise ParameterError(f"{label}: even factors of {axis.name} need a lower end above 0.")
        question = self.question()
        n_fits = question.n_points * len(self.cuts) * len(self.seeds)
        if n_fits > MOST_FITS:
            raise ParameterError(
                f"That is {n_fits:,} fits, and the page takes at most {MOST_FITS:,}. Take fewer values "
                "or points, or the command line: python -m ltr_core sweep."
            )
        for name, (other, values) in question.space.idle().items():
            known = {param.name: param for param in cls.all_params()}
            need, own = known[other], param_label(known[name])
            wanted = " or ".join(choice_label(need, value) for value in values)
            raise ParameterError(
                f"{label}: {own} has an effect only where {param_label(need)} is {wanted}. "
                f"Vary {param_label(need)} too, or change it under “What stays”."
            )
        return question


def values_of(axis: Axis, param: Param) -> tuple:
    """Return the values that a grid takes of an axis: both ends as they are, what is between rounded."""
    if not axis.is_range:
        return axis.choices
    low, high = float(axis.low or 0.0), float(axis.high or 0.0)
    if not (math.isfinite(low) and math.isfinite(high)) or axis.n < 2:
        return (low,)
    return spaced(low, high, min(axis.n, MOST_VALUES), axis.log, param.kind == "int", _DIGITS)


def axis_around(param: Param, value: Any) -> Axis:
    """Return what a parameter varies over at first: around a value, within its range."""
    if param.kind in ("choice", "bool"):
        return Axis(param.name, choices=tuple(c for c in choices_of(param) if c != "table"))
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


def widened(axis: Axis, param: Param, at_top: bool) -> Axis:
    """Return an axis that goes on at one end by half its length, in steps as long as before."""
    low, high = axis.low or 0.0, axis.high or 0.0
    more = (high / low) ** 0.5 if axis.log else (high - low) / 2
    new = (high * more if axis.log else high + more) if at_top else (low / more if axis.log else low - more)
    new = min(new, math.inf if param.high is None else param.high)
    new = max(new, -math.inf if param.low is None else param.low)
    new = float(round(new)) if param.kind == "int" else float(f"{new:.6g}")
    n = min(MOST_VALUES, axis.n + max(1, (axis.n - 1) // 2))
    return replace(axis, n=n, high=new) if at_top else replace(axis, n=n, low=new)


def choices_of(param: Param) -> tuple:
    """Return what there is to pick of a parameter that takes no numbers."""
    return (False, True) if param.kind == "bool" else param.choices


def encode_axes(axes: tuple[Axis, ...]) -> str:
    """Write axes as a text for the link."""
    words = {
        a.name: [a.low, a.high, a.n, int(a.log)] if a.is_range else {"in": list(a.choices)} for a in axes
    }
    return json.dumps(words, separators=(",", ":")) if words else ""


def decode_axes(text: str, algorithm: str) -> tuple[Axis, ...]:
    """Read axes; what does not belong to the algorithm, or makes no sense, is left out."""
    known, axes = can_vary(algorithm), []
    try:
        given = json.loads(text) if text else {}
        for name, words in given.items() if isinstance(given, dict) else ():
            if name not in known:
                continue
            numeric = known[name].kind in ("int", "float")
            if isinstance(words, dict) and not numeric:
                axes.append(Axis(name, choices=tuple(c for c in choices_of(known[name]) if c in words["in"])))
            elif isinstance(words, list) and numeric:
                low, high, n, log = words
                axes.append(Axis(name, float(low), float(high), int(n), bool(log)))
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return ()
    return tuple(axes)


def recipe_without(recipe: Recipe, names: tuple[str, ...]) -> tuple[Recipe, int]:
    """Return a recipe without what varies and without its seed, and the seed."""
    # As they are: what has no effect beside the defaults may have one beside a swept value.
    kept = tuple((n, v) for n, v in recipe.params if n not in (*names, "random_state"))
    return Recipe(recipe.algorithm, kept), int(dict(recipe.params).get("random_state", 0))
