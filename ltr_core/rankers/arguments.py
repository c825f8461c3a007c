"""What `fit` takes, in all its forms: data, evaluation sets, measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data import RankingData
from ..errors import DataError, ParameterError
from ..measures import Measure, measure


def as_data(X: Any, y: Any = None, qid: Any = None) -> RankingData:
    """Return RankingData from itself or from features, grades and query ids."""
    if isinstance(X, RankingData):
        if y is not None or qid is not None:
            raise ParameterError("RankingData has its own grades and queries: leave y and qid out.")
        return X
    if y is None or qid is None:
        raise ParameterError("Give grades and queries with the features: fit(X, y, qid=…), or a RankingData.")
    return RankingData(X, y, qid)


def as_eval_sets(eval_set: Mapping[str, Any] | None, data: RankingData) -> dict[str, RankingData]:
    """Return the evaluation sets by name, or say what is wrong with one."""
    if eval_set is None:
        return {}
    if not isinstance(eval_set, Mapping):
        raise ParameterError('eval_set names its sets: give a mapping such as {"valid": valid}.')
    sets = {}
    for name, given in eval_set.items():
        if name == "train":
            raise ParameterError('eval_set: "train" is the training data\'s own name; take another one.')
        given = as_data(*given) if isinstance(given, tuple) else as_data(given)
        if given.n_features != data.n_features:
            sizes = f"{given.n_features} features and the training data {data.n_features}"
            what = f"the evaluation set “{name}” has {sizes}"
            raise DataError(what, "give the same features in the same order")
        sets[str(name)] = given
    return sets


def as_measures(measures: Sequence[str | Measure]) -> list[Measure]:
    """Return measures from their names, each asked for once."""
    if isinstance(measures, (str, Measure)):
        measures = (measures,)
    chosen = [m if isinstance(m, Measure) else measure(m) for m in measures]
    names = [m.name for m in chosen]
    if len(set(names)) != len(names):
        raise ParameterError("The same measure is asked for twice: " + ", ".join(names) + ".")
    return chosen
