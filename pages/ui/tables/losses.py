"""Losses, gains and discounts as tables of numbers, all of them from `ltr_core`."""

from __future__ import annotations

import numpy as np
import pandas as pd

import ltr_core as ltr
from ltr_core import DISTANCES, LOSSES
from ltr_core.measures.parts import curves

from ..runs.screens import Screen
from .distances import FORMULAS, DistanceParams, table_grades

MARGINS = np.round(np.linspace(-4.0, 4.0, 401), 10)
N_RANKS = 20
WORTH_RANKS = 10
_P_STARS = {0.0: "0", 0.5: "½", 1.0: "1"}


def loss_curves(kind: str, params: DistanceParams, gap: float, with_table: bool) -> pd.DataFrame:
    """Return losses against the margin: name, loss, p_star, distance, margin, value, slope, curvature.

    `kind` is "all" losses, "ddf" for the exponential one with each distance of two grades `gap` apart, or
    "frank" for the two of FRank's Figure 1 with the wanted probabilities 0, ½ and 1.
    """
    if kind == "frank":
        lines = [
            (f"{LOSSES[loss].label}, P* = {word}", loss, p, 1.0)
            for loss in ("fidelity", "cross_entropy")
            for p, word in _P_STARS.items()
        ]
    elif kind == "ddf":
        names = (*FORMULAS, "table") if with_table else FORMULAS
        at_gap = {name: float(ltr.distance(name, gap, **params.of(name))) for name in names}
        lines = [(f"{DISTANCES[n].label}, d = {d:.4g}", "exponential", 1.0, d) for n, d in at_gap.items()]
    else:
        lines = [(loss.label, name, 1.0, 1.0) for name, loss in LOSSES.items()]
    parts = [
        pd.DataFrame(
            {
                "name": label,
                "loss": name,
                "p_star": p,
                "distance": d,
                "margin": MARGINS,
                "value": LOSSES[name](MARGINS, p, d),
                "slope": LOSSES[name].slope(MARGINS, p, d),
                "curvature": LOSSES[name].curvature(MARGINS, p, d),
            }
        )
        for label, name, p, d in lines
    ]
    return pd.concat(parts, ignore_index=True)


def gain_curves(screen: Screen) -> pd.DataFrame:
    """Return what grades are worth: name, label, x (the grade), value."""
    grades = table_grades(screen)
    top = max(4.0, float(grades[-1]))
    x = np.arange(top + 1) if (grades == np.floor(grades)).all() else np.linspace(0.0, top, 9)
    labels = {"exp2": "2ʳ − 1", "grade": "r"}
    return _stacked({name: (label, x, curves.gains(x, name)) for name, label in labels.items()})


def discount_curves() -> pd.DataFrame:
    """Return what ranks count: name, label, x (the rank), value."""
    labels, x = {"standard": "1/log₂(1+j)", "letor": "LETOR"}, np.arange(1, N_RANKS + 1)
    return _stacked({name: (label, x, curves.discounts(N_RANKS, name)) for name, label in labels.items()})


def _stacked(lines: dict[str, tuple[str, np.ndarray, np.ndarray]]) -> pd.DataFrame:
    rows = ({"name": name, "label": line[0], "x": line[1], "value": line[2]} for name, line in lines.items())
    return pd.concat(map(pd.DataFrame, rows), ignore_index=True)


def in_use(screen: Screen) -> tuple[str, str]:
    """Return the gain and the discount of the measure chosen; empty where it has none by that name."""
    options = screen.measure.options
    gain, discount = (options.get(name, "") for name in ("gain", "discount"))
    return gain if isinstance(gain, str) else "", discount


def worths(screen: Screen) -> pd.DataFrame:
    """Return what a document of each grade (row) adds at each rank (column), as the measure chosen counts."""
    gain, discount = in_use(screen)
    grades = table_grades(screen)[::-1]
    cells = curves.worths(grades, WORTH_RANKS, gain or "exp2", discount or "standard")
    ranks = [str(rank) for rank in range(1, WORTH_RANKS + 1)]
    return pd.DataFrame(cells, index=[f"{g:g}" for g in grades], columns=ranks)
