"""MQ2008, five folds, LETOR's convention: the gradient models beside the published row of ListNet.

    python -m tests.benchmarks.study_mq2008_network [folder] [names …]

Step size and epoch are chosen on each fold's validation part by mean average precision; the test part is
scored once, by the chosen model. The last column is the defaults' NDCG@5 on fold 1's test part less that of
the best single feature (in either direction, chosen on the test part itself: a hard baseline).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

import ltr_core as ltr

NAMES = ("RankNet", "LambdaRank", "ListNet", "ListMLE", "RankCosine")
MEASURES = ("ndcg@1", "ndcg@2", "ndcg@3", "ndcg@4", "ndcg@5", "map")
PUBLISHED = {"ListNet": {"ndcg@1": 0.3754, "ndcg@3": 0.4324, "ndcg@5": 0.4747, "map": 0.4775}}
STEP_SIZES = (0.0001, 0.0003, 0.001, 0.003)


def letor_folder() -> Path:
    """Return where the real data lie."""
    root = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("RANKSCOPE_LETOR") or root.parent / "shared" / "letor") / "MQ2008"


def chosen_on_validation(name, train, valid, choose_by="map", epochs=150, step_sizes=STEP_SIZES, **values):
    """Return the model of the best step size, and its best epoch."""
    by = ltr.measure(choose_by, convention="letor")
    best = None
    for step_size in step_sizes:
        model = ltr.ALGORITHMS[name](epochs=epochs, step_size=step_size, **values)
        model.fit(train, eval_set={"valid": valid}, measures=(by,))
        curve = model.history_.query("split == 'valid' and measure == @by.name")["value"].to_numpy()
        if best is None or curve.max() > best[0]:
            best = curve.max(), model, int(curve.argmax())
    return best[1:]


def best_single_feature(data) -> float:
    """Return the largest NDCG@5 of one feature as the score."""
    return max(
        ltr.ndcg(data.y, sign * data.X[:, k], data.qid, k=5)
        for k in range(data.n_features)
        for sign in (1, -1)
    )


def main(folder: Path, names: tuple[str, ...]) -> None:
    folds = ltr.load_folds(folder)
    single = best_single_feature(folds[0][2])
    print(f"{'':12}" + "".join(f"{m:>9}" for m in MEASURES) + "   defaults on fold 1")
    for name in names:
        values = []
        for train, valid, test in folds:
            model, epoch = chosen_on_validation(name, train, valid)
            scores = model.predict(test, iteration=epoch)
            table = ltr.evaluate(scores, test, MEASURES, convention="letor")
            values.append([table.attrs["mean"][m] for m in MEASURES])
            print(f"    {test.name}: step size {model.step_size:g}, epoch {epoch}", file=sys.stderr)
        train, _, test = folds[0]
        plain = ltr.ALGORITHMS[name]().fit(train, measures=())
        gap = ltr.ndcg(test.y, plain.predict(test), test.qid, k=5) - single
        print(
            f"{name:12}" + "".join(f"{v:9.4f}" for v in np.mean(values, axis=0)) + f"   {gap:+.4f}",
            flush=True,
        )
        if name in PUBLISHED:
            row = PUBLISHED[name]
            print(f"{'published':12}" + "".join(f"{row[m]:9.4f}" if m in row else " " * 9 for m in MEASURES))


if __name__ == "__main__":
    given = sys.argv[1:]
    main(Path(given[0]) if given else letor_folder(), tuple(given[1:]) or NAMES)
