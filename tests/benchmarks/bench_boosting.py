"""QBRank and the general boosting method beside GBT at the same trees: seconds, binning included.

    python -m tests.benchmarks.bench_boosting [turns=5]

The work is that of `bench_trees`: `cubic`, 2,000 queries × 50 documents × 50 features, 100 trees of 10
leaves, learning rate 0.1, 255 bins, as many threads as the machine has. All take turns. The target is twice
GBT's time: GBT has one squared error a document, QBRank a squared hinge over 1.6 million pairs as well, and a
search along each tree.
"""

from __future__ import annotations

import sys
import time

import ltr_core as ltr
from tests.benchmarks.evidence import tell

TREES = {"n_trees": 100, "n_leaves": 10, "learning_rate": 0.1, "max_bins": 255}
MODELS = {
    "GBT": lambda: ltr.GBT(target="grade", **TREES),
    "QBRank": lambda: ltr.QBRank(**TREES),
    "QBRank, no line search": lambda: ltr.QBRank(line_search=False, **TREES),
    "FunctionalBoosting": lambda: ltr.FunctionalBoosting(**TREES),
}
WANTED = 2.0


def main(turns: int) -> None:
    """Print and tell each one's time beside GBT's."""
    data = ltr.datasets.make("cubic", n_queries=2_000)
    for make in MODELS.values():
        make().set_params(n_trees=2).fit(data, measures=())  # compiles
    times: dict[str, list[float]] = {name: [] for name in MODELS}
    for _ in range(turns):
        for name, make in MODELS.items():
            fresh = ltr.RankingData(data.X, data.y, data.qid)  # its bins are not those of the one before
            started = time.perf_counter()
            make().fit(fresh, measures=())
            times[name].append(time.perf_counter() - started)
    peer = times.pop("GBT")
    print(f"{'GBT':24}{min(peer):9.3f}")
    for name, own in times.items():
        print(f"{name:24}{min(own):9.3f}{min(own) / min(peer):8.2f}")
        tell(f"{name}, 2,000 queries, binning in", own, "our GBT", peer, WANTED)


if __name__ == "__main__":
    main(next((int(word[6:]) for word in sys.argv[1:] if word.startswith("turns=")), 5))
