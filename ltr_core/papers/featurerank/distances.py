"""FeatureRank's Table 3 and Figure 2: the τ distance, against ListMLE and by iteration.

Its one comparison is with a linear ListMLE; beside it stands a control of ours, ListMLE of ten hidden units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ... import datasets
from ...data import split
from ...evaluation.verdicts import interval, judge
from ...measures import measure
from ...params import Param
from ..exhibit import Chart, Result, Setting, System
from ..progress import Progress
from ..training import SEED, Cut, Trained, per_query, queries_param, seeds_param, train
from .settings import DATA, HERE, INSPECT, NOISE, PRINTED, SET, WIDTH, exhibit

_KS = (8, 16, 32)


def _cuts(values: Mapping[str, Any]) -> list[Cut]:
    """Return 60 % of the queries to train, 10 % to validate, 30 % to test, for each seed."""
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values["seeds"]):
        data = datasets.make(SET, seed, n_queries=values["n_queries"], noise=values["noise"])
        training, valid, test = split(data, (0.6, 0.1, 0.3), seed)
        cuts.append((training, valid, test))
    return cuts


def _feature_ranks(ks: Sequence[int] = _KS) -> tuple[System, ...]:
    return tuple(System(f"K = {k}", "FeatureRank", {"n_intervals": k, "n_features": WIDTH}) for k in ks)


def _four(values: Mapping[str, Any]) -> tuple[System, ...]:
    linear = System("ListMLE", "ListMLE", {"epochs": values["epochs"]})
    hidden = System("ListMLE, 10 hidden units", "ListMLE", {"epochs": values["epochs"], "hidden": 10})
    return (linear, *_feature_ranks(), hidden)


def _distances(values: dict[str, Any], progress: Progress) -> Result:
    """Table 3: the τ distance on test of ListMLE and of FeatureRank with three K."""
    cuts, systems = _cuts(values), _four(values)
    distance = measure("tau_distance")
    trained = train(systems, cuts, progress, distance)
    own = {s.name: per_query(trained, s.name, cuts, distance, at=None) for s in systems}
    printed = dict(zip(("ListMLE", *(f"K = {k}" for k in _KS)), PRINTED["Table 3"].rows[0], strict=True))
    table, bars = [], []
    for name, each in own.items():
        low, high = interval(each)
        bars.append({"series": name, "value": float(each.mean()), "low": low, "high": high})
        table.append(
            {"system": name, "paper τ distance": printed.get(name, np.nan), "here": float(each.mean())}
        )
    claims = {
        f"FeatureRank with {name} is closer than ListMLE.": own["ListMLE"] - own[name]
        for name in (f"K = {k}" for k in _KS)
    }
    steps = {
        "K = 16 is closer than K = 8.": own["K = 8"] - own["K = 16"],
        "K = 32 is closer than K = 16.": own["K = 16"] - own["K = 32"],
    }
    claims |= {name: _by_seed(gains, values["seeds"]) for name, gains in steps.items()}
    hidden = systems[-1].name
    claims["Control: FeatureRank with K = 32 is closer than ListMLE with ten hidden units."] = (
        own[hidden] - own["K = 32"]
    )
    title = "Kendall τ distance on test, smaller is better, 95 % intervals"
    return Result(
        (
            Chart("bars", pd.DataFrame(bars), title, "", "τ distance", baseline="ListMLE"),
            Chart("table", pd.DataFrame(table), "τ distance"),
        ),
        judge(claims, of=dict.fromkeys(steps, "seeds")),
        "The paper compares with a linear model alone. What K does depends on the one set that all queries "
        "share: there seeds count, not queries.",
    )


def _iterations(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 2: 1 − T on test by iteration, for three K."""
    cuts = [(training, test, test) for training, _, test in _cuts(values)]
    systems, distance = _feature_ranks(), measure("tau_distance")
    trained: Trained = train(systems, cuts, progress, distance)
    rows = []
    for system in systems:
        curves = []
        for number in range(len(cuts)):
            history = trained[system.name, number].history_
            valid = history[(history["split"] == "valid") & (history["measure"] == distance.name)]
            curves.append(1.0 - valid.sort_values("iteration")["value"].to_numpy())
        rows += [
            {"series": system.name, "x": t, "value": float(value)}
            for t, value in enumerate(np.mean(curves, axis=0))
            if t
        ]
    own = {s.name: per_query(trained, s.name, cuts, distance, at=None) for s in systems}
    first, second = own["K = 8"] - own["K = 16"], own["K = 16"] - own["K = 32"]
    steps = {
        "K = 16 ranks better than K = 8.": first,
        "K = 32 ranks better than K = 16.": second,
        "The second step brings less than the first.": first - second,
    }
    claims = {name: _by_seed(gains, values["seeds"]) for name, gains in steps.items()}
    chart = Chart(
        "lines", pd.DataFrame(rows), "1 − T on test by iteration", "iteration (features used)", "1 − T"
    )
    note = (
        f"{len(cuts)} sets of {values['n_queries']} queries. What K does depends on the one set that all "
        "queries share: seeds count here, and one tells nothing. It depends on the noise, too."
    )
    return Result((chart,), judge(claims, of="seeds"), note)


def _by_seed(gains: np.ndarray, seeds: int) -> np.ndarray:
    """Return the mean of each seed's queries."""
    return gains.reshape(seeds, -1).mean(axis=1)


def _setting(values: dict[str, Any]) -> Setting:
    size = {"n_queries": values["n_queries"], "noise": values["noise"]}
    systems = _four(values) if "epochs" in values else _feature_ranks()
    return Setting(SET, size, systems, values["seed"], {"measure": "tau_distance"})


_EPOCHS = Param("epochs", "int", 100, 1, 500, 10, help="Epochs of ListMLE.")
_QUERIES = queries_param(40, 400)
_BOTH: dict[str, Any] = {
    "paper_data": DATA,
    "our_data": HERE,
    "grows": ("n_queries", "seeds"),
    "setting": _setting,
    "ways": (INSPECT,),
}
TABLE_3 = exhibit(
    "Table 3",
    "table3",
    "Kendall τ distance of ListMLE and FeatureRank",
    "FeatureRank comes a third closer to the right order than ListMLE; a larger K comes closer.",
    params=(_QUERIES, seeds_param(), NOISE, SEED, _EPOCHS),
    compute=_distances,
    seconds=3.0,
    in_full={"seeds": 5},
    **_BOTH,
)
FIGURE_2 = exhibit(
    "Figure 2",
    "fig2",
    "1 − T by iteration for three K",
    "A larger K ranks better, with shrinking returns.",
    params=(_QUERIES, seeds_param(2), NOISE, SEED),
    compute=_iterations,
    seconds=2.5,
    in_full={"seeds": 10},
    **_BOTH,
)
