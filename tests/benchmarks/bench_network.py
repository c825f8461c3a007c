"""Seconds for one epoch of the gradient models on M (2,000 × 50 × 50), beside a plain loop in torch.

The loop holds the set as one dense cube in float32, goes through it in a fresh order by batches of 100
queries (autograd, Adam, as many threads as cores); ours takes a step for each query, in one thread, and then
works out the loss that the history shows, on all of them. Without torch (``pip install torch``) the yardstick
is ListNet's gradient of the whole cube in numpy.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import ltr_core as ltr
from tests.benchmarks.evidence import tell

try:
    import torch
except ImportError:
    torch = None

NAMES = ("RankNet", "LambdaRank", "ListNet", "ListMLE", "RankCosine")
LIMITS = {"RankNet": 0.5, "LambdaRank": 0.5, "ListMLE": 0.5}
BATCH, DEPTH, TURNS = 100, 10, 5


def epochs_of(name: str, data: ltr.RankingData, hidden: int) -> list[float]:
    """Return the seconds of some epochs, the first left out."""
    ends: list[float] = []
    model = ltr.ALGORITHMS[name](hidden=hidden, epochs=TURNS + 1)
    model.fit(data, measures=(), on_round=lambda info: ends.append(info.seconds))
    return np.diff(ends).tolist()


def cube_seconds(data: ltr.RankingData) -> list[float]:
    """Return the seconds of ListNet's gradient for all queries at once, in numpy."""
    Z = np.ascontiguousarray(data.X.reshape(2000, 50, 50).astype(np.float32))
    grades = np.exp(data.y.reshape(2000, 50))
    target = (grades / grades.sum(axis=1, keepdims=True)).astype(np.float32)
    weights, found = np.zeros(50, dtype=np.float32), []
    for _ in range(TURNS):
        started = time.perf_counter()
        scores = Z @ weights
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        np.einsum("qi,qik->k", e / e.sum(axis=1, keepdims=True) - target, Z)
        found.append(time.perf_counter() - started)
    return found


def torch_losses() -> dict[str, Callable]:
    """Return the losses as one would write them in torch: scores and grades, a row a query."""
    discounts = 1.0 / torch.log2(2.0 + torch.arange(50))
    discounts[DEPTH:] = 0.0

    def pairs(s, y):
        return s[:, :, None] - s[:, None, :], y[:, :, None] > y[:, None, :]

    def ranknet(s, y):
        gap, better = pairs(s, y)
        return torch.nn.functional.softplus(-gap)[better].sum() / len(s)

    def lambdarank(s, y):
        gap, better = pairs(s, y)
        places = s.detach().argsort(1, descending=True).argsort(1)
        gains, discount = 2.0**y - 1.0, discounts[places]
        ideal = (gains.sort(1, descending=True).values * discounts).sum(1)
        swap = (gains[:, :, None] - gains[:, None, :]) * (discount[:, :, None] - discount[:, None, :]).abs()
        weighted = swap / ideal[:, None, None] * torch.nn.functional.softplus(-gap)
        return weighted[better].sum() / len(s)

    def listnet(s, y):
        return -(torch.softmax(y, 1) * torch.log_softmax(s, 1)).sum() / len(s)

    def listmle(s, y):
        order = (y + 0.5 * torch.rand_like(y)).argsort(1, descending=True)
        in_order = s.gather(1, order)
        return (torch.logcumsumexp(in_order.flip(1), 1).flip(1) - in_order).sum() / len(s)

    def rankcosine(s, y):
        return 0.5 * (1.0 - torch.cosine_similarity(s, y, dim=1)).sum() / len(s)

    return dict(zip(NAMES, (ranknet, lambdarank, listnet, listmle, rankcosine), strict=True))


def torch_seconds(data: ltr.RankingData, loss: Callable) -> list[float]:
    """Return the seconds of some epochs of a linear model in torch, the first left out."""
    X = torch.tensor(data.X.reshape(2000, 50, 50).astype(np.float32))
    X = (X - X.mean((0, 1))) / X.std((0, 1))
    y = torch.tensor(data.y.reshape(2000, 50).astype(np.float32))
    model = torch.nn.Linear(50, 1)
    adam, found = torch.optim.Adam(model.parameters(), lr=0.001), []
    for _ in range(TURNS + 1):
        started = time.perf_counter()
        for batch in torch.randperm(len(X)).split(BATCH):
            adam.zero_grad()
            loss(model(X[batch]).squeeze(-1), y[batch]).backward()
            adam.step()
        found.append(time.perf_counter() - started)
    return found[1:]


def main() -> None:
    data = ltr.datasets.make("cubic", n_queries=2000)
    losses = torch_losses() if torch else {}
    cube = cube_seconds(data)
    print(f"numpy cube, ListNet's gradient  {min(cube):.4f} s")
    print(f"{'':12}{'linear':>9}{'10 units':>10}{'torch, linear':>15}{'ratio':>7}")
    for name in NAMES:
        turns = [epochs_of(name, data, hidden) for hidden in (0, 10)]
        own, deep = (min(seconds) for seconds in turns)
        if not torch:
            print(f"{name:12}{own:9.4f}{deep:10.4f}{'not installed':>15}", flush=True)
            continue
        theirs = torch_seconds(data, losses[name])
        tell(f"{name}, one epoch, M", turns[0], "a loop in torch", theirs, LIMITS.get(name))
        print(f"{name:12}{own:9.4f}{deep:10.4f}{min(theirs):15.4f}{own / min(theirs):7.2f}", flush=True)
    if not torch:
        tell("ListNet, one epoch, M", epochs_of("ListNet", data, 0), "numpy's cube, the gradient alone", cube)


if __name__ == "__main__":
    main()
