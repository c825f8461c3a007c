"""One step on a set of such a size, in a process of its own: what it took is printed as a line of JSON.

    python -m tests.benchmarks.sizes.steps STEP FOLDER ROUNDS

FOLDER is what `mslr` wrote. Who trains follows NDCG@10 of the validation queries round by round. The peers
get the same arrays, mapped, in place of text: only one of them reads it with query ids.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

LEAVES, RATE, BINS, SMALLEST = 10, 0.1, 256, 5  # of all trees, ours and the peers'
N_CORES = len(os.sched_getaffinity(0))  # `taskset -c 0` has all of them in one thread
ARRAYS = "arrays"  # the peers' folder


def text(folder: Path, rounds: int) -> dict[str, Any]:
    """Read all three files, as if for the first time and keeping nothing."""
    os.environ["RANKSCOPE_KEEP"] = "0"
    return {"documents": sum(part.n_docs for part in _parts(folder))}


def parquet(folder: Path, rounds: int) -> dict[str, Any]:
    """Read the validation part as Parquet."""
    import ltr_core as ltr

    os.environ["RANKSCOPE_KEEP"] = "0"
    return {"documents": ltr.load(folder / ARRAYS / "vali.parquet").n_docs}


def write(folder: Path, rounds: int) -> dict[str, Any]:
    """Write the validation part as Parquet, and all parts as the peers get them."""
    import ltr_core as ltr

    (folder / ARRAYS).mkdir(exist_ok=True)
    train, valid, _ = _parts(folder)
    ltr.save(valid, folder / ARRAYS / "vali.parquet")
    for name, part in (("train", train), ("vali", valid)):
        for what, array in (("X", part.X), ("y", part.y), ("sizes", np.diff(part.offsets))):
            np.save(folder / ARRAYS / f"{name}-{what}.npy", array)
    return {}


def ours(name: str, **params: Any) -> Callable[[Path, int], dict[str, Any]]:
    """Return the step that trains one of our algorithms."""

    def train(folder: Path, rounds: int) -> dict[str, Any]:
        import ltr_core as ltr

        data, valid, _ = _parts(folder)
        loaded = time.perf_counter()
        cls = ltr.ALGORITHMS[name]
        model = cls(**{cls.rounds_param: rounds, **params}).fit(data, eval_set={"valid": valid}, in_full=())
        fitted = time.perf_counter()
        model.save(folder / f"{name}.json")
        history = model.history_
        value = history["value"][(history["split"] == "valid") & (history["measure"] == "ndcg@10")].iloc[-1]
        return {"fit": fitted - loaded, "ndcg@10": value}

    return train


def lightgbm(objective: str, **params: Any) -> Callable[[Path, int], dict[str, Any]]:
    """Return the step that trains LightGBM."""

    def train(folder: Path, rounds: int) -> dict[str, Any]:
        import lightgbm

        sets = []
        begun = time.perf_counter()
        for name in ("train", "vali"):
            X, y, sizes = _arrays(folder, name)
            shared = {"reference": sets[0]} if sets else {"params": {"max_bin": BINS - 1, "verbose": -1}}
            sets.append(lightgbm.Dataset(X, y, group=sizes, free_raw_data=True, **shared))
        told: dict[str, Any] = {}
        asked = {"objective": objective, "num_leaves": LEAVES, "learning_rate": RATE, "max_bin": BINS - 1}
        asked |= {"min_data_in_leaf": SMALLEST, "num_threads": N_CORES, "eval_at": [10], **params}
        asked["verbose"] = -1
        heard = lightgbm.record_evaluation(told)
        lightgbm.train(asked, sets[0], rounds, valid_sets=[sets[1]], callbacks=[heard])
        last = {name: values[-1] for name, values in told["valid_0"].items()}
        return {"fit": time.perf_counter() - begun, **last}

    return train


def xgboost(folder: Path, rounds: int) -> dict[str, Any]:
    """Train XGBoost's LambdaMART."""
    import xgboost

    begun = time.perf_counter()
    sets: list[Any] = []
    for name in ("train", "vali"):
        X, y, sizes = _arrays(folder, name)
        qid = np.repeat(np.arange(len(sizes)), sizes)
        shared = {"ref": sets[0]} if sets else {}
        sets.append(xgboost.QuantileDMatrix(X, y, qid=qid, max_bin=BINS, **shared))
    asked = {"objective": "rank:ndcg", "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0}
    asked |= {"max_leaves": LEAVES, "eta": RATE, "max_bin": BINS, "nthread": N_CORES}
    asked["eval_metric"] = "ndcg@10"
    told: dict[str, Any] = {}
    xgboost.train(asked, sets[0], rounds, [(sets[1], "valid")], evals_result=told, verbose_eval=False)
    return {"fit": time.perf_counter() - begun, "ndcg@10": told["valid"]["ndcg@10"][-1]}


def xgboost_text(folder: Path, rounds: int) -> dict[str, Any]:
    """Read all three files with XGBoost."""
    import xgboost

    return {
        "documents": sum(
            xgboost.DMatrix(f"{folder / name}.txt?format=libsvm").num_row()
            for name in ("train", "vali", "test")
        )
    }


def _parts(folder: Path) -> tuple[Any, ...]:
    import ltr_core as ltr

    return ltr.load_folds(folder)[0]


def _arrays(folder: Path, name: str) -> tuple[np.ndarray, ...]:
    return tuple(
        np.load(folder / ARRAYS / f"{name}-{what}.npy", mmap_mode="r") for what in ("X", "y", "sizes")
    )


STEPS: dict[str, Callable[[Path, int], dict[str, Any]]] = {
    "text": text, "write": write, "parquet": parquet, "xgboost-text": xgboost_text,
    "MPBoost": ours("MPBoost"), "RankBoost": ours("RankBoost"),
    "LambdaMART": ours("LambdaMART", n_leaves=LEAVES, min_leaf=SMALLEST),
    "McRank": ours("McRank", n_leaves=LEAVES, min_leaf=SMALLEST),
    "lightgbm-regression": lightgbm("regression", metric="ndcg"),
    "lightgbm-lambdarank": lightgbm("lambdarank"),
    "lightgbm-multiclass": lightgbm("multiclass", num_class=5, metric="multi_logloss"),
    "xgboost-ndcg": xgboost,
}  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))))
