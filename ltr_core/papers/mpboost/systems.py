"""The systems of MPBoost's figures: BINARY, the three distances, and a control of ours.

"BINARY × c" is BINARY with all distances made c. It has no magnitudes, and its steps are c² as long: whatever
a distance gains over BINARY and not over this, shorter steps gain too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...measures import Measure, measure
from ...params import Param
from ..exhibit import Setting, System, Way
from ..progress import Progress
from ..training import Cut, Trained, best_on_validation, queries_param, rounds_param, seeds_param, train

DDFS = ("LDD", "LOGDD", "LOGITDD")
OVER = "{} ranks better than BINARY."
CONTROL = "Control: {} ranks better than BINARY with every distance {:g}."
SWEEP = Way("sweep", "Sweep λ", {"sweep_start": "MPBoost.ddf.logdd", "sweep_axes": '{"lam":[0.1,10,9,1]}'})
_TUNABLE = ("alpha", "lam", "beta")
SIZES: dict[str, dict[str, Any]] = {
    "web1-like": {"n_features": 60},
    "web2-like": {"n_docs": 60, "n_features": 120},
    "ohsumed-like": {},
}
TUNED = Param(
    "chosen",
    "choice",
    "fixed",
    choices=("fixed", "by validation"),
    help="As they are set; or half, once or twice that, for each fold the best on validation.",
)


def ndcg(depth: int = 5) -> Measure:
    """The paper's own NDCG: weight 1 at the first two ranks, 1 / log₂ j after."""
    return measure(f"ndcg@{depth}", discount="letor")


def parameters(alpha: float, lam: float, beta: float, c: float) -> tuple[Param, ...]:
    """Return the parameters of the five, with these defaults."""
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


def systems(values: Mapping[str, Any]) -> tuple[System, ...]:
    """Return BINARY, its control, and the three distances, with the parameters that are set."""
    own = {
        "BINARY": {"ddf": "binary"},
        f"BINARY × {values['control']:g}": {"ddf": "binary", "scale": values["control"]},
        "LDD": {"ddf": "ldd", "alpha": values["alpha"]},
        "LOGDD": {"ddf": "logdd", "lam": values["lam"]},
        "LOGITDD": {"ddf": "logitdd", "beta": values["beta"]},
    }
    return tuple(
        System(name, "MPBoost", {**params, "n_rounds": values["n_rounds"]}) for name, params in own.items()
    )


def train_five(
    values: Mapping[str, Any], cuts: Sequence[Cut], progress: Progress
) -> tuple[list[str], Trained]:
    """Train the five; where parameters are chosen, take for each fold the best on validation."""
    five = systems(values)
    names = [system.name for system in five]
    if values.get("chosen", "fixed") == "fixed":
        return names, train(five, cuts, progress, ndcg())
    tried: dict[str, list[System]] = {}
    for system in five:
        name = next((p for p in _TUNABLE if p in system.params), None)
        settings = [{name: f * system.params[name]} for f in (0.5, 1.0, 2.0)] if name else [{}]
        tried[system.name] = [
            System(f"{system.name} {number}", "MPBoost", {**system.params, **own})
            for number, own in enumerate(settings)
        ]
    trained = train([one for several in tried.values() for one in several], cuts, progress, ndcg())
    best = {}
    for name, several in tried.items():
        for cut in range(len(cuts)):
            models = [trained[one.name, cut] for one in several]
            best[name, cut] = max(models, key=lambda model: best_on_validation(model, "ndcg@5"))
    return names, best


def setting(data: str, values: dict[str, Any]) -> Setting:
    """Return what other pages open: the set and the five."""
    size = {"n_queries": values["n_queries"], **SIZES[data]}
    return Setting(data, size, systems(values), values["seed"], {"ndcg-k": 5, "ndcg-discount": "letor"})


WEB_2_HERE = "web2-like, 120 queries × 60 documents × 120 features."


def web_2(seeds: int, n_rounds: int) -> tuple[Param, ...]:
    """Return the parameters of the figures on web2-like, with these defaults."""
    return (
        queries_param(120),
        seeds_param(seeds),
        *parameters(0.25, 0.5, 1.0, 0.6),
        rounds_param(n_rounds),
    )
