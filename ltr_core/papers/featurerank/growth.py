"""FeatureRank's Table 2, the complexities, measured: seconds of training by the length of the lists."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...algorithms import ALGORITHMS
from ...evaluation.verdicts import State, Verdict
from ...params import Param
from ..exhibit import Chart, Result, System
from ..progress import Progress
from ..training import SEED, queries_param
from .settings import SET, exhibit

_LENGTHS = (250, 500, 1_000, 2_000, 4_000)
_LINEAR, _FAST = 1.35, 1.75  # of the slope: n log n has about 1.1 between these lengths, n² has 2


def _growth(values: dict[str, Any], progress: Progress) -> Result:
    """Table 2, measured: seconds of training by the length of the lists."""
    systems = (
        System("FeatureRank", "FeatureRank"),
        System("ListMLE", "ListMLE", {"epochs": 2}),
        System("AdaRank", "AdaRank", {"n_rounds": 10, "measure": "ndcg@10"}),
    )
    progress.expect(len(systems) * len(_LENGTHS) * values["repeats"])
    seconds: dict[tuple[str, int], float] = {}
    for n in _LENGTHS:
        data = datasets.make(SET, values["seed"], n_queries=values["n_queries"], n_docs=n)
        for system in systems:
            taken = []
            for _ in range(values["repeats"]):
                model, started = ALGORITHMS[system.algorithm](**system.params), time.perf_counter()
                model.fit(data, measures=(), in_full=())
                taken.append(time.perf_counter() - started)
                progress.advance()
            seconds[system.name, n] = min(taken)
    rows, table, verdicts = [], [], []
    for system in systems:
        own = [seconds[system.name, n] for n in _LENGTHS]
        rows += [{"series": system.name, "x": n, "value": s} for n, s in zip(_LENGTHS, own, strict=True)]
        slope = float(np.polyfit(np.log(_LENGTHS), np.log(own), 1)[0])
        steady = State.HOLDS if slope < _LINEAR else State.FAILS if slope > _FAST else State.UNTOLD
        found = f"time grows as n to the power {slope:.2f}; n log n would be about 1.14 here, n² 2"
        claim = f"{system.name}’s time grows about as n log n."
        verdicts.append(Verdict(claim, steady, found=found))
        table.append({"system": system.name, "paper says": "O(n log n)", "power of n": slope})
    chart = Chart(
        "lines",
        pd.DataFrame(rows),
        "Seconds of training by length of the lists",
        "documents a query (log)",
        "seconds (log)",
        log_x=True,
        log_y=True,
    )
    note = (
        "Times are this machine’s, now, the shortest of the repeats; only how they grow means something. "
        "ListMLE: 2 epochs; AdaRank: 10 rounds."
    )
    return Result(
        (chart, Chart("table", pd.DataFrame(table), "How time grows", digits=2)), tuple(verdicts), note
    )


_REPEATS = Param("repeats", "int", 2, 1, 10, 1, help="The shortest time of so many.")
TABLE_2 = exhibit(
    "Table 2",
    "table2",
    "How time grows with the length of the lists",
    "FeatureRank, ListMLE and AdaRank all take O(n log n).",
    paper_data="No data: an analysis.",
    our_data="mq2008-list-like, lists of 250 to 4,000 documents.",
    params=(queries_param(10, 100), _REPEATS, SEED),
    compute=_growth,
    seconds=2.5,
    grows=("n_queries", "repeats"),
)
