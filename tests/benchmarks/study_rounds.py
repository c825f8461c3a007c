"""Where a round of the pairwise boosters goes on M, kernel by kernel, and what the processor allows.

    python -m tests.benchmarks.study_rounds [rounds=100]

One thread, its own time: other work on the machine lengthens nothing but what waits for memory. The lines
below the tables are two loops over the binned matrix that do as little as a pass can: one adds a document's
whole number at each feature's bin, as the screening does, the other only stores it there. They take the same
time, a store each cycle: sums by bin cannot be had faster, whatever is added.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
from numba import njit

import ltr_core as ltr
from ltr_core import threads
from ltr_core.engines.binning.bins import binned
from tests.benchmarks.bench_pairwise import SETS

MODELS = {
    "MPBoost logdd": lambda n: ltr.MPBoost(ddf="logdd", n_rounds=n),
    "RankBoost r": lambda n: ltr.RankBoost("r", n_rounds=n),
    "RankBoost z": lambda n: ltr.RankBoost("z", n_rounds=n),
    "FRank, 64 bins": lambda n: ltr.FRank(n_rounds=n, max_bins=64),
}
KERNELS = {
    "_screen_features": "screening: N of every candidate, bounds of D",
    "_pull_features": "screening: N of every candidate",
    "_bound_chosen": "bounds from exact pulls",
    "_sum_features": "screening: sums for the bounds",
    "_bound_features": "screening: bounds",
    "_sweep_blocks": "S, D or C of the candidates that are left",
    "_order_columns": "a feature's order, once each",
    "_order_queries": "a feature's order, once each",
    "_step_blocks": "the stump added, pairs weighed anew and misordered ones counted",
    "_weigh_blocks": "pairs weighed anew",
    "_lay_factors": "factors from the scores",
    "_renew_blocks": "factors from the scores",
    "_sum_blocks": "exact losses",
    "_count_blocks": "misordered pairs",
}


@njit(nogil=True)
def _add_numbers(bins, numbers, out):
    for k in range(0, bins.shape[0], 2):
        column, other, row, other_row = bins[k], bins[k + 1], out[k], out[k + 1]
        for i in range(numbers.size):
            row[column[i]] += numbers[i]
            other_row[other[i]] += numbers[i]


@njit(nogil=True)
def _store_numbers(bins, numbers, out):
    for k in range(0, bins.shape[0], 2):
        column, other, row, other_row = bins[k], bins[k + 1], out[k], out[k + 1]
        for i in range(numbers.size):
            row[column[i]] = numbers[i]
            other_row[other[i]] = numbers[i]


def rounds_of(model: Any, data: ltr.RankingData) -> tuple[float, Counter[str], Counter[str]]:
    """Return the seconds of a training, and of and how often each kernel that is shared out."""
    took, calls = Counter[str](), Counter[str]()
    share_out = threads.share_out

    def timed(kernel: Callable[..., Any], *args: Any, **how: Any) -> None:
        began = time.thread_time()
        share_out(kernel, *args, **how)
        took[kernel.__name__] += time.thread_time() - began
        calls[kernel.__name__] += 1

    users = [m for name, m in sys.modules.items() if name.startswith("ltr_core.") and hasattr(m, "share_out")]
    patches = [patch.object(module, "share_out", timed) for module in users]
    for one in patches:
        one.start()
    try:
        began = time.thread_time()
        with threads.serial_only():
            model.fit(data, measures=())
        return time.thread_time() - began, took, calls
    finally:
        patch.stopall()


def least_time(kernel: Callable[..., None], *args: Any) -> float:
    """Return the shortest of twenty calls, in milliseconds."""
    kernel(*args)
    times = []
    for _ in range(20):
        began = time.thread_time()
        kernel(*args)
        times.append(time.thread_time() - began)
    return 1e3 * min(times)


def main(rounds: int = 100) -> None:
    """Print a table for each booster, and the two loops."""
    data = ltr.datasets.make("cubic", seed=0, **SETS["M"])
    for label, make in MODELS.items():
        make(2).fit(data, measures=())  # compiles
        seconds, took, calls = min((rounds_of(make(rounds), data) for _ in range(3)), key=lambda run: run[0])
        print(f"\n{label}: {1e3 * seconds / rounds:.2f} ms a round\n")
        print("| | ms a round | calls a round |\n| --- | --- | --- |")
        for name, spent in took.most_common():
            words = KERNELS.get(name, name.strip("_").replace("_", " "))
            print(f"| {words} | {1e3 * spent / rounds:.2f} | {calls[name] / rounds:.2f} |")
        rest = seconds - sum(took.values())
        print(f"| Python, and kernels too small to share out | {1e3 * rest / rounds:.2f} | |")
    bins, numbers = binned(data, 256).bins, np.arange(data.n_docs)
    sums = np.zeros((len(bins), 256), dtype=np.int64)
    for words, kernel in (("added", _add_numbers), ("stored", _store_numbers)):
        spent = least_time(kernel, bins, numbers, sums)
        print(
            f"\nA number {words} at each bin: {spent:.2f} ms, {1e6 * spent / bins.size:.3f} ns a cell", end=""
        )
    print()


if __name__ == "__main__":
    main(*(int(given.removeprefix("rounds=")) for given in sys.argv[1:]))
