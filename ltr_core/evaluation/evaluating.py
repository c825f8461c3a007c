"""`evaluate` and `compare`: measures of models or scores on data, query by query, and whether they differ.

Scores are in the order in which the rows were given, an array as well as a file with one on each line: as
`model.predict(data)` returns them, and as other programs write them that read the same file or arrays. For a
part of a larger set (`split`, `folds`), that is the order of the part's own rows; a file may also have a line
for each row of the whole. A file may be a TREC run, too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..data import RankingData
from ..errors import DataError, ParameterError
from ..measures import Measure, as_scores, measure
from ..rankers import Ranker
from .comparison import Comparison
from .given import is_trec_run, of_trec_run, read_scores, read_trec_run
from .significance import TIE, holm, randomization_test, say, t_test
from .verdicts import queries_needed


def evaluate(
    model_or_scores: Any,
    data: RankingData,
    measures: str | Measure | Sequence[str | Measure] = ("ndcg@10",),
    convention: str | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Return the measures of each query.

    Parameters
    ----------
    model_or_scores : model, array or path
        Something with `predict`; one score for each row of `data`, in the order in which the rows were given;
        or a text file with one score on each line, in the same order, or a TREC run.
    data : RankingData
        The queries, with their grades.
    measures : sequence of str, Measure or callable
        What to measure, such as ``["ndcg@5", "map"]``; each is a column. A function of one query's grades and
        scores is a measure, too (`measure`).
    convention : {None, "letor"}
        Replaces the options that are at their defaults by LETOR's.
    **options
        Options of the measures (gain, discount, ties, empty, short, relevant …), each for those that have it.

    Returns
    -------
    DataFrame
        One row for each query, in the data's order, the query ids as index; NaN where a query is left out.
        ``.attrs["mean"]`` has the value of the whole set for each column. That is the column's mean, but
        for precision at K% and misorder, which are defined on all pairs of the set: their columns hold the
        value within each query.
    """
    data = _as_data(data)
    bound = {name: m.on(data) for name, m in _as_measures(measures, convention, options).items()}
    scores = data.grouped(scores_of(model_or_scores, data))
    table = pd.DataFrame(
        {name: b.per_query(scores) for name, b in bound.items()}, index=pd.Index(data.query_ids, name="query")
    )
    table.attrs["mean"] = {name: b.mean(scores) for name, b in bound.items()}
    return table


def compare(
    systems: Mapping[str, Any],
    data: RankingData,
    measure: str | Measure = "ndcg@10",
    baseline: str | None = None,
    convention: str | None = None,
    n_resamples: int = 20_000,
    seed: int = 0,
    **options: Any,
) -> Comparison:
    """Compare systems with a baseline, query by query.

    Parameters
    ----------
    systems : mapping
        Models, arrays of scores or paths (as for `evaluate`) by name.
    data : RankingData
        The queries, with their grades.
    measure : str or Measure
        What is compared.
    baseline : str, optional
        The name of the system that the others are compared with; the first when left out.
    convention, **options
        As for `evaluate`.
    n_resamples, seed : int
        Of the randomisation test.

    Returns
    -------
    Comparison
        A DataFrame, which prints its sentences and has `plot`, `to_markdown` and `to_latex`.
        One row for each system but the baseline: `mean`, `baseline_mean`, `difference` (system minus
        baseline, of the means over queries), `wins`, `ties` (differences up to 1e-12), `losses`,
        `n_queries`, `p` (paired t-test, two-sided), `p_one_sided` (that the system is the better one),
        `p_random` (paired randomisation test), `p_holm` (`p` after Holm's correction for the number of
        rows), `needed` (how many queries it would take to tell such a difference) and `sentence`.
    """
    data = _as_data(data)
    if not isinstance(systems, Mapping) or len(systems) < 2:
        raise ParameterError('Give at least two systems by name, such as compare({"A": a, "B": b}, data).')
    baseline = next(iter(systems)) if baseline is None else baseline
    if baseline not in systems:
        names = ", ".join(map(repr, systems))
        raise ParameterError(f"baseline = {baseline!r} is none of the systems. Take one of {names}.")
    (chosen,) = (m.fitted(data) for m in _as_measures([measure], convention, options).values())
    bound = chosen.on(data)
    scores = {name: data.grouped(scores_of(system, data)) for name, system in systems.items()}
    values = {name: bound.per_query(of_system) for name, of_system in scores.items()}
    return compare_values(values, chosen, baseline, n_resamples, seed)


def compare_values(
    values: Mapping[str, np.ndarray], chosen: Measure, baseline: str, n_resamples: int = 20_000, seed: int = 0
) -> Comparison:
    """Compare values per query that are at hand, such as those of several folds; returns as `compare`."""
    names = [name for name in values if name != baseline]
    rows = [_compare_two(values[name], values[baseline], chosen, n_resamples, seed) for name in names]
    table = pd.DataFrame(rows, index=pd.Index(names, name="system"))
    table["p_holm"] = holm(table["p"])
    direction, several, sentences = chosen.higher_is_better, len(names) > 1, []
    for row in table.itertuples():
        numbers = (row.difference, row.wins, row.n_queries, row.p_holm)
        words = (str(row.Index), str(baseline), chosen.label)
        more = (direction, row.ties, several, row.needed)
        sentences.append(say(*words, *numbers, *more))  # type: ignore[arg-type]
    table["sentence"] = sentences
    told = Comparison(table)
    told.measure, told.baseline = chosen.label, str(baseline)
    told.differences = {str(name): values[name] - values[baseline] for name in names}
    return told


def scores_of(model_or_scores: Any, data: RankingData) -> np.ndarray:
    """Return one score for each row, as the rows were given, from a model, an array or a file."""
    if isinstance(model_or_scores, (str, os.PathLike)):
        return _scores_of_file(Path(model_or_scores), data)
    if hasattr(model_or_scores, "predict"):
        if isinstance(model_or_scores, Ranker):
            model_or_scores = model_or_scores.predict(data)
        else:
            names = getattr(model_or_scores, "feature_names_in_", None)  # somebody else's, fitted on a table
            X = data.X if names is None else pd.DataFrame(data.X, columns=list(data.feature_names))
            model_or_scores = data.given(as_scores(model_or_scores.predict(X), data.n_docs))
    return as_scores(model_or_scores, data.n_docs)


def _scores_of_file(path: Path, data: RankingData) -> np.ndarray:
    if is_trec_run(path):
        return data.given(of_trec_run(read_trec_run(path), data, path))
    scores = read_scores(path)
    if len(scores) > data.n_docs and len(scores) > data.order.max() >= data.n_docs:  # those of the whole
        scores = scores[data.order]
    if len(scores) == data.n_docs:
        return as_scores(scores, data.n_docs)
    todo = "give one line for each document, in the order of the data's file"
    raise DataError(f"{len(scores)} scores for {data.n_docs} documents", todo, file=path.name)


def _as_data(data: Any) -> RankingData:
    if not isinstance(data, RankingData):
        kind = type(data).__name__
        raise ParameterError(f"The data are a {kind}. Give a RankingData, for instance from load(path).")
    return data


def _as_measures(
    measures: str | Measure | Sequence[str | Measure], convention: str | None, options: Mapping[str, Any]
) -> dict[str, Measure]:
    """Return measures by the name that they were asked for, each with those of the options that it has."""
    asked = [measures] if isinstance(measures, (str, Measure)) or callable(measures) else list(measures)
    found: dict[str, Measure] = {}
    used: set[str] = set()
    for one in asked:
        known = {param.name for param in measure(one).params}
        name = one if isinstance(one, str) else measure(one).name
        if name in found:
            raise ParameterError(f"The measure {name!r} is asked for twice. Leave one out.")
        own = {option: value for option, value in options.items() if option in known}
        found[name] = measure(one, convention, **own)
        used |= own.keys()
    if not found:
        raise ParameterError('No measure is asked for. Give at least one, such as "ndcg@10".')
    unknown = [option for option in options if option not in used]
    if unknown:
        raise ParameterError(f"None of the measures has an option {unknown[0]!r}.")
    return found


def _compare_two(
    values: np.ndarray, baseline: np.ndarray, chosen: Measure, n_resamples: int, seed: int
) -> dict[str, Any]:
    kept = ~np.isnan(values)
    values, baseline = values[kept], baseline[kept]
    differences = values - baseline
    gains = differences if chosen.higher_is_better else -differences
    n = len(values)
    test = t_test(gains)
    return {
        "mean": float(values.mean()) if n else math.nan,
        "baseline_mean": float(baseline.mean()) if n else math.nan,
        "difference": float(differences.mean()) if n else math.nan,
        "wins": int((gains > TIE).sum()),
        "ties": int((np.abs(gains) <= TIE).sum()),
        "losses": int((gains < -TIE).sum()),
        "n_queries": n,
        "p": test.p,
        "p_one_sided": test.p_one_sided,
        "p_random": randomization_test(gains, n_resamples, seed),
        "needed": queries_needed(gains),
    }
