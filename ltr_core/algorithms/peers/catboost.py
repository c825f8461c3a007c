"""CatBoost's rankers (Prokhorenkova et al., NeurIPS 2018), as a user would train them.

Trees are oblivious: one split for each level. The library trains in one call, so that call runs in a thread
of its own and waits after each round for the round loop. The scores of a round are what a user-defined
measure is given: the library calls it for the training data, then for each evaluation set, on the calling
thread. Everything not listed here is at the library's default.
"""

from __future__ import annotations

import base64
import tempfile
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...data import RankingData
from .base import NATIVE, PeerRanker, depth_param, objective_param, rate_param, trees_param, with_extra
from .trainer import PeerFollower, PeerTrainer


class CatBoost(PeerRanker):
    """CatBoost: boosted oblivious trees with the library's ranking losses.

    Parameters
    ----------
    objective : {"YetiRank", "PairLogit", "QueryRMSE"}
        What is minimised.
    n_trees, depth : int
        Number of trees, and levels of each.
    learning_rate : float
        How much of each tree is added.
    extra : dict, optional
        Further parameters of the library, such as ``{"subsample": 0.8}``; `params` is another name for it.
    """

    label = "CatBoost"
    package = "catboost"
    paper = "peer"
    section = "Prokhorenkova et al. 2018"
    summary = "The CatBoost library's oblivious trees: YetiRank, logistic pairs or a query's squared error."
    params = (
        objective_param("YetiRank", "PairLogit", "QueryRMSE"),
        trees_param(),
        depth_param(6, 12),
        rate_param(),
    )

    def _start(self, data: RankingData, values: dict[str, Any]) -> PeerTrainer:
        settings = {
            "loss_function": values["objective"],
            "iterations": values["n_trees"],
            "depth": values["depth"],
            "learning_rate": values["learning_rate"],
            "random_seed": values["random_state"],
            "allow_writing_files": False,
            "logging_level": "Silent",
            "use_best_model": False,
        }
        settings = with_extra(settings, self.extra, self.label)
        return _Trainer(self.library(), settings, data)

    def _rebuild(self, text: str) -> Any:
        return self.library().CatBoost().load_model(blob=base64.b64decode(text, validate=True))

    def _count(self, model: Any) -> int:
        return model.tree_count_

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        return next(islice(self._staged(X, offsets), iteration, None))

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        scores = np.zeros(len(X))
        yield scores
        if self.n_iter_:
            with NATIVE:
                leaves = self.model_.calc_leaf_indexes(X)
                values, counts = self.model_.get_leaf_values(), self.model_.get_tree_leaf_counts()
            # Leaf by leaf in the order of the trees: the library's own sums depend on how rows are batched.
            for tree, of_tree in enumerate(np.split(values, np.cumsum(counts)[:-1])):
                scores = scores + of_tree[leaves[:, tree]]
                yield scores

    def _contributions(self, X: np.ndarray) -> np.ndarray:
        return self.model_.get_feature_importance(self.library().Pool(X), type="ShapValues")

    def _gains(self) -> ArrayLike:
        return self.model_.get_feature_importance(type="PredictionValuesChange")


class _Channel:
    """What the library's thread and the round loop tell each other."""

    def __init__(self) -> None:
        self.go, self.done = threading.Semaphore(0), threading.Semaphore(0)
        self.stopped, self.finished = False, False
        self.scores: list[np.ndarray] = []  # of the round under way: training data first
        self.error: BaseException | None = None
        self.model: Any = None


class _Watcher:
    """Callback and measure in one: sees each round's scores and waits for the word to go on."""

    no_jit = True  # the library would otherwise try to compile `evaluate`, and warn that it cannot

    def __init__(self, channel: _Channel) -> None:
        self.channel = channel
        self.told: list[np.ndarray] = []

    def __deepcopy__(self, memo: Any) -> _Watcher:
        return self  # the library copies its settings

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        self.told.append(np.array(approxes[0]))
        return 0.0, 1.0

    def is_max_optimal(self) -> bool:
        return True

    def get_final_error(self, error: float, weight: float) -> float:
        return error

    def after_iteration(self, info: Any) -> bool:
        self.channel.scores, self.told = self.told, []
        self.channel.done.release()
        self.channel.go.acquire()
        return not self.channel.stopped


class _Trainer(PeerTrainer):
    """One training of CatBoost."""

    def __init__(self, library: Any, settings: dict[str, Any], data: RankingData) -> None:
        self.channel = _Channel()
        self.followers: list[PeerFollower] = [self]
        self.library, self.settings = library, settings
        self.thread: threading.Thread | None = None
        super().__init__("CatBoost", data, True, NATIVE)

    def follow(self, data: RankingData) -> PeerFollower:
        self.followers.append(super().follow(data))
        return self.followers[-1]

    def boost(self) -> bool:
        if self.thread is None:
            pools = [
                self.library.Pool(
                    f.data.X,
                    f.data.y,
                    group_id=np.repeat(np.arange(f.data.n_queries), np.diff(f.data.offsets)),
                )
                for f in self.followers
            ]
            self.thread = threading.Thread(
                target=_train, args=(self.library, self.settings, pools, self.channel), daemon=True
            )
            self.thread.start()
        else:
            self.channel.go.release()
        self.channel.done.acquire()
        if self.channel.error is not None:
            raise self.channel.error
        return not self.channel.finished

    def add_round(self, follower: PeerFollower) -> np.ndarray:
        return self.channel.scores[self.followers.index(follower)]

    def text(self) -> str:
        assert self.thread is not None
        self.thread.join()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "model.cbm"
            self.channel.model.save_model(str(file), format="cbm")
            return base64.b64encode(file.read_bytes()).decode()

    def close(self) -> None:
        """Let the library's thread come to its end."""
        self.channel.stopped = True
        self.channel.go.release()

    def __del__(self) -> None:
        self.close()


def _train(library: Any, settings: dict[str, Any], pools: list[Any], channel: _Channel) -> None:
    """Run the library's one call; knows the channel only, so that a trainer left alone can be collected."""
    try:
        watcher = _Watcher(channel)
        model = library.CatBoost({**settings, "eval_metric": watcher})
        model.fit(pools[0], eval_set=pools[1:] or None, callbacks=[watcher])
        channel.model = model
        channel.finished = True
    except BaseException as error:  # handed to the thread that waits for the round
        channel.error = error
    channel.done.release()
