"""What is on screen, as plain data: data set, runs, workspace. Hashable, comparable, small enough for a URL.

A `RunSpec` says everything that a training depends on, and nothing else; its key is the run's key in the
store. The workspace keeps recipes, not results: change the data set, and the same recipes are trained on it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ltr_core import ALGORITHMS, Param, ParameterError

from ..style.methods import GIVEN, is_known, method

MAX_RUNS = 10  # as many as there are colours

Settings = tuple[tuple[str, Any], ...]  # parameters that differ from their defaults, by name


@dataclass(frozen=True)
class DataSpec:
    """A data set and how it is cut into training, validation and test.

    `name` is an entry of the catalogue, `size` its generator's parameters that differ from their defaults,
    `fold` "split" or a number from "1", `shuffle` the seed of the cut, and `stamp` tells the contents of
    files apart (empty for generated data).
    """

    name: str
    size: Settings = ()
    seed: int = 0
    fold: str = "split"
    shuffle: int = 0
    stamp: str = ""


@dataclass(frozen=True)
class Recipe:
    """An algorithm with its parameters: a run without its data."""

    algorithm: str
    params: Settings = ()

    def values(self) -> dict[str, Any]:
        """Return all parameters, the defaults included."""
        given = dict(self.params)
        return {p.name: given.get(p.name, p.default) for p in method(self.algorithm).all_params()}

    @cached_property
    def is_given(self) -> bool:
        """Whether it is a ranking that was brought along: nothing is trained for it."""
        return self.algorithm == GIVEN


@dataclass(frozen=True)
class RunSpec:
    """Everything that a training depends on; `watch` is what early stopping looks at, if there is any."""

    data: DataSpec
    recipe: Recipe
    watch: str = ""

    @cached_property
    def key(self) -> str:
        """A hash of the spec: equal specs have equal keys, on every machine."""
        text = json.dumps(plain(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()


@dataclass(frozen=True)
class Workspace:
    """The ordered recipes on screen, each in a slot of its own, one of them the baseline."""

    slots: tuple[tuple[int, Recipe], ...] = ()
    baseline: int | None = field(default=None)

    def __post_init__(self) -> None:
        numbers = [number for number, _ in self.slots]
        if self.baseline not in numbers:
            object.__setattr__(self, "baseline", numbers[0] if numbers else None)

    @property
    def is_full(self) -> bool:
        """Whether every slot is taken."""
        return len(self.slots) >= MAX_RUNS

    def slot_of(self, recipe: Recipe) -> int | None:
        """Return the slot that holds a recipe."""
        return next((number for number, held in self.slots if held == recipe), None)

    def recipe(self, slot: int) -> Recipe | None:
        """Return the recipe in a slot."""
        return dict(self.slots).get(slot)

    def add(self, recipe: Recipe) -> Workspace:
        """Put a recipe into the first free slot; one that is there already stays where it is."""
        if self.slot_of(recipe) is not None or self.is_full:
            return self
        taken = {number for number, _ in self.slots}
        free = next(number for number in range(MAX_RUNS) if number not in taken)
        return replace(self, slots=(*self.slots, (free, recipe)))

    def remove(self, slot: int) -> Workspace:
        """Take a run off the screen; the others keep their slots."""
        return replace(self, slots=tuple(s for s in self.slots if s[0] != slot))

    def with_baseline(self, slot: int) -> Workspace:
        """Make a run the baseline."""
        return replace(self, baseline=slot)


def workspace_of(*recipes: Recipe, baseline: int = 0) -> Workspace:
    """Return a workspace with these recipes in the first slots."""
    return Workspace(tuple(enumerate(recipes)), baseline)


def settings(params: tuple[Param, ...], values: Mapping[str, Any], owner: str = "") -> Settings:
    """Return the values that differ from their defaults and have an effect, checked and in order.

    A value that has no effect beside the others (`Param.when`) is left out: two forms that differ in it
    alone describe the same run.
    """
    known = {p.name: p for p in params}
    for name in values:
        if name not in known:
            raise ParameterError(f"{owner} has no parameter {name!r}. It has {', '.join(known)}.")
    full = {p.name: _frozen(p.check(values.get(p.name, p.default), owner)) for p in params}
    return tuple((p.name, full[p.name]) for p in params if full[p.name] != p.default and p.applies(full))


def recipe_of(algorithm: str, values: Mapping[str, Any]) -> Recipe:
    """Return a checked recipe, or raise a `ParameterError` with its sentence."""
    if not is_known(algorithm):
        raise ParameterError(f"There is no algorithm {algorithm!r}. Take one of {', '.join(ALGORITHMS)}.")
    cls = method(algorithm)
    values = {cls.renamed.get(name, name): value for name, value in values.items()}  # of an older link
    return Recipe(algorithm, settings(cls.all_params(), values, cls.label or algorithm))


def plain(spec: Any) -> Any:
    """Return a spec as dicts, lists, texts and numbers."""
    if isinstance(spec, RunSpec):
        return {"data": plain(spec.data), **plain(spec.recipe), "watch": spec.watch}
    if isinstance(spec, Recipe):
        return {"algorithm": spec.algorithm, "params": dict(spec.params)}
    return {**vars(spec), "size": dict(spec.size)}


def _frozen(value: Any) -> Any:
    """Return a value that can be hashed: tables become tuples of tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
