"""The data sets of MPBoost's Section 5.1, the paper's beside ours."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ... import datasets
from ..exhibit import Chart, Result, Way
from ..progress import Progress
from ..published import published
from ..training import SEED, counts_of
from .settings import PAPER, exhibit


def _data(values: dict[str, Any], progress: Progress) -> Result:
    """The paper's three sets beside ours."""
    rows = []
    ours = {"OHSUMED (LETOR 3.0)": "ohsumed-like", "Web-1 (Internet Mathematics 2009)": "web1-like"}
    for name, queries, documents, features, grades, _ in published(PAPER)["Section 5.1"].rows:
        here = ours.get(name, "web2-like")
        known = datasets.DATASETS[here]
        # Queries, documents and grades do not depend on the number of features, which takes the time.
        few = {"n_features": 8} if "n_features" in {p.name for p in known.params} else {}
        counted = counts_of(known.make(values["seed"], **few))
        width = next((p.default for p in known.params if p.name == "n_features"), counted["features"])
        rows.append(
            {
                "paper’s set": name,
                "paper queries": queries,
                "paper documents": documents,
                "paper features": features,
                "paper grades": grades,
                "here": here,
                "queries": counted["queries"],
                "documents": counted["documents"],
                "features": width,
                "grades": counted["grades"],
            }
        )
    note = "Ours are drawn, not collected: they share grades and, but for web1-like’s queries, sizes."
    return Result(
        (Chart("table", pd.DataFrame(rows), "The paper’s sets, and ours at their full size", digits=0),),
        (),
        note,
    )


DATA = exhibit(
    "Section 5.1",
    "data",
    "The data sets",
    "Three sets are tried, with grades of three, five, or any value.",
    paper_data="OHSUMED, Web-1, Web-2.",
    our_data="Generators of about the same sizes and grades; web1-like has fewer queries.",
    params=(SEED,),
    compute=_data,
    seconds=0.3,
    ways=(Way("data", "Look into the sets"),),
)
