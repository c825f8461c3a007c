"""Seconds for one epoch of the gradient models on M (2,000 × 50 × 50), its evaluation included.

The yardstick is ListNet over the same data as one dense cube in numpy, one gradient for the whole set. A loop
in torch needs 0.008 s for it, 0.026 for RankNet, 0.035 for LambdaRank and 0.018 for ListMLE on the machine of
the targets. Here each query has a step of its own.
"""

from __future__ import annotations

import time

import numpy as np

import ltr_core as ltr
from tests.benchmarks.evidence import tell

NAMES = ("RankNet", "LambdaRank", "ListNet", "ListMLE", "RankCosine")
IN_TORCH = {"RankNet": 0.026, "LambdaRank": 0.035, "ListNet": 0.008, "ListMLE": 0.018}


def epochs_of(name: str, data: ltr.RankingData, hidden: int) -> list[float]:
    """Return the seconds of five epochs."""
    ends: list[float] = []
    model = ltr.ALGORITHMS[name](hidden=hidden, epochs=6)
    model.fit(data, measures=(), on_round=lambda info: ends.append(info.seconds))
    return np.diff(ends).tolist()


def cube_gradient(Z: np.ndarray, target: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return ListNet's gradient for all queries at once."""
    scores = Z @ weights
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qi,qik->k", e / e.sum(axis=1, keepdims=True) - target, Z)


def main() -> None:
    data = ltr.datasets.make("cubic", n_queries=2000)
    Z = np.ascontiguousarray(data.X.reshape(2000, 50, 50).astype(np.float32))
    grades = np.exp(data.y.reshape(2000, 50))
    target = (grades / grades.sum(axis=1, keepdims=True)).astype(np.float32)
    weights = np.zeros(50, dtype=np.float32)
    cube = []
    for _ in range(5):
        started = time.perf_counter()
        cube_gradient(Z, target, weights)
        cube.append(time.perf_counter() - started)
    yardstick = min(cube)
    print(f"numpy cube, ListNet's gradient  {yardstick:.4f} s")
    print(f"{'':12}{'linear':>9}{'10 units':>10}{'torch, linear':>15}")
    for name in NAMES:
        turns = [epochs_of(name, data, hidden) for hidden in (0, 10)]
        times = [min(seconds) for seconds in turns]
        if name == "ListNet":
            tell("ListNet, one epoch, M", turns[0], "the gradient alone, numpy's cube", cube)
        print(f"{name:12}{times[0]:9.4f}{times[1]:10.4f}{IN_TORCH.get(name, np.nan):15.3f}", flush=True)


if __name__ == "__main__":
    main()
