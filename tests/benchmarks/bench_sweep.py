"""A grid of 24 MPBoost fits × 5 folds of MQ2008: the thread pool against one fit after another in one thread.

The target is a ratio of 0.48 on two cores; all take turns, five times. One after another is measured twice:
on data sets that have been binned before, as the sweep's have, where half the time is all that two cores can
give; and with all that a fit prepares counted for each of them, as where arrays are cut anew for each fit,
while the sweep, from as fresh data, prepares it once. Sweeping ten numbers of rounds shall cost what one fit
costs.
Then the same grid on Dask: 1, 2 and 4 worker processes of this machine; and what the scheduler adds to a fit
where 64 workers wait for fits of next to no work, simulated in one process, beside these fits in one thread.
"""

from __future__ import annotations

import time
from importlib.util import find_spec

import ltr_core as ltr
from ltr_core import threads
from tests.benchmarks.evidence import tell
from tests.benchmarks.study_mq2008_network import letor_folder

FIXED = {"ddf": "logdd", "n_rounds": 100}
LAMBDAS = [0.05 * 1.2**i for i in range(24)]
TURNS = 5


def fresh(data: ltr.RankingData) -> ltr.RankingData:
    """Return the same documents without what has been prepared for them."""
    return ltr.RankingData(data.X, data.y, data.qid)


def one_after_another(folds, prepare=lambda data: data) -> float:
    """Return the seconds of the fits in one thread."""
    started = time.perf_counter()
    with threads.serial_only():
        for lam in LAMBDAS:
            for train, valid, _ in folds:
                ltr.MPBoost(lam=lam, **FIXED).fit(prepare(train), eval_set={"valid": prepare(valid)})
    return time.perf_counter() - started


def swept(folds, space, fixed, **where) -> float:
    """Return the seconds of a sweep."""
    started = time.perf_counter()
    ltr.sweep("MPBoost", space, folds, fixed=fixed, **where)
    return time.perf_counter() - started


def on_clusters(folds, alone: float) -> None:
    """Print what the grid takes on worker processes, and what a scheduler of many adds to each fit."""
    import distributed

    for n in (1, 2, 4):
        with (
            distributed.LocalCluster(n_workers=n, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            client.wait_for_workers(n)
            swept(folds, {"lam": LAMBDAS[: 2 * n]}, FIXED, executor=client)  # kernels are loaded
            seconds = swept(folds, {"lam": LAMBDAS}, FIXED, executor=client)
            print(f"Dask, {n} worker processes: {seconds:.2f} s, ratio {seconds / alone:.2f}")
    tiny, lams = ltr.datasets.make("tiny"), [0.01 * (1 + i) for i in range(512)]
    cut, fixed = ltr.split(tiny, (0.6, 0.2, 0.2), seed=0), {"ddf": "logdd", "n_rounds": 1}
    here = swept(cut, {"lam": lams}, fixed, n_workers=1)
    # Each would take the memory of all, who are one process, for its own.
    options = {"threads_per_worker": 1, "processes": False, "dashboard_address": None, "memory_limit": 0}
    with distributed.LocalCluster(n_workers=64, **options) as cluster, distributed.Client(cluster) as client:
        client.wait_for_workers(64)
        swept(cut, {"lam": lams[:64]}, fixed, executor=client)
        there = swept(cut, {"lam": lams}, fixed, executor=client)
    own, added = 1e3 * here / len(lams), 1e3 * (there - here) / len(lams)
    print(f"64 simulated workers: {added:.1f} ms more a fit, beside {own:.1f} ms of the fit and its record")


def main() -> None:
    folder = letor_folder()
    folds = ltr.load_folds(folder) if folder.is_dir() else ltr.folds(ltr.datasets.make("ohsumed-like"), 5)
    for train, valid, _ in folds:  # binning and compilation are nobody's
        ltr.MPBoost(ddf="logdd", n_rounds=2).fit(train, eval_set={"valid": valid})
    serial, pooled, each_own, from_fresh = [], [], [], []
    for _ in range(TURNS):
        serial.append(one_after_another(folds))
        pooled.append(swept(folds, {"lam": LAMBDAS}, FIXED))
        each_own.append(one_after_another(folds, fresh))
        started = time.perf_counter()
        cut = [(fresh(train), fresh(valid), fresh(test)) for train, valid, test in folds]
        swept(cut, {"lam": LAMBDAS}, FIXED)
        from_fresh.append(time.perf_counter() - started)
    alone, least = min(serial), min(pooled)
    print(f"24 fits × 5 folds: one thread {alone:.2f} s, sweep {least:.2f} s, ratio {least / alone:.2f}")
    print(f"from fresh data: each its own {min(each_own):.2f} s, sweep {min(from_fresh):.2f} s")
    tell("24 fits × 5 folds as a sweep", pooled, "one after another, one thread", serial, 0.48)
    tell("the same, preparing once", from_fresh, "each fit prepares, one thread", each_own, 0.48)
    if find_spec("distributed") is not None:
        on_clusters(folds, alone)
    one = swept(folds[0], {"lam": [1.0]}, FIXED)
    ten = swept(folds[0], {"n_rounds": list(range(10, 101, 10))}, {"ddf": "logdd", "lam": 1.0})
    print(f"one fit {one:.3f} s, ten numbers of rounds {ten:.3f} s, ratio {ten / one:.2f}")


if __name__ == "__main__":
    main()
