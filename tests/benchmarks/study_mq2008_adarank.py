"""MQ2008, five folds: why AdaRank stays below its published row, reading by reading.

    python -m tests.benchmarks.study_mq2008_adarank [folder]

Published (LETOR 4.0): NDCG@1 .3826, @3 .4420, @5 .4821, @10 .2307, MAP .4824. The round is chosen on
validation by NDCG@5 in LETOR's convention; printed are the means of the five test folds in that convention,
the standard error of NDCG@5, the rounds chosen and how many features the models use. Each line changes one
thing of the first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import ltr_core as ltr
from ltr_core.algorithms.features import adarank

from .study_mq2008_pairwise import letor_folder

MEASURES = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map")
PLAIN: dict[str, Any] = {"measure": "ndcg@5", "directions": "descending"}
Fold = tuple[ltr.RankingData, ltr.RankingData, ltr.RankingData]


def ranks(values: np.ndarray) -> np.ndarray:
    """Return each value's place in its column as a share, equal ones in file order."""
    return values.argsort(axis=0, kind="stable").argsort(axis=0) / len(values)


def standard(values: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and deviation 1."""
    spread = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def by_query(data: ltr.RankingData, change: Callable[[np.ndarray], np.ndarray]) -> ltr.RankingData:
    """Return the data with every query's features changed by themselves."""
    parts = np.split(data.X.astype(float), data.offsets[1:-1])
    return data.with_features(np.concatenate([change(part) for part in parts]))


def cumulative(self: Any) -> bool:
    """A round after which queries weigh as AdaBoost's: P · exp(-α E) of every feature taken so far."""
    if not STEP(self):
        return False
    feature, weight = self.rounds[-1]
    side = 0 if weight > 0 else 1
    self.sum = getattr(self, "sum", 0.0) + abs(weight) * self._E[feature, side]
    self._P = np.exp(-self.sum) / np.exp(-self.sum).sum()
    return True


def sharper(self: Any) -> bool:
    """A round after which the weights of queries are exp(-2 E) instead of exp(-E)."""
    if not STEP(self):
        return False
    self._P = np.exp(-2.0 * self.measured.per_query(self.scores))
    self._P /= self._P.sum()
    return True


STEP = adarank._Trainer.step
ONCE = {"_tired": lambda self: sorted({feature for feature, _ in self.rounds}) or None}
LETOR = lambda name: ltr.measure(name, **({} if name == "map" else {"convention": "letor"}))  # noqa: E731
# name: parameters that differ, what the trainer does otherwise, the measure that is boosted, the features
READINGS: dict[str, tuple[dict[str, Any], dict[str, Any], Any, Any]] = {
    "as it is": ({}, {}, None, None),
    "both directions": ({"directions": "both"}, {}, None, None),
    "boosting NDCG@10": ({"measure": "ndcg@10"}, {}, None, None),
    "boosting MAP": ({"measure": "map"}, {}, None, None),
    "equal scores in file order": ({}, {}, LETOR, None),
    "no feature twice in a row": ({"max_repeats": 1}, {}, None, None),
    "any number of times": ({"max_repeats": 1_000}, {}, None, None),
    "each feature once": ({"n_rounds": 46}, ONCE, None, None),
    "features as ranks": ({}, {}, None, ranks),
    "features standardised": ({}, {}, None, standard),
    "P from exp(-2 E)": ({}, {"step": sharper}, None, None),
    "P as AdaBoost's": ({}, {"step": cumulative}, None, None),
}


def main(folder: Path) -> None:
    """Print a line for each reading."""
    by, folds = ltr.measure("ndcg@5", convention="letor"), ltr.load_folds(folder)
    for name, (values, otherwise, boosted, change) in READINGS.items():
        each, rounds, features = [], [], []
        for fold in folds:
            train, valid, test = (by_query(part, change) if change else part for part in fold)
            with (
                mock.patch.multiple(adarank._Trainer, **{"step": STEP, **otherwise}),
                mock.patch.object(adarank, "measure", boosted or ltr.measure),
            ):
                model = ltr.AdaRank(**{**PLAIN, **values})
                model.fit(train, eval_set={"valid": valid}, measures=(by,))
            table = ltr.evaluate(model.predict(test, iteration="best"), test, MEASURES, convention="letor")
            each.append(table[list(MEASURES)].to_numpy())
            rounds.append(model.best_iteration_)
            features.append(len({feature for feature, _ in model.rounds_[: rounds[-1]]}))
        means = np.mean([part.mean(axis=0) for part in each], axis=0)
        column = np.concatenate(each)[:, 2]
        error = column.std(ddof=1) / np.sqrt(len(column))
        shown = "".join(f"{v:8.4f}" for v in means)
        print(f"{name:28}{shown} ± {error:.4f}", rounds, features, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else letor_folder())
