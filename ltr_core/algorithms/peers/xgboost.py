"""XGBoost's rankers (Chen & Guestrin, KDD 2016), as a user would train them.

Trees grow level by level on histograms. Decisions: two threads on every machine, since partial sums are added
thread by thread and a model must not depend on the machine; the score starts at 0, a constant that no order
sees; everything not listed here is at the library's default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...data import RankingData
from .base import (
    NATIVE,
    PeerRanker,
    depth_param,
    objective_param,
    rate_param,
    trees_param,
    whole_grades,
    with_extra,
)
from .trainer import PeerFollower, PeerTrainer

_THREADS = 2


class XGBoost(PeerRanker):
    """XGBoost: gradient-boosted trees on the slopes of LambdaMART or of pairs.

    Parameters
    ----------
    objective : {"rank:ndcg", "rank:pairwise"}
        What is minimised. The first takes whole grades from 0 to 31.
    n_trees, depth : int
        Number of trees, and levels of each.
    learning_rate : float
        How much of each tree is added.
    extra : dict, optional
        Further parameters of the library, such as ``{"subsample": 0.8}``; `params` is another name for it.
    """

    label = "XGBoost"
    package = "xgboost"
    paper = "peer"
    section = "Chen & Guestrin 2016"
    summary = "The XGBoost library's gradient-boosted trees: LambdaMART or RankNet's pairs."
    params = (
        objective_param("rank:ndcg", "rank:pairwise"),
        trees_param(),
        depth_param(6, 16),
        rate_param(0.3),
    )

    def _start(self, data: RankingData, values: dict[str, Any]) -> PeerTrainer:
        library = self.library()
        if values["objective"] == "rank:ndcg":
            whole_grades(data, self.label, "rank:ndcg", 31, "rank:pairwise")
        settings = {
            "objective": values["objective"],
            "max_depth": values["depth"],
            "eta": values["learning_rate"],
            "seed": values["random_state"] % 2**31,
            "tree_method": "hist",
            "base_score": 0.0,
            "nthread": _THREADS,
            "verbosity": 0,
        }
        settings = with_extra(settings, self.extra, self.label)
        return _Trainer(library, settings, data)

    def _rebuild(self, text: str) -> Any:
        return self.library().Booster({"nthread": _THREADS}, model_file=bytearray(text.encode()))

    def _count(self, model: Any) -> int:
        return model.num_boosted_rounds()

    def _matrix(self, X: np.ndarray) -> Any:
        return self.library().DMatrix(X, nthread=_THREADS)

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        if iteration == 0:
            return np.zeros(len(X))
        with NATIVE:
            scores = self.model_.predict(self._matrix(X), iteration_range=(0, iteration), output_margin=True)
        return scores.astype(np.float64)

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        scores = np.zeros(len(X), dtype=np.float32)
        yield scores.astype(np.float64)
        rows = self._matrix(X)
        for iteration in range(self.n_iter_):
            with NATIVE:
                scores = scores + _margin(self.model_, rows, iteration)
            yield scores.astype(np.float64)

    def _contributions(self, X: np.ndarray) -> np.ndarray:
        return self.model_.predict(self._matrix(X), pred_contribs=True)

    def _gains(self) -> ArrayLike:
        found = self.model_.get_score(importance_type="total_gain")
        return [found.get(f"f{k}", 0.0) for k in range(self.n_features_in_)]


def _margin(model: Any, rows: Any, iteration: int) -> np.ndarray:
    """Return what one tree adds: added up in float32 it gives the library's own scores, bit for bit."""
    return model.predict(rows, iteration_range=(iteration, iteration + 1), output_margin=True)


class _Trainer(PeerTrainer):
    """One training of XGBoost."""

    def __init__(self, library: Any, settings: dict[str, Any], data: RankingData) -> None:
        super().__init__("XGBoost", data, True, NATIVE)
        self.library, self.settings = library, settings
        self.booster: Any = None
        self.matrices: dict[int, Any] = {}

    def boost(self) -> bool:
        if self.booster is None:
            rows = self._matrix(self)
            self.booster = self.library.Booster(self.settings, cache=[rows])
        self.booster.update(self._matrix(self), self.n_rounds)
        return True

    def add_round(self, follower: PeerFollower) -> np.ndarray:
        added = _margin(self.booster, self._matrix(follower), self.n_rounds - 1)
        return (follower.scores.astype(np.float32) + added).astype(np.float64)

    def text(self) -> str:
        return bytes(self.booster.save_raw("json")).decode()

    def _matrix(self, follower: PeerFollower) -> Any:
        if id(follower) not in self.matrices:
            data = follower.data
            self.matrices[id(follower)] = self.library.DMatrix(
                data.X, data.y, group=np.diff(data.offsets), nthread=_THREADS
            )
        return self.matrices[id(follower)]
