"""`Risk`: all that the general boosting method asks of an algorithm (paper 002, §2).

A risk is a function of the current scores h of all documents. It gives its value, its slope, and a diagonal
upper bound W of its Hessian, so that
    R(h + g) <= R(h) + slope·g + ½ Σ W g².
A round fits a tree to the targets -slope/W with weights W; a leaf then holds Σ -slope / Σ W. Everything here
is written for the *pull* -slope, which is what the trees sum.

An algorithm with several scores for a document (McRank: one for each class) has several outputs: one tree for
each in a round, all from the scores at the start of the round, unless the risk is `in_turn`.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from ...data import RankingData


class Risk:
    """A risk on one data set.

    Attributes
    ----------
    pull : float64 array (n_outputs, n_docs)
        Minus the slope at the scores of the last `evaluate`.
    curvature : float64 array (n_outputs, n_docs), or None
        The bound W there; None means 1 everywhere.
    """

    n_outputs: int = 1
    renews_curvature: bool = True  # whether `evaluate` writes the curvature anew: else it stays as it is
    weighs_splits: bool = True  # whether W weighs documents in the search for splits, not only in the leaves
    pull_falls: bool = False  # whether a pull, where no W is, falls by just what is added to the score
    pulls_cancel: bool = False  # whether a document's pulls add up to 0 over the outputs
    in_turn: bool = False  # whether an output's tree sees what those before it have added in the round
    rises: int = 1  # 1 or -1: the score never falls, or never rises, as an output rises; 0: it may do either
    leaf_factor: float = 1.0  # what leaf values are multiplied by
    leaf_floor: float = 0.0  # the least denominator of a leaf value

    def __init__(self, data: RankingData) -> None:
        self.data = data
        self.pull = np.zeros((self.n_outputs, data.n_docs))
        self.curvature: np.ndarray | None = None

    def start(self) -> np.ndarray:
        """Return the score to start from, for each output."""
        return np.zeros(self.n_outputs)

    def evaluate(self, h: np.ndarray) -> dict[str, float]:
        """Set `pull` and `curvature` at scores h (outputs × documents); return its curves, "loss" too."""
        raise TypeError(f"{type(self).__name__} has no slope")

    def curves(self, h: np.ndarray) -> dict[str, float]:
        """Return the curves alone: override where the slopes can be spared."""
        return self.evaluate(h)

    def scores(self, h: np.ndarray) -> np.ndarray:
        """Return the ranking scores."""
        return h[0]

    def step_length(self, h: np.ndarray, direction: np.ndarray) -> float:
        """Return s that minimises the risk at h + s · direction, both (n_docs,); 1 without a line search."""
        return 1.0

    def on(self, data: RankingData) -> Self:
        """Return the same risk on another data set, to follow its curves."""
        raise TypeError(f"{type(self).__name__} stays with its data")
