"""Figures drawn once: making one takes plotly 30 to 100 ms, and a rerun of Compare shows three.

They are written out once, too: plotly copies and converts all of a figure whenever it is put on a page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..runs.services import services

_POINT = 200.0  # bytes of a figure for each point, at a guess


def drawn(draw: Callable[..., go.Figure], *given: Any, **named: Any) -> go.Figure:
    """Return the figure that a chart function makes of tables, strokes and settings; not to be changed."""
    key = ("figure", draw.__name__, *_keys(given), _key(named))
    return services().memo.make(key, lambda: written(draw(*given, **named)), _weigh)


def written(figure: go.Figure) -> go.Figure:
    """Return a figure that is not to be changed any more, with what it comes to as plain data."""
    whole = figure.to_dict()
    figure.to_dict = lambda: whole
    return figure


def _key(value: Any) -> Hashable:
    """Return what stands for an argument: tables and arrays are known by their contents."""
    if isinstance(value, pd.DataFrame):
        rows = pd.util.hash_pandas_object(value, index=True).to_numpy().tobytes()
        return (*value.columns, hashlib.blake2b(rows, digest_size=16).hexdigest())
    if isinstance(value, np.ndarray):
        digest = hashlib.blake2b(np.ascontiguousarray(value).tobytes(), digest_size=16).hexdigest()
        return (value.shape, value.dtype.str, digest)
    if isinstance(value, Mapping):
        return (*value, *_keys(value.values()))
    return _keys(value) if isinstance(value, list | tuple) else value


def _keys(values: Iterable[Any]) -> tuple[Hashable, ...]:
    """Return what stands for each; most are texts and numbers, which do for themselves."""
    return tuple([value if isinstance(value, str | int | float) else _key(value) for value in values])


def _weigh(figure: go.Figure) -> float:
    return _POINT * sum(len(x) for trace in figure.data if (x := getattr(trace, "x", None)) is not None)
