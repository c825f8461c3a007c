"""Seconds for RankSVM beside dlib's, and how the time of what sorts lists grows with their length.

dlib's `svm_rank_trainer` takes relevant and irrelevant documents, so grades from 1 up are relevant for
both; the time is for its training alone, ours includes everything `fit` does. Without dlib (``pip install
dlib`` builds it, which needs cmake and a compiler) the ratio is to the figures of the machine of the
targets.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import ltr_core as ltr
from tests.benchmarks.evidence import tell

try:
    import dlib
except ImportError:
    dlib = None

IN_DLIB = {2_000: 0.036, 10_000: 0.18}


def seconds_of(run: Callable[[], object], repeats: int = 5) -> list[float]:
    """Return the seconds of some runs, after one to warm up."""
    run()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return times


def dlib_seconds(data: ltr.RankingData, C: float) -> list[float]:
    """Return dlib's seconds on the same documents."""
    queries = dlib.ranking_pairs()
    for a, b in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        pair = dlib.ranking_pair()
        for row, grade in zip(data.X[a:b].tolist(), data.y[a:b], strict=True):
            (pair.relevant if grade else pair.nonrelevant).append(dlib.vector(row))
        if len(pair.relevant) and len(pair.nonrelevant):
            queries.append(pair)
    trainer = dlib.svm_rank_trainer()
    trainer.c = C
    return seconds_of(lambda: trainer.train(queries))


def main() -> None:
    for n_queries, other in IN_DLIB.items():
        data = ltr.datasets.make("cubic", n_queries=n_queries)
        data = ltr.RankingData(data.X, np.minimum(data.y, 1), data.qid)
        for C in (1.0, 10.0):
            ours = seconds_of(lambda d=data, c=C: ltr.RankSVM(C=c).fit(d, measures=()))
            peers = dlib_seconds(data, C) if dlib else [other]
            own, theirs = min(ours), min(peers)
            if dlib:
                tell(f"RankSVM, {n_queries:,} × 50 × 50, C = {C:g}", ours, "dlib", peers, 1.0)
            where = "" if dlib else " (its figure on another machine)"
            print(
                f"RankSVM {n_queries:6,} × 50 × 50, C = {C:<4g} {own:.3f} s, dlib {theirs:.3f} s{where}, "
                f"ratio {own / theirs:.2f}",
                flush=True,
            )
    short = ltr.datasets.make("mq2008-list-like", n_queries=20, n_docs=1_000)
    long = ltr.datasets.make("mq2008-list-like", n_queries=2, n_docs=10_000)
    print("20 lists of 1,000 against 2 of 10,000: n log n makes it 1.33 times as long, pairs 10 times")
    tasks = {
        "Kendall τ": lambda d: ltr.kendall_tau(d.y, d.X[:, 0], d.qid),
        "FeatureRank, 10 features": lambda d: ltr.FeatureRank(n_features=10).fit(d, measures=()),
        "RankSVM": lambda d: ltr.RankSVM().fit(d, measures=()),
        "SVRank": lambda d: ltr.SVRank().fit(d, measures=()),
    }
    for name, task in tasks.items():
        times = [min(seconds_of(lambda d=d, run=task: run(d))) for d in (short, long)]
        print(f"{name:26}{times[0]:8.4f} s {times[1]:8.4f} s   {times[1] / times[0]:.2f}", flush=True)


if __name__ == "__main__":
    main()
