"""FeatureRank beside ListMLE, and AdaRank and RankSVM beside their published rows.

    python -m tests.benchmarks.study_listwise [folder of MQ2008]

First paper 001's Table 3 on `mq2008-list-like` (the paper has .2027, .1926, .1917 against .3013 on the
real set). Then MQ2008, five folds, LETOR's convention: parameters and iteration are chosen on each fold's
validation part by mean average precision, the test part is scored once.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np

import ltr_core as ltr
from tests.benchmarks.study_mq2008_network import MEASURES, letor_folder

STUDIES = {
    "AdaRank-MAP": ("AdaRank", {"measure": ["map"], "max_repeats": [1, 3, 5, 100]},
                    {"ndcg@1": 0.3754, "ndcg@3": 0.4370, "ndcg@5": 0.4794, "map": 0.4764}),
    "AdaRank-NDCG": ("AdaRank", {"measure": ["ndcg@10", "ndcg@5", "ndcg@3", "ndcg@1"],
                                 "max_repeats": [1, 3, 5, 100]},
                     {"ndcg@1": 0.3826, "ndcg@3": 0.4420, "ndcg@5": 0.4821, "map": 0.4824}),
    "RankSVM": ("RankSVM", {"C": [0.1, 0.3, 1.0, 3.0, 10.0]},
                {"ndcg@1": 0.3627, "ndcg@3": 0.4286, "ndcg@5": 0.4695, "map": 0.4696}),
    "MHR": ("MHR", {"C": [0.3, 1.0, 3.0]}, {}),
    "MPRank": ("MPRank", {"ridge": [0.001, 0.01, 0.1, 1.0]}, {}),
    "SVRank": ("SVRank", {"ridge": [0.01, 0.1], "epsilon": [0.25, 0.5]}, {}),
    "FeatureRank": ("FeatureRank", {"n_intervals": [4, 8, 16], "order": ["given", "best"]}, {}),
}  # fmt: skip


def table_3() -> None:
    """Print the τ distances of FeatureRank and ListMLE."""
    train, valid, test = ltr.split(ltr.datasets.make("mq2008-list-like"), (0.6, 0.2, 0.2), seed=0)
    for n in (8, 16, 32):
        model = ltr.FeatureRank(n_intervals=n).fit(train, measures=())
        distance = ltr.tau_distance(test.y, model.predict(test), test.qid)
        print(f"FeatureRank, K = {n:<3} τ distance {distance:.4f}", flush=True)
    model = ltr.ListMLE(epochs=30).fit(train, eval_set={"valid": valid}, measures=("tau_distance",))
    distance = ltr.tau_distance(test.y, model.predict(test, iteration="best"), test.qid)
    print(f"ListMLE              τ distance {distance:.4f}", flush=True)


def main(folder: Path) -> None:
    table_3()
    folds = ltr.load_folds(folder)
    by = ltr.measure("map", convention="letor")
    print(f"{'':14}" + "".join(f"{m:>9}" for m in MEASURES))
    for name, (algorithm, space, published) in STUDIES.items():
        rows = []
        for train, valid, test in folds:
            best = None
            for point in product(*space.values()):
                model = ltr.ALGORITHMS[algorithm](**dict(zip(space, point, strict=True)))
                model.fit(train, eval_set={"valid": valid}, measures=(by,))
                curve = model.history_.query("split == 'valid' and measure == 'map'")["value"].to_numpy()[1:]
                if best is None or curve.max() > best[0]:
                    best = curve.max(), model, int(curve.argmax()) + 1
            scores = best[1].predict(test, iteration=best[2])
            means = ltr.evaluate(scores, test, MEASURES, convention="letor").attrs["mean"]
            rows.append([means[m] for m in MEASURES])
        print(f"{name:14}" + "".join(f"{v:9.4f}" for v in np.mean(rows, axis=0)), flush=True)
        if published:
            cells = (f"{published[m]:9.4f}" if m in published else " " * 9 for m in MEASURES)
            print(f"{'  published':14}" + "".join(cells))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else letor_folder())
