"""ltr_core: learning to rank, exact and fast. Usable without the dashboard."""

from typing import Any

from . import datasets
from .algorithms import ALGORITHMS, load_model
from .data import RankingData, folds, load, load_folds, save, split
from .distances import DISTANCES, LOSSES, check_distance, distance
from .errors import DataError, ParameterError
from .evaluation import compare, evaluate
from .measures import FUNCTIONS, MEASURES, measure
from .papers import PAPERS
from .params import Param
from .stopping import StopFlag, Stopped
from .sweeps import Sweep, estimate_sweep, load_sweep, sweep
from .warmup import warmup

__version__ = "0.1.0"

__all__ = ["ALGORITHMS", "DISTANCES", "LOSSES", "MEASURES", "PAPERS", "DataError", "Param", "ParameterError"]
__all__ += [
    "RankingData",
    "StopFlag",
    "Stopped",
    "Sweep",
    "check_distance",
    "compare",
    "datasets",
    "distance",
]
__all__ += ["estimate_sweep", "evaluate", "folds", "load", "load_folds", "load_model", "load_sweep"]
__all__ += ["measure", "save", "split", "sweep", "warmup"]
__all__ += [*ALGORITHMS, *FUNCTIONS]


def __getattr__(name: str) -> Any:
    # An algorithm or a measure of the registries is there without a line in this file.
    for registry in (ALGORITHMS, FUNCTIONS):
        if name in registry:
            return registry[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *ALGORITHMS, *FUNCTIONS})
