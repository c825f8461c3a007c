"""MQ2008, five folds, LETOR's convention: the pairwise boosters beside the published row of RankBoost.

    python -m tests.benchmarks.study_mq2008_pairwise [folder] [names …]

Parameters and rounds are chosen on each fold's validation part by NDCG@5, as paper 000 does; the test part is
scored once, by the chosen model. Standard errors are those of the mean over all test queries.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

import ltr_core as ltr

MEASURES = ("ndcg@1", "ndcg@2", "ndcg@3", "ndcg@4", "ndcg@5", "ndcg@10", "map")
PUBLISHED = {"ndcg@1": 0.3856, "ndcg@3": 0.4288, "ndcg@5": 0.4666, "ndcg@10": 0.2255, "map": 0.4775}
ROUNDS = 300
# The parameter None is the calibrated one, at which |dist| is 1 on average.
GRIDS = {
    "MPBoost binary": (ltr.MPBoost, [{"ddf": "binary"}]),
    "MPBoost ldd": (ltr.MPBoost, [{"ddf": "ldd", "alpha": a} for a in (None, 0.1, 0.2, 0.5, 0.7, 1.0)]),
    "MPBoost logdd": (ltr.MPBoost, [{"ddf": "logdd", "lam": a} for a in (None, 0.2, 0.5, 1.0, 2.0, 3.0)]),
    "MPBoost logitdd": (ltr.MPBoost, [{"ddf": "logitdd", "beta": a} for a in (None, 0.25, 0.5, 2.0, 4.0)]),
    "RankBoost r": (ltr.RankBoost, [{"variant": "r"}]),
    "RankBoost z": (ltr.RankBoost, [{"variant": "z"}]),
    "FRank": (ltr.FRank, [{"smoothing": s} for s in (1e-4, 1e-2)]),
}


def letor_folder() -> Path:
    """Return where the real data lie."""
    root = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("RANKSCOPE_LETOR") or root.parent / "shared" / "letor") / "MQ2008"


def chosen_on_validation(cls, grid, train, valid):
    """Return the model of the best parameters, whose best iteration is the best round."""
    by = ltr.measure("ndcg@5", convention="letor")
    best = None
    for values in grid:
        model = cls(n_rounds=ROUNDS, **values).fit(train, eval_set={"valid": valid}, measures=(by,))
        curve = model.history_.query("split == 'valid' and measure == @by.name")["value"].to_numpy()
        if best is None or curve.max() > best[0]:
            best = curve.max(), values, model
    return best


def main(folder: Path, names: list[str]) -> None:
    """Print the table, and to the error stream what was chosen."""
    folds = ltr.load_folds(folder)
    print(f"{'':18}" + "".join(f"{m:>9}" for m in MEASURES))
    for name in names:
        queries, means = [], []
        for train, valid, test in folds:
            value, chosen, model = chosen_on_validation(*GRIDS[name], train, valid)
            scores = model.predict(test, iteration="best")
            table = ltr.evaluate(scores, test, MEASURES, convention="letor")
            means.append([table.attrs["mean"][m] for m in MEASURES])
            queries.append(np.stack([table[m].to_numpy() for m in MEASURES], axis=1))
            print(f"    {test.name}: {chosen}, round {model.best_iteration_}, {value:.4f}", file=sys.stderr)
        each = np.concatenate(queries)
        print(f"{name:18}" + "".join(f"{v:9.4f}" for v in np.mean(means, axis=0)), flush=True)
        if name == "RankBoost r":
            row = "".join(f"{PUBLISHED[m]:9.4f}" if m in PUBLISHED else " " * 9 for m in MEASURES)
            error = each.std(axis=0, ddof=1) / np.sqrt(len(each))
            print(f"{'  published':18}{row}\n{'  standard error':18}" + "".join(f"{e:9.4f}" for e in error))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else letor_folder(), given[1:] or list(GRIDS))
