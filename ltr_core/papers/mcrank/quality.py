"""McRank's Table 1 and Figures 1 and 3(c), and its sets.

Its regression learns gains, 2^r − 1, and McRank the grades. Beside the two stands a control of ours:
regression on the grades, which takes much of McRank's lead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ... import datasets
from ...evaluation.verdicts import judge
from ...measures import measure
from ..comparing import compare, counts_table
from ..exhibit import Chart, Result, Setting, System
from ..progress import Progress
from ..training import SEED, counts_of, per_query, queries_param, seeds_param, train
from .settings import COMMON, GROWS, HERE, PRINTED, SETS, TREES, WEB, cuts_of_sets, exhibit, size_of


def _systems(values: Mapping[str, Any]) -> tuple[System, ...]:
    trees = {"n_trees": values["n_trees"]}
    return (
        System("Regression", "GBT", {**trees, "target": "gain"}),
        System("Ordinal", "McRank", {**trees, "mode": "ordinal"}),
        System("Classification", "McRank", {**trees, "mode": "classification"}),
        System("LambdaRank", "LambdaRank", {"hidden": 10, "epochs": 40}),
        System("LambdaRank, linear", "LambdaRank", {"epochs": 40}),
        System("Regression on grades", "GBT", {**trees, "target": "grade"}),
    )


_ORDER = {
    "Ordinal classification ranks better than classification.": ("Ordinal", "Classification", 10),
    "Ordinal classification ranks better than regression.": ("Ordinal", "Regression", 10),
    "Classification ranks better than regression.": ("Classification", "Regression", 10),
    "Classification ranks better than LambdaRank.": ("Classification", "LambdaRank", 10),
    "Control: classification ranks better than regression on the grades.": (
        "Classification",
        "Regression on grades",
        10,
    ),
}
_NOTE = "The control regresses on the grades that McRank classifies: what it gains is the target, not McRank."


def _table(values: dict[str, Any], progress: Progress) -> Result:
    """Table 1 and Figure 1: six systems in NDCG."""
    return compare(_systems(values), cuts_of_sets(values), progress, _ORDER, "Regression", _NOTE)


def _sets(values: dict[str, Any], progress: Progress) -> Result:
    """Section 6: the paper's sets beside the two generators."""
    rows = []
    for name, features, queries, urls, *_ in PRINTED["Section 6.1-6.2"].rows:
        here = "cubic" if name == "Artificial" else "engine"
        own = counts_of(datasets.make(here, values["seed"], n_queries=470))
        rows.append(
            {
                "paper’s set": name,
                "paper features": features,
                "paper queries": str(queries),
                "paper documents": str(urls),
                "here": here,
                **own,
            }
        )
    return counts_table(rows, "The paper’s sets, and 470 queries of ours")


def _gain(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3(c): scores from the expected relevance against the expected gain, by round."""
    cuts = [(training, test, test) for training, _, test in cuts_of_sets(values)]
    systems = [
        System(s, "McRank", {"n_trees": values["n_trees"], "expected": s}) for s in ("relevance", "gain")
    ]
    ndcg = measure("ndcg@10")
    trained = train(systems, cuts, progress, ndcg, in_full=None)
    rows, last = [], {}
    for system in systems:
        history = trained[system.name, 0].history_
        own = history[history["measure"] == ndcg.name]
        rows += [
            {"panel": panel, "series": system.name, "x": int(t), "value": float(v)}
            for panel, split in (("training", "train"), ("test", "valid"))
            for t, v in own[own["split"] == split][["iteration", "value"]].itertuples(index=False)
            if t
        ]
        last[system.name] = per_query(trained, system.name, cuts, ndcg, at=None)
    claims = {"Expected relevance ranks better than expected gain on test.": last["relevance"] - last["gain"]}
    chart = Chart("lines", pd.DataFrame(rows), "NDCG@10 by round", "round", "NDCG@10")
    return Result((chart,), judge(claims), "The paper calls the differences small, above all on test.")


def _setting(values: dict[str, Any]) -> Setting:
    return Setting(values["data"], size_of(values), _systems(values), values["seed"])


_SIX: dict[str, Any] = {
    "params": (SETS, queries_param(500), seeds_param(2), TREES, SEED),
    "compute": _table,
    "paper_data": WEB,
    "our_data": HERE,
    "seconds": 1.5,
    "grows": (*GROWS, "seeds"),
    "setting": _setting,
}
DATA = exhibit(
    "Section 6.1-6.2",
    "data",
    "The data sets",
    "It uses one artificial set and three of a search engine.",
    paper_data=WEB,
    our_data="The generators cubic and engine.",
    params=(SEED,),
    compute=_sets,
    seconds=0.6,
)
TABLE_1 = exhibit(
    "Table 1",
    "table1",
    "NDCG@10 of classification, regression and LambdaRank",
    "Ordinal classification is best, then classification, regression, LambdaRank.",
    **_SIX,
)
FIGURE_1 = exhibit(
    "Figure 1",
    "fig1",
    "NDCG@1 … @10 and its standard deviation",
    "The order is the same at every depth; the better rankers vary less from query to query.",
    **_SIX,
)
FIGURE_3C = exhibit(
    "Figure 3(c)",
    "fig3c",
    "Expected relevance against expected gain",
    "Relevance is consistently better, but by little, and least on test.",
    paper_data=WEB,
    our_data=HERE,
    params=COMMON,
    compute=_gain,
    seconds=1.2,
    grows=GROWS,
)
