"""McRank (paper 004): Li, Burges, Wu. Learning to rank using multiple classification. NIPS 2007.

Its regression learns gains, 2^r − 1, and McRank the grades. Beside the two stands a control of ours:
regression on the grades, which takes much of McRank's lead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from .. import datasets
from ..algorithms import McRank
from ..data import split
from ..engines.binning.bins import bin_features
from ..evaluation.verdicts import certain, judge
from ..measures import measure
from ..params import Param
from .comparing import compare, counts_table
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress
from .published import published
from .training import SEED, Cut, counts_of, per_query, queries_param, seeds_param, train

_PRINTED = published("004 McRank (NIPS 2007)")
_BINS = (8, 16, 32, 64, 128, 256, 65_536)
_SETS = Param("data", "choice", "cubic", choices=("cubic", "engine"), help="The generated set.")
_SIZES: dict[str, dict[str, Any]] = {
    "cubic": {"n_docs": 20, "n_features": 10},
    "engine": {"part": "L2", "n_features": 40, "n_unlabelled": 0, "n_judged": 20},
}
_TREES = Param("n_trees", "int", 100, 5, 1_000, 10, help="Trees of each class.")


def _size(values: Mapping[str, Any]) -> dict[str, Any]:
    n = values["n_queries"]
    return {**_SIZES[values["data"]], "n_queries": n * (1 if values["data"] == "cubic" else 3)}


def _cuts(values: Mapping[str, Any]) -> list[Cut]:
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values.get("seeds", 1)):
        training, valid, test = split(
            datasets.make(values["data"], seed, **_size(values)), (0.4, 0.2, 0.4), seed
        )
        cuts.append((training, valid, test))
    return cuts


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
    return compare(_systems(values), _cuts(values), progress, _ORDER, "Regression", _NOTE)


def _lemma(values: dict[str, Any], progress: Progress) -> Result:
    """Lemma 1: the DCG error and its bound by the classification error, by round."""
    training = datasets.make(values["data"], values["seed"], **_size(values))
    progress.expect(values["n_trees"])
    model = McRank(n_trees=values["n_trees"]).fit(training, measures=(), on_round=progress.on_round)
    history = model.history_.pivot(index="iteration", columns="measure", values="value")
    rows = [
        {"series": series, "x": int(t), "value": float(v)}
        for series, column in (("DCG error", "dcg_error"), ("bound", "dcg_bound"))
        for t, v in history[column].items()
    ]
    over = float((history["dcg_error"] - history["dcg_bound"]).max())
    ratio = history["dcg_bound"] / history["dcg_error"]
    found = f"the bound is {ratio.min():.1f} to {ratio.max():.1f} times the error"
    claim = "The mean DCG error is at most Lemma 1’s bound, in every round."
    chart = Chart("lines", pd.DataFrame(rows), "DCG error and its bound", "round", "DCG", log_y=True)
    return Result((chart,), (certain(claim, over <= 1e-9, found),))


def _sets(values: dict[str, Any], progress: Progress) -> Result:
    """Section 6: the paper's sets beside the two generators."""
    rows = []
    for name, features, queries, urls, *_ in _PRINTED["Section 6.1-6.2"].rows:
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
    cuts = _cuts(values)
    systems = [System(f"B = {b:,}", "McRank", {"n_trees": values["n_trees"], "max_bins": b}) for b in _BINS]
    training = cuts[0][0]
    totals = [int(bin_features(training.X, b).n_bins.sum()) for b in _BINS]
    share = [100.0 * total / totals[-1] for total in totals]
    trained = train(systems, cuts, progress, "ndcg@10")
    ndcg = measure("ndcg@10")
    own = {s.name: per_query(trained, s.name, cuts, ndcg, at=None) for s in systems}
    on_train = {
        s.name: ndcg.mean(training.y, trained[s.name, 0].predict(training), training.offsets) for s in systems
    }
    full = systems[-1].name
    rows = [
        {
            "panel": "test",
            "series": "NDCG@10 lost",
            "x": np.log2(b),
            "value": float((own[full] - own[s.name]).mean()),
        }
        for b, s in zip(_BINS, systems, strict=True)
    ] + [
        {
            "panel": "training",
            "series": "NDCG@10 lost",
            "x": np.log2(b),
            "value": on_train[full] - on_train[s.name],
        }
        for b, s in zip(_BINS, systems, strict=True)
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


def _gain(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3(c): scores from the expected relevance against the expected gain, by round."""
    cuts = _cuts(values)
    training, valid, test = cuts[0]
    systems = {s: McRank(n_trees=values["n_trees"], score=s) for s in ("relevance", "gain")}
    progress.expect(2 * values["n_trees"])
    ndcg, rows, last = measure("ndcg@10"), [], {}
    for score, model in systems.items():
        sets = {"valid": valid, "test": test}
        model.fit(training, eval_set=sets, measures=[ndcg], on_round=progress.on_round)
        own = model.history_[model.history_["measure"] == "ndcg@10"]
        rows += [
            {"panel": split_name, "series": score, "x": int(t), "value": float(v)}
            for split_name in ("train", "test")
            for t, v in own[own["split"] == split_name][["iteration", "value"]].itertuples(index=False)
            if t
        ]
        last[score] = ndcg.per_query(test.y, model.predict(test), test.offsets)
    claims = {"Expected relevance ranks better than expected gain on test.": last["relevance"] - last["gain"]}
    chart = Chart("lines", pd.DataFrame(rows), "NDCG@10 by round", "round", "NDCG@10")
    return Result((chart,), judge(claims), "The paper calls the differences small, above all on test.")


def _setting(values: dict[str, Any]) -> Setting:
    return Setting(values["data"], _size(values), _systems(values), values["seed"])


def _exhibit(name: str, id: str, title: str, finding: str, **more: Any) -> Exhibit:
    return Exhibit(id, name, title, finding, _PRINTED[name], **more)


_WEB = "Artificial, Web-1, Web-2, Web-3: 10,000 to 26,000 queries."
_HERE = "cubic, 200 queries × 20 documents × 10 features, or engine."
_COMMON = (_SETS, queries_param(200), _TREES, SEED)
_GROWS = ("n_queries", "n_trees")
_INSPECT = Way("inspect", "Open Inspect")
_SIX = {
    "params": (_SETS, queries_param(250), seeds_param(), _TREES, SEED),
    "compute": _table,
    "paper_data": _WEB,
    "our_data": "cubic, 250 queries × 20 documents × 10 features, or engine.",
    "seconds": 5.0,
    "grows": ("n_queries", "seeds", "n_trees"),
    "setting": _setting,
}
PAPER = Paper.of(
    "mcrank",
    "McRank",
    "McRank: learning to rank using multiple classification and gradient boosting",
    "NIPS 2007",
    "Learn the chance of every grade, then sort by the expected grade.",
    _exhibit(
        "Lemma 1",
        "lemma1",
        "The DCG error is bounded by the classification error",
        "Who classifies without error ranks without error.",
        paper_data="A lemma: any data.",
        our_data=_HERE,
        params=_COMMON,
        compute=_lemma,
        seconds=2.0,
        grows=_GROWS,
    ),
    _exhibit(
        "Algorithm 1",
        "algorithm1",
        "Boosting trees for classification",
        "One tree for each class and round, on what its probability is off by.",
        ways=(_INSPECT,),
    ),
    _exhibit(
        "Algorithm 2",
        "algorithm2",
        "Least-squares boosting",
        "One tree a round, on the residuals.",
        ways=(_INSPECT,),
    ),
    _exhibit(
        "Section 6.1-6.2",
        "data",
        "The data sets",
        "One artificial set and three of a search engine.",
        paper_data=_WEB,
        our_data="The generators cubic and engine.",
        params=(SEED,),
        compute=_sets,
        seconds=0.6,
    ),
    _exhibit(
        "Table 1",
        "table1",
        "NDCG@10 of classification, regression and LambdaRank",
        "Ordinal classification is best, then classification, regression, LambdaRank.",
        **_SIX,
    ),
    _exhibit(
        "Figure 1",
        "fig1",
        "NDCG@1 … @10 and its standard deviation",
        "The order is the same at every depth; the better rankers vary less from query to query.",
        **_SIX,
    ),
    _exhibit(
        "Figure 2",
        "fig2",
        "Bins of one feature",
        "Bins of one length are laid only where there are data.",
        paper_data="A diagram.",
        our_data="One feature of a generated set.",
        params=(
            Param("data", "choice", "cubic", choices=("cubic", "engine"), help="The generated set."),
            Param("feature", "int", 1, 1, 10, 1, help="Which feature."),
            Param("max_bins", "int", 32, 2, 256, 2, help="B, the most bins."),
            queries_param(100, 1_000),
            SEED,
        ),
        compute=_one_feature,
        seconds=0.1,
        ways=(_INSPECT,),
    ),
    _exhibit(
        "Figure 3(a)",
        "fig3a",
        "How many bins there are",
        "With B = 256 there are 6 % of the bins of 65,536.",
        paper_data=_WEB,
        our_data=_HERE,
        params=_COMMON,
        compute=_bins,
        seconds=6.0,
        grows=_GROWS,
    ),
    _exhibit(
        "Figure 3(b)",
        "fig3b",
        "What NDCG few bins cost",
        "From B = 256 on the test NDCG is that of 65,536; fewer bins slow training down like regularisation.",
        paper_data=_WEB,
        our_data=_HERE,
        params=_COMMON,
        compute=_bins,
        seconds=6.0,
        grows=_GROWS,
    ),
    _exhibit(
        "Figure 3(c)",
        "fig3c",
        "Expected relevance against expected gain",
        "Relevance is consistently better, by little, above all on test.",
        paper_data=_WEB,
        our_data=_HERE,
        params=_COMMON,
        compute=_gain,
        seconds=3.0,
        grows=_GROWS,
    ),
)
