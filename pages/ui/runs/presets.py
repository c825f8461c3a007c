"""Comparisons to open with one click: one for each paper, and what a link without anything shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ltr_core import ALGORITHMS, ParameterError
from ltr_core.datasets import DATASETS

from .specs import Recipe, Workspace, recipe_of

# Slots in the order in which they are easiest to tell apart: the two greys last.
DISTINCT = (0, 1, 2, 4, 6, 5, 9, 7, 3, 8)


@dataclass(frozen=True)
class Preset:
    """A comparison: its words, its data and controls by name, and its runs, the baseline first."""

    name: str
    title: str
    paper: str
    text: str
    data: str
    runs: tuple[tuple[str, Mapping[str, Any]], ...]
    controls: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Any]:
        """Its controls by name, the data set among them."""
        return {"data": self.data, **self.controls}

    def workspace(self) -> Workspace:
        """Return its runs; those of algorithms that are not here are left out."""
        recipes: list[Recipe] = []
        for algorithm, values in self.runs:
            try:
                recipes.append(recipe_of(algorithm, values))
            except ParameterError:
                continue
        return Workspace(tuple(zip(DISTINCT, recipes, strict=False)), DISTINCT[0])

    @property
    def is_here(self) -> bool:
        """Whether its data, its baseline and the algorithm that it is about are all there."""
        return self.data in DATASETS and all(name in ALGORITHMS for name, _ in self.runs[:2])


PRESETS: tuple[Preset, ...] = (
    Preset(
        "mpboost", "Does the size of a preference matter?", "MPBoost, CIKM 2009",
        "Perfect over poor is a stronger preference than good over fair: LDD, LOGDD and LOGITDD say by how "
        "much. Their distances are also smaller than BINARY's 1, and that is shrinkage: BINARY with every "
        "distance 0.6 has as much of it and no magnitude. What the others gain beyond it is magnitude.",
        "web1-like",
        tuple(("MPBoost", {"n_rounds": 60, **ddf}) for ddf in (
            {"ddf": "binary"}, {"ddf": "ldd"}, {"ddf": "logdd"}, {"ddf": "logitdd"},
            {"ddf": "binary", "scale": 0.6})),
        {"web1-like-n_features": 80, "ndcg-k": 5},
    ),
    Preset(
        "frank", "Which loss for a pair of pages?", "FRank, SIGIR 2007",
        "The fidelity loss is bounded: a hopeless pair cannot spoil the rest. Beside it the exponential loss "
        "and the logistic one.",
        "tiny-web",
        (("RankBoost", {"n_rounds": 100}), ("FRank", {"n_rounds": 100}), ("RankNet", {}),
         ("RankNet", {"hidden": 10})),
        {"ndcg-k": 5},
    ),
    Preset(
        "mcrank", "Ranking by classification", "McRank, NIPS 2007",
        "Learn the chance of every grade, then sort by the expected grade. Against regression and against "
        "pairs.",
        "cubic",
        (("GBT", {"target": "gain"}), ("McRank", {"mode": "ordinal"}),
         ("McRank", {"mode": "classification"}), ("LambdaRank", {})),
        {"cubic-n_queries": 300, "cubic-n_docs": 20},
    ),
    Preset(
        "qbrank", "Preferences from grades, or the grades themselves?", "QBRank, NIPS 2007",
        "One boosting method for preferences, for grades, and for any mix of the two. Here on L2, queries "
        "judged in full, as in the paper's Table 1; L1, whose queries have a single grade and no pair, is a "
        "part of its own.",
        "engine",
        (("GBT", {"target": "grade", "n_leaves": 20, "learning_rate": 0.05}),
         ("QBRank", {"preference_weight": 1.0}), ("QBRank", {}), ("RankSVM", {})),
        {"engine-part": "L2", "engine-n_queries": 1_000, "engine-n_judged": 31, "engine-n_unlabelled": 0,
         "engine-n_features": 40},
    ),
    Preset(
        "featurerank", "A thousand documents to put in order", "FeatureRank",
        "Each feature ranks by itself; where they agree with the ideal order, they count more.",
        "mq2008-list-like",
        (("ListMLE", {}), *(("FeatureRank", {"n_intervals": n}) for n in (8, 16, 32))),
        {"measure": "tau_distance"},
    ),
    Preset(
        "peers", "Beside the ones you know", "LightGBM, XGBoost, CatBoost",
        "The same split, the same bins, the same measure: what you would have used anyway, next to MPBoost.",
        "cubic",
        (("LambdaMART", {}), ("LightGBM", {}), ("XGBoost", {}), ("CatBoost", {}), ("MPBoost", {})),
        {"cubic-n_queries": 300, "cubic-n_docs": 20},
    ),
)  # fmt: skip

START = PRESETS[0]


def offered() -> tuple[Preset, ...]:
    """Return the presets whose algorithms and data are there."""
    return tuple(preset for preset in PRESETS if preset.is_here)
