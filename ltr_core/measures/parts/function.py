"""A measure's public function, made from its class: ``ltr.ndcg(y, scores, qid, k=10, …)``.

Names, defaults, checks and documentation come from the class and its `params`, so that nothing is written
twice; `inspect.signature`, `help` and notebooks show the function as if it were written by hand.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...data import as_grades, group_rows
from ...errors import DataError
from ...params import Param
from .base import CONVENTIONS, Measure, as_scores

Value = float | np.ndarray
_TYPES: dict[str, Any] = {"int": int, "float": float, "choice": str}
_ROWS = "Grades, scores and the query of each document; rows of a query need not stand together."
_CONVENTION = "Replaces the options that are at their defaults by those of that convention."
_PER_QUERY = (
    "Return one value per query, in order of first appearance (NaN: left out), instead of that of the set."
)


def measure_function(cls: type[Measure]) -> Callable[..., Value]:
    """Return the function ``(y, scores, qid, *params, convention=None, per_query=False)`` of a measure."""
    signature = inspect.Signature(list(_arguments(cls)), return_annotation=Value)
    name = cls.function or cls.name

    def function(*args: Any, **options: Any) -> Value:
        try:
            bound = signature.bind(*args, **options)
        except TypeError as error:
            raise TypeError(f"{name}(): {error}") from None
        bound.apply_defaults()
        given = bound.arguments
        for param, other in cls.called.items():
            value = given.pop(other)
            given[param] = value if given[param] is None else given[param]
        y, scores, qid, per_query = (given.pop(key) for key in ("y", "scores", "qid", "per_query"))
        return _measure_once(cls(**given), y, scores, qid, per_query)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__.partition(".parts")[0]  # where it is found: it can be pickled
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    function.__doc__ = _document(cls, signature)
    return function


def _arguments(cls: type[Measure]) -> Iterator[inspect.Parameter]:
    """Yield the function's arguments in order."""
    place, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    for name in ("y", "scores", "qid"):
        yield inspect.Parameter(name, place, annotation=Any)
    for param in cls.params:
        default = empty if param.name in cls.required else param.default
        name = cls.called.get(param.name, param.name)
        yield inspect.Parameter(name, place, default=default, annotation=_type_of(param))
    if any(param.name in bundle for param in cls.params for bundle in CONVENTIONS.values()):
        yield inspect.Parameter("convention", place, default=None, annotation=str | None)
    yield inspect.Parameter("per_query", place, default=False, annotation=bool)
    for param in cls.params:
        if param.name in cls.called:
            only = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(param.name, only, default=None, annotation=_type_of(param) | None)


def _type_of(param: Param) -> Any:
    if hasattr(param, "also"):
        return Any
    return _TYPES[param.kind] | None if param.optional else _TYPES[param.kind]


def _document(cls: type[Measure], signature: inspect.Signature) -> str:
    """Return the function's documentation, in numpy's form."""
    words = {"convention": (f"{', '.join(map(repr, CONVENTIONS))} or None", _CONVENTION)}
    words["per_query"] = ("bool", _PER_QUERY)
    for param in cls.params:
        takes = param.expected() + getattr(param, "also", "")
        words[cls.called.get(param.name, param.name)] = (takes, param.help)
        if param.name in cls.called:
            words[param.name] = (takes, f"Another name of `{cls.called[param.name]}`.")
    lines = [f"Return {cls.label}. {cls.summary}", "", "Parameters", "----------"]
    lines += ["y, scores, qid : arrays of one length", f"    {_ROWS}"]
    for name in list(signature.parameters)[3:]:
        takes, help_text = words[name]
        lines += [f"{name} : {takes}", textwrap.indent(textwrap.fill(help_text, 100), "    ")]
    return "\n".join(lines) + "\n"


def _measure_once(measure: Measure, y: Any, scores: Any, qid: Any, per_query: bool) -> Value:
    """Return the value of the set, or one per query in order of first appearance."""
    qid = np.asarray(qid)
    if qid.ndim != 1:
        raise DataError(f"qid has {qid.ndim} dimensions", "give one query id for each document")
    y = as_grades(y, len(qid))
    scores = as_scores(scores, len(y))
    order, offsets = _group(qid)
    if order is not None:
        y, scores = y[order], scores[order]
    bound = measure.bind(y, offsets)
    return bound.per_query(scores) if per_query else bound.mean(scores)


def _group(qid: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the rows in grouped order (None when they are grouped already) and the offsets."""
    if qid.dtype.kind == "f" and np.isnan(qid).any():
        row = int(np.flatnonzero(np.isnan(qid))[0])
        raise DataError(f"the query id of document {row + 1} is missing", "give every document a query id")
    try:
        return group_rows(qid)
    except TypeError as error:
        what = f"the query ids cannot be compared ({error})"
        raise DataError(what, "give ids of one type, none missing") from None
