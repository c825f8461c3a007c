"""What FRank's exhibits share: its web data as engine draws them, its systems, what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import datasets
from ...data import RankingData, split
from ..exhibit import Setting, System, exhibits_of
from ..published import published
from ..training import SEED, Cut, queries_param, rounds_param, seeds_param

PAPER = "003 FRank (SIGIR 2007)"
PRINTED = published(PAPER)
FRANK, TWO, ONE, BOOST = "FRank", "RankNet, two layers", "RankNet, linear", "RankBoost"
NOTE = (
    "The paper’s own difference, half a point, took 3,800 test queries, and its boosters 270 rounds: after "
    "60 they still rise."
)
EPOCHS = 25
SPLIT = (0.5, 0.2, 0.3)  # of the queries
_L2 = 1_300 / 4_700  # the share of engine's queries that are in its part L2

exhibit = exhibits_of(PAPER)


def _size(values: Mapping[str, Any]) -> dict[str, Any]:
    noise = {"noise": values["noise"]} if "noise" in values else {}
    return {"part": "L2", "n_features": 60, "n_queries": round(values["n_queries"] / _L2), **noise}


def web_data(values: Mapping[str, Any], seed: int) -> RankingData:
    """Return the set of so many queries of L2."""
    return datasets.make("engine", seed, **_size(values))


def cuts_of_web(values: Mapping[str, Any]) -> list[Cut]:
    """Return training, validation and test for each seed."""
    cuts: list[Cut] = []
    for seed in range(values["seed"], values["seed"] + values.get("seeds", 1)):
        training, valid, test = split(web_data(values, seed), SPLIT, seed)
        cuts.append((training, valid, test))
    return cuts


def systems(values: Mapping[str, Any]) -> tuple[System, ...]:
    """Return FRank and the learners that it is compared with on the web data."""
    n = {"n_rounds": values["n_rounds"]}
    return (
        System(FRANK, "FRank", {**n, "max_bins": 64}),
        System(TWO, "RankNet", {"hidden": 10, "epochs": EPOCHS}),
        System(BOOST, "RankBoost", n),
        System(ONE, "RankNet", {"epochs": EPOCHS}),
    )


def _setting(values: dict[str, Any]) -> Setting:
    return Setting("engine", _size(values), systems(values), values["seed"])


ENGINE = "A commercial engine: 12,000 / 3,800 / 3,800 queries, 619 features."
HERE = "engine, part L2: 600 queries × 32 documents, 60 features."
TRAINED: dict[str, Any] = {
    "paper_data": ENGINE,
    "our_data": HERE,
    "params": (queries_param(600), rounds_param(60, 500), SEED),
    "grows": ("n_queries", "n_rounds"),
    "setting": _setting,
}
SEVERAL: dict[str, Any] = {
    **TRAINED,
    "params": (queries_param(600), seeds_param(3), rounds_param(60, 500), SEED),
    "grows": ("n_queries", "seeds", "n_rounds"),
    "in_full": {"n_rounds": 270},  # the paper's best rounds are 271 and, of RankBoost, 224
}
