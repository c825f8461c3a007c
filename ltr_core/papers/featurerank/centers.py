"""FeatureRank's Figure 1: four types of class center, and how often the hidden order is there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...engines.hidden_order import CENTERS, measured_centers
from ...evaluation.verdicts import judge
from ...measures.parts.ranking import rank_queries
from ...params import Param
from ..exhibit import Chart, Result
from ..progress import Progress
from ..training import SEED, queries_param
from .settings import DATA, HERE, INSPECT, NOISE, SET, WIDTH, exhibit

_K = Param("n_intervals", "int", 8, 2, 64, 1, help="K, the classes of a feature.")
_FEATURE = Param("feature", "int", 40, 1, WIDTH, 1, help="Which feature is drawn; all are counted.")


def _centers(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 1: the four centers of every class of one feature; and how often the hidden order is there."""
    data = datasets.make(SET, values["seed"], n_queries=values["n_queries"], noise=values["noise"])
    by_grade, _ = rank_queries(data.y, data.offsets, "average")
    n, shares, rows = values["n_intervals"], [], []
    progress.expect(data.n_features)
    for feature in range(data.n_features):
        found = {c: measured_centers(data, by_grade, feature, n, c) for c in CENTERS}
        normal = found["normal"]
        steps = np.sign(np.append(np.diff(normal), normal[-1] - normal[-2]))
        inside = np.sign(found["prior"] - found["posterior"])
        kept = (steps != 0) & (inside != 0)
        if kept.any():
            shares.append(float((steps == inside)[kept].mean()))
        if feature + 1 == values["feature"]:
            rows = [
                {"series": name, "x": level + 1, "value": float(value)}
                for name, own in found.items()
                for level, value in enumerate(own)
                if not math.isnan(value)
            ]
        progress.advance()
    claim = "Inside a class values follow the direction of the next class’s center more often than not."
    name = data.feature_names[values["feature"] - 1]
    chart = Chart(
        "lines",
        pd.DataFrame(rows),
        f"Class centers of {name}, K = {n}",
        "class (K is best)",
        "value of center",
    )
    note = (
        f"The direction is right in {np.mean(shares):.0%} of all classes of all features. The test takes "
        "each feature as one: its classes are not independent of one another."
    )
    return Result((chart,), judge({claim: np.array(shares) - 0.5}, of="features"), note)


FIGURE_1 = exhibit(
    "Figure 1",
    "fig1",
    "Four types of class center",
    "Where a class’s center is below the next one’s, its own values rise in the same direction.",
    paper_data=DATA,
    our_data=HERE,
    params=(_K, _FEATURE, queries_param(40, 400), NOISE, SEED),
    compute=_centers,
    seconds=0.3,
    grows=("n_queries",),
    ways=(INSPECT,),
)
