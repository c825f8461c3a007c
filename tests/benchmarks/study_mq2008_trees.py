"""MQ2008, five folds, LETOR's convention: boosted trees beside the published rows.

    python -m tests.benchmarks.study_mq2008_trees [folder] [names …]

Leaves, shrinkage and the number of rounds are chosen on each fold's validation part by mean average
precision; the test part is scored once, by the chosen model.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np

import ltr_core as ltr
from tests.benchmarks.study_mq2008_network import letor_folder

MEASURES = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "mean_ndcg", "p@1", "p@10", "map")
MODELS = {
    "GBT, gain": ("GBT", {"target": "gain"}),
    "GBT, grade": ("GBT", {"target": "grade"}),
    "McRank, classes": ("McRank", {}),
    "McRank, ordinal": ("McRank", {"mode": "ordinal"}),
    "QBRank": ("QBRank", {}),
    "QBRank, w = 1": ("QBRank", {"preference_weight": 1.0}),
    "general, softmax": ("FunctionalBoosting", {"risk": "softmax"}),
    "LambdaMART": ("LambdaMART", {}),
}
GRID = {"n_leaves": (4, 8, 16), "learning_rate": (0.05, 0.1), "min_leaf": (20,)}
N_TREES = 200
PUBLISHED = {
    "RankSVM-Struct": (0.3627, 0.4286, 0.4695, 0.2279, 0.4832, 0.4273, 0.2491, 0.4696),
    "ListNet": (0.3754, 0.4324, 0.4747, 0.2303, 0.4914, 0.4451, 0.2476, 0.4775),
    "AdaRank-MAP": (0.3754, 0.4370, 0.4794, 0.2288, 0.4915, 0.4426, 0.2454, 0.4764),
    "AdaRank-NDCG": (0.3826, 0.4420, 0.4821, 0.2307, 0.4950, 0.4515, 0.2454, 0.4824),
    "RankBoost": (0.3856, 0.4288, 0.4666, 0.2255, 0.4850, 0.4579, 0.2487, 0.4775),
}


def chosen_on_validation(name, train, valid, values):
    """Return the model and the iteration of the best mean average precision on the validation part."""
    by = ltr.measure("map", convention="letor")
    best = None
    for grid in product(*GRID.values()):
        shape = dict(zip(GRID, grid, strict=True))
        model = ltr.ALGORITHMS[name](n_trees=N_TREES, **shape, **values)
        model.fit(train, eval_set={"valid": valid}, measures=(by,))
        curve = model.history_.query("split == 'valid' and measure == @by.name")["value"].to_numpy()
        if best is None or curve.max() > best[0]:
            best = curve.max(), model, int(curve.argmax())
    return best[1:]


def main(folder: Path, names: tuple[str, ...]) -> None:
    """Print one row for each model, then the published ones."""
    folds = ltr.load_folds(folder)
    print(f"{'':18}" + "".join(f"{m:>10}" for m in MEASURES))
    for label in names:
        name, values = MODELS[label]
        found = []
        for train, valid, test in folds:
            model, iteration = chosen_on_validation(name, train, valid, values)
            scores = model.predict(test, iteration=iteration)
            table = ltr.evaluate(scores, test, MEASURES, convention="letor")
            found.append(list(table.attrs["mean"].values()))
            chosen = f"{model.n_leaves} leaves, {model.learning_rate:g}, round {iteration}"
            print(f"    {label}, {test.name}: {chosen}", file=sys.stderr)
        print(f"{label:18}" + "".join(f"{v:10.4f}" for v in np.mean(found, axis=0)), flush=True)
    for label, row in PUBLISHED.items():
        print(f"{label:18}" + "".join(f"{v:10.4f}" for v in row))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else letor_folder(), tuple(given[1:]) or tuple(MODELS))
