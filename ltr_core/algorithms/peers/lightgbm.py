"""LightGBM's rankers (Ke et al., NeurIPS 2017), as a user would train them.

Trees grow leaf by leaf on histograms. Decisions: `deterministic` and column-wise histograms, so that the
model does not depend on the number of threads; everything not listed here is at the library's default.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...data import RankingData
from ...params import Param
from .base import (
    NATIVE,
    PeerRanker,
    objective_param,
    rate_param,
    trees_param,
    whole_grades,
    with_extra,
)
from .trainer import PeerFollower, PeerTrainer


class LightGBM(PeerRanker):
    """LightGBM: gradient-boosted trees, on LambdaRank's slopes by default.

    Parameters
    ----------
    objective : {"lambdarank", "rank_xendcg", "regression"}
        What is minimised. The first two take whole grades from 0 to 30.
    n_trees, n_leaves : int
        Number of trees, and of leaves in each.
    learning_rate : float
        How much of each tree is added.
    min_leaf : int
        Least number of documents in a leaf.
    extra : dict, optional
        Further parameters of the library, such as ``{"subsample": 0.8}``; `params` is another name for it.
    """

    label = "LightGBM"
    package = "lightgbm"
    paper = "peer"
    section = "Ke et al. 2017"
    summary = "The LightGBM library's gradient-boosted trees: LambdaMART, XE-NDCG or regression."
    params = (
        objective_param("lambdarank", "rank_xendcg", "regression"),
        trees_param(),
        Param("n_leaves", "int", 31, 2, 1024, 1, log=True, help="Leaves of each tree."),
        rate_param(),
        Param("min_leaf", "int", 20, 1, 100_000, 1, log=True, help="Least number of documents in a leaf."),
    )

    def _start(self, data: RankingData, values: dict[str, Any]) -> PeerTrainer:
        library = self.library()
        if values["objective"] != "regression":
            whole_grades(data, self.label, values["objective"], 30, "regression")
        settings = {
            "objective": values["objective"],
            "num_leaves": values["n_leaves"],
            "learning_rate": values["learning_rate"],
            "min_data_in_leaf": values["min_leaf"],
            "seed": values["random_state"] % 2**31,  # the library's seeds are signed
            "deterministic": True,
            "force_col_wise": True,
            "verbosity": -1,
        }
        settings = with_extra(settings, self.extra, self.label)
        return _Trainer(library, settings, data)

    def _rebuild(self, text: str) -> Any:
        return self.library().Booster(model_str=text)

    def _count(self, model: Any) -> int:
        return model.num_trees()

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        if iteration == 0:
            return np.zeros(len(X))
        with NATIVE:
            return self.model_.predict(X, num_iteration=iteration, raw_score=True)

    def _contributions(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict(X, pred_contrib=True)

    def _gains(self) -> ArrayLike:
        return self.model_.feature_importance("gain")


class _Trainer(PeerTrainer):
    """One training of LightGBM."""

    def __init__(self, library: Any, settings: dict[str, Any], data: RankingData) -> None:
        super().__init__("LightGBM", data, settings["objective"] != "regression", NATIVE)
        self.library, self.settings = library, settings
        self.booster: Any = None

    def boost(self) -> bool:
        if self.booster is None:
            rows = self.library.Dataset(
                self.data.X, self.data.y, group=np.diff(self.data.offsets), params=self.settings
            )
            self.booster = self.library.Booster(self.settings, rows)
        return not self.booster.update()

    def add_round(self, follower: PeerFollower) -> np.ndarray:
        return follower.scores + self.booster.predict(
            follower.data.X, start_iteration=self.n_rounds - 1, num_iteration=1, raw_score=True
        )

    def text(self) -> str:
        return self.booster.model_to_string(num_iteration=self.n_rounds)
