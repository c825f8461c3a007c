"""NDCG@10 of 10,000 queries × 50 documents beside ranx, LightGBM and scikit-learn, and the other measures.

    python -m tests.benchmarks.bench_measures

One thread and two in the same run; the last column is the time against ranx's. ranx sorts at every call, as
new scores would need; making its dictionaries is not counted, nor is LightGBM's data set.
"""

from __future__ import annotations

import time
import warnings

import numpy as np

import ltr_core as ltr
from ltr_core import threads
from tests.benchmarks.evidence import tell

N_QUERIES, N_DOCS = 10_000, 50


def best_of(function, times=7):
    """Return the shortest of some calls in milliseconds, after one to warm up."""
    return min(calls_of(function, times))


def calls_of(function, times=7):
    """Return the milliseconds of some calls, after one to warm up."""
    function()
    return [_timed(function) for _ in range(times)]


def _timed(function):
    started = time.perf_counter()
    function()
    return (time.perf_counter() - started) * 1e3


def make(n_queries=N_QUERIES):
    """Grades, scores, query ids and offsets of an artificial set."""
    rng = np.random.default_rng(0)
    offsets = np.arange(0, n_queries * N_DOCS + 1, N_DOCS)
    y = rng.integers(0, 5, offsets[-1]).astype(np.float64)
    return y, y + rng.normal(size=len(y)), np.repeat(np.arange(n_queries), N_DOCS), offsets


def time_ranx(y, scores):
    """Return ranx's time and value, or None where it is not installed."""
    try:
        from ranx import Qrels, Run, evaluate
    except ImportError:
        return None
    names = [f"d{i:02}" for i in range(N_DOCS)]
    rows = [(f"q{q:05}", slice(q * N_DOCS, (q + 1) * N_DOCS)) for q in range(len(y) // N_DOCS)]
    qrels = Qrels({q: dict(zip(names, map(int, y[part]), strict=True)) for q, part in rows})
    run = Run({q: dict(zip(names, map(float, scores[part]), strict=True)) for q, part in rows})

    def measure():
        run.sorted = qrels.sorted = False
        return evaluate(qrels, run, "ndcg_burges@10")

    return calls_of(measure, 3), measure()


def time_lightgbm(y, scores):
    """Return the time of LightGBM's own NDCG@10: that of a round with it, less that of a round without."""
    try:
        import lightgbm
    except ImportError:
        return None
    data = lightgbm.Dataset(
        np.zeros((len(y), 1)) + np.arange(len(y))[:, None] % 2,
        y,
        group=[N_DOCS] * (len(y) // N_DOCS),
        init_score=scores,
        free_raw_data=False,
    )
    params = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "verbose": -1, "num_threads": 2}
    booster = lightgbm.Booster(params, data)
    return calls_of(booster.eval_train), booster.eval_train()[0][2]


def time_sklearn(y, scores, queries=500):
    """Return scikit-learn's time, from some of the queries."""
    from sklearn.metrics import ndcg_score

    gains = 2.0**y - 1
    some = [slice(q * N_DOCS, (q + 1) * N_DOCS) for q in range(queries)]
    ms = _timed(lambda: [ndcg_score(gains[None, part], scores[None, part], k=10) for part in some])
    return ms * len(y) / N_DOCS / queries


def main():
    """Print the table."""
    warnings.simplefilter("ignore")
    y, scores, qid, offsets = make()
    tied = scores.round(1)
    rows = []

    def add(name, function):
        with threads.serial_only():
            alone = best_of(function)
        rows.append((name, alone, best_of(function)))

    bound = ltr.measure("ndcg@10").bind(y, offsets)
    add("ndcg@10, bound to its grades", lambda: bound.mean(scores))
    add("ndcg@10, bound, many equal scores", lambda: bound.mean(tied))
    add("ltr.ndcg(y, scores, qid), all checks", lambda: ltr.ndcg(y, scores, qid))
    few = make(2_000)
    few_bound = ltr.measure("ndcg@10").bind(few[0], few[3])
    add("ndcg@10, bound, 2,000 queries only", lambda: few_bound.mean(few[1]))
    for name in ltr.MEASURES:
        one = ltr.measure(name).bind(y, offsets)
        add(f"{one_name(name)}, bound", lambda one=one: one.mean(scores))
    ranx, lightgbm = time_ranx(y, scores), time_lightgbm(y, scores)
    value = bound.mean(scores)
    if ranx is not None:
        rows.append(("ranx ndcg_burges@10, with its sort", None, min(ranx[0])))
        assert abs(ranx[1] - value) < 1e-9, (ranx[1], value)
    if lightgbm is not None:
        rows.append(("LightGBM's own ndcg@10", None, min(lightgbm[0])))
        assert abs(lightgbm[1] - value) < 1e-6, (lightgbm[1], value)
    rows.append(("scikit-learn ndcg_score, query by query", None, time_sklearn(y, scores)))
    ours = [ms / 1e3 for ms in calls_of(lambda: bound.mean(scores))]
    for peer, found in (("ranx", ranx), ("LightGBM", lightgbm)):
        if found is not None:
            tell(f"NDCG@10 of {N_QUERIES:,} × {N_DOCS}", ours, peer, [ms / 1e3 for ms in found[0]])
    print(f"{N_QUERIES:,} queries × {N_DOCS} documents, milliseconds")
    print(f"{'':42}{'1 thread':>10}{'2 threads':>11}{'/ ranx':>9}")
    for name, alone, both in rows:
        ratio = f"{both / min(ranx[0]):9.3f}" if ranx is not None else ""
        print(f"{name:42}{'' if alone is None else f'{alone:.2f}':>10}{both:11.2f}{ratio}")


def one_name(name):
    """Return a measure's name with its depth."""
    return ltr.measure(name).name


if __name__ == "__main__":
    main()
