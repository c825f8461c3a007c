"""What can be told of one model, found out from what it has: nothing here knows an algorithm by its name.

A model that has feature importances, a shape function, rounds, weights, a forest, class centers or class
probabilities is shown with them, whichever algorithm it is from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ltr_core import ParameterError, RankingData
from ltr_core.algorithms import Ranker

from ..runs.screens import Run, Screen
from ..runs.services import services
from ..runs.store import Training
from ..style.theme import Stroke
from . import outcomes

MOST_BARS = 24
MOST_PANELS = 12


@dataclass(frozen=True)
class Inspected:
    """A run that is looked into: its model as it was at the round compared, and the data it learned from.

    `folds` are the models of all folds, its own among them, where it is trained on all of them.
    """

    screen: Screen
    run: Run
    model: Ranker
    iteration: int
    folds: tuple[Ranker, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""
        return tuple(self.model.feature_names_)

    @property
    def look(self) -> Stroke:
        """How the run is drawn, here as everywhere."""
        return self.screen.looks[self.run.slot]

    @property
    def train(self) -> RankingData:
        """What it learned from."""
        assert self.screen.splits is not None  # there are no runs without data
        return self.screen.splits.train


def look_into(screen: Screen, run: Run, folds: Sequence[Screen] = ()) -> Inspected:
    """Return the model of a run at the round compared; a model that cannot go back is taken as it is.

    `folds` are the screens of all folds, one of which is `screen`.
    """
    model = _compared(screen, run.trained)
    others = tuple(
        _compared(fold, one.trained) for fold in folds for one in fold.runs if one.slot == run.slot
    )
    return Inspected(screen, run, model, int(model.n_iter_), others)


def _compared(screen: Screen, training: Training) -> Ranker:
    wanted = outcomes.chosen_iteration(screen, training)

    def early() -> Ranker:
        try:
            return training.ranker.at(wanted)
        except ParameterError:
            return training.ranker.at("last")

    key = ("model at", training.key, training.model.n_iter_, wanted)
    return services().memo.make(key, early)


def importances(inspected: Inspected) -> pd.DataFrame:
    """Return feature and importance, the largest first; empty for a model without.

    Where a run is trained on all folds there is a column for the model of each of them.
    """
    values = getattr(inspected.model, "feature_importances_", None)
    if values is None:
        return pd.DataFrame(columns=["feature", "importance"])
    frame = pd.DataFrame({"feature": inspected.names, "importance": np.asarray(values, dtype=float)})
    for number, model in enumerate(inspected.folds, 1):
        frame[f"fold {number}"] = np.asarray(model.feature_importances_, dtype=float)
    return frame.sort_values("importance", ascending=False, kind="stable", ignore_index=True)


def order_of(inspected: Inspected) -> list[str]:
    """Return the features, the most important first."""
    frame = importances(inspected)
    return list(frame["feature"]) if len(frame) else list(inspected.names)


def shape_steps(inspected: Inspected, feature: str) -> pd.DataFrame:
    """Return a feature's shape function over the training values as the corners of its steps: x, value."""
    x, values = inspected.model.shape_function(feature)
    column = inspected.train.X[:, inspected.names.index(feature)]
    low, high = min([float(column.min()), *x]), max([float(column.max()), *x])
    corners = np.r_[low, np.repeat(x, 2), high]
    return pd.DataFrame({"feature": feature, "x": corners, "value": np.repeat(values, 2)})


def class_centers(inspected: Inspected) -> pd.DataFrame:
    """Return the class centers of each feature used: feature, x (the class, from 1), value."""
    rows = [
        (inspected.names[int(feature)], level + 1, value)
        for feature, centers in zip(inspected.model.features_, inspected.model.centers_, strict=True)
        for level, value in enumerate(centers)
    ]
    return pd.DataFrame(rows, columns=["feature", "x", "value"])


def rounds(inspected: Inspected) -> pd.DataFrame:
    """Return a row for each round, the feature by its name."""
    held = inspected.model.rounds_
    if not isinstance(held, pd.DataFrame):
        held = pd.DataFrame(list(held), columns=["feature", "weight"])
        held.insert(0, "iteration", np.arange(1, len(held) + 1))
    frame = held.rename(columns={"iteration": "round"})
    return frame.assign(feature=[inspected.names[int(k)] for k in frame["feature"]])


def linear_weights(model: Ranker) -> np.ndarray | None:
    """Return the weights of a linear model, a row for each of its hyperplanes; None if it is not linear."""
    held = getattr(model, "weights_", None)
    if held is None or not len(held):
        return None
    weights, d = np.atleast_2d(np.asarray(held, dtype=float)), int(model.n_features_in_)
    if weights.shape[1] == d:
        return weights
    if weights.shape[1] == d + 1 and model.additive:  # after each epoch, the constant last
        return weights[-1:, :-1]
    return None


def weights(inspected: Inspected) -> pd.DataFrame:
    """Return the weight of each feature on the scaled values: part (a hyperplane), feature, weight."""
    table = linear_weights(inspected.model)
    assert table is not None
    held = getattr(inspected.model, "grades_", None)
    pairs = held if held is not None and len(table) > 1 else []
    parts = [f"grade {a:g} against {b:g}" for a, b in pairs] or [str(i + 1) for i in range(len(table))]
    return pd.DataFrame(
        [
            (part, name, value)
            for part, row in zip(parts, table, strict=True)
            for name, value in zip(inspected.names, row, strict=True)
        ],
        columns=["part", "feature", "weight"],
    )


def outputs(inspected: Inspected) -> list[str]:
    """Return what each tree of a round is for."""
    n = int(inspected.model.forest_.n_outputs)
    grades = getattr(inspected.model, "grades_", None)
    if n == 1:
        return ["score"]
    if grades is not None and len(grades) == n:
        return [f"grade {g:g}" for g in grades]
    if grades is not None and len(grades) == n + 1:
        return [f"grade ≤ {g:g}" for g in grades[:-1]]
    return [str(i + 1) for i in range(n)]


def tree(inspected: Inspected, number: int, output: int) -> pd.DataFrame:
    """Return one tree, a row for each node: where it lies, what it asks, what it says.

    Columns: node, parent (−1 for the root), answer ("yes", "no"), depth, place (the row of a leaf, between
    its children for the others), feature, threshold, gain, value, documents; a leaf has no feature.
    """
    forest = inspected.model.forest_
    root = int(forest.roots[number * forest.n_outputs + output])
    rows: dict[int, dict[str, Any]] = {}
    todo, below, leaves = [(root, -1, "", 0)], [], 0
    while todo:
        node, parent, answer, depth = todo.pop()
        inner = forest.feature[node] >= 0
        rows[node] = {
            "node": node,
            "parent": parent,
            "answer": answer,
            "depth": depth,
            "place": float(leaves),
            "feature": inspected.names[forest.feature[node]] if inner else "",
            "threshold": float(forest.threshold[node]) if inner else np.nan,
            "gain": float(forest.gain[node]) if inner else np.nan,
            "value": float(forest.value[node]),
            "documents": int(forest.n_docs[node]),
        }
        if inner:
            below.append(node)
            todo.append((int(forest.right[node]), node, "no", depth + 1))
            todo.append((int(forest.left[node]), node, "yes", depth + 1))
        else:
            leaves += 1
    for node in reversed(below):  # children before their parents
        sides = (rows[int(forest.left[node])], rows[int(forest.right[node])])
        rows[node]["place"] = (sides[0]["place"] + sides[1]["place"]) / 2
    return pd.DataFrame(rows.values())


def probabilities(inspected: Inspected, query: str) -> pd.DataFrame:
    """Return the class probabilities of a query's test documents, best score first: rank, doc, grade, …"""
    assert inspected.screen.splits is not None
    test = inspected.screen.splits.test
    one = test.select([list(map(str, test.query_ids)).index(query)])
    p, scores = inspected.model.predict_proba(one), inspected.model.predict(one)
    order = np.argsort(-scores, kind="stable")
    names = one.doc_ids if one.doc_ids is not None else [f"document {i + 1}" for i in range(one.n_docs)]
    frame = pd.DataFrame(p[order], columns=[f"{grade:g}" for grade in inspected.model.grades_])
    frame.insert(0, "rank", np.arange(1, len(order) + 1))
    frame.insert(1, "document", [str(names[i]) for i in order])
    frame.insert(2, "grade", one.y[order])
    frame.insert(3, "score", scores[order])
    return frame


# What a model offers, in the order of the page: its name there, and what a model must have.
OFFERS: dict[str, tuple[str, Callable[[Ranker], bool]]] = {
    "shape": ("Shape functions", lambda m: callable(getattr(m, "shape_function", None))),
    "centers": ("Class centers", lambda m: hasattr(m, "centers_") and hasattr(m, "features_")),
    "weights": ("Weights", lambda m: linear_weights(m) is not None),
    "tree": ("Trees", lambda m: getattr(m, "forest_", None) is not None and m.forest_.n_trees > 0),
    "classes": ("Class probabilities", lambda m: callable(getattr(m, "predict_proba", None))),
    "rounds": ("Rounds", lambda m: getattr(m, "rounds_", None) is not None),
    "bins": ("Bins", lambda m: any(p.name == "max_bins" for p in m.params)),
}


def offered(inspected: Inspected) -> dict[str, str]:
    """Return what this model can be shown with: key and name."""
    return {key: label for key, (label, has) in OFFERS.items() if has(inspected.model)}
