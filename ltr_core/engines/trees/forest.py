"""A forest for prediction: the nodes of all trees in flat arrays, each tree's behind the one before.

Trees are in the order they were grown, `n_outputs` to a round: tree t adds to output t mod n_outputs. Scores
are summed tree by tree, as in training, so that a model gives its training documents the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import njit

from ...measures.parts.base import frozen
from ...rankers.base import as_shares
from ...rankers.model_file import State
from ...threads import share_out
from .tree import Tree

_BLOCK = 256  # documents at a time: their features stay in a core's cache over all trees
_PARALLEL_FROM = 20_000  # steps of one document down one tree


@njit(nogil=True, cache=True)
def _add_trees(first, last, X, feature, threshold, left, right, value, roots, out):
    """Add trees to the scores of some documents, by feature values; tree t goes to output t mod outputs."""
    n_outputs = out.shape[0]
    for start in range(first, last, _BLOCK):
        for t in range(roots.shape[0]):
            for i in range(start, min(start + _BLOCK, last)):
                node = roots[t]
                while feature[node] >= 0:
                    node = right[node] if X[i, feature[node]] > threshold[node] else left[node]
                out[t % n_outputs, i] += value[node]


@njit(nogil=True, cache=True)
def _add_binned(first, last, bins, feature, split_bin, left, right, value, out):
    """Add one tree to the scores of some binned documents."""
    for i in range(first, last):
        node = 0
        while feature[node] >= 0:
            node = right[node] if bins[feature[node], i] > split_bin[node] else left[node]
        out[i] += value[node]


@dataclass(frozen=True)
class Forest:
    """Trees in flat arrays; children are numbered over the whole forest."""

    feature: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray
    gain: np.ndarray
    n_docs: np.ndarray
    roots: np.ndarray  # where each tree starts, and the end
    n_outputs: int

    @classmethod
    def of(cls, trees: Sequence[Tree], n_outputs: int = 1) -> Forest:
        """Put trees one behind the other."""
        roots = np.r_[0, np.cumsum([tree.n_nodes for tree in trees])].astype(np.int64)

        def joined(name: str, dtype: type, shifted: bool = False) -> np.ndarray:
            parts = [getattr(tree, name) for tree in trees]
            if shifted:
                parts = [np.where(p >= 0, p + start, -1) for p, start in zip(parts, roots[:-1], strict=True)]
            return np.concatenate([np.empty(0, dtype), *parts]).astype(dtype)

        return cls(
            joined("feature", np.int64),
            joined("threshold", np.float64),
            joined("left", np.int64, True),
            joined("right", np.int64, True),
            joined("value", np.float64),
            joined("gain", np.float64),
            joined("n_docs", np.int64),
            roots,
            n_outputs,
        )

    def then(self, other: Forest) -> Forest:
        """Return the forest with another one's trees behind its own."""
        shift, mine, theirs = len(self.feature), self.state(), other.state()
        for side in ("left", "right"):
            theirs[side] = np.where(theirs[side] >= 0, theirs[side] + shift, -1)
        theirs["roots"] = theirs["roots"][1:] + shift
        return replace(self, **{name: np.r_[mine[name], theirs[name]] for name in mine})

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots) - 1

    @property
    def n_rounds(self) -> int:
        """Number of rounds: trees of each output."""
        return self.n_trees // self.n_outputs

    def add(self, X: np.ndarray, first: int, last: int, out: np.ndarray) -> None:
        """Add the trees of some rounds to the scores `out` (outputs × documents)."""
        roots = self.roots[first * self.n_outputs : last * self.n_outputs]
        nodes = (self.feature, self.threshold, self.left, self.right, self.value, roots)
        args, cells = (frozen(X), *map(frozen, nodes), out), len(X) * len(roots)
        share_out(_add_trees, range(len(X) + 1), *args, cells=cells, threshold=_PARALLEL_FROM)

    def staged(self, X: np.ndarray, out: np.ndarray) -> Iterator[np.ndarray]:
        """Yield `out` as it is and after each round's trees were added."""
        yield out
        for done in range(self.n_rounds):
            self.add(X, done, done + 1, out)
            yield out

    def first(self, n_rounds: int) -> Forest:
        """Return the forest of the first rounds."""
        roots = self.roots[: n_rounds * self.n_outputs + 1]
        nodes = {name: values[: roots[-1]] for name, values in self.state().items() if name != "roots"}
        return replace(self, **nodes, roots=roots)

    def importances(self, n_features: int) -> np.ndarray:
        """Return each feature's share of all gains (all 0 in a forest without splits)."""
        inner = self.feature >= 0
        return as_shares(np.bincount(self.feature[inner], self.gain[inner], n_features))

    # Files ------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return what a model file holds of it."""
        names = ("feature", "threshold", "left", "right", "value", "gain", "n_docs", "roots")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_state(cls, state: State, n_features: int, n_outputs: int, n_rounds: int) -> Forest:
        """Take a forest out of a file; whatever the file says, walking it comes to an end."""
        feature = state.array("feature", np.int64, low=-1, high=n_features - 1)
        n, shape = len(feature), (len(feature),)
        left, right = (state.array(side, np.int64, shape, -1, n - 1) for side in ("left", "right"))
        inner, node = feature >= 0, np.arange(n)
        roots = state.array("roots", np.int64, (n_rounds * n_outputs + 1,), 0, n)
        if roots[0] != 0 or roots[-1] != n or (np.diff(roots) < 1).any():
            state.refuse("its trees do not lie one behind the other")
        end = np.repeat(roots[1:], np.diff(roots))
        for child in (left, right):
            if ((child <= node) | (child >= end))[inner].any():
                state.refuse("a tree's node does not lie behind its parent")
        floats = {name: state.array(name, np.float64, shape) for name in ("threshold", "value")}
        gain = state.array("gain", np.float64, shape, low=0.0)
        n_docs = state.array("n_docs", np.int64, shape, low=0)
        return cls(feature, floats["threshold"], left, right, floats["value"], gain, n_docs, roots, n_outputs)


def add_binned(tree: Tree, bins: np.ndarray, out: np.ndarray) -> None:
    """Add a tree to the scores of documents that are binned as its training data."""
    args = (bins, tree.feature, tree.split_bin, tree.left, tree.right, tree.value, out)
    share_out(_add_binned, range(len(out) + 1), *args, cells=len(out), threshold=_PARALLEL_FROM)
