"""ltr_core: learning to rank, exact and fast. Usable without the dashboard.

A name's module is imported when the name is asked for: all of them take a second, and the command line's help
needs none.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from . import kernels  # noqa: F401 - no kernel loads without a place for it

if TYPE_CHECKING:
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
    from .warming import warmup

__version__ = "0.1.0"

_HOMES = {
    "algorithms": "ALGORITHMS load_model",
    "data": "RankingData folds load load_folds save split",
    "distances": "DISTANCES LOSSES check_distance distance",
    "errors": "DataError ParameterError",
    "evaluation": "compare evaluate",
    "measures": "FUNCTIONS MEASURES measure",
    "papers": "PAPERS",
    "params": "Param",
    "stopping": "StopFlag Stopped",
    "sweeps": "Sweep estimate_sweep load_sweep sweep",
    "warming": "warmup",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name in _HOME_OF:
        globals()[name] = found = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
        return found
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
        return import_module(f".{name}", __name__)
    if name.startswith("_") or name not in (registered := _registered()):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return registered[name]


def _registered() -> dict[str, Any]:
    """Return what is there without a line in this file: the algorithms and measures of the registries."""
    from .algorithms import ALGORITHMS
    from .measures import FUNCTIONS

    return {**ALGORITHMS, **FUNCTIONS}


def __dir__() -> list[str]:
    return sorted({*_HOME_OF, "datasets", *_registered()})
