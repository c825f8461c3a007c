"""Figures drawn once: making one takes plotly 30 to 100 ms, and a rerun of Compare shows three."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ..runs.services import services

_POINT = 200.0  # bytes of a figure for each point, at a guess


def drawn(draw: Callable[..., go.Figure], *given: Any) -> go.Figure:
    """Return the figure that a chart function makes of tables, strokes and settings; not to be changed."""
    key = ("figure", draw.__name__, *map(_key, given))
    return services().memo.make(key, lambda: draw(*given), _weigh)


def _key(value: Any) -> Hashable:
    """Return what stands for an argument: a table is known by its contents."""
    if isinstance(value, pd.DataFrame):
        rows = pd.util.hash_pandas_object(value, index=False).to_numpy().tobytes()
        return (*value.columns, hashlib.blake2b(rows, digest_size=16).hexdigest())
    return tuple(value.items()) if isinstance(value, Mapping) else value


def _weigh(figure: go.Figure) -> float:
    return _POINT * sum(len(trace.x) for trace in figure.data)
