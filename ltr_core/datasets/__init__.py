"""Generated data sets, by name. A new one is one file and one line here."""

from __future__ import annotations

from typing import Any

from ..data import RankingData
from ..errors import ParameterError
from .cubic import CUBIC
from .engine import ENGINE
from .found import DATA_FOLDER, Found, found
from .mq2008_list_like import MQ2008_LIST_LIKE
from .ohsumed_like import OHSUMED_LIKE
from .parts.base import DataSet
from .tiny import TINY
from .tiny_web import TINY_WEB
from .web1_like import WEB1_LIKE
from .web2_like import WEB2_LIKE

DATASETS: dict[str, DataSet] = {
    entry.name: entry
    for entry in (TINY, TINY_WEB, CUBIC, OHSUMED_LIKE, WEB1_LIKE, WEB2_LIKE, MQ2008_LIST_LIKE, ENGINE)
}


def make(name: str, seed: int = 0, **size: Any) -> RankingData:
    """Generate a data set.

    Parameters
    ----------
    name : str
        A key of `DATASETS`.
    seed : int
        The same seed and sizes give the same data, to the last bit.
    **size
        The set's own parameters (``DATASETS[name].params``): sizes and noise.
    """
    if name not in DATASETS:
        raise ParameterError(f"There is no data set {name!r}. Take one of {', '.join(DATASETS)}.")
    return DATASETS[name].make(seed, **size)


__all__ = ["DATASETS", "DATA_FOLDER", "DataSet", "Found", "found", "make"]
