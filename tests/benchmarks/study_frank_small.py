"""FRank on small data: its ε, its step and its place beside RankBoost at NDCG@3.

    python -m tests.benchmarks.study_frank_small

Data in OHSUMED's shape, five folds of each seed, the round chosen on validation by NDCG@5; printed is the
mean test NDCG@1, @3, @5 and @10, and at @3 the mean difference to RankBoost over queries with its standard
error.
"""

from __future__ import annotations

import numpy as np

import ltr_core as ltr

SEEDS, ROUNDS = 3, 60
MEASURES = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10")
SETTINGS = {
    "RankBoost": (ltr.RankBoost, {}),
    **{f"FRank, ε {e:g}": (ltr.FRank, {"smoothing": e}) for e in (1e-6, 1e-4, 1e-2, 1e-1)},
    "FRank, ε 0.01, shrunk .3": (ltr.FRank, {"smoothing": 1e-2, "shrinkage": 0.3}),
    "FRank, 16 bins": (ltr.FRank, {"max_bins": 16}),
}


def main() -> None:
    """Print a line for each setting."""
    parts = [
        part
        for seed in range(SEEDS)
        for part in ltr.folds(ltr.datasets.make("ohsumed-like", seed=seed, n_docs=60), 5, seed=seed)
    ]
    base = None
    for name, (cls, values) in SETTINGS.items():
        tables = []
        for train, valid, test in parts:
            model = cls(n_rounds=ROUNDS, **{"max_bins": 64, **values})
            model.fit(train, eval_set={"valid": valid}, measures=("ndcg@5",))
            tables.append(ltr.evaluate(model.predict(test, iteration="best"), test, MEASURES)[list(MEASURES)])
        each = np.concatenate(tables)
        base = each if base is None else base
        gap = each[:, 1] - base[:, 1]
        error = gap.std(ddof=1) / np.sqrt(len(gap))
        means = "".join(f"{v:8.4f}" for v in each.mean(axis=0))
        print(f"{name:26}{means}   @3 {gap.mean():+.4f} ± {error:.4f}", flush=True)


if __name__ == "__main__":
    main()
