"""The general boosting method itself: Theorem 1, and the two algorithms as what they contain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...algorithms import GBT, FunctionalBoosting, QBRank
from ...evaluation.verdicts import Verdict, certain
from ...params import Param
from ..exhibit import Chart, Result
from ..progress import Progress
from ..training import SEED, queries_param
from .settings import COMMON, TREES, exhibit, inspect, part_of

_SHAPE = {"n_leaves": 20, "learning_rate": 0.05}  # the paper's
_WEIGHTS = (1.0, 0.5, 0.0)
_SAME = 1e-9  # of the largest score


def _risk(values: dict[str, Any], progress: Progress) -> Result:
    """Theorem 1: the risk with a line search, and with small fixed steps beside its bound."""
    training, n = part_of(values, "L2"), values["n_trees"]
    progress.expect(n * (len(_WEIGHTS) + 2))
    rows, verdicts = [], []
    for weight in _WEIGHTS:
        model = QBRank(n_trees=n, preference_weight=weight, line_search=True)
        model.fit(training, measures=(), on_round=progress.on_round)
        loss = model.history_[model.history_["measure"] == "loss"]["value"].to_numpy()
        name = f"w = {weight:g}"
        rows += [{"series": name, "x": t, "value": float(v)} for t, v in enumerate(loss)]
        claim = f"With a line search the risk falls in every round, {name}."
        falls = float(np.diff(loss).max()) <= 0
        verdicts.append(certain(claim, falls, f"from {loss[0]:.4g} to {loss[-1]:.4g}"))
    small, more = _small_steps(values, training, progress)
    return Result(
        (Chart("lines", pd.DataFrame(rows), "QBRank’s risk by round", "round", "risk"), small),
        (*verdicts, *more),
        "Small steps: squared error, every tree scaled to the size s²; the target is a training of as many "
        "trees with a line search and rate 0.3. The theorem wants trees that fit to s² / 2, which nothing "
        "enforces.",
    )


def _small_steps(
    values: dict[str, Any], training: Any, progress: Progress
) -> tuple[Chart, tuple[Verdict, ...]]:
    """Return both sides of Theorem 1 for steps of one size, and whether one is below the other."""
    n, leaves = values["n_trees"], _SHAPE["n_leaves"]
    target = FunctionalBoosting(n_trees=n, n_leaves=leaves, learning_rate=0.3)
    steps = FunctionalBoosting(n_trees=n, n_leaves=leaves, fixed_step=values["fixed_step"])
    for model in (target, steps):
        model.fit(training, measures=(), on_round=progress.on_round, in_full=())
        progress.advance(n - model.n_iter_)  # those it did not need
    sides = steps.theorem_1(training, target)
    names = {"risk": "risk", "bound": "the bound", "limit": "what it falls to"}
    rows = [
        {"series": series, "x": int(t), "value": float(v)}
        for column, series in names.items()
        for t, v in sides[["iteration", column]].dropna().itertuples(index=False)
    ]
    rows += [
        {"series": "the target’s risk", "x": x, "value": sides.attrs["target"]} for x in (0, len(sides) - 1)
    ]
    over, late = (sides["risk"] - sides["bound"]).max(), sides.dropna()
    told = f"at its closest {0.0 - over:.3g} below; ‖h̄‖ ≤ {sides.attrs['norm']:.3g}"
    verdicts = [certain("With small steps the risk is below the theorem’s bound.", over <= 1e-9, told)]
    if len(late):
        since = f"from round {late['iteration'].iloc[0]} on"
        last = f"{late['risk'].iloc[-1]:.4g} ≤ {late['limit'].iloc[-1]:.4g}, {since}"
        below = bool((late["risk"] <= late["limit"] + 1e-9).all())
        verdicts.append(certain("It comes as near to the target’s as the theorem says.", below, last))
    title = f"Squared error with steps of s² = {values['fixed_step'] ** 2:.3g}"
    return Chart("lines", pd.DataFrame(rows), title, "round", "risk"), tuple(verdicts)


def _general(values: dict[str, Any], progress: Progress) -> Result:
    """Algorithm 1 on squared error is GBT."""
    model = FunctionalBoosting(
        risk="squared", line_search=False, start="mean", n_trees=values["n_trees"], **_SHAPE
    )
    return _same_as_gbt(model, "The general method on squared error is GBT on grades.", values, progress)


def _labels_alone(values: dict[str, Any], progress: Progress) -> Result:
    """Algorithm 2 with w = 0 is GBT."""
    model = QBRank(
        preference_weight=0.0, line_search=False, start="mean", n_trees=values["n_trees"], **_SHAPE
    )
    return _same_as_gbt(model, "QBRank with w = 0 is GBT on grades.", values, progress)


def _same_as_gbt(model: Any, claim: str, values: dict[str, Any], progress: Progress) -> Result:
    """Compare a model's scores with GBT's after every round, on data that neither has seen."""
    training, test = part_of(values, "L2"), part_of(values, "L3")
    progress.expect(2 * values["n_trees"])
    gbt = GBT(target="grade", n_trees=values["n_trees"], **_SHAPE)
    stages = []
    for one in (model, gbt):
        one.fit(training, measures=(), on_round=progress.on_round, in_full=())
        stages.append(np.array(list(one.staged_predict(test))))
    gaps, size = np.abs(stages[0] - stages[1]).max(axis=1), float(np.abs(stages[1]).max())
    rows = [
        {"series": name, "x": t, "value": float(own[0])}
        for name, scores in ((f"{model.label}", stages[0]), ("GBT", stages[1]))
        for t, own in enumerate(scores)
    ]
    found = f"after every round {test.n_docs:,} scores of L3 differ by at most {gaps.max():.2g} of {size:.3g}"
    chart = Chart(
        "lines", pd.DataFrame(rows), "The score of L3’s first document", "round", "score", baseline="GBT"
    )
    return Result((chart,), (certain(claim, bool(gaps.max() <= _SAME * size), found),))


_QUERIES = queries_param(470)
_HERE = "engine, parts L2 and L3 of 470 queries."
_STEP = Param(
    "fixed_step",
    "float",
    0.4,
    0.05,
    2.0,
    0.05,
    help="Theorem 1’s s: every tree of the small steps has the size s².",
)
_IDENTITY: dict[str, Any] = {
    "paper_data": "An algorithm: any data.",
    "our_data": _HERE,
    "params": (_QUERIES, TREES, SEED),
    "grows": COMMON["grows"],
    "seconds": 1.2,
}
ALGORITHM_1 = exhibit(
    "Algorithm 1",
    "algorithm1",
    "The general boosting method",
    "Each round fits a tree to −gradient / W with weights W, W a bound of the Hessian.",
    compute=_general,
    ways=(inspect("General boosting", "FunctionalBoosting"),),
    **_IDENTITY,
)
ALGORITHM_2 = exhibit(
    "Algorithm 2",
    "algorithm2",
    "QBRank",
    "QBRank is the method on squared preferences and squared errors of grades, mixed by w.",
    compute=_labels_alone,
    ways=(inspect("QBRank", "QBRank"),),
    **_IDENTITY,
)
THEOREM_1 = exhibit(
    "Theorem 1 (appendix)",
    "theorem1",
    "The risk falls towards the best",
    "With a line search every round lowers the risk; small steps come as near to the best as wished.",
    compute=_risk,
    seconds=1.2,
    **{
        **COMMON,
        "paper_data": "A theorem: any data.",
        "our_data": _HERE,
        "params": (_QUERIES, TREES, _STEP, SEED),
    },
)
