"""Measures of ranking quality, one in each file: the registry, `measure`, and a function for each.

What they are made of is in `parts`; its orders, counts of pairs and curves of gains serve other rooms too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ParameterError
from .average_precision import AveragePrecision
from .dcg import DCG
from .err import ERR
from .mean_ndcg import MeanNDCG
from .misorder import Misorder
from .mrr import MRR
from .ndcg import NDCG
from .parts.base import CONVENTIONS, BoundMeasure, Measure, as_scores
from .parts.custom import Custom
from .parts.function import measure_function
from .precision import Precision
from .precision_at_percent import PrecisionAtPercent
from .r_precision import RPrecision
from .recall import Recall
from .tau import KendallTau, TauDistance

MEASURES: dict[str, type[Measure]] = {
    cls.name: cls
    for cls in (
        NDCG,
        DCG,
        Precision,
        AveragePrecision,
        MeanNDCG,
        MRR,
        Recall,
        RPrecision,
        ERR,
        KendallTau,
        TauDistance,
        Misorder,
        PrecisionAtPercent,
    )
}
FUNCTIONS = {cls.function or cls.name: measure_function(cls) for cls in MEASURES.values()}
globals().update(FUNCTIONS)  # ltr_core.measures.ndcg is the function, and what pickle looks for

__all__ = [
    "CONVENTIONS",
    "FUNCTIONS",
    "MEASURES",
    "BoundMeasure",
    "Measure",
    "as_scores",
    "measure",
    "warmup",
]
__all__ += list(FUNCTIONS)


def measure(
    name: str | Measure | Callable[..., Any], convention: str | None = None, **options: Any
) -> Measure:
    """Return a measure by name.

    Parameters
    ----------
    name : str or callable
        A key of `MEASURES` or another common name, in upper or lower case, with the depth behind "@":
        "ndcg@10", "NDCG@all", "MAP", "p@5", "precision@10%". Or one's own function of a query's grades and
        scores, ``own(y, scores)``, which has no options; its attribute ``higher_is_better`` may be False.
    convention : {None, "letor"}
        Replaces the options that are at their defaults by LETOR's.
    **options
        The measure's parameters, such as ``discount="letor"``.
    """
    if isinstance(name, Measure):
        if convention is not None or options:
            return type(name)(convention=convention, **{**name.options, **options})
        return name
    if callable(name):
        own = Custom(name)
        if convention is not None or options:
            raise ParameterError(f"The measure {own.name} is a function: it has no options.")
        return own
    word, at, depth = str(name).strip().lower().replace(" ", "_").replace("-", "_").partition("@")
    of_pairs = PrecisionAtPercent.name
    if word == of_pairs or (depth.endswith("%") and word in (Precision.name, *Precision.aliases)):
        key, parameter, value = of_pairs, "percent", _number(depth.removesuffix("%"))
    else:
        aliases = {alias: cls.name for cls in MEASURES.values() for alias in cls.aliases}
        key, parameter = aliases.get(word, word), "k"
        value = None if depth == "all" else _number(depth)
    if key not in MEASURES or (at and (value is _WRONG or parameter not in _names(key))):
        raise ParameterError(f"There is no measure {name!r}. Take one of {_choices()}.")
    if at:
        if parameter in options and options[parameter] != value:
            raise ParameterError(
                f"The measure {name!r} is given {parameter} = {options[parameter]!r} as well: leave one out."
            )
        options = {**options, parameter: value}
    return MEASURES[key](convention=convention, **options)


_WRONG = object()


def _number(text: str) -> Any:
    if re.fullmatch(r"\d{1,9}", text):
        return int(text)
    return float(text) if re.fullmatch(r"\d{1,9}\.\d{1,9}", text) else _WRONG


def _names(key: str) -> set[str]:
    return {param.name for param in MEASURES[key].params}


def _choices() -> str:
    words = [key + ("@k" if "k" in _names(key) else "") for key in MEASURES if key != PrecisionAtPercent.name]
    return ", ".join([*words, "precision@10%"]) + " (a number for k, or all)"


def warmup() -> None:
    """Compile every kernel of the measures, or take it from the cache."""
    offsets = np.array([0, 3, 6, 46])
    y, scores = np.arange(46.0) % 3, np.arange(46.0) % 7
    for measure_class in MEASURES.values():
        bound = measure_class().bind(y, offsets)
        bound.mean(scores)
        bound.per_query(scores)
    NDCG(k=None).mean(y, scores, offsets)
