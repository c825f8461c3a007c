"""FRank's Table 6 and Figure 7: test NDCG@10 by the number of training queries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...evaluation.verdicts import judge
from ...measures import measure
from ..exhibit import Chart, Result, System
from ..progress import Progress
from ..training import per_query, train
from .settings import BOOST, FRANK, NOTE, SEVERAL, TWO, cuts_of_web, exhibit, systems


def _by_size(values: dict[str, Any], progress: Progress) -> Result:
    """Table 6 and Figure 7: test NDCG@10 by the number of training queries."""
    cuts, ndcg = cuts_of_web(values), measure("ndcg@10")
    learners = (*systems(values), System("RankSVM", "RankSVM"))
    rows, own = [], {}
    for share in (0.25, 0.5, 1.0):
        few = [(t.select(np.arange(max(5, round(share * t.n_queries)))), v, e) for t, v, e in cuts]
        trained = train(learners, few, progress, "ndcg@10")
        for system in learners:
            each = per_query(trained, system.name, few, ndcg)
            own[system.name, share] = each
            rows.append({"series": system.name, "x": few[0][0].n_queries, "value": float(each.mean())})
    claims = {
        "1. With the fewest queries FRank ranks better than RankNet of two layers.": (
            own[FRANK, 0.25] - own[TWO, 0.25]
        ),
        "2. FRank ranks better with all queries than with a quarter.": own[FRANK, 1.0] - own[FRANK, 0.25],
        "3. With the fewest queries RankSVM ranks better than RankNet of two layers.": (
            own["RankSVM", 0.25] - own[TWO, 0.25]
        ),
        "4. RankNet of two layers gains more from data than RankSVM.": (
            own[TWO, 1.0] - own[TWO, 0.25] - own["RankSVM", 1.0] + own["RankSVM", 0.25]
        ),
        "5. FRank ranks better than RankBoost with all queries.": own[FRANK, 1.0] - own[BOOST, 1.0],
    }
    chart = Chart(
        "lines", pd.DataFrame(rows), "Test NDCG@10 by training queries", "training queries", "NDCG@10"
    )
    return Result((chart,), judge(claims), NOTE)


_BOTH: dict[str, Any] = {"compute": _by_size, "seconds": 4.0, **SEVERAL}
TABLE_6 = exhibit("Table 6", "table6", "NDCG@10 by training queries", "FRank is best at every size.", **_BOTH)
FIGURE_7 = exhibit(
    "Figure 7",
    "fig7",
    "The same as curves",
    "With few queries FRank is far ahead; all gain from data, little beyond 8,000.",
    **_BOTH,
)
