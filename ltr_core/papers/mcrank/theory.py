"""McRank's Lemma 1, and Algorithm 1 in its two readings."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ...algorithms import McRank
from ...evaluation.verdicts import Verdict, certain, judge
from ...measures import measure
from ...params import Param
from ..exhibit import Chart, Result, System
from ..progress import Progress
from ..training import SEED, per_query, queries_param, seeds_param, train
from .settings import GROWS, HERE, SETS, TREES, cuts_of_sets, exhibit, inspect

_READINGS = {"All classes at once": "together", "As printed, in turn": "in turn"}


def _lemma(values: dict[str, Any], progress: Progress) -> Result:
    """Lemma 1: the DCG error and its bound by the classification error, by round."""
    training, _, test = cuts_of_sets(values)[0]
    progress.expect(values["n_trees"])
    model = McRank(n_trees=values["n_trees"])
    model.fit(training, measures=(), on_round=progress.on_round, in_full=())
    rows: list[dict[str, Any]] = []
    verdicts: list[Verdict] = []
    top = values["truncation"]
    for data, depth, panel in (
        (training, None, "training, whole lists"),
        (training, top, f"training, to rank {top}"),
        (test, top, f"test, to rank {top}"),
    ):
        sides = model.lemma_1(data, truncation=depth)
        rows += [
            {"panel": panel, "series": series, "x": int(t), "value": float(v)}
            for series, column in (("DCG error", "dcg_error"), ("bound", "dcg_bound"))
            for t, v in sides[["iteration", column]].itertuples(index=False)
        ]
        over = float((sides["dcg_error"] - sides["dcg_bound"]).max())
        ratio = (sides["dcg_bound"] / sides["dcg_error"]).dropna()
        found = f"the bound is {ratio.min():.1f} to {ratio.max():.1f} times the error"
        claim = f"The mean DCG error is at most Lemma 1’s bound in every round: {panel}."
        verdicts.append(certain(claim, over <= 1e-9, found))
    chart = Chart("lines", pd.DataFrame(rows), "DCG error and its bound", "round", "DCG", log_y=True)
    return Result((chart,), tuple(verdicts))


def _readings(values: dict[str, Any], progress: Progress) -> Result:
    """Algorithm 1 with the probabilities once a round, and before each class's tree."""
    cuts = [(training, test, test) for training, _, test in cuts_of_sets(values)]
    ndcg = measure("ndcg@10")
    systems = [
        System(name, "McRank", {"n_trees": values["n_trees"], "classes": classes})
        for name, classes in _READINGS.items()
    ]
    trained = train(systems, cuts, progress, ndcg, in_full=None)
    curves: dict[str, list[dict[str, Any]]] = {"training loss": [], "NDCG@10 on test": []}
    verdicts: list[Verdict] = []
    for name in _READINGS:
        history = trained[name, 0].history_
        for title, split, column in (
            ("training loss", "train", "loss"),
            ("NDCG@10 on test", "valid", ndcg.name),
        ):
            own = history[(history["split"] == split) & (history["measure"] == column)]
            curve = own[["iteration", "value"]].itertuples(index=False)
            curves[title] += [{"series": name, "x": int(t), "value": float(v)} for t, v in curve if t]
        loss = history[(history["split"] == "train") & (history["measure"] == "loss")]["value"]
        falls = bool((loss.diff().dropna() < 0).all())
        found = f"from {loss.iloc[0]:.4g} to {loss.iloc[-1]:.4g}"
        verdicts.append(certain(f"The training loss falls in every round: {name.lower()}.", falls, found))
    together, in_turn = (per_query(trained, name, cuts, ndcg, at=None) for name in _READINGS)
    told = judge({"As printed it ranks better than with all classes at once.": in_turn - together})
    charts = tuple(
        Chart("lines", pd.DataFrame(rows), f"The two readings: {title} by round", "round", title)
        for title, rows in curves.items()
    )
    note = (
        "Line 4 of the printed algorithm works out p for class k inside the loop over classes, from what the "
        "classes before it have just added; Friedman’s, which it cites, once a round."
    )
    return Result(charts, (*verdicts, *told), note)


_TRUNCATION = Param("truncation", "int", 10, 1, 1_000, 1, help="L: ranks beyond it count nothing.")
LEMMA_1 = exhibit(
    "Lemma 1",
    "lemma1",
    "The DCG error is bounded by the classification error",
    "Who classifies without error ranks without error.",
    paper_data="A lemma: any data.",
    our_data=HERE,
    params=(SETS, queries_param(500), TREES, _TRUNCATION, SEED),
    compute=_lemma,
    seconds=1.2,
    grows=GROWS,
)
ALGORITHM_1 = exhibit(
    "Algorithm 1",
    "algorithm1",
    "Boosting trees for classification",
    "A tree is fitted for each class and round, to what its probability is off by.",
    paper_data="An algorithm: any data.",
    our_data=HERE,
    params=(SETS, queries_param(500), seeds_param(2), TREES, SEED),
    compute=_readings,
    seconds=1.5,
    grows=(*GROWS, "seeds"),
    ways=(inspect("McRank", "tree"),),
)
