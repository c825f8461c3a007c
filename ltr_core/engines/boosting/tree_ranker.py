"""`TreeRanker`: what all models made of boosted trees share: their parameters, prediction, words, file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ...data import RankingData
from ...errors import DataError, ParameterError
from ...params import Param
from ...rankers.base import Ranker
from ...rankers.estimator import check_is_fitted
from ...rankers.model_file import State
from ...rankers.monotone import MONOTONE, signs_for
from ...threads import may_run_parallel
from ..binning.bins import PARAMS as BINNING_PARAMS
from ..binning.bins import binned
from ..trees import Forest, contributions, expected, forest_frame, tree_dot, tree_text
from .risk import Risk
from .trainer import BoostingTrainer

_ROWS = 4_096  # documents explained at a time: outputs × documents × features stays small


def tree_params(n_trees: int = 100, n_leaves: int = 10, learning_rate: float = 0.1) -> tuple[Param, ...]:
    """Return the parameters of boosted trees, with an algorithm's own defaults."""
    shrunk = "By how much each tree is shrunk."
    rate = Param("learning_rate", "float", learning_rate, 1e-4, 1.0, 0.01, log=True, help=shrunk)
    return (
        Param("n_trees", "int", n_trees, 1, 10_000, 10, log=True, help="Number of rounds."),
        Param("n_leaves", "int", n_leaves, 2, 1_024, 1, log=True, help="Leaves of a tree at most."),
        rate,
        Param("min_leaf", "int", 5, 1, 100_000, 1, log=True, help="The fewest documents of a leaf."),
        *BINNING_PARAMS,
    )


class TreeRanker(Ranker):
    """Base of the rankers that boost trees. A subclass gives its risk.

    Notes
    -----
    ``monotone={"f1": 1, "f2": -1}`` lets more of f1 never harm a document's score, and more of f2 never help
    it: splits on them that go the other way are passed over, and what is below a split stays on its side.
    """

    family = "regression trees"
    in_python = (MONOTONE,)
    monotone: Mapping[str, int] | None = None
    rounds_param = "n_trees"
    n_outputs_: int = 1

    def _risk(self, data: RankingData, values: dict[str, Any]) -> Risk:
        """Return the risk on the training data; `values` are the checked parameters."""
        raise TypeError(f"{type(self).__name__} has no risk")

    def _ranking_scores(self, h: np.ndarray) -> np.ndarray:
        """Return scores from outputs × documents."""
        return h[0]

    def _output_contributions(self, parts: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Return the contributions to the score from those to the outputs h."""
        return parts[0]

    def print_tree(self, tree: int = 0) -> str:
        """Return one tree as text, a node a line; trees are numbered from 0 in the order they were grown."""
        check_is_fitted(self)
        self._refuse_tree(tree)
        return tree_text(self.forest_, int(tree), self.feature_names_)

    def to_dot(self, tree: int = 0) -> str:
        """Return one tree in Graphviz's language; trees are numbered as in `print_tree`."""
        check_is_fitted(self)
        self._refuse_tree(tree)
        return tree_dot(self.forest_, int(tree), self.feature_names_)

    def to_frame(self) -> pd.DataFrame:
        """Return all nodes as a table.

        Columns: tree, round (from 1) and output, node (the root is 0), feature (its name, none in a leaf),
        threshold (values above go right), left and right (nodes of the same tree, -1 in a leaf), value, gain,
        n_docs.
        """
        check_is_fitted(self)
        return forest_frame(self.forest_, self.feature_names_)

    @property
    def feature_importances_(self) -> np.ndarray:
        """Each feature's share of all that splits have gained."""
        check_is_fitted(self)
        return self.at(None).forest_.importances(self.n_features_in_)

    @property
    def base_(self) -> float:
        """What a document is expected to score before anything is known of it."""
        check_is_fitted(self)
        return float(self._ranking_scores(self._base_outputs()[:, None])[0])

    def _refuse_tree(self, tree: int) -> None:
        if not 0 <= tree < self.forest_.n_trees:
            raise ParameterError(
                f"There is no tree {tree!r}: the model has {self.forest_.n_trees}, counted from 0."
            )

    def _base_outputs(self) -> np.ndarray:
        return self.start_ + expected(self.at(None).forest_)

    # The model protocol -----------------------------------------------------------------------------------

    def _start(self, data: RankingData, values: dict[str, Any]) -> BoostingTrainer:
        risk, signs = self._risk(data, values), signs_for(self.monotone, data)
        if signs is not None and signs.any() and not risk.rises:
            raise ParameterError(
                "monotone: a score from probabilities of classes follows no single output. "
                'Take mode="ordinal", whose outputs are thresholds.'
            )
        with may_run_parallel():
            bins = binned(data, values["max_bins"], values["binning"])
            shape = {name: values[name] for name in ("n_leaves", "min_leaf", "learning_rate")}
            weight = values.get("query_weight")
            if weight is not None:
                weight = np.repeat(weight, np.diff(data.offsets))
            return BoostingTrainer(risk, bins, **shape, weight=weight, signs=signs)

    def _finish(self, trainer: BoostingTrainer) -> None:
        self.start_ = trainer.start
        self.n_outputs_ = trainer.risk.n_outputs
        grown = Forest.of(trainer.trees, self.n_outputs_)
        self.forest_ = grown if trainer.before is None else trainer.before.then(grown)

    def _resume(self, trainer: BoostingTrainer, model: Ranker, data: RankingData) -> None:
        if model.n_outputs_ != trainer.risk.n_outputs:
            raise DataError(
                f"init_model has {model.n_outputs_} outputs, and these data need {trainer.risk.n_outputs}",
                "give data with the grades that it was trained on",
            )
        trainer.take_up(model.start_, model.forest_)

    def _initial(self, X: np.ndarray) -> np.ndarray:
        return np.repeat(self.start_[:, None], len(X), axis=1)

    def _staged(self, X: np.ndarray, offsets: np.ndarray | None) -> Iterator[np.ndarray]:
        for h in self.forest_.staged(X, self._initial(X)):
            yield self._ranking_scores(h)

    def _outputs(self, X: np.ndarray, iteration: int) -> np.ndarray:
        """Return all outputs after some rounds (outputs × documents)."""
        h = self._initial(X)
        self.forest_.add(X, 0, iteration, h)
        return h

    def _scores(self, X: np.ndarray, offsets: np.ndarray | None, iteration: int) -> np.ndarray:
        return self._ranking_scores(self._outputs(X, iteration))

    def _explain(self, X: np.ndarray) -> np.ndarray:
        out = np.empty(X.shape)
        for first in range(0, len(X), _ROWS):
            rows = X[first : first + _ROWS]
            h = self._outputs(rows, self.n_iter_)
            out[first : first + _ROWS] = self._output_contributions(contributions(self.forest_, rows), h)
        return out

    def _cut(self, iteration: int) -> None:
        self.forest_ = self.forest_.first(iteration)

    def _state(self) -> dict[str, Any]:
        return {"start": self.start_, "n_outputs": self.n_outputs_, "forest": self.forest_.state()}

    def _set_state(self, state: State) -> None:
        self.n_outputs_ = state.integer("n_outputs", 1, 1_000)
        self.start_ = state.array("start", np.float64, (self.n_outputs_,))
        forest = state.sub("forest")
        self.forest_ = Forest.from_state(forest, self.n_features_in_, self.n_outputs_, self.n_iter_)
