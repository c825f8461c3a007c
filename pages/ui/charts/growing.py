"""Curves that grow while a model trains: drawn anew at every look, so they have to be cheap.

Streamlit's `line_chart` builds its description with altair, which checks it at length: 0.07 s of the
interpreter for each look of each session. Written down as here it is 0.003 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

_X, _Y, _NAME = "round", "value", "run"


def describe_growing(
    frame: pd.DataFrame, colours: Sequence[str], y_title: str
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return the points and the Vega-Lite description of curves: a column for each, rounds as the index."""
    points = (
        frame.rename_axis(_X).reset_index().melt(_X, var_name=_NAME, value_name=_Y).dropna(ignore_index=True)
    )
    return points, {
        "mark": {"type": "line", "interpolate": "linear"},
        "encoding": {
            "x": {
                "field": _X,
                "type": "quantitative",
                "title": _X,
                "axis": {"grid": False, "tickMinStep": 1},
            },
            "y": {"field": _Y, "type": "quantitative", "title": y_title, "scale": {"zero": False}},
            "color": {
                "field": _NAME,
                "type": "nominal",
                "title": None,
                "scale": {"domain": [str(name) for name in frame.columns], "range": list(colours)},
                "legend": {"orient": "bottom", "symbolType": "stroke"},
            },
        },
    }
