"""One training of the network under way, and data sets that follow it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import stopping
from ...data import RankingData
from ...errors import DataError
from .kernels import Adam, Net, _run_epoch, n_decayed, n_weights, score_documents
from .mean_loss import MeanLoss
from .query_loss import QueryLoss
from .scaling import standardiser


@dataclass(frozen=True)
class Goal:
    """What is minimised, and what the history shows of it.

    Attributes
    ----------
    loss, shown_loss, option
        The loss of a query, the one that the history shows, and the loss's own parameter.
    pairwise, per_pair : bool
        Whether the loss is over queries with pairs only, and whether it is the mean over pairs.
    start_bias : float or None
        The output's bias to start from; None leaves it at 0, untrained.
    """

    loss: QueryLoss
    shown_loss: QueryLoss
    option: float
    pairwise: bool
    per_pair: bool
    start_bias: float | None


class NetworkFollower:
    """The scores and the loss of one data set."""

    def __init__(self, trainer: NetworkTrainer, data: RankingData) -> None:
        self.trainer = trainer
        goal = trainer.goal
        self._mean = MeanLoss(data, goal.shown_loss, goal.option, goal.pairwise, goal.per_pair)
        self.queries = self._mean.queries
        self.scores = np.empty(data.n_docs)
        self.advance()

    def values(self) -> dict[str, float]:
        """Return the mean loss."""
        return {"loss": self._mean.at(self.scores)}

    def advance(self) -> None:
        """Score the documents with the network as it is now."""
        score_documents(self.queries.X, self.trainer.net, self.scores)
        stopping.look()


class NetworkTrainer(NetworkFollower):
    """One training; the training data follow it like any other set.

    Parameters
    ----------
    goal : Goal
        What is minimised and shown.
    data : RankingData
        The training data.
    taught : array of bool
        The queries that have something to teach: the others are not visited.
    hidden, step_size, l2
        The network's parameters.
    seed : int
        Draws the first weights, the order of the queries, and orders among equal grades.
    query_weight : array, optional
        By what each query's loss counts; those of weight 0 are not visited.
    """

    def __init__(
        self,
        goal: Goal,
        data: RankingData,
        taught: np.ndarray,
        hidden: int,
        step_size: float,
        l2: float,
        seed: int,
        query_weight: np.ndarray | None = None,
    ) -> None:
        self.goal, self.step_size, self.l2 = goal, step_size, l2
        if goal.pairwise and not data.n_pairs:
            raise DataError(
                "no query of the training data has two documents of different grades",
                "give data with grades to tell apart",
            )
        self.query_weight = np.ones(data.n_queries) if query_weight is None else query_weight
        self.taught = np.flatnonzero(taught & (self.query_weight > 0))
        self.rng = np.random.default_rng(seed)
        mean, scale = standardiser(data.X)
        weights = self._first_weights(scale, hidden, goal.start_bias or 0.0)
        self.net = Net(hidden, mean, scale, weights)
        self.adam = Adam(np.zeros(len(weights)), np.zeros(len(weights)))
        self.n_free = len(weights) - (goal.start_bias is None)
        self.n_decayed = n_decayed(data.n_features, hidden)
        self.n_steps = 0
        self.stages = [weights.copy()]
        super().__init__(self, data)

    def _first_weights(self, scale: np.ndarray, hidden: int, bias: float) -> np.ndarray:
        d = len(scale)
        weights = np.zeros(n_weights(d, hidden))
        if hidden:
            into = self.rng.uniform(-1.0, 1.0, (d, hidden)) * np.sqrt(6.0 / (d + hidden))
            weights[: d * hidden] = (into * (scale > 0)[:, None]).ravel()
            out = self.rng.uniform(-1.0, 1.0, hidden) * np.sqrt(6.0 / (hidden + 1))
            weights[d * hidden : (d + 1) * hidden] = out
        weights[-1] = bias
        return weights

    def step(self) -> bool:
        """Run one epoch."""
        if not len(self.taught):
            return False
        visits = self.rng.permutation(self.taught)
        seed = self.rng.integers(2**64, dtype=np.uint64)
        pace = (self.n_free, self.n_decayed, self.step_size, self.l2, self.n_steps)
        held = (self.goal.loss, self.goal.option, self.queries, visits, self.query_weight)
        _run_epoch(*held, seed, self.net, self.adam, *pace, stopping.cell())
        stopping.look()
        self.n_steps += len(visits)
        self.stages.append(self.net.weights.copy())
        self.advance()
        return True

    def follow(self, data: RankingData) -> NetworkFollower:
        """Start following another data set."""
        return NetworkFollower(self, data)
