"""ltr_core: learning to rank, exact and fast. Usable without the dashboard."""

from . import datasets
from .algorithms import ALGORITHMS, load_model
from .algorithms.mpboost import MPBoost
from .data import RankingData
from .distances import DISTANCES, check_distance, distance
from .errors import DataError, ParameterError
from .evaluation import compare, evaluate
from .losses import LOSSES
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
)  # fmt: skip
from .params import Param

__all__ = [
    "ALGORITHMS", "DISTANCES", "LOSSES", "MEASURES", "DataError", "MPBoost", "Param", "ParameterError",
    "RankingData", "average_precision", "check_distance", "compare", "datasets", "dcg", "distance",
    "err", "evaluate", "kendall_tau", "load_model", "mean_ndcg", "measure", "misorder", "mrr", "ndcg",
    "precision", "precision_at_percent", "tau_distance",
]  # fmt: skip
