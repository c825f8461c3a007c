"""What `fit` takes, in all its forms: data, evaluation sets, measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..data import RankingData
from ..errors import DataError, ParameterError
from ..measures import Measure, measure
from .names import check_names


def as_data(X: Any, y: Any = None, qid: Any = None, group: ArrayLike | None = None) -> RankingData:
    """Return RankingData from itself or from features, grades and query ids or sizes."""
    if isinstance(X, RankingData):
        if not (y is None and qid is None and group is None):
            raise ParameterError("RankingData has its own grades and queries: leave y, qid and group out.")
        return X
    if group is not None:
        if qid is not None:
            raise ParameterError("qid and group say the same: give one of them.")
        qid = _ids_of(group, len(y) if y is not None else 0)
    if y is None or qid is None:
        raise ParameterError("Give grades and queries with the features: fit(X, y, qid=…), or a RankingData.")
    return RankingData(X, y, qid)


def _ids_of(group: ArrayLike, n_docs: int) -> np.ndarray:
    """Return a query id for each row from the queries' sizes."""
    sizes = np.asarray(group)
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 1).any() or sizes.sum() != n_docs:
        total = f" that add up to {sizes.sum()}" if sizes.dtype.kind in "iuf" else ""
        raise DataError(
            f"group has {sizes.size} sizes{total} for {n_docs} documents",
            "give how many rows each query has, whole numbers from 1",
        )
    return np.repeat(np.arange(len(sizes)), sizes)


def as_eval_sets(
    eval_set: Mapping[str, Any] | Sequence[Any] | None,
    data: RankingData,
    eval_qid: Sequence[ArrayLike] | None = None,
    eval_group: Sequence[ArrayLike] | None = None,
) -> dict[str, RankingData]:
    """Return the evaluation sets by name, or say what is wrong with one."""
    if eval_set is None:
        return {}
    if isinstance(eval_set, (list, tuple)):
        eval_set = _by_name(eval_set, eval_qid, eval_group)
    elif eval_qid is not None or eval_group is not None:
        raise ParameterError("eval_qid and eval_group go with an eval_set that is a list of (X, y).")
    if not isinstance(eval_set, Mapping):
        raise ParameterError(
            'eval_set names its sets: give a mapping such as {"valid": valid}, or a list of (X, y, qid).'
        )
    sets = {}
    for name, given in eval_set.items():
        if name == "train":
            raise ParameterError('eval_set: "train" is the training data\'s own name; take another one.')
        given = as_data(*given) if isinstance(given, tuple) else as_data(given)
        if given.n_features != data.n_features or (given.named and data.named):
            check_names(
                data.feature_names,
                given.feature_names,
                f"the evaluation set “{name}” has",
                "the training data",
            )
        sets[str(name)] = given
    return sets


def _by_name(
    sets: Sequence[object], qids: Sequence[ArrayLike] | None, groups: Sequence[ArrayLike] | None
) -> dict[str, Any]:
    """Return a list's sets by name, with their queries."""
    named = {}
    for i, one in enumerate(sets):
        if isinstance(one, tuple) and len(one) == 2:
            own = [None if of is None or i >= len(of) else of[i] for of in (qids, groups)]
            if all(of is None for of in own):
                todo = "give (X, y, qid), or eval_qid=[…] or eval_group=[…]"
                raise ParameterError(f"Set {i + 1} of eval_set has no queries: {todo}.")
            one = as_data(*one, *own)
        named["valid" if len(sets) == 1 else f"valid_{i + 1}"] = one
    return named


def as_query_weights(weights: ArrayLike, data: RankingData) -> np.ndarray:
    """Return each query's weight, their mean 1, from weights of rows as they were given, or of queries."""
    numbers = np.asarray(weights, dtype=np.float64)
    if numbers.shape == (data.n_docs,):
        numbers = data.grouped(numbers)
        first = numbers[data.offsets[:-1]]
        if (np.repeat(first, np.diff(data.offsets)) != numbers).any():
            raise DataError(
                "sample_weight differs within a query", "give all rows of a query the same weight"
            )
        numbers = first
    if numbers.shape != (data.n_queries,):
        what = f"sample_weight has {numbers.size} numbers for {data.n_docs} rows in {data.n_queries} queries"
        raise DataError(what, "give one for each row or for each query")
    if not (np.isfinite(numbers).all() and (numbers >= 0).all() and numbers.any()):
        raise DataError(
            "a sample_weight is negative or no finite number, or all are 0", "give weights from 0 up"
        )
    return numbers / numbers.mean()


def as_measures(measures: Sequence[str | Measure]) -> list[Measure]:
    """Return measures from their names, each asked for once."""
    one = isinstance(measures, (str, Measure)) or callable(measures)
    asked: Any = [measures] if one else measures
    chosen = [measure(m) for m in asked]
    names = [m.name for m in chosen]
    if len(set(names)) != len(names):
        raise ParameterError("The same measure is asked for twice: " + ", ".join(names) + ".")
    return chosen
