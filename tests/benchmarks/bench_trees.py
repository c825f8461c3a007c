"""Boosted trees beside LightGBM and scikit-learn: seconds, test NDCG@10, peak memory.

    python -m tests.benchmarks.bench_trees [queries …] [turns=5]     (2,000 and 10,000 queries × 50)

The work: `cubic`, 50 features, five grades; 100 rounds, 10 leaves, learning rate 0.1, 5 documents a leaf, 255
bins, 2 threads, binning included. Each contender runs in a process of its own, warmed up on a small set; all
take turns, five times, and the best time counts: only ratios of one run mean anything. On a busy machine the
processor seconds of both threads together say more. Memory is the peak beyond what the process held when the
data were loaded and the code was warm.

Not the same by definition: LightGBM's multiclass splits and starts as `splits="newton", start="prior"`, its
lambdarank normalises and truncates as `normalise=True` and k do; scikit-learn's classifier lacks the factor
(K - 1)/K in its leaves, which is as much as a learning rate of 0.125.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.evidence import tell

THREADS, ROUNDS, N_TEST = 2, 100, 2_000
WANTED = {"regression": 0.25, "multiclass": 0.33, "lambdarank": 0.33}  # of LightGBM's seconds

CONTENDERS = {
    "regression": ("ours", "lightgbm", "scikit-learn"),
    "multiclass": ("ours", "ours, newton, prior", "ours, ordinal", "lightgbm", "scikit-learn"),
    "lambdarank": (
        "ours",
        "ours, normalised",
        "ours, normalised, k=30",
        "lightgbm, plain, 10",
        "lightgbm, 10",
        "lightgbm, 30",
    ),
}


# One contender, in its own process --------------------------------------------------------------------------


def run_one(task: str, who: str, folder: Path) -> dict[str, float]:
    """Train once and return seconds, test NDCG@10 and megabytes."""
    import ltr_core as ltr

    train, test = (load(folder, name) for name in ("train", "test"))
    small = train.select(range(20))
    contender = OURS[task, who] if "ours" in who else peer(task, who)
    contender(small)
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here
    before = status("VmRSS")
    started, cpu_started = time.perf_counter(), time.process_time()
    predict = contender(train)
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    megabytes = (status("VmHWM") - before) / 1024
    return {
        "seconds": seconds,
        "cpu": cpu,
        "ndcg": ltr.ndcg(test.y, predict(test), test.qid, k=10),
        "megabytes": megabytes,
    }


def fresh(data):
    """Return the same data without what an earlier training left on them."""
    import ltr_core as ltr

    return ltr.RankingData(data.X, data.y, data.qid)


def ours(name: str, **values):
    """Return a contender of this library."""
    import ltr_core as ltr

    def train(data):
        model = ltr.ALGORITHMS[name](n_trees=ROUNDS, max_bins=255, **values)
        return model.fit(fresh(data), measures=()).predict

    return train


OURS = {
    ("regression", "ours"): ours("GBT", target="gain"),
    ("multiclass", "ours"): ours("McRank"),
    ("multiclass", "ours, newton, prior"): ours("McRank", splits="newton", start="prior"),
    ("multiclass", "ours, ordinal"): ours("McRank", mode="ordinal"),
    ("lambdarank", "ours"): ours("LambdaMART"),
    ("lambdarank", "ours, normalised"): ours("LambdaMART", normalise=True),
    ("lambdarank", "ours, normalised, k=30"): ours("LambdaMART", normalise=True, k=30),
}


def peer(task: str, who: str):
    """Return a contender of another library."""
    return scikit(task) if who == "scikit-learn" else lightgbm(task, who)


def lightgbm(task: str, who: str):
    """LightGBM with the same parameters."""
    import lightgbm

    params = {
        "objective": task,
        "num_leaves": 10,
        "learning_rate": 0.1,
        "min_data_in_leaf": 5,
        "max_bin": 255,
        "num_threads": THREADS,
        "verbose": -1,
    }
    if task == "multiclass":
        params["num_class"] = 5
    if task == "lambdarank":
        params["lambdarank_truncation_level"] = int(who.split()[-1])
        params["lambdarank_norm"] = "plain" not in who

    def train(data):
        y = np.exp2(data.y) - 1 if task == "regression" else data.y
        group = np.diff(data.offsets) if task == "lambdarank" else None
        model = lightgbm.train(params, lightgbm.Dataset(data.X, y, group=group), ROUNDS)
        worth = np.arange(5)
        return lambda test: model.predict(test.X) @ worth if task == "multiclass" else model.predict(test.X)

    return train


def scikit(task: str):
    """scikit-learn's histogram boosting with the same parameters."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingRegressor if task == "regression" else HistGradientBoostingClassifier

    def train(data):
        y = np.exp2(data.y) - 1 if task == "regression" else data.y
        model = kind(
            max_iter=ROUNDS,
            max_leaf_nodes=10,
            learning_rate=0.1,
            min_samples_leaf=5,
            max_bins=255,
            early_stopping=False,
        )
        model.fit(data.X, y)
        worth = np.arange(5)
        return lambda t: model.predict_proba(t.X) @ worth if task == "multiclass" else model.predict(t.X)

    return train


def status(field: str) -> int:
    """Return a number of kilobytes from the process's status."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    raise KeyError(field)


# All of them ------------------------------------------------------------------------------------------------


def save(data, folder: Path, name: str) -> None:
    """Write a data set for the contenders to load."""
    for part in ("X", "y", "qid"):
        np.save(folder / f"{name}_{part}.npy", getattr(data, part))


def load(folder: Path, name: str):
    """Read a data set."""
    import ltr_core as ltr

    return ltr.RankingData(*(np.load(folder / f"{name}_{part}.npy") for part in ("X", "y", "qid")))


def main(sizes: list[int], turns: int) -> None:
    """Run the contenders in turns and print a table for each size."""
    import ltr_core as ltr

    env = {**os.environ, "OMP_NUM_THREADS": str(THREADS), "NUMBA_NUM_THREADS": str(THREADS)}
    env["OMP_WAIT_POLICY"] = (
        "PASSIVE"  # the same for all; on a busy machine spinning threads starve each other
    )
    for n_queries in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            data = ltr.datasets.make("cubic", n_queries=n_queries + N_TEST)
            save(data.select(range(n_queries)), folder, "train")
            save(data.select(range(n_queries, n_queries + N_TEST)), folder, "test")
            results: dict[tuple[str, str], list[dict[str, float]]] = {}
            for _ in range(turns):
                for task, whos in CONTENDERS.items():
                    for who in whos:
                        command = [sys.executable, "-m", __spec__.name, "--one", task, who, place]
                        done = subprocess.run(command, capture_output=True, text=True, env=env)
                        if done.returncode:
                            sys.exit(done.stderr)
                        answer = json.loads(done.stdout.splitlines()[-1])
                        results.setdefault((task, who), []).append(answer)
        report(n_queries, results)


def report(n_queries: int, results: dict[tuple[str, str], list[dict[str, float]]]) -> None:
    """Print the best of each, and what our own is of it."""
    print(f"\n{n_queries:,} queries × 50 documents × 50 features, {ROUNDS} rounds, {THREADS} threads")
    head = ("seconds", "ours is", "cpu s", "ours is", "MB", "ours is", "NDCG@10", "ours")
    print(f"{'':11s}{'':25s}" + "".join(f"{h:>9s}" for h in head))
    for (task, who), answers in results.items():
        line = f"{task:11s}{who:25s}"
        for name, digits in (("seconds", 2), ("cpu", 2), ("megabytes", 0)):
            value, own = (min(a[name] for a in some) for some in (answers, results[task, "ours"]))
            line += f"{value:9.{digits}f}{own / value:8.2f}×"
        value, own = answers[0]["ndcg"], results[task, "ours"][0]["ndcg"]
        print(line + f"{value:9.4f}{own - value:+9.4f}")
        if not who.startswith("ours"):
            mine = [a["seconds"] for a in results[task, "ours"]]
            wanted = WANTED[task] if who.startswith("lightgbm") else None
            theirs = [a["seconds"] for a in answers]
            tell(f"{task}, {n_queries:,} queries, binning in", mine, who, theirs, wanted)


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--one"]:
        print(json.dumps(run_one(given[1], given[2], Path(given[3]))))
    else:
        wanted = [int(a) for a in given if a.isdigit()] or [2_000, 10_000]
        main(wanted, next((int(a[6:]) for a in given if a.startswith("turns=")), 5))
