"""ltr_core: learning to rank, exact and fast. Usable without the dashboard."""

from typing import Any

from . import datasets
from .algorithms import ALGORITHMS, load_model
from .data import RankingData, folds, load, load_folds, save, split
from .distances import DISTANCES, check_distance, distance
from .distances.losses import LOSSES
from .errors import DataError, ParameterError
from .evaluation.evaluating import compare, evaluate
from .measures import (
    MEASURES,
    average_precision,
    dcg,
    err,
    kendall_tau,
    mean_ndcg,
    measure,
    misorder,
    mrr,
    ndcg,
    precision,
    precision_at_percent,
    tau_distance,
)
from .params import Param
from .sweeps import Sweep, estimate_sweep, load_sweep, sweep
from .warmup import warmup

__all__ = [
    "ALGORITHMS",
    "DISTANCES",
    "LOSSES",
    "MEASURES",
    "DataError",
    "Param",
    "ParameterError",
    "RankingData",
    "Sweep",
    "average_precision",
    "check_distance",
    "compare",
    "datasets",
    "dcg",
    "distance",
    "err",
    "estimate_sweep",
    "evaluate",
    "folds",
    "kendall_tau",
    "load",
    "load_folds",
    "load_model",
    "load_sweep",
    "mean_ndcg",
    "measure",
    "misorder",
    "mrr",
    "ndcg",
    "precision",
    "precision_at_percent",
    "save",
    "split",
    "sweep",
    "tau_distance",
    "warmup",
]
__all__ += list(ALGORITHMS)


def __getattr__(name: str) -> Any:
    # An algorithm of the registry is there without a line in this file.
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *ALGORITHMS})
