"""The general boosting method (paper 002, Algorithm 1): trees fitted to a risk's quadratic bound."""

from __future__ import annotations

import numba
import numpy as np

from ... import stopping
from ...data import RankingData
from ...threads import may_run_parallel, serial_only, share_out
from ..binning.bins import Binned
from ..trees import Balance, Forest, GrowingSpace, Tree, TreeGrower, WholeWeights, add_binned, whole_weights
from .risk import Risk

_FIRST = 64  # documents
_APART_FROM = 200_000  # documents × features: trees of several outputs are grown beside one another
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
        self._direction = np.empty(risk.data.n_docs)  # room
        self.trees: list[Tree] = []
        self._spaces: dict[tuple[bool, int], GrowingSpace] = {}  # one for each tree that is grown at a time
        self._balance: Balance | None = None
        self._take_in()
        self._nothing = _NOTHING * self._largest_pull()

    def step(self) -> bool:
        """Add one tree for each output; False when no tree finds a split."""
        if self._at_rest():
            return False
        self._balance = self._balanced()
        n, grown = self.risk.n_outputs, dict[int, tuple[Tree, bool]]()
        apart = self._grow_apart(grown)
        self._grow_outputs(apart, n, 0, grown)
        trees = [grown[k][0] for k in range(n)]
        if all(whole for _, whole in grown.values()):
            for k in range(n):
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

    def _space(self, weight: np.ndarray | None, place: int) -> GrowingSpace:
        weighted = weight is not None
        if (weighted, place) not in self._spaces:
            whole = self._whole(weight)
            space = GrowingSpace(self.binned, self.n_leaves, weighted, signs=self._signs, whole=whole)
            self._spaces[weighted, place] = space
        return self._spaces[weighted, place]

    def _whole(self, weight: np.ndarray | None) -> WholeWeights | None:
        """Return weights in whole numbers, if all trees have the same ones and it serves."""
        if weight is None or self.risk.n_outputs > 1 or self.risk.renews_curvature:
            return None
        whole = whole_weights(weight)
        return whole if whole is not None and whole.serve(self.n_leaves, self.min_leaf) else None

    def _balanced(self) -> Balance | None:
        """Return what the round's outputs share where their pulls cancel, unless that saves nothing."""
        risk = self.risk
        if not risk.pulls_cancel or risk.n_outputs == 1 or risk.in_turn or risk.weighs_splits:
            return None
        return Balance(risk.pull) if self._space(None, 0).saves(risk.n_outputs) else None

    def _grow_apart(self, grown: dict[int, tuple[Tree, bool]]) -> int:
        """Grow as many trees as threads can share out evenly, each its own; return how many.

        Threads that share the features of one tree meet at every split: 100 rounds of five classes on 100,000
        documents take 1.38 s so, 1.19 with two trees on each of two threads and the fifth shared.
        """
        cells, n_threads = self.binned.bins.size, numba.get_num_threads()
        with may_run_parallel(cells, _APART_FROM) as parallel:
            each = self.risk.n_outputs // n_threads if parallel and not self.risk.in_turn else 0
            if each == 0 or n_threads == 1:
                return 0
            limits = [each * part for part in range(n_threads + 1)]
            flags = stopping.flags()

            def grow(first: int, last: int) -> None:
                with serial_only(), stopping.under(flags):
                    self._grow_outputs(first, last, first, grown)

            share_out(grow, limits, cells=cells, threshold=_APART_FROM)
            return limits[-1]

    def _grow_outputs(self, first: int, last: int, place: int, grown: dict[int, tuple[Tree, bool]]) -> None:
        """Grow the trees of some outputs, one after the other in one space."""
        for k in range(first, last):
            if k > 0 and self.risk.in_turn:
                self._evaluate()
            grown[k] = tree, whole = self._grow(k, place)
            if whole:
                self.h[k] += tree.value[0]

    def _grow(self, k: int, place: int) -> tuple[Tree, bool]:
        """Grow the tree of one output and add it to the scores, unless it is a single leaf."""
        risk = self.risk
        pull = risk.pull[k]
        curvature = None if risk.curvature is None else risk.curvature[k]
        weight = curvature if risk.weighs_splits else None
        space = self._space(weight, place)
        grower = TreeGrower(space, pull, weight, self.min_leaf, self._balance, k).grow()
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
        self._direction[:] = 0.0
        grower.add_to(values, self._direction)
        return self.risk.step_length(self.h[0], self._direction)


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
