"""RankBoost: Freund, Iyer, Schapire, Singer. A boosting algorithm for combining preferences. JMLR 4, 2003.

The sixth paper: one module and one line, to show that it takes no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .. import datasets
from ..algorithms import RankBoost
from ..evaluation.verdicts import certain
from ..params import Param
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress
from .published import Published
from .training import SEED, queries_param, rounds_param

_VARIANTS = {"r": "by r (their third method)", "z": "by Z (their second)"}
_BOUND = "The ranking loss on the training pairs is at most Π Zₜ, in every round, stumps chosen {}."
_STEP = "With α = ½ ln((1 + r) / (1 − r)) every Zₜ is at most √(1 − rₜ²)."
_SETS = Param(
    "data", "choice", "cubic", choices=("cubic", "tiny-web", "web2-like"), help="The generated set."
)
_SIZES: dict[str, dict[str, int]] = {
    "cubic": {"n_docs": 20, "n_features": 20},
    "tiny-web": {},
    "web2-like": {"n_docs": 40, "n_features": 60},
}


def _bound(values: dict[str, Any], progress: Progress) -> Result:
    """Ranking loss and Π Z by round, and every Z against √(1 − r²)."""
    data = datasets.make(values["data"], values["seed"], **_size(values))
    progress.expect(values["n_rounds"] * len(_VARIANTS))
    rows, verdicts, steps = [], [], []
    for variant, how in _VARIANTS.items():
        model = RankBoost(variant=variant, n_rounds=values["n_rounds"])
        model.fit(data, measures=(), on_round=progress.on_round)
        history = model.history_.pivot(index="iteration", columns="measure", values="value")
        for series, column in (("ranking loss", "misorder"), ("Π Zₜ", "bound")):
            rows += [
                {"panel": f"Stumps chosen {how}", "series": series, "x": int(t), "value": float(v)}
                for t, v in history[column].items()
            ]
        over = float((history["misorder"] - history["bound"]).max())
        last = f"{history['misorder'].iloc[-1]:.4f} ≤ {history['bound'].iloc[-1]:.4g}"
        verdicts.append(certain(_BOUND.format(how), over <= 1e-9, f"after {model.n_iter_} rounds {last}"))
        if variant == "r":
            limits = np.sqrt(1.0 - model.rounds_["n"].to_numpy() ** 2)
            z = model.rounds_["z"].to_numpy()
            steps = [
                {"series": "a round", "x": float(x), "value": float(y)}
                for x, y in zip(limits, z, strict=True)
            ]
            gap = float((z - limits).max())
            verdicts.append(certain(_STEP, gap <= 1e-9, f"at its closest {-gap:.2g} below"))
    return Result(
        (
            Chart("lines", pd.DataFrame(rows), "Ranking loss and its bound", "round", "share of pairs"),
            Chart("points", pd.DataFrame(steps), "Zₜ against its limit", "√(1 − rₜ²)", "Zₜ"),
        ),
        tuple(verdicts),
    )


def _size(values: dict[str, Any]) -> dict[str, int]:
    return {"n_queries": values["n_queries"], **_SIZES[values["data"]]}


def _setting(values: dict[str, Any]) -> Setting:
    systems = tuple(System(v, "RankBoost", {"variant": v, "n_rounds": values["n_rounds"]}) for v in _VARIANTS)
    return Setting(values["data"], _size(values), systems, values["seed"])


PAPER = Paper.of(
    "rankboost",
    "RankBoost",
    "An efficient boosting algorithm for combining preferences",
    "JMLR 4, 2003",
    "Weak rankings joined so that few pairs of documents stand in the wrong order.",
    Exhibit(
        "theorem1",
        "Theorem 1",
        "The ranking loss is bounded by the product of Zₜ",
        "Whatever the weak rankings are, the share of wrongly ordered pairs is at most Π Zₜ.",
        Published("theorem", "rloss_D(H) ≤ Π Zₜ", "Choosing α and h to make Zₜ small makes the loss small."),
        "A theorem: any data.",
        "A generated set, 100 queries.",
        (_SETS, queries_param(100, 1_000), rounds_param(100, 500), SEED),
        _bound,
        1.2,
        ("n_queries", "n_rounds"),
        setting=_setting,
        ways=(Way("step_through", "Step through it", {"step_algorithm": "RankBoost"}),),
    ),
)
