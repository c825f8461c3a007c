"""Data: reading, checking, splitting and writing sets of queries."""

from .reading.fold_files import FoldFiles, find_folds, load_folds
from .reading.reading import MAX_CELLS, MISSING, Problem, load, report
from .reading.warming import warmup
from .set.describe import describe
from .set.feature_table import describe_features, grade_counts, histogram_by_grade, query_sizes
from .set.ranking_data import RankingData
from .set.splitting import folds, split
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
