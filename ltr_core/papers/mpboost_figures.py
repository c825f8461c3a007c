"""MPBoost's figures on ranking quality (3 to 6) and what its discussion makes of them.

Beside the directed distances stands "BINARY × c": BINARY with all distances made c. It has no magnitudes, and
its steps are c² as long: whatever a distance gains over BINARY and not over this, shorter steps gain too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from ..evaluation.verdicts import interval, judge
from ..measures import Measure, measure
from ..params import Param
from .exhibit import Chart, Exhibit, Result, Setting, System, Way
from .letor import folds_here
from .progress import Progress
from .published import Published, published
from .training import (
    DEPTHS,
    SEED,
    Cut,
    Trained,
    by_depth,
    cuts_of,
    depth_frame,
    difference_frame,
    queries_param,
    rounds_param,
    seeds_param,
    train,
)

_DDFS = ("LDD", "LOGDD", "LOGITDD")
_OVER = "{} ranks better than BINARY."
_CONTROL = "Control: {} ranks better than BINARY with every distance {:g}."
_LATE, _MIDDLE = (0.88, 1.0), (0.24, 0.48)  # of the rounds: 221 … 250 and 61 … 120 of 250
_POINTS = 50  # of a curve by round
_TUNABLE = ("alpha", "lam", "beta")
_TUNED = Param(
    "chosen",
    "choice",
    "fixed",
    choices=("fixed", "by validation"),
    help="As they are set; or half, once or twice that, for each fold the best on validation.",
)


def _ndcg(depth: int = 5) -> Measure:
    """The paper's own NDCG: weight 1 at the first two ranks, 1 / log₂ j after."""
    return measure(f"ndcg@{depth}", discount="letor")


def _parameters(alpha: float, lam: float, beta: float, c: float) -> tuple[Param, ...]:
    return (
        Param("alpha", "float", alpha, 0.001, 10.0, 0.05, log=True, help="Slope of LDD."),
        Param("lam", "float", lam, 0.001, 100.0, 0.5, log=True, help="λ of LOGDD: how soon it bends."),
        Param(
            "beta", "float", beta, 0.001, 100.0, 0.1, log=True, help="β of LOGITDD: how soon it saturates."
        ),
        Param(
            "control",
            "float",
            c,
            0.01,
            2.0,
            0.05,
            help="What every distance of the control is: shorter steps.",
        ),
    )


def _constant(c: float) -> dict[str, Any]:
    return {"ddf": "binary", "scale": c}


def _systems(values: Mapping[str, Any]) -> tuple[System, ...]:
    """Return BINARY, its control, and the three distances, with the parameters that are set."""
    own = {
        "BINARY": {"ddf": "binary"},
        f"BINARY × {values['control']:g}": _constant(values["control"]),
        "LDD": {"ddf": "ldd", "alpha": values["alpha"]},
        "LOGDD": {"ddf": "logdd", "lam": values["lam"]},
        "LOGITDD": {"ddf": "logitdd", "beta": values["beta"]},
    }
    return tuple(
        System(name, "MPBoost", {**params, "n_rounds": values["n_rounds"]}) for name, params in own.items()
    )


def _train(values: Mapping[str, Any], cuts: Sequence[Cut], progress: Progress) -> tuple[list[str], Trained]:
    """Train the five; where parameters are chosen, take for each fold the best on validation."""
    systems = _systems(values)
    names = [system.name for system in systems]
    if values.get("chosen", "fixed") == "fixed":
        return names, train(systems, cuts, progress, _ndcg())
    tried: dict[str, list[System]] = {}
    for system in systems:
        name = next((p for p in _TUNABLE if p in system.params), None)
        settings = [{name: f * system.params[name]} for f in (0.5, 1.0, 2.0)] if name else [{}]
        tried[system.name] = [
            System(f"{system.name} {number}", "MPBoost", {**system.params, **own})
            for number, own in enumerate(settings)
        ]
    trained = train([one for several in tried.values() for one in several], cuts, progress, _ndcg())
    best = {}
    for name, several in tried.items():
        for cut in range(len(cuts)):
            models = [trained[one.name, cut] for one in several]
            best[name, cut] = max(models, key=_best_on_validation)
    return names, best


def _best_on_validation(model: Any) -> float:
    history = model.history_
    return float(history.loc[(history["split"] == "valid") & (history["measure"] == "ndcg@5"), "value"].max())


def _setting(data: str, values: dict[str, Any]) -> Setting:
    size = {"n_queries": values["n_queries"], **_SIZES[data]}
    return Setting(data, size, _systems(values), values["seed"], {"ndcg-k": 5, "ndcg-discount": "letor"})


_SIZES: dict[str, dict[str, Any]] = {
    "web1-like": {"n_features": 60},
    "web2-like": {"n_docs": 60, "n_features": 120},
    "ohsumed-like": {},
}


def _means(quality: Mapping[str, np.ndarray], c: float, expected: Mapping[str, int]) -> tuple[Any, ...]:
    """Judge the paper's claims (1: above BINARY, -1: below) and the control's, all together."""
    base, control = quality["BINARY"], quality[f"BINARY × {c:g}"]
    claims = {}
    for name, sign in expected.items():
        text = _OVER.format(name) if sign > 0 else f"{name} ranks worse than BINARY."
        claims[text] = sign * (quality[name] - base)
    for name in _DDFS:
        claims[_CONTROL.format(name, c)] = quality[name] - control
    return judge(claims)


def _web(
    data: str, expected: Mapping[str, int], printed: Published, values: dict[str, Any], progress: Progress
) -> Result:
    """Figures 4 and 5: NDCG@1 … @10, and the mean difference to BINARY beside the paper's."""
    size = {"n_queries": values["n_queries"], **_SIZES[data]}
    cuts = cuts_of(data, size, values["seed"], values["seeds"])
    names, trained = _train(values, cuts, progress)
    depths = {name: by_depth(trained, name, cuts, discount="letor") for name in names}
    quality = {name: own.mean(axis=1) for name, own in depths.items()}
    bars = difference_frame(quality, "BINARY", 100.0)
    table = bars.rename(columns={"series": "version", "value": "here, points", "low": "from", "high": "to"})
    paper = {row[0]: row[1] for row in printed.rows}
    table.insert(1, "paper, points", [paper.get(name, np.nan) for name in table["version"]])
    return Result(
        (
            Chart(
                "bars", bars, "Mean NDCG@1 … @10 over BINARY, 95 % intervals", "", "points of NDCG", digits=2
            ),
            Chart("lines", depth_frame(depths), "NDCG@1 … @10 on test", "k", "NDCG@k", baseline="BINARY"),
            Chart("table", table, "Mean difference to BINARY, in points of NDCG", digits=2),
        ),
        _means(quality, values["control"], expected),
        f"{len(cuts)} trainings of each, the round by NDCG@5 on validation. “BINARY × {values['control']:g}” "
        "has no magnitudes, only shorter steps: a distance that does not beat it owes its gain to them.",
    )


def _by_round(
    trained: Trained, name: str, cuts: Sequence[Cut], rounds: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return test NDCG@5 at rounds: of every query, and the mean over the folds with its standard error."""
    curves, measured, wanted = [], _ndcg(), set(rounds)
    for number, (_, _, test) in enumerate(cuts):
        bound, stages = measured.bind(test.y, test.offsets), trained[name, number].staged_predict(test)
        curves.append(np.array([bound.per_query(s) for t, s in enumerate(stages) if t in wanted]))
    means = np.array([curve.mean(axis=1) for curve in curves])
    error = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    return np.concatenate(curves, axis=1), means.mean(axis=0), error


def _overfitting(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 6: test NDCG@5 by round; late rounds against middle ones, query by query."""
    size = {"n_queries": values["n_queries"], **_SIZES["web2-like"]}
    cuts = cuts_of("web2-like", size, values["seed"], values["seeds"])
    names, trained = _train(values, cuts, progress)
    n = values["n_rounds"]
    every = max(1, n // _POINTS)
    rounds = [t for t in range(n + 1) if t % every == 0 or t == n]
    rows, change, late_quality = [], {}, {}
    for name in names:
        by_query, mean, error = _by_round(trained, name, cuts, rounds)
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
    for name in _DDFS:
        claims[f"{name} falls less than BINARY from the middle to the late rounds."] = (
            change[name] - change["BINARY"]
        )
    claims[f"Control: {control} falls less than BINARY, too."] = change[control] - change["BINARY"]
    for name in _DDFS:
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


def _discussion(values: dict[str, Any], progress: Progress) -> Result:
    """Section 5.4: who is best among the distances."""
    size = {"n_queries": values["n_queries"], **_SIZES[values["data"]]}
    cuts = cuts_of(values["data"], size, values["seed"], values["seeds"])
    names, trained = _train(values, cuts, progress)
    quality = {name: by_depth(trained, name, cuts, discount="letor").mean(axis=1) for name in names}
    better = max(("LOGDD", "LOGITDD"), key=lambda name: quality[name].mean())
    claims = {_OVER.format(name): quality[name] - quality["BINARY"] for name in _DDFS}
    claims[f"A logarithm-based version is best: {better} ranks better than LDD."] = (
        quality[better] - quality["LDD"]
    )
    other = "LOGITDD" if better == "LOGDD" else "LOGDD"
    claims[f"LDD is behind the other two: {other} ranks better than it."] = quality[other] - quality["LDD"]
    for name in _DDFS:
        claims[_CONTROL.format(name, values["control"])] = (
            quality[name] - quality[f"BINARY × {values['control']:g}"]
        )
    bars = difference_frame(quality, "BINARY", 100.0)
    chart = Chart(
        "bars", bars, "Mean NDCG@1 … @10 over BINARY, 95 % intervals", "", "points of NDCG", digits=2
    )
    note = f"On {values['data']}. The paper’s Figure 4 has LDD 0.24 points below BINARY, against the first."
    return Result((chart,), judge(claims), note)


def _baselines(values: dict[str, Any], progress: Progress) -> Result:
    """Figure 3: seven systems on OHSUMED, or on a set like it, by LETOR's own way of counting."""
    here = values["data"] != "ohsumed-like"
    cuts = folds_here("ohsumed") if here else cuts_of("ohsumed-like", {}, values["seed"])
    cuts = cuts[: values["n_folds"]]
    systems = _seven(values)
    watch = measure("ndcg@5", convention="letor")
    trained = train(systems, cuts, progress, watch)
    depths = {s.name: by_depth(trained, s.name, cuts, convention="letor") for s in systems}
    quality = {name: own.mean(axis=1) for name, own in depths.items()}
    rest = {name: own for name, own in quality.items() if name not in _DDFS}
    claims = {}
    for name in _DDFS:
        for base in ("RankBoost", "ListNet", "AdaRank-NDCG"):
            claims[f"{name} ranks better than {base}."] = quality[name] - rest[base]
    claims["BINARY ranks better than RankBoost."] = quality["BINARY"] - quality["RankBoost"]
    claims[f"Control: LOGITDD ranks better than BINARY with every distance {values['control']:g}."] = (
        quality["LOGITDD"] - quality[f"BINARY × {values['control']:g}"]
    )
    table = pd.DataFrame(
        [
            {
                "system": name,
                **{f"@{k}": float(own[:, k - 1].mean()) for k in DEPTHS},
                "± of @5": float(own[:, 4].std(ddof=1) / np.sqrt(len(own))),
            }
            for name, own in depths.items()
        ]
    )
    n = len(quality["BINARY"])
    return Result(
        (
            Chart("lines", depth_frame(depths), "NDCG@1 … @10 on test", "k", "NDCG@k", baseline="BINARY"),
            Chart("table", table, "The same, with one standard error of NDCG@5"),
        ),
        judge(claims),
        f"{len(cuts)} of 5 folds, {n} test queries. The paper’s curves are a picture that the text at hand "
        "does not have. A difference of one point between two systems takes some 2,000 queries to tell.",
    )


def _seven(values: Mapping[str, Any]) -> tuple[System, ...]:
    n = {"n_rounds": values["n_rounds"]}
    return (
        System("RankBoost", "RankBoost", n),
        System("ListNet", "ListNet"),
        System("AdaRank-NDCG", "AdaRank", {"n_rounds": min(100, values["n_rounds"])}),
        *_systems(values),
    )


def _setting_of_seven(values: dict[str, Any]) -> Setting:
    return Setting("ohsumed-like", {}, _seven(values), values["seed"], {"letor": True, "ndcg-k": 5})


_PRINTED = published("000 MPBoost (CIKM 2009)")
_SWEEP = Way("sweep", "Sweep λ", {"sweep_start": "MPBoost.ddf.logdd"})
_SETS, _TOLD = ("ohsumed-like", "OHSUMED in data/"), "The generated set, or LETOR’s folder in data/."
_SEVEN = Param("data", "choice", "ohsumed-like", choices=_SETS, help=_TOLD)
_FOLDS = Param("n_folds", "int", 1, 1, 5, 1, help="How many of the five folds.")
_FIG4 = (queries_param(400), seeds_param(), *_parameters(0.5, 1.0, 1.0, 0.5), rounds_param(100), _TUNED, SEED)
_FIG5 = (
    queries_param(120),
    seeds_param(),
    *_parameters(0.25, 0.5, 1.0, 0.6),
    rounds_param(250),
    _TUNED,
    SEED,
)
_WEB = Param("data", "choice", "web1-like", choices=("web1-like", "web2-like"), help="The generated set.")
_FIGURE4, _FIGURE5 = _PRINTED["Figure 4"], _PRINTED["Figure 5"]
_ALL_ABOVE = dict.fromkeys(_DDFS, 1)
EXHIBITS: tuple[Exhibit, ...] = (
    Exhibit(
        "fig3",
        "Figure 3",
        "NDCG@1 … @10 on OHSUMED, seven systems",
        "The three distances rank 1 to 6 points above the baselines; LOGITDD is best at every depth.",
        _PRINTED["Figure 3"],
        "OHSUMED of LETOR 3.0, 106 queries.",
        "ohsumed-like, 106 queries, or the folder OHSUMED in data/.",
        (_SEVEN, _FOLDS, *_parameters(0.5, 1.0, 1.0, 0.5), rounds_param(100), SEED),
        _baselines,
        6.0,
        ("n_folds", "n_rounds"),
        {"n_folds": 5},
        _setting_of_seven,
        (_SWEEP,),
    ),
    Exhibit(
        "fig4",
        "Figure 4",
        "NDCG@1 … @10 on Web-1",
        "LOGDD and LOGITDD rank slightly above BINARY, LDD slightly below.",
        _FIGURE4,
        "Web-1 (Internet Mathematics 2009), 9,124 queries.",
        "web1-like, 400 queries, 60 features.",
        _FIG4,
        partial(_web, "web1-like", {"LOGDD": 1, "LOGITDD": 1, "LDD": -1}, _FIGURE4),
        5.0,
        ("n_queries", "seeds", "n_rounds"),
        {"seeds": 3},
        partial(_setting, "web1-like"),
        (_SWEEP,),
    ),
    Exhibit(
        "fig5",
        "Figure 5",
        "NDCG@1 … @10 on Web-2",
        "The distances rank 1.5 to 2.2 points above BINARY; LOGITDD is best at the top two ranks.",
        _FIGURE5,
        "Web-2, a commercial engine’s, 467 queries.",
        "web2-like, 120 queries × 60 documents × 120 features.",
        _FIG5,
        partial(_web, "web2-like", _ALL_ABOVE, _FIGURE5),
        5.0,
        ("n_queries", "seeds", "n_rounds"),
        {"seeds": 4},
        partial(_setting, "web2-like"),
        (_SWEEP,),
    ),
    Exhibit(
        "fig6",
        "Figure 6",
        "Test NDCG@5 by round on Web-2",
        "BINARY peaks around round 90 and then overfits seriously; the distances stay where they are.",
        _PRINTED["Figure 6"],
        "Web-2, 467 queries, five folds, every tenth round.",
        "web2-like, 120 queries × 60 documents × 120 features.",
        tuple(p for p in _FIG5 if p.name != "chosen"),
        _overfitting,
        6.0,
        ("n_queries", "seeds", "n_rounds"),
        {"seeds": 4},
        partial(_setting, "web2-like"),
        (_SWEEP,),
    ),
    Exhibit(
        "discussion",
        "Section 5.4",
        "Which of the three distances",
        "All three beat BINARY on all sets (Figure 4 says otherwise of LDD); a logarithm’s is best.",
        _PRINTED["Section 5.4"],
        "All three sets.",
        "A generated set of one’s choice.",
        (
            _WEB,
            queries_param(240),
            seeds_param(),
            *_parameters(0.5, 1.0, 1.0, 0.5),
            rounds_param(100),
            _TUNED,
            SEED,
        ),
        _discussion,
        4.0,
        ("n_queries", "seeds", "n_rounds"),
        {"seeds": 4},
        lambda values: _setting(values["data"], values),
        (_SWEEP,),
    ),
)
