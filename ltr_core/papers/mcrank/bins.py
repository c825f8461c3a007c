"""McRank's Figures 2, 3(a) and 3(b): bins of features, how many there are, and what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...engines.binning.bins import bin_features
from ...evaluation.verdicts import certain, judge
from ...measures import measure
from ...params import Param
from ..exhibit import Chart, Result, System
from ..progress import Progress
from ..training import SEED, per_query, queries_param, train
from .settings import COMMON, GROWS, HERE, SETS, WEB, cuts_of_sets, exhibit, inspect

_BINS = (8, 16, 32, 64, 128, 256, 65_536)


def _one_feature(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 2: the bins of one feature, by length and by quantile."""
    data = datasets.make(values["data"], values["seed"], n_queries=values["n_queries"], n_features=10)
    column = data.X[:, [values["feature"] - 1]]
    rows, most = [], {}
    for binning in ("length", "quantile"):
        counts = np.bincount(bin_features(column, values["max_bins"], binning).transform(column).ravel())
        most[binning] = counts.max() / counts.sum()
        rows += [
            {"series": f"by {binning}", "x": number + 1, "value": float(count)}
            for number, count in enumerate(counts)
        ]
    chart = Chart(
        "lines", pd.DataFrame(rows), "Documents in each bin", "bin, from the lowest values", "documents"
    )
    found = f"the fullest bin holds {most['length']:.1%} by length, {most['quantile']:.1%} by quantile"
    fuller = most["length"] >= most["quantile"]
    claim = "Bins of equal length follow the values: the fullest holds more than with quantiles."
    return Result((chart,), (certain(claim, fuller, found),))


def _bins(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3(a) and (b): how many bins there are, and what NDCG they cost, by B."""
    cuts = cuts_of_sets(values)
    sizes = [System(f"B = {b:,}", "McRank", {"n_trees": values["n_trees"], "max_bins": b}) for b in _BINS]
    training = cuts[0][0]
    totals = [int(bin_features(training.X, b).n_bins.sum()) for b in _BINS]
    share = [100.0 * total / totals[-1] for total in totals]
    trained = train(sizes, cuts, progress, "ndcg@10")
    ndcg = measure("ndcg@10")
    own = {s.name: per_query(trained, s.name, cuts, ndcg, at=None) for s in sizes}
    on_train = {
        s.name: ndcg.mean(training.y, trained[s.name, 0].predict(training), training.offsets) for s in sizes
    }
    full = sizes[-1].name
    rows = [
        {
            "panel": "test",
            "series": "NDCG@10 lost",
            "x": np.log2(b),
            "value": float((own[full] - own[s.name]).mean()),
        }
        for b, s in zip(_BINS, sizes, strict=True)
    ] + [
        {
            "panel": "training",
            "series": "NDCG@10 lost",
            "x": np.log2(b),
            "value": on_train[full] - on_train[s.name],
        }
        for b, s in zip(_BINS, sizes, strict=True)
    ]
    table = pd.DataFrame({"B": _BINS, "bins, % of those at 65,536": share})
    claims = {
        "With B = 8 the test NDCG@10 is lower than with 65,536.": own[full] - own["B = 8"],
        "With B = 256 the test NDCG@10 is lower than with 65,536 (the paper: it is the same).": (
            own[full] - own["B = 256"]
        ),
    }
    return Result(
        (
            Chart("lines", pd.DataFrame(rows), "NDCG@10 lost against B = 65,536", "log₂ B", "NDCG@10"),
            Chart("table", table, "Bins there are", digits=1),
        ),
        judge(claims),
        "That no loss can be told is what the paper found at B = 256; equality is not what a test shows.",
    )


FIGURE_2 = exhibit(
    "Figure 2",
    "fig2",
    "Bins of one feature",
    "Bins of one length are laid only where there are data.",
    paper_data="A diagram.",
    our_data="One feature of a generated set.",
    params=(
        SETS,
        Param("feature", "int", 1, 1, 10, 1, help="Which feature."),
        Param("max_bins", "int", 32, 2, 256, 2, help="B, the most bins."),
        queries_param(100, 1_000),
        SEED,
    ),
    compute=_one_feature,
    seconds=0.1,
    ways=(inspect("McRank", "bins"),),
)
_BOTH: dict[str, Any] = {
    "paper_data": WEB,
    "our_data": HERE,
    "params": COMMON,
    "compute": _bins,
    "seconds": 2.5,
    "grows": GROWS,
}
FIGURE_3A = exhibit(
    "Figure 3(a)",
    "fig3a",
    "How many bins there are",
    "With B = 256 there are 6 % of the bins of 65,536.",
    **_BOTH,
)
FIGURE_3B = exhibit(
    "Figure 3(b)",
    "fig3b",
    "What NDCG few bins cost",
    "From B = 256 on the test NDCG is that of 65,536; fewer bins slow training down like regularisation.",
    **_BOTH,
)
