"""FRank (paper 003): Tsai, Liu, Qin, Chen, Ma. A ranking method with fidelity loss. SIGIR 2007.

The paper's web data have 3,800 test queries, and half a point of NDCG between its two best systems: with
fewer queries their order is noise, and the cards say how many it would take.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import datasets
from ..data import folds, split
from ..distances import LOSSES
from ..evaluation.verdicts import certain, judge
from ..measures import measure
from .comparing import compare, counts_table, validation_curves
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress
from .published import published
from .training import SEED, Cut, counts_of, per_query, queries_param, rounds_param, seeds_param, train

_PRINTED = published("003 FRank (SIGIR 2007)")
_FRANK, _TWO, _ONE, _BOOST = "FRank", "RankNet, two layers", "RankNet, linear", "RankBoost"
_L2 = 1_300 / 4_700  # the share of engine's queries that are in its part L2
_SIZE = {"part": "L2", "n_features": 60}
_NOTE = "The paper’s own difference, half a point, took 3,800 test queries."


# The loss, the counts ---------------------------------------------------------------------------------------


def _losses(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 1: cross entropy and fidelity by the margin, for three wanted probabilities."""
    margins, rows = np.linspace(-6.0, 6.0, 121), []
    for panel, name in (("cross entropy", "cross_entropy"), ("fidelity", "fidelity")):
        for p in (0.0, 0.5, 1.0):
            own = LOSSES[name](margins, p_star=p)
            series = f"P* = {p:g}"
            rows += [
                {"panel": panel, "series": series, "x": float(x), "value": float(y)}
                for x, y in zip(margins, own, strict=True)
            ]
    even, far = (LOSSES["fidelity"](margins, p_star=0.5), np.array([-500.0, 500.0]))
    at_best = [float(LOSSES["fidelity"](m, p_star=p)) for m, p in ((0.0, 0.5), (500.0, 1.0), (-500.0, 0.0))]
    cross = float(LOSSES["cross_entropy"](0.0, p_star=0.5))
    most = max(float(LOSSES["fidelity"](far, p_star=p).max()) for p in (0.0, 0.5, 1.0))
    verdicts = (
        certain("The fidelity loss is 0 at its best.", max(at_best) < 1e-9, f"at most {max(at_best):.2g}"),
        certain(
            "For P* = ½ it is symmetric.", bool(np.allclose(even, even[::-1])), "compared at 121 margins"
        ),
        certain("It never exceeds 1.", most <= 1 + 1e-12, f"{most:.6g} at a margin of 500"),
        certain("The cross entropy is not 0 at its best for P* = ½.", cross > 0.1, f"it is {cross:.4f}"),
    )
    return Result((Chart("lines", pd.DataFrame(rows), "Loss by margin", "margin o", "loss"),), verdicts)


def _features(values: dict[str, Any], progress: Progress) -> Result:
    """Table 1: the features of TREC's data beside tiny-web's."""
    names = datasets.make("tiny-web", values["seed"]).feature_names
    rows = []
    for name, count in _PRINTED["Table 1"].rows:
        alone = name if name in ("BM25", "PageRank", "HostRank") else ""
        here = [n for n in names if n == alone]
        if name == "Relevance Propagation":
            here = [n for n in names if n.startswith(("hyperlink", "sitemap"))]
        if name == "MSRA1000":
            here = [n for n in names if n.startswith("title")]
        rows.append({"feature": name, "paper number": count, "here": len(here), "as": ", ".join(here[:2])})
    return counts_table(rows, "Features")


def _counts(values: dict[str, Any], progress: Progress) -> Result:
    """Tables 2 and 5: what the web data count, beside ours."""
    data = datasets.make("engine", values["seed"], **{**_SIZE, "n_queries": round(values["n_queries"] / _L2)})
    parts = dict(zip(("Training data", "Validation data", "Testing data"), split(data, _SPLIT), strict=True))
    rows = []
    for name, queries, documents in _PRINTED["Table 2"].rows:
        own = counts_of(parts[name])
        rows.append({"set": name, "paper queries": queries, "paper documents": documents, **own})
    return counts_table(rows, "The paper’s parts, and ours")


def _growing(values: dict[str, Any], progress: Progress) -> Result:
    """Table 5: training sets of five sizes."""
    rows = []
    data = datasets.make("engine", values["seed"], **{**_SIZE, "n_queries": round(values["n_queries"] / _L2)})
    training = split(data, _SPLIT)[0]
    for queries, documents, pairs in _PRINTED["Table 5"].rows:
        few = training.select(np.arange(max(2, round(training.n_queries * queries / 12_000))))
        own = counts_of(few)
        rows.append(
            {
                "paper queries": queries,
                "paper documents": documents,
                "paper pairs": pairs,
                "queries": own["queries"],
                "documents": own["documents"],
                "pairs": own["pairs"],
            }
        )
    return counts_table(rows, "Training sets of five sizes, ours in the same proportions")


# Trainings --------------------------------------------------------------------------------------------------

_SPLIT = (0.5, 0.2, 0.3)  # of the queries


def _cuts(values: Mapping[str, Any]) -> list[Cut]:
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values.get("seeds", 1)):
        data = datasets.make("engine", seed, **{**_SIZE, "n_queries": round(values["n_queries"] / _L2)})
        training, valid, test = split(data, _SPLIT, seed)
        cuts.append((training, valid, test))
    return cuts


def _systems(values: Mapping[str, Any]) -> tuple[System, ...]:
    n = {"n_rounds": values["n_rounds"]}
    return (
        System(_FRANK, "FRank", {**n, "max_bins": 64}),
        System(_TWO, "RankNet", {"hidden": 10, "epochs": 25}),
        System(_BOOST, "RankBoost", n),
        System(_ONE, "RankNet", {"epochs": 25}),
    )


def _order(depths: tuple[int, ...] = (10,)) -> dict[str, tuple[str, str, int]]:
    return {
        f"FRank ranks better than {other} in NDCG@{k}.": (_FRANK, other, k)
        for other in ((_TWO, _BOOST, _ONE) if len(depths) == 1 else (_TWO,))
        for k in depths
    }


def _web(depths: tuple[int, ...], values: dict[str, Any], progress: Progress) -> Result:
    return compare(_systems(values), _cuts(values), progress, _order(depths), _BOOST, _NOTE)


def _trec(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3: MAP, P@n and NDCG@n of the learners and BM25."""
    data = datasets.make("tiny-web", values["seed"], n_queries=values["n_queries"])
    cuts = folds(data, 4, seed=values["seed"])
    systems = (*_systems(values), System("RankSVM", "RankSVM"))
    trained = train(systems, cuts, progress, "map")
    measures = [measure(name) for name in ("map", "p@1", "p@5", "p@10", "ndcg@1", "ndcg@3", "ndcg@10")]
    column = data.feature_names.index("BM25")
    rows, average = [], {}
    for name in (*(s.name for s in systems), "BM25"):
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
    claims = {f"{s.name} has a higher MAP than BM25.": average[s.name] - average["BM25"] for s in systems}
    others = [s.name for s in systems if s.name != _FRANK]
    claims |= {f"FRank has a higher MAP than {o}.": average[_FRANK] - average[o] for o in others}
    bars = pd.DataFrame([{"series": name, "value": float(own.mean())} for name, own in average.items()])
    return Result(
        (
            Chart("bars", bars, "MAP on test, four folds", "", "MAP"),
            Chart("table", pd.DataFrame(rows), "Test, mean over queries"),
        ),
        judge(claims),
        f"{values['n_queries']} queries: the order of the learners among themselves is mostly noise.",
    )


def _training(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 4: FRank's training loss and training NDCG@10 by round."""
    cuts, systems = _cuts(values), _systems(values)[:1]
    trained = train(systems, cuts, progress, "ndcg@10", in_full=None)
    history = trained[_FRANK, 0].history_
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
    """Figure 5 and Table 3: validation NDCG@10 by round, and the best round of each."""
    cuts, systems = _cuts(values), _systems(values)
    trained = train(systems, cuts, progress, "ndcg@10")
    curves = validation_curves(trained, systems)
    printed = dict(zip((_FRANK, _TWO, _BOOST, _ONE), _PRINTED["Table 3"].rows, strict=True))
    table = []
    for system in systems:
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
    valid, ndcg = cuts[0][1], measure("ndcg@10")
    at_best = {
        s.name: ndcg.per_query(valid.y, trained[s.name, 0].predict(valid, iteration="best"), valid.offsets)
        for s in systems
    }
    claims = {
        f"FRank’s best is above that of {o} on validation.": at_best[_FRANK] - at_best[o]
        for o in (_TWO, _BOOST, _ONE)
    }
    chart = Chart("lines", curves, "Validation NDCG@10 by round or epoch", "round or epoch", "NDCG@10")
    return Result(
        (chart, Chart("table", pd.DataFrame(table), "The best round of each")),
        judge(claims),
        f"{valid.n_queries} validation queries.",
    )


def _by_size(values: dict[str, Any], progress: Progress) -> Result:
    """Table 6 and Figure 7: test NDCG@10 by the number of training queries."""
    cuts, ndcg = _cuts(values), measure("ndcg@10")
    systems = (*_systems(values), System("RankSVM", "RankSVM"))
    rows, own = [], {}
    for share in (0.25, 0.5, 1.0):
        few = [(t.select(np.arange(max(5, round(share * t.n_queries)))), v, e) for t, v, e in cuts]
        trained = train(systems, few, progress, "ndcg@10")
        for system in systems:
            each = per_query(trained, system.name, few, ndcg)
            own[system.name, share] = each
            rows.append({"series": system.name, "x": few[0][0].n_queries, "value": float(each.mean())})
    claims = {
        "1. With the fewest queries FRank ranks better than RankNet of two layers.": (
            own[_FRANK, 0.25] - own[_TWO, 0.25]
        ),
        "2. FRank ranks better with all queries than with a quarter.": own[_FRANK, 1.0] - own[_FRANK, 0.25],
        "3. With the fewest queries RankSVM ranks better than RankNet of two layers.": (
            own["RankSVM", 0.25] - own[_TWO, 0.25]
        ),
        "4. RankNet of two layers gains more from data than RankSVM.": (
            own[_TWO, 1.0] - own[_TWO, 0.25] - own["RankSVM", 1.0] + own["RankSVM", 0.25]
        ),
        "5. FRank ranks better than RankBoost with all queries.": own[_FRANK, 1.0] - own[_BOOST, 1.0],
    }
    chart = Chart(
        "lines", pd.DataFrame(rows), "Test NDCG@10 by training queries", "training queries", "NDCG@10"
    )
    return Result((chart,), judge(claims), _NOTE)


def _setting(values: dict[str, Any]) -> Setting:
    size = {**_SIZE, "n_queries": round(values["n_queries"] / _L2)}
    return Setting("engine", size, _systems(values), values["seed"])


def _exhibit(name: str, id: str, title: str, finding: str, **more: Any) -> Exhibit:
    return Exhibit(id, name, title, finding, _PRINTED[name], **more)


_ENGINE = "A commercial engine: 12,000 / 3,800 / 3,800 queries, 619 features."
_HERE = "engine, part L2: 200 queries × 32 documents, 60 features."
_TRAINED = {
    "paper_data": _ENGINE,
    "our_data": _HERE,
    "params": (queries_param(200), rounds_param(60, 500), SEED),
    "grows": ("n_queries", "n_rounds"),
    "setting": _setting,
}
_SEVERAL = {
    **_TRAINED,
    "params": (queries_param(200), seeds_param(), rounds_param(60, 500), SEED),
    "grows": ("n_queries", "seeds", "n_rounds"),
}
_COUNTED = {"paper_data": _ENGINE, "our_data": _HERE, "params": (queries_param(200), SEED), "seconds": 0.3}
_FOUR = "FRank is best at every depth, then RankNet of two layers, RankBoost, RankNet linear."
PAPER = Paper.of(
    "frank",
    "FRank",
    "FRank: a ranking method with fidelity loss",
    "SIGIR 2007",
    "A pair loss that is bounded: a hopeless pair cannot spoil the rest.",
    _exhibit(
        "Figure 1",
        "fig1",
        "Cross entropy and fidelity by margin",
        "The fidelity loss is 0 at its best, symmetric for P* = ½, and never above 1.",
        paper_data="No data: a formula.",
        our_data="Margins from −6 to 6.",
        compute=_losses,
        seconds=0.05,
        ways=(Way("shapes", "Losses on Shapes"),),
    ),
    _exhibit(
        "Figure 2",
        "fig2",
        "The algorithm",
        "Each round adds the stump of least fidelity loss.",
        ways=(Way("step_through", "Step through it", {"step_algorithm": "FRank"}),),
    ),
    _exhibit(
        "Table 1",
        "table1",
        "Features of the TREC data",
        "Fourteen features, ten of relevance propagation.",
        paper_data="TREC 2003, topic distillation.",
        our_data="tiny-web.",
        params=(SEED,),
        compute=_features,
        seconds=0.5,
    ),
    _exhibit(
        "Figure 3",
        "fig3",
        "MAP, P@n and NDCG@n on TREC",
        "Every learned ranker is at least 40 % above BM25 in MAP; FRank is first.",
        paper_data="TREC 2003, 50 queries, four folds.",
        our_data="tiny-web, 60 queries, four folds.",
        params=(queries_param(60, 500), rounds_param(60, 500), SEED),
        compute=_trec,
        seconds=4.0,
        grows=("n_queries", "n_rounds"),
    ),
    _exhibit(
        "Table 2",
        "table2",
        "The web data",
        "Partly judged pages of three sets of queries.",
        compute=_counts,
        **_COUNTED,
    ),
    _exhibit(
        "Figure 4",
        "fig4",
        "Loss and NDCG@10 on the training data",
        "The loss falls, and NDCG@10 rises.",
        compute=_training,
        seconds=2.0,
        **_TRAINED,
    ),
    _exhibit(
        "Figure 5",
        "fig5",
        "Validation NDCG@10 by round",
        "RankBoost stays below FRank; RankNet of two layers drops after ten epochs.",
        compute=_validation,
        seconds=3.0,
        **_TRAINED,
    ),
    _exhibit(
        "Table 3",
        "table3",
        "The round of each, by validation",
        "FRank’s best is the highest.",
        compute=_validation,
        seconds=3.0,
        **_TRAINED,
    ),
    _exhibit(
        "Table 4", "table4", "NDCG on test", _FOUR, compute=partial(_web, (10,)), seconds=3.0, **_SEVERAL
    ),
    _exhibit(
        "Figure 6",
        "fig6",
        "NDCG@1 … @10 of the learned systems",
        _FOUR,
        compute=partial(_web, (10,)),
        seconds=3.0,
        **_SEVERAL,
    ),
    _exhibit(
        "t-test (section 4.4.3)",
        "ttest",
        "FRank against RankNet of two layers",
        "The difference is significant at 98 % in NDCG@1, @5 and @10.",
        compute=partial(_web, (1, 5, 10)),
        seconds=3.0,
        **_SEVERAL,
    ),
    _exhibit(
        "Table 5",
        "table5",
        "Training sets of five sizes",
        "From 1,000 to 12,000 queries.",
        compute=_growing,
        **_COUNTED,
    ),
    _exhibit(
        "Table 6",
        "table6",
        "NDCG@10 by training queries",
        "FRank is best at every size.",
        compute=_by_size,
        seconds=6.0,
        **_SEVERAL,
    ),
    _exhibit(
        "Figure 7",
        "fig7",
        "The same as curves",
        "With few queries FRank is far ahead; all gain from data, little beyond 8,000.",
        compute=_by_size,
        seconds=6.0,
        **_SEVERAL,
    ),
)
