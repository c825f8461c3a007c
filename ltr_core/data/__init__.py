"""Data: reading, checking, splitting and writing sets of queries.

`formats` lists what files may be; `set` holds a set of queries, `reading` and `writing` have a file for each
format.
"""

from .fold_files import FoldFiles, align, find_folds, has_role, load_folds
from .formats import FORMATS, format_of, say_formats, stem_of
from .loading import Problem, load, report
from .reading.options import MAX_CELLS, MISSING
from .saving import save
from .set.checking import as_features, as_grades, as_numbers
from .set.describe import describe
from .set.feature_table import describe_features, grade_counts, histogram_by_grade, query_sizes
from .set.grouping import group_rows
from .set.ranking_data import RankingData
from .set.splitting import folds, split
from .warming import warmup

__all__ = ["FORMATS", "MAX_CELLS", "MISSING", "FoldFiles", "Problem", "RankingData", "align"]
__all__ += ["as_features", "as_grades", "as_numbers", "describe", "describe_features", "find_folds"]
__all__ += ["folds", "format_of", "grade_counts", "group_rows", "has_role", "histogram_by_grade", "load"]
__all__ += ["load_folds", "query_sizes", "report", "save", "say_formats", "split", "stem_of", "warmup"]
