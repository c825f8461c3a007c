"""MPBoost's Figure 6: who overfits, by late rounds against middle ones.

A fall from a curve's peak is there by chance alone: peak and fall are picked from one noise. The mean over
late rounds minus that over middle ones, fixed beforehand, is not.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ...evaluation.verdicts import interval, judge
from ..exhibit import Chart, Result
from ..progress import Progress
from ..training import SEED, by_round, cuts_of
from .settings import exhibit
from .systems import DDFS, SIZES, SWEEP, WEB_2_HERE, ndcg, setting, train_five, web_2

_LATE, _MIDDLE = (0.88, 1.0), (0.24, 0.48)  # of the rounds: 221 … 250 and 61 … 120 of 250
_POINTS = 50  # of a curve by round


def _overfitting(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 6: test NDCG@5 by round; late rounds against middle ones, query by query."""
    size = {"n_queries": values["n_queries"], **SIZES["web2-like"]}
    cuts = cuts_of("web2-like", size, values["seed"], values["seeds"])
    names, trained = train_five(values, cuts, progress)
    n = values["n_rounds"]
    every = max(1, n // _POINTS)
    rounds = [t for t in range(n + 1) if t % every == 0 or t == n]
    rows, change, late_quality = [], {}, {}
    for name in names:
        by_query, mean, error = by_round(trained, name, cuts, ndcg(), rounds)
        rows += [
            {"series": name, "x": t, "value": m, "low": m - s, "high": m + s}
            for t, m, s in zip(rounds, mean, error, strict=True)
            if t
        ]
        at = np.array(rounds) / n
        late, middle = (at > _LATE[0]), (at > _MIDDLE[0]) & (at <= _MIDDLE[1])
        late_quality[name] = by_query[late].mean(axis=0)
        change[name] = late_quality[name] - by_query[middle].mean(axis=0)
    control = f"BINARY × {values['control']:g}"
    claims = {"BINARY overfits: its late rounds rank worse than its middle ones.": -change["BINARY"]}
    for name in DDFS:
        claims[f"{name} falls less than BINARY from the middle to the late rounds."] = (
            change[name] - change["BINARY"]
        )
    claims[f"Control: {control} falls less than BINARY, too."] = change[control] - change["BINARY"]
    for name in DDFS:
        text = f"Control: {name} is better than {control} in the late rounds."
        claims[text] = late_quality[name] - late_quality[control]
    low, high = (int(share * n) for share in _MIDDLE)
    note = (
        f"Late: rounds {int(_LATE[0] * n) + 1} … {n}; middle: {low + 1} … {high}; every {every}th round. "
        "The difference of these means is paired by query; a fall from the peak is there by chance alone."
    )
    table = pd.DataFrame(
        [
            {
                "version": name,
                "middle": float((late_quality[name] - change[name]).mean()),
                "late": float(late_quality[name].mean()),
                "late − middle": float(change[name].mean()),
                "from": interval(change[name])[0],
                "to": interval(change[name])[1],
            }
            for name in names
        ]
    )
    lines = Chart(
        "lines",
        pd.DataFrame(rows),
        "Test NDCG@5 by round, mean of the folds ± standard error",
        "round",
        "NDCG@5",
        baseline="BINARY",
    )
    return Result(
        (lines, Chart("table", table, "Test NDCG@5 in middle and late rounds")), judge(claims), note
    )


FIGURE_6 = exhibit(
    "Figure 6",
    "fig6",
    "Test NDCG@5 by round on Web-2",
    "BINARY peaks around round 90 and then overfits seriously; the distances stay where they are.",
    paper_data="Web-2, 467 queries, five folds, every tenth round.",
    our_data=WEB_2_HERE,
    params=(*web_2(1, 250), SEED),
    compute=_overfitting,
    seconds=4.0,
    grows=("n_queries", "seeds", "n_rounds"),
    in_full={"seeds": 4},
    setting=partial(setting, "web2-like"),
    ways=(SWEEP,),
)
