"""Measures of ranking quality, one in each file, listed by name in `MEASURES`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..evaluation import significance
from ..threads import parallel_always, serial_only
from .average_precision import AveragePrecision, average_precision
from .dcg import DCG, dcg
from .err import ERR, err
from .mean_ndcg import MeanNDCG, mean_ndcg
from .misorder import Misorder, misorder
from .mrr import MRR, mrr
from .ndcg import NDCG, ndcg
from .parts.base import CONVENTIONS, BoundMeasure, Measure
from .precision import Precision, precision
from .precision_at_percent import PrecisionAtPercent, precision_at_percent
from .tau import KendallTau, TauDistance, kendall_tau, tau_distance

MEASURES: dict[str, type[Measure]] = {
    "ndcg": NDCG,
    "dcg": DCG,
    "p": Precision,
    "map": AveragePrecision,
    "mean_ndcg": MeanNDCG,
    "mrr": MRR,
    "err": ERR,
    "tau": KendallTau,
    "tau_distance": TauDistance,
    "misorder": Misorder,
    "precision_percent": PrecisionAtPercent,
}
_ALIASES = {
    "ap": "map",
    "average_precision": "map",
    "precision": "p",
    "meanndcg": "mean_ndcg",
    "kendall_tau": "tau",
    "rr": "mrr",
}

__all__ = [
    "CONVENTIONS",
    "MEASURES",
    "BoundMeasure",
    "Measure",
    "average_precision",
    "dcg",
    "err",
    "kendall_tau",
    "mean_ndcg",
    "measure",
    "misorder",
    "mrr",
    "ndcg",
    "precision",
    "precision_at_percent",
    "tau_distance",
    "warmup",
]


def measure(name: str | Measure, convention: str | None = None, **options: Any) -> Measure:
    """Return a measure by name.

    Parameters
    ----------
    name : str
        A key of `MEASURES` or another common name, in upper or lower case, with the depth behind "@":
        "ndcg@10", "NDCG@all", "MAP", "p@5", "precision@10%".
    convention : {None, "letor"}
        Replaces the options that are at their defaults by LETOR's.
    **options
        The measure's parameters, such as ``discount="letor"``.
    """
    if isinstance(name, Measure):
        if convention is not None or options:
            return type(name)(convention=convention, **{**name.options, **options})
        return name
    word, at, depth = (str(name).strip().lower().replace(" ", "_").replace("-", "_")).partition("@")
    if word in ("p", "precision", "precision_percent") and (
        depth.endswith("%") or word == "precision_percent"
    ):
        key, parameter, value = "precision_percent", "percent", _number(depth.removesuffix("%"))
    else:
        key, parameter = _ALIASES.get(word, word), "k"
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
    words = [key + ("@k" if "k" in _names(key) else "") for key in MEASURES if key != "precision_percent"]
    return ", ".join([*words, "precision@10%"]) + " (a number for k, or all)"


def warmup() -> None:
    """Compile every kernel of the measures and of significance tests, or take it from the cache."""
    offsets = np.array([0, 3, 6, 46])
    y, scores = np.arange(46.0) % 3, np.arange(46.0) % 7
    for twins in (serial_only, parallel_always):
        with twins():
            for measure_class in MEASURES.values():
                bound = measure_class().bind(y, offsets)
                bound.mean(scores)
                bound.per_query(scores)
            NDCG(k=None).mean(y, scores, offsets)
    significance.warmup()
