"""MPBoost's Figures 1 and 2, its requirements (3) and (4), and its condition (9)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...distances import DISTANCES, check_distance, distance
from ...evaluation.verdicts import certain
from ..exhibit import Chart, Result, Way
from ..progress import Progress
from ..training import SEED
from .settings import ALPHA, BETA, DDF, LAM, NO_DATA, SETS, exhibit, given, small

_SHAPES = Way("shapes", "Open Shapes", {"shape_part": "distances"})


def _diagram(values: dict[str, Any], progress: Progress) -> Result:
    """The directed distance from every grade to every other."""
    ddf, grades = values["ddf"], np.arange(5.0)
    table = distance(ddf, (grades[:, None], grades[None, :]), **given(ddf, values))
    frame = pd.DataFrame({"over": [f"grade {g:g}" for g in grades]})
    for g, column in zip(grades, table.T, strict=True):
        frame[f"grade {g:g}"] = column
    upper = table[np.tril_indices(5, -1)]
    larger = all(
        abs(table[a, b]) > abs(table[c, d])
        for a in range(5)
        for b in range(a)
        for c in range(5)
        for d in range(c)
        if a - b > c - d
    )
    smallest = f"the smallest distance to a lower grade is {upper.min():.4g}"
    label = DISTANCES[ddf].label
    return Result(
        (Chart("table", frame, f"{label}: distance of the row's grade over the column's"),),
        (
            certain(_CLAIMS["sign"], bool((upper > 0).all() and np.allclose(table, -table.T)), smallest),
            certain(_CLAIMS["larger"], larger, f"checked on all pairs of the grades 0 … 4 with {label}"),
        ),
    )


_CLAIMS = {
    "sign": "The sign of the distance follows the grades (3).",
    "larger": "A larger gap between grades is a strictly larger distance (4).",
}


def _curves(values: dict[str, Any], progress: Progress) -> Result:
    """LDD, LOGDD and LOGITDD by the gap between grades."""
    gaps, rows, verdicts = np.round(np.linspace(0.0, 4.0, 81), 2), [], []
    data = small(values)
    for ddf in ("ldd", "logdd", "logitdd"):
        own = given(ddf, values)
        report, label = check_distance(ddf, data, **own), DISTANCES[ddf].label
        rows += [
            {"series": label, "x": float(t), "value": float(v)}
            for t, v in zip(gaps, distance(ddf, gaps, **own), strict=True)
            if t > 0 or ddf != "logitdd"  # at no gap there is no pair, and LOGITDD jumps from 0 to ½
        ]
        requirements = report.sign_holds and report.larger_gap_larger_distance
        found = " ".join(report.violations) or "no pair of grades breaks them"
        verdicts.append(certain(f"{label} meets the requirements (3) and (4).", requirements, found))
        span = f"mean {report.mean:.3g}, from {report.low:.3g} to {report.high:.3g}"
        verdicts.append(
            certain(f"{label} meets condition (9), a mean |dist| of about 1.", report.about_one, span)
        )
    chart = Chart(
        "lines", pd.DataFrame(rows), "Distance by the gap between two grades", "grade difference", "dist"
    )
    return Result((chart,), tuple(verdicts), f"Condition (9) is looked at on the pairs of {values['data']}.")


def _requirements(values: dict[str, Any], progress: Progress) -> Result:
    """Every distance against (3), (4) and (9) on the pairs of a set, calibrated where it has a parameter."""
    data, rows, verdicts = small(values), [], []
    for ddf in ("binary", "ldd", "logdd", "logitdd"):
        report, label = check_distance(ddf, data), DISTANCES[ddf].label
        rows.append(
            {
                "distance": label,
                "parameter": np.nan if report.value is None else report.value,
                "(3) sign": _yes(report.sign_holds),
                "(4) larger gap": _yes(report.larger_gap_larger_distance),
                "(9) about 1": _yes(report.about_one),
                "mean |dist|": report.mean,
                "least": report.low,
                "most": report.high,
            }
        )
        holds = report.sign_holds and report.larger_gap_larger_distance and report.about_one
        found = " ".join(report.violations) or f"mean |dist| {report.mean:.3g}"
        verdicts.append(certain(f"{label}, calibrated, meets (3), (4) and (9).", holds, found))
    note = "Calibrated: the parameter that MPBoost settles on the training pairs where none is given."
    return Result(
        (Chart("table", pd.DataFrame(rows), f"On the pairs of {values['data']}"),), tuple(verdicts), note
    )


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


FIGURE_1 = exhibit(
    "Figure 1",
    "fig1",
    "Directed distances between three grades",
    "The farther apart two grades are, the larger the distance; against the grades it is negative.",
    paper_data=NO_DATA,
    our_data="The grades 0 to 4.",
    params=(DDF, ALPHA, LAM, BETA),
    compute=_diagram,
    seconds=0.01,
    ways=(_SHAPES,),
)
FIGURE_2 = exhibit(
    "Figure 2",
    "fig2",
    "LDD, LOGDD and LOGITDD by grade difference",
    "LOGDD is smoother than LDD; LOGITDD stays in [½, 1).",
    paper_data=NO_DATA,
    our_data="Its parameters: α 0.2, λ 3, β 0.5.",
    params=(ALPHA, LAM, BETA, SETS, SEED),
    compute=_curves,
    seconds=0.1,
    ways=(_SHAPES,),
)
REQUIREMENTS = exhibit(
    "Requirements (3),(4), condition (9)",
    "requirements",
    "What a distance must be like",
    "The sign follows the grades, a larger gap is strictly larger, and |dist| is about 1.",
    paper_data=NO_DATA,
    our_data="The pairs of a generated set.",
    params=(SETS, SEED),
    compute=_requirements,
    seconds=0.1,
    ways=(_SHAPES,),
)
