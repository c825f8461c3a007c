"""What MPBoost's exhibits share: the distances' parameters, the sets, what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import datasets
from ...data import RankingData
from ...params import Param
from ..exhibit import Way, exhibits_of

PAPER = "000 MPBoost (CIKM 2009)"
STEPS = Way("step_through", "Step through it", {"step_algorithm": "MPBoost"})
NO_DATA = "No data: a formula."
_PARAMETER = {"ldd": "alpha", "logdd": "lam", "logitdd": "beta"}

exhibit = exhibits_of(PAPER)
DDF = Param("ddf", "choice", "logdd", choices=("binary", "ldd", "logdd", "logitdd"), help="The distance.")
ALPHA = Param("alpha", "float", 0.2, 0.001, 10.0, 0.05, log=True, help="Slope of LDD.")
LAM = Param("lam", "float", 3.0, 0.001, 100.0, 0.5, log=True, help="λ of LOGDD: how soon it bends.")
BETA = Param("beta", "float", 0.5, 0.001, 100.0, 0.1, log=True, help="β of LOGITDD: how soon it saturates.")
SETS = Param(
    "data",
    "choice",
    "web2-like",
    choices=("web2-like", "web1-like", "ohsumed-like", "cubic"),
    help="The generated set whose grades are looked at.",
)
_SMALL = {
    "web2-like": {"n_queries": 80, "n_docs": 40, "n_features": 60},
    "web1-like": {"n_queries": 100, "n_features": 60},
    "ohsumed-like": {"n_queries": 20},
    "cubic": {"n_queries": 80, "n_docs": 40},
}


def small(values: Mapping[str, Any]) -> RankingData:
    """Return the set that is chosen, at a size that takes no time."""
    return datasets.make(values["data"], values["seed"], **_SMALL[values["data"]])


def given(ddf: str, values: Mapping[str, Any]) -> dict[str, float]:
    """Return a distance's own parameter, as MPBoost takes it."""
    name = _PARAMETER.get(ddf)
    return {name: values[name]} if name else {}
