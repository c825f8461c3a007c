"""Data: reading, checking, splitting and writing sets of queries."""

from .describe import describe
from .fold_files import FoldFiles, find_folds, load_folds
from .ranking_data import RankingData
from .reading import MAX_CELLS, MISSING, Problem, load, report
from .splitting import folds, split
from .warming import warmup
from .writing import save

__all__ = [
    "MAX_CELLS",
    "MISSING",
    "FoldFiles",
    "Problem",
    "RankingData",
    "describe",
    "find_folds",
    "folds",
    "load",
    "load_folds",
    "report",
    "save",
    "split",
    "warmup",
]
