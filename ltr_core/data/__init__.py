"""Data: reading, checking, splitting and writing sets of queries.

`formats` lists what files may be; `set` holds a set of queries, `reading` and `writing` have a file for each
format.
"""

from .. import compiling  # noqa: F401 - it says so when kernels are compiled
from .fold_files import FoldFiles, align, find_folds, has_role, load_folds
from .formats import FORMATS, format_of, say_formats, stem_of
from .keeping.kept import Kept
from .kept_sets import is_kept, open_kept
from .known_features import recognise_features
from .loading import Problem, load, report
from .reading.options import MAX_CELLS, MISSING
from .reading.sources import has_checksum
from .saving import save
from .set.checking import as_features, as_grades, as_numbers, column_names
from .set.describe import describe
from .set.feature_table import describe_features, grade_counts, histogram_by_grade, query_sizes
from .set.grouping import group_rows
from .set.memory import free_bytes, own_bytes, total_bytes
from .set.ordering import OrderedData, by_content, places_in
from .set.ranking_data import RankingData
from .set.splitting import folds, split
from .side_files import Beside, is_side_file, read_beside, side_files
from .warming import warmup

__all__ = ["FORMATS", "MAX_CELLS", "MISSING", "Beside", "FoldFiles", "Problem", "RankingData"]
__all__ += ["align", "as_features", "as_grades", "as_numbers", "by_content", "column_names"]
__all__ += ["describe", "describe_features", "own_bytes", "places_in", "total_bytes"]
__all__ += [
    "find_folds",
    "folds",
    "format_of",
    "free_bytes",
    "grade_counts",
    "group_rows",
    "has_checksum",
    "has_role",
]
__all__ += ["histogram_by_grade", "is_side_file", "load", "load_folds", "query_sizes", "read_beside"]
__all__ += ["Kept", "OrderedData", "is_kept", "open_kept"]
__all__ += ["recognise_features", "report", "save", "say_formats", "side_files", "split", "stem_of"]
__all__ += ["warmup"]
