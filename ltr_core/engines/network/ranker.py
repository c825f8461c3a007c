"""`NetworkRanker`: the base of the gradient models. A subclass gives its loss; everything else is here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ... import stopping
from ...data import RankingData
from ...errors import ParameterError
from ...params import Param
from ...rankers.base import Ranker, as_shares
from ...rankers.effort import Effort
from ...rankers.model_file import State
from .kernels import Net, n_weights, score_documents
from .mean_loss import grade_range
from .query_loss import QueryLoss
from .trainer import Goal, NetworkTrainer

_MOST_UNITS = 512
PARAMS = (
    Param("hidden", "int", 0, 0, _MOST_UNITS, 1, help="Hidden tanh units; 0 makes the score linear."),
    Param("epochs", "int", 100, 1, 10_000, 1, log=True, help="Passes over the training queries."),
    Param("step_size", "float", 0.001, 1e-5, 1.0, log=True, help="The step size of Adam."),
    Param("l2", "float", 0.0, 0.0, 10.0, 0.001, help="How strongly weights are pulled to 0: l2 · w a step."),
)


class NetworkRanker(Ranker):
    """Base of the algorithms that train one network by gradient, one step for each query.

    The queries are visited in a fresh random order every epoch; one epoch is an iteration. The loss in the
    history is that of the model at the end of the epoch, without the l2 term: the mean over all queries
    (`pairwise`: over those with pairs; `per_pair`: over pairs). A linear model starts at 0, a hidden layer
    from Glorot's uniform weights.

    The weight of a query (`sample_weight`) multiplies its loss, and so the slope of its step; the l2 term,
    which is no query's, and the history's loss, which counts each once, stay as they are. Adam divides a step
    by the size of those before: a query of weight 2 pulls more than others, but is not the query there twice.
    One of weight 0 is not visited.

    Parameters
    ----------
    hidden : int
        Hidden tanh units; 0 makes the score linear in the features.
    epochs : int
        Passes over the training queries.
    step_size : float
        The step size of Adam.
    l2 : float
        How strongly weights are pulled to 0.
    random_state : int
        Draws the first weights, the order of the queries, and orders among equal grades.
    """

    family: ClassVar[str] = "gradient"
    weighs_queries = True
    rounds_param: ClassVar[str | None] = "epochs"
    params: ClassVar[tuple[Param, ...]] = PARAMS
    loss: ClassVar[QueryLoss]
    shown_loss: ClassVar[QueryLoss | None] = None  # what the history shows, when that is another loss
    pairwise: ClassVar[bool] = False
    per_pair: ClassVar[bool] = False
    hidden: int
    start_bias: ClassVar[float | None] = None  # None: the loss ignores a constant, no output bias is trained

    @property
    def additive(self) -> bool:  # type: ignore[override]
        """Whether `explain` is offered: a hidden layer is not a sum over features."""
        return self._units() == 0

    @property
    def base_(self) -> float:
        """What the contributions of `explain` are added to."""
        return float(self.weights_[self.iteration_, -1])

    @property
    def feature_importances_(self) -> np.ndarray:
        """The norm of each standardised feature's weights (linear: |w|), as a share of their sum."""
        d = self.n_features_in_
        weights = self.weights_[self.iteration_, : d * max(1, self._units())].reshape(d, -1)
        return as_shares(np.sqrt((weights * weights).sum(axis=1)) * (self.scale_ > 0))

    def explain(self, X: Any) -> np.ndarray:
        """Return w_k · (x_k − mean_k) / deviation_k for each document and feature."""
        if not self.additive:
            raise ParameterError(
                f"{type(self).__name__} with a hidden layer is not a sum over features and has no "
                "contributions. Train it with hidden=0."
            )
        return super().explain(X)

    def _option(self, values: dict[str, Any]) -> float:
        """Return the loss's own parameter."""
        return 0.0

    def _taught(self, low: np.ndarray, high: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return which queries have something to teach, from their lowest and highest grades and sizes."""
        return low < high if self.pairwise else sizes > 1

    def _effort(self, data: RankingData, values: dict[str, Any]) -> Effort:
        stages = 2 * 8 * (values["epochs"] + 1) * n_weights(data.n_features, values["hidden"])
        return Effort(data.n_pairs if self.pairwise else 0, stages)

    def _start(self, data: RankingData, values: dict[str, Any]) -> NetworkTrainer:
        shown, kind = self.shown_loss or self.loss, (self.pairwise, self.per_pair, self.start_bias)
        goal = Goal(self.loss, shown, self._option(values), *kind)
        taught = self._taught(*grade_range(data), np.diff(data.offsets))
        weight = values.get("query_weight")
        net = (*(values[name] for name in ("hidden", "step_size", "l2", "random_state")), weight)
        return NetworkTrainer(goal, data, taught, *net)

    def _finish(self, trainer: NetworkTrainer) -> None:
        self.mean_, self.scale_, self.hidden_ = trainer.net.mean, trainer.net.scale, trainer.net.hidden
        self.weights_ = np.array(trainer.stages)

    def _units(self) -> int:
        return self.hidden_ if hasattr(self, "hidden_") else self.hidden

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        rows = X.view()
        rows.flags.writeable = False  # as RankingData's are: the kernel has one signature
        out = np.empty(len(X))
        net = Net(self.hidden_, self.mean_, self.scale_, self.weights_[iteration])
        score_documents(rows, net, out)
        stopping.look()
        return out

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        for iteration in range(self.n_iter_ + 1):
            yield self._scores(X, offsets, iteration)

    def _explain(self, X: np.ndarray) -> np.ndarray:
        return (X - self.mean_) * (self.scale_ * self.weights_[-1, :-1])

    def _cut(self, iteration: int) -> None:
        self.weights_ = self.weights_[: iteration + 1]

    def _state(self) -> dict[str, Any]:
        return {"hidden": self.hidden_, "mean": self.mean_, "scale": self.scale_, "weights": self.weights_}

    def _set_state(self, state: State) -> None:
        d = self.n_features_in_
        self.hidden_ = state.integer("hidden", 0, _MOST_UNITS)
        self.mean_ = state.array("mean", shape=(d,))
        self.scale_ = state.array("scale", shape=(d,), low=0.0)
        self.weights_ = state.array("weights", shape=(self.n_iter_ + 1, n_weights(d, self.hidden_)))
