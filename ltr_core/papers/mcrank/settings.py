"""What McRank's exhibits share: the two sets, the trees' number, what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import datasets
from ...data import split
from ...params import Param
from ..exhibit import System, Way, exhibits_of
from ..published import published
from ..training import SEED, Cut, queries_param

PAPER = "004 McRank (NIPS 2007)"
PRINTED = published(PAPER)
WEB = "Artificial, Web-1, Web-2, Web-3: 10,000 to 26,000 queries."
HERE = "cubic, 500 queries × 20 documents × 10 features, or engine."
SETS = Param("data", "choice", "cubic", choices=("cubic", "engine"), help="The generated set.")
TREES = Param("n_trees", "int", 100, 5, 1_000, 10, help="Trees of each class.")
COMMON = (SETS, queries_param(500), TREES, SEED)
GROWS = ("n_queries", "n_trees")
SIZES: dict[str, dict[str, Any]] = {
    "cubic": {"n_docs": 20, "n_features": 10},
    "engine": {"part": "L2", "n_features": 40, "n_unlabelled": 0, "n_judged": 20},
}

exhibit = exhibits_of(PAPER)


def inspect(algorithm: str, view: str) -> Way:
    """Return the way to a side of a model on Inspect, trained on the cubic set."""
    on = {"data": "cubic", **{f"cubic-{name}": n for name, n in SIZES["cubic"].items()}, "look_view": view}
    return Way("inspect", f"{algorithm} on Inspect", on, (System(algorithm, algorithm, {"n_trees": 100}),))


def size_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the size of the chosen set: of engine only the part L2 is taken, a third and less."""
    n = values["n_queries"]
    return {**SIZES[values["data"]], "n_queries": n * (1 if values["data"] == "cubic" else 3)}


def cuts_of_sets(values: Mapping[str, Any]) -> list[Cut]:
    """Return training, validation and test for each seed."""
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values.get("seeds", 1)):
        training, valid, test = split(
            datasets.make(values["data"], seed, **size_of(values)), (0.4, 0.2, 0.4), seed
        )
        cuts.append((training, valid, test))
    return cuts
