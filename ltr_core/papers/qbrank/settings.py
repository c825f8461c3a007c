"""What QBRank's exhibits share: the parts of engine, the trees' number, what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import datasets
from ...data import RankingData
from ...params import Param
from ..exhibit import System, Way, exhibits_of
from ..published import published
from ..training import SEED, queries_param

PAPER = "002 General boosting / QBRank (NIPS 2007)"
PRINTED = published(PAPER)
SETS = "A commercial engine: L1 2,000, L2 1,300, L3 1,400 queries."
HERE = "engine, parts L1, L2 and L3 in the paper’s proportions, 2,350 queries."
TREES = Param("n_trees", "int", 60, 5, 500, 10, help="Trees of each booster.")
JUDGED = {"n_judged": 31, "n_unlabelled": 0, "n_features": 40}
COMMON: dict[str, Any] = {
    "paper_data": SETS,
    "our_data": HERE,
    "params": (queries_param(2_350), TREES, SEED),
    "grows": ("n_queries", "n_trees"),
}

exhibit = exhibits_of(PAPER)


def inspect(label: str, algorithm: str) -> Way:
    """Return the way to Inspect with one of the two boosters, on L2."""
    on = {"data": "engine", "engine-part": "L2", **{f"engine-{name}": n for name, n in JUDGED.items()}}
    return Way("inspect", f"{label} on Inspect", on, (System(label, algorithm, {"n_trees": 60}),))


def part_of(values: Mapping[str, Any], part: str) -> RankingData:
    """Return a part of engine: L1, L2, L3, or some of them together."""
    noise = {"l1_noise": values["l1_noise"]} if "l1_noise" in values else {}
    size = {**JUDGED, "n_queries": values["n_queries"], "part": part, **noise}
    return datasets.make("engine", values["seed"], **size)
