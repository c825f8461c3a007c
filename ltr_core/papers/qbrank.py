"""QBRank (paper 002): Zheng, Zha, Zhang, Chapelle, Chen, Sun. A general boosting method … NIPS 2007.

Precision at K % is measured on all pairs of a set at once, and its pairs are not independent: the intervals
and verdicts of Table 1 come from drawing queries anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .. import datasets
from ..algorithms import QBRank
from ..data import RankingData, split
from ..evaluation.verdicts import certain, judge, judge_pooled
from ..measures import measure
from ..params import Param
from .comparing import counts_table
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress
from .published import published
from .training import SEED, counts_of, pairs_of, queries_param, train

_PRINTED = published("002 General boosting / QBRank (NIPS 2007)")
_PERCENTS = tuple(range(10, 101, 10))
_RESAMPLES = 200
_TREES = Param("n_trees", "int", 60, 5, 500, 10, help="Trees of each booster.")
_JUDGED = {"n_judged": 31, "n_unlabelled": 0, "n_features": 40}


def _part(values: Mapping[str, Any], part: str) -> RankingData:
    size = {**_JUDGED, "n_queries": values["n_queries"], "part": part}
    return datasets.make("engine", values["seed"], **size)


def _three(values: Mapping[str, Any]) -> tuple[System, ...]:
    trees = {"n_trees": values["n_trees"]}
    return (
        System("GBT", "GBT", {**trees, "target": "grade", "n_leaves": 20}),
        System("QBRank", "QBRank", {**trees, "preference_weight": 1.0}),
        System("RankSVM", "RankSVM"),
    )


class _Pairs:
    """Pairs by how far apart a model scores them, and which of them it has right."""

    def __init__(self, data: RankingData, scores: np.ndarray) -> None:
        better, worse = pairs_of(data)
        margin = scores[better] - scores[worse]
        order = np.argsort(-np.abs(margin), kind="stable")
        self.right = np.where(margin == 0, 0.5, margin > 0)[order]
        self.query = np.searchsorted(data.offsets, better[order], side="right") - 1

    def precision(self, counts: np.ndarray) -> np.ndarray:
        """Return precision at 10 … 100 % of the pairs, each query counted so many times."""
        weight = counts[self.query]
        right, total = np.cumsum(weight * self.right), np.cumsum(weight)
        at = np.searchsorted(total, np.array(_PERCENTS) / 100 * total[-1] - 1e-9)
        return right[at] / total[at]


def _precision(values: dict[str, Any], progress: Progress) -> Result:
    """Table 1: precision at K % on the pairs of L3, of three systems trained on L2."""
    test = _part(values, "L3")
    training, valid = split(_part(values, "L2"), (0.8, 0.2), values["seed"])
    systems = _three(values)
    trained = train(systems, [(training, valid, test)], progress)
    pairs = {s.name: _Pairs(test, trained[s.name, 0].predict(test)) for s in systems}
    one = np.ones(test.n_queries, dtype=np.int64)
    printed = _PRINTED["Table 1"]
    table = pd.DataFrame({"K %": _PERCENTS})
    for column, name in (("QBrank", "QBRank"), ("GBT", "GBT"), ("RankSVM", "RankSVM")):
        table[f"paper {name}"] = [printed.value(k, column) for k in _PERCENTS]
        table[name] = pairs[name].precision(one)
    rows = [
        {"series": name, "x": k, "value": float(v)}
        for name, own in pairs.items()
        for k, v in zip(_PERCENTS, own.precision(one), strict=True)
    ]
    claims = {
        f"{a} is more precise than {b}, on average over K.": (
            lambda counts, a=a, b=b: float((pairs[a].precision(counts) - pairs[b].precision(counts)).mean())
        )
        for a, b in (("QBRank", "GBT"), ("GBT", "RankSVM"), ("QBRank", "RankSVM"))
    }
    verdicts = judge_pooled(claims, test.n_queries, n_resamples=_RESAMPLES, seed=values["seed"])
    return Result(
        (
            Chart("lines", pd.DataFrame(rows), "Precision at K % on the pairs of L3", "K %", "precision"),
            Chart("table", table, "Precision at K %"),
        ),
        verdicts,
        f"{test.n_queries} queries of L3, drawn anew {_RESAMPLES} times: their pairs are not independent.",
    )


def _five(values: Mapping[str, Any]) -> dict[str, tuple[str, System]]:
    """Return the five systems with the parts that each is trained on."""
    trees = {"n_trees": values["n_trees"]}
    gbt = {**trees, "target": "grade", "n_leaves": 20}
    both = {**trees, "labelled": "single"}
    return {
        "GBT, L1": ("L1", System("GBT, L1", "GBT", gbt)),
        "GBT, L2": ("L2", System("GBT, L2", "GBT", gbt)),
        "GBT, L1 and L2": ("L1+L2", System("GBT, L1 and L2", "GBT", gbt)),
        "QBRank, P2": ("L2", System("QBRank, P2", "QBRank", {**trees, "preference_weight": 1.0})),
        "QBRank, P2 and L1": ("L1+L2", System("QBRank, P2 and L1", "QBRank", both)),
    }


def _dcg(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 1: DCG-5 on L3 by round, five curves and the level of RankSVM."""
    test, dcg = _part(values, "L3"), measure("dcg@5")
    parts = {name: _part(values, name) for name in ("L1", "L2", "L1+L2")}
    rows, last = [], {}
    five = {**_five(values), "RankSVM, P2": ("L2", System("RankSVM, P2", "RankSVM"))}
    for name, (part, system) in five.items():
        trained = train([system], [(parts[part], test, test)], progress, dcg)
        model = trained[name, 0]
        last[name] = dcg.per_query(test.y, model.predict(test), test.offsets)
        history = model.history_
        own = history[(history["split"] == "valid") & (history["measure"] == dcg.name)]
        if len(own) > 2:
            rows += [
                {"series": name, "x": int(t), "value": float(v)}
                for t, v in own[["iteration", "value"]].itertuples(index=False)
                if t
            ]
        else:
            level = float(last[name].mean())
            rows += [{"series": name, "x": x, "value": level} for x in (1, values["n_trees"])]
    claims = {
        f"{a} has a higher DCG-5 than {b}.": last[a] - last[b]
        for a, b in (
            ("QBRank, P2 and L1", "QBRank, P2"),
            ("QBRank, P2", "GBT, L2"),
            ("GBT, L1 and L2", "GBT, L2"),
            ("QBRank, P2", "RankSVM, P2"),
        )
    }
    chart = Chart(
        "lines", pd.DataFrame(rows), "DCG-5 on L3 by round", "round", "DCG-5", baseline="RankSVM, P2"
    )
    note = (
        "The paper’s label gains are not printed: its level, 6.181 for RankSVM, is not ours to compare with."
    )
    return Result((chart,), judge(claims), f"{test.n_queries} queries of L3, after the last round. {note}")


def _falls(values: dict[str, Any], progress: Progress) -> Result:
    """Theorem 1, its consequence for the method with a line search: the risk falls in every round."""
    rows, verdicts = [], []
    settings = {"w = 1": 1.0, "w = 0.5": 0.5, "w = 0": 0.0}
    training = _part(values, "L2")
    progress.expect(values["n_trees"] * len(settings))
    for name, weight in settings.items():
        model = QBRank(n_trees=values["n_trees"], preference_weight=weight, line_search=True)
        model.fit(training, measures=(), on_round=progress.on_round)
        loss = model.history_[model.history_["measure"] == "loss"]["value"].to_numpy()
        rows += [{"series": name, "x": t, "value": float(v)} for t, v in enumerate(loss)]
        most = float(np.diff(loss).max())
        claim = f"With a line search the risk falls in every round, {name}."
        verdicts.append(certain(claim, most <= 0, f"from {loss[0]:.4g} to {loss[-1]:.4g}"))
    chart = Chart("lines", pd.DataFrame(rows), "Risk by round", "round", "risk")
    note = "The bound for a small fixed step needs the norm of the best function: it is not computed here."
    return Result((chart,), tuple(verdicts), note)


def _sets(values: dict[str, Any], progress: Progress) -> Result:
    """Section 4: the three sets, the paper's and ours."""
    rows = []
    for name, queries, documents in _PRINTED["Section 4 data"].rows:
        part = next((p for p in ("L1", "L2", "L3") if name.startswith(p)), "all")
        own = counts_of(_part(values, part))
        rows.append({"set": name, "paper queries": str(queries), "paper documents": documents, **own})
    return counts_table(rows, "The paper’s sets, and ours")


def _setting(values: dict[str, Any]) -> Setting:
    size = {**_JUDGED, "n_queries": values["n_queries"], "part": "L2"}
    return Setting("engine", size, _three(values), values["seed"])


def _exhibit(name: str, id: str, title: str, finding: str, **more: Any) -> Exhibit:
    return Exhibit(id, name, title, finding, _PRINTED[name], **more)


_SETS = "A commercial engine: L1 2,000, L2 1,300, L3 1,400 queries."
_HERE = "engine, parts L1, L2 and L3 in the paper’s proportions, 470 queries."
_COMMON: dict[str, Any] = {
    "paper_data": _SETS,
    "our_data": _HERE,
    "params": (queries_param(470), _TREES, SEED),
    "grows": ("n_queries", "n_trees"),
}
_INSPECT = Way("inspect", "Open Inspect")
PAPER = Paper.of(
    "qbrank",
    "QBRank",
    "A general boosting method and its application to learning ranking functions for web search",
    "NIPS 2007",
    "One boosting method for preferences, for grades, and for any mix of the two.",
    _exhibit(
        "Algorithm 1",
        "algorithm1",
        "The general boosting method",
        "Each round fits a tree to −gradient / W with weights W, W a bound of the Hessian.",
        ways=(_INSPECT,),
    ),
    _exhibit(
        "Algorithm 2",
        "algorithm2",
        "QBRank",
        "The method on squared preferences and squared errors of grades, mixed by w.",
        ways=(_INSPECT,),
    ),
    _exhibit(
        "Section 4 data",
        "data",
        "The three sets",
        "Queries with a single label, for training, for test.",
        paper_data=_SETS,
        our_data=_HERE,
        params=(queries_param(470), SEED),
        compute=_sets,
        seconds=0.4,
    ),
    _exhibit(
        "Table 1",
        "table1",
        "Precision at K % of QBRank, GBT and RankSVM",
        "QBRank is more precise than GBT at every K, and both are than RankSVM.",
        compute=_precision,
        seconds=4.0,
        setting=_setting,
        in_full={"n_queries": 1_400},
        **_COMMON,
    ),
    _exhibit(
        "Figure 1",
        "fig1",
        "DCG-5 by round, with and without single-labelled queries",
        "QBRank on P2 and L1 is best, then QBRank on P2, then GBT; L1 helps GBT, too.",
        compute=_dcg,
        seconds=5.0,
        setting=_setting,
        **_COMMON,
    ),
    _exhibit(
        "Theorem 1 (appendix)",
        "theorem1",
        "The risk falls towards the best",
        "With a line search every round lowers the risk; small steps come as near to the best as wished.",
        compute=_falls,
        seconds=3.0,
        **_COMMON,
    ),
    _exhibit(
        "Definitions 1-4",
        "definitions",
        "Scale invariance, norms, a bound of the Hessian",
        "What the theorem needs of weak learners and of the risk.",
        ways=(Way("shapes", "Losses on Shapes"),),
    ),
)
