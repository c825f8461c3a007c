"""ltr_core: learning to rank, exact and fast. Usable without the dashboard."""

from . import datasets
from .data import RankingData
from .errors import DataError, ParameterError
from .params import Param

__all__ = ["DataError", "Param", "ParameterError", "RankingData", "datasets"]
