"""Parts of a set by query: `split`, `folds`, and LETOR's folders, `load_folds`.

Which query goes where depends on the query ids and the seed alone, not on the order of the rows in a file.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...errors import DataError, ParameterError
from .ranking_data import RankingData


def split(
    data: RankingData, fractions: Sequence[float] = (0.6, 0.2, 0.2), seed: int = 0
) -> tuple[RankingData, ...]:
    """Split the queries at random into parts of the given fractions.

    Parameters
    ----------
    data : RankingData
        What to split.
    fractions : sequence of float
        Positive numbers that add up to 1. Each part gets at least one query.
    seed : int
        The same seed gives the same parts.

    Returns
    -------
    tuple of RankingData
        One for each fraction, the queries in the order of their ids.
    """
    fractions = tuple(float(f) for f in fractions)
    if min(fractions, default=0.0) <= 0 or not math.isclose(sum(fractions), 1, abs_tol=1e-6):
        raise ParameterError(
            f"Fractions {fractions} cannot be used. "
            "Give positive numbers that add up to 1, like (0.6, 0.2, 0.2)."
        )
    if data.n_queries < len(fractions):
        queries = "1 query" if data.n_queries == 1 else f"{data.n_queries} queries"
        what = f"{queries} cannot be split into {len(fractions)} parts"
        raise DataError(what, "take fewer parts or more queries")
    parts = np.split(_shuffle(data, seed), np.cumsum(_share(data.n_queries, fractions))[:-1])
    names = ("train", "valid", "test") if len(parts) == 3 else [f"part {i + 1}" for i in range(len(parts))]
    return tuple(_take(data, part, name) for part, name in zip(parts, names, strict=True))


def folds(data: RankingData, n: int = 5, seed: int = 0) -> list[tuple[RankingData, RankingData, RankingData]]:
    """Cut the queries at random into n parts and rotate them, as LETOR does.

    Fold i trains on n − 2 parts from the i-th on, validates on the next and tests on the last: with 5 parts
    3 + 1 + 1. Each query is in one test part and in one validation part.

    Parameters
    ----------
    data : RankingData
        What to cut.
    n : int
        Number of folds, at least 3.
    seed : int
        The same seed gives the same folds.

    Returns
    -------
    list of (train, valid, test)
    """
    if isinstance(n, bool) or n != int(n) or n < 3:
        raise ParameterError(
            f"{n!r} folds cannot be made. Take 3 or more: one to test, one to validate, one to train."
        )
    n = int(n)
    if data.n_queries < n:
        what = f"{data.n_queries} queries do not make {n} folds"
        raise DataError(what, f"take at most {data.n_queries} folds")
    parts = np.array_split(_shuffle(data, seed), n)
    out = []
    for i in range(n):
        turn = parts[i:] + parts[:i]
        cuts = {"train": np.concatenate(turn[:-2]), "valid": turn[-2], "test": turn[-1]}
        train, valid, test = (_take(data, cut, f"fold {i + 1} {role}") for role, cut in cuts.items())
        out.append((train, valid, test))
    return out


def _shuffle(data: RankingData, seed: int) -> np.ndarray:
    """Return the queries' positions in random order, the same however the file is ordered."""
    by_id = np.argsort(data.query_ids, kind="stable")
    return by_id[np.random.default_rng(seed).permutation(data.n_queries)]


def _take(data: RankingData, queries: np.ndarray, what: str) -> RankingData:
    by_id = queries[np.argsort(data.query_ids[queries], kind="stable")]
    return data.select(by_id, name=f"{data.name} {what}".strip())


def _share(total: int, fractions: Sequence[float]) -> np.ndarray:
    """Return whole numbers near the fractions that add up to `total`, each at least 1."""
    exact = np.array(fractions) / sum(fractions) * total
    sizes = np.floor(exact + 1e-9).astype(np.int64)
    for i in np.argsort(sizes - exact, kind="stable")[: total - sizes.sum()]:
        sizes[i] += 1
    while (sizes == 0).any():
        sizes[np.argmax(sizes)] -= 1
        sizes[np.argmin(sizes)] += 1
    return sizes
