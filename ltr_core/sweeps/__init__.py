"""Sweeps: one algorithm at many points of its parameters, on this machine's cores or on a cluster's.

The package is `sweeps` because `ltr_core.sweep` is the function.
"""

from .driver import Progress
from .estimating import Estimate, estimate_sweep
from .loading import load_sweep
from .result import Sweep
from .running import sweep
from .workers import connect

__all__ = ["Estimate", "Progress", "Sweep", "connect", "estimate_sweep", "load_sweep", "sweep"]
