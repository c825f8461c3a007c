"""A grid of 24 MPBoost fits × 5 folds of MQ2008: the thread pool against one fit after another in one thread.

The target is a ratio below 0.6 on two cores. Sweeping ten numbers of rounds shall cost what one fit costs.
"""

from __future__ import annotations

import time

import ltr_core as ltr
from ltr_core import threads
from tests.benchmarks.evidence import tell
from tests.benchmarks.study_mq2008_network import letor_folder

FIXED = {"ddf": "logdd", "n_rounds": 100}
LAMBDAS = [0.05 * 1.2**i for i in range(24)]


def one_after_another(folds) -> float:
    """Return the seconds of the fits in one thread."""
    started = time.perf_counter()
    with threads.serial_only():
        for lam in LAMBDAS:
            for train, valid, _ in folds:
                ltr.MPBoost(lam=lam, **FIXED).fit(train, eval_set={"valid": valid})
    return time.perf_counter() - started


def swept(folds, space, fixed) -> float:
    """Return the seconds of a sweep."""
    started = time.perf_counter()
    ltr.sweep("MPBoost", space, folds, fixed=fixed)
    return time.perf_counter() - started


def main() -> None:
    folder = letor_folder()
    folds = ltr.load_folds(folder) if folder.is_dir() else ltr.folds(ltr.datasets.make("ohsumed-like"), 5)
    for train, valid, _ in folds:  # binning and compilation are nobody's
        ltr.MPBoost(ddf="logdd", n_rounds=2).fit(train, eval_set={"valid": valid})
    alone = one_after_another(folds)
    pooled = swept(folds, {"lam": LAMBDAS}, FIXED)
    print(f"24 fits × 5 folds: one thread {alone:.2f} s, sweep {pooled:.2f} s, ratio {pooled / alone:.2f}")
    tell("24 fits × 5 folds as a sweep", [pooled], "one after another, one thread", [alone], 0.6)
    one = swept(folds[0], {"lam": [1.0]}, FIXED)
    ten = swept(folds[0], {"n_rounds": list(range(10, 101, 10))}, {"ddf": "logdd", "lam": 1.0})
    print(f"one fit {one:.3f} s, ten numbers of rounds {ten:.3f} s, ratio {ten / one:.2f}")


if __name__ == "__main__":
    main()
