"""Which defaults MPBoost should have: every distance at several sizes, on every kind of data there is.

    python -m tests.benchmarks.study_mpboost_defaults [folder of MQ2008] [> table]

Per set and seed the data are cut by query (0.6, 0.2, 0.2); MQ2008 has its five folds. Each setting is trained
for 200 rounds, the default, and measured by NDCG@5 and NDCG@10 of the test queries, once at the last round
and once at the round that is best on the validation part. Printed is the difference to LOGDD calibrated to a
mean |dist| of 1 in points of a hundred: a column for each set (seeds and queries pooled), then the mean over
the sets with its error, the worst set, on how many sets it is the better one, and "size", mean |dist|.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ltr_core as ltr

from .study_mq2008_pairwise import letor_folder

ROUNDS, SEEDS = 200, 3
MEASURES = ("ndcg@5", "ndcg@10")
SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "web1": ("web1-like", {"n_queries": 400, "n_features": 60}),
    "web2": ("web2-like", {"n_queries": 120, "n_docs": 60, "n_features": 80}),
    "ohsumed": ("ohsumed-like", {"n_docs": 80}),
    "engine": ("engine", {"part": "L2", "n_queries": 900, "n_features": 40}),
    "cubic": ("cubic", {"n_queries": 200, "n_docs": 20, "n_features": 20}),
    "tiny-web": ("tiny-web", {}),
    "list": ("mq2008-list-like", {"n_queries": 60, "n_docs": 60}),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "logdd 1": {"ddf": "logdd", "size": 1.0},
    **{f"logdd {x:g}": {"ddf": "logdd", "size": x} for x in (0.75, 0.6, 0.5, 0.35)},
    "logdd 1, newton": {"ddf": "logdd", "size": 1.0, "step": "newton"},
    "logdd 1, shrunk .25": {"ddf": "logdd", "size": 1.0, "shrinkage": 0.25},
    **{f"ldd {x:g}": {"ddf": "ldd", "size": x} for x in (1.0, 0.6, 0.5)},
    **{f"logitdd, β {x:g}": {"ddf": "logitdd", "beta": x} for x in (0.01, 1.0, 4.0)},
    **{f"binary {x:g}": {"ddf": "binary", "scale": x} for x in (1.0, 0.75, 0.6, 0.5, 0.35)},
    **{f"logdd, λ {x:g}": {"ddf": "logdd", "lam": x} for x in (0.25, 0.5, 1.0)},
    **{f"ldd, α {x:g}": {"ddf": "ldd", "alpha": x} for x in (0.2, 0.5)},
}
Parts = tuple[ltr.RankingData, ltr.RankingData, ltr.RankingData]


def parts_of(name: str, folder: Path) -> Iterator[Parts]:
    """Yield training, validation and test of each seed, or of each fold."""
    if name == "MQ2008":
        yield from ltr.load_folds(folder)
        return
    kind, size = SETS[name]
    for seed in range(SEEDS):
        yield ltr.split(ltr.datasets.make(kind, seed=seed, **size), (0.6, 0.2, 0.2), seed=seed)


def values_of(parts: Parts, how: dict[str, Any]) -> tuple[np.ndarray, float]:
    """Return what each test query is worth (measures × [last, chosen] × queries), and mean |dist|."""
    train, valid, test = parts
    model = ltr.MPBoost(n_rounds=ROUNDS, **how).fit(
        train, eval_set={"valid": valid}, measures=("ndcg@5",), in_full={ROUNDS}
    )
    scores = [model.predict(test), model.predict(test, iteration="best")]
    tables = [ltr.evaluate(each, test, MEASURES) for each in scores]
    return np.array([[table[m] for table in tables] for m in MEASURES]), model.distance_.mean


def main(folder: Path) -> None:
    """Print a table for each measure and each choice of the round."""
    warnings.simplefilter("ignore")
    rows = []
    for name in [*SETS, *(["MQ2008"] if folder.exists() else [])]:
        for parts in parts_of(name, folder):
            got = {setting: values_of(parts, how) for setting, how in SETTINGS.items()}
            base = got["logdd 1"][0]
            for setting, (values, size) in got.items():
                for m, c in np.ndindex(2, 2):
                    gap = 100.0 * (values[m, c] - base[m, c])
                    rows += [(setting, name, MEASURES[m], ("last", "chosen")[c], size, x) for x in gap]
            print(f"{name}: done", file=sys.stderr, flush=True)
    frame = pd.DataFrame(rows, columns=["setting", "set", "measure", "round", "size", "gap"])
    for (measure, chosen), part in frame.groupby(["measure", "round"], sort=False):
        table = part.pivot_table(index="setting", columns="set", values="gap", sort=False)
        sets = list(table.columns)
        errors = part.pivot_table(index="setting", columns="set", values="gap", aggfunc="sem", sort=False)
        table["mean"], table["worst"] = table[sets].mean(axis=1), table[sets].min(axis=1)
        table["error"] = np.sqrt((errors[sets] ** 2).sum(axis=1)) / len(sets)
        table["better on"] = (table[sets] > 0).sum(axis=1)
        table["size"] = part.groupby("setting")["size"].mean()
        print(f"\n{measure}, {chosen} round\n{table.round(2).to_string()}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else letor_folder())
