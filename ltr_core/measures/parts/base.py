"""`Measure`: a definition with its options, bound to grades once and applied to scores many times.

A subclass is one measure. It declares its metadata and `params` and gives `_prepare`: from grades and
offsets to a function of the scores, so that whatever does not depend on the scores is worked out once, not
every round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from ...data import RankingData, as_numbers
from ...errors import DataError, ParameterError
from ...params import Param

CONVENTIONS: dict[str, dict[str, Any]] = {
    "letor": {"discount": "letor", "ties": "file", "empty": "zero", "short": "zero"}
}
EMPTY_VALUES = {"zero": 0.0, "one": 1.0, "skip": math.nan}

TIES = Param(
    "ties", "choice", "average", choices=("average", "file"),
    help="Equal scores: the mean over all orders of the tied documents, or the order of the file.",
)  # fmt: skip
EMPTY = Param(
    "empty", "choice", "zero", choices=("zero", "one", "skip"),
    help="A query without a relevant document: it scores 0, it scores 1, or it is left out.",
)  # fmt: skip
RELEVANT = Param("relevant", "float", 1.0, 0.0, step=1.0, help="From this grade on a document is relevant.")

_TIES_WORDS = {
    "average": "equal scores count as the mean over all their orders",
    "file": "equal scores stay in file order",
}
_EMPTY_WORDS = {
    "zero": "a query without a relevant document scores 0",
    "one": "a query without a relevant document scores 1",
    "skip": "queries without a relevant document are left out",
}

Score = Callable[[np.ndarray], np.ndarray]  # from checked scores to one fresh value per query
Pooled = Callable[[np.ndarray], float]  # from checked scores to the value of the whole set
Prepared = tuple[Score, Pooled | None]  # the second one unless the set's value is the mean


def depth(default: int | None, what: str) -> Param:
    """Return the parameter `k` of a measure that looks at the first k documents."""
    help_text = f"How many documents from the top {what}."
    return Param("k", "int", default, 1, 1_000_000, 1, help=help_text, optional=True, none_label="whole list")


class Measure:
    """Base of every measure.

    A class also says what its public function is called (`function`, unless that is its name), which of its
    parameters the function has no default for (`required`) or calls by another name as well (`called`), and
    by what other names `measure` knows it (`aliases`).

    Parameters
    ----------
    convention : {None, "letor"}
        A bundle of options; it replaces those that are at their defaults.
    **options
        The measure's own parameters, by name.

    Attributes
    ----------
    name, label : str
        What it is called in tables ("ndcg@10") and on screen ("NDCG@10").
    options : dict
        All options, the convention's included: plain values for links and hashes.
    """

    name: str = ""
    label: str = ""
    summary: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    params: ClassVar[tuple[Param, ...]] = ()
    function: ClassVar[str] = ""
    required: ClassVar[tuple[str, ...]] = ()
    called: ClassVar[Mapping[str, str]] = {}
    aliases: ClassVar[tuple[str, ...]] = ()

    def __init__(self, convention: str | None = None, **options: Any) -> None:
        self.options = _resolve(type(self), convention, options)
        suffix = self._suffix()
        self.name, self.label = type(self).name + suffix, type(self).label + suffix

    def _suffix(self) -> str:
        """Return what stands behind the name: the depth, unless it is the whole list by default."""
        own = {param.name: param for param in self.params}
        if "k" not in own or (self.options["k"] is None and own["k"].default is None):
            return ""
        return f"@{'all' if self.options['k'] is None else self.options['k']}"

    def describe(self) -> str:
        """Say the definition, options included, in one sentence."""
        parts = [self._definition()]
        parts += [_TIES_WORDS[self.options["ties"]]] if "ties" in self.options else []
        parts += [_EMPTY_WORDS[self.options["empty"]]] if "empty" in self.options else []
        return "; ".join(parts) + "."

    def bind(self, y: Any, offsets: Any) -> BoundMeasure:
        """Return the measure with everything worked out that depends on the grades only.

        `y` are grades with the rows of a query together, `offsets` where each query starts, and the end.
        """
        y = frozen(np.ascontiguousarray(y, dtype=np.float64))
        offsets = frozen(np.ascontiguousarray(offsets, dtype=np.int64))
        if y.ndim != 1 or offsets.ndim != 1 or len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(y):
            what = f"the offsets do not divide {y.size} documents into queries"
            raise DataError(what, "start at 0 and end at their number")
        if (offsets[1:] <= offsets[:-1]).any():
            raise DataError("a query has no document", "give offsets that increase")
        return BoundMeasure(len(y), *self._prepare(y, offsets))

    def fitted(self, data: RankingData) -> Measure:
        """Return the measure with what the data's description says and the options leave open."""
        return self

    def on(self, data: RankingData) -> BoundMeasure:
        """Return it bound to the grades of a data set, and fitted to its description."""
        return self.fitted(data).bind(data.y, data.offsets)

    def per_query(self, y: Any, scores: Any, offsets: Any) -> np.ndarray:
        """Return one value per query, NaN for a query that is left out."""
        return self.bind(y, offsets).per_query(scores)

    def mean(self, y: Any, scores: Any, offsets: Any) -> float:
        """Return the value of the whole set."""
        return self.bind(y, offsets).mean(scores)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.options == other.options  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self), repr(self.options)))

    def __repr__(self) -> str:
        changed = {
            p.name: self.options[p.name]
            for p in self.params
            if self.options[p.name] != p.default and p.name not in ("k", "percent")  # in the name already
        }
        return f"measure({self.name!r}" + "".join(f", {k}={v!r}" for k, v in changed.items()) + ")"

    # What a measure gives ---------------------------------------------------------------------------------

    def _definition(self) -> str:
        """Return the first part of the sentence in `describe`."""
        return self.summary.rstrip(".")

    def _prepare(self, y: np.ndarray, offsets: np.ndarray) -> Prepared:
        """Return the value of each query as a function of the scores, and the set's unless it is the mean."""
        raise TypeError(f"{type(self).__name__} is not a measure")


class BoundMeasure:
    """A measure bound to the grades of one data set."""

    def __init__(self, n_docs: int, score: Score, pooled: Pooled | None = None) -> None:
        self._n_docs, self._score, self._pooled = n_docs, score, pooled

    def per_query(self, scores: Any) -> np.ndarray:
        """Return one value per query, NaN for a query that is left out."""
        return self._score(as_scores(scores, self._n_docs))

    def mean(self, scores: Any) -> float:
        """Return the mean over queries, or the value of the whole set where a measure is defined on sets."""
        scores = as_scores(scores, self._n_docs)
        return float(self._pooled(scores)) if self._pooled else mean_of(self._score(scores))


def mean_of(values: np.ndarray) -> float:
    """Return the mean of the queries that are not left out; NaN when none is left."""
    total = values.sum()
    if math.isnan(total):
        values = values[~np.isnan(values)]
        total = values.sum()
    return float(total / len(values)) if len(values) else math.nan


def as_scores(scores: Any, n_docs: int) -> np.ndarray:
    """Return scores as a read-only float64 array of finite numbers, or say which is not one."""
    values = as_numbers(scores, n_docs, "score")
    with np.errstate(all="ignore"):
        total = values.sum()  # finite unless a score is not, or it overflows: a quarter of isfinite's time
    if not math.isfinite(total) and not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError(f"the score of document {row + 1} is {values[row]}", "give finite scores")
    return frozen(values)


def frozen(array: np.ndarray) -> np.ndarray:
    """Return a read-only view: whatever the caller's array is, kernels then have one signature."""
    view = array.view()
    view.flags.writeable = False
    return view


def _resolve(cls: type[Measure], convention: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    if convention is not None and convention not in CONVENTIONS:
        names = ", ".join(map(repr, CONVENTIONS))
        raise ParameterError(f"convention = {convention!r} is not known. Take one of {names}, or None.")
    bundle = {} if convention is None else CONVENTIONS[convention]
    known = {param.name for param in cls.params}
    for name in given:
        if name not in known:
            takes = ", ".join(param.name for param in cls.params) or "no option"
            raise ParameterError(f"{cls.label} has no option {name!r}. It takes {takes}.")
    options = {}
    for param in cls.params:
        value = param.check(given.get(param.name, param.default), cls.label)
        options[param.name] = bundle[param.name] if param.name in bundle and value == param.default else value
    return options
