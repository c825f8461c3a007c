"""McRank's findings on its artificial set, tried again (paper 004, Table 1 and Fig. 3).

    python -m tests.benchmarks.study_mcrank [queries [rounds]]

`cubic`, 50 features, 50 documents a query, five grades; 10 leaves, learning rate 0.05, 5 documents a leaf, as
in §6.2; trained on 2,000 queries (the paper has 10,000), tested on 2,000; a quarter of
the rounds for the table of bins. The paper's order: ordinal (85.0) ≥ classification (83.7) ≥ regression
(82.9) > the pairwise net, LambdaRank with two layers (74.9).
"""

from __future__ import annotations

import sys
import time

import ltr_core as ltr

N_TEST = 2_000
BINS = (8, 16, 32, 64, 128, 256, 65_536)
PAPER = {
    "ordinal": "85.0 (9.5)",
    "classification": "83.7 (9.9)",
    "regression": "82.9 (10.2)",
    "net": "74.9 (12.6)",
}


def models(rounds: int):
    """Return the contenders, in the paper's order."""
    shape = {"n_trees": rounds, "learning_rate": 0.05}
    yield "ordinal", ltr.McRank(mode="ordinal", **shape)
    yield "classification", ltr.McRank(**shape)
    yield "regression", ltr.GBT(target="gain", **shape)
    yield "net", ltr.LambdaRank(hidden=10, epochs=50)
    yield "ordinal, T = gain", ltr.McRank(mode="ordinal", expected="gain", **shape)
    yield "classification, T = gain", ltr.McRank(expected="gain", **shape)
    yield "regression on grades", ltr.GBT(target="grade", **shape)
    yield "LambdaMART", ltr.LambdaMART(**shape)
    yield "QBRank", ltr.QBRank(n_leaves=10, **shape)


def main(n_queries: int, rounds: int) -> None:
    """Print both tables."""
    data = ltr.datasets.make("cubic", n_queries=n_queries + N_TEST)
    train, test = data.select(range(n_queries)), data.select(range(n_queries, n_queries + N_TEST))
    ltr.warmup()
    scores = {}
    print(
        f"{n_queries:,} training queries, {rounds} rounds; NDCG@10 in %, standard deviation over test queries"
    )
    for name, model in models(rounds):
        started = time.perf_counter()
        scores[name] = model.fit(train, measures=()).predict(test)
        values = 100 * ltr.ndcg(test.y, scores[name], test.qid, k=10, per_query=True)
        seconds = time.perf_counter() - started
        found = f"{values.mean():6.2f} ({values.std():.1f})   paper {PAPER.get(name, '–'):12s}"
        print(f"  {name:25s}{found}{seconds:7.1f} s", flush=True)
    order = list(PAPER)
    for better, worse in zip(order[:-1], order[1:], strict=True):
        row = ltr.compare({n: scores[n] for n in (worse, better)}, test, baseline=worse).iloc[0]
        print(f"  {better} - {worse}: {100 * row['difference']:+.2f}, one-sided p = {row['p_one_sided']:.2g}")

    few = max(1, rounds // 4)
    print(f"{few} rounds, bins at most" + "".join(f"{b:>9,}" for b in BINS))
    for name, kind in (("classification", ltr.McRank), ("regression", ltr.GBT)):
        row = []
        for bins in BINS:
            model = kind(n_trees=few, learning_rate=0.05, max_bins=bins).fit(train, measures=())
            row.append(100 * ltr.ndcg(test.y, model.predict(test), test.qid, k=10))
        print(f"  {name:22s}" + "".join(f"{v:9.2f}" for v in row), flush=True)
        print(f"  {'against 65,536':22s}" + "".join(f"{v - row[-1]:+9.2f}" for v in row), flush=True)


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]]
    main(*(numbers + [2_000, 1_000][len(numbers) :]))
