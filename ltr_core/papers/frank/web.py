"""FRank's figures and tables on the web data: 4 to 6, Tables 3 and 4, the t-test."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...evaluation.verdicts import certain, judge
from ...measures import measure
from ...params import Param
from ..comparing import compare, validation_curves
from ..exhibit import Chart, Result
from ..progress import Progress
from ..training import (
    SEED,
    Cut,
    Trained,
    by_round,
    per_query,
    queries_param,
    rounds_param,
    seeds_param,
    train,
)
from .settings import (
    BOOST,
    EPOCHS,
    FRANK,
    NOTE,
    ONE,
    PRINTED,
    SEVERAL,
    TRAINED,
    TWO,
    cuts_of_web,
    exhibit,
    systems,
)

_LAST = 5  # epochs, that a fall ends in


def _order(depths: tuple[int, ...] = (10,)) -> dict[str, tuple[str, str, int]]:
    return {
        f"FRank ranks better than {other} in NDCG@{k}.": (FRANK, other, k)
        for other in ((TWO, BOOST, ONE) if len(depths) == 1 else (TWO,))
        for k in depths
    }


def _web(depths: tuple[int, ...], values: dict[str, Any], progress: Progress) -> Result:
    return compare(systems(values), cuts_of_web(values), progress, _order(depths), BOOST, NOTE)


def _training(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 4: FRank's training loss and training NDCG@10 by round."""
    cuts, learners = cuts_of_web(values), systems(values)[:1]
    trained = train(learners, cuts, progress, "ndcg@10", in_full=None)
    history = trained[FRANK, 0].history_
    own = history[history["split"] == "train"].pivot(index="iteration", columns="measure", values="value")
    own = own[own.index >= 5]
    rows = [
        {"series": series, "x": int(t), "value": float(v)}
        for series, name in (("fidelity loss", "loss"), ("NDCG@10", "ndcg@10"))
        for t, v in own[name].items()
    ]
    ranks = own[["loss", "ndcg@10"]].rank()
    rho = float(np.corrcoef(-ranks["loss"], ranks["ndcg@10"])[0, 1])
    falls = bool((np.diff(own["loss"]) <= 1e-12).all())
    chart = Chart("lines", pd.DataFrame(rows), "On the training data, from round 5", "round", "loss, NDCG")
    return Result(
        (chart,),
        (
            certain("The training loss falls in every round.", falls, f"to {own['loss'].iloc[-1]:.4f}"),
            certain(
                "NDCG@10 rises as the loss falls.", rho > 0.9, f"Spearman’s ρ of −loss and NDCG {rho:.3f}"
            ),
        ),
    )


def _validation(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 5 and Table 3: validation NDCG@10 by round, the best round of each, and who falls after it."""
    cuts, learners, ndcg = cuts_of_web(values), systems(values), measure("ndcg@10")
    trained = train(learners, cuts, progress, ndcg)
    curves = validation_curves(trained, learners)
    printed = dict(zip((FRANK, TWO, BOOST, ONE), PRINTED["Table 3"].rows, strict=True))
    table = []
    for system in learners:
        own = curves[curves["series"] == system.name]
        best = own.loc[own["value"].idxmax()]
        _, paper_round, paper_value = printed[system.name]
        table.append(
            {
                "system": system.name,
                "paper round": paper_round,
                "paper NDCG@10": paper_value,
                "round": int(best["x"]),
                "NDCG@10": float(best["value"]),
            }
        )
    on_valid = [(training, valid, valid) for training, valid, _ in cuts]
    at_best = {s.name: per_query(trained, s.name, on_valid, ndcg) for s in learners}
    claims = {
        f"FRank’s best is above that of {o} on validation.": at_best[FRANK] - at_best[o]
        for o in (TWO, BOOST, ONE)
    }
    claims["RankNet of two layers falls on test after its best epochs on validation."] = _fall(trained, cuts)
    chart = Chart("lines", curves, "Validation NDCG@10 by round or epoch", "round or epoch", "NDCG@10")
    return Result(
        (chart, Chart("table", pd.DataFrame(table), "The best round of each")),
        judge(claims),
        f"{len(at_best[FRANK])} validation queries; curves and rounds of the first seed. The fall: three "
        f"epochs around the best minus the last {_LAST}, on test, whose queries had no part in the choice. "
        "The more the judges err, the more there is to overfit.",
    )


def _fall(trained: Trained, cuts: Sequence[Cut]) -> np.ndarray:
    """Return by how much the network falls after its best epochs, for every test query."""
    falls = []
    for number, cut in enumerate(cuts):
        own = {(TWO, 0): trained[TWO, number]}
        (on_valid, _, _), (on_test, _, _) = (
            by_round(own, TWO, [(cut[0], cut[1], part)], measure("ndcg@10"), range(1, EPOCHS + 1))
            for part in cut[1:]
        )
        smooth = np.convolve(on_valid.mean(axis=1), np.full(3, 1 / 3), "valid")  # of epochs 2 … n - 1
        best = int(smooth.argmax())
        falls.append(on_test[best : best + 3].mean(axis=0) - on_test[-_LAST:].mean(axis=0))
    return np.concatenate(falls)


_FOUR = "FRank is best at every depth, then RankNet of two layers, RankBoost, RankNet linear."
_BY_ROUND: dict[str, Any] = {
    **SEVERAL,
    "params": (
        queries_param(600),
        seeds_param(2),
        rounds_param(60, 500),
        Param("noise", "float", 0.6, 0.0, 3.0, 0.1, help="How much the judges err."),
        SEED,
    ),
    "compute": _validation,
    "seconds": 1.5,
}
_COMPARED: dict[str, Any] = {
    **SEVERAL,
    "our_data": "engine, part L2: 1,000 queries × 32 documents, 60 features.",
    "params": (queries_param(1_000), seeds_param(4), rounds_param(60, 500), SEED),
}
FIGURE_4 = exhibit(
    "Figure 4",
    "fig4",
    "Loss and NDCG@10 on the training data",
    "The loss falls, and NDCG@10 rises.",
    compute=_training,
    seconds=1.2,
    **TRAINED,
)
FIGURE_5 = exhibit(
    "Figure 5",
    "fig5",
    "Validation NDCG@10 by round",
    "RankBoost stays below FRank; RankNet of two layers drops after ten epochs.",
    **_BY_ROUND,
)
TABLE_3 = exhibit(
    "Table 3",
    "table3",
    "The round of each, by validation",
    "FRank’s best is the highest.",
    **_BY_ROUND,
)
TABLE_4 = exhibit(
    "Table 4", "table4", "NDCG on test", _FOUR, compute=partial(_web, (10,)), seconds=4.0, **_COMPARED
)
FIGURE_6 = exhibit(
    "Figure 6",
    "fig6",
    "NDCG@1 … @10 of the learned systems",
    _FOUR,
    compute=partial(_web, (10,)),
    seconds=4.0,
    **_COMPARED,
)
T_TEST = exhibit(
    "t-test (section 4.4.3)",
    "ttest",
    "FRank against RankNet of two layers",
    "The difference is significant at 98 % in NDCG@1, @5 and @10.",
    compute=partial(_web, (1, 5, 10)),
    seconds=4.0,
    **_COMPARED,
)
