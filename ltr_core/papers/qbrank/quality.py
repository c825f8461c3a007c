"""QBRank's Table 1 and Figure 1, and its three sets.

Precision at K % is measured on all pairs of a set at once, and its pairs are not independent: the intervals
and verdicts of Table 1 come from drawing queries anew. Drawn from one engine they say what holds on that one;
another engine, from another seed, may say the opposite. So seeds are what counts where there are several.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...data import RankingData, split
from ...evaluation.verdicts import judge, judge_pooled
from ...measures import measure
from ...params import Param
from ..comparing import counts_table
from ..exhibit import Chart, Result, Setting, System
from ..progress import Progress
from ..training import SEED, Cut, counts_of, pairs_of, queries_param, seeds_param, train, train_each
from .settings import COMMON, JUDGED, PRINTED, SETS, TREES, exhibit, part_of

_PERCENTS = tuple(range(10, 101, 10))
_RESAMPLES = 200


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

    def precision(self, counts: np.ndarray | None = None) -> np.ndarray:
        """Return precision at 10 … 100 % of the pairs, each query counted so many times, or once."""
        weight = np.ones(len(self.query)) if counts is None else counts[self.query]
        right, total = np.cumsum(weight * self.right), np.cumsum(weight)
        at = np.searchsorted(total, np.array(_PERCENTS) / 100 * total[-1] - 1e-9)
        return right[at] / total[at]


_CLAIM = "{} is more precise than {}, on average over K."
_ORDER = (("QBRank", "GBT"), ("GBT", "RankSVM"), ("QBRank", "RankSVM"))


def _precision(values: dict[str, Any], progress: Progress) -> Result:
    """Table 1: precision at K % on the pairs of L3, of three systems trained on L2."""
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values["seeds"]):
        own = {**values, "seed": seed}
        training, valid = split(part_of(own, "L2"), (0.8, 0.2), seed)
        cuts.append((training, valid, part_of(own, "L3")))
    systems = _three(values)
    trained = train(systems, cuts, progress)
    pairs = {
        s.name: [_Pairs(test, trained[s.name, n].predict(test)) for n, (_, _, test) in enumerate(cuts)]
        for s in systems
    }
    precision = {name: np.array([one.precision() for one in own]) for name, own in pairs.items()}
    printed = PRINTED["Table 1"]
    table = pd.DataFrame({"K %": _PERCENTS})
    for column, name in (("QBrank", "QBRank"), ("GBT", "GBT"), ("RankSVM", "RankSVM")):
        table[f"paper {name}"] = [printed.value(k, column) for k in _PERCENTS]
        table[name] = precision[name].mean(axis=0)
    rows = [
        {"series": name, "x": k, "value": float(v)}
        for name, own in precision.items()
        for k, v in zip(_PERCENTS, own.mean(axis=0), strict=True)
    ]
    n_queries = sum(test.n_queries for _, _, test in cuts)
    told = f"{n_queries} queries of L3"
    if len(cuts) > 1:
        gains = {_CLAIM.format(a, b): (precision[a] - precision[b]).mean(axis=1) for a, b in _ORDER}
        verdicts = judge(gains, of="seeds")
        told += f" from {len(cuts)} seeds, each with an engine of its own: engines differ by more than their "
        told += "queries, so seeds count."
    else:
        verdicts = judge_pooled(_drawn(pairs), n_queries, n_resamples=_RESAMPLES, seed=values["seed"])
        told += f", drawn anew {_RESAMPLES} times: their pairs are not independent."
    chart = Chart("lines", pd.DataFrame(rows), "Precision at K % on the pairs of L3", "K %", "precision")
    return Result((chart, Chart("table", table, "Precision at K %")), verdicts, told)


def _drawn(pairs: Mapping[str, Sequence[_Pairs]]) -> dict[str, Callable[[np.ndarray], float]]:
    """Return for each claim what it comes to on queries drawn anew from the one set."""

    def gain(counts: np.ndarray, a: str, b: str) -> float:
        return float((pairs[a][0].precision(counts) - pairs[b][0].precision(counts)).mean())

    return {_CLAIM.format(a, b): partial(gain, a=a, b=b) for a, b in _ORDER}


def _six(values: Mapping[str, Any]) -> tuple[tuple[str, System], ...]:
    """Return the systems of Figure 1, each with the parts that it is trained on."""
    trees = {"n_trees": values["n_trees"]}
    gbt = {**trees, "target": "grade", "n_leaves": 20}
    both = {**trees, "labelled": "single"}
    return (
        ("L1", System("GBT, L1", "GBT", gbt)),
        ("L2", System("GBT, L2", "GBT", gbt)),
        ("L1+L2", System("GBT, L1 and L2", "GBT", gbt)),
        ("L2", System("QBRank, P2", "QBRank", {**trees, "preference_weight": 1.0})),
        ("L1+L2", System("QBRank, P2 and L1", "QBRank", both)),
        ("L2", System("RankSVM, P2", "RankSVM")),
    )


def _dcg(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 1: DCG-5 on L3 by round, five curves and the level of RankSVM."""
    test, dcg = part_of(values, "L3"), measure("dcg@5")
    parts = {name: part_of(values, name) for name in ("L1", "L2", "L1+L2")}
    rows, last = [], {}
    jobs = [(system, (parts[part], test, test)) for part, system in _six(values)]
    for (system, _), model in zip(jobs, train_each(jobs, progress, dcg), strict=True):
        last[system.name] = dcg.per_query(test.y, model.predict(test), test.offsets)
        history = model.history_
        own = history[(history["split"] == "valid") & (history["measure"] == dcg.name)]
        curve = [(int(t), float(v)) for t, v in own[["iteration", "value"]].itertuples(index=False) if t]
        if len(curve) == 1:
            curve = [(x, curve[0][1]) for x in (1, values["n_trees"])]
        rows += [{"series": system.name, "x": t, "value": value} for t, value in curve]
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
        "The paper’s label gains are not printed: its level, 6.181 for RankSVM, is not ours to compare with. "
        "How much L1 teaches depends on how well its ideal and bad pages were picked, which the paper does "
        "not say."
    )
    return Result((chart,), judge(claims), f"{test.n_queries} queries of L3, after the last round. {note}")


def _sets(values: dict[str, Any], progress: Progress) -> Result:
    """Section 4: the three sets, the paper's and ours."""
    rows = []
    for name, queries, documents in PRINTED["Section 4 data"].rows:
        part = next((p for p in ("L1", "L2", "L3") if name.startswith(p)), "all")
        own = counts_of(part_of(values, part))
        rows.append({"set": name, "paper queries": str(queries), "paper documents": documents, **own})
    return counts_table(rows, "The paper’s sets, and ours")


def _setting(values: dict[str, Any]) -> Setting:
    size = {**JUDGED, "n_queries": values["n_queries"], "part": "L2"}
    return Setting("engine", size, _three(values), values["seed"])


_L1_NOISE = Param(
    "l1_noise",
    "float",
    2.0,
    0.0,
    100.0,
    0.5,
    help="Error with which L1’s ideal and bad pages are picked: the larger, the less L1 teaches.",
)
DATA = exhibit(
    "Section 4 data",
    "data",
    "The three sets",
    "There are three kinds of queries: with a single label, for training, and for test.",
    paper_data=SETS,
    our_data="engine, parts L1, L2 and L3 in the paper’s proportions, 1,000 queries.",
    params=(queries_param(1_000), SEED),
    compute=_sets,
    seconds=0.5,
)
TABLE_1 = exhibit(
    "Table 1",
    "table1",
    "Precision at K % of QBRank, GBT and RankSVM",
    "QBRank is more precise than GBT at every K, and both are than RankSVM.",
    compute=_precision,
    seconds=3.5,
    setting=_setting,
    **{
        **COMMON,
        "our_data": "engine, parts L1, L2 and L3 in the paper’s proportions, 1,000 queries a seed.",
        "params": (queries_param(1_000), seeds_param(5), TREES, SEED),
        "grows": ("n_queries", "seeds", "n_trees"),
    },
)
FIGURE_1 = exhibit(
    "Figure 1",
    "fig1",
    "DCG-5 by round, with and without single-labelled queries",
    "QBRank on P2 and L1 is best, then QBRank on P2, then GBT; L1 helps GBT, too.",
    compute=_dcg,
    seconds=3.0,
    setting=_setting,
    **{**COMMON, "params": (queries_param(2_350), TREES, _L1_NOISE, SEED)},
)
