"""Data: reading, checking, splitting and writing sets of queries."""

from .describe import describe
from .feature_table import describe_features, grade_counts, histogram_by_grade, query_sizes
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
    "describe_features",
    "find_folds",
    "folds",
    "grade_counts",
    "histogram_by_grade",
    "load",
    "load_folds",
    "query_sizes",
    "report",
    "save",
    "split",
    "warmup",
]
