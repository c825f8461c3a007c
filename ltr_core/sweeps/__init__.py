"""Sweeps: one algorithm at many points of its parameters, on this machine's cores or on a cluster's.

`describe` says what is asked, `estimate_sweep` what it would take, `sweep` does it, `load_sweep` reads what
one has left. The package is `sweeps` because `ltr_core.sweep` is the function.
"""

from .records.fit import FitStatus
from .records.importance import importances
from .records.result import Sweep, load_sweep
from .running.driver import Progress, SweepLost
from .running.estimating import Estimate, estimate_sweep
from .running.sweeping import sweep
from .running.workers import connect
from .search.pruning import PRUNERS
from .search.question import Question, describe
from .search.samplers import SAMPLERS
from .search.space import can_vary, params_of, spaced

__all__ = [
    "PRUNERS",
    "SAMPLERS",
    "Estimate",
    "FitStatus",
    "Progress",
    "Question",
    "Sweep",
    "SweepLost",
    "can_vary",
    "connect",
    "describe",
    "estimate_sweep",
    "importances",
    "load_sweep",
    "params_of",
    "spaced",
    "sweep",
]
