"""FeatureRank (paper 001): the order hidden in single features, found by class centers, joined by boosting.

Its one comparison is with a linear ListMLE; beside it stands a control of ours, ListMLE of ten hidden units.
Its table of complexities is measured: seconds of training by the length of the lists.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .. import datasets
from ..algorithms import ALGORITHMS
from ..data import split
from ..engines.hidden_order import CENTERS, measured_centers
from ..evaluation.verdicts import State, Verdict, interval, judge
from ..measures import measure
from ..measures.parts.ranking import rank_queries
from ..params import Param
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress
from .published import published
from .training import SEED, Cut, Trained, per_query, queries_param, seeds_param, train

_PRINTED = published("001 FeatureRank")
_SET, _WIDTH = "mq2008-list-like", 46
_KS = (8, 16, 32)
_LENGTHS = (250, 500, 1_000, 2_000, 4_000)
_LINEAR, _FAST = 1.35, 1.75  # of the slope: n log n has about 1.1 between these lengths, n² has 2
_DATA = "MQ2008-list of LETOR 4.0, about 1,000 documents a query."

K = Param("n_intervals", "int", 8, 2, 64, 1, help="K, the classes of a feature.")
FEATURE = Param("feature", "int", 40, 1, _WIDTH, 1, help="Which feature is drawn; all are counted.")
NOISE = Param("noise", "float", 0.5, 0.0, 3.0, 0.1, help="How far the features stray from the order.")


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
        data = datasets.make(_SET, values["seed"], n_queries=values["n_queries"], n_docs=n)
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


def _centers(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 1: the four centers of every class of one feature; and how often the hidden order is there."""
    data = datasets.make(_SET, values["seed"], n_queries=values["n_queries"], noise=values["noise"])
    by_grade, _ = rank_queries(data.y, data.offsets, "average")
    n, shares, rows = values["n_intervals"], [], []
    progress.expect(data.n_features)
    for feature in range(data.n_features):
        found = {c: measured_centers(data, by_grade, feature, n, c) for c in CENTERS}
        normal = found["normal"]
        steps = np.sign(np.append(np.diff(normal), normal[-1] - normal[-2]))
        inside = np.sign(found["prior"] - found["posterior"])
        kept = (steps != 0) & (inside != 0)
        if kept.any():
            shares.append(float((steps == inside)[kept].mean()))
        if feature + 1 == values["feature"]:
            rows = [
                {"series": name, "x": level + 1, "value": float(value)}
                for name, own in found.items()
                for level, value in enumerate(own)
                if not math.isnan(value)
            ]
        progress.advance()
    claim = "Inside a class values follow the direction of the next class’s center more often than not."
    name = data.feature_names[values["feature"] - 1]
    chart = Chart(
        "lines",
        pd.DataFrame(rows),
        f"Class centers of {name}, K = {n}",
        "class (K is best)",
        "value of center",
    )
    note = (
        f"The direction is right in {np.mean(shares):.0%} of all classes of all features. The test takes "
        "each feature as one: its classes are not independent of one another."
    )
    return Result((chart,), judge({claim: np.array(shares) - 0.5}, of="features"), note)


def _cuts(values: Mapping[str, Any]) -> list[Cut]:
    """Return 60 % of the queries to train, 10 % to validate, 30 % to test, for each seed."""
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values["seeds"]):
        data = datasets.make(_SET, seed, n_queries=values["n_queries"], noise=values["noise"])
        training, valid, test = split(data, (0.6, 0.1, 0.3), seed)
        cuts.append((training, valid, test))
    return cuts


def _feature_ranks(ks: Sequence[int] = _KS) -> tuple[System, ...]:
    return tuple(System(f"K = {k}", "FeatureRank", {"n_intervals": k, "n_features": _WIDTH}) for k in ks)


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
    printed = dict(zip(("ListMLE", *(f"K = {k}" for k in _KS)), _PRINTED["Table 3"].rows[0], strict=True))
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
    return Setting(_SET, size, systems, values["seed"], {"measure": "tau_distance"})


_INSPECT = Way("inspect", "Class centers on Inspect")
_REPEATS = Param("repeats", "int", 2, 1, 10, 1, help="The shortest time of so many.")
_EPOCHS = Param("epochs", "int", 100, 1, 500, 10, help="Epochs of ListMLE.")
_OURS = "mq2008-list-like, 40 queries × 1,000 documents, 46 features."
_SIZE = (queries_param(40, 400), seeds_param(), NOISE, SEED)
PAPER = Paper.of(
    "featurerank",
    "FeatureRank",
    "FeatureRank: a non-linear listwise approach with clustering and boosting",
    "Paper 001",
    "Each feature ranks by itself, by the order hidden in its values; boosting joins these rankings.",
    Exhibit(
        "algorithm",
        "Table 1",
        "The algorithm",
        "Each round ranks by one feature and weighs the queries by how well the sum ranks them.",
        _PRINTED["Table 1"],
        ways=(_INSPECT,),
    ),
    Exhibit(
        "table2",
        "Table 2",
        "How time grows with the length of the lists",
        "FeatureRank, ListMLE and AdaRank all take O(n log n).",
        _PRINTED["Table 2"],
        "No data: an analysis.",
        "mq2008-list-like, lists of 250 to 4,000 documents.",
        (queries_param(10, 100), _REPEATS, SEED),
        _growth,
        4.0,
        ("n_queries", "repeats"),
    ),
    Exhibit(
        "fig1",
        "Figure 1",
        "Four types of class center",
        "Where a class’s center is below the next one’s, its own values rise in the same direction.",
        _PRINTED["Figure 1"],
        _DATA,
        _OURS,
        (K, FEATURE, queries_param(40, 400), NOISE, SEED),
        _centers,
        0.5,
        ("n_queries",),
        ways=(_INSPECT,),
    ),
    Exhibit(
        "table3",
        "Table 3",
        "Kendall τ distance of ListMLE and FeatureRank",
        "FeatureRank comes a third closer to the right order than ListMLE; a larger K comes closer.",
        _PRINTED["Table 3"],
        _DATA,
        _OURS,
        (*_SIZE, _EPOCHS),
        _distances,
        3.0,
        ("n_queries", "seeds"),
        {"seeds": 5},
        _setting,
        (_INSPECT,),
    ),
    Exhibit(
        "fig2",
        "Figure 2",
        "1 − T by iteration for three K",
        "A larger K ranks better, with shrinking returns.",
        _PRINTED["Figure 2"],
        _DATA,
        _OURS,
        _SIZE,
        _iterations,
        2.0,
        ("n_queries", "seeds"),
        {"seeds": 10},
        _setting,
        (_INSPECT,),
    ),
)
