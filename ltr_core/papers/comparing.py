"""Systems side by side in NDCG@1 … @10 on test, with the paper's order of them as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..evaluation.verdicts import judge
from .exhibit import Chart, Result, System
from .progress import Progress
from .training import DEPTHS, Cut, Trained, by_depth, depth_frame, train


def compare(
    systems: Sequence[System],
    cuts: Sequence[Cut],
    progress: Progress,
    order: Mapping[str, tuple[str, str, int]],
    baseline: str,
    note: str,
    watch: str = "ndcg@10",
) -> Result:
    """Train systems and judge claims: each names the better system, the worse one, and the depth of NDCG."""
    trained = train(systems, cuts, progress, watch)
    depths = {s.name: by_depth(trained, s.name, cuts) for s in systems}
    claims = {text: depths[a][:, k - 1] - depths[b][:, k - 1] for text, (a, b, k) in order.items()}
    table = pd.DataFrame(
        [
            {
                "system": name,
                **{f"@{k}": float(own[:, k - 1].mean()) for k in DEPTHS},
                "s.d. of @10": float(own[:, 9].std(ddof=1)),
            }
            for name, own in depths.items()
        ]
    )
    n = len(depths[baseline])
    return Result(
        (
            Chart("lines", depth_frame(depths), "NDCG@1 … @10 on test", "k", "NDCG@k", baseline=baseline),
            Chart("table", table, "NDCG on test, and how much queries differ"),
        ),
        judge(claims),
        f"{n} test queries; the round of each by validation NDCG@10. {note}",
    )


def validation_curves(trained: Trained, systems: Sequence[System], name: str = "ndcg@10") -> pd.DataFrame:
    """Return a measure on validation by round, of the first cut, as lines to draw."""
    rows = []
    for system in systems:
        history = trained[system.name, 0].history_
        own = history[(history["split"] == "valid") & (history["measure"] == name)]
        rows += [
            {"series": system.name, "x": int(t), "value": float(v)}
            for t, v in zip(own["iteration"], own["value"], strict=True)
            if t and np.isfinite(v)
        ]
    return pd.DataFrame(rows)


def counts_table(rows: Sequence[Mapping[str, Any]], title: str) -> Result:
    """Return a table of counts."""
    return Result((Chart("table", pd.DataFrame(list(rows)), title, digits=0),))
