"""FRank's Figure 1, the two losses by margin, and its Tables 1, 2 and 5, which count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...data import split
from ...distances import LOSSES
from ...evaluation.verdicts import certain
from ..comparing import counts_table
from ..exhibit import Chart, Result, Way
from ..progress import Progress
from ..training import SEED, counts_of, queries_param
from .settings import ENGINE, HERE, PRINTED, SPLIT, exhibit, web_data


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
    for name, count in PRINTED["Table 1"].rows:
        alone = name if name in ("BM25", "PageRank", "HostRank") else ""
        here = [n for n in names if n == alone]
        if name == "Relevance Propagation":
            here = [n for n in names if n.startswith(("hyperlink", "sitemap"))]
        if name == "MSRA1000":
            here = [n for n in names if n.startswith("title")]
        told = here[0] if len(here) == 1 else f"“{here[0]}” and {len(here) - 1} more"
        rows.append({"feature": name, "paper number": count, "here": len(here), "as": told})
    return counts_table(rows, "Features")


def _counts(values: dict[str, Any], progress: Progress) -> Result:
    """Tables 2 and 5: what the web data count, beside ours."""
    parts = split(web_data(values, values["seed"]), SPLIT)
    names = ("Training data", "Validation data", "Testing data")
    ours = dict(zip(names, parts, strict=True))
    rows = []
    for name, queries, documents in PRINTED["Table 2"].rows:
        own = counts_of(ours[name])
        rows.append({"set": name, "paper queries": queries, "paper documents": documents, **own})
    return counts_table(rows, "The paper’s parts, and ours")


def _growing(values: dict[str, Any], progress: Progress) -> Result:
    """Table 5: training sets of five sizes."""
    rows = []
    training = split(web_data(values, values["seed"]), SPLIT)[0]
    for queries, documents, pairs in PRINTED["Table 5"].rows:
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


_COUNTED: dict[str, Any] = {
    "paper_data": ENGINE,
    "our_data": HERE,
    "params": (queries_param(600), SEED),
    "seconds": 0.3,
}
FIGURE_1 = exhibit(
    "Figure 1",
    "fig1",
    "Cross entropy and fidelity by margin",
    "The fidelity loss is 0 at its best, symmetric for P* = ½, and never above 1.",
    paper_data="No data: a formula.",
    our_data="Margins from −6 to 6.",
    compute=_losses,
    seconds=0.05,
    ways=(Way("shapes", "Losses on Shapes", {"shape_part": "losses", "shape_losses": "frank"}),),
)
TABLE_1 = exhibit(
    "Table 1",
    "table1",
    "Features of the TREC data",
    "A page has fourteen features, ten of them of relevance propagation.",
    paper_data="TREC 2003, topic distillation.",
    our_data="tiny-web.",
    params=(SEED,),
    compute=_features,
    seconds=0.5,
)
TABLE_2 = exhibit(
    "Table 2",
    "table2",
    "The web data",
    "The pages of three sets of queries are judged in part.",
    compute=_counts,
    **_COUNTED,
)
TABLE_5 = exhibit(
    "Table 5",
    "table5",
    "Training sets of five sizes",
    "The training sets have from 1,000 to 12,000 queries.",
    compute=_growing,
    **_COUNTED,
)
