"""The general boosting method (paper 002, Algorithm 1): trees fitted to a risk's quadratic bound."""

from __future__ import annotations

import numpy as np

from ...data import RankingData
from ..binning.bins import Binned
from ..trees import Forest, GrowingSpace, Tree, TreeGrower, add_binned
from .risk import Risk

_FIRST = 64  # documents
_NOTHING = 1e-14  # pulls this small beside the first round's are rounding: there is nothing to add


class BoostingTrainer:
    """One training: the risk, the scores, and the trees so far.

    Parameters
    ----------
    risk : Risk
        On the training data.
    binned : Binned
        The training data's features.
    n_leaves, min_leaf, learning_rate
        Shape of the trees and shrinkage.
    weight : array (n_docs,), optional
        What each document's part of the risk is multiplied by.
    signs : int64 array (n_features,), optional
        Which features scores may only rise (1) or only fall (-1) with.
    """

    def __init__(
        self,
        risk: Risk,
        binned: Binned,
        *,
        n_leaves: int,
        min_leaf: int,
        learning_rate: float,
        weight: np.ndarray | None = None,
        signs: np.ndarray | None = None,
    ) -> None:
        self.risk, self.binned, self._weight = risk, binned, weight
        self._signs = None if signs is None else signs * risk.rises
        self.before: Forest | None = None
        self.n_leaves, self.min_leaf, self.learning_rate = n_leaves, min_leaf, learning_rate
        self.start = risk.start()
        self.h = np.repeat(self.start[:, None], risk.data.n_docs, axis=1)
        self.trees: list[Tree] = []
        self._spaces: dict[bool, GrowingSpace] = {}
        self._take_in()
        self._nothing = _NOTHING * self._largest_pull()

    def step(self) -> bool:
        """Add one tree for each output; False when no tree finds a split."""
        risk = self.risk
        if self._at_rest():
            return False
        trees, stumps = [], []
        for k in range(risk.n_outputs):
            if k > 0 and risk.in_turn:
                self._evaluate()
            tree, whole = self._grow(k)
            trees.append(tree)
            if whole:
                stumps.append(k)
                self.h[k] += tree.value[0]
        if len(stumps) == risk.n_outputs:
            for k in stumps:
                self.h[k] -= trees[k].value[0]
            return False
        self.trees += trees
        self._take_in()
        return True

    def values(self) -> dict[str, float]:
        """Return the curves at the current scores."""
        return self._values

    def follow(self, data: RankingData) -> BoostingFollower:
        """Start following another data set."""
        return BoostingFollower(self, data)

    def take_up(self, start: np.ndarray, forest: Forest) -> None:
        """Take in the trees of a model that training goes on from."""
        self.start, self.before = start, forest
        self.h = first_outputs(self, self.risk.data)
        self._spaces.clear()
        self._take_in()

    def _take_in(self) -> None:
        self._values = self._evaluate()
        self.scores = self.risk.scores(self.h)

    def _evaluate(self) -> dict[str, float]:
        """Set the risk's pulls and curvatures, weighed; return its curves."""
        risk, values = self.risk, self.risk.evaluate(self.h)
        if self._weight is not None:
            risk.pull *= self._weight
            if risk.curvature is None or not risk.renews_curvature:
                risk.curvature = np.broadcast_to(self._weight, risk.pull.shape).copy()
            else:
                risk.curvature *= self._weight
        return values

    def _at_rest(self) -> bool:
        """Whether no pull is worth a tree; the first documents nearly always say that one is."""
        first = np.abs(self.risk.pull[:, :_FIRST]).max(initial=0.0)
        return not first > self._nothing and self._largest_pull() <= self._nothing

    def _largest_pull(self) -> float:
        return max(self.risk.pull.max(), -self.risk.pull.min())

    def _space(self, weighted: bool) -> GrowingSpace:
        if weighted not in self._spaces:
            self._spaces[weighted] = GrowingSpace(self.binned, self.n_leaves, weighted, signs=self._signs)
        return self._spaces[weighted]

    def _grow(self, k: int) -> tuple[Tree, bool]:
        """Grow the tree of one output and add it to the scores, unless it is a single leaf."""
        risk = self.risk
        pull = risk.pull[k]
        curvature = None if risk.curvature is None else risk.curvature[k]
        weight = curvature if risk.weighs_splits else None
        grower = TreeGrower(self._space(weight is not None), pull, weight, self.min_leaf).grow()
        sums = grower.leaf_sums(pull, curvature)
        values = self._values_of(sums) if self._signs is None else grower.in_order(sums, self._values_of)
        if len(grower.leaves) == 1:
            return grower.tree(self.learning_rate * values), True
        length = self._step_length(grower, values) if risk.n_outputs == 1 else 1.0
        if length == 0.0:
            return grower.tree(0.0 * values), True
        values = self.learning_rate * length * values
        grower.add_to(values, self.h[k])
        if risk.pull_falls and risk.n_outputs == 1 and curvature is None:
            grower.hand_on(values)
        return grower.tree(values), False

    def _values_of(self, sums: np.ndarray) -> np.ndarray:
        """Return what leaves with these sums of pulls and curvatures hold."""
        total, bound = sums.T
        bound = np.maximum(bound, self.risk.leaf_floor)
        shares = np.divide(total, bound, out=np.zeros_like(total), where=bound > 0.0)
        return self.risk.leaf_factor * shares

    def _step_length(self, grower: TreeGrower, values: np.ndarray) -> float:
        if type(self.risk).step_length is Risk.step_length:
            return 1.0
        direction = np.zeros(self.h.shape[1])
        grower.add_to(values, direction)
        return self.risk.step_length(self.h[0], direction)


def first_outputs(trainer: BoostingTrainer, data: RankingData) -> np.ndarray:
    """Return the outputs that training begins with (outputs × documents)."""
    h = np.repeat(trainer.start[:, None], data.n_docs, axis=1)
    if trainer.before is not None:
        trainer.before.add(data.X, 0, trainer.before.n_rounds, h)
    return h


class BoostingFollower:
    """Another data set, brought forward round by round in bins."""

    def __init__(self, trainer: BoostingTrainer, data: RankingData) -> None:
        self._trainer, self._done = trainer, 0
        self._risk = trainer.risk.on(data)
        self._bins = trainer.binned.transform(data)
        self._h = first_outputs(trainer, data)
        self._take_in()

    def advance(self) -> None:
        """Add the trees that the trainer has added since."""
        for tree in self._trainer.trees[self._done :]:
            add_binned(tree, self._bins, self._h[self._done % len(self._h)])
            self._done += 1
        self._take_in()

    def values(self) -> dict[str, float]:
        """Return the curves at the current scores."""
        return self._values

    def _take_in(self) -> None:
        self._values = self._risk.curves(self._h)
        self.scores = self._risk.scores(self._h)
