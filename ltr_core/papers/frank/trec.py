"""FRank's Figure 3: the learners and BM25 on TREC's topic distillation, here on tiny-web.

TREC's judges say relevant or not, and rarely relevant: so do tiny-web's binary ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...data import folds
from ...evaluation.verdicts import judge
from ...measures import measure
from ...params import Param
from ..exhibit import Chart, Result, Setting, System
from ..progress import Progress
from ..training import SEED, per_query, queries_param, rounds_param, train
from .settings import FRANK, exhibit, systems

_DOCS = 100  # a query


def _size(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"n_queries": values["n_queries"], "judges": values["judges"], "n_docs": _DOCS}


def _learners(values: Mapping[str, Any]) -> tuple[System, ...]:
    return (*systems(values), System("RankSVM", "RankSVM"))


def _trec(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3: MAP, P@n and NDCG@n of the learners and BM25."""
    data = datasets.make("tiny-web", values["seed"], **_size(values))
    cuts, learners = folds(data, 4, seed=values["seed"]), _learners(values)
    trained = train(learners, cuts, progress, "map")
    measures = [measure(name) for name in ("map", "p@1", "p@5", "p@10", "ndcg@1", "ndcg@3", "ndcg@10")]
    column = data.feature_names.index("BM25")
    rows, average = [], {}
    for name in (*(s.name for s in learners), "BM25"):
        row: dict[str, Any] = {"system": name}
        for one in measures:
            if name == "BM25":
                own = np.concatenate([one.per_query(t.y, t.X[:, column], t.offsets) for _, _, t in cuts])
            else:
                own = per_query(trained, name, cuts, one)
            row[one.label] = float(np.nanmean(own))
            if one.name == "map":
                average[name] = own
        rows.append(row)
    claims = {f"{s.name} has a higher MAP than BM25.": average[s.name] - average["BM25"] for s in learners}
    claims["FRank’s MAP is at least 40 % above BM25’s."] = average[FRANK] - 1.4 * average["BM25"]
    others = [s.name for s in learners if s.name != FRANK]
    claims |= {f"FRank has a higher MAP than {o}.": average[FRANK] - average[o] for o in others}
    bars = pd.DataFrame([{"series": name, "value": float(own.mean())} for name, own in average.items()])
    return Result(
        (
            Chart("bars", bars, "MAP on test, four folds", "", "MAP"),
            Chart("table", pd.DataFrame(rows), "Test, mean over queries"),
        ),
        judge(claims),
        f"{values['n_queries']} queries, {100 * float((data.y > 0).mean()):.1f} % of the pages above grade 0 "
        "(TREC: 0.1 to 8.6 %): the order of the learners among themselves is mostly noise.",
    )


def _setting(values: dict[str, Any]) -> Setting:
    return Setting("tiny-web", _size(values), _learners(values), values["seed"], {"measure": "map"})


_JUDGES = Param(
    "judges",
    "choice",
    "binary",
    choices=("binary", "graded"),
    help="Relevant or not, and rarely, as at TREC; or grades from 0 to 4.",
)
FIGURE_3 = exhibit(
    "Figure 3",
    "fig3",
    "MAP, P@n and NDCG@n on TREC",
    "Every learned ranker is at least 40 % above BM25 in MAP; FRank is first.",
    paper_data="TREC 2003, 50 queries, four folds.",
    our_data=f"tiny-web, 60 queries × {_DOCS} pages, four folds.",
    params=(_JUDGES, queries_param(60, 500), rounds_param(60, 500), SEED),
    compute=_trec,
    seconds=1.5,
    grows=("n_queries", "n_rounds"),
    setting=_setting,
)
