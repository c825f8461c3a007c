"""`Param`: one description of a parameter, from which forms, sweeps, checks and documents are made."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .errors import ParameterError

Kind = Literal["int", "float", "choice", "bool", "text", "table"]
_TAKEN = {
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "text": "a text",
    "table": "a table",
}


@dataclass(frozen=True)
class Param:
    """A parameter of an algorithm, a measure or a data set.

    Attributes
    ----------
    name : str
        The keyword argument it stands for.
    kind : {"int", "float", "choice", "bool", "text", "table"}
        What values it takes; "table" is a square array or None.
    default
        The value when it is not given. With `optional`, None is a value of its own.
    low, high, step : number, optional
        The allowed range, both ends included, and the step a form offers.
    choices : tuple
        The values of a "choice".
    log : bool
        Whether sweeps and sliders move in factors rather than in steps.
    help : str
        One sentence for a person.
    optional : bool
        Whether None is allowed; `none_label` says what None means ("calibrated").
    was : tuple
        The default that it once had, if that has changed: what a link or a file of then means that does not
        name it. Empty where the default never changed.
    when : mapping
        The values of other parameters under which this one has an effect, e.g. ``{"ddf": ("ldd",)}``.
    """

    name: str
    kind: Kind
    default: Any
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple = ()
    log: bool = False
    help: str = ""
    optional: bool = False
    none_label: str = "none"
    was: tuple = ()
    when: Mapping[str, tuple] = field(default_factory=dict, hash=False)

    @property
    def unnamed(self) -> Any:
        """What a link or a file means that does not name it, and what they need not name."""
        return self.was[0] if self.was else self.default

    def applies(self, values: Mapping[str, Any]) -> bool:
        """Whether this parameter has an effect beside the given values of the others."""
        return not self.when or all(values.get(name) in allowed for name, allowed in self.when.items())

    def check(self, value: Any, owner: str = "") -> Any:
        """Return the value in its proper type, or raise a `ParameterError` that names the range."""
        if value is None and self.optional:
            return None
        if self.kind in ("int", "float"):
            return self._check_number(value, owner)
        if self.kind == "bool" and isinstance(value, (bool, numbers.Integral)) and value in (0, 1):
            return bool(value)
        if self.kind == "choice" and (type(value), value) in [(type(c), c) for c in self.choices]:
            return value
        if self.kind in ("text", "table"):
            return value
        self._refuse(value, owner)

    def _check_number(self, value: Any, owner: str) -> int | float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            self._refuse(value, owner)
        number = float(value)
        if not math.isfinite(number) or (self.kind == "int" and number != int(number)):
            self._refuse(value, owner)
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            self._refuse(value, owner)
        return int(number) if self.kind == "int" else number

    def _refuse(self, value: Any, owner: str) -> None:
        where = f"{owner}: " if owner else ""
        raise ParameterError(f"{where}{self.name} = {value!r} cannot be used. Take {self.expected()}.")

    def expected(self) -> str:
        """Say in words which values are allowed."""
        words = _TAKEN.get(self.kind) or "one of " + ", ".join(map(repr, self.choices))
        if self.low is not None and self.high is not None:
            words += f" from {self.low:,.10g} to {self.high:,.10g}"
        elif self.low is not None:
            words += f" of at least {self.low:,.10g}"
        elif self.high is not None:
            words += f" of at most {self.high:,.10g}"
        return words + (f", or None ({self.none_label})" if self.optional else "")
