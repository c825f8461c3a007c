"""Pairwise boosting beside LightGBM: seconds for 100 rounds, binning excluded on both sides.

    python -m tests.benchmarks.bench_pairwise [M] [wide] [L] [growth] [pairs] [memory] [repeats=5]

The yardstick is LightGBM's regression, 100 trees of 10 leaves and 255 bins, on the same data in the same run;
calls take turns and the best of each counts. "threads" 2 is what the targets mean; 1 is what a busy machine
measures reliably. M is 2,000 queries × 50 documents × 50 features, L five times the queries, wide 467 × 107 ×
700. "growth" times a round at 25, 100 and 400 documents in a query, 100,000 documents in all. "pairs" times a
round on continuous grades, 90 million pairs in one query, in 9 and in 900, beside numpy weighing every pair
once, row by row: a round that goes through pairs does that, and sums them by feature too. "memory" is the
peak beyond the data of a training on M against the binned matrix.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import numpy as np

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import binned
from tests.benchmarks.evidence import tell

SETS = {
    "M": {"n_queries": 2000, "n_docs": 50, "n_features": 50},
    "wide": {"n_queries": 467, "n_docs": 107, "n_features": 700},
    "L": {"n_queries": 10_000, "n_docs": 50, "n_features": 50},
}
# model, the bins it takes, rounds timed, the shares of LightGBM's time on M wanted with 1 and 2 threads
MODELS = {
    "MPBoost logdd": (lambda n: ltr.MPBoost(ddf="logdd", n_rounds=n), 256, 100, (0.35, 0.25)),
    "MPBoost logdd, newton": (
        lambda n: ltr.MPBoost(ddf="logdd", step="newton", n_rounds=n),
        256,
        100,
        (0.35, 0.25),
    ),
    "RankBoost r": (lambda n: ltr.RankBoost("r", n_rounds=n), 256, 100, (0.2, 0.2)),
    "RankBoost z": (lambda n: ltr.RankBoost("z", n_rounds=n), 256, 100, (0.3, 0.3)),
    "FRank, 64 bins": (lambda n: ltr.FRank(n_rounds=n, max_bins=64), 64, 100, (1.5, 1.5)),
}
WANTED_WIDE = {"MPBoost logdd": (None, 0.2)}


def seconds(function: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def lightgbm_trainer(data: ltr.RankingData, n_threads: int) -> Callable[[], object]:
    """Return a call that trains 100 trees of 10 leaves on data that are binned already."""
    import lightgbm

    params = {
        "objective": "regression",
        "num_leaves": 10,
        "max_bin": 255,
        "num_threads": n_threads,
        "verbose": -1,
    }
    set_ = lightgbm.Dataset(data.X, data.y, params=params).construct()
    return lambda: lightgbm.train(params, set_, 100)


def fit(make: Callable[[int], ltr.MPBoost], data: ltr.RankingData, rounds: int, n_threads: int) -> None:
    """Train with one thread or two."""
    if n_threads == 1:
        with threads.serial_only():
            make(rounds).fit(data, measures=())
    else:
        make(rounds).fit(data, measures=())


def compare(name: str, repeats: int) -> None:
    """Print the table of one set."""
    data = ltr.datasets.make("cubic", seed=0, **SETS[name])
    print(
        f"\n{name}: {data.n_queries:,} queries × {SETS[name]['n_docs']} × {data.n_features}, "
        f"{data.n_pairs:,} pairs"
    )
    print(f"{'':24}{'threads':>8}{'seconds':>9}{'ratio':>8}{'wanted':>8}")
    for n_threads in (1, 2):
        calls = {"LightGBM regression": (lightgbm_trainer(data, n_threads), 1.0, None)}
        for label, (make, bins, rounds, wanted) in MODELS.items():
            if name == "L" and label.startswith("FRank"):
                continue
            binned(data, bins)
            fit(make, data, 2, n_threads)  # compiles
            aims = wanted if name == "M" else WANTED_WIDE.get(label, (None, None))
            calls[label] = partial(fit, make, data, rounds, n_threads), 100 / rounds, aims[n_threads - 1]
        times: dict[str, list[float]] = {label: [] for label in calls}
        for _ in range(repeats):
            for label, (call, scale, _) in calls.items():
                times[label].append(scale * seconds(call))
        peer = times["LightGBM regression"]
        for label, (_, _, aim) in calls.items():
            best = min(times[label])
            goal = "" if aim is None else f"{aim:8.2f}"
            print(f"{label:24}{n_threads:8}{best:9.3f}{best / min(peer):8.2f}{goal}", flush=True)
            if times[label] is not peer:
                work = f"{label}, {name}, {n_threads} thread{'s' if n_threads > 1 else ''}"
                tell(work, times[label], "LightGBM regression", peer, aim)


def least_time(make: Callable[[int], ltr.MPBoost], data: ltr.RankingData, rounds: int, repeats: int) -> float:
    """Return the shortest of some trainings with one thread."""
    return min(seconds(lambda: fit(make, data, rounds, 1)) for _ in range(repeats))


def growth(repeats: int) -> None:
    """Print the time of a round with ever more documents in a query."""
    print("\nms per round, 100,000 documents × 50 features, one thread")
    print(f"{'':24}" + "".join(f"{n:>9}" for n in (25, 100, 400)) + f"{'growth':>9}")
    models = {label: MODELS[label] for label in ("MPBoost logdd", "RankBoost r", "RankBoost z")}
    times = {label: [] for label in models}
    for n_docs in (25, 100, 400):
        data = ltr.datasets.make("cubic", seed=0, n_queries=100_000 // n_docs, n_docs=n_docs, n_features=50)
        binned(data)
        for label, (make, *_) in models.items():
            fit(make, data, 2, 1)
            some, more = (least_time(make, data, rounds, repeats) for rounds in (20, 80))
            times[label].append((more - some) / 60 * 1e3)
    for label, row in times.items():
        print(f"{label:24}" + "".join(f"{t:9.2f}" for t in row) + f"{row[-1] / row[0]:9.2f}", flush=True)


def continuous(n_queries: int, n_docs: int) -> ltr.RankingData:
    """Return queries in which every document has a grade of its own, from 0 to 4."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_queries * n_docs, 50)).astype(np.float32)
    score = X[:, 0] + 0.5 * X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + rng.normal(size=len(X))
    return ltr.RankingData(X, 4.0 / (1.0 + np.exp(-score)), np.repeat(np.arange(n_queries), n_docs))


def weigh_rows(y: np.ndarray, offsets: np.ndarray, scores: np.ndarray, lam: float) -> float:
    """Return Σ exp(-log(1 + λ t) Δ) over all pairs, by numpy, a document's pairs at a time."""
    total = 0.0
    for start, stop in zip(offsets[:-1], offsets[1:], strict=True):
        order = start + np.argsort(y[start:stop])
        grades, F = y[order], scores[order]
        for i in range(1, len(order)):
            total += np.exp(-np.log1p(lam * (grades[i] - grades[:i])) * (F[i] - F[:i])).sum()
    return total


def many_pairs(repeats: int) -> None:
    """Print the time of a round on continuous grades, of all but the first of 20."""
    print("\nseconds a round on continuous grades, 50 features; wanted: 1")
    print(f"{'':32}{'threads':>8}{'seconds':>9}{'cpu':>8}{'ratio':>8}")
    for n_queries, n_docs in ((1, 13_418), (9, 4_472), (900, 447)):
        data, size = continuous(n_queries, n_docs), f"{n_queries} × {n_docs:,}"
        once = partial(weigh_rows, data.y, data.offsets, np.linspace(0.0, 1.0, data.n_docs), 0.7)
        peer = [seconds(once) for _ in range(min(2, repeats))]
        print(f"{size + ', numpy once':32}{1:8}{min(peer):9.2f}", flush=True)
        for ddf in ("binary", "ldd", "logdd", "logitdd"):
            for n_threads in (1, 2):
                make = partial(ltr.MPBoost, ddf=ddf, n_rounds=20)
                rounds = [round_time(make(), data, n_threads) for _ in range(min(2, repeats))]
                best, cpu = (min(times) for times in zip(*rounds, strict=True))
                label = f"{size}, MPBoost {ddf}"
                print(f"{label:32}{n_threads:8}{best:9.3f}{cpu:8.3f}{best / min(peer):8.2f}", flush=True)
            work = f"a round of MPBoost {ddf}, continuous grades, {size}, 2 threads"
            tell(work, [clock for clock, _ in rounds], "numpy, every pair weighed once", peer)


def round_time(model: ltr.MPBoost, data: ltr.RankingData, n_threads: int) -> tuple[float, float]:
    """Return what a round takes by the clock, and in seconds of a core."""
    times = []

    def note(info: object) -> None:
        times.append((time.perf_counter(), time.process_time()))

    with threads.serial_only() if n_threads == 1 else nullcontext():
        model.fit(data, measures=(), on_round=note)
    clock, core = np.subtract(times[-1], times[0]) / (len(times) - 1)
    return float(clock), float(core)


_PEAK = """
import sys
from pathlib import Path
import ltr_core as ltr
from ltr_core.engines.binning.bins import binned

def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) * 1024

name, n_queries, bins = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params = {"max_bins": bins, "n_rounds": 30}
model = {"mpboost": ltr.MPBoost, "rankboost": ltr.RankBoost, "frank": ltr.FRank}[name](**params)
small = ltr.datasets.make("cubic", seed=0, n_queries=20, n_docs=50, n_features=50)
model.fit(small, measures=())
data = ltr.datasets.make("cubic", seed=0, n_queries=n_queries, n_docs=50, n_features=50)
matrix = binned(data, bins).bins.nbytes
Path("/proc/self/clear_refs").write_text("5")
before = status("VmRSS")
model.set_params(n_rounds=5 if name == "frank" else 30).fit(data, measures=())
print(matrix, status("VmHWM") - before)
"""


def memory() -> None:
    """Print the peak memory of trainings, in processes of their own."""
    print("\npeak memory beyond data and binned matrix, M")
    for name, bins in (("mpboost", 256), ("rankboost", 256), ("frank", 64)):
        out = subprocess.run(
            [sys.executable, "-c", _PEAK, name, "2000", str(bins)], capture_output=True, text=True, check=True
        )
        matrix, peak = map(int, out.stdout.split())
        print(f"{name:24}{peak / 2**20:7.1f} MB = {peak / matrix:.1f} × the binned matrix", flush=True)


def main() -> None:
    """Print what the command line asks for, all but L by default."""
    warnings.simplefilter("ignore")
    words = [w for w in sys.argv[1:] if "=" not in w] or ["M", "wide", "growth", "pairs", "memory"]
    repeats = next((int(w.partition("=")[2]) for w in sys.argv[1:] if w.startswith("repeats=")), 5)
    for word in words:
        if word in SETS:
            compare(word, repeats)
        elif word == "growth":
            growth(repeats)
        elif word == "pairs":
            many_pairs(repeats)
        elif word == "memory":
            memory()


if __name__ == "__main__":
    main()
